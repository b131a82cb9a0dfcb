"""Splits of nominal attributes by maximum cuts: greedy_cut and gw_cut."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from helpers.cut_data import assert_local_optimum, graph_of, random_costs, random_table, sides_of
from oracles import maxcut as oracle
from oracles.criteria import SCORES

from ramify import TreeClassifier, _core
from ramify.splits import best_nominal_split, max_cut, score


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "chi2", "gini", "entropy"])
@pytest.mark.parametrize("seed", range(8))
def test_greedy_cut_equals_the_pseudo_code(criterion: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    n, k = int(rng.integers(2, 13)), int(rng.integers(2, 6))
    counts = random_table(rng, n, k)
    weights = graph_of(counts, criterion)
    split = best_nominal_split(counts, method="greedy_cut_once", criterion=criterion)
    assert split is not None
    sides = oracle.local_search(weights, oracle.greedy_cut(weights))
    assert split.left == oracle.left_of(sides)
    assert split.proven == (n == 2)
    two = np.array([counts[list(part)].sum(axis=0) for part in (split.left, split.right)])
    if criterion in ("squared_gini", "chi2_cut"):
        expected = oracle.cut_weight(weights, sides) / (n - 1 if criterion == "chi2_cut" else 1)
    else:
        expected = SCORES[criterion](two.sum(axis=0), two)
    assert split.score == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("method", ["greedy_cut", "greedy_cut_once", "gw_cut"])
@pytest.mark.parametrize("criterion", ["maxdif", "mpi", "twoing", "gain_ratio", "distance"])
@pytest.mark.parametrize("seed", range(3))
def test_pair_weights_of_other_criteria(method: str, criterion: str, seed: int) -> None:
    """What a pair gains over leaving it whole, times its share of the node."""
    counts = np.random.default_rng([seed, 11]).random((7, 3)) + 0.1
    weights = np.zeros((7, 7))
    for i, j in combinations(range(7), 2):
        pair = counts[[i, j]]
        both = pair.sum(axis=0)
        whole = 2 * both.max() / both.sum() - 1 if criterion == "maxdif" else 0.0
        gain = max(0.0, score(pair, criterion=criterion) - whole)
        weights[i, j] = weights[j, i] = gain * pair.sum() / counts.sum()
    split = best_nominal_split(counts, method=method, criterion=criterion, min_support=0.2)
    assert split is not None
    sides = sides_of(split, 7)
    assert_local_optimum(weights, sides)
    if method == "greedy_cut":
        assert oracle.cut_weight(weights, sides) == pytest.approx(oracle.best_cut(weights))
    if method == "greedy_cut_once":
        expected = oracle.local_search(weights, oracle.greedy_cut(weights))
        assert oracle.cut_weight(weights, sides) == pytest.approx(
            oracle.cut_weight(weights, expected)
        )


@pytest.mark.parametrize("seed", range(6))
def test_greedy_cut_with_costs_equals_the_pseudo_code(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    counts, costs = random_table(rng, 9, 4), random_costs(rng, 4)
    weights = oracle.squared_gini_weights(counts, costs)
    for given in (costs, (costs + costs.T) / 2):
        split = best_nominal_split(
            counts, method="greedy_cut_once", criterion="squared_gini", costs=given
        )
        assert split is not None
        sides = oracle.local_search(weights, oracle.greedy_cut(weights))
        assert split.left == oracle.left_of(sides)
        assert split.score == pytest.approx(oracle.cut_weight(weights, sides))


@pytest.mark.parametrize("method", ["greedy_cut", "greedy_cut_once", "gw_cut"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
@pytest.mark.parametrize("seed", range(3))
def test_large_tables_end_in_a_local_optimum(method: str, criterion: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    counts = random_table(rng, 30, 5)
    weights = graph_of(counts, criterion)
    split = best_nominal_split(counts, method=method, criterion=criterion)
    assert split is not None
    sides = sides_of(split, 30)
    assert_local_optimum(weights, sides)
    assert oracle.cut_weight(weights, sides) >= weights.sum() / 4  # half of all edges
    assert split.work > 30
    assert not split.proven


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
@pytest.mark.parametrize("seed", range(6))
def test_greedy_cut_is_the_best_cut_of_few_levels(criterion: str, seed: int) -> None:
    """The order of the levels does not matter, as it does in Pereira's algorithm."""
    rng = np.random.default_rng([seed, 12])
    counts = random_table(rng, int(rng.integers(3, 12)), 4)
    best = oracle.best_cut(graph_of(counts, criterion))
    best /= len(counts) - 1 if criterion == "chi2_cut" else 1
    for _ in range(4):
        order = rng.permutation(len(counts))
        split = best_nominal_split(counts[order], method="greedy_cut", criterion=criterion)
        assert split is not None and split.proven
        assert split.score == pytest.approx(best, rel=1e-10)
    supported = best_nominal_split(
        counts, method="greedy_cut", criterion=criterion, min_support=counts.max() / 2
    )
    assert supported is not None and not supported.proven


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
def test_greedy_cut_of_many_levels_tries_several_orders(criterion: str) -> None:
    """Never worse than the order of the table alone, sometimes better, the same for one seed."""
    better = 0
    for seed in range(12):
        counts = random_table(np.random.default_rng([seed, 13]), 40, 6)
        once = best_nominal_split(counts, method="greedy_cut_once", criterion=criterion)
        found = [
            best_nominal_split(counts, method="greedy_cut", criterion=criterion, random_state=s)
            for s in (0, 0)
        ]
        assert once is not None and found[0] is not None
        assert found[0] == found[1] and not found[0].proven
        assert found[0].score >= once.score * (1 - 1e-9)
        better += found[0].score > once.score * (1 + 1e-9)
    assert better > 1


