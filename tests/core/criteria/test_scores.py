"""Criteria against their definitions, and the worked numbers of the papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles.criteria import BINARY_ONLY, SCORES

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
    expected = SCORES[criterion](table.sum(axis=0), table, support)
    found = score(table, criterion=criterion, min_support=support)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("criterion", MULTIWAY)
@given(table=children(6), support=st.sampled_from([0.0, 0.0, 3.0]))
@settings(max_examples=60, deadline=None)
def test_many_children(criterion: str, table: np.ndarray, support: float) -> None:
    expected = SCORES[criterion](table.sum(axis=0), table, support)
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
    # With a support of 3 the third child counts as the node does, -0.05, not as 0.
    assert score(second, criterion="maxdif", min_support=3) == pytest.approx(151.8 / 200)
    # K(A1) = 175/200 and K(A2) = 176/200: shares of right answers.
    for table, right in ((first, 175), (second, 176)):
        gain = score(table, criterion="generalized_gini")
        node = np.sum(table, axis=0)
        assert gain == pytest.approx((1 - node.max() / 200) - (1 - right / 200))


@pytest.mark.parametrize("criterion", sorted(SCORES))
@given(
    tables=st.tuples(children(2), children(6)),
    supports=st.tuples(*2 * [st.floats(0, 12)]).map(sorted),
    unit=st.sampled_from([1.0, 0.3]),
)
@settings(max_examples=150, deadline=None)
def test_raising_the_support_never_raises_a_score(
    criterion: str,
    tables: tuple[np.ndarray, np.ndarray],
    supports: list[float],
    unit: float,
) -> None:
    table = unit * tables[criterion not in BINARY_ONLY]
    low, high = (score(table, criterion=criterion, min_support=s) for s in supports)
    assert high <= low + 1e-12 * (1 + abs(low))


def test_a_near_key_does_not_win_by_its_lack_of_support() -> None:
    """Twenty levels of one or two rows, against an informative split with support."""
    rows = np.repeat([0, 1, 2], [12, 10, 8])
    near_key = np.zeros((20, 3))
    np.add.at(near_key, (np.arange(30) % 20, rows), 1)
    honest = np.array([[8.0, 6.0, 1.0], [4.0, 4.0, 7.0]])
    for criterion in MULTIWAY:
        with_support = [score(t, criterion=criterion, min_support=5) for t in (near_key, honest)]
        assert with_support[0] < with_support[1], criterion
    # The node alone answers 12 of 30 rows correctly; the near-key adds nothing to that.
    assert score(near_key, criterion="maxdif", min_support=5) == pytest.approx(24 / 30 - 1)


def test_gain_ratio_of_berzal_table_1_with_support() -> None:
    first, second = [[90, 10, 0], [0, 85, 15]], [[90, 9, 0], [0, 84, 13], [0, 2, 2]]
    of_first = score(first, criterion="gain_ratio", min_support=3)
    without = score(second, criterion="gain_ratio")
    assert without == pytest.approx(0.7095, abs=5e-5)
    found = score(second, criterion="gain_ratio", min_support=3)
    assert found <= without < of_first
    node, table = np.sum(second, axis=0), np.array(second, dtype=float)
    assert found == pytest.approx(SCORES["gain_ratio"](node, table, 3))


def test_a_criterion_of_ones_own_needs_the_support_of_all_children() -> None:
    """The function scores all children together: if one lacks support, no gain is left."""

    def gain(children: np.ndarray) -> float:
        return SCORES["gini"](children.sum(axis=0), children)

    x = np.arange(40.0)[:, None]
    y = np.r_[np.zeros(2), np.ones(38)].astype(int)
    cuts = [
        float(
            TreeClassifier(criterion=gain, min_support=s, max_depth=1)
            .fit(x, y)
            .arrays_.threshold[0]
        )
        for s in (0, 2, 3)
    ]
    assert cuts == [1.5, 1.5, 4.5]  # three rows of one class on the left, two of the other


@given(table=children(5), other=children(5))
@settings(max_examples=100, deadline=None)
def test_maxdif_orders_as_generalized_gini(table: np.ndarray, other: np.ndarray) -> None:
    """maxdif is twice the gain of generalized_gini, plus a constant of the node."""
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
