"""The tree of least error among those that find enough rows of some classes.

First comes a series of searches with costs, in which the missed rows of the classes cost more and
more (Lagrange multipliers). Each gives a bound, and most give trees that keep the limits. If the
best such tree does not reach the bound, a search over the fronts of error and missed rows closes
the gap: it is exact, also where leaves answer with another class than any costs would. Invariant:
the bound holds for every tree over the features, and the tree keeps the limits.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import flat
from ramify.tree.conditions import LEAF
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.loop import FeaturePlan, Outcome
from ramify.trees.optimal.search import LEAF_ALONE, Searcher, SearchResult

Floats = NDArray[np.float64]
_ROUNDING = 1e-9  # of the weight of all rows
_SHARE = 0.5  # of the time left, for the searches with costs
_MOST_STEPS = 40
_MOST_STEPS_OF_MANY = 15  # with several classes, prices are only approached


@dataclass
class _Labelled:
    """A tree with an answer for every leaf: what it costs with the price of leaves, and misses."""

    splits: Any
    labels: dict[int, int]  # by node of the tree of the core
    cost: float
    missed: Floats  # weight of each limited class that gets another answer


@dataclass
class _RecallSearch:
    task: FeatureSearch
    target: Target
    searcher: Searcher
    limits: dict[int, float]  # least share, by code of the class
    history: list[tuple[float, float, float]] = field(default_factory=list)
    statistics: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False
    best: _Labelled | None = None
    bound: float = 0.0

    def __post_init__(self) -> None:
        """Weigh the classes."""
        target = self.target
        self.codes = np.array(list(self.limits), dtype=np.intp)
        of_class = target.value(target.all_rows)[self.codes]
        self.most = (1.0 - np.array(list(self.limits.values()))) * of_class
        self.slack = _ROUNDING * target.total
        k = target.n_classes
        self.costs = 1.0 - np.eye(k) if target.regrets is None else target.regrets
        self.price = self.searcher.sparsity * target.total

    def priced(self, prices: Floats) -> Floats:
        """Give the costs if each weight of the limited classes that is missed has a price."""
        costs = self.costs.copy()
        for code, price in zip(self.codes, prices, strict=True):
            costs[code] += price
            costs[code, code] -= price
        return costs

    def keeps(self, missed: Floats) -> bool:
        return bool((missed <= self.most + self.slack).all())

    def weigh(self, splits: Any, core: _core.Tree, answers: NDArray[np.intp]) -> _Labelled:
        """Give what a tree costs and misses with these answers of its leaves."""
        data = core.arrays()
        leaves = np.flatnonzero(data["kind"] == LEAF)
        value = data["value"][leaves]
        cost = float(np.einsum("lc,cl->", value, self.costs[:, answers]))
        missed = np.array([value[answers != code, code].sum() for code in self.codes])
        labels = dict(zip(leaves.tolist(), answers.tolist(), strict=True))
        return _Labelled(splits, labels, cost + self.price * len(leaves), missed)

    def offer(self, tree: _Labelled) -> None:
        """Keep a tree that keeps the limits, if it is the best so far."""
        if self.keeps(tree.missed) and (self.best is None or tree.cost < self.best.cost):
            self.best = tree
            self.note()

    def note(self) -> None:
        """Write a line of the history."""
        if self.best is None:
            return
        total, clock = self.target.total, self.searcher.clock
        moment = clock.elapsed(), self.best.cost / total, min(self.bound, self.best.cost) / total
        self.history.append(moment)
        try:
            self.tell()
        except KeyboardInterrupt:
            self.interrupted = True

    def tell(self, *_: float) -> None:
        """Tell the user how far the search has come."""
        if self.searcher.on_progress is not None and self.best is not None:
            error, bound = self.best.cost, min(self.bound, self.best.cost)
            total = self.target.total
            self.searcher.on_progress(self.searcher.clock.elapsed(), error / total, bound / total)

    def relabelled(self, splits: Any, core: _core.Tree, answers: NDArray[np.intp]) -> _Labelled:
        """Change answers to the limited classes, the cheapest for what they find, until enough."""
        value = core.arrays()["value"][core.arrays()["kind"] == LEAF]
        answers = answers.copy()
        for code, most in zip(self.codes, self.most, strict=True):
            more = (
                value @ self.costs[:, code]
                - np.take_along_axis(value @ self.costs, answers[:, None], axis=1).ravel()
            )
            with np.errstate(divide="ignore", invalid="ignore"):
                order = np.argsort(np.where(value[:, code] > 0, more / value[:, code], np.inf))
            for leaf in order:
                if value[answers != code, code].sum() <= most + self.slack:
                    break
                answers[leaf] = code
        return self.weigh(splits, core, answers)

    def solve(self, prices: Floats, until: float) -> tuple[_Labelled, float, bool] | None:
        """Search with prices; give the tree, a bound on the priced cost, whether it is met."""
        seconds = until - self.searcher.clock.elapsed()
        if seconds <= 0 or self.interrupted:
            return None
        costs = self.priced(prices)
        self.task.target = replace(self.target, costs=costs)
        core, found = self.task.search(seconds)
        for name, count in found.statistics.items():
            self.statistics[name] = self.statistics.get(name, 0) + count
        self.interrupted = found.interrupted
        self.task.start = found.splits
        data = core.arrays()
        answers = (data["value"][data["kind"] == LEAF] @ costs).argmin(axis=1)
        tree = self.weigh(found.splits, core, answers)
        priced = tree.cost + float(prices @ tree.missed)
        least = priced if found.proven else found.lower_bound * self.target.total
        self.bound = max(self.bound, least - float(prices @ self.most))
        self.offer(tree)
        self.offer(self.relabelled(found.splits, core, answers))
        self.note()
        return tree, least, found.proven

    @property
    def closed(self) -> bool:
        """Whether the best tree is as good as the bound."""
        return self.best is not None and self.best.cost <= self.bound + 1e-3 * self.slack

    def find_prices(self, until: float) -> Floats:
        """Search with one price after another; give the prices of the largest bound."""
        for splits in ((LEAF_ALONE,), self.task.start):
            if not splits:
                continue
            core = self.task.tree(splits)
            value = core.arrays()["value"][core.arrays()["kind"] == LEAF]
            self.offer(self.relabelled(splits, core, (value @ self.costs).argmin(axis=1)))
        prices = np.zeros(len(self.codes))
        solved = self.solve(prices, until)
        if solved is None or not solved[2] or self.closed:
            return prices
        if len(self.codes) == 1:
            return self._chords(solved[0], until)
        return self._steps(solved[0], until)

    def _chords(self, misses: _Labelled, until: float) -> Floats:
        """One class: the price at which a tree that misses too much and one that does not tie."""
        leaf = self.task.tree((LEAF_ALONE,))
        keeps = self.weigh((LEAF_ALONE,), leaf, self.codes[:1])
        self.offer(keeps)
        price = np.zeros(1)
        for _ in range(_MOST_STEPS):
            if self.keeps(misses.missed) or misses.missed[0] - keeps.missed[0] <= self.slack:
                break
            price = (keeps.cost - misses.cost) / (misses.missed - keeps.missed)
            solved = self.solve(price, until)
            if solved is None or not solved[2] or self.closed:
                break
            tree = solved[0]
            tie = keeps.cost + float(price @ keeps.missed)
            if tree.cost + float(price @ tree.missed) >= tie - 1e-3 * self.slack:
                break
            if self.keeps(tree.missed):
                keeps = tree
            else:
                misses = tree
        return price

    def _steps(self, tree: _Labelled, until: float) -> Floats:
        """Several classes: steps in the direction of what is missed too much."""
        prices = best = np.zeros(len(self.codes))
        for _ in range(_MOST_STEPS_OF_MANY):
            beyond = tree.missed - self.most
            beyond = np.where((beyond < 0) & (prices <= 0), 0.0, beyond)
            square = float(beyond @ beyond)
            if square <= self.slack**2:
                break
            goal = self.best.cost if self.best is not None else 1.5 * self.bound + self.target.total
            prices = np.maximum(0.0, prices + max(goal - self.bound, 0.0) / square * beyond)
            before = self.bound
            solved = self.solve(prices, until)
            if solved is None:
                break
            if self.bound > before:
                best = prices
            if not solved[2] or self.closed:
                break
            tree = solved[0]
        return best

    def close(self, prices: Floats) -> bool:
        """Search over fronts for a tree better than the best; tell whether all were searched."""
        searcher, target = self.searcher, self.target
        seconds = searcher.clock.left()
        if seconds <= 0 or self.interrupted:
            return False
        found = _core.budget_tree(
            self.task.features,
            labels=target.y,
            classes=target.n_classes,
            weights=target.weights,
            costs=flat(self.costs),
            budgets=[
                (int(code), float(most), float(price))
                for code, most, price in zip(self.codes, self.most, prices, strict=True)
            ],
            limits={
                **searcher.limits,
                "sparsity": self.price,
                "upper_bound": np.inf if self.best is None else self.best.cost,
                "seconds": seconds,
            },
            on_progress=self.tell,
        )
        self.interrupted = found["interrupted"]
        self.statistics["fronts"] = found["subproblems"]
        if found["nodes"]:
            self._take(found["nodes"], found["answers"])
        if found["finished"] and self.best is not None:
            self.bound = self.best.cost
        self.note()
        return bool(found["finished"])

    def _take(self, splits: Any, answers: NDArray[np.int32]) -> None:
        """Offer a tree with the answers to all rows."""
        core = self.task.tree(splits)
        leaf = np.asarray(core.apply(self.task.table.cells, "missing", 1))
        _, first = np.unique(leaf, return_index=True)
        self.offer(self.weigh(splits, core, answers[first].astype(np.intp)))


def minimise_within(
    plan: FeaturePlan, table: Table, target: Target, searcher: Searcher, limits: dict[int, float]
) -> Outcome:
    """Find the tree of least error plus price of leaves whose recall of classes is large enough.

    A ValueError says that no tree reaches the limits; a TimeoutError, that there was no time to
    find one.
    """
    task = FeatureSearch(table, target, searcher)
    task.reserve()
    facts = plan.make_features(task)
    task.fallback = None
    search = _RecallSearch(task, target, searcher, limits)
    task.searcher = replace(searcher, on_progress=search.tell)
    clock = searcher.clock
    prices = search.find_prices(clock.elapsed() + _SHARE * clock.left())
    proven = search.closed
    if not proven and task.complete:
        proven = search.close(prices)
    best = search.best
    if best is None:
        asked = ", ".join(
            f"{share:g} of {target.classes[code]!s}"  # type: ignore[index]
            for code, share in limits.items()
        )
        if proven:
            raise ValueError(
                f"min_recall: no tree within the limits finds {asked}; choose smaller shares or a "
                "larger max_depth"
            )
        raise TimeoutError(
            f"no tree that finds {asked} was found before the search was stopped; allow more time"
        )
    total = target.total
    cost = best.cost / total
    task.target = target
    core = task.tree(best.splits)
    found = SearchResult(
        splits=best.splits,
        objective=cost,
        lower_bound=cost if proven else min(search.bound, best.cost) / total,
        proven=proven,
        interrupted=search.interrupted,
        history=search.history,
        statistics=search.statistics,
    )
    return replace(plan.outcome(task, core, found, facts), labels=best.labels)
