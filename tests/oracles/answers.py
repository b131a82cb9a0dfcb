"""What all small trees with all answers of their leaves can reach, nothing skipped."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Reached = frozenset[tuple[float, ...]]


@dataclass
class Answers:
    """Rows with classes; `columns` as the core takes them. Rows are bits of a Python integer."""

    columns: list[np.ndarray]
    labels: np.ndarray
    classes: int
    weights: np.ndarray | None = None
    costs: np.ndarray | None = None
    min_samples_leaf: int = 1
    _known: dict[tuple[int, int], dict[int, Reached]] = field(default_factory=dict)

    def splits(self) -> list[int]:
        return [
            sum(1 << int(row) for row in np.flatnonzero(codes <= code))
            for codes in self.columns
            for code in range(int(codes.max(initial=0)))
        ]

    def leaf(self, rows: int) -> Reached:
        """For every answer: its cost, and the weight of each class that gets another answer."""
        n = len(self.labels)
        inside = np.array([bool(rows >> row & 1) for row in range(n)])
        weights = np.ones(n) if self.weights is None else self.weights
        costs = 1 - np.eye(self.classes) if self.costs is None else self.costs
        of_class = np.bincount(self.labels[inside], weights[inside], minlength=self.classes).astype(
            float
        )
        found = []
        for answer in range(self.classes):
            missed = of_class.copy()
            missed[answer] = 0.0
            found.append((float(of_class @ costs[:, answer]), *map(float, missed)))
        return frozenset(found)

    def reached(self, rows: int, depth: int) -> dict[int, Reached]:
        """By number of leaves: every vector of cost and missed weights."""
        if (rows, depth) in self._known:
            return self._known[rows, depth]
        found: dict[int, set[tuple[float, ...]]] = {1: set(self.leaf(rows))}
        for split in self.splits() if depth else ():
            left, right = rows & split, rows & ~split
            if min(left.bit_count(), right.bit_count()) < self.min_samples_leaf:
                continue
            for a, some in self.reached(left, depth - 1).items():
                for b, others in self.reached(right, depth - 1).items():
                    found.setdefault(a + b, set()).update(
                        tuple(round(x + y, 9) for x, y in zip(one, other, strict=True))
                        for one in some
                        for other in others
                    )
        self._known[rows, depth] = {n: frozenset(some) for n, some in found.items()}
        return self._known[rows, depth]

    def least_f1_error(
        self, depth: int, positive: int, *, sparsity: float = 0.0, max_leaves: int = 10**9
    ) -> float:
        """The least 1 - F1 plus price of leaves."""
        weights = np.ones(len(self.labels)) if self.weights is None else self.weights
        p = weights[self.labels == positive].sum()
        least = np.inf
        for n, vectors in self.reached((1 << len(self.labels)) - 1, depth).items():
            for _, *missed in vectors if n <= max_leaves else ():
                missing, alarms = missed[positive], missed[1 - positive]
                f1 = 2 * (p - missing) / (2 * p - missing + alarms)
                least = min(least, 1 - f1 + sparsity * n)
        return least

    def least_cost(
        self, depth: int, most: dict[int, float], *, sparsity: float = 0.0, max_leaves: int = 10**9
    ) -> float:
        """The least cost plus price of leaves if classes miss at most these weights; or inf."""
        least = np.inf
        for n, vectors in self.reached((1 << len(self.labels)) - 1, depth).items():
            for cost, *missed in vectors if n <= max_leaves else ():
                if all(missed[c] <= limit + 1e-9 for c, limit in most.items()):
                    least = min(least, cost + sparsity * n)
        return least
