"""Record batches as the core counts them: encoded columns, the target and the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ramify.learning.labels import numbers
from ramify.scale.sources import SourceError
from ramify.tables import Schema
from ramify.tables.columns import ArrowColumn, Column, narwhals_column
from ramify.tables.encode import encode_codes, encode_numbers
from ramify.tables.levels import UNSEEN
from ramify.tables.parts import part_codes

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
#: The column of the marks of rows (their folds, for example), which no source has.
MARK = "\0mark"
#: The range of labels that are whole numbers up to which a table has their classes.
_FEW_VALUES = 1 << 16


Cells = TypeVar("Cells", NDArray[Any], NDArray[Any] | None)


@dataclass(frozen=True)
class Encoded(Generic[Cells]):
    """A batch: the cells of every column, or None if it is not used, the target and the weights."""

    n_rows: int
    columns: list[Cells]
    y: NDArray[Any]
    weights: Floats | None


@dataclass(frozen=True)
class Reader:
    """Encodes batches. It is sent to workers.

    Parameters
    ----------
    schema : Schema
        The columns, as the first scan learned them.
    target : str
        The column of the target.
    labels : pyarrow.Array or None
        The distinct labels; None if the target is a number.
    codes : ndarray or None
        The class of every label.
    weight : str or None
        The column of the weights.
    class_weights : ndarray or None
        A factor for every class.
    owner : str
        The name of the estimator, for messages.
    """

    schema: Schema
    target: str
    labels: pa.Array | None
    codes: NDArray[np.int32] | None
    weight: str | None
    class_weights: Floats | None
    owner: str

    @property
    def columns(self) -> Sequence[str]:
        """The columns of the source that are read."""
        return self.columns_of([True] * len(self.schema))

    def columns_of(self, used: Sequence[bool]) -> Sequence[str]:
        """Give the columns of the source that are read if some of the schema are used."""
        inputs = self.schema.input_names
        read = {inputs[j] for j, use in zip(self.schema.sources, used, strict=True) if use}
        names = [name for name in inputs if name in read] + [self.target]
        if self.weight is not None:
            names.append(self.weight)
        return names

    def read(self, batch: pa.RecordBatch) -> Encoded[NDArray[Any]]:
        """Encode a batch."""
        y, weights = self.read_target(batch)
        return Encoded(batch.num_rows, self.read_columns(batch), y, weights)

    def read_used(
        self, batch: pa.RecordBatch, used: Sequence[bool]
    ) -> Encoded[NDArray[Any] | None]:
        """Encode those columns of a batch that are used."""
        y, weights = self.read_target(batch)
        columns = [self._encode(c, batch) if use else None for c, use in enumerate(used)]
        return Encoded(batch.num_rows, columns, y, weights)

    def read_target(self, batch: pa.RecordBatch) -> tuple[NDArray[Any], Floats | None]:
        """Give the target and the weights."""
        y = self._read_target(batch.column(self.target))
        return y, self._read_weights(batch, y)

    def read_columns(self, batch: pa.RecordBatch) -> list[NDArray[Any]]:
        """Encode the columns of the schema: floats, with NaN for missing, or codes."""
        return [self._encode(c, batch) for c in range(len(self.schema))]

    def _encode(self, c: int, batch: pa.RecordBatch) -> NDArray[Any]:
        known = self.schema.columns[c]
        cells = batch.column(self.schema.input_names[self.schema.sources[c]])
        if known.kind == "numeric" and known.form is None and _is_plain(cells.type):
            return plain_numbers(cells)
        column = _wrapped(known.input, pa.chunked_array([cells]))
        if known.kind == "numeric":
            return np.ascontiguousarray(encode_numbers(known, column))
        if known.part is not None:
            assert known.form is not None
            return part_codes(encode_numbers(known, column), known.form, known.part)
        codes = encode_codes(known, column, fail=False)
        if (codes == UNSEEN).any():
            raise SourceError(
                f"column {known.name!r} holds a level that it did not hold in the first scan: "
                "the source changed between scans"
            )
        return np.ascontiguousarray(codes, dtype=np.int32)

    def _read_target(self, cells: pa.Array) -> NDArray[Any]:
        if self.labels is None:
            return read_numbers(cells, self.owner)
        codes = self._classes_of(cells)
        if (codes < 0).any():
            raise SourceError(
                f"the target {self.target!r} holds a label that it did not hold in the first "
                "scan: the source changed between scans"
            )
        return codes

    def _classes_of(self, cells: pa.Array) -> Codes:
        """Give the classes of labels, -1 for one that is not known."""
        assert self.codes is not None
        assert self.labels is not None
        if pa.types.is_dictionary(cells.type):
            places = cells.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            of_words: Codes = np.append(self._classes_of(cells.dictionary), np.int32(-1))[places]
            return of_words
        if self._by_value is not None and not cells.null_count and cells.type == self.labels.type:
            least, classes = self._by_value
            values = cells.to_numpy().astype(np.int64) - least
            if len(values) and values.min() >= 0 and values.max() < len(classes):
                looked_up: Codes = classes[values]
                return looked_up
        places = pc.index_in(cells, value_set=self.labels).fill_null(-1)
        found: Codes = np.append(self.codes, np.int32(-1))[places.to_numpy(zero_copy_only=False)]
        return found

    @cached_property
    def _by_value(self) -> tuple[int, Codes] | None:
        """The classes of whole numbers from the least label on, if these are few: no search."""
        assert self.codes is not None
        assert self.labels is not None
        if not pa.types.is_integer(self.labels.type) or self.labels.null_count:
            return None
        values = [int(value) for value in self.labels.to_numpy()]
        least = min(values)
        if max(values) - least >= _FEW_VALUES or max(map(abs, values)) >= 2**62:
            return None
        classes = np.full(max(values) - least + 1, -1, dtype=np.int32)
        classes[np.array(values) - least] = self.codes
        return least, classes

    def _read_weights(self, batch: pa.RecordBatch, y: NDArray[Any]) -> Floats | None:
        given = (
            None if self.weight is None else read_weights(batch.column(self.weight), self.weight)
        )
        if self.class_weights is None:
            return given
        by_class: Floats = self.class_weights[y]
        return by_class if given is None else given * by_class


def _wrapped(name: str, cells: pa.ChunkedArray) -> Column:
    """Wrap a column; one of plain levels without narwhals, which costs more than a short batch."""
    kind = cells.type
    if pa.types.is_string(kind) or pa.types.is_boolean(kind) or pa.types.is_dictionary(kind):
        return ArrowColumn(name, cells, numeric=False)
    return narwhals_column(name, nw.from_native(cells, series_only=True))


def _is_plain(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


def plain_numbers(cells: pa.Array) -> NDArray[Any]:
    """Give numbers as float32 or float64, with NaN for nulls."""
    array = cells.to_numpy(zero_copy_only=False)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    return np.ascontiguousarray(array)


def read_numbers(cells: pa.Array, owner: str) -> Floats:
    """Read a target of numbers."""
    if not _is_plain(cells.type) and not pa.types.is_boolean(cells.type):
        raise ValueError(
            f"y must be numbers, but the target is of type {cells.type}. For classes use "
            "TreeClassifier."
        )
    return numbers(cells.to_numpy(zero_copy_only=False), len(cells), owner)


def read_weights(cells: pa.Array, name: str) -> Floats:
    """Read the weights of rows."""
    try:
        weights = cells.to_numpy(zero_copy_only=False).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"weight={name!r} must be a column of numbers: {error}") from None
    if not np.isfinite(weights).all() or (weights < 0).any():
        wrong = weights[~(np.isfinite(weights) & (weights >= 0))][0]
        raise ValueError(f"weight={name!r} holds {wrong!r}; weights are numbers of at least 0")
    return np.ascontiguousarray(weights)
