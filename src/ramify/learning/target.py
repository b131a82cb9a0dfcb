"""The target: classes or numbers, with the weights of the rows and the costs.

Invariant: classes are codes, places in the sorted labels. The weights of the rows include those of
their classes. Sums and losses are for rows of positive weight, so take `rows` first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.folds import RowIndices, hold_out
from ramify.learning.labels import class_codes, numbers, target_name
from ramify.learning.number_loss import SQUARED, NumberLoss
from ramify.learning.weights import (
    above_the_cheapest,
    class_weights,
    cost_matrix,
    sample_weights,
    times_class_weights,
)
from ramify.tables import Schema
from ramify.tree import Tree
from ramify.tree.arrays import Arrays, flat
from ramify.tree.conditions import LEAF

Floats = NDArray[np.float64]
_LEAST_SQUARE = 1e-290  # keeps sums of squares, and their digits, within what a float can hold
_MANY = 100_000  # above this number of rows, groups are summed one by one


@dataclass(frozen=True, eq=False)
class Target:
    """The target of some rows: classes as codes or, if `classes` is None, numbers.

    Parameters
    ----------
    y : ndarray
        The code of every row's class, or its number.
    weights : ndarray or None
        Weights of the rows, including those of their classes; None means that all weigh 1.
    classes : ndarray or None
        The labels, sorted; None means that the target is a number.
    costs : ndarray or None
        The costs as they were given, true class by answer.
    class_weights : ndarray or None
        The weights of the classes, as factors in `weights`.
    name : str
        The name of the target.
    measure : NumberLoss
        How errors of numbers are measured.
    """

    y: NDArray[Any]
    weights: Floats | None = None
    classes: NDArray[Any] | None = None
    costs: Floats | None = None
    class_weights: Floats | None = None
    name: str = "y"
    measure: NumberLoss = SQUARED

    @classmethod
    def of_classes(
        cls,
        y: Any,
        n_rows: int,
        owner: str,
        *,
        sample_weight: Any = None,
        class_weight: Any = None,
        costs: Any = None,
        abstain: bool = False,
    ) -> Target:
        """Read classes, and the weights and costs that go with them.

        Parameters
        ----------
        y, sample_weight, class_weight, costs
            As users give them.
        n_rows : int
            Number of rows of the table.
        owner : str
            The name of the estimator, for messages.
        abstain : bool
            Whether `costs` may have one more column, for abstaining.
        """
        classes, codes = class_codes(y, n_rows, owner)
        given = sample_weights(sample_weight, n_rows)
        by_class = class_weights(class_weight, classes, codes, given)
        weights = times_class_weights(given, by_class, codes)
        matrix = cost_matrix(costs, classes, abstain=abstain)
        return cls(codes, weights, classes, matrix, by_class, target_name(y))

    @classmethod
    def of_numbers(cls, y: Any, n_rows: int, owner: str, *, sample_weight: Any = None) -> Target:
        """Read numbers, and the weights of the rows."""
        values = numbers(y, n_rows, owner)
        return cls(values, sample_weights(sample_weight, n_rows), name=target_name(y))

    def require_squares(self) -> None:
        """Refuse numbers and weights whose squares overflow, or vanish and leave no difference."""
        total = float(len(self.y)) if self.weights is None else float(self.weights.sum())
        largest = float(np.abs(self.y).max(initial=0.0))
        apart = float(np.ptp(self.y)) if len(self.y) else 0.0
        with np.errstate(over="ignore", under="ignore"):
            most = max(total, total**2) * np.square(largest)
            least = min(total, total**2) * np.square(apart)
        if most <= 1 / _LEAST_SQUARE and (apart == 0.0 or least >= _LEAST_SQUARE):
            return
        small = most <= 1 / _LEAST_SQUARE
        numbers = f"numbers that differ by {apart:g}" if small else f"{largest:g}"
        raise ValueError(
            f"y holds {numbers}, and the weights add up to {total:g}: their squares are too "
            f"{'small' if small else 'large'} to be summed. Scale the target or sample_weight."
        )

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 if the target is a number."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def task(self) -> str:
        """Either "regression" or "classification"."""
        return "regression" if self.classes is None else "classification"

    def tree(self, core: _core.Tree, schema: Schema, *, unseen: str = "missing") -> Tree:
        """Make a tree that predicts this target from nodes of the core."""
        return Tree(
            core,
            schema,
            task=self.task,
            classes=self.classes,
            target=self.name,
            unseen=unseen,
            costs=self.costs,
        )

    @cached_property
    def regrets(self) -> Floats | None:
        """The costs minus those of the cheapest answer to the same class."""
        return None if self.costs is None else above_the_cheapest(self.costs)

    @property
    def rows(self) -> RowIndices:
        """The rows that take part: those of positive weight."""
        if self.weights is None:
            return self.all_rows
        return np.flatnonzero(self.weights > 0)

    @cached_property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self.y) if self.weights is None else self.weights.sum())

    @cached_property
    def unit(self) -> float:
        """Price of a leaf at a sparsity of 1: the weight of all rows, or the loss of one leaf."""
        return self.total if self.n_classes else self.loss(self.all_rows)

    @property
    def all_rows(self) -> RowIndices:
        """Every row."""
        return np.arange(len(self.y))

    def take(self, rows: RowIndices) -> Target:
        """Give some of the rows, in their order."""
        if len(rows) == len(self.y):
            return self
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, y=np.ascontiguousarray(self.y[rows]), weights=weights)

    def with_classes(self, classes: NDArray[Any] | None, costs: Floats | None) -> Target:
        """Give the same target with the classes of a tree, and with its costs."""
        if classes is None or self.classes is None:
            return self
        place = {label: code for code, label in enumerate(classes.tolist())}
        labels = self.classes.tolist()
        if unknown := [label for label in labels if label not in place]:
            raise ValueError(
                f"y has the class {unknown[0]!r}, which the tree does not know; its classes are "
                f"{', '.join(map(repr, list(place)[:20]))}"
            )
        places = np.array([place[label] for label in labels], np.int32)
        by_class = self.class_weights
        if by_class is not None:
            by_class = np.ones(len(classes))
            by_class[places] = self.class_weights
        return replace(self, y=places[self.y], classes=classes, costs=costs, class_weights=by_class)

    @property
    def weights_given(self) -> Floats | None:
        """The weights of the rows without those of their classes, as scores take them."""
        if self.weights is None or self.class_weights is None:
            return self.weights
        given = self.weights / self.class_weights[self.y]
        return None if np.allclose(given, 1.0, rtol=1e-12, atol=0.0) else given

    def with_weights(self, weights: Floats) -> Target:
        """Give the same target with other weights of the rows."""
        return replace(self, weights=weights)

    def of_present_classes(self) -> Target:
        """Leave out classes without rows, and replace costs by regrets."""
        if self.classes is None:
            return self
        present = np.flatnonzero(np.bincount(self.y, minlength=self.n_classes))
        if len(present) == self.n_classes:
            return replace(self, costs=self.regrets)
        codes = np.searchsorted(present, self.y).astype(np.int32)
        costs = None if self.regrets is None else self.regrets[np.ix_(present, present)]
        return replace(self, y=codes, classes=self.classes[present], costs=costs)

    def hold_out(
        self, rows: RowIndices, fraction: float, seed: int
    ) -> tuple[RowIndices, RowIndices]:
        """Divide rows at random: those to learn from, and a fraction of each class to hold out."""
        return hold_out(self.y, rows, fraction, seed, by_class=self.n_classes > 0)

    def row_weights(self) -> Floats:
        """Give the weight of every row, as an array in any case."""
        return np.ones(len(self.y)) if self.weights is None else self.weights

    def value(self, rows: RowIndices) -> Floats:
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

    def values(self, groups: list[RowIndices]) -> Floats:
        """Sum up groups of rows, one row of the result for each."""
        size = sum(map(len, groups))
        if not self.n_classes or size > _MANY:
            return np.array([self.value(rows) for rows in groups])
        rows = np.concatenate(groups)  # one call is faster than one for each small group
        first = np.repeat(np.arange(len(groups)) * self.n_classes, [len(group) for group in groups])
        weights = None if self.weights is None else self.weights[rows]
        length = len(groups) * self.n_classes
        found = np.bincount(first + self.y[rows], weights, minlength=length)
        return found.astype(np.float64).reshape(len(groups), self.n_classes)

    def summary(self, rows: RowIndices) -> tuple[float, float]:
        """Give the mean of some rows and their squared error around it; NaN for classes."""
        if self.n_classes:
            return np.nan, np.nan
        y, weights = self.y[rows], None if self.weights is None else self.weights[rows]
        mean = float(np.clip(np.average(y, weights=weights), y.min(), y.max()))
        off = y - mean
        weighed = off if weights is None else weights * off
        # Not by a scalar product, which may wait for other threads. `rest` corrects for the
        # rounding of the mean.
        rest = float(weighed.sum()) ** 2 / (len(y) if weights is None else float(weights.sum()))
        return mean, max(0.0, float((weighed * off).sum()) - rest)

    def weight(self, values: Floats) -> Floats:
        """Give the weights of groups of rows, from their sums."""
        return np.asarray(values.sum(axis=1) if self.n_classes else values[:, 0])

    def impurities(self, values: Floats, losses: list[float]) -> Floats:
        """Give the Gini indices, or the variances, of groups of rows with these sums."""
        if self.n_classes:
            return np.asarray(_core.impurities(values, "gini", flat(self.regrets)))
        # Not from the sums: their difference loses digits if the target is far from zero.
        return np.array(losses) / values[:, 0]

    def loss(self, rows: RowIndices) -> float:
        """Give the loss of some rows at their best single prediction (regression)."""
        if self.measure.name == "squared":
            return self.summary(rows)[1]
        weights = None if self.weights is None else self.weights[rows]
        return self.measure.least(self.y[rows], weights)

    def leaf_loss(self, rows: RowIndices) -> float:
        """Give the loss of some rows if all get the same prediction, the best one."""
        if not self.n_classes:
            return self.loss(rows)
        value = self.value(rows)
        if self.regrets is None:
            return float(value.sum() - value.max())
        return float((value @ self.regrets).min())

    def tree_error(self, data: Arrays) -> float:
        """Give the mean loss of the rows in a tree that was made from them."""
        leaves = data["kind"] == LEAF
        value = data["value"][leaves]
        if not self.n_classes:
            losses = (data["weight"] * data["impurity"])[leaves]
        elif self.regrets is None:
            losses = value.sum(axis=1) - value.max(axis=1)
        else:
            losses = (value @ self.regrets).min(axis=1)
        return float(losses.sum() / self.total)

    def _possible(self, predicted: NDArray[Any]) -> NDArray[Any]:
        """Raise rates of zero, where a deviance is infinite if an event comes after all.

        They become the rate of all rows as if one event had been expected before.
        """
        if self.measure.name != "poisson":
            return predicted
        rate = float(np.average(self.y, weights=self.weights))
        return np.where(predicted > 0.0, predicted, rate / (1.0 + rate * self.total))

    def mean_loss(self, predicted: NDArray[Any]) -> float:
        """Give the share of wrong predictions, their mean regret, or the mean loss of numbers."""
        if not self.n_classes:
            loss = self.measure.of(self.y, self._possible(predicted))
        elif self.regrets is None:
            loss = (self.y != predicted).astype(np.float64)
        else:
            loss = self.regrets[self.y, predicted]
        return float(np.average(loss, weights=self.weights))