def test_greedy_cut_in_trees_follows_random_state() -> None:
    rng = np.random.default_rng(3)
    table = {"a": np.array([f"v{i}" for i in rng.integers(0, 40, 900)], dtype=object)}
    y = rng.integers(0, 6, 900)
    trees = [
        TreeClassifier(
            criterion="squared_gini", categorical_split="greedy_cut", max_depth=1, random_state=seed
        )
        .fit(table, y)
        .tree_
        for seed in (0, 0, *range(1, 8))
    ]
    assert trees[0] == trees[1]
    assert any(tree != trees[0] for tree in trees)


@pytest.mark.parametrize("support", [4.0, 8.0, 20.0])
def test_exact_cut_with_support_is_the_best_of_all(support: float) -> None:
    """A pair counts on a side by how far its level there deviates, if that side has support."""
    counts = random_table(np.random.default_rng(2), 7, 3)
    best = 0.0
    for sides in oracle.every_cut(7):
        of = np.array(sides)
        with_support = [counts[of == s].sum(axis=0).max() >= support for s in (0, 1)]
        total = 0.0
        for i, j in combinations(range(7), 2):
            if of[i] == of[j]:
                continue
            pair = counts[[i, j]]
            expected = np.outer(pair.sum(axis=1), pair.sum(axis=0)) / pair.sum()
            parts = np.divide(
                (pair - expected) ** 2, expected, where=expected > 0, out=0 * expected
            )
            total += sum(parts[r].sum() for r, v in enumerate((i, j)) if with_support[of[v]])
        best = max(best, total / 6)
    split = best_nominal_split(counts, method="exact", criterion="chi2_cut", min_support=support)
    assert split is not None and split.score == pytest.approx(best)


# --- gw_cut and the relaxation ------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
def test_gw_cut_reaches_its_share_of_the_optimum(criterion: str) -> None:
    shares = []
    for seed in range(12):
        rng = np.random.default_rng([seed, 4])
        counts = random_table(rng, 9, 4)
        weights = graph_of(counts, criterion)
        best = oracle.best_cut(weights)
        split = best_nominal_split(counts, method="gw_cut", criterion=criterion, random_state=seed)
        assert split is not None
        shares.append(oracle.cut_weight(weights, sides_of(split, 9)) / best)
        value, _ = _core.maxcut_sdp(weights)
        assert value >= best * (1 - 1e-8)
    assert np.mean(shares) >= 0.878
    assert max(shares) == pytest.approx(1.0)


def test_same_seed_same_result() -> None:
    rng = np.random.default_rng(8)
    counts = random_table(rng, 40, 12)
    found = [
        best_nominal_split(counts, method="gw_cut", criterion="squared_gini", random_state=seed)
        for seed in (1, 1, 2, 3, 4, 5)
    ]
    assert found[0] == found[1]
    assert len({split.left for split in found if split is not None}) > 1


@pytest.mark.parametrize("method", ["greedy_cut", "greedy_cut_once", "gw_cut"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "gini", "maxdif", "gain_ratio"])
class TestEdges:
    def test_two_levels(self, method: str, criterion: str) -> None:
        split = best_nominal_split([[5, 1], [2, 6]], method=method, criterion=criterion)
        assert split is not None
        assert (split.left, split.right, split.proven) == ((0,), (1,), True)

    def test_one_class(self, method: str, criterion: str) -> None:
        split = best_nominal_split([[3], [4], [5]], method=method, criterion=criterion)
        assert split is not None and split.left and split.right
        two = best_nominal_split([[3, 0], [4, 0], [5, 0]], method=method, criterion=criterion)
        assert two is not None and two.left and two.right

    def test_equal_rows(self, method: str, criterion: str) -> None:
        split = best_nominal_split([[2, 3]] * 6, method=method, criterion=criterion)
        assert split is not None and split.left and split.right
        if criterion == "squared_gini":  # balance is all that is left to gain
            assert len(split.left) == 3

    def test_one_level(self, method: str, criterion: str) -> None:
        assert best_nominal_split([[2, 3]], method=method, criterion=criterion) is None

    def test_fractions_as_weights(self, method: str, criterion: str) -> None:
        counts = random_table(np.random.default_rng(9), 8, 3) * 0.1
        split = best_nominal_split(counts, method=method, criterion=criterion)
        assert split is not None
        whole = best_nominal_split(counts * 10, method=method, criterion=criterion)
        assert whole is not None and whole.left == split.left


