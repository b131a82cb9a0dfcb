"""The target of a profile: classes or numbers, and what is odd about its classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.tables.levels import Level
from ramify.tables.profiling.association import Classes, Target, numbers_of
from ramify.tables.profiling.findings import Finding
from ramify.tables.profiling.words import counted, level, percent
from ramify.tables.table import Table

Task = Literal["classification", "regression"]
#: Whole numbers are taken for classes if there are at most this many different ones.
_FEW_NUMBERS = 10
_MANY_CLASSES, _ROWS_A_CLASS, _FAR_TOO_MANY = 20, 5, 100
_RARE_OF_TWO, _LARGE_OF_MANY = 0.1, 0.8
_LEAST_ROWS = 30


@dataclass(frozen=True)
class ProfileTarget:
    """A target: which rows have one, and its classes or numbers."""

    name: str
    task: Task
    known: NDArray[np.bool_]
    labels: tuple[Level, ...]
    codes: NDArray[np.intp]
    numbers: NDArray[np.float64]
    from_text: bool

    def take(self, rows: NDArray[np.intp]) -> Target:
        """Give the target of some of the rows that have one."""
        if self.task == "classification":
            return Classes(self.codes[rows], len(self.labels))
        return numbers_of(self.numbers[rows])

    @property
    def n_rows(self) -> int:
        """Number of rows with a target."""
        return int(self.known.sum())

    @property
    def counts(self) -> NDArray[np.int64]:
        """Rows of every class."""
        return np.bincount(self.codes[self.known], minlength=len(self.labels)).astype(np.int64)

    @property
    def baseline(self) -> float | None:
        """The share of the largest class; None for numbers."""
        if self.task != "classification" or not self.n_rows:
            return None
        return float(self.counts.max() / self.n_rows)


def target_of(table: Table, j: int, name: str, task: str | None) -> ProfileTarget:
    """Take column j of a table as the target."""
    column, values, missing = table.schema.columns[j], table.column(j), table.missing(j)
    is_text = column.kind != "numeric"
    if task not in (None, "classification", "regression"):
        raise ValueError(f"task={task!r}: expected 'classification', 'regression' or None.")
    if is_text and task == "regression":
        example = column.levels[0] if column.levels else None
        raise ValueError(f"task='regression' needs numbers, but the target has {example!r:.80}.")
    levels: tuple[Level, ...] = column.levels
    codes = np.zeros(table.n_rows, dtype=np.intp)
    numbers = np.zeros(table.n_rows)
    if is_text:
        codes = np.maximum(values, 0).astype(np.intp)
        chosen: Task = "classification"
    else:
        known = values[~missing]
        whole = bool(np.all(np.isfinite(known) & (known == np.floor(known))))
        distinct = np.unique(known)
        few = task is None and whole and len(distinct) <= _FEW_NUMBERS
        chosen = "classification" if few or task == "classification" else "regression"
        if chosen == "classification":
            codes = np.searchsorted(distinct, np.where(missing, distinct[:1].sum(), values))
            levels = tuple(int(x) if whole else float(x) for x in distinct.tolist())
        else:
            numbers = np.where(missing, 0.0, values)
    return ProfileTarget(name, chosen, ~missing, levels, codes, numbers, is_text)


def target_findings(target: ProfileTarget) -> list[Finding]:
    """Say what is odd about the classes of a target."""
    if target.task != "classification" or target.n_rows < 2:
        return []
    found = _many_classes(target) or _imbalance(target)
    return [] if found is None else [found]


def _many_classes(target: ProfileTarget) -> Finding | None:
    counts = target.counts
    n_classes = int((counts > 0).sum())
    rows = target.n_rows / max(n_classes, 1)
    few_rows = n_classes > _MANY_CLASSES and rows < _ROWS_A_CLASS
    tiny = n_classes > target.n_rows / 3 and n_classes > 5
    if not (few_rows or tiny or n_classes > _FAR_TOO_MANY):
        return None
    what = "a number or an identifier read as text" if target.from_text else "a number meant"
    how = ("--task regression predicts numbers", "TreeRegressor predicts numbers")
    if target.from_text:  # it has no numbers to predict
        how = ("--target COLUMN predicts another column", "choose another y")
    text = f"{target.name} has {n_classes:,} classes, {rows:,.1f} rows each: was {what}?"
    return Finding(
        target.name,
        "many_classes",
        text,
        "kept as classes",
        *how,
        loud=True,
    )


def _imbalance(target: ProfileTarget) -> Finding | None:
    counts = target.counts
    there = np.flatnonzero(counts)
    if len(there) < 2 or target.n_rows < _LEAST_ROWS:
        return None
    largest = float(counts.max() / target.n_rows)
    rarest = int(there[np.argmin(counts[there])])
    share = float(counts[rarest] / target.n_rows)
    uneven = share < _RARE_OF_TWO if len(there) == 2 else largest >= _LARGE_OF_MANY
    if not uneven:
        return None
    name = level(target.labels[rarest])
    most = level(target.labels[int(counts.argmax())])
    text = (
        f"{target.name} = {name} is rare: {counted(int(counts[rarest]), 'row')}, "
        f"{percent(share)}; always answering {most} is right in {percent(largest)}."
    )
    return Finding(
        target.name,
        "imbalance",
        text,
        "every row counts the same",
        "--class-weight balanced, or --costs FILE",
        'class_weight="balanced", or costs=...',
    )


def as_target_table(y: Any) -> Table:
    """Read a target as a table of one column."""
    return Table.read({"y": y})
