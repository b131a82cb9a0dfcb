"""Over which features an optimal tree is searched for: one set, or sets that grow with time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import flat
from ramify.trees.optimal import features as make
from ramify.trees.optimal.feature_search import FeatureSearch, Ranking, RankingOrder
from ramify.trees.optimal.given import Beginning
from ramify.trees.optimal.result import Splits
from ramify.trees.optimal.search import Found, Searcher
from ramify.trees.optimal.start import as_splits

FEATURES = ("auto", "binary", "mid", "all")
#: "auto" takes every threshold if thresholds^(depth - 2) x columns^2 x rows is at most this, where
#: each question about levels is a column.
AFFORDABLE = 2e9
_FIRST = 8  # thresholds of the first of a growing series; each set has twice as many as the last
_PATIENCE = 2  # sets that do not lower the error on held-out rows
_RECOUNT = 3  # counting a tree on other rows takes as long as making so many
_AGAIN = 1.5  # all rows take so many times as long as those that are not held out


@dataclass(frozen=True)
class Outcome:
    """The tree that was kept, its search, and all searches with their number of features."""

    core: _core.Tree
    found: Found
    searches: list[tuple[int, Found]]
    features: str  # which kind was taken
    n_features: int
    n_thresholds: int | None  # ranked ones
    rows_ranked: int | None  # by how many rows
    all_questions: dict[str, bool]  # whether all thresholds, and all sets of levels, are among them
    stopped_by: str

    def statistics(self) -> dict[str, Any]:
        """Sum up what the searches did."""
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
    """Rows that choose among the trees, and all rows, for the tree that is kept."""

    table: Table
    target: Target
    whole: Callable[[], tuple[Table, Target]]
    seconds: float  # that it takes to get these
    unseen: str

    def error(self, core: _core.Tree) -> float:
        """Give the error on rows that the tree has not seen."""
        cells, target = self.table.cells, self.target
        if target.n_classes:
            costs = flat(target.regrets)
            return target.mean_loss(core.predict_class(cells, self.unseen, 1, costs))
        return target.mean_loss(core.predict(cells, self.unseen, 1)[:, 0])


@dataclass
class FeaturePlan:
    """How features are made and searched over."""

    features: str
    n_thresholds: int | str
    beginning: Beginning
    order: RankingOrder

    def kind(self, table: Table, max_depth: int) -> str:
        """Settle "auto": every threshold where that is affordable, otherwise the ranked ones."""
        if self.features != "auto":
            return self.features
        if isinstance(self.n_thresholds, str):
            return "mid"
        if all(make.two_values(table, j) for j in range(len(table))):
            return "binary"
        room = AFFORDABLE / (make.n_columns(table) ** 2 * table.n_rows)
        if max_depth <= 2:
            affordable = np.inf if room >= 1 else 0.0
        else:
            affordable = room ** (1 / (max_depth - 2))
        enough = max(affordable, float(self.n_thresholds))
        return "all" if make.n_all_thresholds(table, enough) <= enough else "mid"

    def run(
        self, table: Table, target: Target, searcher: Searcher, held_out: HeldOut | None
    ) -> Outcome:
        """Search over the features of this plan."""
        task = FeatureSearch(table, target, searcher)
        task.reserve()
        if self.n_thresholds == "grow":
            return self._grow(task, held_out)
        kind = self.kind(table, searcher.limits["max_depth"])
        task.prepare(kind, self.beginning)
        return self._search(task, kind)

    def _search(self, task: FeatureSearch, kind: str) -> Outcome:
        taken = rows_ranked = None
        if kind == "mid":
            wanted = check.UNLIMITED if self.order.mdl else int(self.n_thresholds)
            ranking = Ranking(task.table, task.target, wanted, self.order)
            taken = task.add_thresholds(ranking, wanted)
            rows_ranked = ranking.n_rows
        core, found = task.search()
        n_features = len(task.features)
        return Outcome(
            core,
            found,
            searches=[(n_features, found)],
            features=kind,
            n_features=n_features,
            n_thresholds=taken,
            rows_ranked=rows_ranked,
            all_questions=_all_questions(task.table, kind, taken),
            stopped_by=_end(found),
        )

    def _grow(self, task: FeatureSearch, held_out: HeldOut | None) -> Outcome:
        """Search over thresholds in the order of their rank: more and more of them."""
        clock, searcher = task.searcher.clock, task.searcher
        began = clock.elapsed()
        if held_out is not None:
            task.searcher = replace(searcher, upper_bound=np.inf)  # which is that of all rows
            task.reserve(_RECOUNT, held_out.seconds)
        task.prepare("mid", self.beginning)
        ranking = Ranking(task.table, task.target, None, self.order)
        task.add_thresholds(ranking, _FIRST)
        prepared, searched = clock.elapsed() - began, 0.0
        kept: Outcome | None = None
        searches: list[tuple[int, Found]] = []
        least, stale = np.inf, 0
        for wanted in self._lengths():
            # The tree that is kept will be searched for once more, on all rows.
            later = 0.0 if held_out is None else _AGAIN * (prepared + searched)
            seconds = clock.left() - later
            if kept is None:
                seconds = seconds if held_out is None else seconds / 2
            elif seconds <= _AGAIN * ranking.seconds:
                stopped_by = "time_limit"
                break
            try:
                taken = task.add_thresholds(ranking, wanted)
                began = clock.elapsed()
                core, found = task.search(seconds)
                error = -np.inf if held_out is None else held_out.error(core)
            except KeyboardInterrupt:  # between searches, which keep their trees themselves
                if kept is None:
                    raise
                stopped_by = "interrupt"
                break
            searches.append((len(task.features), found))
            task.start = found.splits
            stale = stale + 1 if error >= least and held_out is not None else 0
            stopped_by = (
                _end(found)
                if not found.settled
                else "thresholds"
                if taken < wanted
                else "held_out"
                if stale >= _PATIENCE
                else "proof"
            )
            if kept is None or held_out is None or error < least:
                numbers = len(task.features), taken, ranking.n_rows
                every = _all_questions(task.table, "mid", taken)
                kept = Outcome(core, found, searches, "mid", *numbers, every, stopped_by)
                least, searched = error, clock.elapsed() - began
            if stopped_by != "proof":
                break
        assert kept is not None  # there is at least one length
        kept = replace(kept, stopped_by=stopped_by)
        if held_out is None:
            return kept
        return self._on_all_rows(kept, held_out, searcher, least=prepared)

    def _on_all_rows(
        self, kept: Outcome, held_out: HeldOut, searcher: Searcher, least: float
    ) -> Outcome:
        """Search once more with the held-out rows, over as many thresholds, from the kept tree.

        With fewer than the `least` seconds left, its nodes are only counted on all rows.
        """
        task = FeatureSearch(*held_out.whole(), searcher)
        task.reserve()
        n, ranking = kept.n_thresholds or 0, None
        if searching := kept.stopped_by != "interrupt" and searcher.clock.left() > least:
            try:
                task.prepare("mid", self.beginning)
                ranking = Ranking(task.table, task.target, n, self.order)
                n = task.add_thresholds(ranking, n)
            except KeyboardInterrupt:  # the kept tree is there all the same
                searching, ranking = False, None
                kept = replace(kept, stopped_by="interrupt")
        starts: list[Splits] = [as_splits(kept.core.arrays(), task.features, task.table)]
        if searching and task.start:
            starts.append(task.start)
        task.start = starts[0]
        if len(starts) > 1:
            task.start = min(starts, key=lambda one: task.objective(task.tree(one)))
        core, found = task.search(np.inf if searching else 0.0)
        settled = found.settled or not searching
        return Outcome(
            core,
            found,
            searches=[*kept.searches, (len(task.features), found)],
            features="mid",
            n_features=len(task.features),
            n_thresholds=n,
            rows_ranked=kept.rows_ranked if ranking is None else ranking.n_rows,
            all_questions=_all_questions(task.table, "mid", n),
            stopped_by=kept.stopped_by if settled else _end(found),
        )

    @staticmethod
    def _lengths() -> Iterator[int]:
        length = _FIRST
        while True:
            yield length
            length *= 2


def _end(found: Found) -> str:
    if found.proven:
        return "proof"
    if found.none_below:
        return "upper_bound"
    return "interrupt" if found.interrupted else "time_limit"


def _all_questions(table: Table, kind: str, n_thresholds: int | None) -> dict[str, bool]:
    """Tell what a proof holds for: whether nothing else could be asked of these rows."""
    taken = n_thresholds or 0
    few = (len(table.values(j)) <= make.FEW_LEVELS for j in table.schema.nominal)
    return {
        "all_thresholds": kind != "mid" or make.n_all_thresholds(table, taken) <= taken,
        "all_level_sets": all(few),
    }
