"""One search of the core, its result, and the history of error and bound over time.

The core's losses are sums over rows. Here they become means, such as error rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.clock import Clock
from ramify.learning.progress import progress
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tables.frame import NamedArrays
from ramify.trees.optimal.features import Splits, core_target
from ramify.trees.optimal.rewards import Rewards

LEAF_ALONE = (-1, 0, -1, -1)  # the tree without a split
Progress = Callable[[float, float, float], None]  # seconds, error, bound
#: What may end a search before its proof. "depth_limit": no search goes deeper than 50 levels.
ENDS = ("interrupt", "time_limit", "depth_limit")


@dataclass(frozen=True)
class Skeleton:
    """The beginning of a tree as the core reads it, and its conditions in words."""

    nodes: list[_core.SkeletonNode]
    words: list[str]

    @property
    def narrows(self) -> bool:
        """Whether some branches may not ask all columns."""
        return any(node[-1] is not None for node in self.nodes)


@dataclass(frozen=True)
class SearchResult:
    """The best tree that one search found, and what was proven."""

    splits: Splits
    objective: float  # with the price of the leaves; NaN if there was no time to search
    lower_bound: float
    proven: bool
    interrupted: bool
    history: list[tuple[float, float, float]]
    statistics: dict[str, int]
    none_below: bool = False  # whether it is proven that no tree is below the upper bound
    passed_over: tuple[str, ...] = ()  # conditions of the skeleton that divide no rows
    depth_limit: bool = False  # whether all was searched but the levels that no search goes down

    @property
    def finished(self) -> bool:
        """Whether a longer search would change nothing."""
        return self.proven or self.none_below

    @property
    def end(self) -> str:
        """Why the search ended."""
        if self.proven:
            return "proof"
        if self.none_below:
            return "upper_bound"
        if self.interrupted:
            return "interrupt"
        return "depth_limit" if self.depth_limit else "time_limit"


@dataclass
class Searcher:
    """What all searches of a fit share."""

    limits: dict[str, Any]
    sparsity: float
    clock: Clock
    on_progress: Progress | None = None
    upper_bound: float = np.inf  # search only for trees whose objective is below this
    allowed: list[int] | None = None  # columns that may be asked; None is all
    switches: dict[str, bool] = field(default_factory=dict)  # turn parts of the search on or off
    skeleton: Skeleton | None = None  # the beginning of the tree
    order: dict[str, list[int]] = field(default_factory=dict)  # that predictions must keep

    def run(
        self,
        features: _core.FeatureSet,
        target: Target | Rewards,
        start: Splits = (),
        *,
        complete: bool = True,
        seconds: float = np.inf,
        table: Table | None = None,
    ) -> SearchResult:
        """Search for the best tree over some features, starting from `start`.

        There is no search if no time is left, or if time ran out before the features were
        `complete`. Then the start is kept, and nothing is proven. The table is needed if
        predictions must keep an order.
        """
        before, total = self.clock.elapsed(), target.total
        seconds = min(seconds, self.clock.left())
        if (seconds <= 0 or not complete) and self.order:
            return _unsearched((LEAF_ALONE,))  # the start may not keep the order on all rows
        if seconds <= 0 or not complete:
            return _unsearched(start or (LEAF_ALONE,))

        result = _core.optimal_tree(
            features,
            **(target.core() if isinstance(target, Rewards) else core_target(target)),
            start=[list(node) for node in start],
            limits={
                **self.limits,
                "sparsity": self.sparsity * target.unit,
                "upper_bound": self.upper_bound * total,
                "seconds": seconds,
            },
            switches=self.switches,
            on_progress=self.told(total),
            table=table.core() if table is not None and self.order else None,
            monotone=self.order.get("monotone", []),
            monotone_class=self.order.get("monotone_class", []),
        )
        return _read(result, before, total)

    def told(self, total: float) -> Progress | None:
        """Give the callable that tells the user how far a search that begins now has come."""
        tell, before = self.on_progress, self.clock.elapsed()
        if tell is None:
            return None
        return lambda seconds, loss, bound: tell(before + seconds, loss / total, bound / total)

    def front(
        self,
        features: _core.FeatureSet,
        target: Target,
        start: Splits,
        max_leaves: int,
        *,
        complete: bool = True,
    ) -> list[SearchResult]:
        """Search for the best trees of at most 1, 2, ... leaves, without a price of leaves.

        If no time is left, or the features are not `complete`, the start is kept if it is small
        enough, and nothing is proven.
        """
        before, seconds = self.clock.elapsed(), self.clock.left()
        if seconds <= 0 or not complete:
            fits = start and sum(split[0] < 0 for split in start) <= max_leaves
            alone = [_unsearched((LEAF_ALONE,))] * (max_leaves - 1)
            return [*alone, _unsearched(start if fits else (LEAF_ALONE,))]
        results = _core.optimal_front(
            features,
            **core_target(target),
            start=[list(node) for node in start],
            limits={**self.limits, "max_leaves": max_leaves, "seconds": seconds},
            switches=self.switches,
            on_progress=self.told(target.total),
        )
        return [_read(result, before, target.total) for result in results]


def _read(result: dict[str, Any], before: float, total: float) -> SearchResult:
    """Read a result of the core, whose search began after `before` seconds."""
    return SearchResult(
        splits=result["nodes"],
        objective=result["objective"] / total,
        lower_bound=result["lower_bound"] / total,
        proven=result["proven"],
        interrupted=result["interrupted"],
        history=[(before + s, o / total, b / total) for s, o, b in result["history"]],
        statistics=result["search"],
        none_below=result["none_below"],
        depth_limit=result["depth_limit"],
    )


def _unsearched(start: Splits) -> SearchResult:
    return SearchResult(
        splits=start,
        objective=np.nan,
        lower_bound=0.0,
        proven=False,
        interrupted=False,
        history=[],
        statistics={},
    )


@dataclass(frozen=True, eq=False)
class SearchHistory(NamedArrays):
    """The error and the bound over time: one row for each change of either.

    ``history["error"]`` and the attributes give a column. ``history.to_frame()`` gives a data
    frame.

    Attributes
    ----------
    seconds : ndarray
        Time since the fit began.
    error : ndarray
        Training error of the best tree so far, with the price of its leaves.
    bound : ndarray
        No tree over the same features has a smaller objective.
    n_features : ndarray of int
        Number of features of the search. The bound holds for searches with the same number.
    """

    seconds: NDArray[np.float64]
    error: NDArray[np.float64]
    bound: NDArray[np.float64]
    n_features: NDArray[np.int64]

    COLUMNS = ("seconds", "error", "bound", "n_features")

    @classmethod
    def of(cls, searches: list[tuple[int, SearchResult]]) -> SearchHistory:
        """Join the histories of all searches."""
        rows = [(*moment, n) for n, found in searches for moment in found.history]
        columns = np.array(rows, dtype=np.float64).reshape(len(rows), 4).T
        return cls(columns[0], columns[1], columns[2], columns[3].astype(np.int64))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.COLUMNS

    def __len__(self) -> int:
        return len(self.seconds)


@contextmanager
def progress_line(on_progress: Progress | None, verbose: bool) -> Iterator[Progress | None]:
    """If verbose, show error, bound and gap on one line, and also call the user's callable."""
    if not verbose:
        yield on_progress
        return
    with progress("optimal tree", shown=True) as bar:

        def show(seconds: float, error: float, bound: float) -> None:
            bar.say(f"error {error:.5g}, bound {bound:.5g}, gap {error - bound:.3g}")
            if on_progress is not None:
                on_progress(seconds, error, bound)

        yield show
