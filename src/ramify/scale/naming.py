"""Columns that name the rows, found from the first scan and, for numbers, from one more.

Levels were counted in the first scan. Of numbers it is asked whether they count the rows without a
gap, partition by partition, and of columns with the name of a key how many whole numbers differ.
The judgements are those of a fit in memory (tables/profiling/identifiers.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify.learning.identifiers import require_columns
from ramify.scale.distinct import BYTES_PER_VALUE, LAST, Seen
from ramify.scale.executors import Emit
from ramify.scale.memory import Budget
from ramify.scale.profiling import Learned, counts_of_levels
from ramify.scale.reading import Reader
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource
from ramify.tables import Schema
from ramify.tables.profiling.identifiers import (
    NumberFacts,
    among_levels,
    among_numbers,
    asks_for_facts,
    digits_of,
    is_time,
)


@dataclass
class Numbers:
    """What was seen of numbers in some rows, which follow each other.

    Parameters
    ----------
    seen : Seen
        The distinct whole numbers of columns with the name of a key.
    n_rows : int
    runs : dict
        Per column, the first number if each of the others is one more than that before it.
    broken : set
        The columns of which some number is not whole.
    known, digits : dict
        Per column with the name of a key, its numbers, and how many have each number of digits.
    """

    seen: Seen
    n_rows: int = 0
    runs: dict[int, float] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)
    known: dict[int, int] = field(default_factory=dict)
    digits: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    def add(self, column: int, cells: NDArray[Any], *, facts: bool) -> None:
        """Add the cells of a column in the rows that come next."""
        if self.n_rows == 0:
            self.runs[column] = float(cells[0])
        if column in self.runs:
            start = self.runs[column] + self.n_rows
            if not np.array_equal(cells, np.arange(len(cells)) + start):
                del self.runs[column]
        if not facts or column in self.broken:
            return
        known = cells[~np.isnan(cells)]
        if not (np.isfinite(known).all() and (known == np.floor(known)).all()):
            self.broken.add(column)
            return
        self.seen.add(column, known)
        self.seen.span(column, known)
        self._count(column, len(known), digits_of(known))

    def _count(self, column: int, known: int, digits: NDArray[np.int64]) -> None:
        before = self.digits.get(column)
        self.known[column] = self.known.get(column, 0) + known
        self.digits[column] = digits if before is None else before + digits

    def __add__(self, other: Numbers) -> Numbers:
        """Give what was seen in both, of which the other come next."""
        if not (self.n_rows and other.n_rows):
            return self if self.n_rows else other  # a part without rows has seen nothing
        total = Numbers(self.seen + other.seen, self.n_rows + other.n_rows)
        total.runs = {
            column: first
            for column, first in self.runs.items()
            if other.runs.get(column) == first + self.n_rows
        }
        total.broken = self.broken | other.broken
        for one in (self, other):
            for column, known in one.known.items():
                total._count(column, known, one.digits[column])
        return total

    def facts(self, column: int, distinct: int) -> NumberFacts | None:
        """Give what is asked of a column; None if some number is not whole."""
        if column in self.broken or not self.known.get(column):
            return None
        low, high, _ = self.seen.spans[column]
        return NumberFacts(self.known[column], distinct, self.digits[column], low, high)


@dataclass(frozen=True)
class NumbersTask:
    """Looks at the numbers of some columns."""

    reader: Reader
    first: int
    room: int

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        return self.reader.columns

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Numbers:
        """Look through the batches."""
        found = Numbers(Seen(self.first, LAST, self.room))
        columns = self.reader.schema.columns
        for batch in batches:
            if not batch.num_rows:
                continue
            for c, cells in enumerate(self.reader.read_columns(batch)):
                found.add(c, cells, facts=asks_for_facts(columns[c].name))
            found.n_rows += batch.num_rows
        found.seen.settle()
        return found


def settle_identifiers(
    wanted: str, learned: Learned, reader: Reader, source: RowSource, scans: Scans, budget: Budget
) -> tuple[Learned, Reader]:
    """Give what was learned, and how rows are read, without columns that name them if so wanted.

    Raises
    ------
    ValueError
        If no column would be left.
    """
    schema = learned.schema
    if wanted != "drop" or learned.profile.n_rows == 1:
        return learned, reader
    names = _named_by_levels(learned) | _named_by_numbers(schema, reader, source, scans, budget)
    if not names:
        return learned, reader
    found = [column.name for column in schema.columns if column.name in names]
    gone = set(found)
    kept = tuple(column for column in schema.columns if column.input not in gone)
    require_columns(len(kept), found)
    schema = Schema(kept, schema.named, tuple(schema.input_names))
    return replace(learned, schema=schema), replace(reader, schema=schema)


def _named_by_levels(learned: Learned) -> set[str]:
    found = set()
    for column in learned.schema.columns:
        if column.kind == "nominal" and not is_time(column):
            counts = counts_of_levels(learned.profile, column)
            if among_levels(column, counts) is not None:
                found.add(column.name)
    return found


def _named_by_numbers(
    schema: Schema, reader: Reader, source: RowSource, scans: Scans, budget: Budget
) -> set[str]:
    columns = tuple(c for c in schema.columns if c.kind == "numeric" and not is_time(c))
    if not schema.named or not columns:  # numbers without names may be anything
        return set()
    reader = replace(reader, schema=Schema(columns, schema.named, tuple(schema.input_names)))
    room = max(1, budget.values // BYTES_PER_VALUE)
    distinct = [0] * len(columns)
    first = 0
    while first <= LAST:
        scans.tell("columns that name the rows")
        total = Numbers(Seen(first, LAST, room))
        for partition in source.partitions:  # one after the other, for numbers may count the rows
            one = replace(source, partitions=[partition])
            total = total + scans.executor.run(
                one, NumbersTask(reader, first, room), lambda _: None
            )
        source.check_unchanged()
        for c, values in total.seen.values.items():
            distinct[c] += len(values)
        first = total.seen.last + 1
    found = set()
    for c, column in enumerate(columns):
        run = total.runs.get(c)
        start = int(run) if run in (0.0, 1.0) and total.n_rows > 1 else None
        facts = total.facts(c, distinct[c])
        if among_numbers(column.name, total.n_rows, start, partial(_given, facts)) is not None:
            found.add(column.name)
    return found


def _given(facts: NumberFacts | None) -> NumberFacts | None:
    return facts
