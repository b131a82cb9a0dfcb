"""What a pruning gets from a fit: the encoded data, to grow trees on all rows or some of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.folds import deal
from ramify.learning.progress import Progress, progress
from ramify.learning.target import Target

#: Losses and squared losses (folds x trees), weights, squared weights and expansions (folds).
FoldLosses = tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
]


class Steps(Protocol):
    """Trees of folds that grow in step, best-first."""

    @property
    def finished(self) -> bool:
        """Whether no tree can be expanded any more."""

    def advance(self, expansions: int) -> FoldLosses | None:
        """Give the losses of 0, 1, ... expansions; None if there is no time for that."""


@dataclass(frozen=True, eq=False)
class Training:
    """The encoded data and the settings of growth.

    Parameters
    ----------
    problem : _core.Problem
        The encoded table, its target, and how trees grow on it.
    target : Target
        The same target, as prunings read it.
    loss : str
        The loss that the criterion reduces if the target is a number, as the core calls it.
    order : {"best_first", "best_first_unweighted"}
        How splits are compared: by gain times weight, or by gain alone.
    unseen : str
        How a level is treated that is not among the rows a tree was grown on.
    seed : int
        Seed of everything that is drawn at random.
    verbose : bool
        Whether to show progress.
    """

    problem: _core.Problem
    target: Target
    loss: str
    order: str
    unseen: str
    seed: int
    verbose: bool

    def grow(
        self, included: NDArray[np.uint8] | None = None, *, max_expansions: int | None = None
    ) -> _core.Tree:
        """Grow a tree on all rows, or on those that `included` marks."""
        return _core.grow(self.problem, included, max_expansions=max_expansions)

    def folds(self, n_folds: int) -> NDArray[np.int32]:
        """Deal the rows to folds, class by class in shuffled order; rows of weight 0 get -1.

        With fewer rows than folds, every row is a fold of its own.
        """
        target = self.target
        return deal(target.y, target.rows, n_folds, self.seed, by_class=target.n_classes > 0)

    def fold_losses(
        self,
        retirement: str,
        n_folds: int,
        thresholds: NDArray[np.float64],
        loss: str,
        time_limit: float | None,
    ) -> FoldLosses:
        """Grow a tree without each fold, and sum the fold's losses in every tree of a sequence.

        Parameters
        ----------
        retirement : str
            How nodes get their keys, by the core's name.
        n_folds : int
        thresholds : ndarray
            Where the keys of a fold's tree are cut.
        loss : str
            The loss, by the core's name.
        time_limit : float or None
            Seconds; folds that are not finished by then have the weight 0.

        Returns
        -------
        tuple of ndarray
            Losses and squared losses (folds x trees), weights and squared weights, and the
            expansions of the trees of the folds.
        """
        folds = self.folds(n_folds)
        count = int(folds.max()) + 1
        with self.progress("cross-validation", count) as on_progress:
            return _core.cross_validate(
                self.problem,
                retirement,
                folds,
                count,
                thresholds,
                loss,
                self.unseen,
                time_limit,
                on_progress,
            )

    def step_folds(self, n_folds: int, loss: str, time_limit: float | None) -> Steps:
        """Begin a tree without each fold; they grow in step and are judged by their folds."""
        folds = self.folds(n_folds)
        count = int(folds.max()) + 1
        return _core.StepFolds(self.problem, folds, count, loss, self.unseen, time_limit)

    def error_based(self, grown: _core.Tree, confidence: float, raising: bool) -> _core.Tree:
        """Prune a tree by the errors that are expected of its nodes; branches may be raised."""
        return _core.error_based(self.problem, grown, confidence, raising, self.unseen)

    def description_length(
        self, grown: _core.Tree, code: str, structure: float, precision: float, span: float
    ) -> _core.Tree:
        """Cut a tree back to the tree with the shortest description of its rows."""
        given = (self.problem, grown, code, structure, precision, span, self.unseen)
        return _core.description_length(*given)[0]

    def reduced_error(
        self, grown: _core.Tree, held_out: NDArray[np.uint8], significance: float | None
    ) -> _core.Tree:
        """Cut a tree back by the rows that `held_out` marks, which it was not grown on.

        A subtree becomes a leaf if these rows are predicted no better by it or, at a level of
        significance, if no split in it is associated with their targets.
        """
        return _core.reduced_error(self.problem, grown, held_out, significance, self.unseen)

    def level_losses(
        self,
        roles: list[NDArray[np.uint8]],
        levels: Sequence[float | None],
        time_limit: float | None,
        whole: NDArray[np.uint8],
    ) -> NDArray[np.float64]:
        """Sum the losses of reduced-error pruning at some levels of significance, fold by fold.

        Parameters
        ----------
        roles : list of ndarray
            Per fold, the use of every row: 1 to grow, 2 to prune, 3 to judge, 0 none.
        levels : sequence of float or None
        time_limit : float or None
            Seconds; folds that are not finished by then are left out.
        whole : ndarray
            Marks the rows of the tree that is grown next, which may be grown at the same time.
        """
        with self.progress("reduced-error pruning", len(roles)) as on_progress:
            return _core.reduced_error_levels(
                self.problem, np.stack(roles), levels, self.unseen, time_limit, on_progress
            )

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Progress]:
        """Show how many of `total` steps are done, if `verbose`."""
        return progress(what, total, shown=self.verbose)
