"""Gains by chance: closed forms against all orders of the targets, and against shuffled ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracles import beyond_chance as oracle

from ramify import _core

CLASSES = {
    "two": [3, 3],
    "uneven": [5, 1],
    "three": [2, 2, 2],
    "three, uneven": [3, 2, 1],
}
SIZES = ([3, 3], [5, 1], [2, 2, 2], [3, 1, 1, 1], [2, 1, 1, 1, 1])


def codes_of(counts):
    return np.repeat(np.arange(len(counts)), counts)


def chance_of(target, codes=None):
    if codes is not None:
        return _core.chance_of_classes(np.bincount(codes).astype(float).tolist(), len(codes))
    y = target[:, 0]
    return _core.chance_of_numbers(float((y**2).mean()), float((y**4).mean()), len(y))


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("counts", CLASSES.values(), ids=CLASSES)
def test_moments_of_classes_are_those_over_all_orders(counts, sizes):
    codes = codes_of(counts)
    target = oracle.of_classes(codes)
    shares = [oracle.between_levels(t, codes_of(sizes)) for t in oracle.all_orders(target)]
    found = _core.moments_by_chance(chance_of(target, codes), [float(s) for s in sizes])
    assert found == pytest.approx((np.mean(shares), np.var(shares)), rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_moments_of_numbers_are_those_over_all_orders(sizes):
    target = oracle.of_numbers(np.array([0.3, -1.0, 2.5, 7.0, 0.0, 1.0]))
    shares = [oracle.between_levels(t, codes_of(sizes)) for t in oracle.all_orders(target)]
    found = _core.moments_by_chance(chance_of(target), [float(s) for s in sizes])
    assert found == pytest.approx((np.mean(shares), np.var(shares)), rel=1e-10)


@pytest.mark.parametrize("counts", [[100, 100], [40, 160], [70, 70, 60], [90, 60, 30, 20]], ids=str)
def test_levels_against_the_slow_formula(counts):
    codes = codes_of(counts)
    target = oracle.of_classes(codes)
    chance = chance_of(target, codes)
    for sizes in ([100, 100], [190, 10], [50, 50, 50, 50], [2] * 100, [100] + [1] * 100):
        for share in (0.001, 0.05, 0.5, 0.8):
            found = _core.log_p_of_levels(chance, [float(s) for s in sizes], share)
            expected = oracle.log_p_of_levels(target, np.array(sizes), share)
            if expected > -600:  # beyond, SciPy's tail has underflowed
                assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_an_identifier_gains_nothing():
    for counts in ([10, 10], [1, 19], [7, 7, 6]):
        chance = _core.chance_of_classes([float(c) for c in counts], 20)
        mean, variance = _core.moments_by_chance(chance, [1.0] * 20)
        assert mean == pytest.approx(1)
        assert variance == pytest.approx(0, abs=1e-14)
        assert _core.log_p_of_levels(chance, [1.0] * 20, 1.0) == 0.0


@pytest.mark.parametrize(
    "counts", [[100, 100], [40, 160], [10, 190], [70, 70, 60], [50] * 4], ids=str
)
@pytest.mark.parametrize("least", [1, 20])
def test_thresholds_against_the_sum_over_all_cuts(counts, least):
    codes = codes_of(counts)
    target = oracle.of_classes(codes)
    chance = chance_of(target, codes)
    places = np.arange(least, 200 - least + 1)
    for share in (0.01, 0.02, 0.04, 0.07, 0.1, 0.3):
        even = _core.log_p_of_even_threshold(chance, len(places), least, 200 - least, share)
        every = _core.log_p_of_threshold(chance, places.astype(float).tolist(), share)
        expected = oracle.log_p_of_threshold(target, places, share)
        assert every == pytest.approx(expected, rel=1e-7, abs=1e-9)
        assert even == pytest.approx(expected, abs=0.2)  # of the logarithm


def test_thresholds_of_numbers_against_the_sum_over_all_cuts():
    target = oracle.of_numbers(np.random.default_rng(0).exponential(size=150))
    chance = chance_of(target)
    places = np.array([10, 30, 31, 80, 140])
    for share in (0.01, 0.03, 0.06, 0.1):
        found = _core.log_p_of_threshold(chance, places.astype(float).tolist(), share)
        expected = oracle.log_p_of_threshold(target, places, share)
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


TARGETS = {
    "balanced": [100, 100],
    "uneven": [40, 160],
    "three": [67, 67, 66],
    "five": [80, 50, 40, 20, 10],
    "normal": None,
}


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize(
    "column", ["2", "10", "100", "skewed", "half alone", "numeric", "5 values"]
)
def test_small_p_values_are_as_frequent_as_they_say(name, column):
    rng = np.random.default_rng(5)
    counts = TARGETS[name]
    if counts is None:
        target = oracle.of_numbers(rng.standard_normal(200))
        chance = chance_of(target)
    else:
        target = oracle.of_classes(codes_of(counts))
        chance = chance_of(target, codes_of(counts))
    places = np.arange(1, 200) if column == "numeric" else np.array([40, 80, 120, 160])
    if column == "skewed":
        levels = np.repeat(np.arange(30), [80, 40, 20, 15, 10, 6, 5] + [2] * 1 + [1] * 22)
    elif column == "half alone":
        levels = np.concatenate([np.zeros(100, int), np.arange(1, 101)])
    elif column.isdigit():
        levels = rng.integers(0, int(column), 200)
    found = []
    for shuffled in oracle.shuffled(target, 1500, seed=7):
        if column in ("numeric", "5 values"):
            share = oracle.best_cut(shuffled, places)
            if column == "numeric":
                found.append(_core.log_p_of_even_threshold(chance, 199, 1, 199, share))
            else:
                found.append(_core.log_p_of_threshold(chance, places.astype(float).tolist(), share))
        else:
            share = oracle.between_levels(shuffled, levels)
            sizes = np.bincount(levels)
            sizes = sizes[sizes > 0].astype(float).tolist()
            found.append(_core.log_p_of_levels(chance, sizes, share))
    p = np.exp(found)
    assert 0.06 < (p <= 0.1).mean() < 0.145
    assert 0.2 < (p <= 0.3).mean() < 0.4


def test_p_falls_with_the_gain_and_never_underflows():
    for counts in ([5000, 5000], [9000, 1000], [4000, 3000, 3000]):
        chance = _core.chance_of_classes([float(c) for c in counts], 10000)
        shares = np.linspace(0.001, 1, 200)
        thresholds = [_core.log_p_of_even_threshold(chance, 9999, 1, 9999, s) for s in shares]
        levels = [_core.log_p_of_levels(chance, [100.0] * 100, s) for s in shares]
        for found in (thresholds, levels):
            assert np.isfinite(found).all()
            assert (np.diff(found) <= 1e-9).all()
        assert thresholds[-1] < -2000


def test_only_shares_of_weights_count():
    one = _core.chance_of_classes([30.0, 70.0], 100)
    other = _core.chance_of_classes([3.0, 7.0], 100)
    for share in (0.02, 0.2):
        assert _core.log_p_of_even_threshold(
            one, 99, 1, 99, share
        ) == _core.log_p_of_even_threshold(other, 99, 1, 99, share)


def test_more_cuts_gain_more_by_chance():
    chance = _core.chance_of_classes([100.0, 100.0], 200)
    found = [
        _core.log_p_of_crossings(chance, 0.0, 0.04),
        _core.log_p_of_even_threshold(chance, 4, 40, 160, 0.04),
        _core.log_p_of_even_threshold(chance, 161, 20, 180, 0.04),
        _core.log_p_of_even_threshold(chance, 199, 1, 199, 0.04),
    ]
    assert found == sorted(found)


def test_nodes_of_few_rows_tell_nothing():
    chance = _core.chance_of_classes([2.0, 1.0], 3)
    assert _core.log_p_of_even_threshold(chance, 2, 1, 2, 1.0) == 0.0
    assert _core.log_p_of_levels(chance, [2.0, 1.0], 1.0) == 0.0
    pure = _core.chance_of_classes([9.0, 0.0], 9)
    assert _core.log_p_of_levels(pure, [4.0, 5.0], 0.0) == 0.0


def test_the_choice_is_that_of_asking_all_columns():
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(500):
        rows = int(rng.integers(10, 400))
        first = rng.integers(1, rows)
        chance = _core.chance_of_classes([float(first), float(rows - first)], rows)
        columns = []
        for _ in range(8):
            cuts = int(rng.choice([1, 4, rows // 3 + 1, rows - 3, rows - 1]))
            gap = rows / (cuts + 1)
            columns.append([cuts, gap, rows - gap, float(rng.uniform(2, 9) / rows)])
        log_p = [_core.log_p_of_even_threshold(chance, *column) for column in columns]
        least = min(log_p)
        chosen = _core.choose_threshold(chance, columns)
        missed += log_p[chosen] > least + 0.05
        assert log_p[chosen] <= least + math.log(2)
    assert missed <= 5


def test_ties_go_to_the_lower_index():
    chance = _core.chance_of_classes([50.0, 50.0], 100)
    columns = [[99, 1, 99, 0.05], [99, 1, 99, 0.08], [99, 1, 99, 0.08]]
    assert _core.choose_threshold(chance, columns) == 1
    assert _core.choose_threshold(chance, []) == -1
