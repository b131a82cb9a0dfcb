"""The features of some rows, made within the time limit, and a search over them.

Invariant: new features are added at the end. So the tree of one search can start the next, and no
search ends with a worse tree than the one before it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.trees.optimal.beginning import Beginning
from ramify.trees.optimal.branches import BranchSearch
from ramify.trees.optimal.features import (
    ColumnFacts,
    Splits,
    add_features,
    all_features,
    binary_features,
    column_facts,
    features_without_thresholds,
    threshold_features,
    tree_of_splits,
)
from ramify.trees.optimal.given import GivenTree, StartFrom
from ramify.trees.optimal.ordered_branches import OrderedBranchSearch
from ramify.trees.optimal.ranking import Ranking
from ramify.trees.optimal.search import Searcher, SearchResult
from ramify.trees.optimal.start import as_splits, greedy_core, greedy_tree

_RANKING = 0.4  # share of the time left for ranking thresholds
_STARTING = 0.25  # share of the time left for writing the start as splits over features
_PASSES = 4  # making a level of a tree takes as long as this many sums over the rows
_MOST_LEVELS = 8  # that count for the time to make a tree; deeper levels have few rows
#: A search over all thresholds of known numbers starts without a greedy tree if rows x columns^2 is
#: at most this: it finds trees as good at once, and proves as fast. This does not hold for shallow
#: trees, where the greedy tree may be optimal itself, and is then often the smaller one.
_SMALL = 1e5
_SHALLOW = 3


@dataclass
class FeatureSearch:
    """Some rows, their features so far, and the tree that the next search starts from."""

    table: Table
    target: Target
    searcher: Searcher
    start: Splits = ()
    n_thresholds: int = 0  # ranked thresholds among the features
    complete: bool = True  # False if time ran out before all features were made
    fallback: dict[str, Any] | None = None  # limits of a greedy tree to grow if the search stops
    across_columns: bool = True  # whether features of different columns are compared
    features: _core.FeatureSet = field(init=False)
    #: Below a skeleton.
    branches: BranchSearch | OrderedBranchSearch | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Encode the table, once for all that is made from it."""
        self.table = self.table.encoded()
        searcher = self.searcher
        if searcher.skeleton is not None:
            beginning = Beginning(
                searcher.skeleton, self.table, searcher.limits["max_depth"], searcher.allowed
            )
            self.branches = (
                OrderedBranchSearch(beginning, searcher.order, self.table)
                if searcher.order
                else BranchSearch(beginning)
            )
            # A branch that may not ask a column may ask another one that divides the rows alike.
            self.across_columns = self.across_columns and not searcher.skeleton.narrows
        # A column without an order may be asked for the same rows as one with an order.
        self.across_columns = self.across_columns and not searcher.order
        self.features = _core.FeatureSet(self.table.n_rows, self.across_columns)

    @property
    def constrained(self) -> bool:
        """Whether not every tree within the limits is among those that are searched."""
        return self.branches is not None or bool(self.searcher.order)

    @property
    def fewest(self) -> int:
        """The number of leaves of the smallest tree."""
        if isinstance(self.branches, OrderedBranchSearch):
            return self.branches.fewest(self.target)
        return 1 if self.branches is None else self.branches.beginning.root.fewest()

    @cached_property
    def facts(self) -> list[ColumnFacts]:
        """What the rows have in each column."""
        return column_facts(self.table, self.searcher.allowed)

    def prepare(self, kind: str, start_from: StartFrom) -> None:
        """Make all features but the ranked thresholds, and the start, if any."""
        if self.branches is not None:
            self._prepare_branches(kind, start_from)
            return
        clock = self.searcher.clock
        grown: Arrays | None = None
        given = start_from if isinstance(start_from, GivenTree) else None
        greedy = None if isinstance(start_from, GivenTree) else start_from
        if self._needs_no_greedy_start(kind):
            self.fallback = greedy
        elif greedy is not None:
            grown = greedy_tree(self.table, self.target, greedy, self.searcher.sparsity, clock)
        self._make_features(kind)
        if grown is not None:
            seconds = clock.share(_STARTING)
            self.start = as_splits(grown, self.features, self.table, seconds)
        if given is not None:
            seconds = clock.share(_STARTING)
            limits = self.searcher.limits
            self.start = given.splits(self.features, self.table, self.target, limits, seconds)

    def _make_features(self, kind: str) -> None:
        makers = {"binary": binary_features, "all": all_features}
        makers_of = makers.get(kind, features_without_thresholds)(self.table, self.facts)
        self.complete = add_features(self.features, makers_of, self.searcher.clock)

    def _prepare_branches(self, kind: str, start_from: StartFrom) -> None:
        """Do the same for the branches of a skeleton: each gets the part of the start for it."""
        assert self.branches is not None
        clock, searcher, given = self.searcher.clock, self.searcher, start_from
        if isinstance(given, dict):
            given = self._greedy_below(given)
        self._make_features(kind)
        if given is None:
            return
        branches = self.branches.branches
        seconds = clock.share(_STARTING) / len(branches)
        for branch in branches:
            limits = searcher.limits | {"max_depth": branch.depth}
            branch.start = given.splits(
                self.features,
                self.table,
                self.target,
                limits,
                seconds,
                rows=branch.rows,
                columns=branch.columns,
            )

    def _greedy_below(self, greedy: dict[str, Any]) -> GivenTree | None:
        """Grow a tree below the skeleton, if there is one."""
        clock, sparsity = self.searcher.clock, self.searcher.sparsity
        if self.searcher.order:
            _ = self.fewest  # refuses conditions that no tree can have
        try:
            core = greedy_core(self.table, self.target, greedy, sparsity, clock)
        except ValueError:
            # Growth sends rows without a value one way, which may be one that breaks the order.
            if not self.searcher.order:
                raise
            return None
        return GivenTree(self.target.of_present_classes().tree(core, self.table.schema))

    def _needs_no_greedy_start(self, kind: str) -> bool:
        """Tell whether a greedy tree would add no questions, and not help the search."""
        table = self.table
        return (
            kind == "all"
            and not self.searcher.order
            and self.searcher.limits["max_depth"] > _SHALLOW
            and table.n_rows * len(table) ** 2 <= _SMALL
            and len(table.schema.ordered) == len(table)
            and not any(column.missing for column in self.facts)
        )

    def reserve(self, trees: float = 1.0, seconds: float = 0.0) -> None:
        """Reserve time for making this many trees at the end, plus some seconds."""
        clock, rows = self.searcher.clock, self.target.all_rows
        began = time.perf_counter()
        self.target.value(rows)
        self.target.summary(rows)
        self.table.arrays[0][rows]
        taken = time.perf_counter() - began
        levels = min(self.searcher.limits["max_depth"], _MOST_LEVELS) + 1
        clock.reserved = min(_PASSES * levels * taken * trees + seconds, clock.limit / 3)

    def add_thresholds(self, ranking: Ranking, n: int) -> int:
        """Add the first n ranked thresholds; give how many there are now."""
        clock = self.searcher.clock
        if not self.complete:  # then there is no search
            return self.n_thresholds
        found = ranking.first(n, clock.share(_RANKING))
        new = threshold_features(self.table, found[self.n_thresholds :])
        self.complete = add_features(self.features, new, clock)
        self.n_thresholds = len(found)
        return len(found)

    def search(self, seconds: float = np.inf) -> tuple[_core.Tree, SearchResult]:
        """Search over the features; give the tree that was found, and the result."""
        clock = self.searcher.clock
        if self.branches is not None:
            found = self.branches.run(
                self.features,
                self.target,
                self.searcher,
                complete=self.complete,
                seconds=seconds,
            )
        else:
            found = self.searcher.run(
                self.features,
                self.target,
                self.start,
                complete=self.complete,
                seconds=seconds,
                table=self.table,
            )
        core = self.tree(found.splits)
        if self.fallback is not None and not found.proven:
            core, found = self._or_greedy(core, found, self.fallback)
        if not found.history:  # there was no time for a search
            objective = self.objective(core)
            moment = clock.elapsed(), objective, found.lower_bound
            found = replace(found, objective=objective, history=[moment])
        return core, found

    def _or_greedy(
        self, core: _core.Tree, found: SearchResult, greedy: dict[str, Any]
    ) -> tuple[_core.Tree, SearchResult]:
        """Take the greedy tree if the search was stopped before it found one as good."""
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
        """Make the tree of some splits over these features."""
        fixed = () if self.branches is None else self.branches.beginning.fixed
        return tree_of_splits(splits, self.features, self.table, self.target, fixed)

    def objective(self, core: _core.Tree) -> float:
        """Give the error of a tree on these rows plus the price of its leaves."""
        data = core.arrays()
        price = self.searcher.sparsity * self.target.unit / self.target.total
        return self.target.tree_error(data) + price * int(np.sum(data["kind"] == 0))
