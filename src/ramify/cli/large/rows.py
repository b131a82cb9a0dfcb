"""The rows of files as scans read them: without those that have no target, some of them held out.

Every batch holds out one run of its rows, at a place that only its number says: so every scan
holds out the same rows, nothing is copied, and neighbours stay together. The first scan of all
columns keeps a sample of the rows that are held out, and of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyarrow import csv

from ramify.cli.large.options import files_of
from ramify.cli.large.scans import Scans
from ramify.cli.options import ColumnOptions, FileOptions
from ramify.scale.sources import BATCH_ROWS, RowSource, SourceError, open_source
from ramify.support.suggest import unknown_column

_DELIMITERS = ",;\t|"
#: Samples of so many rows are enough for scores and reports.
_MOST = 200_000
#: The part of the memory that a sample may take.
_PART = 0.05


def open_rows(file: Path, form: FileOptions, columns: ColumnOptions) -> RowSource:
    """Open the files of a name, a folder or a pattern, without the columns to ignore."""
    files = files_of(file)
    if Path(files[0]).suffix.lower() == ".csv":
        source = _open_text(files, form, columns)
    else:
        _refuse_text_options(files[0], form)
        source = open_source(files)
    names = source.schema.names
    for option in ("ignore", "nominal", "numeric"):
        for name in getattr(columns, option) or ():
            if name not in names:
                raise unknown_column(name, names, what=f"--{option}: column")
    for name in columns.numeric or ():
        kind = source.schema.field(name).type
        if not pa.types.is_integer(kind) and not pa.types.is_floating(kind):
            raise ValueError(
                f"--numeric {name}: the files hold {kind} in this column; write it as numbers, or "
                "leave --numeric out"
            )
    kept = [one for one in source.schema if one.name not in (columns.ignore or ())]
    return RowSource(pa.schema(kept), source.partitions, source.name, source.expected_rows)


def _refuse_text_options(file: str, form: FileOptions) -> None:
    for name in ("delimiter", "decimal", "encoding", "na", "no_header", "sheet"):
        if getattr(form, name):
            option = "--" + name.replace("_", "-")
            raise ValueError(f"{option} is for text files; {file} says itself what it holds")


def _open_text(files: list[str], form: FileOptions, columns: ColumnOptions) -> RowSource:
    """Open CSV files; --nominal and --numeric say what the cells of a column are."""
    if form.sheet:
        raise ValueError(f"--sheet is for Excel files; {files[0]} is none")
    encoding = form.encoding or "utf-8"
    with open(files[0], encoding=encoding, errors="replace") as opened:
        first = opened.readline()
    given = form.for_rows()
    types = dict.fromkeys(columns.nominal or (), pa.string())
    types |= dict.fromkeys(columns.numeric or (), pa.float64())
    file_format = ds.CsvFileFormat(
        parse_options=csv.ParseOptions(
            delimiter=given["delimiter"] or max(_DELIMITERS, key=first.count)
        ),
        read_options=csv.ReadOptions(
            encoding=encoding, autogenerate_column_names=not given["header"]
        ),
        convert_options=csv.ConvertOptions(
            null_values=list(given["missing"]),
            strings_can_be_null=True,
            decimal_point=given["decimal"],
            column_types=types,
        ),
    )
    name = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more files"
    try:
        found = open_source(ds.dataset(files, format=file_format))
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"source: {name} cannot be read: {error}") from error
    return RowSource(found.schema, found.partitions, name, found.expected_rows)


def head(source: RowSource, columns: Sequence[str]) -> pa.Table:
    """Read the first rows."""
    try:
        for partition in source.partitions:
            for batch in partition.batches(columns):
                if batch.num_rows:
                    return pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"source: {source.name} cannot be read: {error}") from error
    raise ValueError(f"{source.name}: there are no rows")


class Sample:
    """Every n-th row, n a power of two that grows with the number of rows.

    Parameters
    ----------
    most : int
        It has at most twice as many rows.
    """

    def __init__(self, most: int) -> None:
        self.n_rows = 0
        self._most = max(1, most)
        self._parts: list[pa.RecordBatch] = []
        self._step = 1

    def add(self, batch: pa.RecordBatch) -> None:
        """Take rows of a batch."""
        first = -self.n_rows % self._step
        self.n_rows += batch.num_rows
        self._parts.append(batch.take(pa.array(np.arange(first, batch.num_rows, self._step))))
        while sum(part.num_rows for part in self._parts) > 2 * self._most:
            whole = pa.Table.from_batches(self._parts).combine_chunks()
            self._step *= 2
            self._parts = whole.take(pa.array(np.arange(0, len(whole), 2))).to_batches()

    def table(self) -> pa.Table:
        """Give the rows."""
        return pa.Table.from_batches(self._parts).unify_dictionaries()

    def __len__(self) -> int:
        """Give the number of rows that it holds."""
        return sum(part.num_rows for part in self._parts)


class ChosenRows:
    """A partition of a source: the rows that a tree is grown from.

    Parameters
    ----------
    source : RowSource
    target : str
        Rows without it are left out.
    share : float
        The share of rows to hold out.
    memory : int
        Bytes that the fit may use.
    scans : Scans or None
        Is told when a scan begins, and the number of rows of every batch.
    """

    def __init__(
        self,
        source: RowSource,
        target: str,
        share: float,
        memory: int,
        scans: Scans | None = None,
    ) -> None:
        self._source = source
        self._target = target
        self._share = share
        self._most = min(_MOST, int(_PART * memory) // (8 * len(source.schema)))
        self._scans = scans
        self.held_out: Sample | None = None
        self.grown_from: Sample | None = None
        self.without_target = 0

    def source(self) -> RowSource:
        """Give these rows as a source."""
        source = self._source
        return RowSource(source.schema, [self], source.name)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows; the first time all of them are read, samples are kept."""
        held_out, others = Sample(self._most), Sample(self._most)
        keeps = self.held_out is None and {*columns} >= {*self._source.schema.names}
        number, owed, without = 0, 0.0, 0
        if self._scans is not None:
            self._scans.restart()
        wanted = [*dict.fromkeys([*columns, self._target])]
        for partition in self._source.partitions:
            for whole in partition.batches(wanted):
                batch = _with_target(whole, self._target)
                without += whole.num_rows - batch.num_rows
                owed += self._share * batch.num_rows
                run = min(int(owed), batch.num_rows)
                owed -= run
                number += 1
                begin = (number * 0x9E3779B1 & 0xFFFFFFFF) % (batch.num_rows - run + 1)
                if keeps and run:
                    held_out.add(batch.slice(begin, run))
                if self._scans is not None:
                    self._scans.rows(whole.num_rows)
                for part in (batch.slice(0, begin), batch.slice(begin + run)):
                    if part.num_rows:
                        if keeps:
                            others.add(part)
                        yield part.select(list(columns))
        if keeps:
            self.held_out, self.grown_from, self.without_target = held_out, others, without


