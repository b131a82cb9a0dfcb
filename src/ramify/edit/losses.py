"""The loss of every row of a table in a tree that is edited.

Invariant: a loss is that of the whole tree's prediction for the row; an edit changes the losses of
the rows below its node alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.edit.price import Change, compare
from ramify.learning.number_loss import NumberLoss
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree import Tree

Floats = NDArray[np.float64]
Rows = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class NewLosses:
    """The losses of some rows after an edit, for every measure.

    Undo keeps them, so errors are kept as bools and rows in four bytes.
    """

    rows: Rows
    losses: tuple[NDArray[Any], ...]


class RowLosses:
    """The losses of the rows of one table.

    Parameters
    ----------
    which : {"walked", "held_out"}
        The rows, as the core calls them.
    table : Table
    target : Target
    loss : NumberLoss
        Of numbers.
    threads : int
    """

    def __init__(
        self, which: str, table: Table, target: Target, loss: NumberLoss, threads: int
    ) -> None:
        self._which = which
        self._table = table
        self._target = target
        self._loss = loss
        self._threads = threads
        #: As for scores: without the weights of the classes.
        self.weights = target.weights_given
        self.measures = _measures(target, loss)
        self._losses: list[Floats] = [np.zeros(table.n_rows) for _ in self.measures]

    def put(self, new: NewLosses) -> NewLosses:
        """Take over new losses; give those that they replace."""
        old = tuple(
            losses[new.rows].astype(after.dtype)
            for losses, after in zip(self._losses, new.losses, strict=True)
        )
        for losses, after in zip(self._losses, new.losses, strict=True):
            losses[new.rows] = after
        return NewLosses(new.rows, old)

    def means(self) -> list[float]:
        """Give the mean of every measure."""
        return [float(np.average(losses, weights=self.weights)) for losses in self._losses]

    def changes(self, new: NewLosses) -> list[Change]:
        """Say how every measure changes."""
        return [
            compare(name, before, after, new.rows, self.weights, counts=name == "error")
            for name, before, after in zip(self.measures, self._losses, new.losses, strict=True)
        ]

    def of_answers(self, rows: Rows, answers: NDArray[Any]) -> NewLosses:
        """Give the losses of rows with these answers: codes of classes, or numbers."""
        return NewLosses(rows, self._of_answers(rows, answers))

    def below(self, version: _core.EditedTree, tree: Tree, node: int) -> NewLosses:
        """Give the losses of the rows at a node in a version of the tree."""
        whole, leaf_of, divided, _, _ = version.leaf_rows(node, self._which)
        found = self._of_answers(whole, _answers(tree)[leaf_of])
        if not len(divided):
            return NewLosses(whole, found)
        rows: Rows = np.unique(divided)
        some = self._table.take(rows.astype(np.intp))
        walked = self._of_answers(rows, predict(tree, some, self._threads))
        both: Rows = np.concatenate((whole, rows))
        return NewLosses(
            both, tuple(np.concatenate(pair) for pair in zip(found, walked, strict=True))
        )

    def _of_answers(self, rows: Rows, answers: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        y = self._target.y[rows]
        if not self._target.n_classes:
            return (self._loss.of(y, answers),)
        wrong = y != answers
        if self._target.costs is None:
            return (wrong,)
        return wrong, self._target.costs[y, answers]


def _measures(target: Target, loss: NumberLoss) -> tuple[str, ...]:
    if not target.n_classes:
        return (loss.mean_name,)
    return ("error",) if target.costs is None else ("error", "cost")


def _answers(tree: Tree) -> NDArray[Any]:
    """Give what every node answers as a leaf: a code of a class, or a number."""
    if tree.task == "classification":
        return tree.label_codes
    given = tree.data["prediction"]
    return np.where(np.isnan(given), tree.mean, given)


def predict(tree: Tree, table: Table, threads: int) -> NDArray[Any]:
    """Give the codes of the classes, or the numbers, that a tree predicts."""
    if tree.task == "classification":
        return tree.predict_codes(table.cells, threads)
    return np.asarray(tree.core.predict(table.cells, tree.unseen, threads)[:, 0])
