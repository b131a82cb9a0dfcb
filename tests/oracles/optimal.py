"""Optimal trees by brute force: every tree of a depth is tried, and nothing is skipped.

Rows are bits of a Python integer. For a set of rows and a depth, the least loss is known for every
number of leaves, so that limits and prices of leaves are settled at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oracles.number_leaf import least_loss

Losses = dict[int, float]  # number of leaves -> least loss


@dataclass
class Oracle:
    """A problem as ``_core.optimal_tree`` takes it."""

    columns: list[np.ndarray]
    labels: np.ndarray | None = None
    classes: int = 0
    target: np.ndarray | None = None
    weights: np.ndarray | None = None
    costs: np.ndarray | None = None
    loss: str = "squared"  # of numbers
    quantile: float = 0.5
    min_samples_leaf: int = 1
    _known: dict[tuple[int, int], Losses] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(self.labels if self.target is None else self.target)

    def splits(self) -> list[int]:
        """Every split of every column, as the set of rows that it sends to the left."""
        return [
            sum(1 << int(row) for row in np.flatnonzero(codes <= code))
            for codes in self.columns
            for code in range(int(codes.max(initial=0)))
        ]

    def leaf(self, rows: int) -> float:
        index = [row for row in range(self.n_rows) if rows >> row & 1]
        weights = np.ones(self.n_rows) if self.weights is None else self.weights
        if self.target is not None:
            y, w = self.target[index], weights[index]
            if self.loss != "squared":
                return least_loss(y, w, self.loss, self.quantile)
            mean = (w * y).sum() / w.sum() if index else 0.0
            return float((w * (y - mean) ** 2).sum())
        costs = 1 - np.eye(self.classes) if self.costs is None else self.costs
        loss = sum((weights[row] * costs[self.labels[row]] for row in index), np.zeros(1))
        return float(np.min(loss))

    def losses(self, rows: int, depth: int) -> Losses:
        if (rows, depth) in self._known:
            return self._known[rows, depth]
        best: Losses = {1: self.leaf(rows)}
        for split in self.splits() if depth else ():
            left, right = rows & split, rows & ~split
            if min(left.bit_count(), right.bit_count()) < self.min_samples_leaf:
                continue
            for a, below in self.losses(left, depth - 1).items():
                for b, above in self.losses(right, depth - 1).items():
                    best[a + b] = min(best.get(a + b, np.inf), below + above)
        self._known[rows, depth] = best
        return best

    def objective(self, depth: int, *, sparsity: float = 0.0, max_leaves: int = 10**9) -> float:
        """The least loss plus price of leaves."""
        found = self.losses((1 << self.n_rows) - 1, depth)
        return min(loss + sparsity * n for n, loss in found.items() if n <= max_leaves)

    def of_tree(self, nodes: Any, sparsity: float = 0.0) -> tuple[float, list[int], int]:
        """The objective of a tree, the sizes of its leaves, and its depth."""

        def walk(node: int, rows: np.ndarray, depth: int) -> tuple[float, list[int], int]:
            column, code, left, right = nodes[node]
            if column < 0:
                loss = self.leaf(sum(1 << int(row) for row in rows))
                return loss + sparsity, [len(rows)], depth
            below = self.columns[column][rows] <= code
            one = walk(left, rows[below], depth + 1)
            other = walk(right, rows[~below], depth + 1)
            return one[0] + other[0], one[1] + other[1], max(one[2], other[2])

        return walk(0, np.arange(self.n_rows), 0)
