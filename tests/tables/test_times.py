"""Dates, times and durations: the same numbers whoever holds them, and their words and parts."""

from __future__ import annotations

import datetime as dt
import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ramify import RamifyWarning, TreeClassifier, TreeRegressor
from ramify.files import dumps, loads
from ramify.tables import Schema, Table
from ramify.tables.forms import DAY, Form
from ramify.tables.parts import LEVELS, part_codes

DAYS = [dt.date(2019, 2, 27), None, dt.date(2019, 3, 1), dt.date(1969, 12, 31)]
MOMENTS = [dt.datetime(2019, 2, 27, 13, 30), None, dt.datetime(2019, 3, 1, 0, 0, 0, 500_000)]
TIMES = [dt.time(6, 30), None, dt.time(23, 59, 59, 250_000)]
SPANS = [dt.timedelta(hours=26, seconds=1), None, -dt.timedelta(minutes=3)]


def frames(cells: list[Any]) -> list[Any]:
    found: list[Any] = [
        {"a": cells},
        pl.DataFrame({"a": cells}),
        pa.table({"a": cells}),
        pd.DataFrame({"a": pd.Series(cells, dtype=object)}),
    ]
    if not isinstance(next(c for c in cells if c is not None), dt.time):
        found.append(
            pd.DataFrame({"a": pd.Series(cells, dtype=pd.ArrowDtype(pa.array(cells).type))})
        )
    return found


@pytest.mark.parametrize(
    ("cells", "form", "numbers"),
    [
        (DAYS, Form("date"), [17954, None, 17956, -1]),
        (MOMENTS, Form("datetime"), [17954 * DAY + 48600, None, 17956 * DAY + 0.5]),
        (TIMES, Form("time"), [23400, None, 86399.25]),
        (SPANS, Form("duration"), [93601, None, -180]),
    ],
    ids=["dates", "datetimes", "times", "durations"],
)
def test_every_container_gives_the_same_numbers(cells: Any, form: Form, numbers: Any) -> None:
    first = Table.read(frames(cells)[0])
    assert first.schema["a"].form == form and first.schema["a"].kind == "numeric"
    expected = [np.nan if one is None else one for one in numbers]
    for frame in frames(cells):
        table = Table.read(frame)
        assert table.schema == first.schema
        np.testing.assert_array_equal(table.column(0), expected)
        np.testing.assert_array_equal(first.schema.encode(frame).column(0), expected)


def test_numpy_and_pandas_datetimes_at_midnight_are_dates() -> None:
    days = np.array(["2019-02-27", "NaT", "2019-03-01"], dtype="datetime64[D]")
    for column in (days, days.astype("datetime64[ns]"), pd.Series(days.astype("datetime64[s]"))):
        table = Table.read({"a": column})
        assert table.schema["a"].form == Form("date")
        np.testing.assert_array_equal(table.column(0), [17954, np.nan, 17956])
    with_times = table.schema.encode({"a": [dt.datetime(2019, 2, 27, 23, 59)]})
    assert with_times.column(0).tolist() == [17954]  # the day is what the tree asks for


def test_time_zones_are_instants_with_local_parts() -> None:
    local = pd.date_range("2019-03-30 22:30", periods=4, freq="3h", tz="Europe/Berlin")
    for frame in (pd.DataFrame({"a": local}), pl.DataFrame({"a": pl.Series(local.tolist())})):
        table = Table.read(frame, date_parts=["hour"])
        assert table.schema["a"].form == Form("datetime", zone="Europe/Berlin")
        assert table.column(0).tolist() == [one.timestamp() for one in local]
        assert table.column(1).tolist() == local.hour.tolist()  # clocks change in between
    utc = pd.DataFrame({"a": local.tz_convert("America/New_York")})
    np.testing.assert_array_equal(table.schema.encode(utc).column(1), table.column(1))
    with pytest.raises(ValueError, match=r"'a' has a time zone in fit, but none now"):
        table.schema.encode(pd.DataFrame({"a": local.tz_localize(None)}))
    mixed = [dt.datetime(2019, 1, 1), dt.datetime(2019, 1, 1, tzinfo=dt.UTC)]
    with pytest.raises(ValueError, match="'a' has datetimes with and without a time zone"):
        Table.read({"a": mixed})


