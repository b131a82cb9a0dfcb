"""What the estimators of optimal trees share: the search, and what it learns."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.learning.monotone import monotone_signs
from ramify.learning.parameters import UNLIMITED
from ramify.learning.target import Target
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.tree.doors import door
from ramify.trees.greedy.constraints import allowed_columns
from ramify.trees.greedy.skeleton import skeleton_for_core, warn_of_conditions
from ramify.trees.optimal.claim import describe_proof
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.given import GivenTree, StartFrom
from ramify.trees.optimal.loop import FeaturePlan, HeldOut, Outcome
from ramify.trees.optimal.near_search import find_near
from ramify.trees.optimal.parameters import check_limited
from ramify.trees.optimal.pareto import ParetoFront, find_front, most_leaves
from ramify.trees.optimal.ranking import RankingOrder
from ramify.trees.optimal.rashomon import RashomonSet
from ramify.trees.optimal.search import Searcher, SearchHistory, Skeleton, progress_line
from ramify.trees.optimal.start import DEEPEST
from ramify.trees.optimal.state import read_search, write_search
from ramify.trees.single.base import SingleTree
from ramify.trees.single.fitted import FittedTree

_ROUNDING = 1e-12  # relative to the numbers compared


class OptimalTree(SingleTree):
    """Shared by the estimators of optimal trees; not for direct use."""

    state_entries = (*SingleTree.state_entries, "search")

    error_: float
    lower_bound_: float
    proven_optimal_: bool
    history_: SearchHistory
    search_: dict[str, Any]

    n_thresholds: Any
    upper_bound: Any
    max_depth: Any
    max_leaves: Any
    skeleton: Any
    monotone: Any
    sparsity: Any
    time_limit: Any

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check what can be checked without data; give the values that were read, by name."""
        settings = super().check_parameters(**instead)
        check_limited(settings)
        n_thresholds, features = settings["n_thresholds"], settings["features"]
        if isinstance(n_thresholds, str) and features not in ("auto", "mid"):
            raise ValueError(
                f"n_thresholds={n_thresholds!r} does not fit features={features!r}; choose "
                "features='mid'"
            )
        laid_down = [name for name in ("skeleton", "monotone") if settings[name]]
        if n_thresholds == "grow" and laid_down:
            raise ValueError(
                f"n_thresholds='grow' does not go with {laid_down[0]}, because the tree of one "
                "search must start the next, on other rows; choose a number of thresholds, or 'mdl'"
            )
        return settings

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        clock: Clock = settings["time_limit"]
        target = self._for_objective(target, settings)
        rows = target.rows
        train, others = rows, rows[:0]
        n_thresholds = settings["n_thresholds"]
        if n_thresholds == "grow" and settings["validation_fraction"] is not None:
            fraction, seed = settings["validation_fraction"], settings["random_state"]
            train, others = target.hold_out(rows, fraction, seed)
        began = clock.elapsed()
        train_table, train_target = table.take(train), target.take(train)
        held_out = None
        if len(others):
            held_out = HeldOut(
                table.take(others),
                target.take(others),
                all_rows=lambda: (table.take(rows), target.take(rows)),
                seconds=clock.elapsed() - began,
                unseen=settings["unseen"],
            )
        limits = limits_of(settings, len(rows))
        plan = self._plan(settings, limits, table, target)
        with progress_line(settings["on_progress"], settings["verbose"]) as progress:
            searcher = Searcher(
                limits,
                settings["sparsity"],
                clock,
                progress,
                settings["upper_bound"],
                allowed=allowed_columns(settings["exclude"], table.schema),
                skeleton=skeleton_of(settings, table.schema),
                order=order_of(settings, table.schema, target),
            )
            outcome = self._search(
                plan, train_table, train_target, searcher, held_out, settings=settings
            )
        target = self._answered(target, outcome)
        tree = target.tree(outcome.core, table.schema, unseen=settings["unseen"])
        tree = self._labelled(tree, outcome)
        self._take_over(FittedTree(tree, tree))
        self._take_over_search(outcome, target.take(rows), clock)
        warn_of_conditions(outcome.found.passed_over, "The search", stacklevel=4)
        self._warn(outcome)

    def _for_objective(self, target: Target, settings: dict[str, Any]) -> Target:
        """Give the target with what is minimised."""
        return target

    def _search(
        self,
        plan: FeaturePlan,
        table: Table,
        target: Target,
        searcher: Searcher,
        held_out: HeldOut | None,
        *,
        settings: dict[str, Any],
    ) -> Outcome:
        """Search over the features of a plan."""
        return plan.run(table, target, searcher, held_out)

    def _answered(self, target: Target, outcome: Outcome) -> Target:
        """Give the target with the costs by which the leaves of the tree answer."""
        return target if outcome.costs is None else replace(target, costs=outcome.costs)

    def _labelled(self, tree: Tree, outcome: Outcome) -> Tree:
        """Give the tree with the answers that its costs do not give."""
        return tree

    def _error_of(self, target: Target) -> float:
        """Give the training error of the fitted tree."""
        return target.tree_error(self.tree_.data)

    def _check_additive(self, method: str, settings: dict[str, Any]) -> None:
        """Raise a ValueError if a method cannot do with what is minimised."""

    def _check_near(self, settings: dict[str, Any]) -> None:
        """Raise a ValueError if the trees near the best cannot be counted."""

    @property
    def measured(self) -> str:
        """What is minimised, in words."""
        return "training error"

    def _plan(
        self, settings: dict[str, Any], limits: dict[str, Any], table: Table, target: Target
    ) -> FeaturePlan:
        """Give which features are made, and what the search starts from."""
        start_from = self._start_from(settings, limits)
        if isinstance(start_from, GivenTree):
            start_from.check(table.schema, target.task)
            if settings["skeleton"] is None:  # its conditions may use columns that are left out
                start_from.check_columns(allowed_columns(settings["exclude"], table.schema))
        impurity = settings.get("threshold_impurity", "entropy")
        order = RankingOrder(impurity, mdl=settings["n_thresholds"] == "mdl")
        return FeaturePlan(settings["features"], settings["n_thresholds"], start_from, order)

    def near_optimal(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        epsilon: float,
        max_trees: int | None = None,
        time_limit: float | None = None,
        idle_splits: bool = False,
    ) -> RashomonSet:
        """Find every tree whose objective is within `epsilon` of the best.

        The trees are those that :meth:`fit` would search: within the limits of this estimator, over
        its features. The estimator does not change, and need not be fitted.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.
        epsilon : float
            How much larger the objective may be than that of the best tree, in the unit of
            `sparsity`: with 0.01, the error rate of a tree may be one percentage point larger; in
            regression it is a share of the squared error of the mean.
        max_trees : int or None
            With more trees than this, `epsilon` shrinks to what at most so many trees reach. All
            trees of the least objective are kept in any case.
        time_limit : float or None
            Seconds, in place of the estimator's. At the limit the set has all trees of a smaller
            `epsilon`; a TimeoutError says that not even the best tree was proven.
        idle_splits : bool
            Whether to count trees with splits that change no answer: both branches are leaves, and
            say the same.

        Returns
        -------
        RashomonSet

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from ramify import OptimalTreeClassifier
        >>> near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
        ...     *load_iris(return_X_y=True), epsilon=0.01
        ... )
        >>> near.count > 1, near.stopped_by
        (True, '')
        """
        most = np.inf if max_trees is None else check.whole("max_trees", max_trees, least=1)
        radius = check.number("epsilon", epsilon, least=0.0)
        self._check_additive("near_optimal", self.check_parameters())
        self._check_near(self.check_parameters())
        settings, plan, task = self._prepared(
            "near_optimal", X, y, sample_weight, time_limit, across_columns=False
        )
        searcher = task.searcher
        idle = check.boolean("idle_splits", idle_splits)
        with progress_line(settings["on_progress"], settings["verbose"]) as searcher.on_progress:
            near = find_near(
                plan,
                task,
                epsilon=radius,
                max_trees=most,
                idle_splits=idle,
                unseen=settings["unseen"],
            )
        return RashomonSet(near, asked=radius)

    def pareto_front(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        max_leaves: int | None = None,
        time_limit: float | None = None,
    ) -> ParetoFront:
        """Find the least error of at most 1, 2, 3, ... leaves, each proven or with its gap.

        The trees are those that :meth:`fit` would search, with a leaf limit in place of `sparsity`.
        The estimator does not change, and need not be fitted.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.
        max_leaves : int or None
            The largest number of leaves; None is that of the estimator, or as many as its depth
            allows, at most 32. The front ends before if more leaves lower the error no more.
        time_limit : float or None
            Seconds for all numbers of leaves together, in place of the estimator's. What is not
            proven by then has a bound.

        Returns
        -------
        ParetoFront

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from ramify import OptimalTreeClassifier
        >>> front = OptimalTreeClassifier(max_depth=2).pareto_front(*load_iris(return_X_y=True))
        >>> front.leaves, front.error.round(3), bool(front.proven.all())
        (array([1, 2, 3]), array([0.667, 0.333, 0.04 ]), True)
        """
        most = most_leaves(max_leaves, self.max_leaves, self.max_depth)
        self._check_additive("pareto_front", self.check_parameters(max_leaves=most))
        settings, plan, task = self._prepared(
            "pareto_front", X, y, sample_weight, time_limit, max_leaves=most
        )
        searcher = task.searcher
        searcher.sparsity = 0.0
        greedy = self._greedy_limits(settings, searcher.limits) | {"max_leaves": None}
        with progress_line(settings["on_progress"], settings["verbose"]) as searcher.on_progress:
            return find_front(plan, task, most, greedy=greedy, unseen=settings["unseen"])

    def _prepared(
        self,
        method: str,
        X: Any,
        y: Any,
        sample_weight: Any,
        time_limit: float | None,
        *,
        across_columns: bool = True,
        **instead: Any,
    ) -> tuple[dict[str, Any], FeaturePlan, FeatureSearch]:
        """Read the data; give the settings, the plan of the features and their search."""
        instead |= {} if time_limit is None else {"time_limit": time_limit}
        settings = self.check_parameters(**instead)
        if settings["n_thresholds"] == "grow":
            raise ValueError(
                f"{method} needs n_thresholds to be a number or 'mdl', not 'grow', which searches "
                "over one set of thresholds after another and chooses by held-out rows; fit with "
                "'grow', and take search_['n_thresholds']"
            )
        table = X if isinstance(X, Table) else self._read_training(X, settings)
        target = self._read_target(y, sample_weight, table.n_rows)
        target = self._for_objective(target, settings)
        rows = target.rows
        limits = limits_of(settings, len(rows))
        plan = self._plan(settings, limits, table, target)
        allowed = allowed_columns(settings["exclude"], table.schema)
        searcher = Searcher(
            limits,
            settings["sparsity"],
            settings["time_limit"],
            allowed=allowed,
            skeleton=skeleton_of(settings, table.schema),
            order=order_of(settings, table.schema, target),
        )
        task = FeatureSearch(
            table.take(rows), target.take(rows), searcher, across_columns=across_columns
        )
        return settings, plan, task

    def _start_from(self, settings: dict[str, Any], limits: dict[str, Any]) -> StartFrom:
        """Give what the search starts from: a given tree, the limits of a greedy tree, or None."""
        if settings["start"] != "greedy":
            given: GivenTree | None = settings["start"]
            return given
        return self._greedy_limits(settings, limits)

    def _greedy_limits(self, settings: dict[str, Any], limits: dict[str, Any]) -> dict[str, Any]:
        """Give the limits of the search as parameters of a greedy tree."""
        return {
            "max_depth": min(limits["max_depth"], DEEPEST),
            "max_leaves": None if settings["max_leaves"] == UNLIMITED else settings["max_leaves"],
            "min_samples_leaf": limits["min_samples_leaf"],
            "n_jobs": settings["n_jobs"],
            "exclude": settings["exclude"],
            "skeleton": self.skeleton,
            "monotone": self.monotone,
        }

    def _take_over_search(self, outcome: Outcome, target: Target, clock: Clock) -> None:
        found = outcome.found
        self.error_ = self._error_of(target)
        self.proven_optimal_ = found.proven
        # Sums in another order are rounded differently, so a proven bound is the objective itself.
        best = self._objective()
        self.lower_bound_ = best if found.proven else min(found.lower_bound, best)
        self.history_ = SearchHistory.of(outcome.searches)
        below = None
        if self.upper_bound is not None:
            below = False if found.none_below else self._is_below(best) or None
            if found.none_below:
                self.lower_bound_ = min(max(self.lower_bound_, float(self.upper_bound)), best)
        self.search_ = outcome.statistics() | {
            "below_upper_bound": below,
            "seconds": clock.elapsed(),
        }

    def _warn(self, outcome: Outcome) -> None:
        # "grow" is meant to use all of the time.
        expected = self.n_thresholds == "grow" and any(
            found.proven for _, found in outcome.searches
        )
        if outcome.stopped_by == "interrupt":
            why = "was interrupted"
        elif outcome.stopped_by == "time_limit" and not expected:
            why = f"was stopped by time_limit={self.time_limit!r}"
        elif outcome.stopped_by == "depth_limit":
            why = f"ended at {DEEPEST} levels, and max_depth=None allows more"
        elif self.below_upper_bound_ is False:
            why = f"found no tree below upper_bound={self.upper_bound!r}"
        else:
            return
        warnings.warn(
            f"the search for an optimal tree {why}: the best tree found, with an error of "
            f"{self.error_:.5g}, is kept; {self.proof()}",
            ConvergenceWarning,
            stacklevel=4,
        )

    def _leaf_price(self) -> float:
        """Give what a leaf adds to the objective, in the unit of the error."""
        unit = 1.0 if self.tree_.task == "classification" else float(self.tree_.data["impurity"][0])
        return float(self.sparsity) * unit

    @property
    def objective_(self) -> float:
        """What was minimised: the training error plus the price of all leaves."""
        check_is_fitted(self, "error_")
        return self._objective()

    def _is_below(self, objective: float) -> bool:
        """Tell whether an objective is below the upper bound by more than rounding."""
        bound = float(self.upper_bound)
        return objective < bound - _ROUNDING * (bound + objective)

    def _objective(self) -> float:
        return self.error_ + self._leaf_price() * self.tree_.n_leaves

    @property
    def gap_(self) -> float:
        """How much better another tree could be, at most; 0 if this one is proven optimal."""
        check_is_fitted(self, "error_")
        return 0.0 if self.proven_optimal_ else max(0.0, self.objective_ - self.lower_bound_)

    @property
    def below_upper_bound_(self) -> bool | None:
        """Whether the tree is below `upper_bound`; None if that is unknown, or no bound was given.

        False means that no tree over these features is below it; that is proven.
        """
        check_is_fitted(self, "search_")
        below: bool | None = self.search_.get("below_upper_bound")
        return None if self.upper_bound is None else below

    def _cut_from(self, before: Self) -> None:
        self.error_ = self._error_after_cut()
        if self.tree_.n_leaves < before.tree_.n_leaves:
            self.proven_optimal_ = False
            if before.below_upper_bound_ and not self._is_below(self.objective_):
                self.search_ = before.search_ | {"below_upper_bound": None}

    def _error_after_cut(self) -> float:
        path = self.pruning_path_
        return float(path.training_error[path.selected])

    def proof(self, *, all_thresholds: str = "features='all'") -> str | None:
        """Say how good the tree is, and among which trees; see :func:`describe_proof`."""
        return describe_proof(self, all_thresholds=all_thresholds)

    def facts(self) -> list[tuple[str, str]]:
        """Give what was proven, and how long it took, for a report."""
        proven = "yes" if self.proven_optimal_ else "no"
        return [
            (self.measured[0].upper() + self.measured[1:], f"{self.error_:.6g}"),
            ("Proven optimal", f"{proven}: {self.proof()}"),
            ("Search", f"{float(self.search_['seconds']):.3g} seconds"),
        ]

    def to_state(self) -> dict[str, Any]:
        """Give the fitted state as entries of a model file."""
        return super().to_state() | {"search": write_search(self)}

    def from_state(self, state: dict[str, Any]) -> None:
        """Set the fitted state from a model file; a ValueError names the entry that is wrong."""
        super().from_state(state)
        read_search(state["search"], self)

    def plot_progress(self, ax: Any = None) -> Any:
        """Plot error and bound over time; see :func:`ramify.show.plot_progress`."""
        check_is_fitted(self, "history_")
        return door("plot_progress")(self.history_, ax=ax)


def skeleton_of(settings: dict[str, Any], schema: Schema) -> Skeleton | None:
    """Give the beginning of the trees in the form that the core takes; None if there is none."""
    if settings["skeleton"] is None:
        return None
    return Skeleton(*skeleton_for_core(settings["skeleton"], schema, []))


def order_of(settings: dict[str, Any], schema: Schema, target: Target) -> dict[str, list[int]]:
    """Give the order that predictions must keep, as the core takes it; empty if there is none."""
    if not settings["monotone"]:
        return {}
    return monotone_signs(settings["monotone"], schema, target.classes, merges=False)


def limits_of(settings: dict[str, Any], n_rows: int) -> dict[str, Any]:
    """Give the limits of the trees in the form that the core takes."""
    return {
        # A tree is never deeper than its leaves allow.
        "max_depth": min(settings["max_depth"], n_rows, settings["max_leaves"] - 1),
        "max_leaves": settings["max_leaves"],
        "min_samples_leaf": int(min(settings["min_samples_leaf"].of(n_rows), n_rows + 1)),
        "memory": settings["memory_limit"],
        "threads": settings["n_jobs"],
    }
