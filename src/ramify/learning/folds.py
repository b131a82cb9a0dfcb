"""Dealing rows to folds, and holding rows out: at random from a seed, class by class or not.

Invariant: the same rows, seed and classes give the same parts on every machine.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

RowIndices = NDArray[np.intp]
Seed = int | tuple[int, ...]


def deal(
    target: NDArray[Any], rows: RowIndices, n_folds: int, seed: Seed, *, by_class: bool
) -> NDArray[np.int32]:
    """Give the fold of every row of `target`; -1 if it is not among `rows`.

    With fewer rows than folds, every row is a fold of its own.
    """
    shuffled = _shuffle(target, rows, seed, by_class=by_class)
    folds = np.full(len(target), -1, dtype=np.int32)
    folds[shuffled] = np.arange(len(shuffled)) % min(n_folds, max(len(rows), 1))
    return folds


def hold_out(
    target: NDArray[Any],
    rows: RowIndices,
    fraction: float,
    seed: Seed,
    *,
    by_class: bool,
    nearest: bool = False,
) -> tuple[RowIndices, RowIndices]:
    """Divide rows in two: those to learn from, and a fraction that is held out.

    The number held out is rounded down, or with `nearest` to the nearest number. With `by_class`,
    each class has its share in both parts, give or take a row.
    """
    shuffled = _shuffle(target, rows, seed, by_class=by_class)
    counts = np.floor(np.arange(len(rows) + 1) * fraction + (0.5 if nearest else 0.0))
    held_out = np.diff(counts) > 0
    return np.sort(shuffled[~held_out]), np.sort(shuffled[held_out])


def hold_out_of_each_class(
    target: NDArray[Any], rows: RowIndices, fraction: float, seed: Seed
) -> tuple[RowIndices, RowIndices]:
    """Divide rows in two, like :func:`hold_out`, so that both parts have all classes.

    A class of two or more rows has at least one in each part. The only row of a class is learned
    from.
    """
    shuffled = _shuffle(target, rows, seed, by_class=True)
    first, count = np.unique(target[shuffled], return_index=True, return_counts=True)[1:]
    taken = np.minimum(np.maximum(1, np.rint(fraction * count)), count - 1)
    place = np.arange(len(shuffled)) - np.repeat(first, count)  # within the class
    held_out = place < np.repeat(taken, count)
    return np.sort(shuffled[~held_out]), np.sort(shuffled[held_out])


def k_fold(
    target: NDArray[Any], n_folds: int, seed: int, *, by_class: bool
) -> list[tuple[RowIndices, RowIndices]]:
    """Give the rows to learn from and the rows to test on, for each fold of scikit-learn."""
    from sklearn.model_selection import KFold, StratifiedKFold

    kind = StratifiedKFold if by_class else KFold
    return split_quietly(kind(n_folds, shuffle=True, random_state=seed), target)


def first_fold(
    target: NDArray[Any], n_folds: int, seed: int, *, by_class: bool
) -> tuple[RowIndices, RowIndices]:
    """Give the first of the folds of :func:`k_fold`, without making the others."""
    from sklearn.model_selection import KFold, StratifiedKFold

    kind = StratifiedKFold if by_class else KFold
    splitter = kind(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        train, test = next(iter(splitter.split(np.zeros(len(target)), target)))
    return train, test


def split_quietly(splitter: Any, target: NDArray[Any]) -> list[tuple[RowIndices, RowIndices]]:
    """Split as scikit-learn does, without its warning about classes of fewer rows than folds."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        return list(splitter.split(np.zeros(len(target)), target))


def _shuffle(target: NDArray[Any], rows: RowIndices, seed: Seed, *, by_class: bool) -> RowIndices:
    """Give the rows in random order, one class after the other if `by_class`."""
    shuffled = np.random.default_rng(seed).permutation(rows)
    if by_class:
        shuffled = shuffled[np.argsort(target[shuffled], kind="stable")]
    return shuffled
