"""Parts of rows that count as rows: the tree from counts is the tree in memory."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.scale_data import compare, make_table
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"missing_gain": "divided"},
        {"min_samples_split": 40},
        {"min_samples_leaf": 10, "abandon_small": True},
        {"growth": "best_first", "max_leaves": 12},
        {"criterion": "entropy"},
        {"criterion": "gain_ratio"},
        {"criterion": "distance"},
        {"categorical_split": "multiway"},
        {"class_weight": {0: 1.0, 1: 2.5}},
        {"min_weight_fraction_leaf": 0.03},
        {"selection": "conditional_inference"},
        {"min_support": 0.01},
        {"min_weight_split": 30.0},
    ],
    ids=str,
)
@pytest.mark.parametrize(("leaf", "weighted"), [(2, True), (15, False)])
def test_parameters(parameters: dict[str, Any], weighted: bool, leaf: int) -> None:
    table = make_table(500, 31, missing=0.12, weighted=weighted)
    given = {"missing_count": "pieces", "min_samples_leaf": leaf, "max_depth": 6, **parameters}
    compare(TreeClassifier(**given, identifiers="keep"), table, 25_000, 2)


def test_monotone() -> None:
    clf = TreeClassifier(
        missing_count="pieces", min_samples_leaf=15, monotone={"x0": 1}, identifiers="keep"
    )
    compare(clf, make_table(500, 31, missing=0.12), 25_000, 2)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    classes=st.sampled_from([2, 4]),
    numeric=st.integers(1, 3),
    nominal=st.integers(0, 2),
    missing=st.sampled_from([0.0, 0.1, 0.4]),
    distinct=st.sampled_from([None, 4]),
    weighted=st.booleans(),
    divided=st.booleans(),
    limit=st.sampled_from([6_000, 15_000]),
    parts=st.sampled_from([1, 2, 7]),
    depth=st.sampled_from([3, 7]),
    leaf=st.sampled_from([1, 8, 40]),
)
def test_any_table(
    seed: int,
    numbers: bool,
    divided: bool,
    limit: int,
    parts: int,
    depth: int,
    leaf: int,
    **made: Any,
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    tree = kind(
        missing_count="pieces",
        missing_gain="divided" if divided else "known",
        max_depth=depth,
        min_samples_leaf=leaf,
        identifiers="keep",
    )
    compare(tree, make_table(300, seed, numbers=numbers, **made), limit, parts, seed=seed)


def test_pieces_too_light_to_be_divided() -> None:
    """Each split divides most rows, so that their pieces soon weigh less than 2**-20."""
    table = make_table(400, 32, numeric=1, nominal=1, missing=0.9)
    tree = TreeClassifier(
        missing_count="pieces",
        min_samples_leaf=30,
        categorical_split="multiway",
        max_depth=16,
        identifiers="keep",
    )
    compare(tree, table, 10_000, 2)
