"""Rows that a tree leaves out: their marks, as a column that is added to the batches.

Invariant: rows come in the same order in every scan, so a row has the same mark in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify.scale.exact_sums import ExactSum
from ramify.scale.executors import Emit, Executor
from ramify.scale.profiling import Taken
from ramify.scale.reading import MARK, Reader
from ramify.scale.sources import Partition, RowSource, SourceError

Marks = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class Part:
    """The rows that a tree is grown on, or judged by, told by their marks.

    Parameters
    ----------
    fold : int or None
        Marks are the folds of rows, -1 for none: the rows of this fold, or of all others.
    bit : int or None
        Marks are bits, one for each part: the rows whose mark has this bit.
    others : bool
        Whether it is all folds but this one.

    Examples
    --------
    >>> marks = np.array([-1, 0, 1, 2])
    >>> Part(fold=1).of(marks).tolist(), Part(fold=1, others=True).of(marks).tolist()
    ([False, False, True, False], [False, True, False, True])
    >>> Part(bit=1).of(np.array([0, 1, 2, 3])).tolist()
    [False, False, True, True]
    """

    fold: int | None = None
    bit: int | None = None
    others: bool = False

    def of(self, marks: Marks) -> NDArray[np.bool_]:
        """Tell which rows are in it."""
        if self.bit is not None:
            return ((marks >> np.array(self.bit, dtype=marks.dtype)) & 1).astype(bool)
        one: NDArray[np.bool_] = marks == self.fold
        return (marks >= 0) & ~one if self.others else one


#: The parts for which one mark has bits; the sign is left.
MOST_BITS = 62


def packed(parts: Sequence[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """Give marks that have a bit for each part.

    Examples
    --------
    >>> packed([np.array([True, False]), np.array([True, True])]).tolist()
    [3, 2]
    """
    marks = np.zeros(len(parts[0]), dtype=np.int64)
    for bit, part in enumerate(parts):
        marks |= part.astype(np.int64) << bit
    return marks


@dataclass(frozen=True)
class MarkedPartition:
    """A partition with the mark of every row as one more column."""

    inner: Partition
    marks: Marks

    @property
    def ready(self) -> bool:
        """Whether its batches are in memory already."""
        return getattr(self.inner, "ready", False)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows, with their marks if these are wanted."""
        if MARK not in columns:
            yield from self.inner.batches(columns)
            return
        row = 0
        for batch in self.inner.batches([name for name in columns if name != MARK]):
            marks = self.marks[row : row + batch.num_rows]
            row += batch.num_rows
            if len(marks) < batch.num_rows:
                raise _changed("more")
            arrays = [*batch.columns, pa.array(marks)]
            yield pa.RecordBatch.from_arrays(arrays, [*batch.schema.names, MARK])
        if row < len(self.marks):
            raise _changed("fewer")


def _changed(what: str) -> SourceError:
    return SourceError(
        f"source: there are {what} rows than in an earlier scan: it changed between scans"
    )


def marked(source: RowSource, marks: Marks, sizes: list[int]) -> RowSource:
    """Add marks to a source whose partitions have these sizes; they take few bytes a row."""
    small = marks.astype(np.min_scalar_type(-1 - int(marks.max(initial=0))))
    starts = np.cumsum([0, *sizes])
    partitions: list[Partition] = [
        MarkedPartition(one, small[begin:end])
        for one, begin, end in zip(source.partitions, starts, starts[1:], strict=False)
    ]
    return replace(source, partitions=partitions)


@dataclass
class Targets:
    """The targets of rows, and their weights, in the order of the rows."""

    y: list[NDArray[Any]]
    weights: list[NDArray[np.float64]]

    def __add__(self, other: Targets) -> Targets:
        """Give those of both, one after the other."""
        return Targets(self.y + other.y, self.weights + other.weights)


@dataclass(frozen=True)
class TargetTask:
    """Reads nothing but the target and the weights."""

    reader: Reader

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        weight = self.reader.weight
        return [self.reader.target] if weight is None else [self.reader.target, weight]

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Targets:
        """Read the batches."""
        found = Targets([], [])
        for batch in batches:
            y, weights = self.reader.read_target(batch)
            found.y.append(y)
            if weights is not None:
                found.weights.append(weights)
        return found


def read_targets(
    source: RowSource, executor: Executor, reader: Reader
) -> tuple[NDArray[Any], NDArray[np.float64] | None, list[int]]:
    """Give the targets and weights of all rows, and the sizes of the partitions."""
    parts = []
    for partition in source.partitions:
        one = replace(source, partitions=[partition])
        parts.append(executor.run(one, TargetTask(reader), lambda _: None))
    sizes = [sum(map(len, part.y)) for part in parts]
    y = np.concatenate([array for part in parts for array in part.y])
    found = [array for part in parts for array in part.weights]
    return y, np.concatenate(found) if found else None, sizes


def take(
    y: NDArray[Any], weights: NDArray[np.float64] | None, included: NDArray[np.bool_]
) -> Taken:
    """Learn of some rows what a growth has to know."""
    taken = np.ones(int(included.sum())) if weights is None else weights[included]
    numbers = y.dtype == np.float64
    own = y[included] if numbers else np.zeros(1)
    there = taken > 0
    sum_of_targets = ExactSum.of(taken * own) if numbers else ExactSum()
    weight = ExactSum.of(taken)
    present = own[there] if numbers else own
    return Taken(
        present=int(there.sum()),
        weight=float(weight),
        weights=(float(taken[there].min()), float(taken[there].max())),
        targets=(float(present.min()), float(present.max())),
        mean=float(sum_of_targets.fraction() / weight.fraction()) if numbers else 0.0,
    )
