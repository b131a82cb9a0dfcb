"""missing="direction" may split known from missing cells; predictions, texts and exports agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.export_runners import EXACT, assert_equal, run_pmml
from helpers.growth_data import assert_same_tree
from helpers.growth_strategies import RELAXED, problems
from hypothesis import given
from hypothesis import strategies as st
from oracles.problem import Column, Problem

import ramify
from ramify import TreeClassifier, TreeRegressor

ROWS = 60
EMPTY = np.arange(ROWS) % 3 == 0


def column(kind: str) -> Any:
    """A column whose holes tell the class; its known cells, of one value or three, do not."""
    levels = ["only"] if "one" in kind else ["p", "q", "r"]
    codes = np.where(EMPTY, -1, (np.arange(ROWS) // 3) % len(levels))
    if "number" in kind:
        return np.where(EMPTY, np.nan, codes)
    categories = pd.Categorical.from_codes(codes, levels, ordered="ordinal" in kind)
    return categories if "ordinal" in kind else pd.Series(categories.astype(object), dtype=object)


KINDS = ("one number", "numbers", "one level", "levels", "one ordinal level", "ordinal levels")


def table(kind: str) -> pd.DataFrame:
    noise = np.random.default_rng(0).integers(0, 3, ROWS).astype(float)
    return pd.DataFrame({"asked": column(kind), "noise": noise})


def target(model: Any) -> np.ndarray:
    return np.where(EMPTY, "no", "yes") if model is TreeClassifier else np.where(EMPTY, 1.5, 4.0)


def assert_right(fitted: Any, X: pd.DataFrame, y: np.ndarray) -> None:
    if y.dtype == float:
        np.testing.assert_allclose(fitted.predict(X), y)
    else:
        np.testing.assert_array_equal(fitted.predict(X), y)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize(
    ("model", "criterion"),
    [
        (TreeClassifier, "gini"),
        (TreeClassifier, "gain_ratio"),
        (TreeRegressor, "squared_error"),
        (TreeRegressor, "absolute_error"),
    ],
)
def test_one_question_is_enough(kind, split, model, criterion, tmp_path) -> None:
    X, y = table(kind), target(model)
    fitted = model(missing="direction", categorical_split=split, criterion=criterion).fit(X, y)
    tree = fitted.tree_
    tree.check()
    assert tree.n_nodes == 3
    assert tree.data["missing_to"][0] == 1
    assert_right(fitted, X, y)
    known = "asked = only" if kind == "one level" else "asked in {p, q, r}"
    if "level" not in kind or "ordinal" in kind:
        known = "asked is known"
    assert known in tree.to_text()
    assert "asked is missing" in tree.to_text()
    assert [rule.conditions for rule in tree.rules()] == [(known,), ("asked is missing",)]
    assert "asked is missing" in str(fitted.explain(X.iloc[:1]))
    fitted.save(tmp_path / "m.json")
    assert_right(ramify.load(tmp_path / "m.json"), X, y)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("export", EXACT)
def test_exports(kind, export) -> None:
    X = table(kind)
    for model in (TreeClassifier, TreeRegressor):
        fitted = model(missing="direction").fit(X, target(model))
        assert_equal(EXACT[export](fitted, X), fitted, X)


@pytest.mark.parametrize("kind", KINDS)
def test_pmml(kind) -> None:
    X = table(kind)
    fitted = TreeClassifier(missing="direction").fit(X, target(TreeClassifier))
    assert list(run_pmml(fitted, X)[0]) == fitted.predict(X).tolist()


def test_it_must_be_better_than_a_cut_of_the_values() -> None:
    # Missing rows are like those of the first level, so they get no side of their own.
    X = pd.DataFrame({"c": ["a"] * 10 + [None] * 10 + ["b"] * 10})
    y = [0] * 20 + [1] * 10
    tree = TreeClassifier(missing="direction").fit(X, y).tree_
    assert tree.data["missing_to"][0] == 0
    assert tree.n_nodes == 3


def test_a_branch_of_missing_rows_needs_the_least_number() -> None:
    X = np.r_[[np.nan] * 3, np.ones(20)][:, None]
    y = [1] * 3 + [0] * 20
    assert TreeClassifier(missing="direction", min_samples_leaf=3).fit(X, y).get_n_leaves() == 2
    assert TreeClassifier(missing="direction", min_samples_leaf=4).fit(X, y).get_n_leaves() == 1


@given(
    problems(classification=True) | problems(classification=False),
    st.lists(st.integers(0, 3), min_size=14, max_size=14),
)
@RELAXED
def test_any_table_with_a_column_of_one_value(problem: Problem, marks: list[int]) -> None:
    rows = len(problem.target)
    values = np.where(np.array(marks[:rows]) == 0, np.nan, 1.0)
    more = (Column("nominal", values), Column("numeric", values[::-1]))
    assert_same_tree(replace(problem, missing="direction", columns=problem.columns + more))
