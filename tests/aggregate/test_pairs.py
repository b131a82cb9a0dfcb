"""Which pairs of columns are proposed for joining, and the test behind it."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.aggregate_data import nursery, xor
from scipy.stats import chi2

from ramify import AttributeAggregator
from ramify.aggregate.chi2 import conditional_log_p, log_chi2_tail


def test_the_pair_that_interacts_comes_first() -> None:
    data, y = nursery()
    both = AttributeAggregator(n_groups=1).fit(data, y)
    assert both.groups_ == [("parents", "has_nurs")]
    assert both.log_p_values_.shape == (1,) and both.log_p_values_[0] < -50


def test_many_valued_noise_does_not_win_by_chance() -> None:
    """The plain gain in chi-square prefers the pair of many-valued columns that mean nothing."""
    rng = np.random.default_rng(1)
    n = 300
    a, b = rng.choice(list("pq"), n), rng.choice(list("uv"), n)
    noise = [rng.integers(0, 60, n).astype(str) for _ in range(2)]
    y = np.where(rng.random(n) < 0.25, rng.random(n) < 0.5, (a == "p") ^ (b == "u"))
    X = {"n1": noise[0], "n2": noise[1], "a": a, "b": b}

    def pearson(values: Any) -> float:
        table = pd.crosstab(pd.Series(values), pd.Series(y)).to_numpy(dtype=float)
        expected = np.outer(table.sum(1), table.sum(0)) / n
        return float(((table - expected) ** 2 / expected).sum())

    def plain(one: str, other: str) -> float:
        joint = pearson([f"{p}|{q}" for p, q in zip(X[one], X[other], strict=True)])
        return joint - max(pearson(X[one]), pearson(X[other]))

    assert plain("n1", "n2") > plain("a", "b")
    assert AttributeAggregator(n_groups=1).fit(X, y).groups_ == [("a", "b")]


def test_rare_classes_in_tiny_combinations_do_not_win_by_chance() -> None:
    """One row of a rare class makes a chi-square statistic of a hundred; p must allow for that."""
    rng = np.random.default_rng(2)
    small = 0
    runs = 60
    for _ in range(runs):
        X = {name: rng.integers(0, 25, 400).astype(str) for name in "ab"}
        y = rng.permutation(np.arange(400) < 4)
        found = AttributeAggregator(n_groups=1).fit(X, y)
        small += len(found.groups_) == 1 and found.log_p_values_[0] < math.log(0.01)
    assert small <= 3


def test_no_pair_is_proposed_where_one_part_says_it_all() -> None:
    a = ["p", "q"] * 60
    b = ["u", "u", "v", "v", "w", "w"] * 20
    both = AttributeAggregator().fit({"a": a, "b": b}, a)
    assert both.groups_ == [] and len(both.log_p_values_) == 0
    assert list(both.transform({"a": a, "b": b})) == ["a", "b"]


def test_n_groups_limits_the_pairs_in_order() -> None:
    X, y = xor()
    X = np.column_stack([X, X[:, 1]])  # x3 is x1 again: its pair ties with that of x1
    many = AttributeAggregator(n_groups=99).fit(X, y)
    assert many.groups_[:2] == [("x0", "x1"), ("x0", "x3")]
    assert (np.diff(many.log_p_values_) >= 0).all() and many.log_p_values_.max() < 0
    assert AttributeAggregator(n_groups=1).fit(X, y).groups_ == many.groups_[:1]
    assert AttributeAggregator(n_groups=0).fit(X, y).groups_ == []


def test_rows_with_a_missing_part_are_left_out_of_the_test() -> None:
    X, y = xor()
    holes = np.vstack([X, [[None, "u", "x"], ["a", None, None]] * 20])
    more = np.concatenate([y, [True, False] * 20])
    plain = AttributeAggregator(n_groups=1).fit(X, y)
    with_holes = AttributeAggregator(n_groups=1).fit(holes, more)
    assert with_holes.groups_ == plain.groups_
    assert with_holes.log_p_values_[0] == pytest.approx(plain.log_p_values_[0])


def test_log_p_is_that_of_all_permutations_within_the_values() -> None:
    """Mean and variance of the statistic by brute force, over every order of the classes."""
    given = [0, 0, 0, 0, 0, 1, 1, 1, 1]
    other = [0, 0, 1, 1, 2, 0, 0, 0, 1]
    labels = [0, 0, 1, 1, 1, 0, 0, 0, 1]

    def pearson(rows: list[int], classes: Any) -> float:
        table = np.zeros((3, 2))
        np.add.at(table, (rows, list(classes)), 1.0)
        expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
        full = expected > 0
        return float(((table - expected)[full] ** 2 / expected[full]).sum())

    mean = variance = total = 0.0
    for value in (0, 1):
        at = [i for i, one in enumerate(given) if one == value]
        rows, classes = [other[i] for i in at], [labels[i] for i in at]
        every = [pearson(rows, order) for order in permutations(classes)]
        mean, variance = mean + np.mean(every), variance + np.var(every)
        total += pearson(rows, classes)
    assert total > mean
    wanted = chi2.logsf(total * 2 * mean / variance, 2 * mean**2 / variance)

    pairs = sorted(set(zip(given, other, strict=True)))
    joint = np.zeros((len(pairs), 2))
    np.add.at(joint, ([pairs.index(p) for p in zip(given, other, strict=True)], labels), 1.0)
    found = conditional_log_p(joint, np.array([a for a, _ in pairs]))
    assert found == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("freedom", [0.7, 1, 4, 33.3, 900])
def test_tail_of_chi_square(freedom: float) -> None:
    for statistic in (0.1, 1.0, freedom, 3 * freedom, 1200.0):
        assert log_chi2_tail(statistic, freedom) == pytest.approx(
            float(chi2.logsf(statistic, freedom)), rel=1e-9, abs=1e-15
        )
    # far out, where the tail itself is zero in float64: the slope is that of the density
    for statistic in (5e3, 1e5):
        step = log_chi2_tail(statistic + 2.0, freedom) - log_chi2_tail(statistic, freedom)
        slope = (freedom / 2 - 1) * math.log1p(2.0 / statistic) - 1.0
        assert step == pytest.approx(slope, rel=0.02)
    assert log_chi2_tail(0.0, freedom) == 0.0
    # the two ways of computing it meet where the first gives up
    at = next(s for s in range(1300, 6000) if chi2.sf(s, freedom) < 1e-300)
    ends = [log_chi2_tail(at + d, freedom) for d in (-1.0, 0.0, 1.0)]
    assert ends[0] - ends[1] == pytest.approx(ends[1] - ends[2], rel=1e-2)
