"""Where rows come from: files, datasets, lazy frames and relations, as Arrow record batches.

A source has a schema and partitions. A partition can be read any number of times, and its batches
may come in any order: nothing depends on the order of rows. What an engine distributes is a source
of its own whose partitions stay where they are.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs
import pyarrow.parquet as pq

#: Rows of a batch: its columns fit in the cache one at a time.
BATCH_ROWS = 65_536

#: Bytes of a column chunk that are read at once, instead of all of it.
_BUFFER = 1 << 18

_FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".arrow": "ipc",
    ".ipc": "ipc",
    ".feather": "ipc",
}


class SourceError(ValueError):
    """The rows of a source cannot be read, or they changed between two scans."""


#: Size, time of the last change, and number of a file.
Stamp = tuple[int, int, int]


def stamp_of(file: str) -> Stamp:
    """Give what tells whether a file changed."""
    found = os.stat(file)
    return found.st_size, found.st_mtime_ns, found.st_ino


class Partition(Protocol):
    """Some rows of a source."""

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows, with these columns, from the first on."""
        ...


@dataclass(frozen=True)
class RowSource:
    """Rows that can be read again and again.

    Parameters
    ----------
    schema : pyarrow.Schema
    partitions : list of Partition
    name : str
        What it is, for messages.
    expected_rows : int or None
        The number of rows, if that is known without reading them.
    executor : Executor or None
        Who counts, if that depends on where the rows are.
    stamps : dict or None
        The files that are read, with what tells whether they changed since they were opened. It is
        empty for rows in memory, and None if nothing tells: then the cells of every scan are
        summed.
    """

    schema: pa.Schema
    partitions: list[Partition]
    name: str
    expected_rows: int | None = None
    executor: Any = None
    stamps: dict[str, Stamp] | None = None

    def in_batches_of(self, rows: int) -> RowSource:
        """Give the source with smaller batches, where it reads files or tables itself."""
        partitions: list[Partition] = [
            replace(one, batch_rows=rows)
            if isinstance(one, DatasetPartition | ParquetPartition | TablePartition)
            else one
            for one in self.partitions
        ]
        return replace(self, partitions=partitions)

    def check_unchanged(self) -> None:
        """Raise an error that names the first file that is gone or was written again."""
        for file, stamp in (self.stamps or {}).items():
            try:
                now = stamp_of(file)
            except OSError as error:
                raise SourceError(f"source: {file} cannot be read: {error}") from error
            if now != stamp:
                raise SourceError(f"source: {file} changed between scans")


@dataclass(frozen=True)
class TablePartition:
    """The rows of a table in memory: batches are views of them."""

    #: Whether its batches are there already, so that nothing is won by reading ahead.
    ready: ClassVar[bool] = True
    table: pa.Table
    batch_rows: int = BATCH_ROWS

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Give the rows."""
        yield from self.table.select(list(columns)).to_batches(max_chunksize=self.batch_rows)


@dataclass(frozen=True)
class DatasetPartition:
    """The rows of a pyarrow Dataset."""

    dataset: ds.Dataset
    batch_rows: int = BATCH_ROWS

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows; a batch is read ahead."""
        scanner = self.dataset.scanner(
            columns=list(columns),
            batch_size=self.batch_rows,
            batch_readahead=1,
            fragment_readahead=1,
        )
        yield from scanner.to_batches()


@dataclass(frozen=True)
class ParquetPartition:
    """The rows of Parquet files, one file after the other."""

    files: tuple[str, ...]
    schema: pa.Schema
    batch_rows: int = BATCH_ROWS

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows; only what one batch needs is in memory."""
        for name in self.files:
            with pq.ParquetFile(name, pre_buffer=False, buffer_size=_BUFFER) as file:
                self._check(name, file.schema_arrow, columns)
                yield from file.iter_batches(
                    self.batch_rows, columns=list(columns), use_threads=False
                )

    def _check(self, name: str, schema: pa.Schema, columns: Sequence[str]) -> None:
        for column in columns:
            if column not in schema.names:
                raise SourceError(
                    f"source: {name} has no column {column!r}, which {self.files[0]} has"
                )
            here, there = schema.field(column).type, self.schema.field(column).type
            if here != there:
                raise SourceError(
                    f"source: column {column!r} is of type {here} in {name}, and of type {there} "
                    f"in {self.files[0]}; write all files with one type"
                )


@dataclass(frozen=True)
class ReaderPartition:
    """The rows that a function gives batch by batch whenever it is called."""

    #: Whether the rows come in the same order every time, as those of files do.
    in_order: ClassVar[bool] = False
    start: Callable[[Sequence[str]], Iterable[pa.RecordBatch]]

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows from the first on."""
        for batch in self.start(columns):
            yield batch.select(list(columns))


