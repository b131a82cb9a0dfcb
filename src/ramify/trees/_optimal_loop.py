"""Which features an optimal tree is searched over: one set, or sets that grow while there is time.

Invariant: features keep their places when others join them, so that the tree of one search is the
start of the next, and no search ends worse than the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ramify import _core
from ramify import _optimal_features as make
from ramify._optimal_features import Cells, FeatureSet
from ramify._optimal_search import Found, Searcher
from ramify._optimal_target import Target
from ramify._optimal_tree import Splits, make_tree
from ramify.trees._core_table import as_core
from ramify.trees._optimal_start import as_splits, greedy_tree

FEATURES = ("auto", "binary", "mid", "all")
#: "auto" takes every threshold if thresholds^(depth - 2) x columns^2 x rows is at most this, where
#: each question about levels is a column.
AFFORDABLE = 2e9
_FIRST = 8  # thresholds of the first of a growing series; each set has twice as many as the last
_PATIENCE = 2  # sets that do not lower the error on held-out rows


@dataclass(frozen=True)
class Outcome:
    """The tree that was kept, its search, and all searches with their number of features."""

    core: _core.Tree
    found: Found
    searches: list[tuple[int, Found]]
    features: str  # which kind was taken
    n_features: int
    n_thresholds: int | None  # ranked ones
    stopped_by: str

    def statistics(self) -> dict[str, Any]:
        """Sum up what the searches did."""
        sums: dict[str, Any] = {
            "features": self.features,
            "n_features": self.n_features,
            "n_thresholds": self.n_thresholds,
            "searches": len(self.searches),
            "stopped_by": self.stopped_by,
        }
        for _, found in self.searches:
            for name, count in found.statistics.items():
                sums[name] = sums.get(name, 0) + count
        return sums


@dataclass
class FeaturePlan:
    """How features are made and searched over."""

    features: str
    n_thresholds: int | str
    start: str | None
    greedy: dict[str, Any]  # limits of the greedy tree

    def kind(self, cells: Cells, max_depth: int) -> str:
        """Settle "auto": every threshold where that is affordable, otherwise the ranked ones."""
        if self.features != "auto":
            return self.features
        if self.n_thresholds == "grow":
            return "mid"
        if all(cells.two_values(j) for j in range(len(cells))):
            return "binary"
        thresholds, rows = make.n_all_thresholds(cells), len(cells.arrays[0])
        work = float(thresholds) ** max(max_depth - 2, 0) * make.n_columns(cells) ** 2 * rows
        return "all" if work <= AFFORDABLE or thresholds <= int(self.n_thresholds) else "mid"

    def run(
        self,
        cells: Cells,
        target: Target,
        searcher: Searcher,
        held_out: tuple[Cells, Target] | None,
        unseen: str,
    ) -> Outcome:
        """Search over the features of this plan."""
        kind = self.kind(cells, searcher.limits["max_depth"])
        features = FeatureSet()
        if kind == "binary":
            features.add_all(make.binary_features(cells))
        elif kind == "all":
            features.add_all(make.all_features(cells))
        else:
            features.add_all(make.unranked_features(cells))
        start: Splits = ()
        if self.start == "greedy":
            greedy = greedy_tree(cells, target, self.greedy, searcher.sparsity)
            start = as_splits(greedy, features, cells)
        if kind == "mid":
            return self._ranked(features, cells, target, searcher, start, held_out, unseen)
        found = searcher.run(features, target, start)
        return Outcome(
            core=make_tree(found.splits, features, cells, target),
            found=found,
            searches=[(len(features), found)],
            features=kind,
            n_features=len(features),
            n_thresholds=None,
            stopped_by=_end(found),
        )

    def _ranked(
        self,
        features: FeatureSet,
        cells: Cells,
        target: Target,
        searcher: Searcher,
        start: Splits,
        held_out: tuple[Cells, Target] | None,
        unseen: str,
    ) -> Outcome:
        """Search over thresholds in the order of their rank: so many, or more and more."""
        ordered = cells.ordered()
        limit = None if self.n_thresholds == "grow" else int(self.n_thresholds)
        ranking = target.ranking([cells.arrays[j] for j in ordered], limit)
        taken, searches = 0, []
        kept: Outcome | None = None
        least, stale = np.inf, 0
        for wanted in self._lengths():
            new = list(islice(ranking, wanted - taken))
            taken += len(new)
            for at, threshold in new:
                features.add_all(make.threshold_features(cells, ordered[at], [threshold]))
            found = searcher.run(features, target, start)
            searches.append((len(features), found))
            start = found.splits
            core = make_tree(found.splits, features, cells, target)
            error = -np.inf if held_out is None else _error(core, *held_out, unseen)
            stale = stale + 1 if error >= least and held_out is not None else 0
            stopped_by = (
                _end(found)
                if not found.proven
                else "thresholds"
                if taken < wanted and self.n_thresholds == "grow"
                else "held_out"
                if stale >= _PATIENCE
                else "proof"
            )
            if kept is None or held_out is None or error < least:
                kept = Outcome(core, found, searches, "mid", len(features), taken, stopped_by)
                least = error
            if stopped_by != "proof":
                break
        assert kept is not None  # there is at least one length
        return Outcome(**{**vars(kept), "stopped_by": stopped_by})

    def _lengths(self) -> Iterator[int]:
        if self.n_thresholds != "grow":
            yield int(self.n_thresholds)
            return
        length = _FIRST
        while True:
            yield length
            length *= 2


def _end(found: Found) -> str:
    return "proof" if found.proven else "interrupt" if found.interrupted else "time_limit"


def _error(core: _core.Tree, cells: Cells, target: Target, unseen: str) -> float:
    """Give the error on rows that the tree has not seen."""
    table = as_core(cells.columns)
    if target.n_classes:
        return target.mean_loss(core.predict_class(table, unseen, 1, target.flat_costs))
    return target.mean_loss(core.predict(table, unseen, 1)[:, 0])
