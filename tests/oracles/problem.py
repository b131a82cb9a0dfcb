"""What the greedy oracle works on: a table, a target, and the rows of a node.

Everything is plain NumPy. A column is an array of floats with NaN where the cell is missing; of
ordinal and nominal columns the numbers are those of the levels. Nothing here is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TIE = 1e-11  # times the impurity of the node: two gains that differ by less are a tie
SLACK = 1e-9  # numbers of rows are sums of fractions


@dataclass(frozen=True)
class Column:
    kind: str  # numeric, ordinal, nominal
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Some rows, or parts of rows: row numbers, their weights and the part of each that is here."""

    index: NDArray[np.int64]
    weight: NDArray[np.float64]
    fraction: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.index)

    @property
    def support(self) -> float:
        return float(self.fraction.sum())

    def where(self, mask: NDArray[np.bool_]) -> Rows:
        return Rows(self.index[mask], self.weight[mask], self.fraction[mask])

    def part(self, share: float) -> Rows:
        return Rows(self.index, self.weight * share, self.fraction * share)


def join(*parts: Rows) -> Rows:
    return Rows(
        np.concatenate([p.index for p in parts]),
        np.concatenate([p.weight for p in parts]),
        np.concatenate([p.fraction for p in parts]),
    )


@dataclass(frozen=True)
class Problem:
    columns: tuple[Column, ...]
    target: NDArray[Any]  # numbers of classes, or floats
    weights: NDArray[np.float64] | None = None
    classes: int = 0  # 0: regression
    criterion: str | Callable[[NDArray[np.float64]], float] = "gini"
    costs: NDArray[np.float64] | None = None
    min_support: float = 0.0
    categorical_split: str = "auto"
    missing: str = "fractional"
    growth: str = "depth_first"
    max_depth: int | None = None
    max_leaves: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_gain: float = 0.0

    def root(self) -> Rows:
        """All rows that take part: a row of weight zero is absent."""
        n = len(self.target)
        weights = np.ones(n) if self.weights is None else np.asarray(self.weights, dtype=float)
        index = np.flatnonzero(weights > 0)
        return Rows(index, weights[index], np.ones(len(index)))

    def cells(self, attribute: int, rows: Rows) -> NDArray[np.float64]:
        return self.columns[attribute].values[rows.index]

    # Whether a gain of zero can only mean that the children are distributed as the node is; only
    # then a split without gain is made.
    @property
    def strictly_concave(self) -> bool:
        if self.criterion == "gini":
            return self.costs is None
        return self.criterion in ("entropy", "squared_error")

    # Whether ordering the levels of two classes by class share is sure to hold the best partition.
    @property
    def concave(self) -> bool:
        return not callable(self.criterion) and self.min_support <= 0


def class_weights(problem: Problem, rows: Rows) -> NDArray[np.float64]:
    return np.bincount(
        problem.target[rows.index], weights=rows.weight, minlength=problem.classes
    ).astype(float)


def is_pure(problem: Problem, rows: Rows) -> bool:
    return len(set(problem.target[rows.index].tolist())) <= 1


def impurity(problem: Problem, rows: Rows) -> float:
    if callable(problem.criterion):
        return float("nan")
    if problem.classes == 0:
        y = problem.target[rows.index]
        if problem.criterion == "squared_error":
            mean = np.average(y, weights=rows.weight)
            return float(np.average((y - mean) ** 2, weights=rows.weight))
        # The best constant under absolute error is one of the targets: try them all.
        loss = np.abs(y[:, None] - y[None, :]) * rows.weight[:, None]
        return float(loss.sum(axis=0).min() / rows.weight.sum())
    share = class_weights(problem, rows) / rows.weight.sum()
    if problem.criterion == "entropy":
        positive = share[share > 0]
        return float(-(positive * np.log2(positive)).sum())
    if problem.criterion == "misclassification":
        return float(1.0 - share.max())
    if problem.costs is not None:
        return float(share @ problem.costs @ share)
    return float(1.0 - (share**2).sum())


def gain(problem: Problem, node: Rows, children: list[Rows]) -> float:
    """Score a partition: the drop of weighted impurity, or what the user's function says of it."""
    if problem.classes and problem.min_support > 0:
        supported = [class_weights(problem, c).max() >= problem.min_support for c in children]
    else:
        supported = [True] * len(children)
    if callable(problem.criterion):
        counts = [
            class_weights(problem, child) * good
            for child, good in zip(children, supported, strict=True)
        ]
        return float(problem.criterion(np.array(counts)))
    whole = impurity(problem, node)
    total = node.weight.sum()
    return float(
        sum(
            child.weight.sum() / total * (whole - impurity(problem, child))
            for child, good in zip(children, supported, strict=True)
            if good
        )
    )
