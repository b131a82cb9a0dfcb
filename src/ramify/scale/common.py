"""What all trees of one fit share: parameters, edges, and a problem without rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.target import Target
from ramify.learning.training import Training
from ramify.scale.edges import (
    ColumnForm,
    CountedColumns,
    enough_edges,
    propose_edges,
    propose_target_edges,
)
from ramify.scale.memory import Budget
from ramify.scale.profiling import Learned
from ramify.scale.reading import Reader
from ramify.scale.whole_numbers import Form
from ramify.tables import Table
from ramify.trees.greedy.base import GreedyTree, Whole


@dataclass(frozen=True, eq=False)
class Common:
    """What all trees of one fit share.

    Parameters
    ----------
    estimator : GreedyTree
    settings : dict
    reader : Reader
        How all rows are read.
    learned : Learned
        What is known of all rows.
    whole : Whole
        The number of rows and their weight.
    training : Training
        That of a problem of one row, for all that does not depend on the rows.
    form : Form
        How all rows are counted.
    columns : CountedColumns
        Per column, its edges or its number of levels. Edges are the same for all trees.
    """

    estimator: GreedyTree
    settings: dict[str, Any]
    reader: Reader
    learned: Learned
    whole: Whole
    training: Training
    form: Form
    columns: CountedColumns = field(default_factory=lambda: CountedColumns([]))

    @classmethod
    def of(
        cls,
        estimator: GreedyTree,
        settings: dict[str, Any],
        reader: Reader,
        learned: Learned,
    ) -> Common:
        """Make it after the first scan, without edges."""
        profile = learned.profile

        def stand_in(whole: Whole) -> Training:
            return estimator.training(*_one_row(estimator, reader, learned), settings, whole)

        whole = Whole(profile.n_rows, float(profile.weight))
        training = stand_in(whole)
        form = Form.of(learned, training.problem, settings)
        if form.all_weight != whole.weight:  # weights of classes
            whole = Whole(profile.n_rows, form.all_weight)
            training = stand_in(whole)
        return cls(estimator, settings, reader, learned, whole, training, form)

    def with_edges(self, budget: Budget) -> Common:
        """Give it with the edges for which there is memory; the sample is given up."""
        profile, form = self.learned.profile, self.form
        if form.quantile is not None:
            # As many cells of the target as of a column.
            boxes = budget.edges(len(self.reader.schema), form.bytes_per_cell, form.nodes_at_once)
            count = min(max(1, math.isqrt(boxes)), enough_edges(profile.n_rows))
            targets = propose_target_edges(self.reader, self.learned, count)
            form = replace(form, targets=targets)
        edges = budget.edges(len(self.reader.schema), form.bytes_per_cell, form.nodes_at_once)
        count = min(edges, enough_edges(profile.n_rows))
        forms = propose_edges(self.reader, self.learned, count)
        profile.sample.parts.clear()
        return replace(self, columns=CountedColumns(forms, form.targets), form=form)

    @property
    def forms(self) -> list[ColumnForm]:
        """Per column, its edges or its number of levels."""
        return self.columns.forms

    @property
    def problem(self) -> _core.Problem:
        """The problem without rows."""
        return self.training.problem

    def target(self, y: NDArray[Any], weights: NDArray[np.float64] | None) -> Target:
        """Give the target of some rows."""
        return _target(self.estimator, self.reader, self.learned, y, weights)

    def unpacked(
        self, arrays: list[NDArray[Any]], *, divides: bool
    ) -> tuple[
        list[NDArray[Any]], NDArray[Any], NDArray[np.float64] | None, NDArray[np.float64] | None
    ]:
        """Give the columns, the target, the parts and the weights of rows that were collected."""
        width = len(self.forms)
        columns = [a.astype(np.float64) if a.dtype == np.float32 else a for a in arrays[:width]]
        y, extra = arrays[width], arrays[width + 1 :]
        parts = extra.pop(0) if divides else None
        return columns, y, parts, extra.pop(0) if extra else None

    def problem_of(
        self, columns: list[NDArray[Any]], y: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> _core.Problem:
        """Give the problem of some rows."""
        table = Table(self.reader.schema, len(y), None, columns)
        target = self.target(y, weights)
        return self.estimator.constrained_problem(table, target, self.settings, self.whole)


def _target(
    estimator: GreedyTree,
    reader: Reader,
    learned: Learned,
    y: NDArray[Any],
    weights: NDArray[np.float64] | None,
) -> Target:
    from ramify.learning.weights import cost_matrix

    costs = None
    if learned.classes is not None:
        costs = cost_matrix(estimator.costs, learned.classes, abstain=True)
    return Target(y, weights, learned.classes, costs, learned.class_weights, reader.target)


def _one_row(estimator: GreedyTree, reader: Reader, learned: Learned) -> tuple[Table, Target]:
    arrays = [
        np.zeros(1) if column.kind == "numeric" else np.full(1, -1, dtype=np.int32)
        for column in reader.schema.columns
    ]
    table = Table(reader.schema, 1, None, arrays)
    classes = learned.classes is not None
    y = np.zeros(1, dtype=np.int32) if classes else np.array([learned.profile.targets[1]])
    return table, _target(estimator, reader, learned, y, None)
