"""Rows dealt to folds and held out: whose share each class gets, and what a seed fixes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ramify.learning.folds import deal, hold_out, hold_out_of_each_class, k_fold

CLASSES = np.random.default_rng(3).integers(0, 4, 203)
ROWS = np.flatnonzero(np.arange(203) % 5)


def test_folds_have_their_share_of_every_class() -> None:
    folds = deal(CLASSES, ROWS, 7, 1, by_class=True)
    assert set(np.flatnonzero(folds < 0)) == set(range(203)) - set(ROWS)
    counts = np.array([np.bincount(CLASSES[folds == k], minlength=4) for k in range(7)])
    assert (np.ptp(counts, axis=0) <= 1).all() and np.ptp(counts.sum(axis=1)) <= 1
    assert set(deal(CLASSES, ROWS[:3], 7, 1, by_class=False)) == {-1, 0, 1, 2}


@pytest.mark.parametrize("by_class", [True, False])
@pytest.mark.parametrize(("nearest", "count"), [(True, 41), (False, 40)])
def test_a_fraction_is_held_out(by_class: bool, nearest: bool, count: int) -> None:
    kept, held = hold_out(CLASSES, ROWS, 0.25, 5, by_class=by_class, nearest=nearest)
    assert sorted([*kept, *held]) == ROWS.tolist()
    assert len(ROWS) == 162 and len(held) == count
    if by_class:
        shares = np.bincount(CLASSES[held]) - 0.25 * np.bincount(CLASSES[ROWS])
        assert (np.abs(shares) <= 1).all()
    again = hold_out(CLASSES, ROWS, 0.25, 5, by_class=by_class, nearest=nearest)
    np.testing.assert_array_equal(again[1], held)


def reference(codes: Any, rows: Any, fraction: float, seed: int) -> list[int]:
    shuffled, held = np.random.default_rng(seed).permutation(rows), []
    for code in np.unique(codes[rows]):
        own = shuffled[codes[shuffled] == code]
        held += own[: min(max(1, round(fraction * len(own))), len(own) - 1)].tolist()
    return sorted(held)


@pytest.mark.parametrize("seed", range(20))
def test_no_class_with_two_rows_is_left_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 6, 30) ** 2
    rows = np.flatnonzero(rng.random(30) < 0.7)
    fraction = float(rng.choice([0.01, 0.1, 0.25, 0.5, 0.9]))
    kept, held = hold_out_of_each_class(codes, rows, fraction, seed)
    assert held.tolist() == reference(codes, rows, fraction, seed)
    assert sorted([*kept, *held]) == rows.tolist()


def test_folds_of_scikit_learn_without_its_warning(recwarn: Any) -> None:
    parts = k_fold(np.array([0] * 9 + [1]), 3, 0, by_class=True)
    assert sorted(row for _, test in parts for row in test) == list(range(10))
    assert not recwarn.list
