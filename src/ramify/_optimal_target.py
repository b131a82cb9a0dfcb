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
from ramify._threshold_ranking import rank_by_squared_error

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


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
        """Give some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, y=np.ascontiguousarray(self.y[rows]), weights=weights)

    def _weights(self, rows: Rows) -> Floats:
        return np.ones(len(rows)) if self.weights is None else self.weights[rows]

    def value(self, rows: Rows) -> Floats:
        """Sum up some rows as nodes keep them: class weights, or w, w*y and w*y*y."""
        if self.n_classes:
            weights = None if self.weights is None else self.weights[rows]
            found = np.bincount(self.y[rows], weights, minlength=self.n_classes)
            return found.astype(np.float64)
        weights = self._weights(rows)
        y = self.y[rows]
        return np.array([weights.sum(), weights @ y, weights @ (y * y)])

    def prediction(self, rows: Rows) -> float:
        """Give the mean of some rows; NaN for classes, which follow from their weights."""
        if self.n_classes:
            return np.nan
        return float(np.average(self.y[rows], weights=self._weights(rows)))

    def weight(self, values: Floats) -> Floats:
        """Give the weights of groups of rows, from their sums."""
        return np.asarray(values.sum(axis=1) if self.n_classes else values[:, 0])

    def impurities(self, values: Floats, groups: list[Rows]) -> Floats:
        """Give the Gini indices, or the variances, of groups of rows with these sums."""
        if self.n_classes:
            return np.asarray(_core.impurities(values, "gini", self.flat_costs))
        # Not from the sums, whose difference is lost where the target is far from zero.
        return np.array([self.loss(rows) for rows in groups]) / values[:, 0]

    def loss(self, rows: Rows) -> float:
        """Give the squared error of some rows around their mean (regression)."""
        away = self.y[rows] - self.prediction(rows)
        return float(self._weights(rows) @ (away * away))

    @property
    def flat_costs(self) -> Floats | None:
        """The costs as the core takes them."""
        return None if self.costs is None else np.ascontiguousarray(self.costs).ravel()

    def ranking(self, columns: list[Floats], limit: int | None) -> Iterator[tuple[int, float]]:
        """Rank the thresholds of some columns (MID): position of the column, and threshold."""
        if self.n_classes:
            table = _core.Table(len(self.y))
            table.add_numeric(columns, 1)
            attribute, threshold, _ = _core.rank_cuts(
                table, self.y, self.n_classes, self.weights, "entropy", limit
            )
            return zip(attribute.tolist(), threshold.tolist(), strict=True)
        weights = self._weights(self.all_rows)
        y = self.y - self.prediction(self.all_rows)
        return rank_by_squared_error(
            columns, np.column_stack([weights, weights * y, weights * y * y])
        )

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
