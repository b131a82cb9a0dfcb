"""What a pruning needs to know of a fit: a table to grow on, again and on parts of its rows."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.folds import deal
from ramify.learning.progress import Progress, progress


@dataclass(frozen=True)
class Training:
    """A problem that is read and encoded, before anything has grown on it."""

    problem: _core.Problem
    task: str  # "classification" or "regression"
    target: NDArray[Any]  # codes of the classes, or numbers
    n_classes: int  # 0 in regression
    weights: NDArray[np.float64] | None  # of the rows, those of their classes included
    costs: NDArray[np.float64] | None
    absolute: bool  # regression by absolute error
    order: str  # of splits: "best_first", gain times weight, or "best_first_unweighted"
    unseen: str
    seed: int
    verbose: bool
    classes: NDArray[Any] | None = None  # None in regression
    class_weights: NDArray[np.float64] | None = None  # factors of `weights`

    def grow(
        self, included: NDArray[np.uint8] | None = None, *, max_expansions: int | None = None
    ) -> _core.Tree:
        """Grow a tree on all rows, or on those marked."""
        return _core.grow(self.problem, included, max_expansions=max_expansions)

    def folds(self, n_folds: int, rows: NDArray[np.intp] | None = None) -> NDArray[np.int32]:
        """Deal the rows to folds, class by class in shuffled order; -1 for those left out.

        With fewer rows than folds, every row is a fold of its own.
        """
        if rows is None:
            rows = self.rows()
        return deal(self.target, rows, n_folds, self.seed, by_class=self.n_classes > 0)

    def rows(self) -> NDArray[np.intp]:
        """Give the rows that take part."""
        if self.weights is None:
            return np.arange(len(self.target))
        return np.flatnonzero(self.weights > 0)

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Progress]:
        """Show how many of `total` steps are done, if the user wants to see it."""
        return progress(what, total, shown=self.verbose)
