"""The size of trees that count errors (GG), if chance decides among splits that tie.

Only for numeric columns without missing values. There is a threshold wherever neighbouring values
differ. The split with the fewest errors is made, even if it saves none, until a node is pure or
constant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def best_cuts(X: Floats, y: Codes, k: int) -> list[tuple[int, float]]:
    """Give all columns and thresholds that have the fewest errors."""
    n, found, fewest = len(y), [], np.inf
    for column in range(X.shape[1]):
        order = np.argsort(X[:, column], kind="stable")
        values, labels = X[order, column], y[order]
        cut = np.flatnonzero(values[1:] > values[:-1])
        if not len(cut):
            continue
        left = np.cumsum(labels[:, None] == np.arange(k), axis=0)
        right = left[-1] - left[cut]
        errors = n - left[cut].max(axis=1) - right.max(axis=1)
        if errors.min() < fewest:
            fewest, found = errors.min(), []
        for at in cut[errors == fewest]:
            found.append((column, float(values[at] + (values[at + 1] - values[at]) / 2)))
    return found


def collapsed_size(X: Floats, y: Codes, k: int, rng: np.random.Generator) -> int:
    """Grow a tree and count its nodes, without the splits that change no prediction."""
    return _grow(X, y, k, rng)[0]


def _grow(X: Floats, y: Codes, k: int, rng: np.random.Generator) -> tuple[int, int | None]:
    """Give the nodes of a subtree, and its label if all its leaves have the same."""
    counts = np.bincount(y, minlength=k)
    label = int(counts.argmax())
    cuts = best_cuts(X, y, k) if counts.max() < len(y) else []
    if not cuts:
        return 1, label
    column, at = cuts[rng.integers(len(cuts))]
    left = X[:, column] <= at
    (a, one), (b, other) = (_grow(X[side], y[side], k, rng) for side in (left, ~left))
    if one is not None and one == other:
        return 1, one
    return 1 + a + b, None
