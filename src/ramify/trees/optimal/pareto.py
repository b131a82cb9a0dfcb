"""The least error for every number of leaves, each proven or with its gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
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
from ramify.trees.optimal.search import ENDS, SearchResult
from ramify.trees.optimal.start import greedy_sequence

_ROUNDING = 1e-12
#: Leaves, error, bound, whether it is proven, and the tree.
Row = tuple[int, float, float, bool, Any]


@dataclass(frozen=True, eq=False)
class ParetoFront(NamedArrays):
    """The best trees of at most 1, 2, 3, ... leaves: one row each.

    With a skeleton, the first row is the smallest tree that has its conditions. The last row is the
    smallest number of leaves that reaches the least error of all, if it is within the limit.

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
        comparison; None if there was no time to grow it, or growth refuses the constraints.
    stopped_by : str
        What ended the search before all was proven: "time_limit", "interrupt", "depth_limit" (with
        max_depth=None, no search goes deeper than 50 levels), or "" if nothing did.
    """

    leaves: NDArray[np.int64]
    error: NDArray[np.float64]
    bound: NDArray[np.float64]
    proven: NDArray[np.bool_]
    trees: Sequence[Tree]
    pruned: PruningPath | None = None
    stopped_by: str = ""

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
    """Search the best tree of every number of leaves, over the same features.

    A tree is grown within the limits `greedy` and pruned, to be drawn beside the front.
    """
    pruned = None
    # Growth may refuse a beginning that breaks an order where a search finds a way.
    refused = (ValueError,) if task.branches is not None and task.searcher.order else ()
    with suppress(*refused):
        if task.searcher.clock.left() > 0:
            pruned = greedy_sequence(task.table, task.target, greedy)[1]
    plan.make_features(task)
    target = task.target
    max_leaves = min(max_leaves, max(1, len(target.rows)))
    ends: set[str] = set()
    rows = list(
        _one_by_one(task, max_leaves, ends)
        if task.constrained
        else _together(task, max_leaves, ends)
    )
    numbers, errors, bounds, proofs, cores = zip(*rows, strict=True)
    schema = task.table.schema
    return ParetoFront(
        np.array(numbers, np.int64),
        np.array(errors, np.float64),
        np.array(bounds, np.float64),
        np.array(proofs, np.bool_),
        [target.tree(core, schema, unseen=unseen) for core in cores],
        pruned,
        "" if all(proofs) else next(end for end in ENDS if end in ends),
    )


def _together(task: FeatureSearch, max_leaves: int, ends: set[str]) -> Iterator[Row]:
    """Search all numbers of leaves at once; add why the searches ended."""
    searcher = task.searcher
    found = searcher.front(
        task.features, task.target, task.start, max_leaves, complete=task.complete
    )
    for leaves, one in enumerate(found, 1):
        ends.add(one.end)
        core = task.tree(one.splits)
        error = task.objective(core)
        yield leaves, error, error if one.proven else min(one.lower_bound, error), one.proven, core


def _one_by_one(task: FeatureSearch, max_leaves: int, ends: set[str]) -> Iterator[Row]:
    """Search one number of leaves after the other: trees under constraints share no bounds.

    The largest number comes first: its bound holds for all others, and once an error reaches it,
    more leaves change nothing. Every other search starts from the tree of one leaf less. The leaves
    of a beginning that is laid down are there in any case, so their number is the first.
    """
    searcher, first, fewest = task.searcher, task.start, task.fewest
    max_leaves = max(max_leaves, fewest)

    def search(leaves: int, seconds: float) -> tuple[Any, SearchResult]:
        limits = searcher.limits | {"max_leaves": leaves}
        task.searcher = replace(searcher, limits=limits)
        core, found = task.search(0.0 if "interrupt" in ends else seconds)
        ends.add(found.end)
        return core, found

    core, found = search(max_leaves, searcher.clock.left() / 2)
    most = (max_leaves, task.objective(core), found.lower_bound, found.proven, core)
    task.start = ()
    before: Row | None = None
    for leaves in range(fewest, max_leaves):
        core, found = search(leaves, searcher.clock.left() / (max_leaves - leaves))
        error = task.objective(core)
        if before is not None and before[1] < error:  # there was no time to do better
            error, core = before[1], before[4]
        least = max(found.lower_bound, most[2])
        near = _ROUNDING * max(1.0, abs(error))
        proven = found.proven or error <= least + near
        before = (leaves, error, error if proven else min(least, error), proven, core)
        yield before
        task.start = found.splits
        if most[3] and error <= most[1] + near:
            break
    else:
        yield most if before is None else _better(most, before)
    task.start = first


def _better(most: Row, before: Row) -> Row:
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
