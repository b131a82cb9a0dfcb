"""One search after the other until the time is out: the anytime loop, and what it remembers.

Losses of the core are sums over rows; here they become means, which users know as error rates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._optimal_features import FeatureSet
from ramify._optimal_target import Target
from ramify._optimal_tree import Splits

Progress = Callable[[float, float, float], None]  # seconds, error, bound


class Clock:
    """The time since a fit began, and what is left of its limit."""

    def __init__(self, limit: float | None) -> None:
        self.began = time.perf_counter()
        self.limit = np.inf if limit is None else limit

    def elapsed(self) -> float:
        """Give the seconds since the beginning."""
        return time.perf_counter() - self.began

    def left(self) -> float:
        """Give the seconds until the limit; 0 if it has passed."""
        return max(0.0, self.limit - self.elapsed())


@dataclass(frozen=True)
class Found:
    """The best tree that one search found."""

    splits: Splits
    objective: float  # the price of its leaves included
    lower_bound: float
    proven: bool
    interrupted: bool
    history: list[tuple[float, float, float]]
    statistics: dict[str, int]

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return sum(feature < 0 for feature, *_ in self.splits)


@dataclass
class Searcher:
    """What all searches of a fit have in common."""

    limits: dict[str, Any]
    sparsity: float
    clock: Clock
    on_progress: Progress | None = None
    switches: dict[str, bool] = field(default_factory=dict)

    def run(self, features: FeatureSet, target: Target, start: Splits = ()) -> Found:
        """Search for the best tree over some features, beginning with one."""
        before, total = self.clock.elapsed(), target.total

        def report(seconds: float, objective: float, bound: float) -> None:
            if self.on_progress is not None:
                self.on_progress(before + seconds, objective / total, bound / total)

        result = _core.optimal_tree(
            features.codes,
            **target.core_arguments(),
            start=[list(node) for node in start],
            limits={
                **self.limits,
                "sparsity": self.sparsity * target.unit,
                "seconds": self.clock.left(),
            },
            switches=self.switches,
            on_progress=None if self.on_progress is None else report,
        )
        return Found(
            splits=result["nodes"],
            objective=result["objective"] / total,
            lower_bound=result["lower_bound"] / total,
            proven=result["proven"],
            interrupted=result["interrupted"],
            history=[(before + s, o / total, b / total) for s, o, b in result["history"]],
            statistics=result["search"],
        )


@dataclass(frozen=True, eq=False)
class SearchHistory:
    """How error and bound came together: one row for every time that one of them changed.

    ``history["error"]`` and the attributes give a column, ``history.to_frame()`` all of them as a
    data frame.

    Attributes
    ----------
    seconds : ndarray
        Time since the fit began.
    error : ndarray
        Training error of the best tree so far, with the price of its leaves.
    bound : ndarray
        What no tree over the same features can go below.
    n_features : ndarray of int
        Number of features of the search; the bound holds among searches of the same number.
    """

    seconds: NDArray[np.float64]
    error: NDArray[np.float64]
    bound: NDArray[np.float64]
    n_features: NDArray[np.int64]

    COLUMNS = ("seconds", "error", "bound", "n_features")

    @classmethod
    def of(cls, searches: list[tuple[int, Found]]) -> SearchHistory:
        """Put the histories of searches one after the other."""
        rows = [(*moment, n) for n, found in searches for moment in found.history]
        columns = np.array(rows, dtype=np.float64).reshape(len(rows), 4).T
        return cls(columns[0], columns[1], columns[2], columns[3].astype(np.int64))

    def keys(self) -> tuple[str, ...]:
        """Names of the columns, so that ``dict(history)`` is the table."""
        return self.COLUMNS

    def __getitem__(self, column: str) -> NDArray[Any]:
        if column not in self.COLUMNS:
            raise KeyError(f"{column!r} is not a column; choose from {', '.join(self.COLUMNS)}")
        values: NDArray[Any] = getattr(self, column)
        return values

    def __len__(self) -> int:
        return len(self.seconds)

    def __iter__(self) -> Iterator[str]:
        return iter(self.COLUMNS)

    def to_frame(self, *, backend: str | None = None) -> Any:
        """One row per change, as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Whose data frame; None takes the first that is installed, else a dict of lists.
        """
        from ramify.show.frame import make_frame

        return make_frame({name: self[name].tolist() for name in self.COLUMNS}, backend=backend)


@contextmanager
def shown(on_progress: Progress | None, verbose: bool) -> Iterator[Progress | None]:
    """Show error, bound and gap on one line that changes, beside telling the user's callable."""
    if not verbose:
        yield on_progress
        return
    from rich.console import Console
    from rich.progress import Progress as Line
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Line(*columns, console=Console(stderr=True)) as line:
        task = line.add_task("optimal tree", total=None)

        def tell(seconds: float, error: float, bound: float) -> None:
            what = f"error {error:.5g}, bound {bound:.5g}, gap {error - bound:.3g}"
            line.update(task, description=what)
            if on_progress is not None:
                on_progress(seconds, error, bound)

        yield tell
