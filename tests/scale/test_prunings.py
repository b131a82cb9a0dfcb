"""Prunings that judge rows give the tree of a fit in memory, or are refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, in_partitions, make_table
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor, scale
from ramify.pruning import MDL, BestFirst, ErrorBased, ReducedError

LIMIT = 30_000


def compare(estimator: Any, table: pa.Table, parts: int = 1, limit: int = LIMIT) -> list[str]:
    """Fit in memory and out of core; the trees before and after pruning are the same."""
    expected = fit_in_memory(type(estimator)(**estimator.get_params()), table)
    scans: list[str] = []
    scale.fit(
        estimator,
        in_partitions(table, parts),
        weight="w" if "w" in table.column_names else None,
        memory_limit=limit,
        progress=lambda number, what: scans.append(what),
    )
    assert "counts" in scans
    assert_same_tree(estimator.tree_.core, expected.tree_.core)
    assert_same_tree(estimator.fitted_.grown.core, expected.fitted_.grown.core)
    return scans


@pytest.mark.parametrize("significance", [None, 0.05, 0.5])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_reduced_error(
    significance: float | None, numbers: bool, weighted: bool, missing: float
) -> None:
    table = make_table(800, 11, numbers=numbers, weighted=weighted, missing=missing)
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = ReducedError(significance=significance)
    scans = compare(kind(pruning=pruning, identifiers="keep", random_state=3), table, 3)
    assert scans.count("the target") == scans.count("rows held out") == 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"costs": [[0, 1], [4, 0]]},
        {"class_weight": "balanced"},
        {"missing": "separate"},
        {"growth": "best_first", "max_leaves": 20},
        {"monotone": {"x0": 1}, "max_depth": 5},
    ],
    ids=", ".join,
)
def test_reduced_error_with(parameters: dict[str, Any]) -> None:
    table = make_table(800, 12, missing=0.05)
    clf = TreeClassifier(pruning=ReducedError(holdout=0.25), identifiers="keep", **parameters)
    compare(clf, table, 2)


def test_reduced_error_of_a_count() -> None:
    table = make_table(700, 13, numbers=True)
    y = np.exp(table["y"].to_numpy()).round()
    table = table.set_column(table.column_names.index("y"), "y", pa.array(y))
    compare(TreeRegressor(criterion="poisson", pruning=ReducedError(), identifiers="keep"), table)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    classes=st.sampled_from([2, 4]),
    missing=st.sampled_from([0.0, 0.2]),
    distinct=st.sampled_from([None, 6]),
    weighted=st.booleans(),
    holdout=st.sampled_from([0.1, 1 / 3, 0.6]),
    parts=st.sampled_from([1, 4]),
)
def test_reduced_error_of_any_table(
    seed: int, numbers: bool, holdout: float, parts: int, **made: Any
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = ReducedError(holdout=holdout)
    tree = kind(pruning=pruning, identifiers="keep", random_state=seed)
    compare(tree, make_table(500, seed, numbers=numbers, **made), parts, 15_000)


def test_reduced_error_of_one_class() -> None:
    table = make_table(600, 14)
    one = table.set_column(table.column_names.index("y"), "y", pa.array(np.zeros(600)))
    clf = TreeClassifier(pruning=ReducedError(), identifiers="keep")
    scale.fit(clf, in_partitions(one, 1), memory_limit=LIMIT)
    assert clf.tree_.n_leaves == 1


@pytest.mark.parametrize("confidence", [0.1, 0.25, 0.5])
@pytest.mark.parametrize(
    "parameters",
    [{}, {"costs": [[0, 1], [3, 0]]}, {"missing": "direction"}, {"categorical_split": "multiway"}],
    ids=str,
)
def test_error_based(confidence: float, parameters: dict[str, Any]) -> None:
    pruning = ErrorBased(confidence=confidence, raising=False)
    table = make_table(800, 15, missing=0.1 if parameters else 0.0)
    clf = TreeClassifier(pruning=pruning, identifiers="keep", **parameters)
    compare(clf, table, 2)


@pytest.mark.parametrize(
    ("pruning", "words"),
    [
        (ErrorBased(), r"ErrorBased\(raising=False\)"),
        (MDL(), "distinct values of a column at every node"),
        (BestFirst(stage="pre"), "in step"),
        (ReducedError(significance="cv"), "a number or None as significance"),
        (BestFirst(time_limit=1.0), "time_limit=None"),
    ],
    ids=str,
)
def test_what_cannot_be_had_is_refused(pruning: Any, words: str) -> None:
    clf = TreeClassifier(pruning=pruning, identifiers="keep")
    with pytest.raises(ValueError, match=rf"pruning=.*cannot be had out of core.*{words}"):
        scale.fit(clf, in_partitions(make_table(600, 16), 1), memory_limit=LIMIT)
