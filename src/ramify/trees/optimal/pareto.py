"""The least error for every number of leaves, each proven or with its gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check
from ramify.pruning.path import PruningPath
from ramify.tables.frame import NamedArrays
from ramify.tree import Tree
from ramify.tree.doors import door
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.loop import FeaturePlan
from ramify.trees.optimal.start import greedy_sequence


@dataclass(frozen=True, eq=False)
class ParetoFront(NamedArrays):
    """The best trees of at most 1, 2, 3, ... leaves: one row each.

    The last row is the smallest number of leaves that reaches the least error of all, if it is
    within the limit.

    Attributes
    ----------
    leaves : ndarray of int
        Most leaves of the tree.
    error : ndarray
        Its training error.
    bound : ndarray
        No tree of at most so many leaves has a smaller error.
    proven : ndarray of bool
        Whether it is proven that no such tree is better.
    trees : list of Tree
        The trees, in the same order.
    pruned : PruningPath or None
        The cost-complexity sequence of a greedy tree of the same rows and the same depth, for
        comparison; None if there was no time to grow it.
    """

    leaves: NDArray[np.int64]
    error: NDArray[np.float64]
    bound: NDArray[np.float64]
    proven: NDArray[np.bool_]
    trees: Sequence[Tree]
    pruned: PruningPath | None = None

    COLUMNS = ("leaves", "error", "bound", "proven")

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.COLUMNS

    def __len__(self) -> int:
        return len(self.leaves)

    def plot(self, ax: Any = None, *, path: Any = None) -> Any:
        """Plot error and bound against leaves; see :func:`ramify.show.plot_pareto`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; None makes new axes.
        path : PruningPath, optional
            What is drawn beside it, such as the ``pruning_path_`` of another estimator; None is
            `pruned`.
        """
        return door("plot_pareto")(self, ax=ax, path=self.pruned if path is None else path)


def find_front(
    plan: FeaturePlan,
    task: FeatureSearch,
    max_leaves: int,
    *,
    greedy: dict[str, Any],
    unseen: str,
) -> ParetoFront:
    """Search the best tree of every number of leaves, over the same features, in one search.

    A tree is grown within the limits `greedy` and pruned, to be drawn beside the front.
    """
    pruned = None
    if task.searcher.clock.left() > 0:
        pruned = greedy_sequence(task.table, task.target, greedy)[1]
    plan.make_features(task)
    searcher, target = task.searcher, task.target
    found = searcher.front(task.features, target, task.start, max_leaves, complete=task.complete)
    rows = []
    for leaves, one in enumerate(found, 1):
        core = task.tree(one.splits)
        error = task.objective(core)
        bound = error if one.proven else min(one.lower_bound, error)
        rows.append((leaves, error, bound, one.proven, core))
    numbers, errors, bounds, proofs, cores = zip(*rows, strict=True)
    schema = task.table.schema
    return ParetoFront(
        np.array(numbers, np.int64),
        np.array(errors, np.float64),
        np.array(bounds, np.float64),
        np.array(proofs, np.bool_),
        [target.tree(core, schema, unseen=unseen) for core in cores],
        pruned,
    )


def most_leaves(given: int | None, max_leaves: Any, max_depth: Any) -> int:
    """Give the largest number of leaves of a front."""
    if given is not None:
        return int(check.whole("max_leaves", given, least=1))
    deepest = 32 if max_depth is None else int(2 ** min(int(max_depth), 5))
    return min(int(max_leaves), deepest) if max_leaves is not None else deepest
