"""The tree of the largest F1, by a sequence of searches with costs.

F1 = 2 TP / (2 TP + FP + FN) is no sum over leaves. But a tree has an F1 above t exactly if its cost
is below 2 P (1 - t), where a missed positive costs 2 - t, a false alarm t, and P is the weight of
the positives (Dinkelbach 1967). So each search takes the F1 of the best tree so far as t; it finds
a tree of larger F1 or proves that there is none. Invariant: the bound holds for every tree over the
features, whichever search was stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.tree.conditions import LEAF
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.features import Splits
from ramify.trees.optimal.loop import FeaturePlan, Outcome
from ramify.trees.optimal.search import LEAF_ALONE, Searcher, SearchResult

Floats = NDArray[np.float64]
_ROUNDING = 1e-12


def f1_costs(t: float, positive: int) -> Floats:
    """Give the costs of errors, true class by answer, at an F1 of t."""
    costs = np.zeros((2, 2))
    costs[positive, 1 - positive] = 2.0 - t
    costs[1 - positive, positive] = t
    return costs


def f1_error(data: Arrays, costs: Floats, positive: int) -> float:
    """Give 1 - F1 of a tree whose leaves answer by these costs."""
    value = data["value"][data["kind"] == LEAF]
    alarms = (value @ costs).argmin(axis=1) == positive
    hits, false = value[alarms, positive].sum(), value[alarms, 1 - positive].sum()
    return float(1.0 - 2.0 * hits / (value[:, positive].sum() + hits + false))


def largest_f1(data: Arrays, positive: int) -> float:
    """Give the largest F1 that the leaves of a tree reach, by any answers.

    The leaves that answer with the positive class are those of the largest shares of it.
    """
    value = data["value"][data["kind"] == LEAF]
    order = np.argsort(-value[:, positive] / value.sum(axis=1), kind="stable")
    hits = np.cumsum(value[order, positive])
    alarms = np.cumsum(value[order].sum(axis=1))
    return float((2.0 * hits / (hits[-1] + alarms)).max())


@dataclass
class _Best:
    """The best tree with a limit on its leaves, and what is known of all others."""

    core: _core.Tree
    splits: Any
    f1: float
    bound: float  # on 1 - F1
    proven: bool
    interrupted: bool


@dataclass
class _RatioSearch:
    task: FeatureSearch
    target: Target
    searcher: Searcher
    positive: int

    def __post_init__(self) -> None:
        """Weigh the positives."""
        self.weight = float(self.target.value(self.target.all_rows)[self.positive])
        self.history: list[tuple[float, float, float]] = []
        self.statistics: dict[str, int] = {}
        self.least = np.inf  # the objective of the best tree so far, with the price of its leaves
        self.bound = 0.0  # on it, of all trees; raised at the end of a series
        self.interrupted = False
        self.depth_limit = False
        self.passed_over: tuple[str, ...] = ()

    def run(
        self, max_leaves: int | None, start: Any, price: float = 0.0, *, keeps: bool = True
    ) -> _Best:
        """Search until no tree with so many leaves has a larger F1. `price`: of these leaves.

        `keeps` says that the start is known to keep the constraints.
        """
        limits = self.searcher.limits
        if max_leaves is not None:
            limits = limits | {"max_leaves": max_leaves}
        splits = start if start and keeps else self._smallest()
        core = self.task.tree(splits)
        best = _Best(core, splits, largest_f1(core.arrays(), self.positive), 0.0, False, False)
        while True:
            t = best.f1
            self._note(best, price)
            self.task.target = replace(self.target, costs=f1_costs(t, self.positive))
            self.task.searcher = replace(
                self.searcher, limits=limits, sparsity=0.0, on_progress=self._told(best, t, price)
            )
            self.task.start = start or best.splits
            start = ()
            core, found = self.task.search()
            self.passed_over = found.passed_over
            for name, count in found.statistics.items():
                self.statistics[name] = self.statistics.get(name, 0) + count
            best.interrupted = found.interrupted
            self.interrupted |= found.interrupted
            self.depth_limit = found.depth_limit
            f1 = largest_f1(core.arrays(), self.positive)
            best.bound = max(best.bound, self._bound(found.lower_bound, t))
            if f1 > t + _ROUNDING:
                best.core, best.splits, best.f1 = core, found.splits, f1
                if found.proven or (self.searcher.clock.left() > 0 and not found.interrupted):
                    continue
            elif found.proven:
                best.proven, best.bound = True, 1.0 - best.f1
            self._note(best, price)
            return best

    def _smallest(self) -> Splits:
        """Give the tree of fewest leaves."""
        if self.task.branches is None:
            return (LEAF_ALONE,)
        self.task.target = replace(self.target, costs=f1_costs(1.0, self.positive))
        self.task.searcher = replace(
            self.searcher, limits=self.searcher.limits | {"max_leaves": 1}, sparsity=0.0
        )
        return self.task.search(0.0)[1].splits

    def _bound(self, mean_cost: float, t: float) -> float:
        """Turn a bound on the cost at t into one on 1 - F1.

        2 P (1 - t) - cost is (F1 - t) times a number of at least P.
        """
        excess = 2.0 * self.weight * (1.0 - t) - mean_cost * self.target.total
        return max(0.0, 1.0 - t - max(0.0, excess) / self.weight)

    def _note(self, best: _Best, price: float) -> None:
        leaves = int(np.sum(best.core.arrays()["kind"] == LEAF))
        self.least = min(self.least, 1.0 - best.f1 + self.searcher.sparsity * leaves)
        if price == 0.0:
            self.bound = max(self.bound, min(best.bound, self.least))
        self.history.append((self.searcher.clock.elapsed(), self.least, self.bound))

    def _told(self, best: _Best, t: float, price: float) -> Any:
        """Give the callable that tells the user how far a search with costs has come."""
        tell = self.searcher.on_progress
        if tell is None:
            return None

        def told(seconds: float, error: float, bound: float) -> None:
            of_f1 = self._bound(bound, t) if price == 0.0 else 0.0
            tell(seconds, self.least, min(self.least, max(self.bound, of_f1)))

        return told


def maximise_f1(
    plan: FeaturePlan, table: Table, target: Target, searcher: Searcher, positive: int
) -> Outcome:
    """Find the tree of least 1 - F1 plus price of leaves over the features of a plan."""
    task = FeatureSearch(table, target, searcher)
    task.reserve()
    facts = plan.make_features(task)
    task.fallback = None
    search = _RatioSearch(task, target, searcher, positive)
    best = search.run(None, task.start, keeps=not task.constrained)
    objective = 1.0 - best.f1 + searcher.sparsity * _leaves(best)
    proven, bound = best.proven, best.bound + searcher.sparsity
    if searcher.sparsity > 0.0:
        proven = False  # fewer leaves may be better
        if not search.interrupted:
            best, objective, bound, proven = _with_prices(search, best, objective)
    best_costs = f1_costs(best.f1, positive)
    task.target = replace(target, costs=best_costs)
    core = task.tree(best.splits)
    search.history.append((searcher.clock.elapsed(), objective, bound if not proven else objective))
    found = SearchResult(
        splits=best.splits,
        objective=objective,
        lower_bound=objective if proven else min(bound, objective),
        proven=proven,
        interrupted=search.interrupted,
        depth_limit=search.depth_limit,
        history=search.history,
        statistics=search.statistics,
        passed_over=search.passed_over,
    )
    return replace(plan.outcome(task, core, found, facts), costs=best_costs)


def _leaves(best: _Best) -> int:
    return int(np.sum(best.core.arrays()["kind"] == LEAF))


def _with_prices(
    search: _RatioSearch, free: _Best, objective: float
) -> tuple[_Best, float, float, bool]:
    """Weigh F1 against the price of leaves: the best trees of 1, 2, 3, ... leaves.

    The series ends when the bound without prices, `free.bound`, and the price of one leaf more are
    together no better.
    """
    price = search.searcher.sparsity
    kept, least, bound = free, objective, np.inf
    most = int(search.searcher.limits["max_leaves"])
    most = min(most, 2 ** min(int(search.searcher.limits["max_depth"]), 40))
    leaves, start = search.task.fewest - 1, ()
    most = max(most, leaves + 1)
    while leaves < most and free.bound + price * (leaves + 1) < least - _ROUNDING:
        leaves += 1
        best = search.run(leaves, start, price * leaves)
        start = best.splits
        value = 1.0 - best.f1 + price * _leaves(best)
        bound = min(bound, best.bound + price * leaves)
        if value < least - _ROUNDING:
            kept, least = best, value
        if best.interrupted or search.searcher.clock.left() <= 0:
            break
    if leaves < most:
        bound = min(bound, free.bound + price * (leaves + 1))
    return kept, least, min(bound, least), bound >= least - _ROUNDING
