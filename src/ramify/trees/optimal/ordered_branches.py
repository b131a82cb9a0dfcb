"""The search below a beginning that is laid down, for predictions that keep an order.

The order binds the branches together where a condition of the beginning asks a column that has one.
So the core searches all branches at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.optimal.beginning import Beginning, Branch, Part, Ways, passed_over, write
from ramify.trees.optimal.features import core_target
from ramify.trees.optimal.laid_down import LaidDown
from ramify.trees.optimal.search import Searcher, SearchResult


@dataclass(frozen=True)
class _Smallest:
    """The tree of the conditions alone."""

    found: dict[str, Any]
    leaves: int


class OrderedBranchSearch:
    """Searches the branches of a beginning together, over features of the whole table."""

    def __init__(self, beginning: Beginning, order: dict[str, list[int]], table: Table) -> None:
        self.beginning, self._order, self._table = beginning, order, table
        self._laid = LaidDown(beginning, order, table.schema)
        self._branches = list(dict.fromkeys(beginning.root.branches()))
        self._smallest: tuple[Target, _Smallest] | None = None

    @property
    def branches(self) -> list[Branch]:
        """The branches of all ways."""
        return self._branches

    @property
    def laid(self) -> LaidDown:
        """The parts of the beginning."""
        return self._laid

    def fewest(self, target: Target) -> int:
        """Give the number of leaves of the smallest tree that keeps the order."""
        return self._smallest_for(target).leaves

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
        before = searcher.clock.elapsed()
        seconds = min(seconds, searcher.clock.left())
        smallest = self._smallest_for(target)
        found = smallest.found
        searched = seconds > 0 and complete
        if searched:
            limits = {
                **searcher.limits,
                "max_leaves": max(searcher.limits["max_leaves"], smallest.leaves),
                "sparsity": searcher.sparsity * target.unit,
                "upper_bound": searcher.upper_bound * target.total,
                "seconds": seconds,
            }
            told = searcher.told(target.total)
            found = self._search(features, target, limits, searcher.switches, told)
        tree = found if found["found"] else smallest.found
        chosen, total = tree["chosen"], target.total

        def way(ways: Ways) -> Part:
            return self._laid.part(chosen[self._laid.number_of[id(ways)]])

        def splits(branch: Branch) -> Any:
            return tree["trees"][self._laid.number_of[id(branch)]]

        root = self.beginning.root
        return SearchResult(
            splits=write(root, way, splits),
            objective=tree["objective"] / total if found["found"] and searched else np.nan,
            lower_bound=found["lower_bound"] / total if searched else 0.0,
            proven=found["proven"] and searched,
            interrupted=found["interrupted"] and searched,
            history=[(before + s, o / total, b / total) for s, o, b in found["history"]]
            if searched
            else [],
            statistics=found["search"] if searched else {},
            none_below=found["none_below"] and searched,
            depth_limit=found["depth_limit"] and searched,
            passed_over=tuple(self.beginning.describe(passed_over(root, way))),
        )

    def _search(
        self,
        features: _core.FeatureSet,
        target: Target,
        limits: dict[str, Any],
        switches: dict[str, bool],
        told: Any = None,
        *,
        depth: int | None = None,
    ) -> dict[str, Any]:
        return _core.optimal_tree_below(
            features,
            laid=self._laid.parts(starts=depth is None, depth=depth),
            **core_target(target),
            limits=limits,
            switches=switches,
            on_progress=told,
            table=self._table.core(),
            monotone=self._order["monotone"],
            monotone_class=self._order["monotone_class"],
        )

    def _smallest_for(self, target: Target) -> _Smallest:
        """Give the smallest tree; a ValueError says that the conditions break the order."""
        if self._smallest is None or self._smallest[0] is not target:
            self._smallest = target, self._find_smallest(target)
        return self._smallest[1]

    def _find_smallest(self, target: Target) -> _Smallest:
        # Leaves of a branch reach no less far than the branch as one leaf does. So if the leaves
        # of the conditions alone break the order, those of every tree do.
        none = _core.FeatureSet(self._table.n_rows, across_columns=False)
        root = self.beginning.root
        for leaves in range(root.fewest(), len(self._branches) + 1):
            found = self._search(none, target, {"max_leaves": leaves}, {}, depth=0)
            if found["found"]:
                return _Smallest(found, leaves)
        raise ValueError(
            "skeleton and monotone contradict each other: the conditions divide the training rows "
            "so that predictions break the order, whatever is below them; choose other "
            "conditions, or leave their column out of monotone"
        )
