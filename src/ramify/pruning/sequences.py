"""Prunings that choose from a nested sequence of trees, by cross-validation.

Each pruning gives every inner node a retirement key. The rest is shared: one walk per held-out row
gives the errors of all trees of a sequence, and the tree of least error, or the smallest within one
standard error of it, is chosen. By the rule "1point" it is at most one point above the least, and
better than no tree at all.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.training import Training
from ramify.pruning.cross_validation import errors, loss_of
from ramify.pruning.path import (
    RULES,
    Floats,
    PruningPath,
    Rule,
    choose,
    sequence,
    slack,
    whole_error,
)
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import NAMES, named

ERRORS = ("rate", "rmse")
STAGES = ("post", "pre")
FINISHED_FOLDS = ("keep", "drop")
RISKS = ("error", "impurity")
_FIRST_LOOK = 8  # expansions before the first look at the errors


class _AlongSequence:
    """What these prunings share: the choice of a tree of the sequence; not for direct use."""

    folds: int
    rule: Rule
    time_limit: float | None

    @property
    def _retirement(self) -> str:
        """How nodes get their keys, by the core's name."""
        raise NotImplementedError

    @property
    def _fixed_cut(self) -> float | None:
        """The value at which the user wants the keys cut; None means cross-validation."""
        return None

    @property
    def _measure(self) -> str:
        """The error of classes that is cross-validated."""
        return "rate"

    def _folds_that_count(self, keys: Any, most: Any) -> Any:
        """Mark the folds that count for each key; `most` are the largest keys of the folds.

        None means that all folds count for all keys.
        """
        return None

    def check(self) -> None:
        """Validate the parameters."""
        check.folds(self.folds)
        check.choice("rule", self.rule, RULES)
        check.time_limit(self.time_limit)

    def path(self, grown: _core.Tree, order: str, costs: Floats | None) -> PruningPath:
        """Give the sequence of a tree, without cross-validated errors."""
        return sequence(grown, self._retirement, order, costs)

    def prune(self, training: Training) -> Pruned:
        """Grow the tree and cut it back."""
        return self._post_prune(training)

    def _post_prune(self, training: Training) -> Pruned:
        grown = training.grow()
        path = self.path(grown, training.order, training.target.costs)
        if self._fixed_cut is not None:
            return _select(grown, path, path.at_price(float(self._fixed_cut)))
        if len(path) == 1:  # nothing to choose from
            return _select(grown, path, 0)
        return self._cross_validated(training, grown, path)

    def _cross_validated(self, training: Training, grown: _core.Tree, path: PruningPath) -> Pruned:
        sums = training.fold_losses(
            path.retirement,
            self.folds,
            path.fold_thresholds,
            loss_of(training, self._measure),
            self.time_limit,
        )
        n_folds = len(sums[2])
        finished = np.count_nonzero(sums[2])
        if finished < n_folds:
            warnings.warn(
                f"time_limit={self.time_limit!r}: {finished} of {n_folds} folds were finished; "
                + ("the errors are those of these folds" if finished else "the tree is not pruned"),
                RuntimeWarning,
                stacklevel=6,
            )
            if not finished:
                return _select(grown, path, 0)
        counted = self._folds_that_count(np.arange(sums[0].shape[1])[::-1], sums[4])
        error, standard_error = errors(*sums[:4], counted, training=training, measure=self._measure)
        path = path.with_errors(error, standard_error)
        return _select(grown, path, path.choose(self.rule, **_scale(training)))


def _scale(training: Training) -> dict[str, Any]:
    """Give what the rule of one point has to know of the target."""
    target = training.target
    classes = target.task == "classification"
    return {
        "whole": whole_error(classes=classes, costs=target.costs is not None),
        "classes": classes,
    }


def _select(grown: _core.Tree, path: PruningPath, row: int) -> Pruned:
    return Pruned(path.cut(grown, row), grown, path.select(row))


