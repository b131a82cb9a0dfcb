"""The kernel on a partition: one scan for all open nodes, with its three verbs.

A `ScanTask` says where the rows go in the tree so far, and what is wanted of each open node:
(a) the counts of its columns by level or between edges, (b) the values inside given cells, (c) its
rows. What comes back is whole numbers and values, and adds up exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.executors import Emit
from ramify.scale.reading import Encoded, Reader

Whole = NDArray[np.int64]


class Slot(NamedTuple):
    """What is wanted of the rows of a node.

    Parameters
    ----------
    cells : bool
        The counts of all columns.
    rows : bool
        The rows themselves.
    opened : list
        Per column, marks of the cells whose values are wanted, or None; empty if none are.
    shifts : list of int
        Per column, only every 2**shift-th edge counts; empty if all do.
    """

    cells: bool = False
    rows: bool = False
    opened: Sequence[NDArray[np.uint8] | None] = ()
    shifts: Sequence[int] = ()


@dataclass(frozen=True)
class Totals:
    """The sums over the rows of a node."""

    rows: int
    channels: Whole
    low: float
    high: float
    deviance: Whole

    def __add__(self, other: Totals) -> Totals:
        """Give the sums over both."""
        return Totals(
            self.rows + other.rows,
            self.channels + other.channels,
            min(self.low, other.low),
            max(self.high, other.high),
            self.deviance + other.deviance,
        )


class Values(NamedTuple):
    """Distinct values in ascending order, and what was counted of each."""

    values: NDArray[np.float64]
    channels: Whole

    def plus(self, other: Values) -> Values:
        """Give those of both."""
        if not len(self.values) or not len(other.values):
            return self if len(self.values) else other
        values = np.concatenate([self.values, other.values])
        channels = np.concatenate([self.channels, other.channels]).astype(np.int64, copy=False)
        order = np.argsort(values, kind="stable")  # two runs in order: they are merged
        values = values[order]
        first = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
        return Values(values[first], np.add.reduceat(channels[order], first, axis=0))


@dataclass
class Counts:
    """What a scan finds, slot by slot and column by column."""

    n_rows: int
    totals: list[Totals]
    cells: dict[tuple[int, int], Whole] = field(default_factory=dict)
    values: dict[tuple[int, int], Values] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: Counts) -> Counts:
        """Give the counts of both parts."""
        return Counts(
            self.n_rows + other.n_rows,
            [a + b for a, b in zip(self.totals, other.totals, strict=True)],
            {key: _sum(cells, other.cells[key]) for key, cells in self.cells.items()},
            {key: values.plus(other.values[key]) for key, values in self.values.items()},
            {key: self.sums.get(key, 0) + other.sums.get(key, 0) for key in self.sums | other.sums},
        )


def _sum(one: Whole, two: Whole) -> Whole:
    """Add counts; small ones stay small while they fit."""
    small = one.dtype == np.uint32 and int(one.max(initial=0)) + int(two.max(initial=0)) < 2**32
    return one + two if small else one.astype(np.int64) + two.astype(np.int64)


@dataclass(frozen=True)
class PickedRows:
    """Rows of a node, from one batch."""

    slot: int
    columns: list[NDArray[Any]]
    y: NDArray[Any]
    weights: NDArray[np.float64] | None
    parts: NDArray[np.float64]


def bits_of(array: NDArray[Any]) -> int:
    """Give the sum of the bits of all cells as whole numbers: it does not depend on their order.

    Examples
    --------
    >>> bits_of(np.array([1.0, 2.0])) == bits_of(np.array([2.0, 1.0]))
    True
    """
    return int(np.sum(array.view(np.uint32), dtype=np.uint64))


@dataclass(frozen=True)
class ScanTask:
    """Counts the rows of a partition for all open nodes.

    Parameters
    ----------
    reader : Reader
    form : dict
        How rows are counted: see `Form` in `whole_numbers.py`.
    routes : list
        The tree so far, as the core gives it.
    grain_rows : int
    least_fraction : float
        How rows are divided where a value is missing.
    forms : list
        Per column, its edges or its number of levels.
    slots : list of Slot
    summed : bool
        Whether the cells of every column are summed, so that a change between scans shows.
    """

    reader: Reader
    form: dict[str, Any]
    routes: list[Any]
    grain_rows: int
    least_fraction: float
    forms: list[tuple[NDArray[np.float64], bool] | int]
    slots: list[Slot]
    summed: bool = False

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        return self.reader.columns

    @property
    def emits(self) -> bool:
        """Whether the rows of any node are wanted."""
        return any(slot.rows for slot in self.slots)

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Counts:
        """Count the batches."""
        scan = _core.StreamScan(
            self.routes,
            self.grain_rows,
            self.least_fraction,
            self.forms,
            [(s.cells, s.rows, list(s.opened), list(s.shifts)) for s in self.slots],
            self.form,
        )
        n_rows = 0
        sums: dict[str, int] = {}
        for batch in batches:
            if not batch.num_rows:
                continue
            read = self.reader.read(batch)
            n_rows += read.n_rows
            if self.summed:
                for name, total in self._sums(read).items():
                    sums[name] = sums.get(name, 0) + total
            weights = self.reader.without_fold(batch, read.weights)
            picked = scan.add(read.columns, read.n_rows, read.y, weights, threads)
            for slot, rows, parts in picked:
                of_rows = None if weights is None else weights[rows]
                taken = [column[rows] for column in read.columns]
                emit(PickedRows(slot, taken, read.y[rows], of_rows, parts))
        found = Counts(n_rows, [Totals(*scan.totals(s)) for s in range(len(self.slots))])
        found.sums = sums
        for s, wanted in enumerate(self.slots):
            for c in range(len(self.forms)):
                if wanted.cells:
                    found.cells[s, c] = scan.cells(s, c)
                if wanted.opened and wanted.opened[c] is not None:
                    found.values[s, c] = Values(*scan.values(s, c))
        return found

    def _sums(self, read: Encoded) -> dict[str, int]:
        """Give the sums of the columns, the target and the weights of a batch."""
        found = {}
        for column, cells in zip(self.reader.schema.columns, read.columns, strict=True):
            found[column.name] = bits_of(cells)
        found[self.reader.target] = bits_of(np.ascontiguousarray(read.y))
        if read.weights is not None and self.reader.weight is not None:
            found[self.reader.weight] = bits_of(np.ascontiguousarray(read.weights))
        return found
