"""Spark DataFrames as sources, and the rows of bytes that workers give back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import from_arrow_schema

from ramify.scale.shipping import longer_batches, pack, unpack
from ramify.scale.sources import SourceError

try:
    from py4j.protocol import Py4JError
except ImportError:  # Spark Connect needs none
    Py4JError = PySparkException

#: What Spark raises when rows cannot be read.
ENGINE_ERRORS: tuple[type[Exception], ...] = (PySparkException, Py4JError)
_ROWS = pa.schema([("emitted", pa.bool_()), ("bytes", pa.binary())])
COLUMNS = "emitted boolean, bytes binary"


@dataclass(frozen=True)
class SparkFrame:
    """All rows of a Spark DataFrame."""

    frame: Any

    #: Spark promises no order of rows.
    in_order: ClassVar[bool] = False

    def chosen(self, columns: Sequence[str]) -> Any:
        """Give the frame with the columns that are read."""
        return self.frame.select(*(f"`{name.replace('`', '``')}`" for name in columns))

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Bring the rows here, partition by partition."""
        packed = self.chosen(columns).mapInArrow(_pack, COLUMNS)
        try:
            for row in packed.toLocalIterator():
                yield from unpack(bytes(row["bytes"]))
        except ENGINE_ERRORS as error:
            raise SourceError(f"source: the Spark frame cannot be read: {brief(error)}") from error

    def answered(self, answers: Any) -> Any:
        """Give the lazy frame of the answers of a model."""
        schema = from_arrow_schema(answers.schema)
        return self.chosen(answers.columns).mapInArrow(_Answer(answers), schema)


@dataclass(frozen=True)
class _Answer:
    """Answers the batches of a partition."""

    answers: Any

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return (self.answers(batch) for batch in longer_batches(batches) if batch.num_rows)


def bytes_row(content: bytes, *, emitted: bool = False) -> pa.RecordBatch:
    """Give one row: a result, or a piece of what was emitted."""
    return pa.RecordBatch.from_arrays([pa.array([emitted]), pa.array([content])], schema=_ROWS)


def _pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in longer_batches(batches):
        yield bytes_row(pack(batch))


def brief(error: Exception) -> str:
    """Give the cause, as Spark says it, without its traces."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by:")]
    said = [line for line in lines if not line.startswith(("at ", "File ", "Traceback"))]
    return (causes[-1].removeprefix("Caused by: ") if causes else " ".join(said[:3]))[:600]