@given(
    st.lists(st.datetimes(dt.datetime(1600, 1, 1), dt.datetime(2400, 1, 1)), min_size=1),
    st.sampled_from(["", "UTC", "Europe/Berlin", "+05:30", "Asia/Kathmandu"]),
)
def test_parts_are_those_of_the_calendar(moments: list[dt.datetime], zone: str) -> None:
    form = Form("datetime", zone=zone)
    zoned = pd.Series(moments).dt.tz_localize("UTC").dt.tz_convert(zone or "UTC")
    seconds = np.array([(m - dt.datetime(1970, 1, 1)).total_seconds() for m in moments])
    clock = [one.to_pydatetime() for one in zoned]
    for part, wanted in (
        ("month", [m.month - 1 for m in clock]),
        ("weekday", [m.weekday() for m in clock]),
        ("day", [m.day - 1 for m in clock]),
        ("hour", [m.hour for m in clock]),
    ):
        assert part_codes(seconds, form, part).tolist() == wanted
        assert all(code < len(LEVELS[part]) for code in wanted)


@given(st.floats(-700_000, 2_900_000), st.integers(-700_000, 2_900_000))
def test_the_words_of_a_date_threshold_mean_what_it_does(threshold: float, day: int) -> None:
    bound = Form("date").threshold(threshold)
    shown = dt.date(1970, 1, 1) + dt.timedelta(days=day)
    assert (day <= threshold) == (shown < dt.date.fromisoformat(bound.text))


def test_parts_come_when_they_come_round_again() -> None:
    def parts(start: str, periods: int, freq: str) -> list[str]:
        column = pd.date_range(start, periods=periods, freq=freq)
        names = Table.read(pd.DataFrame({"a": column}), date_parts="auto").schema.names
        return [name.removesuffix(" of a") for name in names[1:]]

    assert parts("2020-01-01", 10, "D") == []
    assert parts("2020-01-01", 30, "D") == ["weekday"]
    assert parts("2020-01-01", 500, "D") == ["month", "weekday"]
    assert parts("2020-01-05", 60, "W") == ["month"]  # Sundays all
    assert parts("2020-01-01", 100, "h") == ["hour"]
    assert parts("2020-01-01 05:00", 30, "D") == ["weekday"]  # one hour all


