"""What the greedy oracle works on: a table, a target, and the rows of a node.

Everything is plain NumPy. A column is an array of floats with NaN where the cell is missing; in
ordinal and nominal columns they are the numbers of the levels. Nothing here is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracles import criteria

TIE = 1e-11  # times the impurity of the node: two gains that differ by less are a tie
PLATEAUS = (
    "misclassification",
    "generalized_gini",
    "maxdif",
    "squared_gini",
    "absolute_error",
    "quantile",
)
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
    quantile: float = 0.5
    costs: NDArray[np.float64] | None = None
    min_support: float = 0.0
    categorical_split: str = "auto"
    missing: str = "fractional"
    missing_gain: str = "known"
    missing_count: str = "parts"
    growth: str = "depth_first"
    max_depth: int | None = None
    max_leaves: int | None = None
    max_expansions: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_split: float = 0.0
    abandon_small: bool = False
    min_gain: float = 0.0
    selection: str = "criterion"
    alpha: float = 0.05
    bonferroni: bool = True
    significance: float | None = None
    min_second_value: float = 0
    numeric_penalty: bool = False
    small_branches: bool = False
    allowed: frozenset[int] | None = None  # attributes that may be used; None: all
    ties: str = "auto"

    def root(self) -> Rows:
        """All rows that take part: a row of weight zero is absent."""
        n = len(self.target)
        weights = np.ones(n) if self.weights is None else np.asarray(self.weights, dtype=float)
        index = np.flatnonzero(weights > 0)
        return Rows(index, weights[index], np.ones(len(index)))

    def attributes(self) -> list[int]:
        return [a for a in range(len(self.columns)) if self.allowed is None or a in self.allowed]

    def cells(self, attribute: int, rows: Rows) -> NDArray[np.float64]:
        return self.columns[attribute].values[rows.index]

    # Whether a gain of zero can only mean that the children are distributed as the node is; only
    # then a split without gain is made.
    @property
    def strictly_concave(self) -> bool:
        if self.min_support > 0:  # a child without support gains nothing, however pure
            return False
        if self.criterion == "gini":
            return self.costs is None
        return not callable(self.criterion) and self.criterion not in PLATEAUS

    # Whether the best balanced of the splits that tie is made; otherwise the first.
    @property
    def balances_ties(self) -> bool:
        if self.ties == "auto":
            return self.criterion in ("misclassification", "generalized_gini", "maxdif")
        return self.ties == "balanced"

    # Whether ordering the levels of two classes by class share is sure to hold the best partition.
    @property
    def concave(self) -> bool:
        if callable(self.criterion) or self.min_support > 0:
            return False
        return self.criterion not in ("gain_ratio", "distance", "squared_gini")

    # Whether rows with holes are divided among the branches before a split is scored.
    @property
    def divides_first(self) -> bool:
        return self.missing == "fractional" and self.missing_gain == "divided"

    # Whether a divided row counts one in every branch, and not by its part.
    @property
    def counts_pieces(self) -> bool:
        return self.missing == "fractional" and self.missing_count == "pieces"

    # A lighter part of a row is not divided again.
    @property
    def least_fraction(self) -> float:
        return 2.0**-20 if self.counts_pieces else 2.0**-10

    # The number of rows in a part of a table, as the limits count them.
    def size(self, rows: Rows) -> float:
        return len(rows) if self.counts_pieces else rows.support

    # Rows that a child must have for the split to be a candidate.
    @property
    def candidate_leaf(self) -> float:
        return 0.0 if self.abandon_small else self.min_samples_leaf

    @property
    def by_information(self) -> bool:
        return self.criterion == "gain_ratio"


def class_weights(problem: Problem, rows: Rows) -> NDArray[np.float64]:
    return np.bincount(
        problem.target[rows.index], weights=rows.weight, minlength=problem.classes
    ).astype(float)


def is_pure(problem: Problem, rows: Rows) -> bool:
    return len(set(problem.target[rows.index].tolist())) <= 1


def impurity(problem: Problem, rows: Rows) -> float:
    if callable(problem.criterion) and problem.classes > 0:
        return float("nan")
    if problem.classes == 0:
        y = problem.target[rows.index]
        mean = np.average(y, weights=rows.weight)
        if problem.criterion == "squared_error" or callable(problem.criterion):
            return float(np.average((y - mean) ** 2, weights=rows.weight))
        if problem.criterion == "poisson":
            if mean == 0:
                return 0.0
            logs = np.log(np.where(y > 0, y, mean) / mean)
            return float(np.average(y * logs + mean - y, weights=rows.weight))
        if problem.criterion == "gamma":
            return float(np.average(y / mean - 1 - np.log(y / mean), weights=rows.weight))
        if problem.criterion == "quantile":
            q, off = problem.quantile, y[:, None] - y[None, :]
            loss = np.maximum(q * off, (q - 1) * off) * rows.weight[:, None]
            return float(loss.sum(axis=0).min() / rows.weight.sum())
        # The best constant under absolute error is one of the targets: try them all.
        loss = np.abs(y[:, None] - y[None, :]) * rows.weight[:, None]
        return float(loss.sum(axis=0).min() / rows.weight.sum())
    return index(problem)(class_weights(problem, rows))


def index(problem: Problem) -> criteria.Impurity:
    """Give the impurity of class weights that the criterion is based on."""
    found = criteria.index_of(str(problem.criterion))
    if problem.costs is None or found is not criteria.gini:
        return found
    return criteria.gini_with_costs(problem.costs)


def scale(problem: Problem, rows: Rows) -> float:
    """What gains at a node are measured by."""
    if problem.criterion in ("gain_ratio", "distance", "maxdif"):
        return 1.0
    if callable(problem.criterion):
        return float("nan")
    return float(rows.weight.sum()) if problem.criterion == "chi2" else impurity(problem, rows)


def baseline(problem: Problem, rows: Rows) -> float:
    """The score of leaving a node as it is."""
    return 1.0 - 2.0 * impurity(problem, rows) if problem.criterion == "maxdif" else 0.0


def gain(problem: Problem, node: Rows, children: list[Rows]) -> float:
    """Score a partition, by the formulas of the literature."""
    if problem.classes == 0 and callable(problem.criterion):
        return float(problem.criterion(moments_of(problem, children)))
    if problem.classes == 0:
        total = node.weight.sum()
        left = sum(c.weight.sum() / total * impurity(problem, c) for c in children)
        return impurity(problem, node) - float(left)
    counts = counts_of(problem, children)
    if callable(problem.criterion):
        score = float(problem.criterion(counts))
        return criteria.counted_whole(score, counts, least_support(problem))
    return score_of_counts(problem, class_weights(problem, node), counts)


def moments_of(problem: Problem, children: list[Rows]) -> NDArray[np.float64]:
    """Weight, sum and sum of squares of the targets of every child."""
    powers = [[(c.weight * problem.target[c.index] ** k).sum() for k in range(3)] for c in children]
    return np.array(powers)


def counts_of(problem: Problem, children: list[Rows]) -> NDArray[np.float64]:
    return np.array([class_weights(problem, child) for child in children])


def least_support(problem: Problem) -> float:
    return problem.min_support * (1 - SLACK)  # parts of rows are rounded


def score_of_counts(
    problem: Problem, node: NDArray[np.float64], counts: NDArray[np.float64]
) -> float:
    name, costs, support = str(problem.criterion), problem.costs, least_support(problem)
    if name == "squared_gini" and costs is not None:
        # The weight of the cut: pairs of rows of different classes that it separates (lemma 9).
        cut = counts[0] @ costs @ counts[1] + counts[1] @ costs @ counts[0]
        return criteria.counted_whole(float(cut / node.sum() ** 2), counts, support)
    if name == "gini":
        return criteria.drop(index(problem))(node, counts, support)
    return criteria.SCORES[name](node, counts, support)


def information_gain(
    problem: Problem, node: NDArray[np.float64], counts: NDArray[np.float64]
) -> float:
    return criteria.drop(criteria.entropy)(node, counts, least_support(problem))
