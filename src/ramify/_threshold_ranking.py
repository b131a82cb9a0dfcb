"""Thresholds for a numeric target, the most telling first: MID (Dal Maso 2024) by squared error.

Within a column, the next threshold is the one that lowers the squared error most, given those
already taken; the columns' lists are then merged by what each gains, heads first. Prefixes of the
ranking are therefore nested sets of features. For classes, :mod:`ramify.discretize` does this.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def squared_loss(sums: Floats) -> Floats:
    """Squared error around the mean, from sums of w, w*y and w*y*y."""
    with np.errstate(divide="ignore", invalid="ignore"):
        explained = np.where(sums[..., 0] > 0, sums[..., 1] ** 2 / sums[..., 0], 0.0)
    return np.asarray(np.maximum(sums[..., 2] - explained, 0.0))


def midpoint(lower: float, upper: float) -> float:
    """Give the middle, or the lower value where ``<=`` would not keep the two apart."""
    middle = lower / 2 + upper / 2
    return middle if lower <= middle < upper else lower


def rank_by_squared_error(columns: Sequence[Floats], sums: Floats) -> Iterator[tuple[int, float]]:
    """Rank the thresholds of all columns; what is not asked for is not computed.

    Parameters
    ----------
    columns : sequence of ndarray
        Numbers, NaN where missing; such rows are left out of their column's ranking.
    sums : ndarray of shape (rows, 3)
        Weight, weighted target and weighted square of every row.

    Yields
    ------
    (int, float)
        Position of the column, and threshold.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0, 4.0])
    >>> y = np.array([0.0, 0.0, 5.0, 4.0])
    >>> list(rank_by_squared_error([x], np.column_stack([np.ones(4), y, y * y])))
    [(0, 2.5), (0, 3.5)]
    """
    lists = [_ranked(column, sums) for column in columns]
    heads: list[tuple[float, int, float]] = []

    def advance(j: int) -> None:
        if (following := next(lists[j], None)) is not None:
            heapq.heappush(heads, (-following[0], j, following[1]))

    for j in range(len(lists)):
        advance(j)
    while heads:
        _, j, threshold = heapq.heappop(heads)
        yield j, threshold
        advance(j)


def _ranked(column: Floats, sums: Floats) -> Iterator[tuple[float, float]]:
    """Give gain and threshold of one column after the other; a heap holds each interval's best."""
    rows = np.flatnonzero(~np.isnan(column))
    rows = rows[np.argsort(column[rows], kind="stable")]
    if len(rows) == 0:
        return
    values = column[rows]
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    blocks = np.add.reduceat(sums[rows], starts, axis=0)
    values = values[starts]
    upto = np.vstack([np.zeros((1, sums.shape[1])), np.cumsum(blocks, axis=0)])
    # A cut between two blocks of one and the same value never lowers the loss.
    pairs = blocks[1:] + blocks[:-1]
    boundary = np.append(False, squared_loss(pairs) > 1e-12 * np.abs(pairs).sum(axis=1))

    def best(first: int, end: int) -> tuple[float, int, int, int] | None:
        cuts = np.flatnonzero(boundary[first + 1 : end]) + first + 1
        if len(cuts) == 0:
            return None
        parts = squared_loss(upto[cuts] - upto[first]) + squared_loss(upto[end] - upto[cuts])
        at = int(np.argmin(parts))
        gain = float(squared_loss(upto[end] - upto[first]) - parts[at])
        return -gain, int(cuts[at]), first, end

    heap = [one for one in [best(0, len(values))] if one is not None]
    while heap:
        gain, cut, first, end = heapq.heappop(heap)
        yield -gain, midpoint(float(values[cut - 1]), float(values[cut]))
        for part in (best(first, cut), best(cut, end)):
            if part is not None:
                heapq.heappush(heap, part)
