"""What a pruning needs to know of a fit: a table to grow on, again and on parts of its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core

COUNTED = "{task.description}: {task.completed}"


@dataclass(frozen=True)
class Training:
    """A problem that is read and encoded, before anything has grown on it."""

    problem: _core.Problem
    task: str  # "classification" or "regression"
    target: NDArray[Any]  # codes of the classes, or numbers
    n_classes: int  # 0 in regression
    weights: NDArray[np.float64] | None  # of the rows, those of their classes included
    costs: NDArray[np.float64] | None
    absolute: bool  # regression by absolute error
    order: str  # of splits: "best_first", gain times weight, or "best_first_unweighted"
    unseen: str
    seed: int
    verbose: bool
    classes: NDArray[Any] | None = None  # None in regression
    class_weights: NDArray[np.float64] | None = None  # factors of `weights`

    def grow(
        self, included: NDArray[np.uint8] | None = None, *, max_expansions: int | None = None
    ) -> _core.Tree:
        """Grow a tree on all rows, or on those marked."""
        return _core.grow(self.problem, included, max_expansions=max_expansions)

    def folds(self, n_folds: int, rows: NDArray[np.intp] | None = None) -> NDArray[np.int32]:
        """Deal the rows to folds, class by class in shuffled order; -1 for those left out.

        With fewer rows than folds, every row is a fold of its own.
        """
        if rows is None:
            rows = self.rows()
        return deal(self.target, rows, n_folds, self.seed, by_class=self.n_classes > 0)

    def rows(self) -> NDArray[np.intp]:
        """Give the rows that take part."""
        if self.weights is None:
            return np.arange(len(self.target))
        return np.flatnonzero(self.weights > 0)

    def progress(
        self, label: str, total: int | None
    ) -> AbstractContextManager[Callable[[int], None] | None]:
        """Show how many of `total` steps are done, if the user wants to see it."""
        return progress(label, total, verbose=self.verbose)


def deal(
    target: NDArray[Any], rows: NDArray[np.intp], n_folds: int, seed: int, *, by_class: bool
) -> NDArray[np.int32]:
    """Deal rows to folds in shuffled order, class by class if asked to; -1 for those left out.

    With fewer rows than folds, every row is a fold of its own.
    """
    shuffled = np.random.default_rng(seed).permutation(rows)
    if by_class:
        shuffled = shuffled[np.argsort(target[shuffled], kind="stable")]
    folds = np.full(len(target), -1, dtype=np.int32)
    folds[shuffled] = np.arange(len(shuffled)) % min(n_folds, max(len(rows), 1))
    return folds


@contextmanager
def progress(
    label: str, total: int | None, *, verbose: bool
) -> Iterator[Callable[[int], None] | None]:
    """Show how many of `total` steps are done, if the user wants to see it.

    None: nobody knows how many there will be; they are counted.
    """
    if not verbose:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = Progress.get_default_columns() if total else (TextColumn(COUNTED),)
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)
