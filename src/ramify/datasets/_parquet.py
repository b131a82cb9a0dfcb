"""Parquet files, through pyarrow: whole, or batch by batch."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets._text_source import Progress


class ParquetFile:
    """A Parquet file: its names, and its columns.

    Used as a context, since the file stays open while batches are read.
    """

    def __init__(self, path: Path) -> None:
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
        self.names: list[str] = list(self._file.schema_arrow.names)

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, select: Callable[[list[str]], list[str]]) -> dict[str, NDArray[Any]]:
        """Read the columns that `select` picks."""
        wanted = select(self.names)
        table = self._file.read(columns=wanted)
        return {name: _from_arrow(self._arrow, name, table.column(name)) for name in wanted}

    def blocks(
        self, names: list[str], *, rows: int, progress: Progress | None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Give these columns batch by batch."""
        done, total = 0, max(self._file.metadata.num_rows, 1)
        for batch in self._file.iter_batches(batch_size=rows, columns=names):
            yield {name: _from_arrow(self._arrow, name, batch.column(name)) for name in names}
            done += batch.num_rows
            if progress is not None:
                progress(done / total)


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
    raise ValueError(
        f"column {name!r} has the type {kind}; numbers, text and booleans can be read: convert it "
        "or leave it out with ignore"
    )
