"""The kernel on a partition: one scan for all open nodes of some trees, with its three verbs.

A `TreeScan` says where the rows go in a tree so far, and what is wanted of each open node: (a) the
counts of its columns by level or between edges, (b) the values inside given cells, (c) its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.counts import Counts, Found, Totals, Values
from ramify.scale.edges import CountedColumns
from ramify.scale.executors import Emit
from ramify.scale.marks import Part
from ramify.scale.reading import MARK, Encoded, Reader

#: As many rows as a kernel counts: it may hold counts of whole rows in 32 bits.
MOST_ROWS: Final = 2**32 - 1


class Slot(NamedTuple):
    """What is wanted of the rows of a node.

    Parameters
    ----------
    cells : bool
        The counts of all columns.
    rows : bool
        The rows themselves.
    targets : bool
        The counts of the target, if its ranks count. It comes after the columns.
    opened : list
        Per column, marks of the cells whose values are wanted, or None; empty if none are. Where
        ranks count, marks of boxes.
    shifts : list of int
        Per column, only every 2**shift-th edge counts; empty if all do.
    edges : list
        Per column, edges of this node alone, all of which count, or None; if there are any, only
        columns that have some are counted.
    within : list
        Per column with edges of its own, marks of the cells that are counted; the others stay
        empty. All are if there are none.
    """

    cells: bool = False
    rows: bool = False
    targets: bool = False
    opened: Sequence[NDArray[np.uint8] | None] = ()
    shifts: Sequence[int] = ()
    edges: Sequence[NDArray[np.float64] | None] = ()
    within: Sequence[NDArray[np.uint8] | None] = ()

    def counts(self, column: int) -> bool:
        """Tell whether a column is counted."""
        return self.cells and (not self.edges or self.edges[column] is not None)

    def opens(self, column: int) -> bool:
        """Tell whether values of a column are wanted."""
        return len(self.opened) > column and self.opened[column] is not None


@dataclass(frozen=True)
class PickedRows:
    """Rows of a node, from one batch: parts only if rows are divided, weights if they have any."""

    tree: int
    slot: int
    columns: list[NDArray[Any]]
    y: NDArray[Any]
    parts: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None


def bits_of(array: NDArray[Any]) -> int:
    """Give the sum of the bits of all cells as whole numbers: it does not depend on their order.

    Examples
    --------
    >>> bits_of(np.array([1.0, 2.0])) == bits_of(np.array([2.0, 1.0]))
    True
    """
    return int(np.sum(array.view(np.uint32), dtype=np.uint64))


@dataclass(frozen=True)
class TreeScan:
    """What is wanted of a tree.

    Parameters
    ----------
    form : dict
        How rows are counted: see `Form` in `whole_numbers.py`.
    routes : list
        The tree so far, as the core gives it.
    grain_rows : int
    least_fraction : float
        How rows are divided where a value is missing.
    slots : list of Slot
    part : Part or None
        The rows that take part; None if all do.
    divides : bool
        Whether rows are divided.
    """

    form: dict[str, Any]
    routes: list[Any]
    grain_rows: int
    least_fraction: float
    slots: list[Slot]
    part: Part | None
    divides: bool

    def kernel(self, counted: CountedColumns) -> _core.StreamScan:
        """Start the kernel of the core."""
        return _core.StreamScan(
            self.routes,
            self.grain_rows,
            self.least_fraction,
            counted.core,
            [_for_core(slot, counted) for slot in self.slots],
            self.form,
        )


def _for_core(slot: Slot, counted: CountedColumns) -> tuple[Any, ...]:
    """Give a slot as the core takes it: with an entry for the target, if its ranks count."""
    given: list[list[Any]] = [
        list(one) for one in (slot.opened, slot.shifts, slot.edges, slot.within)
    ]
    if counted.target is not None:
        for one, nothing in zip(given, (None, 0, None, None), strict=True):
            if len(one) == len(counted):
                one.append(nothing)
    return (slot.cells, slot.rows, slot.targets, *given)


@dataclass(frozen=True)
class ScanTask:
    """Counts the rows of a partition for all open nodes of some trees.

    A batch is read and encoded once for all trees.

    Parameters
    ----------
    reader : Reader
    counted : CountedColumns
        Per column, its edges or its number of levels.
    trees : list of TreeScan
    summed : bool
        Whether the cells of every column are summed, so that a change between scans shows.
    """

    reader: Reader
    counted: CountedColumns
    trees: list[TreeScan]
    summed: bool = False

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        marked = any(tree.part is not None for tree in self.trees)
        columns = self.reader.columns_of(self.used)
        return [*columns, MARK] if marked else columns

    @cached_property
    def used(self) -> Sequence[bool]:
        """Which columns of the schema are looked at: those that are tested, or wanted."""
        slots = [slot for tree in self.trees for slot in tree.slots]
        tested = {route[1] for tree in self.trees for route in tree.routes}
        return [
            c in tested or any(slot.rows or slot.counts(c) or slot.opens(c) for slot in slots)
            for c in range(len(self.reader.schema))
        ]

    @property
    def emits(self) -> bool:
        """Whether the rows of any node are wanted."""
        return any(slot.rows for tree in self.trees for slot in tree.slots)

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Found:
        """Count the batches."""
        scans = self._kernels()
        before: Found | None = None  # what earlier kernels counted
        n_rows = 0  # of these kernels
        sums: dict[str, int] = {}
        with _sharing(threads, len(scans)) as (threads_of_tree, work):
            for batch in batches:
                if not batch.num_rows:
                    continue
                read = self.reader.read_used(batch, self.used)
                marks = batch.column(MARK).to_numpy() if MARK in batch.schema.names else None
                if n_rows + read.n_rows > MOST_ROWS:
                    before = self._with(before, Found(n_rows, self._give(scans)))
                    scans, n_rows = self._kernels(), 0
                n_rows += read.n_rows
                if self.summed:
                    for name, total in self._sums(read).items():
                        sums[name] = sums.get(name, 0) + total
                count = partial(self._count, scans, read, marks, threads_of_tree)
                for picked in work(count, range(len(scans))):
                    for rows in picked:
                        emit(rows)
        return self._with(before, Found(n_rows, self._give(scans), sums))

    def _kernels(self) -> list[_core.StreamScan]:
        return [tree.kernel(self.counted) for tree in self.trees]

    @staticmethod
    def _with(before: Found | None, found: Found) -> Found:
        return found if before is None else before + found

    def _count(
        self,
        scans: list[_core.StreamScan],
        read: Encoded[NDArray[Any] | None],
        marks: NDArray[Any] | None,
        threads: int,
        place: int,
    ) -> list[PickedRows]:
        """Count a batch for one tree; give its rows that are wanted."""
        tree = self.trees[place]
        weights = read.weights
        if tree.part is not None:
            assert marks is not None
            taken = tree.part.of(marks).astype(np.float64)
            weights = taken if weights is None else weights * taken
        found = []
        ranked = self.counted.target is not None
        columns = [*read.columns, read.y] if ranked else read.columns
        picked = scans[place].add(columns, read.n_rows, read.y, weights, threads)
        for slot, rows, parts in picked:
            found.append(
                PickedRows(
                    place,
                    slot,
                    [column[rows] for column in read.columns if column is not None],
                    read.y[rows],
                    parts if tree.divides else None,
                    None if read.weights is None else read.weights[rows],
                )
            )
        return found

    def _give(self, scans: list[_core.StreamScan]) -> list[Counts]:
        return [self._counts(*one) for one in zip(self.trees, scans, strict=True)]

    def _counts(self, tree: TreeScan, scan: _core.StreamScan) -> Counts:
        found = Counts([Totals(*scan.totals(s)) for s in range(len(tree.slots))])
        for s, wanted in enumerate(tree.slots):
            for c in range(len(self.counted)):
                if wanted.counts(c):
                    found.cells[s, c] = scan.cells(s, c)
                if wanted.opens(c):
                    values, channels, targets = scan.values(s, c)
                    ranked = self.counted.target is not None
                    found.values[s, c] = Values(values, channels, targets if ranked else None)
            target = len(self.counted)
            if wanted.targets:
                found.cells[s, target] = scan.cells(s, target)
            if wanted.opens(target):
                found.values[s, target] = Values(*scan.values(s, target)[:2])
        return found

    def _sums(self, read: Encoded[NDArray[Any] | None]) -> dict[str, int]:
        """Give the sums of the columns, the target and the weights of a batch."""
        found = {}
        for column, cells in zip(self.reader.schema.columns, read.columns, strict=True):
            if cells is not None:
                found[column.name] = bits_of(cells)
        found[self.reader.target] = bits_of(np.ascontiguousarray(read.y))
        if read.weights is not None and self.reader.weight is not None:
            found[self.reader.weight] = bits_of(np.ascontiguousarray(read.weights))
        return found


@contextmanager
def _sharing(threads: int, n_trees: int) -> Iterator[tuple[int, Callable[..., Any]]]:
    """Give the threads that a tree gets, and what maps a function over trees.

    Several trees are counted at the same time, each by one thread. Only as many are begun as there
    are threads: each holds the rows that it picked until they are emitted.
    """
    if threads == 1 or n_trees == 1:
        yield threads, map
        return
    with ThreadPoolExecutor(threads) as pool:

        def work(function: Callable[[int], Any], places: range) -> Iterator[Any]:
            for k in range(0, len(places), threads):
                yield from pool.map(function, places[k : k + threads])

        yield 1, work
