"""What an optimal tree is to predict: classes or numbers, with the weights of the rows.

Invariant: every weight is positive; a row without weight is left out beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.folds import hold_out
from ramify.tree.arrays import Arrays
from ramify.tree.conditions import LEAF

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
_FIRST_RANKED = 64  # thresholds that are ranked before the others
_MANY = 100_000  # rows of groups that are summed up one by one


@dataclass(frozen=True)
class RankingOrder:
    """How thresholds are ranked."""

    impurity: str = "entropy"  # of classes; numbers have their variance
    mdl: bool = False  # whether a column ends at the first that an MDL criterion rejects


BY_ENTROPY = RankingOrder()


@dataclass(frozen=True)
class Target:
    """Classes as codes (`n_classes` of them) or, without any, numbers."""

    y: NDArray[Any]
    weights: Floats | None
    n_classes: int = 0
    costs: Floats | None = None

    @property
    def task(self) -> str:
        """What the trees do."""
        return "classification" if self.n_classes else "regression"

    @cached_property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self.y) if self.weights is None else self.weights.sum())

    @cached_property
    def unit(self) -> float:
        """What a sparsity of 1 costs a leaf: the weight of all rows; in regression, their loss."""
        return self.total if self.n_classes else self.loss(self.all_rows)

    @property
    def all_rows(self) -> Rows:
        """Every row."""
        return np.arange(len(self.y))

    def take(self, rows: Rows) -> Target:
        """Give some of the rows, in their order."""
        if len(rows) == len(self.y):
            return self
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, y=np.ascontiguousarray(self.y[rows]), weights=weights)

    def of_present_classes(self) -> Target:
        """Leave out the classes that no row has."""
        present = np.flatnonzero(np.bincount(self.y, minlength=self.n_classes))
        if len(present) == self.n_classes:
            return self
        codes = np.searchsorted(present, self.y).astype(np.int32)
        costs = None if self.costs is None else self.costs[np.ix_(present, present)]
        return replace(self, y=codes, n_classes=len(present), costs=costs)

    def hold_out(self, rows: Rows, fraction: float, seed: int) -> tuple[Rows, Rows]:
        """Divide some rows at random: those to learn from, and a fraction of every class."""
        return hold_out(self.y, rows, fraction, seed, by_class=self.n_classes > 0)

    def _weights(self, rows: Rows) -> Floats:
        return np.ones(len(rows)) if self.weights is None else self.weights[rows]

    def value(self, rows: Rows) -> Floats:
        """Sum up some rows as nodes keep them: class weights, or w, w*y and w*y*y."""
        if self.n_classes:
            weights = None if self.weights is None else self.weights[rows]
            found = np.bincount(self.y[rows], weights, minlength=self.n_classes)
            return found.astype(np.float64)
        y = self.y[rows]
        if self.weights is None:
            return np.array([len(y), y.sum(), (y * y).sum()])
        weights = self.weights[rows]
        return np.array([weights.sum(), (weights * y).sum(), (weights * y * y).sum()])

    def values(self, groups: list[Rows]) -> Floats:
        """Sum up groups of rows, one line each."""
        size = sum(map(len, groups))
        if not self.n_classes or size > _MANY:
            return np.array([self.value(rows) for rows in groups])
        rows = np.concatenate(groups)  # few rows take longer to call for than to count
        first = np.repeat(np.arange(len(groups)) * self.n_classes, [len(group) for group in groups])
        weights = None if self.weights is None else self.weights[rows]
        length = len(groups) * self.n_classes
        found = np.bincount(first + self.y[rows], weights, minlength=length)
        return found.astype(np.float64).reshape(len(groups), self.n_classes)

    def summary(self, rows: Rows) -> tuple[float, float]:
        """Give mean of some rows and their squared error around it; NaN for classes."""
        if self.n_classes:
            return np.nan, np.nan
        y, weights = self.y[rows], None if self.weights is None else self.weights[rows]
        mean = float(np.clip(np.average(y, weights=weights), y.min(), y.max()))
        off = y - mean
        weighed = off if weights is None else weights * off
        # No scalar product, which may wait for other threads. The mean itself is rounded.
        rest = float(weighed.sum()) ** 2 / (len(y) if weights is None else float(weights.sum()))
        return mean, max(0.0, float((weighed * off).sum()) - rest)

    def prediction(self, rows: Rows) -> float:
        """Give the mean of some rows; NaN for classes, which follow from their weights."""
        return self.summary(rows)[0]

    def weight(self, values: Floats) -> Floats:
        """Give the weights of groups of rows, from their sums."""
        return np.asarray(values.sum(axis=1) if self.n_classes else values[:, 0])

    def impurities(self, values: Floats, losses: list[float]) -> Floats:
        """Give the Gini indices, or the variances, of groups of rows with these sums."""
        if self.n_classes:
            return np.asarray(_core.impurities(values, "gini", self.flat_costs))
        # Not from the sums, whose difference is lost where the target is far from zero.
        return np.array(losses) / values[:, 0]

    def loss(self, rows: Rows) -> float:
        """Give the squared error of some rows around their mean (regression)."""
        return self.summary(rows)[1]

    @property
    def flat_costs(self) -> Floats | None:
        """The costs as the core takes them."""
        return None if self.costs is None else np.ascontiguousarray(self.costs).ravel()

    def ranking(
        self,
        columns: list[Floats],
        limit: int | None = None,
        order: RankingOrder = BY_ENTROPY,
    ) -> Iterator[tuple[int, float]]:
        """Rank the thresholds of some columns (MID): position of the column, and threshold.

        Without a limit, more are ranked when more are asked for.
        """
        table = _core.Table(len(self.y))
        table.add_numeric(columns, 1)
        taken, length = 0, _FIRST_RANKED if limit is None else limit
        while True:
            attribute, threshold = self._ranked(table, order, length)
            # The first of a longer ranking are those that are known.
            yield from zip(attribute[taken:].tolist(), threshold[taken:].tolist(), strict=True)
            taken = len(threshold)
            if taken < length or limit is not None:
                return
            length *= 4

    def _ranked(
        self, table: _core.Table, order: RankingOrder, length: int
    ) -> tuple[NDArray[np.int64], Floats]:
        if self.n_classes:
            attribute, threshold, _ = _core.rank_cuts(
                table, self.y, self.n_classes, self.weights, order.impurity, length, order.mdl
            )
        else:
            attribute, threshold, _ = _core.rank_cuts_of_numbers(
                table, self.y, self.weights, length, order.mdl
            )
        return attribute, threshold

    def leaf_loss(self, rows: Rows) -> float:
        """Give the loss of some rows with the best prediction there is for all of them."""
        if not self.n_classes:
            return self.loss(rows)
        value = self.value(rows)
        if self.costs is None:
            return float(value.sum() - value.max())
        return float((value @ self.costs).min())

    def tree_error(self, data: Arrays) -> float:
        """Give the mean loss of these rows in a tree that was made from them."""
        leaves = data["kind"] == LEAF
        value = data["value"][leaves]
        if not self.n_classes:
            losses = (data["weight"] * data["impurity"])[leaves]
        elif self.costs is None:
            losses = value.sum(axis=1) - value.max(axis=1)
        else:
            losses = (value @ self.costs).min(axis=1)
        return float(losses.sum() / self.total)

    def core_arguments(self) -> dict[str, Any]:
        """Give what the search wants to know."""
        given: dict[str, Any] = {"weights": self.weights}
        if self.n_classes:
            return given | {"labels": self.y, "classes": self.n_classes, "costs": self.flat_costs}
        return given | {"target": self.y}

    def mean_loss(self, predicted: NDArray[Any]) -> float:
        """Give the share of wrong predictions, their mean cost, or their mean squared error."""
        if not self.n_classes:
            loss = (self.y - predicted) ** 2
        elif self.costs is None:
            loss = (self.y != predicted).astype(np.float64)
        else:
            loss = self.costs[self.y, predicted]
        return float(np.average(loss, weights=self.weights))
