"""All trees near the best, by listing every tree.

Two trees are the same if they have the same shape and ask, in each inner node, the same column for
the same division of its rows. Sides may be swapped. A split of which both branches are leaves with
the same answer is left out, unless idle splits are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

#: None is a leaf; otherwise column, rows of one side, and the trees of both sides.
Tree = tuple[int, int, Any, Any] | None


@dataclass
class NearOracle:
    """Rows are bits of an integer; `columns` are codes, `owner` the column that each belongs to."""

    columns: list[np.ndarray]
    owner: list[int]
    y: np.ndarray
    classes: int = 0  # 0: numbers
    weights: np.ndarray | None = None
    costs: np.ndarray | None = None
    min_samples_leaf: int = 1
    idle: bool = False

    @cached_property
    def row_weights(self) -> np.ndarray:
        return np.ones(len(self.y)) if self.weights is None else self.weights

    @cached_property
    def splits(self) -> list[tuple[int, int]]:
        return [
            (self.owner[c], sum(1 << int(row) for row in np.flatnonzero(codes <= code)))
            for c, codes in enumerate(self.columns)
            for code in range(int(codes.max(initial=0)))
        ]

    def index(self, rows: int) -> list[int]:
        return [row for row in range(len(self.y)) if rows >> row & 1]

    def leaf(self, rows: int) -> tuple[float, float]:
        """Loss and answer."""
        at = self.index(rows)
        w, y = self.row_weights[at], self.y[at]
        if not self.classes:
            mean = np.average(y, weights=w)
            return float((w * (y - mean) ** 2).sum()), float(mean)
        costs = 1 - np.eye(self.classes) if self.costs is None else self.costs
        losses = np.bincount(y, w, minlength=self.classes) @ costs
        best = int(np.flatnonzero(losses <= losses.min() + 1e-9)[0])
        return float(losses[best]), best

    def trees(self, rows: int, depth: int) -> Iterator[Tree]:
        """Every tree for some rows."""
        yield None
        if depth == 0:
            return
        seen = set()
        for column, split in self.splits:
            left, right = rows & split, rows & ~split
            if min(left.bit_count(), right.bit_count()) < self.min_samples_leaf:
                continue
            if (column, min(left, right)) in seen:
                continue
            seen.add((column, min(left, right)))
            below = list(self.trees(right, depth - 1))
            same = abs(self.leaf(left)[1] - self.leaf(right)[1]) < 1e-12
            for one in self.trees(left, depth - 1):
                for other in below:
                    if same and one is None and other is None and not self.idle:
                        continue
                    yield (column, left, one, other)

    def leaves(self, tree: Tree, rows: int) -> list[int]:
        if tree is None:
            return [rows]
        _, left, one, other = tree
        return self.leaves(one, left) + self.leaves(other, rows & ~left)

    def used(self, tree: Tree) -> set[int]:
        return set() if tree is None else {tree[0]} | self.used(tree[2]) | self.used(tree[3])

    def answers(self, tree: Tree) -> np.ndarray:
        found = np.zeros(len(self.y))
        for rows in self.leaves(tree, self.all):
            found[self.index(rows)] = self.leaf(rows)[1]
        return found

    def impurity(self, rows: int) -> float:
        at = self.index(rows)
        w, y = self.row_weights[at], self.y[at]
        if not self.classes:
            return self.leaf(rows)[0]
        sums = np.bincount(y, w, minlength=self.classes)
        return float(sums.sum() - (sums**2).sum() / sums.sum())

    def importance(self, tree: Tree, column: int, rows: int) -> float:
        """The share of the impurity of all rows that splits by a column remove."""
        if tree is None:
            return 0.0
        _, left, one, other = tree
        right = rows & ~left
        gain = self.impurity(rows) - self.impurity(left) - self.impurity(right)
        below = self.importance(one, column, left) + self.importance(other, column, right)
        return gain / self.impurity(self.all) * (tree[0] == column) + below

    @property
    def all(self) -> int:
        return (1 << len(self.y)) - 1

    def near(
        self, depth: int, epsilon: float, *, sparsity: float = 0.0, max_leaves: int = 10**9
    ) -> list[tuple[float, int, Tree]]:
        """Objective, leaves and tree of all that are within `epsilon` of the best, best first."""
        found = []
        for tree in self.trees(self.all, depth):
            parts = self.leaves(tree, self.all)
            if len(parts) <= max_leaves:
                objective = sum(self.leaf(rows)[0] + sparsity for rows in parts)
                found.append((objective, len(parts), tree))
        best = min(objective for objective, _, _ in found)
        kept = [one for one in found if one[0] <= best + epsilon + 1e-9]
        return sorted(kept, key=lambda one: (round(one[0], 7), one[1]))
