"""The least error for every number of leaves, each proven or with its gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check
from ramify.tables.frame import NamedArrays
from ramify.tree import Tree
from ramify.tree.doors import door
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.loop import FeaturePlan
from ramify.trees.optimal.search import SearchResult

_ROUNDING = 1e-12


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
    """

    leaves: NDArray[np.int64]
    error: NDArray[np.float64]
    bound: NDArray[np.float64]
    proven: NDArray[np.bool_]
    trees: Sequence[Tree]

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
            The ``pruning_path_`` of another estimator, to be drawn beside it.
        """
        return door("plot_pareto")(self, ax=ax, path=path)


def find_front(
    plan: FeaturePlan, task: FeatureSearch, max_leaves: int, *, unseen: str
) -> ParetoFront:
    """Search the best tree of every number of leaves, over the same features.

    The largest number comes first: its bound holds for all others, and once an error reaches it,
    more leaves change nothing. Every other search starts from the tree of one leaf less.
    """
    plan.make_features(task)
    searcher = task.searcher
    first = task.start

    def search(leaves: int, seconds: float) -> tuple[Any, SearchResult]:
        limits = searcher.limits | {"max_leaves": leaves}
        task.searcher = replace(searcher, limits=limits)
        return task.search(seconds)

    core, found = search(max_leaves, searcher.clock.left() / 2)
    most = (max_leaves, task.objective(core), found.lower_bound, found.proven, core)
    rows = []
    task.start = ()
    for leaves in range(1, max_leaves):
        core, found = search(leaves, searcher.clock.left() / (max_leaves - leaves))
        error = task.objective(core)
        least = max(found.lower_bound, most[2])
        near = _ROUNDING * max(1.0, abs(error))
        proven = found.proven or error <= least + near
        rows.append((leaves, error, error if proven else min(least, error), proven, core))
        task.start = found.splits
        if most[3] and error <= most[1] + near:
            break
    else:
        rows.append(_better(most, rows[-1] if rows else most))
    task.start = first
    schema = task.table.schema
    numbers, errors, bounds, proofs, cores = zip(*rows, strict=True)
    return ParetoFront(
        np.array(numbers, np.int64),
        np.array(errors, np.float64),
        np.array(bounds, np.float64),
        np.array(proofs, np.bool_),
        [task.target.tree(core, schema, unseen=unseen) for core in cores],
    )


def _better(most: tuple[Any, ...], before: tuple[Any, ...]) -> tuple[Any, ...]:
    """Give the tree of most leaves, or the one with a leaf less if its search got further."""
    _leaves, error, _, proven, core = most if most[1] <= before[1] else before
    near = _ROUNDING * max(1.0, abs(error))
    done = bool(proven) or error <= most[2] + near
    return most[0], error, error if done else min(most[2], error), done, core


def most_leaves(given: int | None, max_leaves: Any, max_depth: Any) -> int:
    """Give the largest number of leaves of a front."""
    if given is not None:
        return int(check.whole("max_leaves", given, least=1))
    deepest = 32 if max_depth is None else int(2 ** min(int(max_depth), 5))
    return min(int(max_leaves), deepest) if max_leaves is not None else deepest