def _with_target(batch: pa.RecordBatch, target: str) -> pa.RecordBatch:
    """Leave out rows without a target."""
    cells = batch.column(target)
    known = None
    if cells.null_count:
        known = pc.is_valid(cells)
    if pa.types.is_floating(cells.type) and pc.any(pc.is_nan(cells)).as_py():
        known = pc.fill_null(pc.invert(pc.is_nan(cells)), False)
    return batch if known is None else batch.filter(known)


def labels_of(source: RowSource, target: str) -> Any:
    """Give the distinct classes of a source, by a scan of the target alone."""
    found = pa.array([], source.schema.field(target).type)
    if pa.types.is_dictionary(found.type):
        found = pa.array([], found.type.value_type)
    for partition in source.partitions:
        for batch in partition.batches([target]):
            cells = batch.column(target)
            if pa.types.is_dictionary(cells.type):
                cells = cells.cast(cells.type.value_type)
            found = pc.unique(pa.concat_arrays([found, cells.drop_null()]))
    return cells_of(found)


def cells_of(column: pa.ChunkedArray | pa.Array) -> Any:
    """Give a target as the scores take it: numbers, or objects."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return (
            column.to_numpy(zero_copy_only=False)
            if isinstance(column, pa.Array)
            else (column.to_numpy())
        )
    cells = np.empty(len(column), dtype=object)
    cells[:] = column.to_pylist()
    return cells


def batches_within(source: RowSource, memory: int) -> RowSource:
    """Give a source whose batches are so small that a few of them fit in some memory."""
    rows = int(memory / 4 / (64 * max(1, len(source.schema))))
    if rows >= BATCH_ROWS:
        return source
    parts = [_Smaller(partition, max(1, rows)) for partition in source.partitions]
    return RowSource(source.schema, [*parts], source.name, source.expected_rows)


class _Smaller:
    def __init__(self, partition: Any, rows: int) -> None:
        self._partition = partition
        self._rows = rows

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in self._partition.batches(columns):
            for begin in range(0, batch.num_rows, self._rows):
                yield batch.slice(begin, self._rows)
