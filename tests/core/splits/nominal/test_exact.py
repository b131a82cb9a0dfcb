"""Exact searches for nominal splits, against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from helpers.nominal_data import near, split, tables
from oracles import nominal as oracle
from oracles.criteria import SCORES, drop, gini_with_costs

from ramify import _core
from ramify.splits import best_nominal_split

CONVEX = ["gini", "entropy", "misclassification", "maxdif", "twoing", "chi2", "mpi"]
OTHERS = ["squared_gini", "gain_ratio", "distance", "chi2_cut"]


@pytest.mark.parametrize("criterion", CONVEX + OTHERS)
def test_exact_equals_brute_force(criterion: str) -> None:
    for table in tables(4, 90):
        found = split(table, "exact", criterion)
        assert found.proven
        assert near(found.score, oracle.brute_force(table, criterion), table), table
        assert near(found.score, oracle.score(table, found.left, criterion), table)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_gini"])
def test_exact_with_a_leaf_minimum(criterion: str) -> None:
    """Levels of one distribution may have to be separated to keep the minimum."""
    for seed, table in enumerate(tables(5, 60, most_levels=8)):
        least = table.sum() * (0.1, 0.3, 0.5)[seed % 3]
        best = oracle.brute_force(table, criterion, least)
        found = best_nominal_split(
            table, method="exact", criterion=criterion, min_samples_leaf=least
        )
        if not np.isfinite(best):
            assert found is None
            continue
        assert found is not None and found.proven
        assert near(found.score, best, table)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_every_search_respects_the_leaf_minimum(criterion: str) -> None:
    for seed, table in enumerate(tables(6, 60)):
        least = table.sum() * (0.1, 0.2, 0.4)[seed % 3]
        for method in ["auto", *oracle.HEURISTICS, "twoing"]:
            found = best_nominal_split(
                table, method=method, criterion=criterion, min_samples_leaf=least
            )
            if found is not None:
                assert min(table[list(s)].sum() for s in (found.left, found.right)) > least - 1e-6


def wide_tables(classes: int):
    """More levels than are enumerated at once, in general and in special position."""
    rng = np.random.default_rng(classes)
    for n in (12, 13):
        yield rng.integers(0, 8, (n, classes)).astype(float) + np.eye(n, classes)
        yield rng.random((n, classes))
        few = rng.integers(0, 2, (n, classes)).astype(float)  # many equal, many on one line
        few[:, 0] += 1
        yield few
        ends = rng.integers(1, 5, (2, classes)).astype(float)  # all on one line
        mix = rng.integers(1, 9, (n, 2)).astype(float)
        yield mix @ ends
        ends = rng.integers(1, 5, (3, classes)).astype(float)  # all in one plane
        yield rng.integers(0, 4, (n, 3)) @ ends + ends[0]
        grid = np.array(list(product(range(3), repeat=2)), dtype=float)  # a grid in the simplex
        grid = np.column_stack([grid, 6 - grid.sum(axis=1)])
        table = np.ones((9, classes))
        table[:, :3] = grid
        yield np.vstack([table, rng.integers(1, 4, (n - 9, classes))])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "twoing", "chi2"])
@pytest.mark.parametrize("classes", [3, 4, 5, 6])
def test_hyperplanes_equal_brute_force(classes: int, criterion: str) -> None:
    for table in wide_tables(classes):
        found = split(table, "exact", criterion)
        assert found.proven
        best = gray_brute_force(table, criterion)
        assert near(found.score, best, table), table


def gray_brute_force(table, criterion: str) -> float:
    """Brute force over all subsets at once; the score of each from its class weights."""
    n = len(table)
    codes = np.arange(2 ** (n - 1) - 1)
    left = np.column_stack([np.ones(len(codes), bool), (codes[:, None] >> np.arange(n - 1)) & 1])
    a = left.astype(float) @ table
    b = table.sum(axis=0) - a
    if criterion in ("gini", "entropy", "misclassification"):
        impurities = _core.impurities(np.ascontiguousarray(np.vstack([a, b])), criterion, None)
        weight = np.concatenate([a.sum(axis=1), b.sum(axis=1)])
        mean = (impurities * weight).reshape(2, -1).sum(axis=0) / table.sum()
        node = _core.impurities(table.sum(axis=0)[None], criterion, None)[0]
        return float(node - mean.min())
    b = np.where(b < 1e-9, 0.0, b)
    pairs = zip(a, b, strict=True)
    return max(oracle.score_of(SCORES[criterion], pair) for pair in pairs)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_branch_and_bound_equals_brute_force(criterion: str) -> None:
    """A limit below the number of partitions, so that only a proof by bounds can succeed."""
    rng = np.random.default_rng(8)
    proven = 0
    for _ in range(12):
        table = rng.integers(0, 9, (13, 7)).astype(float) * (rng.random((13, 7)) < 0.4)
        table[:, 0] += 1
        found = split(table, "exact", criterion, work_limit=4000)
        best = gray_brute_force(table, criterion)
        assert found.work <= 4000
        assert found.score <= best + 1e-9
        if found.proven:
            proven += 1
            assert near(found.score, best, table)
    assert proven > 3


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "misclassification"])
def test_work_limit(criterion: str) -> None:
    table = np.random.default_rng(9).integers(0, 8, (40, 9)).astype(float) + 1
    for limit in (200, 5000, 100_000):
        found = split(table, "exact", criterion, work_limit=limit)
        assert not found.proven
        assert found.work <= limit
    assert found.score >= split(table, "pc", criterion).score - 1e-12


def test_exact_of_many_levels_of_three_classes() -> None:
    table = np.random.default_rng(10).integers(0, 50, (150, 3)).astype(float) + 1
    found = split(table, "exact", "gini")
    assert found.proven
    for method in [*oracle.HEURISTICS, "twoing"]:
        assert split(table, method).score <= found.score + 1e-12


def test_costs_of_three_classes_are_not_taken_for_concave() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        table = rng.integers(0, 8, (8, 3)).astype(float) + 0.5
        costs = rng.integers(0, 9, (3, 3)).astype(float)
        np.fill_diagonal(costs, 0)
        found = split(table, "exact", "gini", costs=costs)
        drops = [
            oracle.score_of(drop(gini_with_costs(costs)), oracle.sides(table, left))
            for left in oracle.every_subset(len(table))
        ]
        assert found.score == pytest.approx(max(drops))


def test_four_classes_of_more_than_a_hundred_levels_are_proven() -> None:
    table = np.random.default_rng(0).integers(0, 8, (150, 4))
    found = best_nominal_split(table, method="exact")
    again = best_nominal_split(table, method="exact", work_limit=1 << 26)
    assert found is not None and again is not None
    assert found.proven and again.proven
    assert found.score == again.score > 0.0206  # the heuristics end at 0.020487


def test_auto_finds_a_partition_that_no_order_of_two_classes_has() -> None:
    table = [[5, 50], [5, 50], [4, 0]]
    found = best_nominal_split(table, min_samples_leaf=20)
    best = best_nominal_split(table, method="exact", min_samples_leaf=20)
    assert found is not None and best is not None
    assert found.left == best.left == (0, 2)
