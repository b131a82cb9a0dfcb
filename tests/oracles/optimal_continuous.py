"""Optimal trees over all thresholds by plain recursion: every split, every share of leaves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Limits:
    """The limits a tree has to keep."""

    max_depth: int
    max_leaves: int = 10**9
    min_samples_leaf: int = 1
    sparsity: float = 0.0


def leaf_loss(
    labels: npt.NDArray[np.int32], weights: npt.NDArray[np.float64], costs: npt.NDArray[np.float64]
) -> float:
    """Cost of the best single prediction."""
    by_class = np.bincount(labels, weights, minlength=len(costs))
    return float((by_class @ costs).min())


def squared_error(target: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    """Weighted squared error around the weighted mean."""
    mean = np.average(target, weights=weights)
    return float((weights * (target - mean) ** 2).sum())


def best_objective(columns, loss_of, rows: int, limits: Limits) -> float:
    """Least objective of any tree; `loss_of` takes an array of rows."""
    codes = np.asarray(columns)

    @cache
    def best(cover: tuple[int, ...], depth: int, leaves: int) -> float:
        own = np.array(cover)
        value = loss_of(own) + limits.sparsity
        if depth == 0 or leaves < 2:
            return value
        for column in codes:
            for code in np.unique(column[own])[:-1]:
                left = own[column[own] <= code]
                right = own[column[own] > code]
                if min(len(left), len(right)) < limits.min_samples_leaf:
                    continue
                for share in range(1, leaves):
                    value = min(
                        value,
                        best(tuple(left), depth - 1, share)
                        + best(tuple(right), depth - 1, leaves - share),
                    )
        return value

    most = min(limits.max_leaves, 2**limits.max_depth)
    return best(tuple(range(rows)), limits.max_depth, most)


def objective_of(nodes, columns, loss_of, rows: int, limits: Limits) -> float:
    """The objective of a tree of (column, code, left, right); checks that it keeps the limits."""
    codes = np.asarray(columns)

    def walk(at: int, own, depth: int) -> tuple[float, int]:
        column, code, left, right = nodes[at]
        if column < 0:
            assert len(own) >= limits.min_samples_leaf
            return loss_of(own) + limits.sparsity, 1
        assert depth < limits.max_depth
        inside = codes[column][own] <= code
        a, left_leaves = walk(left, own[inside], depth + 1)
        b, right_leaves = walk(right, own[~inside], depth + 1)
        return a + b, left_leaves + right_leaves

    objective, leaves = walk(0, np.arange(rows), 0)
    assert leaves <= limits.max_leaves
    return objective
