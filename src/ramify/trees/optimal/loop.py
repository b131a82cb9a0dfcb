"""Decides which features a search uses: one set of them, or larger and larger sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import flat
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.features import (
    FEW_LEVELS,
    ColumnFacts,
    Splits,
    n_all_thresholds,
    n_columns,
)
from ramify.trees.optimal.given import StartFrom
from ramify.trees.optimal.ranking import Ranking, RankingOrder
from ramify.trees.optimal.search import Searcher, SearchResult
from ramify.trees.optimal.start import as_splits

FEATURES = ("auto", "binary", "mid", "all")
#: "auto" takes every threshold if thresholds^(depth - 2) x columns^2 x rows is at most this. Each
#: question about levels counts as a column.
AFFORDABLE = 2e9
#: Thresholds of a search for predictions that keep an order. Its "auto" takes every threshold if
#: thresholds^depth x rows is at most AFFORDABLE.
MOST_ORDERED = 10_000
_FIRST = 8  # thresholds of the first set of "grow"; each set has twice as many as the one before
_PATIENCE = 2  # "grow" stops after this many sets that did not lower the held-out error
_RECOUNT = 3  # counting a tree on other rows takes as long as making this many trees
_ALL_ROWS = 1.5  # work on all rows takes this many times as long as without the held-out rows


@dataclass(frozen=True)
class Outcome:
    """The tree that was kept, its search, and all searches with their numbers of features."""

    core: _core.Tree
    found: SearchResult
    searches: list[tuple[int, SearchResult]]
    features: str  # the kind of features that was used
    n_features: int
    n_thresholds: int | None  # ranked thresholds
    rows_ranked: int | None  # rows that ranked them
    all_questions: dict[str, bool]  # whether the features include all thresholds and all level sets
    stopped_by: str
    costs: NDArray[np.float64] | None = None  # by which leaves answer, if the search chose them
    labels: dict[int, int] | None = None  # answers that costs do not give, by node

    def statistics(self) -> dict[str, Any]:
        """Give the facts about the searches, and the sums of their counts."""
        sums: dict[str, Any] = {
            "features": self.features,
            "n_features": self.n_features,
            "n_thresholds": self.n_thresholds,
            "rows_ranked": self.rows_ranked,
            **self.all_questions,
            "searches": len(self.searches),
            "stopped_by": self.stopped_by,
        }
        for _, found in self.searches:
            for name, count in found.statistics.items():
                sums[name] = sums.get(name, 0) + count
        return sums


@dataclass(frozen=True)
class HeldOut:
    """The held-out rows, which choose among the trees, and all rows for the last search."""

    table: Table
    target: Target
    all_rows: Callable[[], tuple[Table, Target]]
    seconds: float  # that `all_rows` takes
    unseen: str

    def error(self, core: _core.Tree) -> float:
        """Give the error of a tree on the held-out rows."""
        cells, target = self.table.cells, self.target
        if target.n_classes:
            costs = flat(target.regrets)
            return target.mean_loss(core.predict_class(cells, self.unseen, 1, costs))
        return target.mean_loss(core.predict(cells, self.unseen, 1)[:, 0])


@dataclass
class FeaturePlan:
    """Which features are made, and what the search starts from."""

    features: str
    n_thresholds: int | str
    start_from: StartFrom
    order: RankingOrder

    def kind(
        self, facts: list[ColumnFacts], n_rows: int, max_depth: int, *, ordered: bool = False
    ) -> str:
        """Give the kind of features. "auto" takes all thresholds if affordable, else "mid".

        `ordered` says that predictions must keep an order.
        """
        if self.features == "all" and ordered and n_all_thresholds(facts) > MOST_ORDERED:
            raise ValueError(
                f"features='all' has {n_all_thresholds(facts):,} thresholds here, and a search "
                f"with monotone takes at most {MOST_ORDERED:,}; choose features='mid'"
            )
        if self.features != "auto":
            return self.features
        if isinstance(self.n_thresholds, str):
            return "mid"
        if all(column.distinct <= 2 for column in facts):
            return "binary"
        room = AFFORDABLE / (n_columns(facts) ** 2 * n_rows)
        if ordered:
            affordable = min((AFFORDABLE / max(n_rows, 1)) ** (1 / max(max_depth, 1)), MOST_ORDERED)
        elif max_depth <= 2:
            affordable = np.inf if room >= 1 else 0.0
        else:
            affordable = room ** (1 / (max_depth - 2))
        enough = max(affordable, float(self.n_thresholds))
        return "all" if n_all_thresholds(facts) <= enough else "mid"

    def run(
        self, table: Table, target: Target, searcher: Searcher, held_out: HeldOut | None
    ) -> Outcome:
        """Search over the features of this plan."""
        task = FeatureSearch(table, target, searcher)
        task.reserve()
        if self.n_thresholds == "grow":
            return self._grow(task, held_out)
        return self._search(task)

    def make_features(self, task: FeatureSearch) -> tuple[str, int | None, int | None]:
        """Make the features; give their kind, and how many thresholds how many rows ranked."""
        taken = rows_ranked = None
        searcher = task.searcher
        depth, ordered = searcher.limits["max_depth"], bool(searcher.order)
        kind = self.kind(task.facts, task.table.n_rows, depth, ordered=ordered)
        task.prepare(kind, self.start_from)
        if kind == "mid":
            wanted = check.UNLIMITED if self.order.mdl else int(self.n_thresholds)
            ranking = Ranking(task.table, task.target, wanted, self.order, task.searcher.allowed)
            taken = task.add_thresholds(ranking, wanted)
            rows_ranked = ranking.n_rows
        return kind, taken, rows_ranked

    def _search(self, task: FeatureSearch) -> Outcome:
        facts = self.make_features(task)
        core, found = task.search()
        return self.outcome(task, core, found, facts)

    def outcome(
        self,
        task: FeatureSearch,
        core: _core.Tree,
        found: SearchResult,
        facts: tuple[str, int | None, int | None],
    ) -> Outcome:
        """Put the result of a search together with `facts`, those of :meth:`make_features`."""
        kind, taken, rows_ranked = facts
        n_features = len(task.features)
        return Outcome(
            core,
            found,
            searches=[(n_features, found)],
            features=kind,
            n_features=n_features,
            n_thresholds=taken,
            rows_ranked=rows_ranked,
            all_questions=_all_questions(task.facts, kind, taken),
            stopped_by=found.end,
        )

    def _grow(self, task: FeatureSearch, held_out: HeldOut | None) -> Outcome:
        """Search over more and more thresholds, in the order of their rank."""
        clock, searcher = task.searcher.clock, task.searcher
        began = clock.elapsed()
        if held_out is not None:
            task.searcher = replace(searcher, upper_bound=np.inf)  # the bound is for all rows
            task.reserve(_RECOUNT, held_out.seconds)
        task.prepare("mid", self.start_from)
        ranking = Ranking(task.table, task.target, None, self.order, searcher.allowed)
        task.add_thresholds(ranking, _FIRST)
        prepared, searched = clock.elapsed() - began, 0.0
        kept: Outcome | None = None
        searches: list[tuple[int, SearchResult]] = []
        least, n_no_better = np.inf, 0
        for wanted in self._lengths():
            # The last search, on all rows, needs time, too.
            needed = 0.0 if held_out is None else _ALL_ROWS * (prepared + searched)
            seconds = clock.left() - needed
            if kept is None:
                seconds = seconds if held_out is None else seconds / 2
            elif seconds <= _ALL_ROWS * ranking.seconds:
                stopped_by = "time_limit"
                break
            try:
                taken = task.add_thresholds(ranking, wanted)
                began = clock.elapsed()
                core, found = task.search(seconds)
                error = -np.inf if held_out is None else held_out.error(core)
            except KeyboardInterrupt:  # outside a search; inside, the search keeps its tree
                if kept is None:
                    raise
                stopped_by = "interrupt"
                break
            searches.append((len(task.features), found))
            task.start = found.splits
            no_better = held_out is not None and error >= least
            n_no_better = n_no_better + 1 if no_better else 0
            stopped_by = (
                found.end
                if not found.finished
                else "thresholds"
                if taken < wanted
                else "held_out"
                if n_no_better >= _PATIENCE
                else "proof"
            )
            if kept is None or held_out is None or error < least:
                numbers = len(task.features), taken, ranking.n_rows
                every = _all_questions(task.facts, "mid", taken)
                kept = Outcome(core, found, searches, "mid", *numbers, every, stopped_by)
                least, searched = error, clock.elapsed() - began
            if stopped_by != "proof":
                break
        assert kept is not None  # there was at least one search
        kept = replace(kept, stopped_by=stopped_by)
        if held_out is None:
            return kept
        return self._on_all_rows(kept, held_out, searcher, least=prepared)

    def _on_all_rows(
        self, kept: Outcome, held_out: HeldOut, searcher: Searcher, least: float
    ) -> Outcome:
        """Search once more on all rows, over as many thresholds, starting from the kept tree.

        With fewer than `least` seconds left, the kept tree is only counted on all rows.
        """
        task = FeatureSearch(*held_out.all_rows(), searcher)
        task.reserve()
        n, ranking = kept.n_thresholds or 0, None
        if searching := kept.stopped_by != "interrupt" and searcher.clock.left() > least:
            try:
                task.prepare("mid", self.start_from)
                ranking = Ranking(task.table, task.target, n, self.order, searcher.allowed)
                n = task.add_thresholds(ranking, n)
            except KeyboardInterrupt:  # the kept tree remains
                searching, ranking = False, None
                kept = replace(kept, stopped_by="interrupt")
        starts: list[Splits] = [as_splits(kept.core.arrays(), task.features, task.table)]
        if searching and task.start:
            starts.append(task.start)
        task.start = starts[0]
        if len(starts) > 1:
            task.start = min(starts, key=lambda splits: task.objective(task.tree(splits)))
        core, found = task.search(np.inf if searching else 0.0)
        finished = found.finished or not searching
        return Outcome(
            core,
            found,
            searches=[*kept.searches, (len(task.features), found)],
            features="mid",
            n_features=len(task.features),
            n_thresholds=n,
            rows_ranked=kept.rows_ranked if ranking is None else ranking.n_rows,
            all_questions=_all_questions(task.facts, "mid", n),
            stopped_by=kept.stopped_by if finished else found.end,
        )

    @staticmethod
    def _lengths() -> Iterator[int]:
        """Give the numbers of thresholds of "grow"."""
        length = _FIRST
        while True:
            yield length
            length *= 2


def _all_questions(
    facts: list[ColumnFacts], kind: str, n_thresholds: int | None
) -> dict[str, bool]:
    """Tell whether the features include all thresholds, and all sets of levels, of these rows."""
    nominal = (column.distinct for column in facts if column.kind == "nominal")
    return {
        "all_thresholds": kind != "mid" or n_all_thresholds(facts) <= (n_thresholds or 0),
        "all_level_sets": all(levels <= FEW_LEVELS for levels in nominal),
    }
