"""Prunings that choose from a nested sequence of trees, by cross-validation.

Each gives every inner node a retirement key; everything else is shared: the errors of all trees of
a sequence on held-out rows from one walk per row, and the choice by the least error or by one
standard error.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.training import Training
from ramify.pruning.cross_validation import errors, loss_of
from ramify.pruning.path import RULES, Floats, PruningPath, Rule, choose, sequence, slack
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import named

ERRORS = ("rate", "rmse")
STAGES = ("post", "pre")
FINISHED = ("keep", "drop")
RISKS = ("error", "impurity")
_FIRST_STEPS = 8  # expansions between two looks at the errors, at first


class _AlongSequence:
    """What these prunings share: how a tree of the sequence is chosen."""

    folds: int
    rule: Rule
    time_limit: float | None

    @property
    def _keys(self) -> str:
        """The keys that make the sequence, as the core calls them."""
        raise NotImplementedError

    @property
    def _threshold(self) -> float | None:
        """Where the keys are cut; None leaves that to cross-validation."""
        return None

    @property
    def _measure(self) -> str:
        """What is cross-validated, of classes."""
        return "rate"

    def _counted(self, keys: Any, of_folds: Any) -> Any:
        """Mark the folds that count for each tree; None: all for all."""
        return None

    def check(self) -> None:
        """Validate the parameters."""
        check.folds(self.folds)
        check.choice("rule", self.rule, RULES)
        check.time_limit(self.time_limit)

    def path(self, grown: _core.Tree, order: str, costs: Floats | None) -> PruningPath:
        """Give the sequence of a tree, without cross-validated errors."""
        return sequence(grown, self._keys, order, costs)

    def prune(self, training: Training) -> Pruned:
        """Grow the tree and cut it back."""
        return self._cut_back(training)

    def _cut_back(self, training: Training) -> Pruned:
        grown = training.grow()
        path = self.path(grown, training.order, training.target.costs)
        if self._threshold is not None:
            return _select(grown, path, path.at_price(float(self._threshold)))
        if len(path) == 1:  # nothing to choose from
            return _select(grown, path, 0)
        return self._cross_validated(training, grown, path)

    def _cross_validated(self, training: Training, grown: _core.Tree, path: PruningPath) -> Pruned:
        folds = training.folds(self.folds)
        n_folds = int(folds.max()) + 1
        with training.progress("cross-validation", n_folds) as on_progress:
            sums = _core.cross_validate(
                training.problem,
                path.rule_of_keys,
                folds,
                n_folds,
                path.elsewhere,
                loss_of(training, self._measure),
                training.unseen,
                self.time_limit,
                on_progress,
            )
        finished = np.count_nonzero(sums[2])
        if finished < n_folds:
            warnings.warn(
                f"time_limit={self.time_limit!r}: {finished} of {n_folds} folds were finished; "
                + ("the errors are of those alone" if finished else "the tree is not pruned"),
                RuntimeWarning,
                stacklevel=6,
            )
            if not finished:
                return _select(grown, path, 0)
        counted = self._counted(np.arange(sums[0].shape[1])[::-1], sums[4])
        error, standard_error = errors(*sums[:4], counted, training=training, measure=self._measure)
        path = path.with_errors(error, standard_error)
        return _select(grown, path, choose(error, standard_error, self.rule))


def _select(grown: _core.Tree, path: PruningPath, row: int) -> Pruned:
    return Pruned(path.cut(grown, row), grown, path.select(row))


@named("cost_complexity", "auto")
@dataclass(frozen=True, kw_only=True)
class CostComplexity(_AlongSequence):
    """Minimal cost-complexity pruning (Breiman et al. 1984, chapter 3).

    Every leaf has a price alpha; of all subtrees the one with the least error plus price is kept.
    As the price rises, the trees become smaller, one within the other, down to the root. Which
    price is right is found by cross-validation: the trees of the folds are judged at the geometric
    midpoints of the intervals of alpha between two changes of the whole tree.

    Parameters
    ----------
    alpha : float or None, default=None
        The price: a branch must save that much error per leaf it adds. Errors are per unit of
        weight: the share of wrong rows, their mean cost, or the mean squared or absolute error.
        None finds it by cross-validation.
    folds : int, default=10
        Number of folds; with fewer rows, every row is a fold of its own.
    rule : {"min", "1se"}, default="1se"
        The tree of least cross-validated error; or the smallest whose error exceeds that by at
        most one standard error.
    risk : {"error", "impurity"}, default="error"
        What a leaf adds to the error of a tree: the training rows it gets wrong (their cost, with
        `costs`), as in CART and rpart; or its impurity, as in scikit-learn. In regression both are
        the squared or absolute error.
    time_limit : float or None, default=None
        Seconds for the cross-validation. Folds that are not finished by then do not count, which a
        warning tells.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ramify import TreeClassifier
    >>> from ramify.pruning import CostComplexity
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = TreeClassifier(pruning=CostComplexity(rule="1se"), random_state=0).fit(X, y)
    >>> clf.tree_.n_leaves < TreeClassifier().fit(X, y).tree_.n_leaves
    True
    """

    alpha: float | None = None
    folds: int = 10
    rule: Rule = "1se"
    risk: Literal["error", "impurity"] = "error"
    time_limit: float | None = None

    @property
    def _keys(self) -> str:
        return "cost_complexity" if self.risk == "error" else "cost_complexity_impurity"

    @property
    def _threshold(self) -> float | None:
        return self.alpha

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        if self.alpha is not None:
            check.number("alpha", self.alpha, least=0.0)
        check.choice("risk", self.risk, RISKS)


@named("best_first")
@dataclass(frozen=True, kw_only=True)
class BestFirst(_AlongSequence):
    """The number of best-first expansions by cross-validation (Shi 2007, section 3.4).

    A best-first tree contains all its smaller versions: the first expansions are the most worth.
    After "post", all trees are grown to the end and the number of expansions of least error is
    taken, of equals the smallest; all numbers count that the tree of some fold has, and one that
    the whole tree does not have means the whole tree. After "pre", the trees of all folds grow in
    step and stop as soon as their error rises, so that they go on where it stays the same; with the
    1SE rule, as soon as it exceeds the least error so far by more than its standard error.

    Parameters
    ----------
    stage : {"post", "pre"}, default="post"
        Choose after growing, or stop growing.
    rule : {"min", "1se"}, default="min"
        The tree of least cross-validated error; or the smallest whose error exceeds that by at
        most one standard error.
    error : {"rate", "rmse"}, default="rate"
        What is cross-validated: the share of wrong predictions (the mean cost, with `costs`), or
        the root mean squared error of the class shares. In regression it is the squared or absolute
        error, whichever the criterion is.
    folds : int, default=10
        Number of folds; with fewer rows, every row is a fold of its own.
    finished_folds : {"keep", "drop"}, default="keep"
        Whether a fold still counts for numbers of expansions that its tree does not have: with its
        last tree; or not at all, as in Weka and in the figures of the thesis. Folds whose trees
        end early are the easy ones, so that "drop" makes larger trees.
    time_limit : float or None, default=None
        Seconds for the cross-validation. Folds (or expansions) that are not finished by then do not
        count, which a warning tells.

    Notes
    -----
    The order is that of ``growth="best_first"``, or of ``"best_first_unweighted"`` if the estimator
    has that; a tree grown depth first is cut back in the first of these orders.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from ramify import TreeClassifier
    >>> from ramify.pruning import BestFirst
    >>> X, y = load_wine(return_X_y=True)
    >>> clf = TreeClassifier(growth="best_first", pruning=BestFirst(rule="1se")).fit(X, y)
    >>> clf.pruning_path_.key_name
    'expansions'
    """

    stage: Literal["post", "pre"] = "post"
    rule: Rule = "min"
    error: Literal["rate", "rmse"] = "rate"
    folds: int = 10
    finished_folds: Literal["keep", "drop"] = "keep"
    time_limit: float | None = None

    @property
    def _keys(self) -> str:
        return "best_first"

    def path(self, grown: _core.Tree, order: str, costs: Floats | None) -> PruningPath:
        """Give the sequence of a tree, without cross-validated errors."""
        rmse = self.error == "rmse" and grown.task == "classification"
        return sequence(grown, "best_first_rmse" if rmse else self._keys, order, costs)

    @property
    def _measure(self) -> str:
        return self.error

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        check.choice("stage", self.stage, STAGES)
        check.choice("error", self.error, ERRORS)
        check.choice("finished_folds", self.finished_folds, FINISHED)

    def prune(self, training: Training) -> Pruned:
        """Grow the tree and cut it back, or grow it only so far."""
        return self._pre_prune(training) if self.stage == "pre" else self._cut_back(training)

    def _pre_prune(self, training: Training) -> Pruned:
        if len(training.target.rows) < 2:  # nothing to hold out
            grown = training.grow()
            return _select(grown, self.path(grown, training.order, training.target.costs), 0)
        error, standard_error = self._grow_in_step(training)
        stop = self._stop(error, standard_error)
        if np.isnan(error).all():  # there was no time for a first look
            expansions = 0
        elif self.rule == "min":
            expansions = len(error) - 1 if stop is None else stop - 1
        else:
            # What was looked at beyond the stop does not count.
            count = len(error) if stop is None else stop + 1
            from_large = choose(error[:count][::-1], standard_error[:count][::-1], self.rule)
            expansions = count - 1 - from_large
        grown = training.grow(max_expansions=expansions)
        path = self.path(grown, training.order, training.target.costs)
        seen = np.minimum(path.key.astype(np.intp), len(error) - 1)
        return _select(grown, path.with_errors(error[seen], standard_error[seen]), 0)

    def _grow_in_step(self, training: Training) -> tuple[Floats, Floats]:
        """Give the errors of 0, 1, ... expansions, up to where growing may stop."""
        folds = training.folds(self.folds)
        n_folds = int(folds.max()) + 1
        growth = _core.StepFolds(
            training.problem,
            folds,
            n_folds,
            loss_of(training, self.error),
            training.unseen,
            self.time_limit,
        )
        found = np.full(1, np.nan), np.full(1, np.nan)
        expansions = _FIRST_STEPS
        with training.progress("expansions of the folds", None) as on_progress:
            while True:
                sums = growth.advance(expansions)
                if sums is None:
                    warnings.warn(
                        f"time_limit={self.time_limit!r}: growing stopped after "
                        f"{len(found[0]) - 1} expansions, before the errors said so; the best of "
                        "these trees is taken",
                        RuntimeWarning,
                        stacklevel=6,
                    )
                    return found
                counted = self._counted(np.arange(expansions + 1), sums[4])
                found = errors(*sums[:4], counted, training=training, measure=self.error)
                known = ~np.isnan(found[0])  # up to the most that any tree has
                found = found[0][known], found[1][known]
                on_progress(expansions)
                if growth.finished or self._stop(*found) is not None:
                    return found
                expansions += max(_FIRST_STEPS, expansions // 2)

    def _counted(self, keys: Any, of_folds: Any) -> Any:
        reached = keys[None, :] <= of_folds[:, None]
        return reached | (self.finished_folds == "keep")

    def _stop(self, error: Floats, standard_error: Floats) -> int | None:
        """Give the number of expansions at which growing stops, if the errors have one."""
        if self.rule == "min":
            beyond = np.diff(error, prepend=error[:1]) > slack(error)
        else:
            least = np.minimum.accumulate(error)
            at = np.maximum.accumulate(np.where(error <= least, np.arange(len(error)), 0))
            beyond = error > least + standard_error[at] + slack(error)
        return int(np.argmax(beyond)) if beyond.any() else None


@named("critical_value")
@dataclass(frozen=True, kw_only=True)
class CriticalValue(_AlongSequence):
    """Critical value pruning (Mingers 1987): a node stays if a gain at it or below is large enough.

    Parameters
    ----------
    threshold : float or None, default=None
        A node becomes a leaf if its gain and all gains below it are at most this. None finds it by
        cross-validation. Gains are those of the estimator's criterion, per row of the node: with
        "gini" or "entropy" a last split of a few rows has a large one and keeps all above it, so
        that a criterion that counts rows, such as "chi2", suits this pruning better.
    folds : int, default=10
        Number of folds; with fewer rows, every row is a fold of its own.
    rule : {"min", "1se"}, default="min"
        The tree of least cross-validated error; or the smallest whose error exceeds that by at
        most one standard error.
    time_limit : float or None, default=None
        Seconds for the cross-validation. Folds that are not finished by then do not count, which a
        warning tells.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ramify import TreeClassifier
    >>> from ramify.pruning import CriticalValue
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = TreeClassifier(criterion="chi2", pruning=CriticalValue(rule="1se")).fit(X, y)
    >>> clf.tree_.n_leaves < TreeClassifier(criterion="chi2").fit(X, y).tree_.n_leaves
    True
    """

    threshold: float | None = None
    folds: int = 10
    rule: Rule = "min"
    time_limit: float | None = None

    @property
    def _keys(self) -> str:
        return "critical_value"

    @property
    def _threshold(self) -> float | None:
        return self.threshold

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        if self.threshold is not None:
            check.number("threshold", self.threshold, least=0.0)
