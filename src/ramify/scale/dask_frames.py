"""Dask DataFrames as sources: the pandas frames they consist of, as batches of one schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from ramify.scale.shipping import pack, unpack
from ramify.scale.sources import BATCH_ROWS, SourceError

#: Rows whose cells are turned to Arrow at a time: a call for every column takes a while.
_ROWS_READ = 8 * BATCH_ROWS


def current_client() -> Any:
    """Give the current client of `distributed`, or None."""
    with suppress(ImportError, ValueError):
        from distributed.client import default_client

        return default_client()
    return None


@dataclass(frozen=True)
class DaskFrame:
    """All rows of a Dask DataFrame."""

    frame: Any
    schema: pa.Schema
    client: Any

    #: A partition that is made again may have its rows in another order.
    in_order: ClassVar[bool] = False

    def delayed(self, columns: Sequence[str]) -> list[Any]:
        """Give the partitions, with the columns that are read; who holds a whole one reads that."""
        some = not self._held() and set(columns) != set(self.frame.columns)
        return list((self.frame[list(columns)] if some else self.frame).to_delayed())

    def workers(self, client: Any) -> list[str | None]:
        """Give the worker that holds each partition in its memory, or None."""
        held = self._held()
        if not held:
            return [None] * self.frame.npartitions
        places = client.who_has(list(held.values()))
        return [min(places.get(held[i].key, ()), default=None) for i in range(len(held))]

    def _held(self) -> dict[int, Any]:
        """Give the partitions in the memory of workers; nothing unless it is all."""
        if self.client is None:
            return {}
        from distributed.client import futures_of

        held: dict[int, Any] = {}
        for future in futures_of(self.frame):
            if isinstance(future.key, tuple) and isinstance(future.key[-1], int):
                held[future.key[-1]] = future
        return held if len(held) == self.frame.npartitions else {}

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Bring the rows here, batch by batch."""
        schema = _fields(self.schema, columns)
        for part in self.delayed(columns):
            if self.client is None:
                yield from pandas_batches(part.compute(), schema)
                continue
            held, start = self.client.compute(part), 0
            while packed := result_of(
                self.client.submit(pandas_slice, held, schema, start), "the Dask frame"
            ):
                yield from unpack(packed)
                start += BATCH_ROWS

    def answered(self, answers: Any) -> Any:
        """Give the lazy frame of the answers of a model."""
        frame = self.frame[answers.columns]
        schema = _fields(self.schema, answers.columns)
        meta = frame._meta[answers.keep].copy()
        for field in list(answers.schema)[len(answers.keep) :]:
            meta[field.name] = pa.array([], field.type).to_pandas()
        return frame.map_partitions(_answer_part, answers, schema, meta=meta)


def _answer_part(part: Any, answers: Any, schema: pa.Schema) -> Any:
    """Put the answers beside the columns that are kept, with the index of the partition."""
    found = part[answers.keep].copy()
    names = answers.schema.names[len(answers.keep) :]
    told = [answers(batch).select(names) for batch in pandas_batches(part, schema)]
    table = pa.Table.from_batches(told, None if told else _fields(answers.schema, names))
    for name in names:
        found[name] = table[name].to_pandas().set_axis(part.index)
    return found


def _fields(schema: pa.Schema, names: Sequence[str]) -> pa.Schema:
    return pa.schema([schema.field(name) for name in names])


def frame_schema(frame: Any) -> pa.Schema:
    """Give the types of the columns; objects, of which Dask knows no more, are texts."""
    schema = pa.Schema.from_pandas(frame._meta, preserve_index=False)
    texts = [
        field.with_type(pa.string()) if pa.types.is_null(field.type) else field for field in schema
    ]
    return pa.schema(texts)


def result_of(future: Any, name: str) -> Any:
    """Wait for a result; an error of a reader, or of lost workers, names the source."""
    try:
        return future.result()
    except Exception as error:
        if isinstance(error, (ValueError, TypeError)) and not isinstance(error, pa.ArrowException):
            raise
        raise SourceError(f"source: {name} cannot be read: {error}") from error


def pandas_batches(frame: Any, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Give the rows of a frame; its columns are not copied if they are as the schema says."""
    for start in range(0, len(frame), _ROWS_READ):
        rows = frame.iloc[start : start + _ROWS_READ]
        cells = [_cells(rows, field) for field in schema]
        read = pa.RecordBatch.from_arrays(cells, schema.names)
        yield from (read.slice(i, BATCH_ROWS) for i in range(0, len(rows), BATCH_ROWS))


def pandas_slice(part: Any, schema: pa.Schema, start: int) -> bytes:
    """Give a batch of a partition, or nothing after its last row."""
    rows = part.iloc[start : start + BATCH_ROWS]
    return b"".join(pack(batch) for batch in pandas_batches(rows, schema))


def _cells(rows: Any, field: pa.Field) -> pa.Array:
    if field.name not in rows.columns:
        raise SourceError(f"column {field.name!r} is missing in a partition of the Dask frame")
    series, kind = rows[field.name], field.type
    coded = pa.types.is_dictionary(kind)
    try:
        if isinstance(series.dtype, np.dtype) and series.dtype.kind == "f" == _letter(kind):
            cells = pa.array(series.to_numpy(), kind)  # NaN stays NaN: that is missing, too
        else:
            cells = pa.Array.from_pandas(series, type=None if coded else kind)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise _changed(field, series, str(error)) from error
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    # Partitions may number their categories in integers of another width.
    same = cells.type.value_type == kind.value_type if coded and _is_coded(cells) else False
    if not same and cells.type != kind:
        raise _changed(field, series, f"it cannot be read as {kind}")
    return cells


def _letter(kind: pa.DataType) -> str:
    return "f" if pa.types.is_floating(kind) else ""


def _is_coded(cells: pa.Array) -> bool:
    return bool(pa.types.is_dictionary(cells.type))


def _changed(field: pa.Field, series: Any, why: str) -> SourceError:
    return SourceError(
        f"column {field.name!r} is {field.type} in the Dask frame, but {series.dtype} in one of "
        f"its partitions: {why}"
    )
