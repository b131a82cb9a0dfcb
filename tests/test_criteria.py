"""Criteria against their definitions, and the worked numbers of the papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles.criteria import BINARY_ONLY, SCORES, supported

from ramify import TreeClassifier, _core
from ramify.splits import score

MULTIWAY = sorted(set(SCORES) - BINARY_ONLY)


def test_the_oracle_knows_every_criterion() -> None:
    assert set(SCORES) == set(_core.criterion_names())


@st.composite
def children(draw: st.DrawFn, most: int) -> np.ndarray:
    count = draw(st.integers(2, most))
    classes = draw(st.integers(1, 5))
    cell = st.one_of(st.integers(0, 9).map(float), st.floats(1e-6, 100))
    table = draw(arrays(np.float64, (count, classes), elements=cell))
    table[:, 0] += table.sum(axis=1) < 1e-3  # no child is empty
    return table


@pytest.mark.parametrize("criterion", sorted(SCORES))
@given(table=children(2), support=st.sampled_from([0.0, 0.0, 3.0, 20.0]))
@settings(max_examples=60, deadline=None)
def test_two_children(criterion: str, table: np.ndarray, support: float) -> None:
    expected = SCORES[criterion](table.sum(axis=0), supported(table, support))
    found = score(table, criterion=criterion, min_support=support)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("criterion", MULTIWAY)
@given(table=children(6), support=st.sampled_from([0.0, 0.0, 3.0]))
@settings(max_examples=60, deadline=None)
def test_many_children(criterion: str, table: np.ndarray, support: float) -> None:
    expected = SCORES[criterion](table.sum(axis=0), supported(table, support))
    found = score(table, criterion=criterion, min_support=support)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("criterion", sorted(BINARY_ONLY))
def test_binary_criteria_refuse_more_children(criterion: str) -> None:
    with pytest.raises(ValueError, match=f"criterion='{criterion}' is defined for two"):
        score([[1, 2], [2, 1], [3, 3]], criterion=criterion)
    with pytest.raises(ValueError, match="multiway"):
        TreeClassifier(criterion=criterion, categorical_split="multiway").fit(
            {"a": np.array(["x", "y", "z"], dtype=object)}, [0, 1, 0]
        )


def test_berzal_table_1() -> None:
    first, second = [[90, 10, 0], [0, 85, 15]], [[90, 9, 0], [0, 84, 13], [0, 2, 2]]
    assert score(first, criterion="maxdif") == pytest.approx(150 / 200)
    assert score(second, criterion="maxdif") == pytest.approx(152 / 200)
    # With a support of 3 the third child contributes nothing; here it contributed nothing anyway.
    assert score(second, criterion="maxdif", min_support=3) == pytest.approx(152 / 200)
    # K(A1) = 175/200 and K(A2) = 176/200: shares of right answers.
    for table, right in ((first, 175), (second, 176)):
        gain = score(table, criterion="generalized_gini")
        node = np.sum(table, axis=0)
        assert gain == pytest.approx((1 - node.max() / 200) - (1 - right / 200))


@given(table=children(5), other=children(5))
@settings(max_examples=100, deadline=None)
def test_maxdif_orders_as_generalized_gini(table: np.ndarray, other: np.ndarray) -> None:
    """Twice the gain of one, up to a constant of the node."""
    for each in (table, other):
        node = each.sum(axis=0)
        constant = 2 * node.max() / node.sum() - 1
        gain = score(each, criterion="generalized_gini")
        found = score(each, criterion="maxdif")
        assert found == pytest.approx(constant + 2 * gain, abs=1e-9)


def test_twoing_is_the_best_two_class_gini() -> None:
    """Twoing is half the largest Gini gain over all pairs of superclasses."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        table = rng.integers(0, 9, (2, 4)) + np.eye(2, 4)
        best = 0.0
        for mask in range(1, 8):
            first = np.array([(mask >> j) & 1 for j in range(4)], dtype=bool)
            merged = np.column_stack([table[:, first].sum(axis=1), table[:, ~first].sum(axis=1)])
            best = max(best, score(merged, criterion="gini"))
        assert score(table, criterion="twoing") == pytest.approx(best / 2, abs=1e-12)


def test_squared_gini_with_mixing_costs() -> None:
    """The sum over pairs of classes on different sides, weighted by their costs."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        table = rng.integers(0, 9, (2, 3)) + np.eye(2, 3)
        costs = rng.random((3, 3))
        np.fill_diagonal(costs, 0)
        costs = costs + costs.T
        left, right = table
        expected = sum(
            costs[x, y] * (left[x] * right[y] + right[x] * left[y])
            for x in range(3)
            for y in range(3)
        )
        found = score(table, criterion="squared_gini", costs=costs)
        assert found == pytest.approx(expected / table.sum() ** 2)


def test_bad_input_names_the_parameter() -> None:
    with pytest.raises(ValueError, match="criterion='none' is not valid; choose from gini"):
        score([[1, 2], [3, 4]], criterion="none")
    with pytest.raises(ValueError, match="children must have some weight"):
        score([[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="shape"):
        score([1, 2, 3])
