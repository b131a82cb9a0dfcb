"""The distinct values of columns at nodes of a grown tree, counted exactly within a memory.

A value is known by 64 bits that are mixed so that they are spread evenly; two values never share
them. A scan counts the values whose bits lie in a range. If they do not fit in memory, the range is
cut in half until they do, and the next scan goes on where it ends. Partial counts add up: both keep
the smaller range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.counting import TreeScan
from ramify.scale.edges import CountedColumns
from ramify.scale.executors import Emit
from ramify.scale.reading import Encoded, Reader

Mixed = NDArray[np.uint64]
#: The last of all 64 bits.
LAST = 2**64 - 1
#: Memory of a value that is counted: as many wait, while two lists of values are united.
BYTES_PER_VALUE = 32
#: Values that are looked through together.
_CHUNK = 65_536
_NONE: Mixed = np.zeros(0, dtype=np.uint64)


def mixed(cells: NDArray[Any]) -> Mixed:
    """Give 64 bits for every number, evenly spread and different for different numbers.

    Every step can be undone (Steele, Lea and Flood 2014, the finaliser of SplitMix).

    Examples
    --------
    >>> len(np.unique(mixed(np.array([0.0, -0.0, 1.0, 2.0]))))
    3
    """
    bits = (cells.astype(np.float64) + 0.0).view(np.uint64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _known(cells: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which cells are not missing: numbers, or codes of levels."""
    return ~np.isnan(cells) if cells.dtype.kind == "f" else cells >= 0


@dataclass
class Seen:
    """What was seen of columns.

    Parameters
    ----------
    first, last : int
        The range of mixed values that are counted.
    room : int
        The number of values that fit in memory.
    values : dict
        For each place that asks, the mixed values in that range, in order.
    holes : set
        The places where a value is missing.
    spans : dict
        Per column, its least and largest value, and whether one is missing.
    """

    first: int
    last: int
    room: int
    values: dict[Any, Mixed] = field(default_factory=dict)
    holes: set[Any] = field(default_factory=set)
    spans: dict[int, tuple[float, float, bool]] = field(default_factory=dict)
    #: Values that are not yet among the others.
    _waiting: dict[Any, list[Mixed]] = field(default_factory=dict, init=False)
    _n_waiting: int = field(default=0, init=False)

    def add(self, place: Any, cells: NDArray[Any]) -> None:
        """Add the cells of a column."""
        known = _known(cells)
        if not known.all():
            self.holes.add(place)
            cells = cells[known]
        for begin in range(0, len(cells), _CHUNK):
            self._take(place, np.unique(mixed(cells[begin : begin + _CHUNK])))

    def span(self, column: int, cells: NDArray[Any]) -> None:
        """Add to the span of a column."""
        known = _known(cells)
        own = cells[known]
        low, high = (float(own.min()), float(own.max())) if len(own) else (np.inf, -np.inf)
        self._widen(column, (low, high, len(own) < len(cells)))

    def __add__(self, other: Seen) -> Seen:
        """Give what was seen by both."""
        total = Seen(self.first, min(self.last, other.last), self.room)
        total.holes = self.holes | other.holes
        for one in (self, other):
            one.settle()
            for place, values in one.values.items():
                total._take(place, values)
            for column, span in one.spans.items():
                total._widen(column, span)
        total.settle()
        return total

    def settle(self) -> None:
        """Put the values in order, and keep so small a range that they have room."""
        for place, parts in self._waiting.items():
            known = self.values.get(place, _NONE)
            self.values[place] = np.unique(np.concatenate([known, *map(self._in_range, parts)]))
        self._waiting, self._n_waiting = {}, 0
        while sum(map(len, self.values.values())) > self.room and self.last > self.first:
            self.last = self.first + (self.last - self.first) // 2
            self.values = {place: self._in_range(one) for place, one in self.values.items()}

    def _widen(self, column: int, span: tuple[float, float, bool]) -> None:
        low, high, missing = self.spans.get(column, (np.inf, -np.inf, False))
        self.spans[column] = (min(low, span[0]), max(high, span[1]), missing or span[2])

    def _take(self, place: Any, values: Mixed) -> None:
        values = self._in_range(values)
        self._waiting.setdefault(place, []).append(values)
        self._n_waiting += len(values)
        if self._n_waiting > self.room:  # as many wait as are in order, so each is moved seldom
            self.settle()

    def _in_range(self, values: Mixed) -> Mixed:
        return values[(values >= np.uint64(self.first)) & (values <= np.uint64(self.last))]


@dataclass(frozen=True)
class DistinctTask:
    """Sees the values of one column at each of some nodes.

    Parameters
    ----------
    reader : Reader
    counted : CountedColumns
    scans : list of TreeScan
        The nodes are the slots, whose rows are picked.
    attributes : list of list of int
        For every scan and slot, the column.
    first, room : int
        See `Seen`.
    spans : bool
        Whether the spans of all columns are wanted, too.
    """

    reader: Reader
    counted: CountedColumns
    scans: list[TreeScan]
    attributes: list[list[int]]
    first: int
    room: int
    spans: bool

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        return self.reader.columns

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Seen:
        """Look through the batches."""
        kernels = [scan.kernel(self.counted) for scan in self.scans]
        seen = Seen(self.first, LAST, self.room)
        for batch in batches:
            if batch.num_rows:
                self._look(kernels, self.reader.read(batch), threads, seen)
        seen.settle()
        return seen

    def _look(
        self, kernels: list[_core.StreamScan], read: Encoded[NDArray[Any]], threads: int, seen: Seen
    ) -> None:
        for s, kernel in enumerate(kernels):
            picked = kernel.add(read.columns, read.n_rows, read.y, read.weights, threads)
            for slot, rows, _ in picked:
                seen.add((s, slot), read.columns[self.attributes[s][slot]][rows])
        if self.spans:
            there = slice(None) if read.weights is None else read.weights > 0
            for c, cells in enumerate(read.columns):
                seen.span(c, cells[there])
