"""What the estimators of optimal trees share: their parameters, the search, what is learned."""

from __future__ import annotations

import re
import warnings
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.learning.target import RankingOrder, Target
from ramify.tables import Columns, Schema
from ramify.tree import Tree
from ramify.tree.doors import door
from ramify.trees.optimal.claim import describe_proof
from ramify.trees.optimal.features import Cells
from ramify.trees.optimal.given import Beginning, GivenTree
from ramify.trees.optimal.loop import FEATURES, FeaturePlan, HeldOut, Outcome
from ramify.trees.optimal.search import Searcher, SearchHistory, shown
from ramify.trees.single.base import UNSEEN, BaseTree

_SERIES = ("grow", "mdl")
_RANKINGS = ("entropy", "gini")
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_DEFAULT_MEMORY = 10**9
_ROUNDING = 1e-12  # of what is compared


class BaseOptimalTree(BaseTree):
    """Shared by the estimators of optimal trees; not for direct use."""

    error_: float
    lower_bound_: float
    proven_optimal_: bool
    history_: SearchHistory
    search_: dict[str, Any]

    # parameters, stored by the subclasses
    features: Any
    n_thresholds: Any
    threshold_impurity: Any
    start: Any
    upper_bound: Any
    sparsity: Any
    time_limit: Any
    memory_limit: Any
    validation_fraction: Any
    on_progress: Any

    # what BaseTree asks of trees that are grown
    growth = "depth_first"
    pruning = None

    def _check_parameters(self) -> None:
        """Validate what can be validated without data."""
        self._limits(1)
        check.choice("features", self.features, FEATURES)
        if isinstance(self.n_thresholds, str) and self.n_thresholds in _SERIES:
            if self.features not in ("auto", "mid"):
                raise ValueError(
                    f"n_thresholds={self.n_thresholds!r} does not fit features={self.features!r}; "
                    "choose features='mid'"
                )
        elif not _is_integer(self.n_thresholds, least=1):
            raise ValueError(
                f"n_thresholds={self.n_thresholds!r:.80} must be an integer of at least 1, 'grow' "
                "or 'mdl'; every threshold there is: features='all'"
            )
        check.choice("threshold_impurity", self.threshold_impurity, _RANKINGS)
        self._beginning({})
        check.number("sparsity", self.sparsity, least=0.0)
        if self.upper_bound is not None:
            check.number("upper_bound", self.upper_bound, least=0.0)
        check.time_limit(self.time_limit)
        if self.validation_fraction is not None:
            fraction = check.probability(
                "validation_fraction", self.validation_fraction, none="None or "
            )
            if fraction == 1.0:
                raise ValueError("validation_fraction=1 leaves no row to learn from")
        if self.on_progress is not None and not callable(self.on_progress):
            raise ValueError(f"on_progress={self.on_progress!r:.80} must be None or a callable")
        check.choice("unseen", self.unseen, UNSEEN)
        check.boolean("verbose", self.verbose)

    def _beginning(self, greedy: dict[str, Any]) -> Beginning:
        """Read `start`: nothing, the limits of a greedy tree, or a tree."""
        if self.start is None:
            return None
        if isinstance(self.start, str):
            check.choice("start", self.start, ("greedy",))
            return greedy
        return GivenTree.of(self.start)

    def _limits(self, n_rows: int) -> dict[str, Any]:
        """Validate the limits, as the core takes them."""
        if not _is_integer(self.max_depth, least=0):
            raise ValueError(
                f"max_depth={self.max_depth!r:.80} must be an integer of at least 0; there is no "
                "search without a largest depth"
            )
        least = check.rows("min_samples_leaf", self.min_samples_leaf, n_rows, least=1)
        return {
            "max_depth": min(int(self.max_depth), n_rows),  # no tree is deeper than it has rows
            "max_leaves": check.limit("max_leaves", self.max_leaves, least=1),
            "min_samples_leaf": int(min(least, n_rows + 1)),
            "memory": _bytes(self.memory_limit),
            "threads": check.threads(self.n_jobs),
        }

    def _optimize(
        self, schema: Schema, columns: Columns, target: Target, clock: Clock, /, **parts: Any
    ) -> None:
        """Search for the best tree; `parts` are what makes it a :class:`Tree`."""
        rows = np.arange(columns.n_rows)
        if target.weights is not None and not (target.weights > 0).all():
            rows = np.flatnonzero(target.weights > 0)
        learned, others = rows, rows[:0]
        seed = check.seed(self.random_state)
        if _grows(self.n_thresholds) and self.validation_fraction is not None:
            learned, others = target.hold_out(rows, float(self.validation_fraction), seed)
        began = clock.elapsed()
        cells, known = Cells.of(schema, columns, learned), target.take(learned)
        held_out = None
        if len(others):
            held_out = HeldOut(
                Cells.of(schema, columns, others),
                target.take(others),
                whole=lambda: (Cells.of(schema, columns, rows), target.take(rows)),
                seconds=clock.elapsed() - began,
                unseen=self.unseen,
            )
        limits = self._limits(len(rows))
        greedy = {
            "max_depth": self.max_depth,
            "max_leaves": self.max_leaves,
            "min_samples_leaf": limits["min_samples_leaf"],
            "n_jobs": self.n_jobs,
        }
        beginning = self._beginning(greedy)
        if isinstance(beginning, GivenTree):
            beginning.check(schema, target.task)
        wanted = self.n_thresholds
        plan = FeaturePlan(
            self.features,
            wanted if isinstance(wanted, str) else min(int(wanted), check.UNLIMITED),
            beginning,
            RankingOrder(self.threshold_impurity, mdl=wanted == "mdl"),
        )
        bound = np.inf if self.upper_bound is None else float(self.upper_bound)
        with shown(self.on_progress, self.verbose) as progress:
            searcher = Searcher(limits, float(self.sparsity), clock, progress, bound)
            outcome = plan.run(cells, known, searcher, held_out)
        tree = Tree(outcome.core, schema, unseen=self.unseen, **parts)
        self._remember(tree, tree, None)
        self._remember_search(outcome, target.take(rows), clock)
        self._warn(outcome)

    def _remember_search(self, outcome: Outcome, target: Target, clock: Clock) -> None:
        found = outcome.found
        self.error_ = target.tree_error(self.tree_.data)
        self.proven_optimal_ = found.proven
        # Sums in another order: a bound that was reached is the objective.
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
        # More and more thresholds until the time is out is what "grow" is for.
        expected = _grows(self.n_thresholds) and any(one.proven for _, one in outcome.searches)
        if outcome.stopped_by == "interrupt":
            why = "was interrupted"
        elif outcome.stopped_by == "time_limit" and not expected:
            why = f"was stopped by time_limit={self.time_limit!r}"
        elif self.below_upper_bound_ is False:
            why = f"found none below upper_bound={self.upper_bound!r}"
        else:
            return
        warnings.warn(
            f"the search for an optimal tree {why}: the best tree found, with an error of "
            f"{self.error_:.5g}, is kept; {describe_proof(self)}",
            ConvergenceWarning,
            stacklevel=4,
        )

    def _price(self) -> float:
        """What a leaf adds to the objective, in the unit of the error."""
        unit = 1.0 if self.tree_.task == "classification" else float(self.tree_.data["impurity"][0])
        return float(self.sparsity) * unit

    @property
    def objective_(self) -> float:
        """What was minimised: the training error, and the sparsity for every leaf."""
        check_is_fitted(self, "error_")
        return self._objective()

    def _is_below(self, objective: float) -> bool:
        """Tell whether an objective is below the upper bound, and not by rounding alone."""
        bound = float(self.upper_bound)
        return objective < bound - _ROUNDING * (bound + objective)

    def _objective(self) -> float:
        return self.error_ + self._price() * self.tree_.n_leaves

    @property
    def gap_(self) -> float:
        """How much better than this tree another could be, at most: 0 if it is proven optimal."""
        check_is_fitted(self, "error_")
        return 0.0 if self.proven_optimal_ else max(0.0, self.objective_ - self.lower_bound_)

    @property
    def below_upper_bound_(self) -> bool | None:
        """Whether the tree is below `upper_bound`; None if that is not known, or there is none.

        False: it is proven that no tree over these features is.
        """
        check_is_fitted(self, "search_")
        below: bool | None = self.search_.get("below_upper_bound")
        return None if self.upper_bound is None else below

    def prune(
        self,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        rule: Literal["min", "1se"] | None = None,
    ) -> Self:
        """Cut the tree back; see :meth:`ramify.TreeClassifier.prune`.

        A smaller tree made so need not be the best of its size: for that, fit with `max_leaves` or
        a larger `sparsity`.

        Parameters
        ----------
        alpha : float
            The price of a leaf.
        n_leaves : int
            The largest tree of ``pruning_path_`` that has at most so many leaves.
        rule : {"min", "1se"}
            By cross-validated errors, which a fit of an optimal tree does not have.

        Returns
        -------
        estimator
            A new one; this one stays as it is.
        """
        pruned = super().prune(alpha=alpha, n_leaves=n_leaves, rule=rule)
        path = pruned.pruning_path_
        pruned.error_ = float(path.training_error[path.selected])
        if pruned.tree_.n_leaves < self.tree_.n_leaves:
            pruned.proven_optimal_ = False
            if self.below_upper_bound_ and not self._is_below(pruned.objective_):
                pruned.search_ = self.search_ | {"below_upper_bound": None}
        return pruned

    def plot_progress(self, ax: Any = None) -> Any:
        """Plot error and bound over time; see :func:`ramify.show.plot_progress`."""
        check_is_fitted(self, "history_")
        return door("plot_progress")(self.history_, ax=ax)


def _grows(n_thresholds: Any) -> bool:
    return isinstance(n_thresholds, str) and n_thresholds == "grow"


def _is_integer(value: Any, *, least: int) -> bool:
    right = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
    return right and int(value) >= least


def _bytes(memory_limit: Any) -> int:
    """Read a size such as 500_000_000, "500MB" or "2 GiB"."""
    if memory_limit is None:
        return _DEFAULT_MEMORY
    if _is_integer(memory_limit, least=1):
        return min(int(memory_limit), check.UNLIMITED)
    if isinstance(memory_limit, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", memory_limit)
        if found and found[2].upper() in _UNITS:
            size = float(found[1]) * _UNITS[found[2].upper()]
            if size >= 1:
                return int(size) if size < check.UNLIMITED else check.UNLIMITED
    raise ValueError(
        f"memory_limit={memory_limit!r:.80} must be None, a number of bytes, or a size such as "
        "'500MB', '2GB' or '1.5GiB'"
    )
