"""Every finding is made where it must be, and none in tidy tables; odd tables are profiled, too."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets as sklearn_data

from ramify.datasets import (
    load_balance_scale,
    load_car,
    load_monks,
    load_nursery,
    load_tic_tac_toe,
    load_titanic,
    load_weather,
    make_led,
    make_waveform,
)
from ramify.tables import Finding, Profile, Table, profile
from ramify.tables.forms import Form
from ramify.tables.frame import TableDict
from ramify.tables.reading import Note, Reading

RNG = np.random.default_rng(0)
ROWS = 300
NOISE = RNG.normal(size=ROWS)
SIGNAL = RNG.normal(size=ROWS)
CLASSES = np.where(SIGNAL + 0.5 * NOISE > 0, "yes", "no")


def finding(found: Profile, kind: str) -> Finding:
    [one] = [one for one in found.findings if one.kind == kind]
    return one


def kinds(found: Profile) -> list[str]:
    return [one.kind for one in found.findings]


def of_column(values: Any, y: Any = CLASSES, name: str = "column") -> Profile:
    return profile({name: values, "signal": SIGNAL[: len(values)]}, y, target="answer")


# --- tidy tables ----------------------------------------------------------------------------------

BUILT_IN = [
    load_balance_scale(),
    load_car(),
    load_monks(1),
    load_nursery(),
    load_tic_tac_toe(),
    load_titanic(),
    load_weather(),
    make_led(500),
    make_waveform(300),
]


@pytest.mark.parametrize("data", BUILT_IN, ids=lambda data: data.target_name)
def test_no_findings_in_built_in_tables(data: Any) -> None:
    found = profile(data.data, data.y, target=data.target_name)
    assert set(kinds(found)) <= {"imbalance"}
    assert not found.left_out
    assert found.min_level_count == 1


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "diabetes"])
def test_no_findings_in_tables_of_scikit_learn(name: str) -> None:
    X, y = getattr(sklearn_data, f"load_{name}")(return_X_y=True, as_frame=True)
    found = profile(X, y)
    assert found.findings == ()


def test_a_strong_predictor_is_no_leak() -> None:
    X, y = sklearn_data.load_iris(return_X_y=True, as_frame=True)
    share = profile(X, y)["petal width (cm)"].association
    assert share is not None
    assert 0.85 < share < 0.99


# --- columns --------------------------------------------------------------------------------------


def test_what_is_said_of_columns() -> None:
    X = pd.DataFrame(
        {
            "size": [1.0, 2.0, np.nan, 2.0] * 20,
            "colour": ["red", None, "red", "blue"] * 20,
            "grade": pd.Categorical(["low", "high"] * 40, ["low", "high"], ordered=True),
            "sold": pd.date_range("2024-01-01", periods=80),
        }
    )
    found = profile(X)
    assert [one.kind for one in found.columns][:3] == ["numeric", "nominal", "ordinal"]
    assert found["sold"].kind in ("date", "datetime")
    assert [one.distinct for one in found.columns] == [2, 2, 2, 80]
    assert [one.missing for one in found.columns] == [0.25, 0.25, 0, 0]
    assert found["colour"].examples == ("red", "blue")
    assert found["size"].examples == ("1", "2")
    assert found["sold"].examples[0].startswith("2024-01-01")
    assert all(one.association is None for one in found.columns)
    assert found.target is None
    assert found.findings == ()


def test_association_ignores_what_is_learned_by_heart() -> None:
    many = [f"level {i}" for i in RNG.integers(0, 100, ROWS)]
    assert of_column(many)["column"].association == 0
    assert of_column(RNG.normal(size=ROWS), SIGNAL)["column"].association < 0.05  # type: ignore
    share = of_column(SIGNAL**2, SIGNAL**2 + 0.1 * NOISE)["column"].association
    assert share is not None
    assert share > 0.85


def test_identifiers_are_left_out() -> None:
    found = of_column([f"thing {i}" for i in range(ROWS)], name="the name")
    assert found.left_out == ("the name",)
    assert found["the name"].role == "identifier"
    one = finding(found, "identifier")
    assert "300 different texts in 300 rows" in one.text
    assert one.overrule == "--use 'the name'"
    assert "identifiers=" in one.in_python
    assert found["signal"].role == "predictor"


def test_row_numbers_are_left_out_however_they_are_associated() -> None:
    found = of_column(np.arange(ROWS), np.arange(ROWS) > 150, name="Unnamed: 0")
    assert kinds(found) == ["row_index"]
    assert found.left_out == ("Unnamed: 0",)


def test_a_text_of_many_levels_that_tells_nothing_is_left_out() -> None:
    found = of_column([f"d{i}" for i in RNG.integers(0, 100, ROWS)], name="director")
    assert finding(found, "high_cardinality").done == "left out"
    assert found["director"].role == "text of many levels"
    assert found.left_out == ("director",)


def test_very_many_levels_that_tell_less_than_another_column_are_left_out() -> None:
    group = RNG.integers(0, 150, 900)
    own, other = RNG.normal(size=150)[group], RNG.normal(size=900)
    player = [f"p{i}" for i in group]
    for y, left_out in ((own + 2 * other, ("player",)), (2 * own + 0.5 * other, ())):
        found = profile({"player": player, "hits": other.round(2)}, y)
        assert found.left_out == left_out
    found = profile({"player": player, "hits": other.round(2)}, own + 2 * other)
    assert "in others, where hits explains" in finding(found, "high_cardinality").text
    assert found["player"].association > 0.02  # it does tell something


def test_a_text_of_many_levels_that_tells_something_stays() -> None:
    group = RNG.integers(0, 80, ROWS)
    y = RNG.normal(size=80)[group] + 1.2 * NOISE
    found = of_column([f"d{i}" for i in group], y, name="director")
    assert found.left_out == ()
    assert finding(found, "high_cardinality").done.endswith("pooled")
    assert found.min_level_count == 5
    share = found["director"].association
    assert share is not None
    assert 0.1 < share < 0.5


def test_many_rows_for_each_level_are_fine() -> None:
    assert kinds(of_column([f"zip {i % 7}" for i in range(ROWS)])) == []


def test_rare_levels_are_noted() -> None:
    values = ["usual"] * (ROWS - 20) + [f"odd {i // 2}" for i in range(20)]
    one = finding(of_column(values), "rare_levels")
    assert one.text == "10 levels of column have fewer than 5 rows each: 20 rows, 6.7 %."
    assert one.done == "kept"


@pytest.mark.parametrize("values", [["same"] * ROWS, [3.5] * ROWS, [None] * ROWS])
def test_constants_are_left_out(values: Any) -> None:
    found = of_column(values)
    assert kinds(found) == ["constant"]
    assert found.left_out == ("column",)


def test_one_value_and_missing_cells_are_no_constant() -> None:
    assert kinds(of_column(["same", None] * 150)) == []


def test_duplicates_are_left_out_and_codes_are_noted() -> None:
    colour = RNG.choice(["red", "green", "blue"], ROWS)
    X = pd.DataFrame(
        {
            "colour": colour,
            "again": colour,
            "code": [len(one) for one in colour],
            "usd": SIGNAL,
            "eur": 0.9 * SIGNAL + 3,
            "debt": -SIGNAL,
            "noise": NOISE,
        }
    )
    found = profile(X, CLASSES)
    assert found.left_out == ("again",)
    assert finding(found, "duplicate").text == "again equals colour in every row."
    derived = {one.column: one.text for one in found.findings if one.kind == "derived"}
    assert set(derived) == {"code", "eur", "debt"}
    assert "usd on another scale" in derived["eur"]


def test_many_findings_of_a_kind_are_one() -> None:
    X = {f"c{i}": [1.0] * ROWS for i in range(9)} | {"signal": SIGNAL}
    found = profile(X, CLASSES)
    one = finding(found, "constant")
    assert one.column is None
    assert one.text.startswith("9 columns have the same value in every row: c0, c1")
    assert one.overrule == "--use COLUMN"
    assert len(found.left_out) == 9


# --- leaks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "y"),
    [
        (np.log(np.exp(2 * SIGNAL)), np.exp(2 * SIGNAL)),
        (-SIGNAL, np.exp(3 * SIGNAL)),
        (np.exp(SIGNAL) + 0.001 * NOISE, np.exp(SIGNAL)),
        (np.where(CLASSES == "yes", 1, 0), CLASSES),
        (np.where(CLASSES == "yes", "paid", "open"), CLASSES),
        ([None if c == "no" else 3.0 for c in CLASSES], CLASSES),
        ([None if c == "no" else f"boat {i % 9}" for i, c in enumerate(CLASSES)], CLASSES),
    ],
)
def test_leaks_are_loud_and_stay(column: Any, y: Any) -> None:
    found = profile({"column": column, "noise": NOISE}, y, target="answer")
    assert found.findings[0].kind == "leak"
    assert found.findings[0].loud
    assert found.findings[0].overrule == "--ignore column"
    assert found.left_out == ()


@pytest.mark.parametrize("noise", [0.3, 1.0])
def test_honest_predictors_are_no_leaks(noise: float) -> None:
    assert "leak" not in kinds(of_column(SIGNAL, SIGNAL + noise * NOISE))
    assert "leak" not in kinds(of_column(SIGNAL, SIGNAL + noise * NOISE > 0))


def test_few_rows_prove_no_leak() -> None:
    assert kinds(profile({"a": [1.0, 2.0], "b": [2.0, 1.0]}, ["x", "y"])) == []
    assert "leak" not in kinds(
        profile({"a": [1.0, 2.0] * 6, "b": [1.0] * 6 + [2.0] * 6}, [1, 2] * 6)
    )


# --- the target -----------------------------------------------------------------------------------


def test_many_classes_are_questioned() -> None:
    found = of_column(NOISE, [f"{x:.9f}" for x in SIGNAL])
    one = found.findings[0]
    assert one.kind == "many_classes"
    assert one.loud
    assert "300 classes, 1.0 rows each: was a number or an identifier read as text?" in one.text
    assert "many_classes" not in kinds(of_column(NOISE, [f"letter {i % 26}" for i in range(ROWS)]))


def test_imbalance_shows_the_baseline() -> None:
    y = ["bad"] * 12 + ["good"] * (ROWS - 12)
    one = finding(of_column(NOISE, y), "imbalance")
    assert (
        one.text
        == "answer = bad is rare: 12 rows, 4.0 %; always answering good is right in 96.0 %."
    )
    assert "--class-weight balanced" in one.overrule
    assert "--costs FILE" in one.overrule
    assert "imbalance" not in kinds(of_column(NOISE, ["bad"] * 60 + ["good"] * (ROWS - 60)))


def test_what_the_target_is() -> None:
    assert of_column(NOISE, SIGNAL).task == "regression"
    found = of_column(NOISE)
    assert (found.task, found.classes) == ("classification", 2)
    assert found.baseline == max(np.mean(CLASSES == "yes"), np.mean(CLASSES == "no"))
    whole = np.arange(ROWS) % 4
    assert of_column(NOISE, whole).task == "classification"
    assert profile({"a": NOISE}, whole, task="regression").task == "regression"
    with pytest.raises(ValueError, match=r"task='regression' needs numbers, but .* has 'no'"):
        profile({"a": NOISE}, CLASSES, task="regression")
    with pytest.raises(ValueError, match="task='both': expected"):
        profile({"a": NOISE}, CLASSES, task="both")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="X has 300 rows, but y has 2"):
        profile({"a": NOISE}, [1, 2])


def test_the_target_may_be_a_column() -> None:
    frame = pl.DataFrame({"a": NOISE, "answer": CLASSES})
    found = profile(frame, "answer")
    assert [one.name for one in found.columns] == ["a"]
    assert found == profile({"a": NOISE}, CLASSES, target="answer")
    with pytest.raises(ValueError, match="y='other' is no column of X; its columns are a, answer"):
        profile(frame, "other")


def test_rows_without_a_target_are_passed_over() -> None:
    y = [*SIGNAL, *([None] * 50)]
    found = profile({"a": np.append(SIGNAL, NOISE[:50])}, y, target="answer")
    assert kinds(found) == ["leak"]


def test_large_tables_are_drawn_from() -> None:
    x = np.tile(SIGNAL, 500)
    found = profile({"a": x, "b": np.roll(x, 7)}, x > 0.3)
    assert found.n_rows == 150_000
    assert found["a"].association == pytest.approx(1, abs=0.02)


# --- text that is something else ------------------------------------------------------------------


def test_text_that_is_dates_or_numbers() -> None:
    days = [f"{1 + i % 28}.{1 + i % 12}.20{10 + i % 9}" for i in range(ROWS)]
    found = of_column(days, name="sold")
    assert finding(found, "date").in_python == "ramify.tables.tidy(X) reads it"
    assert found.left_out == ()
    prices = [f"${1000 + 7 * i:,}" for i in range(ROWS)]
    assert finding(of_column(prices, name="price"), "number_in_disguise").column == "price"


def test_what_a_reader_did_is_said() -> None:
    found = profile(
        {"price": NOISE, "size (2)": SIGNAL},
        readings={"price": Reading(Form("number", unit="$"), "$1,234", "1234", ("tba",))},
        notes=[Note("size (2)", "renamed", "another column 'size' is called 'size (2)' here")],
    )
    assert kinds(found) == ["number_in_disguise", "renamed"]
    first, second = found.findings
    assert first.text == "price is text, read as number: $1,234 -> 1234; 'tba' is missing."
    assert first.overrule == "--nominal price keeps the text"
    assert second.text == "Another column 'size' is called 'size (2)' here."
    assert str(second).endswith("here. Kept; --ignore 'size (2)' leaves it out.")


def test_nothing_is_said_twice_or_against_another_finding() -> None:
    days = np.datetime64("2020-01-01") + np.arange(ROWS) * 37 % 1000
    form, other = Form("date"), Form("date", order="dmy")
    found = profile(
        TableDict(
            {"iso": days, "de": days, "column_3": np.arange(ROWS)},
            forms={"iso": form, "de": other},
        ),
        CLASSES,
        readings={
            "iso": Reading(form, "2020-01-01", "2020-01-01"),
            "de": Reading(other, "01.01.2020", "2020-01-01"),
        },
        notes=[Note("column_3", "unnamed", "column 3 has no name: it is called column_3")],
    )
    assert found.left_out == ("column_3", "de")
    texts = [str(one) for one in found.findings]
    assert "de equals iso in every row. Left out; --use de keeps it." in texts
    assert not any("de is text" in text for text in texts)
    assert any(text.startswith("iso is text, read as date, such as 2020-01-01.") for text in texts)
    assert "Column 3 has no name: it is called column_3." in texts


def test_classes_that_are_no_numbers_are_not_to_be_predicted_as_numbers() -> None:
    found = profile({"x": SIGNAL}, [f"c{i}" for i in range(ROWS)])
    assert finding(found, "many_classes").overrule == "--target COLUMN predicts another column"
    found = profile({"x": SIGNAL}, np.arange(ROWS), task="classification")
    assert finding(found, "many_classes").overrule == "--task regression predicts numbers"


def test_a_name_of_two_lines_is_written_on_one() -> None:
    assert "new line" in str(profile({"new\nline": SIGNAL}))


# --- as text, HTML, frame and JSON ----------------------------------------------------------------


def test_forms_of_a_profile() -> None:
    X = {"<b>name</b>": [f"n{i}" for i in range(ROWS)], "x": SIGNAL, "gone": [1.0] * ROWS}
    found = profile(X, CLASSES, target="answer")
    text = str(found)
    assert text.startswith("300 rows, 3 columns; target answer: 2 classes, the largest")
    assert "left out" in text
    assert max(map(len, text.splitlines()[:6])) <= 100
    html = found._repr_html_()
    assert "<b>name</b>" not in html
    assert "&lt;b&gt;name" in html
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["left_out"] == [
        "<b>name</b>",
        "gone",
    ]
    frame = found.to_frame(backend="pandas")
    assert list(frame["role"]) == ["identifier", "predictor", "constant"]
    assert frame["association"][1] > 0.3
    with pytest.raises(KeyError, match="no column 'y'"):
        found["y"]


def test_nothing_is_left_out_if_no_column_would_be_left() -> None:
    names = [f"n{i}" for i in range(ROWS)]
    found = profile({"name": names, "same": [1.0] * ROWS}, CLASSES)
    assert found.left_out == ()
    assert all(one.done.startswith("kept") for one in found.findings)


def test_a_table_is_taken_as_it_is() -> None:
    X = {"a": NOISE, "b": list(CLASSES)}
    assert profile(Table.read(X), SIGNAL) == profile(X, SIGNAL)


# --- odd tables -----------------------------------------------------------------------------------

numbers = st.floats(allow_nan=True, allow_infinity=True)
cells = st.one_of(
    st.none(), numbers, st.text(max_size=5), st.sampled_from(["a", "b", "n/a", "1,5", "2020-01-01"])
)


@st.composite
def odd_tables(draw: st.DrawFn) -> tuple[dict[str, list[Any]], Any]:
    rows = draw(st.integers(1, 70))
    kinds = draw(st.lists(st.sampled_from(["number", "text", "one"]), min_size=1, max_size=3))
    table = {f"c{j}": draw(_column(kind, rows)) for j, kind in enumerate(kinds)}
    y = draw(
        st.one_of(st.none(), _column("number", rows), _column("text", rows), _column("one", rows))
    )
    return table, y


def _column(kind: str, rows: int) -> st.SearchStrategy[list[Any]]:
    if kind == "one":
        return st.one_of(st.none(), numbers, st.text(max_size=3)).map(lambda one: [one] * rows)
    cell = numbers if kind == "number" else cells
    few = st.lists(cell, min_size=1, max_size=5)
    return few.flatmap(lambda some: st.lists(st.sampled_from(some), min_size=rows, max_size=rows))


@given(odd_tables())
@settings(max_examples=150, deadline=None)
def test_odd_tables_are_profiled(table: tuple[dict[str, list[Any]], Any]) -> None:
    X, y = table
    found = profile(X, y)
    assert [one.name for one in found.columns] == list(X)
    assert str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    assert set(found.left_out) < set(X) or not found.left_out
    for one in found.columns:
        assert one.association is None or 0 <= one.association <= 1


def test_missing_cells_that_tell_of_the_target() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(ROWS) < 0.5
    told = np.where(y & (rng.random(ROWS) < 0.8), np.nan, rng.normal(size=ROWS))
    chance = np.where(rng.random(ROWS) < 0.4, np.nan, rng.normal(size=ROWS))
    found = profile({"told": told, "chance": chance}, y, target="sick")
    one = finding(found, "missing_tells")
    assert one.column == "told" and "of sick" in one.text
    assert kinds(found).count("missing_tells") == 1
    without = profile({"chance": chance, "other": chance[::-1].copy()}, y)
    assert "missing_tells" not in kinds(without)
