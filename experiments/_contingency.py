"""Random contingency tables in batches, and the scan of an order on all of them at once in NumPy.

Used to vary details of a search that the library does not offer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LARGEST = 7


def draw(rng: np.random.Generator, runs: int, n: int, k: int) -> Floats:
    """Draw tables with entries uniform on 0..7; one with an empty row or column is drawn again."""
    tables = rng.integers(0, LARGEST + 1, (runs, n, k)).astype(np.float64)
    while True:
        empty = (tables.sum(2) == 0).any(1) | (tables.sum(1) == 0).any(1)
        if not empty.any():
            return tables
        tables[empty] = rng.integers(0, LARGEST + 1, (int(empty.sum()), n, k))


def merge_supervalues(tables: Floats) -> Floats:
    """Add up rows with the same class distribution; the rows that are left over are empty."""
    whole = tables.astype(np.int64)
    reduced = whole // np.gcd.reduce(whole, axis=2)[..., None]
    code = (reduced * (LARGEST + 1) ** np.arange(tables.shape[2])).sum(2)
    order = np.argsort(code, axis=1, kind="stable")
    group = np.diff(np.take_along_axis(code, order, 1), axis=1, prepend=-1) != 0
    merged = np.zeros_like(tables)
    place = (np.arange(len(tables))[:, None], np.cumsum(group, axis=1) - 1)
    np.add.at(merged, place, np.take_along_axis(tables, order[..., None], 1))
    return merged


def impurity(left: Floats, total: Floats, criterion: str) -> Floats:
    """Give the mean impurity of two sides, by weight; left (batch, cuts, k), total (batch, k)."""
    weighted = np.zeros(left.shape[:2])
    for side in (left, total[:, None] - left):
        weight = side.sum(-1)
        if criterion == "gini":
            weighted += weight - (side**2).sum(-1) / np.maximum(weight, 1.0)
        else:
            weighted += _x_log_x(weight) - _x_log_x(side).sum(-1)
    found: Floats = weighted / total.sum(-1)[:, None]
    return found


def _x_log_x(x: Floats) -> Floats:
    found: Floats = x * np.log2(np.maximum(x, 1.0))  # of counts, only zero is below one
    return found


def scan(tables: Floats, key: Floats, criterion: str, *, exchanges: bool) -> Floats:
    """Give the least impurity of the cuts in ascending order of key; empty rows come last.

    With exchanges, every cut is also tried with the last row on the left and the first on the right
    exchanged.
    """
    key = np.where(tables.sum(2) > 0, key, np.inf)
    order = np.argsort(key, axis=1, kind="stable")
    rows = np.take_along_axis(tables, order[..., None], 1)
    total = tables.sum(1)
    left = np.cumsum(rows, axis=1)[:, :-1]
    least = impurity(left, total, criterion).min(1)
    if exchanges:
        exchanged = left - rows[:, :-1] + rows[:, 1:]
        least = np.minimum(least, impurity(exchanged, total, criterion).min(1))
    return least


def component_scores(
    tables: Floats,
    *,
    of: str = "shares",
    weighted: bool = True,
    centred: bool = True,
    correlation: bool = False,
    scores: str = "shares",
) -> Floats:
    """Give the scores of the rows on the first principal component.

    `of` says what the component is computed from, class shares or counts; `scores` says what is
    projected on it. The defaults are those of the library (Coppersmith et al. 1999; Shi 2007,
    section 3.2.2).
    """
    weight = tables.sum(2)
    shares = tables / np.maximum(weight, 1.0)[..., None]
    x = shares if of == "shares" else tables
    w = weight if weighted else (weight > 0).astype(np.float64)
    if centred:
        x = x - (x * w[..., None]).sum(1, keepdims=True) / w.sum(1)[:, None, None]
    matrix = np.einsum("bni,bn,bnj->bij", x, w, x)
    if correlation:
        deviation = np.sqrt(np.einsum("bii->bi", matrix))
        matrix = matrix / (deviation[:, :, None] * deviation[:, None, :])
    component = np.linalg.eigh(matrix)[1][..., -1]
    found: Floats = np.einsum("bni,bi->bn", shares if scores == "shares" else tables, component)
    return found