def test_levels_of_one_distribution_may_be_separated() -> None:
    # {0, 3} against {1, 2} balances what merging the proportional levels 1, 2 and 3 could not.
    counts = np.array([[10, 0], [3, 9], [4, 12], [2, 6]], dtype=float)
    best = oracle.best_cut(oracle.squared_gini_weights(counts))
    split = best_nominal_split(counts, method="gw_cut", criterion="squared_gini")
    assert split is not None
    assert split.score == pytest.approx(best)
    together = best_nominal_split(
        [counts[0], counts[1:].sum(axis=0)], method="gw_cut", criterion="squared_gini"
    )
    assert together is not None and together.score < best - 1e-3


@pytest.mark.parametrize("method", ["greedy_cut", "greedy_cut_once", "gw_cut"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "entropy"])
@pytest.mark.parametrize("seed", range(5))
def test_least_rows_of_a_side(method: str, criterion: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 10])
    counts = random_table(rng, 8, 3)
    rows = counts.sum(axis=1)
    for least in (rows.sum() / 5, rows.sum() / 3):
        split = best_nominal_split(
            counts, method=method, criterion=criterion, min_samples_leaf=least
        )
        enough = [
            sides
            for sides in oracle.every_cut(8)
            if least <= rows[np.array(sides) == 1].sum() <= rows.sum() - least
        ]
        assert (split is not None) == bool(enough)
        if split is None:
            continue
        sides = sides_of(split, 8)
        assert sides in enough
        weights = graph_of(counts, criterion)
        near = [
            other for other in oracle.neighbours(sides) if [s ^ other[0] for s in other] in enough
        ]
        best = max((oracle.cut_weight(weights, other) for other in near), default=0.0)
        assert best <= oracle.cut_weight(weights, sides) + 1e-9 * weights.sum()
    too_many = rows.sum() / 2 + 1
    assert (
        best_nominal_split(counts, method=method, criterion=criterion, min_samples_leaf=too_many)
        is None
    )


def test_auto_takes_a_cut_where_pairs_count() -> None:
    """Exactly for few levels, greedily for many."""
    rng = np.random.default_rng(5)
    for levels, method in ((8, "exact"), (30, "greedy_cut")):
        counts = rng.integers(0, 9, (levels, 3)) + 1
        found = best_nominal_split(counts, method="auto", criterion="chi2_cut")
        expected = best_nominal_split(counts, method=method, criterion="chi2_cut")
        assert found is not None
        assert expected is not None
        assert (found.left, found.proven) == (expected.left, expected.proven)
        assert found.score == pytest.approx(expected.score)


# --- graphs out of the range of numbers -----------------------------------------------------------

GRAPH = np.array([[0.0, 3, 1, 0], [3, 0, 3, 1], [1, 3, 0, 4], [0, 1, 4, 0]])


@pytest.mark.parametrize("method", ["greedy", "gw"])
@pytest.mark.parametrize("scale", [1e-300, 1e-122, 1e120, 1e307])
def test_weights_of_edges_out_of_the_range_of_numbers(scale: float, method: Any) -> None:
    with np.errstate(over="ignore"):
        total = re.escape(repr(float((GRAPH * scale).sum())))
    with pytest.raises(ValueError, match=rf"weights add up to {total}, .* 1e-120 to 1e\+120"):
        max_cut(GRAPH * scale, method=method)


@pytest.mark.parametrize("method", ["greedy", "gw"])
@pytest.mark.parametrize("power", [-390, 390])
def test_within_the_range_the_unit_of_edges_does_not_matter(power: int, method: Any) -> None:
    one, other = max_cut(GRAPH, method=method), max_cut(np.ldexp(GRAPH, power), method=method)
    assert (other.left, other.weight) == (one.left, one.weight * 2.0**power)
    if method == "gw":
        assert one.bound is not None
        assert other.bound == pytest.approx(one.bound * 2.0**power, rel=1e-9, abs=0.0)


def test_an_edge_that_is_no_weight() -> None:
    with pytest.raises(ValueError, match=r"weights must be .* row 0, column 1 has -1\.0"):
        max_cut([[0, -1], [-1, 0]])
