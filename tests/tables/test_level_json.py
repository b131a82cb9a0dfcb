"""Levels of every type: in a model file and back, and found again at prediction."""

from __future__ import annotations

import datetime
import datetime as dt
import json
import pickle
import zoneinfo
from decimal import Decimal
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from helpers.model_schema import schema, validator
from helpers.processes import run_python
from hypothesis import given, settings
from hypothesis import strategies as st

import ramify
from ramify import TreeClassifier, TreeRegressor
from ramify.files import ModelFileError, dumps, loads
from ramify.tables import Interval, Schema, read_table
from ramify.tables.level_json import level_from_json, level_to_json

plain = st.one_of(
    st.text(max_size=3),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.binary(max_size=4),
    st.decimals(allow_nan=False),
    st.dates(),
    st.times(),
    st.datetimes(),
    st.datetimes(timezones=st.timezones()).filter(
        lambda time: datetime.datetime.fromisoformat(time.isoformat()) == time
    ),
    st.timedeltas(),
)
levels = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.builds(Interval, inner, inner, st.sampled_from(["left", "right", "both", "neither"])),
    ),
    max_leaves=4,
)


@settings(deadline=None)
@given(levels)
def test_a_level_comes_back_equal_and_of_its_type(level: Any) -> None:
    text = json.dumps(level_to_json(level, "x"), allow_nan=False)
    again = level_from_json(json.loads(text), "x")
    assert again == level and hash(again) == hash(level) and type(again) is type(level)
    assert level_to_json(again, "x") == json.loads(text)
    jsonschema.validate(json.loads(text), {"$ref": "#/$defs/level", "$defs": schema()["$defs"]})


def test_a_time_in_an_hour_that_clocks_repeat_is_refused() -> None:
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    with pytest.raises(ValueError, match=r"x: level .* of type datetime cannot be written"):
        level_to_json(datetime.datetime(2024, 10, 27, 2, 30, tzinfo=zone), "x")
    sure = datetime.datetime(2024, 10, 27, 12, 30, tzinfo=zone)
    assert level_to_json(sure, "x") == {"datetime": "2024-10-27T12:30:00+01:00"}


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"date": "2024-02-30"},
        {"date": "20240229"},
        {"date": 3},
        {"datetime": "today"},
        {"timedelta": [1, 2]},
        {"timedelta": [0, 86400, 0]},
        {"timedelta": [10**12, 0, 0]},
        {"timedelta": ["1", 0, 0]},
        {"decimal": "one"},
        {"decimal": "nan"},
        {"decimal": 1},
        {"float": "nan"},
        {"float": "Infinity"},
        {"bytes": "0"},
        {"tuple": 3},
        {"tuple": [None]},
        {"interval": [0, 1]},
        {"interval": [0, 1, "up"]},
        {"interval": [0, None, "left"]},
        {"interval": [0, 1, ["left"]]},
        {"code": "print()"},
        {"date": "2024-02-29", "time": "00:00:00"},
    ],
)
def test_anything_else_is_refused_with_its_place(value: Any) -> None:
    with pytest.raises(ValueError, match=r"columns\[0\]: expected a string"):
        level_from_json(value, "columns[0]")


def test_nesting_is_limited() -> None:
    deep: Any = 1
    for _ in range(2000):
        deep = {"tuple": [deep]}
    with pytest.raises(ValueError, match="expected a string"):
        level_from_json(deep, "x")
    nested: Any = ()
    for _ in range(20):
        nested = (nested,)
    with pytest.raises(ValueError, match="cannot be written"):
        level_to_json(nested, "x")


@pytest.mark.parametrize(
    "level",
    [frozenset("a"), 1j, (1, None), (float("nan"),), pd.Timestamp(1), np.datetime64("2024")],
)
def test_what_cannot_be_written_is_named(level: Any) -> None:
    with pytest.raises(ValueError, match=r"column 'c': level .* cannot be written"):
        level_to_json(level, "column 'c'")