def open_source(source: Any) -> RowSource:
    """Open paths, globs, a pyarrow Dataset or Table, a polars LazyFrame or a DuckDB relation.

    Raises
    ------
    TypeError, ValueError
        That say what was given, and what is read.
    """
    if isinstance(source, RowSource):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _open_paths([os.fspath(source)])
    if isinstance(source, (list, tuple)) and source and all(map(_is_path, source)):
        return _open_paths([os.fspath(one) for one in source])
    if isinstance(source, pa.RecordBatch):
        source = pa.Table.from_batches([source])
    if isinstance(source, pa.Table):
        return RowSource(
            source.schema, [TablePartition(source)], "the table", source.num_rows, stamps={}
        )
    if isinstance(source, ds.Dataset):
        return _of_dataset(source, "the dataset")
    kind = f"{type(source).__module__}.{type(source).__qualname__}"
    if kind.startswith("polars.") and hasattr(source, "collect_schema"):
        return _of_polars(source)
    if "duckdb" in kind and hasattr(source, "columns"):
        return _of_duckdb(source)
    raise TypeError(
        f"source is a {kind}; it must be a path or glob (or a list of them) of Parquet, CSV or "
        "Arrow IPC files, a pyarrow Dataset or Table, a polars LazyFrame, a DuckDB relation, or a "
        "DataFrame of Dask or Spark"
    )


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _open_paths(given: list[str]) -> RowSource:
    files: list[str] = []
    for one in given:
        if Path(one).is_dir():
            found = [str(p) for p in sorted(Path(one).rglob("*")) if p.suffix in _FORMATS]
        else:
            found = sorted(glob.glob(one)) if glob.has_magic(one) else [one]
        if not found:
            raise FileNotFoundError(f"source={one!r}: there is no such file")
        files += found
    for file in files:
        if not Path(file).exists():
            raise FileNotFoundError(f"source={file!r}: there is no such file")
    suffixes = {Path(file).suffix.lower() for file in files}
    formats = {_FORMATS.get(suffix) for suffix in suffixes}
    if None in formats or len(formats) > 1:
        raise ValueError(
            f"source: the files end in {', '.join(sorted(suffixes))}; all must be of one kind: "
            f"{', '.join(_FORMATS)}"
        )
    name = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more files"
    try:
        if formats == {"parquet"}:
            return _of_parquet(files, name)
        return _of_dataset(ds.dataset(files, format=formats.pop()), name)
    except (pa.ArrowInvalid, OSError) as error:
        raise SourceError(f"source: {name} cannot be read: {error}") from error


def _of_parquet(files: list[str], name: str) -> RowSource:
    stamps = {file: stamp_of(file) for file in files}
    rows = 0
    for file in files:
        try:
            found = pq.read_metadata(file)
        except (pa.ArrowException, OSError) as error:
            raise SourceError(f"source: {file} cannot be read: {error}") from error
        rows += found.num_rows
    schema = pq.read_schema(files[0])
    partition = ParquetPartition(tuple(files), schema)
    return RowSource(schema, [partition], name, rows, stamps=stamps)


def _of_dataset(dataset: ds.Dataset, name: str) -> RowSource:
    stamps, rows = None, None
    if isinstance(dataset, ds.FileSystemDataset):
        if isinstance(dataset.filesystem, pa.fs.LocalFileSystem):
            stamps = {file: stamp_of(file) for file in dataset.files}
        if dataset.format.default_extname != "csv":
            rows = dataset.count_rows()
    elif isinstance(dataset, ds.InMemoryDataset):
        stamps = {}
    return RowSource(dataset.schema, [DatasetPartition(dataset)], name, rows, stamps=stamps)


def _of_polars(frame: Any) -> RowSource:
    if not hasattr(frame, "collect_batches"):
        frame = frame.lazy()
    schema = frame.head(0).collect().to_arrow().schema

    def start(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for part in frame.select(list(columns)).collect_batches(chunk_size=BATCH_ROWS):
            yield from part.to_arrow().to_batches()

    return RowSource(schema, [ReaderPartition(start)], "the polars frame")


def _of_duckdb(relation: Any) -> RowSource:
    def start(columns: Sequence[str]) -> Any:
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        chosen = relation.project(quoted)
        read = getattr(chosen, "to_arrow_reader", None) or chosen.fetch_arrow_reader
        return read(BATCH_ROWS)

    empty = relation.limit(0)
    schema = (getattr(empty, "to_arrow_table", None) or empty.fetch_arrow_table)().schema
    return RowSource(schema, [ReaderPartition(start)], "the DuckDB relation")
