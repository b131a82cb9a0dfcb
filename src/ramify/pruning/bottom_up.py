"""Prunings that decide subtree by subtree, from the leaves up, without a sequence of trees."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check
from ramify.learning.folds import hold_out
from ramify.learning.training import Training
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import named

Marks = NDArray[np.uint8]

#: The levels that cross-validation compares, from no test to the strictest. Ties go to a later one.
LEVELS: tuple[float | None, ...] = (None, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)


@named("error_based")
@dataclass(frozen=True, kw_only=True)
class ErrorBased:
    """C4.5's error-based pruning (Quinlan 1993, chapter 4).

    No rows are held out. The errors of a leaf are estimated from its training rows: its error rate
    is taken at the upper limit of a confidence interval, which is wider for a leaf of fewer rows.
    From the leaves up, a leaf replaces a subtree if it has at most 0.1 estimated errors more. The
    heaviest branch of the subtree may replace it in the same way (raising). Before that, a leaf
    replaces every subtree that makes no fewer errors on the training rows.

    Parameters
    ----------
    confidence : float, default=0.25
        The probability that the error rate is above the limit. A smaller value prunes more. It must
        be above 0 and at most 0.5.
    raising : bool, default=True
        Whether the heaviest branch of a node may take its place. It then gets the rows of the other
        branches, too, and counts their classes. A multiway split gets a branch for every level that
        is new to it. Raising costs one pass over the rows of every inner node.

    Notes
    -----
    The result is that of Weka's J48. Weights count as repeated rows, and divided rows count with
    their parts. With `costs`, the errors of a leaf are the cost of its prediction, in units of the
    largest cost. For classes only.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import presets
    >>> presets.c45().fit(*load_iris(return_X_y=True)).tree_.n_leaves
    5
    """

    confidence: float = 0.25
    raising: bool = True

    def check(self) -> None:
        """Validate the parameters."""
        if not check.is_number(self.confidence) or not 0.0 < float(self.confidence) <= 0.5:
            raise ValueError(
                f"confidence={self.confidence!r} must be a number above 0 and at most 0.5"
            )
        check.boolean("raising", self.raising)

    def prune(self, training: Training) -> Pruned:
        """Grow the tree and prune it."""
        self.check()
        if training.target.task != "classification":
            raise ValueError(
                "pruning=ErrorBased() counts wrong classes and cannot prune a tree for numbers; "
                "choose CostComplexity, BestFirst, CriticalValue or ReducedError"
            )
        grown = training.grow()
        tree = training.error_based(grown, float(self.confidence), bool(self.raising))
        return Pruned(tree, grown)


@named("reduced_error")
@dataclass(frozen=True, kw_only=True)
class ReducedError:
    """Reduced-error pruning (Quinlan 1987): held-out rows judge every subtree.

    The tree is grown on one part of the rows. From the leaves up, a subtree becomes a leaf if it
    predicts the other part no better than the leaf. The held-out rows decide many times, so some
    subtrees survive by chance. A test of significance of the splits on the held-out rows removes
    those (Frank 2000).

    Parameters
    ----------
    holdout : float, default=1/3
        Share of the rows to hold out. They are drawn class by class.
    significance : float, "cv" or None, default=None
        Level of the test; None makes no test. A subtree is kept only if some split in it has a
        p-value of at most this. The test is the chi-square test of branch and class on the held-out
        rows, in regression the test of branch and target. "cv" chooses by cross-validation between
        no test and levels from 0.5 to 0.001, the strictest if several tie.
    folds : int, default=10
        Number of folds for "cv".
    time_limit : float or None, default=None
        Seconds for "cv". Folds that are not finished by then do not count, and a warning says so.

    Notes
    -----
    Leaves count only the rows that the tree was grown on; held-out rows judge and are not added.
    The loss is the weight of the wrong predictions, or their cost with `costs`. In regression it is
    the squared or absolute error, as the criterion says. A divided row counts at every leaf with
    its part.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_titanic
    >>> clf = TreeClassifier(pruning=ReducedError(significance=0.05))
    >>> clf.fit(load_titanic().data, load_titanic().y).tree_.n_leaves
    5
    """

    holdout: float = 1 / 3
    significance: float | Literal["cv"] | None = None
    folds: int = 10
    time_limit: float | None = None

    def check(self) -> None:
        """Validate the parameters."""
        if not check.is_number(self.holdout) or not 0.0 < float(self.holdout) < 1.0:
            raise ValueError(f"holdout={self.holdout!r} must be a number between 0 and 1")
        level = self.significance
        if level is not None and not (isinstance(level, str) and level == "cv"):
            check.probability("significance", level, none="None, 'cv', or ")
        check.folds(self.folds)
        check.time_limit(self.time_limit)

    def prune(self, training: Training) -> Pruned:
        """Grow the tree on a part of the rows and prune it on the rest."""
        self.check()
        rows = training.target.rows
        if len(np.unique(training.target.y[rows])) < 2:
            grown = training.grow()  # a leaf
            return Pruned(grown, grown)
        parts = self._divide(training, rows, training.seed)
        if parts is None:
            raise ValueError(
                f"holdout={self.holdout!r} of {len(rows)} rows leaves "
                f"{'none to prune on' if self._held_out(len(rows)) == 0 else 'none to grow on'}; "
                "choose a holdout that leaves rows for both"
            )
        growing, held_out = parts
        level = (
            self._best_level(training, growing) if self.significance == "cv" else self.significance
        )
        grown = training.grow(growing)
        tree = training.reduced_error(grown, held_out, level)
        return Pruned(tree, grown, included=growing)

    def _held_out(self, n_rows: int) -> int:
        return int(np.floor(n_rows * float(self.holdout) + 0.5))

    def _divide(
        self, training: Training, rows: NDArray[np.intp], *seed: int
    ) -> tuple[Marks, Marks] | None:
        """Mark the rows to grow on and those held out; None if one of the parts is empty."""
        if not 0 < self._held_out(len(rows)) < len(rows):
            return None
        growing, held_out = hold_out(
            training.target.y,
            rows,
            float(self.holdout),
            seed,
            by_class=training.target.n_classes > 0,
            nearest=True,
        )
        return _marks(training, growing), _marks(training, held_out)

    def _best_level(self, training: Training, growing: Marks) -> float | None:
        """Choose the level of least cross-validated loss; of equal ones, the strictest."""
        folds = training.folds(int(self.folds))
        roles = [self._roles(training, folds, fold) for fold in range(int(folds.max()) + 1)]
        # A fold is left out if its other rows are too few to be divided.
        divided = [role for role in roles if role is not None]
        if not divided:
            return None
        losses = training.level_losses(divided, LEVELS, self.time_limit, growing)
        if len(losses) < len(divided):
            warnings.warn(
                f"time_limit={self.time_limit!r}: {len(losses)} of {len(divided)} folds were "
                + "finished; "
                + ("the level is chosen by these" if len(losses) else "no test is made"),
                RuntimeWarning,
                stacklevel=5,
            )
        if not len(losses):
            return None
        total = losses.sum(axis=0)
        best = np.flatnonzero(total <= total.min() * (1 + 1e-9))
        return LEVELS[int(best[-1])]

    def _roles(self, training: Training, folds: NDArray[np.int32], fold: int) -> Marks | None:
        """Give the use of every row in a fold: 1 to grow, 2 to prune, 3 to judge, 0 none."""
        others = np.flatnonzero((folds != fold) & (folds >= 0))
        parts = self._divide(training, others, training.seed, fold + 1)
        return None if parts is None else parts[0] + 2 * parts[1] + 3 * (folds == fold)


def _marks(training: Training, rows: NDArray[np.intp]) -> Marks:
    marks = np.zeros(len(training.target.y), dtype=np.uint8)
    marks[rows] = 1
    return marks
