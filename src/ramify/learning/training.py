"""What a pruning needs to know of a fit: a table to grow on, again and on parts of its rows."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.folds import deal
from ramify.learning.progress import Progress, progress
from ramify.learning.target import Target


@dataclass(frozen=True, eq=False)
class Training:
    """A problem that is read and encoded, before anything has grown on it.

    Parameters
    ----------
    problem : _core.Problem
        The encoded table, its target, and how trees grow on it.
    target : Target
        The same target, as prunings read it.
    absolute : bool
        Whether this is regression by absolute error.
    order : {"best_first", "best_first_unweighted"}
        How splits compare: by gain times weight, or by gain alone.
    unseen : str
        What a level does that a part of the rows has not seen.
    seed : int
        For all that is drawn at random.
    verbose : bool
        Whether to show progress.
    """

    problem: _core.Problem
    target: Target
    absolute: bool
    order: str
    unseen: str
    seed: int
    verbose: bool

    def grow(
        self, included: NDArray[np.uint8] | None = None, *, max_expansions: int | None = None
    ) -> _core.Tree:
        """Grow a tree on all rows, or on those marked."""
        return _core.grow(self.problem, included, max_expansions=max_expansions)

    def folds(self, n_folds: int) -> NDArray[np.int32]:
        """Deal the rows to folds, class by class in shuffled order; -1 for those left out.

        With fewer rows than folds, every row is a fold of its own.
        """
        target = self.target
        return deal(target.y, target.rows, n_folds, self.seed, by_class=target.n_classes > 0)

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Progress]:
        """Show how many of `total` steps are done, if the user wants to see it."""
        return progress(what, total, shown=self.verbose)
