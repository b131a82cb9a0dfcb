"""Greedy growth under constraints, written slowly: every cut is tried, and judged by its children.

A cut is a candidate if both children weigh enough, have values within the bounds of the node and,
if the column is monotone, are in order. Columns are numeric; NaN is a hole, which takes the better
side or stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

TIE = 1e-10


@dataclass
class Rules:
    """What a tree must satisfy: signs of columns, the class that is meant, a weight."""

    signs: Sequence[int]
    of_class: int | None  # None: the target is a number
    least_weight: float = 0.0
    max_depth: int = 3
    entropy: bool = False

    def value(self, y: Any, w: Any) -> float:
        """The constrained value of some rows: a share, or the mean."""
        return float(np.average(y if self.of_class is None else y == self.of_class, weights=w))

    def impurity(self, y: Any, w: Any) -> float:
        """The impurity of some rows."""
        if self.of_class is None:
            return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
        shares = np.bincount(y, weights=w) / w.sum()
        if self.entropy:
            present = shares[shares > 0]
            return float(-(present * np.log2(present)).sum())
        return float(1 - (shares**2).sum())


def predictions(X: Any, y: Any, w: Any, rules: Rules) -> np.ndarray:
    """The constrained value of every training row's leaf."""
    found = np.empty(len(y))

    def grow(rows: Any, low: float, high: float, depth: int) -> None:
        found[rows] = rules.value(y[rows], w[rows])
        split = best_split(X[rows], y[rows], w[rows], low, high, rules)
        if depth == rules.max_depth or split is None:
            return
        column, left, ordered = split
        one, other = rows[left], rows[~left]
        bounds = [(low, high), (low, high)]
        if ordered:
            values = rules.value(y[one], w[one]), rules.value(y[other], w[other])
            middle = sum(values) / 2
            below, above = (low, middle), (middle, high)
            bounds = [below, above] if rules.signs[column] > 0 else [above, below]
        grow(one, *bounds[0], depth + 1)
        grow(other, *bounds[1], depth + 1)

    grow(np.arange(len(y)), -np.inf, np.inf, 0)
    return found


def best_split(X: Any, y: Any, w: Any, low: float, high: float, rules: Rules) -> Any:
    """The column, the rows on the left, and whether the sides are in order; None: no split."""
    if len(np.unique(y)) < 2:
        return None
    whole = rules.impurity(y, w)
    best, gain_of_best = None, -np.inf
    for column, sign in enumerate(rules.signs):
        for left, apart in cuts(X[:, column]):
            ordered = sign != 0 and not apart
            weights = w[left].sum(), w[~left].sum()
            values = rules.value(y[left], w[left]), rules.value(y[~left], w[~left])
            if min(weights) < rules.least_weight * (1 - 1e-9):
                continue
            if min(values) < low or max(values) > high:
                continue
            if ordered and sign * (values[1] - values[0]) < 0:
                continue
            parts = [rules.impurity(y[side], w[side]) for side in (left, ~left)]
            gain = whole - np.average(parts, weights=weights)
            if gain > gain_of_best + TIE * whole:
                best, gain_of_best = (column, left, ordered), gain
    if rules.of_class is None and gain_of_best <= TIE * whole:
        return None
    return best


def cuts(values: Any) -> Any:
    """The rows left of every cut, and whether it sets the holes apart."""
    missing = np.isnan(values)
    thresholds = np.unique(values[~missing])
    for holes_left in (True, False) if missing.any() else (False,):
        for threshold in thresholds[:-1]:
            yield (values <= threshold) | (missing & holes_left), False
    if missing.any() and not missing.all():
        yield ~missing, True
