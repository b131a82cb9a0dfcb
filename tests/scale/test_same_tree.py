"""The tree from counts is the tree in memory, node by node, however the rows are dealt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import (
    assert_same_tree,
    compare,
    fit_in_memory,
    in_partitions,
    make_table,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor, scale
from ramify.pruning import BestFirst, CostComplexity, CriticalValue
from ramify.scale import counting, memory, rank_splitting

CLASSES = (
    *("gini", "entropy", "gain_ratio", "distance", "twoing", "chi2", "misclassification"),
    *("squared_gini", "maxdif", "mpi", "chi2_cut"),
)
SEARCHES = ("auto", "multiway", "exact", "pc", "sliq", "flip_flop", "list_scheduling")
#: So few bytes that only some 50 to 300 rows are grown in memory, and columns have few edges.
LIMITS = (6_000, 12_000)


@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("classes", [2, 3])
def test_criteria_of_classes(criterion: str, classes: int) -> None:
    binary = criterion == "chi2_cut"
    if binary and classes > 2:
        pytest.skip("this criterion is for two classes")
    clf = TreeClassifier(criterion=criterion, identifiers="keep")
    compare(clf, make_table(700, 1, classes=classes), 30_000, 2)


@pytest.mark.parametrize("search", SEARCHES)
def test_nominal_searches(search: str) -> None:
    clf = TreeClassifier(categorical_split=search, identifiers="keep", random_state=0)
    compare(clf, make_table(700, 2, numeric=1, nominal=3, classes=3), 30_000)


@pytest.mark.parametrize("far", [-1e4, -1e9, 1e200])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(
    "test", [{"significance": 0.05}, {"selection": "conditional_inference"}], ids=str
)
def test_tests_of_values_beside_a_far_one(far: float, numbers: bool, test: Any) -> None:
    # A number in place of "unknown": its rows are split off, and its edge lies far from the others.
    rng = np.random.default_rng(0)
    x = rng.normal(size=900)
    y = ((x > 0) ^ (rng.random(900) < 0.3)).astype(int)
    x[:200], y[:200] = far, 2
    table = pa.table({"x": x, "y": y.astype(float) if numbers else y})
    kind = TreeRegressor if numbers else TreeClassifier
    compare(kind(identifiers="keep", max_depth=4, **test), table, 20_000)


@pytest.mark.parametrize(
    "tree",
    [TreeClassifier(), TreeRegressor(), TreeRegressor(criterion="absolute_error")],
    ids=["classes", "numbers", "ranks"],
)
def test_partitions_of_more_rows_than_a_kernel_counts(
    monkeypatch: pytest.MonkeyPatch, tree: TreeClassifier | TreeRegressor
) -> None:
    monkeypatch.setattr(counting, "MOST_ROWS", 130)  # in place of 2**32 - 1
    monkeypatch.setattr(memory, "_LEAST_BATCH", 50)
    monkeypatch.setattr(rank_splitting, "has_room", lambda rows, most: True)
    table = make_table(600, 8, missing=0.1, numbers=isinstance(tree, TreeRegressor))
    compare(tree.set_params(identifiers="keep", max_depth=4), table, 30_000, 2)


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("numbers", [False, True])
def test_missing_values(missing: str, weighted: bool, numbers: bool) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    table = make_table(500, 3, missing=0.15, weighted=weighted, numbers=numbers)
    compare(kind(missing=missing, identifiers="keep", max_depth=6), table, 30_000, 2)


@pytest.mark.parametrize("criterion", ["squared_error", "poisson", "gamma"])
@pytest.mark.parametrize("weighted", [False, True])
def test_criteria_of_numbers(criterion: str, weighted: bool) -> None:
    table = make_table(600, 4, numbers=True, weighted=weighted)
    y = np.exp(table["y"].to_numpy()).round(2) + (criterion == "gamma")
    table = table.set_column(table.column_names.index("y"), "y", pa.array(y))
    compare(TreeRegressor(criterion=criterion, identifiers="keep"), table, 30_000)


@pytest.mark.parametrize(
    "parameters",
    [
        {"growth": "best_first", "max_leaves": 12},
        {"max_leaves": 5},
        {"max_expansions": 3, "growth": "best_first"},
        {"min_samples_leaf": 0.02, "min_samples_split": 40},
        {"min_weight_fraction_leaf": 0.03},
        {"monotone": {"x0": 1}},
        {"interactions": [["x0", "n0"], ["x1", "n1"]], "exclude": ["x2"]},
        {"min_gain": 0.002, "abandon_small": True, "min_samples_leaf": 7},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1.0, 1: 3.0}, "missing": "direction"},
        {"costs": [[0, 1], [4, 0]]},
        {"min_support": 0.01},
        {"missing_gain": "divided"},
        {"min_second_value": 3},
        {"min_level_count": 90},
        {"categorical_features": ["x1"]},
    ],
    ids=", ".join,
)
def test_parameters(parameters: dict[str, Any]) -> None:
    distinct = 8 if "categorical_features" in parameters else None
    table = make_table(600, 5, missing=0.05, distinct=distinct)
    compare(TreeClassifier(identifiers="keep", **parameters), table, 30_000, 2)


@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.parametrize("numbers", [False, True])
def test_how_rows_are_dealt_changes_no_bit(parts: int, numbers: bool) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    table = make_table(600, 6, numbers=numbers, weighted=True, missing=0.1)
    limit, first = 30_000, None
    for seed in (None, 1, 2):
        rows = in_partitions(table, parts, seed=seed)
        top = scale.fit(kind(max_depth=3, identifiers="keep"), rows, weight="w", memory_limit=limit)
        # Subtrees that come home are summed in the order of their rows, as in memory.
        found = top.tree_.core.arrays()
        first = found if first is None else first
        for name in ("threshold", "level_code", "level_branch", "attribute", "rows"):
            np.testing.assert_array_equal(found[name], first[name])
        assert found["impurity"][0] == first["impurity"][0]
        assert found["gain"][0] == first["gain"][0]


def test_a_column_is_searched_in_parts_of_less_than_a_row() -> None:
    table = make_table(400, 3461, classes=4, missing=0.2, distinct=6)
    pruning = BestFirst(folds=3)
    compare(TreeClassifier(pruning=pruning, identifiers="keep", random_state=3461), table, 15_000)


def test_deep_inside_a_tree_only_the_best_split_is_remembered() -> None:
    table = make_table(900, 7, numeric=2, nominal=0, distinct=None)
    compare(TreeClassifier(identifiers="keep"), table, 6_000)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    numeric=st.integers(1, 3),
    nominal=st.integers(0, 2),
    classes=st.sampled_from([2, 3, 5]),
    missing=st.sampled_from([0.0, 0.1, 0.3]),
    rule=st.sampled_from(["fractional", "separate", "direction"]),
    distinct=st.sampled_from([None, 4, 40]),
    weighted=st.booleans(),
    limit=st.sampled_from(LIMITS),
    parts=st.sampled_from([1, 2, 7]),
    depth=st.sampled_from([None, 3]),
    leaf=st.sampled_from([1, 5]),
)
def test_any_table(
    seed: int,
    numbers: bool,
    limit: int,
    parts: int,
    rule: Any,
    depth: int | None,
    leaf: int,
    **made: Any,
) -> None:
    table = make_table(400, seed, numbers=numbers, **made)
    kind = TreeRegressor if numbers else TreeClassifier
    tree = kind(missing=rule, max_depth=depth, min_samples_leaf=leaf, identifiers="keep")
    compare(tree, table, limit, parts, seed=seed)


PRUNINGS = (
    "auto",
    CostComplexity(rule="min", folds=4),
    BestFirst(folds=3),
    CriticalValue(folds=3),
)


@pytest.mark.parametrize("pruning", PRUNINGS, ids=str)
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(("missing", "weighted"), [(0.0, True), (0.1, False), (0.1, True)])
def test_cross_validation(pruning: Any, numbers: bool, weighted: bool, missing: float) -> None:
    table = make_table(500, 8, numbers=numbers, weighted=weighted, missing=missing)
    kind = TreeRegressor if numbers else TreeClassifier
    given = {"pruning": pruning, "random_state": 1, "identifiers": "keep"}
    expected = fit_in_memory(kind(**given), table)
    weight = "w" if weighted else None
    rows = in_partitions(table, 2)
    found = scale.fit(kind(**given), rows, weight=weight, memory_limit=25_000)
    assert_same_tree(found.tree_.core, expected.tree_.core)
    assert found.pruning_path_.selected == expected.pruning_path_.selected
    # At a price of nothing, rounding decides whether a split that saves nothing is cut.
    np.testing.assert_allclose(found.pruning_path_.error, expected.pruning_path_.error, rtol=1e-6)