X = np.arange(24.0)
y = np.array(["a", "b", "c"])[(np.arange(24) // 8)]
START = pd.Timestamp("2024-03-01 06:00")
COLUMNS: dict[str, Any] = {
    "cut": pd.cut(X, 6),
    "cut on the left": pd.cut(X, [0, 8, 16, 24], right=False),
    "quantiles": pd.qcut(X, 6),
    "intervals as objects": pd.Series(pd.cut(X, 6)).astype(object),
    "unordered": pd.Categorical(pd.cut(X, 6), ordered=False),
    "intervals of time": pd.cut(pd.Series(START + pd.to_timedelta(X, unit="D")), 6),
    "dates": pd.Categorical([dt.date(2024, 2, 1 + int(x)) for x in X]),
    "times of day": pd.Categorical([dt.time(int(x)) for x in X]),
    "Timestamps": pd.Series(START + pd.to_timedelta(X, unit="D")).astype("category"),
    "Timestamps of a zone": pd.Series(
        START.tz_localize("Europe/Berlin") + pd.to_timedelta(X, unit="D")
    ).astype("category"),
    "Timedeltas": pd.Series(pd.to_timedelta(X, unit="h")).astype("category"),
    "tuples": pd.Series([(int(x) // 4, np.int64(1)) for x in X]),
    "integers": pd.Series(X.astype(int) // 2).astype("category"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_model_with_such_a_column_is_saved_and_predicts_the_same(name: str) -> None:
    table = pd.DataFrame({"c": COLUMNS[name]})
    for estimator, target in ((TreeClassifier(), y), (TreeRegressor(), X)):
        saved = estimator.fit(table, target)
        assert saved.tree_.n_leaves > 1
        text = dumps(saved)
        validator().validate(json.loads(text))
        assert json.loads(text)["version"] == (2 if name == "integers" else 5)
        loaded = loads(text)
        assert loaded.schema_ == saved.schema_
        for other in (loaded, pickle.loads(pickle.dumps(loaded))):
            np.testing.assert_array_equal(other.predict(table), saved.predict(table))
            np.testing.assert_array_equal(other.apply(table), saved.apply(table))
        # Every row went to the leaf of its level: none was taken as unseen.
        assert (loaded.schema_.encode(table).arrays[0] >= 0).all()
        assert loaded.tree_.to_text() == saved.tree_.to_text()
        assert dumps(loaded) == text


def test_intervals_print_as_those_of_pandas() -> None:
    for closed in ("left", "right", "both", "neither"):
        for ends in ((0.5, 2.0), (1, 3), (START, START + pd.Timedelta(days=1))):
            theirs = pd.Interval(*ends, closed=closed)
            schema, _ = read_table(pd.DataFrame({"c": pd.Series([theirs], dtype=object)}))
            (ours,) = schema["c"].levels
            assert type(ours) is Interval and str(ours) == str(theirs)


def test_a_pickle_with_intervals_of_pandas_still_finds_them() -> None:
    table = pd.DataFrame({"c": pd.cut(X, 6)})
    schema, columns = read_table(table)
    column = schema["c"]
    object.__setattr__(column, "levels", tuple(table["c"].cat.categories))
    again = pickle.loads(pickle.dumps(Schema((column,), named=True)))
    np.testing.assert_array_equal(again.encode(table).arrays[0], columns.arrays[0])


def test_nanoseconds_are_refused_by_their_column() -> None:
    table = pd.DataFrame({"when": pd.Categorical([pd.Timestamp(1), pd.Timestamp(5)])})
    with pytest.raises(ValueError, match="column 'when': level Timestamp"):
        dumps(TreeClassifier().fit(table, ["a", "b"]))


def test_loading_intervals_needs_no_pandas(tmp_path: Any) -> None:
    path = tmp_path / "model.json"
    TreeClassifier().fit(pd.DataFrame({"c": pd.cut(X, 6)}), y).save(path)
    code = (
        "import sys; sys.modules['pandas'] = None; import ramify; "
        f"model = ramify.load({str(path)!r}); level = model.schema_['c'].levels[0]; "
        "print(model.predict({'c': [level, level]}), type(level).__module__)"
    )
    assert run_python(code).split() == ["['a'", "'a']", "ramify.tables.levels"]


def test_an_older_release_is_told_to_be_renewed() -> None:
    text = dumps(TreeClassifier().fit(pd.DataFrame({"c": pd.cut(X, 6)}), y))
    assert json.loads(text)["version"] == 5
    newer = json.dumps(json.loads(text) | {"version": ramify.files.model.VERSION + 1})
    with pytest.raises(ModelFileError, match="install a newer one"):
        loads(newer)


def test_decimals_among_other_levels() -> None:
    table = {"c": [Decimal("1.5"), "a", Decimal("2.50"), "a"]}
    saved = TreeClassifier().fit(table, ["x", "y", "z", "y"])
    np.testing.assert_array_equal(loads(dumps(saved)).predict(table), saved.predict(table))