@named("cost_complexity")
@dataclass(frozen=True, kw_only=True)
class CostComplexity(_AlongSequence):
    """Minimal cost-complexity pruning (Breiman et al. 1984, chapter 3).

    Every leaf has the price alpha. The subtree with the least sum of error and price is kept. As
    the price rises, the trees become smaller, each a part of the one before, down to the root.
    Cross-validation finds the price. An interval of alpha in which the whole tree does not change
    is judged at its geometric midpoint in the trees of the folds.

    Parameters
    ----------
    alpha : float or None, default=None
        The price: a branch must save this much error for each leaf it adds. Errors are per unit of
        weight: the share of wrong rows, their mean cost, or the mean squared or absolute error.
        None finds the price by cross-validation.
    folds : int, default=10
        Number of folds. With fewer rows than folds, every row is a fold of its own.
    rule : {"min", "1se", "1point"}, default="1se"
        "min" takes the tree of least cross-validated error, "1se" the smallest tree whose error is
        within one standard error of the least. "1point" as "1se", but the error is also at most
        one point above the least: 1 % of the rows, or 1 % of the root's cost or error (0.01 of R2).
        Of classes, "1point" takes no tree that is not clearly better than the root alone.
    risk : {"error", "impurity"}, default="error"
        What a leaf adds to the error of a tree. "error" is the training rows it gets wrong (their
        cost, with `costs`), as in CART and rpart. "impurity" is its impurity, as in scikit-learn.
        In regression both are the squared or absolute error.
    time_limit : float or None, default=None
        Seconds for the cross-validation. Folds that are not finished by then do not count, and a
        warning says so.

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
    def _retirement(self) -> str:
        return "cost_complexity" if self.risk == "error" else "cost_complexity_impurity"

    @property
    def _fixed_cut(self) -> float | None:
        return self.alpha

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        if self.alpha is not None:
            check.number("alpha", self.alpha, least=0.0)
        check.choice("risk", self.risk, RISKS)


NAMES["auto"] = partial(CostComplexity, rule="1point")


@named("best_first")
@dataclass(frozen=True, kw_only=True)
class BestFirst(_AlongSequence):
    """The number of best-first expansions by cross-validation (Shi 2007, section 3.4).

    A best-first tree contains all its smaller versions, since the best expansions come first.

    Parameters
    ----------
    stage : {"post", "pre"}, default="post"
        "post" grows all trees to the end and takes the number of expansions with the least error,
        the smallest if several tie. It tries every number that the tree of some fold reaches. A
        number beyond the whole tree means the whole tree. "pre" grows the trees of all folds in
        step and stops as soon as their error rises; it goes on while the error stays the same. With
        the 1SE rule, it stops as soon as the error exceeds the least error so far by more than the
        standard error of that.
    rule : {"min", "1se", "1point"}, default="min"
        "min" takes the tree of least cross-validated error, "1se" the smallest tree whose error is
        within one standard error of the least. "1point" as "1se", but the error is also at most
        one point above the least: 1 % of the rows, or 1 % of the root's cost or error (0.01 of R2).
        Of classes, "1point" takes no tree that is not clearly better than the root alone.
    error : {"rate", "rmse"}, default="rate"
        What is cross-validated. "rate" is the share of wrong predictions (the mean cost, with
        `costs`), "rmse" the root mean squared error of the class shares. In regression it is the
        squared or absolute error, as the criterion says.
    folds : int, default=10
        Number of folds. With fewer rows than folds, every row is a fold of its own.
    finished_folds : {"keep", "drop"}, default="keep"
        What a fold counts for if its tree has fewer expansions than the number that is judged.
        "keep" counts its last tree. "drop" leaves the fold out, as in Weka and in the figures of
        the thesis; folds whose trees end early are the easy ones, so "drop" makes larger trees.
    time_limit : float or None, default=None
        Seconds for the cross-validation. Folds (or expansions) that are not finished by then do not
        count, and a warning says so.

    Notes
    -----
    The order of expansion is that of ``growth="best_first"``, or of ``"best_first_unweighted"`` if
    the estimator has that. A tree grown depth first is cut back in the order of "best_first".

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
    def _retirement(self) -> str:
        return "best_first"

    def path(self, grown: _core.Tree, order: str, costs: Floats | None) -> PruningPath:
        """Give the sequence of a tree, without cross-validated errors."""
        rmse = self.error == "rmse" and grown.task == "classification"
        return sequence(grown, "best_first_rmse" if rmse else self._retirement, order, costs)

    @property
    def _measure(self) -> str:
        return self.error

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        check.choice("stage", self.stage, STAGES)
        check.choice("error", self.error, ERRORS)
        check.choice("finished_folds", self.finished_folds, FINISHED_FOLDS)

    def prune(self, training: Training) -> Pruned:
        """Grow the tree and cut it back, or stop growing early."""
        return self._pre_prune(training) if self.stage == "pre" else self._post_prune(training)

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
            # Trees beyond the stop do not count.
            count = len(error) if stop is None else stop + 1
            scale = _scale(training)
            from_large = choose(
                error[:count][::-1],
                standard_error[:count][::-1],
                self.rule,
                scale["whole"],
                wrong_classes=scale["classes"] and self.error == "rate",
            )
            expansions = count - 1 - from_large
        grown = training.grow(max_expansions=expansions)
        path = self.path(grown, training.order, training.target.costs)
        at = np.minimum(path.key.astype(np.intp), len(error) - 1)
        return _select(grown, path.with_errors(error[at], standard_error[at]), 0)

    def _grow_in_step(self, training: Training) -> tuple[Floats, Floats]:
        """Give the errors of 0, 1, ... expansions and their standard errors, until a stop."""
        growth = training.step_folds(self.folds, loss_of(training, self.error), self.time_limit)
        found = np.full(1, np.nan), np.full(1, np.nan)
        expansions = _FIRST_LOOK
        with training.progress("expansions of the folds", None) as on_progress:
            while True:
                sums = growth.advance(expansions)
                if sums is None:
                    warnings.warn(
                        f"time_limit={self.time_limit!r}: growing stopped after "
                        f"{len(found[0]) - 1} expansions, before the errors rose; the best of "
                        "these trees is taken",
                        RuntimeWarning,
                        stacklevel=6,
                    )
                    return found
                counted = self._folds_that_count(np.arange(expansions + 1), sums[4])
                found = errors(*sums[:4], counted, training=training, measure=self.error)
                known = ~np.isnan(found[0])  # up to the most expansions of any tree
                found = found[0][known], found[1][known]
                on_progress(expansions)
                if growth.finished or self._stop(*found) is not None:
                    return found
                expansions += max(_FIRST_LOOK, expansions // 2)

    def _folds_that_count(self, keys: Any, most: Any) -> Any:
        reached = keys[None, :] <= most[:, None]
        return reached | (self.finished_folds == "keep")

    def _stop(self, error: Floats, standard_error: Floats) -> int | None:
        """Give the number of expansions at which growing stops; None if it goes on."""
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
    """Critical value pruning (Mingers 1987): a node stays if its gain or one below is large enough.

    Parameters
    ----------
    threshold : float or None, default=None
        A node becomes a leaf if its gain and all gains below it are at most this. None finds the
        threshold by cross-validation. Gains are those of the estimator's criterion. With "gini" or
        "entropy" they are per row of the node: a last split of a few rows may have a large gain,
        which keeps all nodes above it. A criterion that counts rows, such as "chi2", suits this
        pruning better.
    folds : int, default=10
        Number of folds. With fewer rows than folds, every row is a fold of its own.
    rule : {"min", "1se", "1point"}, default="min"
        "min" takes the tree of least cross-validated error, "1se" the smallest tree whose error is
        within one standard error of the least. "1point" as "1se", but the error is also at most
        one point above the least: 1 % of the rows, or 1 % of the root's cost or error (0.01 of R2).
        Of classes, "1point" takes no tree that is not clearly better than the root alone.
    time_limit : float or None, default=None
        Seconds for the cross-validation. Folds that are not finished by then do not count, and a
        warning says so.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_titanic
    >>> clf = TreeClassifier(criterion="chi2", pruning=CriticalValue(rule="1se"))
    >>> clf.fit(load_titanic().data, load_titanic().y).tree_.n_leaves
    3
    """

    threshold: float | None = None
    folds: int = 10
    rule: Rule = "min"
    time_limit: float | None = None

    @property
    def _retirement(self) -> str:
        return "critical_value"

    @property
    def _fixed_cut(self) -> float | None:
        return self.threshold

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        if self.threshold is not None:
            check.number("threshold", self.threshold, least=0.0)
