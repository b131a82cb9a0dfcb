"""Spark: a task runs as `mapInArrow` on every partition, and what it returns is added up there.

Scheduling, retries and the storage of what was emitted are Spark's. A worker gives rows of bytes:
one result, and the pieces that were emitted. An error of the task is a result, too, so that it
comes back as it was raised, and is not tried again.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.storagelevel import StorageLevel

from ramify.scale.executors import Emit, Result, Task
from ramify.scale.shipping import Pieces, longer_batches
from ramify.scale.sources import RowSource, SourceError
from ramify.scale.spark_frames import COLUMNS, ENGINE_ERRORS, SparkFrame, brief, bytes_row

#: Workers that add up results.
_ADDING = 2


def spark_source(frame: Any) -> RowSource:
    """Give a Spark DataFrame as a source."""
    schema = to_arrow_schema(frame.schema)
    return RowSource(schema, [SparkFrame(frame)], "the Spark frame", None, Spark())


class Spark:
    """Works where Spark has the partitions of a frame."""

    def run(self, source: RowSource, task: Task[Result], emit: Emit) -> Result:
        """Give the sum of what the task returns; `emit` gets what it emits."""
        (partition,) = source.partitions
        if not isinstance(partition, SparkFrame):
            raise TypeError(f"source: {source.name} is not a Spark DataFrame")
        frame = partition.chosen(task.columns)
        ran = frame.mapInArrow(_Run(task), COLUMNS)
        if task.emits:
            ran = ran.persist(StorageLevel.DISK_ONLY)
        try:
            results = ran.where("not emitted")
            sums = results.repartition(_ADDING).mapInArrow(_add, COLUMNS)
            found = [pickle.loads(row["bytes"]) for row in sums.collect()]
            total = _plus(iter(found))
            if isinstance(total, _Failure):
                raise total.error
            if total is None:
                raise SourceError(f"source: {source.name} has no partitions")
            if task.emits:
                for row in ran.where("emitted").toLocalIterator(prefetchPartitions=True):
                    for item in pickle.loads(row["bytes"]):
                        emit(item)
        except ENGINE_ERRORS as error:
            raise SourceError(f"source: {source.name} cannot be read: {brief(error)}") from error
        finally:
            if task.emits:
                ran.unpersist()
        return total  # type: ignore[no-any-return]


class _Failure(NamedTuple):
    """An error of the task, in place of its result."""

    error: Exception


@dataclass(frozen=True)
class _Run:
    """Runs a task on the batches of a partition."""

    task: Task[Any]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        kept = Pieces()
        try:
            result = self.task(longer_batches(batches), kept.emit, 1)
        except (SourceError, ValueError, TypeError) as error:
            result, kept = _Failure(error), Pieces()
        yield bytes_row(pickle.dumps(result))
        for piece in kept.pieces:
            yield bytes_row(pickle.dumps(piece), emitted=True)


def _add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add up the results that came to a worker."""
    found = (pickle.loads(one.as_py()) for batch in batches for one in batch.column("bytes"))
    total = _plus(found)
    if total is not None:
        yield bytes_row(pickle.dumps(total))


def _plus(results: Iterator[Any]) -> Any:
    """Give the sum of results, or the first failure."""
    total = None
    for one in results:
        if isinstance(one, _Failure):
            return one
        total = one if total is None else total + one
    return total