def table_of(n: int = 400, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sold = pd.Timestamp("2018-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    X = pd.DataFrame(
        {
            "sold": sold,
            "at": sold + pd.to_timedelta(rng.integers(0, 86_400, n), unit="s"),
            "took": pd.to_timedelta(rng.integers(0, 200_000, n), unit="s"),
            "town": rng.choice(list("abcdefgh"), n),
        }
    )
    X.loc[rng.random(n) < 0.1, "sold"] = pd.NaT
    return X


def test_a_tree_names_dates_parts_and_durations_and_survives_a_file() -> None:
    X = table_of()
    y = (X["sold"].dt.month > 6).astype(float) * 4 + (X["at"].dt.hour > 12) * 2
    y += X["took"] > pd.Timedelta("1D")
    tree = TreeRegressor(max_depth=4).fit(X, y)
    text = tree.tree_.to_text()
    assert "month of sold <= June" in text and "hour of at > 12" in text
    assert "took <= 1 day" in text or "took <= 23:" in text
    assert tree.n_features_in_ == 4 and len(tree.feature_importances_) == 4
    assert tree.feature_names_in_.tolist() == ["sold", "at", "took", "town"]
    document = json.loads(dumps(tree))
    assert document["version"] == 6
    for again in (loads(dumps(tree)), pickle.loads(pickle.dumps(tree))):
        np.testing.assert_array_equal(again.predict(X), tree.predict(X))
        assert again.schema_ == tree.schema_ and again.tree_.to_text() == text
    np.testing.assert_array_equal(tree.predict(pl.from_pandas(X)), tree.predict(X))
    explained = str(tree.explain(X.iloc[3].to_dict()))
    assert "month of sold" in explained


def test_a_date_threshold_reads_as_a_date_in_text_and_rules() -> None:
    X = {"sold": [dt.date(2019, 2, 20 + i) for i in range(9)]}
    tree = TreeClassifier().fit(X, ["no"] * 4 + ["yes"] * 3 + ["no"] * 2).tree_
    assert "sold < 2019-02-24" in tree.to_text()
    assert [rule.conditions for rule in tree.rules()] == [
        ("sold < 2019-02-24",),
        ("2019-02-24 <= sold < 2019-02-27",),
        ("sold >= 2019-02-27",),
    ]


def test_numbers_in_place_of_dates_and_dates_in_place_of_numbers_are_refused() -> None:
    dates = Table.read({"a": DAYS}).schema
    numbers = Table.read({"a": [1.0, 2.0]}).schema
    with pytest.raises(ValueError, match=r"'a' held dates in fit, but is numeric now"):
        dates.encode({"a": [3.0]})
    with pytest.raises(ValueError, match=r"'a' held numbers in fit, but holds dates now"):
        numbers.encode({"a": DAYS})
    with pytest.raises(ValueError, match=r"'a' held dates in fit, but holds times now"):
        dates.encode({"a": TIMES})


def test_dates_can_still_be_levels() -> None:
    table = Table.read({"a": DAYS}, categorical_features=["a"])
    assert table.schema["a"].levels == tuple(sorted(filter(None, DAYS)))
    assert Schema.from_dict(table.schema.to_dict()) == table.schema


def test_a_part_gets_a_name_of_its_own() -> None:
    X = {"a": DAYS, "month of a": [1.0, 2.0, 3.0, 4.0]}
    assert Table.read(X, date_parts=["month"]).schema.names == ["a", "month of a (2)", "month of a"]


class TestPooledLevels:
    X = pd.DataFrame({"town": ["Rome"] * 6 + ["Oslo"] * 5 + ["Bern", "Kiel"]})
    y = np.array([1.0] * 6 + [2.0] * 5 + [3.0, 3.0])

    def test_rare_levels_are_one_that_takes_unseen_levels(self) -> None:
        tree = TreeRegressor(min_level_count=3).fit(self.X, self.y)
        assert tree.schema_["town"].levels == ("Oslo", "Rome", "(other)")
        assert tree.predict(pd.DataFrame({"town": ["Bern", "Paris"]})).tolist() == [3.0, 3.0]
        again = loads(dumps(tree))
        assert again.predict(pd.DataFrame({"town": ["Paris"]})).tolist() == [3.0]

    def test_without_rare_levels_nothing_is_pooled(self) -> None:
        table = Table.read(self.X[:11], min_level_count=3)
        assert table.schema["town"].levels == ("Oslo", "Rome") and not table.schema["town"].pooled

    def test_unseen_levels_are_no_error_where_levels_are_pooled(self) -> None:
        tree = TreeRegressor(min_level_count=3, unseen="error").fit(self.X, self.y)
        assert tree.predict(pd.DataFrame({"town": ["Paris"]})).tolist() == [3.0]


class TestIdentifiers:
    X = pd.DataFrame({"name": [f"car {i}" for i in range(60)], "size": np.arange(60.0) % 7})
    y = np.arange(60) % 7 > 3

    def test_the_default_warns_and_says_how_to_silence_it(self) -> None:
        with pytest.warns(RamifyWarning, match=r"'name'.*identifiers='drop'.*identifiers='keep'"):
            TreeClassifier().fit(self.X, self.y)

    def test_keep_says_nothing(self, recwarn: pytest.WarningsRecorder) -> None:
        TreeClassifier(identifiers="keep").fit(self.X, self.y)
        assert not recwarn.list

    def test_drop_leaves_the_column_out_of_the_tree_but_not_of_the_input(self) -> None:
        tree = TreeClassifier(identifiers="drop").fit(self.X, self.y)
        assert tree.schema_.names == ["size"] and tree.n_features_in_ == 2
        assert tree.feature_importances_.tolist() == [0.0, 1.0]
        np.testing.assert_array_equal(tree.predict(self.X), self.y)
        again = loads(dumps(tree))
        np.testing.assert_array_equal(again.predict(self.X), self.y)
        other = self.X.assign(name=3.5)  # what it holds does not matter
        np.testing.assert_array_equal(tree.predict(other), self.y)
