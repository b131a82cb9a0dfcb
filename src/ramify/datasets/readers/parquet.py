"""Parquet files, through pyarrow: whole, or block by block."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.readers.cells import ColumnKind, as_kind
from ramify.datasets.readers.text import OnProgress
from ramify.tables.reading import Note

_BLOCK = 100_000  # rows


class ParquetFile:
    """A Parquet file: its names, and its columns.

    It is used as a context, because it stays open while blocks are read.
    """

    plain = False
    delimiter = ""

    def __init__(self, path: Path, *, progress: OnProgress | None = None) -> None:
        self._progress = progress
        try:
            self._arrow: Any = importlib.import_module("pyarrow")
            parquet: Any = importlib.import_module("pyarrow.parquet")
        except ImportError as error:
            raise ValueError(
                "reading Parquet needs pyarrow (pip install pyarrow), or save the table as CSV"
            ) from error
        try:
            self._file = parquet.ParquetFile(path)
        except self._arrow.ArrowInvalid as error:
            raise ValueError(f"the Parquet file is damaged ({error})") from error
        schema = self._file.schema_arrow
        self.names: list[str] = list(schema.names)
        self.notes: list[Note] = []
        self.zones = {
            one.name: str(one.type.tz)
            for one in schema
            if self._arrow.types.is_timestamp(one.type) and one.type.tz
        }

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, tuple[str, ...]]]:
        """Read columns; a Parquet file declares no levels."""
        return self._columns(self._file.read(columns=names), names, kinds), {}

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Give columns, a block of rows at a time."""
        done, total = 0, max(self._file.metadata.num_rows, 1)
        for block in self._file.iter_batches(batch_size=_BLOCK, columns=names):
            yield self._columns(block, names, kinds)
            done += block.num_rows
            if self._progress is not None:
                self._progress(done / total)

    def _columns(
        self, table: Any, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> dict[str, NDArray[Any]]:
        found = {name: self._column(name, table.column(name), kinds.get(name)) for name in names}
        read = {name: as_kind(name, column, kinds.get(name)) for name, column in found.items()}
        for name, column in read.items():
            if name in self.zones and column.dtype == object:  # text says that it is universal time
                column[:] = [cell if cell is None else f"{cell}+00:00" for cell in column]
        return read

    def _column(self, name: str, column: Any, kind: ColumnKind | None) -> NDArray[Any]:
        if kind == "text" and self._arrow.types.is_integer(column.type):
            column = column.cast(self._arrow.string())  # float64 would round long numbers
        return _from_arrow(self._arrow, name, column)


def _from_arrow(arrow: Any, name: str, column: Any) -> NDArray[Any]:
    types = arrow.types
    kind = column.type
    if types.is_dictionary(kind):
        if kind.ordered:
            warnings.warn(
                f"column {name!r} is an ordered category; its order is not kept when read from a "
                "file: read it with pandas and pass the frame to keep it",
                stacklevel=4,
            )
        column, kind = column.cast(kind.value_type), kind.value_type
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        numbers = column.cast(arrow.float64(), safe=False).to_numpy(zero_copy_only=False)
        return np.array(numbers, dtype=np.float64)  # a copy: Arrow's memory is read-only
    if types.is_null(kind):
        return np.full(len(column), np.nan)
    if types.is_boolean(kind) or types.is_string(kind) or types.is_large_string(kind):
        values = np.empty(len(column), dtype=object)
        values[:] = column.to_pylist()
        return values
    if types.is_temporal(kind):
        return _moments(arrow, column, kind)
    raise ValueError(
        f"column {name!r} has the type {kind}; numbers, text, booleans, dates and times can be "
        "read: convert it or leave it out with ignore"
    )


def _moments(arrow: Any, column: Any, kind: Any) -> NDArray[Any]:
    """Dates by the day, moments and durations by the microsecond, times as Python has them."""
    types = arrow.types
    if types.is_date(kind):
        days = column.cast(arrow.date32()).cast(arrow.int32())
        return _filled(days, "datetime64[D]")
    if types.is_time(kind):
        times = np.empty(len(column), dtype=object)
        times[:] = column.cast(arrow.time64("us"), safe=False).to_pylist()
        return times
    if types.is_duration(kind):
        return _filled(column.cast(arrow.duration("us"), safe=False), "timedelta64[us]")
    return _filled(column.cast(arrow.timestamp("us", tz=kind.tz), safe=False), "datetime64[us]")


def _filled(column: Any, dtype: str) -> NDArray[Any]:
    known = np.array(column.is_valid().to_numpy(zero_copy_only=False))
    whole = column.cast("int64").fill_null(0).to_numpy(zero_copy_only=False)
    moments = np.array(whole, dtype=np.int64).astype(dtype)
    moments[~known] = "NaT"
    return moments
