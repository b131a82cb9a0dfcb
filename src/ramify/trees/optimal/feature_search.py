"""The features of some rows, made in the time there is, and a search over them.

Invariant: features keep their places when others join them, so that the tree of one search is the
start of the next, and no search ends worse than the one before it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning.clock import on_rows_that_fit
from ramify.learning.folds import RowIndices
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.trees.optimal import features as make
from ramify.trees.optimal.features import FeatureSet
from ramify.trees.optimal.given import Beginning, GivenTree
from ramify.trees.optimal.result import Splits, make_tree
from ramify.trees.optimal.search import Found, Searcher
from ramify.trees.optimal.start import as_splits, greedy_tree

_RANKING = 0.4  # share of the time left for ranking thresholds
_STARTING = 0.25  # share of the time left for saying a greedy tree in terms of features
_PASSES = 4  # a level of a tree takes as long as so many sums over the rows
_DEEP = 8  # levels; deeper ones have few rows
#: A search over all thresholds of known numbers begins without a greedy tree if rows x columns^2 is
#: at most this: it comes upon trees as good at once, and proves as fast. Not for trees of few
#: levels, where the greedy tree may be optimal itself, and then is often the smaller one.
_SMALL = 1e5
_FEW_LEVELS = 3


@dataclass(frozen=True)
class RankingOrder:
    """How thresholds are ranked."""

    impurity: str = "entropy"  # of classes; numbers have their variance
    mdl: bool = False  # whether a column ends at the first that an MDL criterion rejects


BY_ENTROPY = RankingOrder()
_FIRST_RANKED = 64  # thresholds that are ranked before the others


class Ranking:
    """Thresholds, the most telling first; of a sample of the rows if the time is short."""

    def __init__(
        self,
        table: Table,
        target: Target,
        limit: int | None,
        order: RankingOrder = BY_ENTROPY,
    ) -> None:
        self.table, self.target, self.limit = table, target, limit
        self.order = order
        self.found: list[tuple[int, float]] = []
        self.n_rows = 0  # that were looked at
        self.seconds = 0.0  # what the longest step took
        self._others: Iterator[tuple[int, float]] | None = None

    def first(self, n: int, seconds: float) -> list[tuple[int, float]]:
        """Give column and threshold of the first n; fewer if there are no more."""
        began = time.perf_counter()
        if self._others is None:
            ordered = len(self.table.schema.ordered)
            on_rows_that_fit(lambda rows: self._begin(rows, n), self.table.n_rows, ordered, seconds)
        else:
            self.found += islice(self._others, n - len(self.found))
        self.seconds = max(self.seconds, time.perf_counter() - began)
        return self.found[:n]

    def _begin(self, rows: RowIndices | None, n: int) -> None:
        table, target = self.table.select(self.table.schema.ordered), self.target
        if rows is not None:
            table, target = table.take(rows), target.take(rows)
        self.n_rows = table.n_rows
        self._others = self._ranked(table, target)
        self.found = list(islice(self._others, n))

    def _ranked(self, table: Table, target: Target) -> Iterator[tuple[int, float]]:
        """Rank the thresholds (MID): column and threshold.

        Without a limit, more are ranked when more are asked for.
        """
        core, ordered = table.core(), self.table.schema.ordered
        taken, length = 0, _FIRST_RANKED if self.limit is None else self.limit
        while True:
            found, threshold = self._rank(core, target, length)
            # The first of a longer ranking are those that are known.
            pairs = zip(found[taken:].tolist(), threshold[taken:].tolist(), strict=True)
            yield from ((ordered[at], value) for at, value in pairs)
            taken = len(threshold)
            if taken < length or self.limit is not None:
                return
            length *= 4

    def _rank(self, core: _core.Table, target: Target, length: int) -> tuple[Any, Any]:
        order, weights = self.order, target.weights
        if target.n_classes:
            found = _core.rank_cuts(
                core, target.y, target.n_classes, weights, order.impurity, length, order.mdl
            )
        else:
            found = _core.rank_cuts_of_numbers(core, target.y, weights, length, order.mdl)
        return found[0], found[1]


@dataclass
class FeatureSearch:
    """Some rows, their features so far, and the tree that a search begins with."""

    table: Table
    target: Target
    searcher: Searcher
    start: Splits = ()
    features: FeatureSet = field(default_factory=FeatureSet)
    n_thresholds: int = 0  # ranked ones among the features
    complete: bool = True  # False if time ran out before all features were made
    greedy: dict[str, Any] | None = None  # limits of the tree to fall back on

    def prepare(self, kind: str, beginning: Beginning) -> None:
        """Make the features, but for ranked thresholds, and the start, if any."""
        clock = self.searcher.clock
        begin: Arrays | None = None
        given = beginning if isinstance(beginning, GivenTree) else None
        greedy = None if isinstance(beginning, GivenTree) else beginning
        if self._begins_alone(kind):
            self.greedy = greedy
        elif greedy is not None:
            begin = greedy_tree(self.table, self.target, greedy, self.searcher.sparsity, clock)
        makers = {"binary": make.binary_features, "all": make.all_features}
        features = makers.get(kind, make.unranked_features)(self.table)
        self.complete = self.features.add_all(features, clock)
        if begin is not None:
            seconds = clock.share(_STARTING)
            self.start = as_splits(begin, self.features, self.table, seconds)
        if given is not None:
            seconds = clock.share(_STARTING)
            limits = self.searcher.limits
            self.start = given.splits(self.features, self.table, self.target, limits, seconds)

    def _begins_alone(self, kind: str) -> bool:
        """Tell whether a greedy tree asks for nothing but the features, and is no help."""
        table = self.table
        return (
            kind == "all"
            and self.searcher.limits["max_depth"] > _FEW_LEVELS
            and table.n_rows * len(table) ** 2 <= _SMALL
            and len(table.schema.ordered) == len(table)
            and not any(table.any_missing(j) for j in range(len(table)))
        )

    def reserve(self, trees: float = 1.0, seconds: float = 0.0) -> None:
        """Keep as much time as it takes to make so many trees at the end, and some seconds."""
        clock, rows = self.searcher.clock, self.target.all_rows
        began = time.perf_counter()
        self.target.value(rows)
        self.target.summary(rows)
        self.table.arrays[0][rows]
        taken = time.perf_counter() - began
        levels = min(self.searcher.limits["max_depth"], _DEEP) + 1
        clock.reserved = min(_PASSES * levels * taken * trees + seconds, clock.limit / 3)

    def add_thresholds(self, ranking: Ranking, n: int) -> int:
        """Add those of the first n that are not yet there; tells how many there are."""
        clock = self.searcher.clock
        if not self.complete:  # there will be no search
            return self.n_thresholds
        found = ranking.first(n, clock.share(_RANKING))
        for column, threshold in found[self.n_thresholds :]:
            features = make.threshold_features(self.table, column, [threshold])
            self.complete = self.complete and self.features.add_all(features, clock)
        self.n_thresholds = len(found)
        return len(found)

    def search(self, seconds: float = np.inf) -> tuple[_core.Tree, Found]:
        """Search over the features, and make the tree that was found."""
        clock = self.searcher.clock
        found = self.searcher.run(
            self.features, self.target, self.start, complete=self.complete, seconds=seconds
        )
        core = self.tree(found.splits)
        if self.greedy is not None and not found.proven:
            core, found = self._or_greedy(core, found, self.greedy)
        if not found.history:  # there was no time
            objective = self.objective(core)
            moment = clock.elapsed(), objective, found.lower_bound
            found = replace(found, objective=objective, history=[moment])
        return core, found

    def _or_greedy(
        self, core: _core.Tree, found: Found, greedy: dict[str, Any]
    ) -> tuple[_core.Tree, Found]:
        """Take the greedy tree if a search was stopped before it found one as good."""
        clock = self.searcher.clock
        grown = greedy_tree(self.table, self.target, greedy, self.searcher.sparsity, clock)
        splits = as_splits(grown, self.features, self.table)
        other = self.tree(splits)
        objective = self.objective(other)
        if objective >= self.objective(core):
            return core, found
        history = [*found.history, (clock.elapsed(), objective, found.lower_bound)]
        return other, replace(found, splits=splits, objective=objective, history=history)

    def tree(self, splits: Splits) -> _core.Tree:
        """Make a tree of splits of these features."""
        return make_tree(splits, self.features, self.table, self.target)

    def objective(self, core: _core.Tree) -> float:
        """Give the error of a tree on these rows, and the price of its leaves."""
        data = core.arrays()
        price = self.searcher.sparsity * self.target.unit / self.target.total
        return self.target.tree_error(data) + price * int(np.sum(data["kind"] == 0))
