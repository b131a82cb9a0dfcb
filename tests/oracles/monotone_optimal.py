"""Optimal trees whose predictions keep an order, by brute force over all trees of a table.

A tree keeps the order if at every split by a monotone column no leaf on the side that must not
predict more predicts more than any leaf on the other side. A split that only tells whether the
value of the column is known has no order. Of trees for the same rows with as many leaves, one that
costs no less and whose leaves reach no less far is passed over; nothing else is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

TIE = 1e-9
#: Loss, lowest and highest value of each output.
Kind = tuple[float, tuple[float, ...], tuple[float, ...]]


@dataclass
class MonotoneOracle:
    """A table of numbers, levels and holes; `signs` by column: sign and class (or 0)."""

    X: pd.DataFrame
    y: np.ndarray
    signs: dict[str, tuple[int, int]]
    classes: int = 0  # 0: numbers
    weights: np.ndarray | None = None
    costs: np.ndarray | None = None
    min_samples_leaf: int = 1
    criterion: str = "squared_error"
    columns: tuple[str, ...] | None = None  # that may be asked; None is all
    _known: dict[tuple[int, int], dict[int, list[Kind]]] = field(default_factory=dict)
    _questions: list[tuple[str, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.outputs = sorted({of_class for sign, of_class in self.signs.values() if sign})
        for name in self.X if self.columns is None else self.columns:
            column = self.X[name]
            missing = column.isna().to_numpy()
            known = _set(~missing)
            if isinstance(column.dtype, pd.CategoricalDtype):
                column = column.cat.codes.where(column.notna(), np.nan)
            values = sorted(set(column[~missing]))
            if column.dtype.kind in "fi":
                sets = [values[:i] for i in range(1, len(values))]
            else:
                sets = [
                    [v for b, v in enumerate(values) if bits >> b & 1]
                    for bits in range(1, 2 ** (len(values) - 1))
                ]
            for chosen in sets:
                inside = column.isin(chosen).to_numpy()
                self._questions.append((name, _set(inside & ~missing), known))
                self._questions.append((name, _set(inside | missing), known))
            self._questions.append((name, known, known))

    @property
    def all(self) -> int:
        return (1 << len(self.y)) - 1

    def leaf(self, rows: int) -> Kind:
        """The loss of a leaf, and what it predicts."""
        index = [row for row in range(len(self.y)) if rows >> row & 1]
        w = (np.ones(len(self.y)) if self.weights is None else self.weights)[index]
        y = self.y[index]
        if not self.classes:
            mean = float(np.average(y, weights=w))
            with np.errstate(divide="ignore", invalid="ignore"):
                log = np.where(y > 0, np.log(y / mean), 0.0)
            by_row = {
                "squared_error": (y - mean) ** 2,
                "poisson": np.where(y > 0, y * log, 0.0) - (y - mean),
                "gamma": y / mean - 1 - log if mean > 0 else np.zeros(len(y)),
            }[self.criterion]
            return float((w * by_row).sum()), (mean,), (mean,)
        sums = np.bincount(y, w, minlength=self.classes)
        costs = 1 - np.eye(self.classes) if self.costs is None else self.costs
        shares = tuple(float(sums[c] / sums.sum()) for c in self.outputs)
        return float((sums @ costs).min()), shares, shares

    def trees(self, rows: int, depth: int) -> dict[int, list[Kind]]:
        """Every tree that is not passed over, by its number of leaves."""
        if (rows, depth) in self._known:
            return self._known[rows, depth]
        found: dict[int, list[Kind]] = {1: [self.leaf(rows)]}
        seen = set()
        for name, left, known in self._questions if depth else ():
            one, other = rows & left, rows & ~left
            if min(one.bit_count(), other.bit_count()) < self.min_samples_leaf:
                continue
            if (name, one, other) in seen:
                continue
            seen.add((name, one, other))
            sign, of_class = self.signs.get(name, (0, 0))
            if not one & known or not other & known:
                sign = 0
            o = self.outputs.index(of_class) if sign else 0
            for a, below in self.trees(one, depth - 1).items():
                for b, above in self.trees(other, depth - 1).items():
                    for first in below:
                        for second in above:
                            less, more = (first, second) if sign > 0 else (second, first)
                            if sign and less[2][o] > more[1][o] + TIE:
                                continue
                            add_kind(found.setdefault(a + b, []), join_kinds(first, second))
        self._known[rows, depth] = found
        return found

    def objective(self, depth: int, *, sparsity: float = 0.0, max_leaves: int = 10**9) -> float:
        """The least loss plus price of leaves."""
        found = self.trees(self.all, depth)
        return min(
            tree[0] + sparsity * n for n, kind in found.items() if n <= max_leaves for tree in kind
        )


def _set(rows: Any) -> int:
    return sum(1 << int(row) for row in np.flatnonzero(rows))


def join_kinds(a: Kind, b: Kind) -> Kind:
    """Two trees as the branches of one."""
    return (
        a[0] + b[0],
        tuple(map(min, a[1], b[1])),
        tuple(map(max, a[2], b[2])),
    )


def add_kind(kinds: list[Kind], new: Kind) -> None:
    """Add a tree unless another one is as good in every respect."""
    for one in kinds:
        if (
            one[0] <= new[0]
            and all(map(float.__ge__, one[1], new[1]))
            and all(map(float.__le__, one[2], new[2]))
        ):
            return
    kinds[:] = [
        one
        for one in kinds
        if not (
            new[0] <= one[0]
            and all(map(float.__ge__, new[1], one[1]))
            and all(map(float.__le__, new[2], one[2]))
        )
    ]
    kinds.append(new)
