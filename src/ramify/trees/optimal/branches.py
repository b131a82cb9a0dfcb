"""The search below a beginning that is laid down: the best branches, and how they share the leaves.

The loss of a tree is the sum of those of its branches, so each is searched on its own. With a limit
on leaves, the branches share them: a branch has a bound for every number of leaves, the division
with the least sum of bounds is found, and the branches that it needs are searched until their trees
are known. Then no other division, and no other way of missing values, is better.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.target import Target
from ramify.trees.optimal.beginning import (
    Beginning,
    Branch,
    Part,
    Ways,
    passed_over,
    write,
)
from ramify.trees.optimal.features import Splits, core_target
from ramify.trees.optimal.found import Result
from ramify.trees.optimal.search import LEAF_ALONE, Searcher, SearchResult

Floats = NDArray[np.float64]
_ROUNDING = 1e-12
_LEAST_SECONDS = 0.05  # of a search that is taken up again


@dataclass
class _Division:
    """The best sums of a part, by the number of leaves that it may take, and how they come about.

    Without a limit on leaves there is one number, and nothing is taken.
    """

    part: Part
    sums: Floats
    below: list[_Division] = field(default_factory=list)
    taken: list[NDArray[np.int64]] = field(default_factory=list)  # by each part but the first
    way: NDArray[np.int64] | None = None

    def choose(self, leaves: int, ways: dict[Ways, Part], limits: dict[Branch, int]) -> None:
        """Note the way that every node takes, and the leaves that every branch may have."""
        if self.way is not None:
            one = self.below[int(self.way[leaves])]
            assert isinstance(self.part, Ways)
            ways[self.part] = one.part
            one.choose(leaves, ways, limits)
        elif isinstance(self.part, Branch):
            limits[self.part] = leaves
        else:
            for one, taken in zip(self.below[:0:-1], self.taken[::-1], strict=True):
                own = int(taken[leaves])
                one.choose(own, ways, limits)
                leaves -= own
            self.below[0].choose(leaves, ways, limits)


class BranchSearch:
    """Searches the branches of a beginning, over features of the whole table.

    What was found stays, so that a search with other limits on leaves goes on from there.
    """

    def __init__(self, beginning: Beginning) -> None:
        self.beginning = beginning
        self._branches = list(dict.fromkeys(beginning.root.branches()))
        self._began_with: tuple[int, float, Target] | None = None  # features, price of a leaf

    @property
    def branches(self) -> list[Branch]:
        """The branches of all ways."""
        return self._branches

    def run(
        self,
        features: _core.FeatureSet,
        target: Target,
        searcher: Searcher,
        *,
        complete: bool = True,
        seconds: float = np.inf,
    ) -> SearchResult:
        """Search until the best tree is known, or the time is up; see :meth:`Searcher.run`."""
        task = _Task(self, features, target, searcher)
        self._forget(len(features), task.price, target)
        for branch in self._branches:
            task.begin(branch)
        stop = searcher.clock.elapsed() + min(seconds, searcher.clock.left())
        interrupted = False
        if complete:
            try:
                interrupted = task.search(stop)
            except KeyboardInterrupt:
                interrupted = True
        return task.result(interrupted=interrupted)

    def _forget(self, n_features: int, price: float, target: Target) -> None:
        """Forget what was found over other features, for another target or price of leaves."""
        before = self._began_with
        same = before is not None and before[:2] == (n_features, price) and before[2] is target
        if not same:
            for branch in self._branches:
                branch.known.results.clear()
                branch.known.searched.clear()
                branch.known.through.clear()
        self._began_with = n_features, price, target


class _Task:
    """One search: its limits, and what the branches have to do with each other."""

    def __init__(
        self,
        of: BranchSearch,
        features: _core.FeatureSet,
        target: Target,
        searcher: Searcher,
    ) -> None:
        self.features, self.searcher, self.target = features, searcher, target
        self.beginning = of.beginning
        self.price = searcher.sparsity * target.unit
        self.least = int(searcher.limits["min_samples_leaf"])
        root = of.beginning.root
        most = int(searcher.limits["max_leaves"])
        self.limited = most < root.capacity(self.least)
        # The leaves of the beginning are there whatever the limit.
        self.most = max(most, root.fewest()) if self.limited else 0
        self.columns = np.array(features.columns, np.int64)
        self.statistics: dict[str, int] = {}
        self.history: list[tuple[float, float, float]] = []
        self.depth_limit = False  # whether nothing but deeper levels is left to search

    # --- a branch ---------------------------------------------------------------------------

    def limit_of(self, branch: Branch, leaves: int) -> int:
        """Give the most leaves that a branch may have; `leaves` counts only if there is a limit."""
        capacity = branch.capacity(self.least)
        return min(leaves, capacity) if self.limited else capacity

    def begin(self, branch: Branch) -> None:
        """Take note of the leaf and of the start of a branch."""
        if branch.known.results:
            return
        leaf = self.target.leaf_loss(branch.rows) + self.price
        only = branch.capacity(self.least) == 1 or branch.depth == 0
        branch.known.results.append(
            Result(branch.capacity(self.least) if only else 1, leaf, leaf, 1, (LEAF_ALONE,))
        )
        if not only and len(branch.start) > 1:
            limit = self.limit_of(branch, self.most - self.beginning.root.fewest() + 1)
            self._run(branch, limit, 0.0, branch.start)

    def _run(self, branch: Branch, limit: int, seconds: float, start: Splits) -> bool:
        """Search a branch; tell whether it was interrupted."""
        searcher, known = self.searcher, branch.known
        wanted = None
        if branch.columns is not None:
            wanted = np.isin(self.columns, branch.columns)
        before = searcher.clock.elapsed()

        def report(taken: float, objective: float, bound: float) -> None:
            known.results.append(Result(limit, bound, objective, limit, start))
            try:
                value, lower = self._sums()
            finally:
                known.results.pop()
            if searcher.on_progress is not None:
                total = self.target.total
                searcher.on_progress(before + taken, value / total, min(lower, value) / total)

        found = _core.optimal_tree(
            self.features,
            **core_target(self.target),
            start=[list(node) for node in start],
            limits={
                **searcher.limits,
                "max_depth": branch.depth,
                "max_leaves": limit,
                "sparsity": self.price,
                "seconds": seconds,
            },
            switches=searcher.switches,
            on_progress=None if searcher.on_progress is None or seconds <= 0 else report,
            rows=branch.rows.astype(np.int32),
            wanted=wanted,
        )
        leaves = sum(node[0] < 0 for node in found["nodes"])
        bound = found["objective"] if found["proven"] else found["lower_bound"]
        known.results.append(Result(limit, bound, found["objective"], leaves, found["nodes"]))
        for name, count in found["search"].items():
            self.statistics[name] = self.statistics.get(name, 0) + count
        if found["depth_limit"]:
            known.through.add(limit)
        return bool(found["interrupted"])

    # --- all together -----------------------------------------------------------------------

    def _divide(self, bounds: bool) -> _Division:
        """Give the best sums of all branches, of their values or of their bounds."""
        met: dict[Part, _Division] = {}

        def of(part: Part) -> _Division:
            if part not in met:
                met[part] = made(part)
            return met[part]

        def made(part: Part) -> _Division:
            if isinstance(part, Branch):
                return _Division(part, self._curve(part, bounds))
            below = [of(one) for one in part.parts]
            if isinstance(part, Ways):
                sums = np.array([one.sums for one in below])
                return _Division(part, sums.min(axis=0), below, way=sums.argmin(axis=0))
            division = _Division(part, below[0].sums, below)
            for one in below[1:]:
                division.sums, taken = _add(division.sums, one.sums)
                division.taken.append(taken)
            return division

        return of(self.beginning.root)

    def _curve(self, branch: Branch, bounds: bool) -> Floats:
        """Give what a branch costs by the number of leaves that it takes, from none on."""
        if not self.limited:
            capacity, known = branch.capacity(self.least), branch.known
            return np.array([known.lower(capacity) if bounds else known.upper(capacity)])
        most = min(branch.capacity(self.least), self.most)
        curve = branch.known.curve(bounds, most)
        return np.concatenate([[np.inf], curve, np.full(self.most - most, curve[-1])])

    def _sums(self) -> tuple[float, float]:
        """Give the objective of the best tree so far, and a bound on all trees."""
        value, bound = (float(self._divide(bounds).sums[-1]) for bounds in (False, True))
        return value, min(bound, value)

    def _chosen(self, bounds: bool) -> tuple[dict[Ways, Part], dict[Branch, int]]:
        """Give the ways and the numbers of leaves of the best sum."""
        ways: dict[Ways, Part] = {}
        limits: dict[Branch, int] = {}
        self._divide(bounds).choose(self.most, ways, limits)
        return ways, {branch: self.limit_of(branch, most) for branch, most in limits.items()}

    def note(self) -> None:
        """Add the state of the search to the history."""
        value, bound = self._sums()
        total = self.target.total
        moment = self.searcher.clock.elapsed(), value / total, bound / total
        if not self.history or self.history[-1][1:] != moment[1:]:
            self.history.append(moment)
        if self.searcher.on_progress is not None:
            self.searcher.on_progress(*moment)

    def search(self, stop: float) -> bool:
        """Search what the most hopeful division needs until its trees are known, or time is up."""
        clock = self.searcher.clock
        while (left := stop - clock.elapsed()) > 0 and not self._above():
            self.note()
            limits = self._chosen(bounds=True)[1]
            unknown = [(b, most) for b, most in limits.items() if not b.known.exact(most)]
            if not unknown:
                return False
            unknown = [(b, most) for b, most in unknown if most not in b.known.through]
            if not unknown:  # a search that was not stopped finds no more
                self.depth_limit = True
                return False
            new = [(b, most) for b, most in unknown if most not in b.known.searched]
            # Of several, the one with fewest rows comes first. It often leaves time for the others.
            branch, most = min(new or unknown, key=lambda one: len(one[0].rows))
            share = left if left == np.inf else max(left / len(new or unknown), _LEAST_SECONDS)
            branch.known.searched.add(most)
            if self._run(branch, most, min(share, left), branch.known.tree(most)):
                return True
        return False

    def _above(self) -> bool:
        """Tell whether it is proven that no tree is below the upper bound."""
        bound = self.searcher.upper_bound
        if bound == np.inf:
            return False
        most = bound * self.target.total
        return self._sums()[1] >= most - _ROUNDING * (abs(most) + self.target.total)

    def result(self, *, interrupted: bool) -> SearchResult:
        """Give the best tree that was found, and what is proven."""
        ways, limits = self._chosen(bounds=True)
        above = self._above()
        known = all(branch.known.exact(most) for branch, most in limits.items())
        if not known:
            ways, limits = self._chosen(bounds=False)
        chosen: Callable[[Ways], Part] = ways.__getitem__
        root, total = self.beginning.root, self.target.total
        value = sum(branch.known.upper(most) for branch, most in limits.items())
        if self.history:
            with suppress(KeyboardInterrupt):  # the search is over
                self.note()
        return SearchResult(
            splits=write(root, chosen, lambda branch: branch.known.tree(limits[branch])),
            objective=value / total,
            lower_bound=value / total if known else self._sums()[1] / total,
            proven=known and not above,
            interrupted=interrupted,
            history=self.history,
            statistics=self.statistics,
            none_below=above,
            depth_limit=self.depth_limit,
            passed_over=tuple(self.beginning.describe(passed_over(root, chosen))),
        )


def _add(one: Floats, other: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Give the least sums of two parts that share leaves, and how many the second one takes."""
    n = len(one)
    taken = np.arange(n)
    # Row: the leaves of both. Column: those of the second.
    first = taken[:, np.newaxis] - taken
    sums = np.where(first >= 0, one[np.maximum(first, 0)], np.inf) + other
    best = sums.argmin(axis=1)
    return sums[taken, best], best
