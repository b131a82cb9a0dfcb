"""GreedyCut and LocalSearch as Pereira's program ran them: once, the levels in one given order.

The library's `greedy_cut` enumerates where that is cheap and tries several orders elsewhere, so its
result does not depend on the order. The printed figures do: the program visits the levels in the
order in which the file names them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
LEAST = 1e-11  # of all weight: less is no improvement


def squared_gini_weights(counts: Matrix) -> Matrix:
    """Give the weight of every pair of levels by lemma 9."""
    rows = counts.sum(axis=1)
    return 2.0 * (np.outer(rows, rows) - counts @ counts.T) / rows.sum() ** 2


def chi2_weights(counts: Matrix) -> Matrix:
    """Give the chi-square of every pair of levels alone."""
    rows = counts.sum(axis=1)
    weights = np.zeros((len(counts), len(counts)))
    for i, (row, total) in enumerate(zip(counts, rows, strict=True)):
        apart = (row * rows[:, None] - counts * total) ** 2
        both = row + counts
        terms = np.divide(apart, both, out=np.zeros_like(apart), where=both > 0)
        weights[i] = terms.sum(axis=1) / (total * rows)
    np.fill_diagonal(weights, 0.0)
    return weights


def one_order_cut(weights: Matrix) -> tuple[NDArray[np.bool_], float]:
    """Give the side of every level and the weight of the cut, levels visited as they stand."""
    n = len(weights)
    weights = weights.copy()
    np.fill_diagonal(weights, 0.0)
    right = np.zeros(n, bool)
    for i in range(n):
        placed = weights[i, :i]
        right[i] = placed[~right[:i]].sum() > placed[right[:i]].sum()
    least = LEAST * weights.sum() / 2.0
    while True:
        sign = np.where(right, 1.0, -1.0)
        gains = sign * (weights @ sign)  # what the cut gains if one level changes sides
        better = np.flatnonzero(gains > least)
        if len(better):
            right[better[0]] ^= True
            continue
        left, other = np.flatnonzero(~right), np.flatnonzero(right)
        pairs = gains[left][:, None] + gains[other] + 2.0 * weights[np.ix_(left, other)]
        better = np.flatnonzero(pairs.ravel() > least)
        if not len(better):
            return right, float(weights[np.ix_(left, other)].sum())
        i, j = divmod(int(better[0]), len(other))
        right[left[i]] ^= True
        right[other[j]] ^= True
