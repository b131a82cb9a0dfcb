"""Nominal columns joined into one: the values, and trees that split on them."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.aggregate_data import FRAMES, HAS_NURS, PARENTS, nursery, xor
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from ramify import AttributeAggregator, TreeClassifier, TreeRegressor

# --- values ---------------------------------------------------------------------------------------


def test_the_aggregation_of_pereira_table_5_2() -> None:
    rows = [*product(PARENTS, HAS_NURS)]
    X = pd.DataFrame(rows, columns=["parents", "has_nurs"])
    out = AttributeAggregator(groups=[["parents", "has_nurs"]]).fit_transform(X)
    assert list(out.columns) == ["parents", "has_nurs", "parents|has_nurs"]
    assert out["parents|has_nurs"].tolist() == [f"{a}|{b}" for a, b in rows]
    assert out["parents|has_nurs"].nunique() == 15


def test_three_columns_and_two_groups_by_index() -> None:
    X = [["a", "u", "x"], ["b", "v", "y"]]
    both = AttributeAggregator(groups=[(0, 1, 2), [2, 0]], keep_originals=False).fit(X)
    assert both.groups_ == [("x0", "x1", "x2"), ("x2", "x0")]
    assert both.get_feature_names_out().tolist() == ["x0|x1|x2", "x2|x0"]
    assert both.transform(X).tolist() == [["a|u|x", "x|a"], ["b|v|y", "y|b"]]


@pytest.mark.parametrize("keep", ["no", 0, 1, None])
def test_whether_originals_stay_is_a_truth_value(keep: Any) -> None:
    X = [["a", "u"], ["b", "v"]]
    wanted = re.escape(f"keep_originals={keep!r} must be True or False")
    with pytest.raises(ValueError, match=wanted):
        AttributeAggregator(groups=[[0, 1]], keep_originals=keep).fit(X)
    late = AttributeAggregator(groups=[[0, 1]]).fit(X).set_params(keep_originals=keep)
    with pytest.raises(ValueError, match=wanted):
        late.transform(X)
    with pytest.raises(ValueError, match=wanted):
        late.get_feature_names_out()
    late.set_params(keep_originals=np.False_)
    assert late.transform(X).tolist() == [["a|u"], ["b|v"]]


def test_missing_in_any_part_is_missing() -> None:
    X = [["a", None], [None, "u"], ["a", "u"], [None, None], [float("nan"), "v"]]
    out = AttributeAggregator(groups=[[0, 1]]).fit_transform(X)
    assert out[:, 2].tolist() == [None, None, "a|u", None, None]
    # a column without any known cell
    empty = AttributeAggregator(groups=[[0, 1]]).fit([["a", "b"]]).transform([[None, "b"]])
    assert empty.tolist() == [[None, "b", None]]


def test_unseen_combinations_are_new_strings() -> None:
    both = AttributeAggregator(groups=[[0, 1]]).fit([["a", "u"], ["b", "v"]])
    assert both.transform([["a", "v"], ["z", "u"]])[:, 2].tolist() == ["a|v", "z|u"]


def test_different_combinations_are_written_differently() -> None:
    words = ["a", "|", "\\", "a|", "|a", "\\|", "a\\", "|\\"]
    X = np.array([*product(words, words)], dtype=object)
    joined = AttributeAggregator(groups=[[0, 1]]).fit_transform(X)[:, 2]
    assert len(set(joined)) == len(words) ** 2
    assert joined[0] == "a|a"


def test_whole_numbers_are_written_alike_whatever_their_type() -> None:
    names = {"groups": [["a", "b"]], "categorical_features": ["a"]}
    both = AttributeAggregator(**names).fit({"a": np.array([1, 2]), "b": np.array(["x", "y"])})
    floats = {"a": np.array([2.0, np.nan, 7.0]), "b": np.array(["x", "y", "x"])}
    assert both.transform(floats)["a|b"].tolist() == ["2|x", None, "7|x"]
    again = AttributeAggregator(**names).fit(floats)
    assert again.transform(floats)["a|b"].tolist() == ["2|x", None, "7|x"]


def test_many_columns_do_not_overflow() -> None:
    """Forty columns of forty values have more combinations than an integer can number."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 40, (50, 40)).astype(str).astype(object)
    out = AttributeAggregator(groups=[list(range(40))]).fit_transform(X)
    assert out[:, 40].tolist() == ["|".join(row) for row in X]


# --- with a tree ----------------------------------------------------------------------------------


def test_xor_is_one_split_of_the_joined_column() -> None:
    X, y = xor()
    assert TreeClassifier(max_depth=1).fit(X, y).score(X, y) < 0.6
    for groups in ([[0, 1]], "pairs"):
        pipe = make_pipeline(AttributeAggregator(groups=groups), TreeClassifier(max_depth=1))
        assert pipe.fit(X, y).score(X, y) == 1.0
        assert pipe[-1].tree_.condition(0).attribute in ("x0|x1", "x3")


@pytest.mark.parametrize("library", FRAMES)
def test_in_a_pipeline(library: str) -> None:
    data, y = nursery()
    X = FRAMES[library](data)
    pipe = make_pipeline(AttributeAggregator(n_groups=1), TreeClassifier(max_depth=2))
    assert pipe.fit(X, y).score(X, y) == 1.0
    names = pipe[-1].feature_names_in_.tolist()
    assert names == [*data, "parents|has_nurs"]
    assert TreeClassifier(max_depth=2).fit(X, y).score(X, y) < 0.9


def test_a_tree_takes_an_unseen_combination_as_unseen() -> None:
    data, y = nursery()
    kept = [i for i, both in enumerate(zip(data["parents"], data["has_nurs"], strict=True))
            if both != ("usual", "proper")]  # fmt: skip
    X = pd.DataFrame(data)
    pipe = make_pipeline(AttributeAggregator(groups=[["parents", "has_nurs"]]), TreeClassifier())
    pipe.fit(X.iloc[kept], np.array(y)[kept])
    assert len(pipe.predict(X)) == len(X)
    strict = clone(pipe).set_params(treeclassifier__unseen="error")
    strict.fit(X.iloc[kept], np.array(y)[kept])
    with pytest.raises(ValueError, match=r"level 'usual\|proper'"):
        strict.predict(X)


def test_model_selection() -> None:
    data, y = nursery()
    pipe = make_pipeline(AttributeAggregator(), TreeClassifier(max_depth=3))
    assert cross_val_score(pipe, pd.DataFrame(data), y).mean() > 0.95
    grid = {"attributeaggregator__groups": ["pairs", [["health", "parents"]]]}
    search = GridSearchCV(pipe, grid, cv=3).fit(pd.DataFrame(data), y)
    assert search.best_params_["attributeaggregator__groups"] == "pairs"


def test_regression_with_given_groups() -> None:
    X, y = xor()
    pipe = make_pipeline(AttributeAggregator(groups=[[0, 1]]), TreeRegressor(max_depth=1))
    assert pipe.fit(X, y.astype(float) + 0.5).score(X, y + 0.5) == 1.0
