"""Finds all trees near the best, over the features that a fit would search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.features import Splits, core_target
from ramify.trees.optimal.laid_down import LaidDown
from ramify.trees.optimal.loop import FeaturePlan
from ramify.trees.optimal.start import DEEPEST


@dataclass(frozen=True, eq=False)
class Near:
    """What a set of near-best trees is made of: the graph of the core, and what its trees ask."""

    core: _core.NearTrees
    task: FeatureSearch
    unseen: str
    laid: LaidDown | None = None

    @property
    def table(self) -> Table:
        """The training rows."""
        return self.task.table

    @property
    def target(self) -> Target:
        """Their target."""
        return self.task.target

    def tree(self, splits: Splits) -> Any:
        """Make the tree of some splits."""
        core = self.task.tree(splits if self.laid is None else self.laid.written(splits))
        return self.target.tree(core, self.table.schema, unseen=self.unseen)

    def view(self, part: Part) -> _core.NearView:
        """Count the trees of a part of the set."""
        excluded = [j in part.without for j in range(len(self.table))]
        return self.core.view(excluded, part.root, part.max_leaves, part.most * self.target.total)


@dataclass(frozen=True)
class Part:
    """Which of the trees are wanted."""

    without: frozenset[int] = frozenset()
    root: int = -1  # the column that the root asks; -1: any
    max_leaves: int = check.UNLIMITED
    most: float = np.inf  # objective


def find_near(
    plan: FeaturePlan,
    task: FeatureSearch,
    *,
    epsilon: float,
    max_trees: float,
    idle_splits: bool,
    unseen: str,
) -> Near:
    """Make the features of a plan, and find all trees within `epsilon` of the best.

    A TimeoutError says that time was too short to prove the best tree, and a KeyboardInterrupt is
    raised if Ctrl-C came before.
    """
    plan.make_features(task)
    searcher, target = task.searcher, task.target
    seconds = searcher.clock.left()
    if not task.complete or seconds <= 0:
        raise TimeoutError("time_limit ended before the features were made; allow more time")
    limits = {**searcher.limits, "sparsity": searcher.sparsity * target.unit}
    constraints, laid = _constraints(task)
    limits["max_leaves"] = max(limits["max_leaves"], task.fewest)
    core = _core.near_trees(
        task.features,
        **_squares_or_classes(target),
        limits={**limits, "seconds": searcher.clock.left()},
        start=[list(node) for node in _rows_of(task.start)],
        epsilon=epsilon * target.unit,
        max_trees=max_trees,
        idle=idle_splits,
        on_progress=searcher.told(target.total),
        **constraints,
    )
    if not core.found:
        if core.stopped_by == "interrupt":
            raise KeyboardInterrupt
        if core.stopped_by == "memory_limit":
            raise MemoryError("memory_limit is too small for the best tree alone; allow more")
        if core.stopped_by == "depth_limit":
            raise _too_deep()
        raise _not_proven()
    return Near(core, task, unseen, laid)


def _constraints(task: FeatureSearch) -> tuple[dict[str, Any], LaidDown | None]:
    """Give what the trees must keep as the core takes it; the best such tree is searched before."""
    if not task.constrained:
        return {}, None
    searcher, table = task.searcher, task.table
    _, found = task.search()
    if not found.proven:
        if found.interrupted:
            raise KeyboardInterrupt
        raise _too_deep() if found.depth_limit else _not_proven()
    given: dict[str, Any] = {"best": found.objective * task.target.total}
    if searcher.order:
        given |= {"table": table.core(), **searcher.order}
    if task.branches is None:
        return given, None
    laid = LaidDown(task.branches.beginning, searcher.order, table.schema)
    most = max(int(searcher.limits["max_leaves"]) - 1, 0)
    return given | {"laid": laid.parts(depth=most)}, laid


def _too_deep() -> ValueError:
    return ValueError(
        f"the best tree may be deeper than {DEEPEST} levels, the deepest that any search goes; "
        "choose a max_depth, or a larger sparsity"
    )


def _not_proven() -> TimeoutError:
    return TimeoutError(
        "time_limit ended before the best tree was proven, so it is not known which trees are "
        "near it; allow more time, less depth or fewer thresholds"
    )


def _squares_or_classes(target: Target) -> dict[str, Any]:
    """Give the target as the core takes it, which knows no other loss of numbers here."""
    arguments = core_target(target)
    for name in ("loss", "quantile"):
        arguments.pop(name, None)
    return arguments


def _rows_of(splits: Splits) -> Sequence[tuple[int, int, int, int]]:
    return splits or ()
