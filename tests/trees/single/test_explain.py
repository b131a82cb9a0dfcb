"""`explain`: every form of a row, holes and new levels, and a text that reads well."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.handmade import weather

from ramify import Explanation, TreeClassifier, TreeRegressor

X, Y = weather()
COLUMNS = X.columns.tolist()


@pytest.fixture(scope="module")
def clf() -> TreeClassifier:
    return TreeClassifier().fit(X, Y)


def forms(row: pd.DataFrame) -> dict[str, Any]:
    """One row in every form that explain takes."""
    cells = [row.iloc[0, j] for j in range(row.shape[1])]
    by_name = dict(zip(row.columns, cells, strict=True))
    return {
        "frame": row,
        "series": row.iloc[0],
        "dict": by_name,
        "dict in another order": dict(reversed(by_name.items())),
        "dict of columns": {name: [cell] for name, cell in by_name.items()},
        "list": cells,
        "tuple": tuple(cells),
        "list of one row": [cells],
        "array": np.array(cells, dtype=object),
        "array of one row": np.array([cells], dtype=object),
    }


@pytest.mark.parametrize("i", range(0, 14, 3))
def test_every_form_says_the_same(clf: TreeClassifier, i: int) -> None:
    row = X.iloc[[i]]
    expected = str(clf.explain(row))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, form in forms(row).items():
            assert str(clf.explain(form)) == expected, name
    polars = pytest.importorskip("polars")
    assert str(clf.explain(polars.from_pandas(row))) == expected
    arrow = pytest.importorskip("pyarrow")
    assert str(clf.explain(arrow.Table.from_pandas(row))) == expected


def test_it_says_what_predict_says(clf: TreeClassifier) -> None:
    proba = clf.predict_proba(X)
    for i in range(len(X)):
        found = clf.explain(X.iloc[i])
        assert isinstance(found, Explanation)
        assert found.prediction == clf.predict(X.iloc[[i]])[0]
        assert found.confidence == proba[i].max()
        assert found.leaf == clf.apply(X.iloc[[i]])[0]
        assert found.leaves == 1
        assert len(found.steps) == clf.tree_.nodes[found.leaf].depth
        assert [step.given for step in found.steps] == ["known"] * len(found.steps)


def test_the_text(clf: TreeClassifier) -> None:
    row = {"outlook": "sunny", "temperature": 85, "humidity": 85.0, "windy": X["windy"][0]}
    lines = str(clf.explain(row)).splitlines()
    assert lines[0] == "1. outlook in {rainy, sunny}, being sunny  (10 of 14 rows, no 50 %)"
    assert lines[1].startswith("     nearly won: humidity <= 82.5 (90 %); temperature <= 84 (62 %)")
    assert lines[2] == "2. humidity > 82.5, being 85  (5 of 14 rows, no 80 %)"
    assert lines[-1] == "=> no (100 %)"
    overcast = str(clf.explain({**row, "outlook": "overcast"})).splitlines()
    assert overcast[0] == "1. outlook = overcast  (4 of 14 rows, yes 100 %)"
    assert overcast[-1] == "=> yes (100 %)"


def test_a_number_equal_to_the_threshold_is_shown() -> None:
    found = TreeClassifier().fit([[0.0], [2.0]], ["a", "b"]).explain([1.0])
    assert str(found).startswith("1. x0 <= 1, being 1  (1 of 2 rows, a 100 %)")


# --- holes and new levels ----------------------------------------------------------------------


@pytest.mark.parametrize("hole", [None, np.nan, float("nan"), pd.NA])
def test_a_missing_value_goes_everywhere(clf: TreeClassifier, hole: Any) -> None:
    row = {"outlook": hole, "temperature": 80.0, "humidity": 90.0, "windy": X["windy"][0]}
    found = clf.explain(row)
    assert found.steps[0].given == "missing"
    assert found.steps[0].spread
    assert found.steps[0].share == pytest.approx(10 / 14)
    assert found.leaves == 2
    assert "[missing: 71 % of the row goes this way]" in str(found)
    table = pd.DataFrame([row], columns=COLUMNS).astype({"outlook": object})
    assert found.confidence == clf.predict_proba(table).max()
    assert f"=> {found.prediction} (71 %, mixed from 2 leaves)" in str(found)


def test_columns_that_are_left_out_are_missing(clf: TreeClassifier) -> None:
    nothing = clf.explain({})
    assert {step.given for step in nothing.steps} == {"missing"}
    assert nothing.leaves == clf.tree_.n_leaves
    assert nothing.prediction == "yes"
    assert nothing.confidence == pytest.approx(9 / 14)


def test_an_unseen_level(clf: TreeClassifier) -> None:
    found = clf.explain({"outlook": "foggy", "humidity": 90.0, "temperature": 80.0})
    assert (found.steps[0].given, found.steps[0].cell) == ("unseen", "foggy")
    assert '["foggy" was not in training: 71 % of the row goes this way]' in str(found)
    majority = TreeClassifier(unseen="majority").fit(X, Y)
    found = majority.explain({"outlook": "foggy", "humidity": 90.0, "temperature": 80.0})
    assert not found.steps[0].spread
    assert '["foggy" was not in training: the row goes this way]' in str(found)
    strict = TreeClassifier(unseen="error").fit(X, Y)
    with pytest.raises(ValueError, match="'foggy'"):
        strict.explain({"outlook": "foggy"})


@pytest.mark.parametrize("missing", ["separate", "direction"])
def test_missing_values_with_a_branch_of_their_own(missing: Any) -> None:
    data = pd.DataFrame({"a": ["x", "x", "y", "y", None, None]})
    clf = TreeClassifier(missing=missing).fit(data, list("ppqqqq"))
    found = clf.explain({"a": None})
    assert found.leaves == 1
    assert found.prediction == "q"
    assert "missing: the row goes this way]" in str(found)


# --- other trees ---------------------------------------------------------------------------------


def test_regression() -> None:
    reg = TreeRegressor(max_depth=2).fit(X.drop(columns="temperature"), X["temperature"])
    row = X.drop(columns="temperature").iloc[0]
    found = reg.explain(row)
    assert found.confidence is None
    assert found.prediction == reg.predict(X.drop(columns="temperature"))[0]
    assert "1. humidity > 72.5, being 85  (10 of 14 rows, 75.7 ± 5.728)" in str(found)
    assert str(found).splitlines()[-1] == f"=> {found.prediction:.4g}"
    assert "mixed from" in str(reg.explain({}))


def test_multiway_and_single_leaf() -> None:
    clf = TreeClassifier(categorical_split="multiway", max_depth=1).fit(X[["outlook"]], Y)
    assert str(clf.explain(["rainy"])).startswith("1. outlook = rainy  (5 of 14 rows, yes 60 %)")
    leaf = TreeClassifier(max_depth=0).fit(X, Y)
    assert str(leaf.explain({})) == "the tree is a single leaf, of 14 rows\n=> yes (64 %)"


def test_labels_are_plain_values() -> None:
    found = TreeClassifier().fit([[1.0], [2.0]], np.array([3, 4])).explain([2.0])
    assert str(found) == "1. x0 > 1.5, being 2  (1 of 2 rows, class 4 100 %)\n=> 4 (100 %)"
    assert found.prediction == 4
    assert type(found.prediction) is int


def test_tables_without_names() -> None:
    clf = TreeClassifier().fit(X.to_numpy(dtype=object), Y)
    row = X.to_numpy(dtype=object)[0]
    expected = str(clf.explain(row))
    assert expected.startswith("1. x0 in {rainy, sunny}, being sunny")
    assert str(clf.explain(pd.Series(row))) == expected
    assert str(clf.explain(dict(zip(["x0", "x1", "x2", "x3"], row, strict=True)))) == expected


def test_a_loaded_model_explains_the_same(clf: TreeClassifier, tmp_path: Any) -> None:
    import ramify

    clf.save(tmp_path / "m.json")
    again = ramify.load(tmp_path / "m.json")
    assert str(again.explain(X.iloc[0])) == str(clf.explain(X.iloc[0]))


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        (
            {"outlok": "sunny"},
            ValueError,
            "column 'outlok' is not in the table; did you mean 'outl",
        ),
        (["sunny", 85.0], ValueError, "the row has 2 cells, but the tree was fitted on 4 columns"),
        (X, ValueError, "explain takes one row, and 14 were given"),
        (X.to_numpy(dtype=object)[:2], ValueError, "explain takes one row, and 2 were given"),
        ({"outlook": ["sunny", "rainy"]}, ValueError, "explain takes one row, and 2 were given"),
        ({"humidity": "high"}, ValueError, "Column 'humidity' was numeric in fit"),
        (X.iloc[0, ::-1].rename({"windy": "w"}), ValueError, "column 'w' is not in the table"),
        (X.iloc[[0], ::-1], ValueError, "must be in the same order"),
        ("sunny", TypeError, "explain takes one row: a list of cells"),
        (None, TypeError, "explain takes one row: a list of cells"),
        (3.5, TypeError, "explain takes one row: a list of cells"),
    ],
)
def test_refused(clf: TreeClassifier, row: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        clf.explain(row)
