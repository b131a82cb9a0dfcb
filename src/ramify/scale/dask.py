"""Dask: a task runs where a partition is, and what it returns is added up on the workers.

Scheduling, moving data, spilling and the loss of workers are Dask's: whatever a lost worker held is
made again. Without a client the partitions are computed here, one after the other, by the default
scheduler, and the threads of this machine count.
"""

from __future__ import annotations

import functools
import itertools
import operator
import pickle
from collections.abc import Iterator, Sequence
from typing import Any

import dask
import pyarrow as pa
from dask.delayed import delayed

from ramify.scale.dask_frames import (
    DaskFrame,
    current_client,
    frame_schema,
    pandas_batches,
    result_of,
)
from ramify.scale.executors import Emit, Result, Task
from ramify.scale.shipping import Pieces
from ramify.scale.sources import RowSource, SourceError

#: Results that one task adds up.
_FAN_IN = 8


def dask_source(frame: Any, client: Any = None) -> RowSource:
    """Give a Dask DataFrame as a source, with the client given or the current one, if any."""
    client = current_client() if client is None else client
    schema = frame_schema(frame)
    executor = None if client is None else Dask(client)
    return RowSource(schema, [DaskFrame(frame, schema, client)], "the Dask frame", None, executor)


class Dask:
    """Works on a Dask cluster.

    Parameters
    ----------
    client : distributed.Client or None
        None means the current one.
    """

    def __init__(self, client: Any = None) -> None:
        self.client = current_client() if client is None else client
        if self.client is None:
            raise ValueError("client=None: there is no current distributed.Client; give one")

    def run(self, source: RowSource, task: Task[Result], emit: Emit) -> Result:
        """Give the sum of what the task returns; what it emits comes in the order of partitions."""
        sent = delayed(pickle.loads, pure=False)(pickle.dumps(task))
        run = delayed(_run, nout=2, pure=False)
        ran = [run(*group, sent) for group in self._groups(source, task.columns)]
        if not ran:
            raise SourceError(f"source: {source.name} has no partitions")
        sums = [one[0] for one in ran]
        while len(sums) > 1:
            groups = [sums[i : i + _FAN_IN] for i in range(0, len(sums), _FAN_IN)]
            sums = [delayed(_add, pure=False)(group) for group in groups]
        pieces = [one[1] for one in ran] if task.emits else []
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            total, *held = self.client.compute([*sums, *pieces])
        try:
            while held:
                self._fetch(held[0], emit, source.name)
                del held[0]  # so that its worker forgets it
            return result_of(total, source.name)  # type: ignore[no-any-return]
        finally:
            self.client.cancel([total, *held])

    def _groups(self, source: RowSource, columns: Sequence[str]) -> Iterator[tuple[list[Any], Any]]:
        """Give the partitions that a task works through, with their schema.

        What a worker holds in its memory is counted by few tasks, as many in all as there are
        threads, so that there are few sums. Other partitions are tasks of their own: they are made
        one by one.
        """
        for partition in source.partitions:
            if not isinstance(partition, DaskFrame):
                yield [pickle.dumps(partition)], None
                continue
            schema = pa.schema([partition.schema.field(name) for name in columns])
            held: dict[str, list[Any]] = {}
            for part, worker in zip(
                partition.delayed(columns), partition.workers(self.client), strict=True
            ):
                if worker is None:
                    yield [part], schema
                else:
                    held.setdefault(worker, []).append(part)
            threads = sum(self.client.nthreads().values()) if held else 1
            step = -(-sum(map(len, held.values())) // max(1, threads))
            for parts in held.values():
                yield from ((parts[i : i + step], schema) for i in range(0, len(parts), step))

    def _fetch(self, held: Any, emit: Emit, name: str) -> None:
        """Emit what one partition emitted; the next piece is on its way meanwhile."""
        coming, digest = self.client.submit(_piece, held, 0, pure=False), None
        for k in itertools.count(1):
            piece, count, found = result_of(coming, name)
            if k < count:
                coming = self.client.submit(_piece, held, k, pure=False)
            if found != (digest := found if digest is None else digest):
                raise SourceError(f"source: {name} gave other rows when it was read again")
            for item in piece:
                emit(item)
            if k >= count:
                return


def _run(parts: list[Any], schema: pa.Schema | None, task: Task[Any]) -> tuple[Any, Pieces]:
    """Run the task where the partitions are."""
    kept = Pieces()
    batches = itertools.chain.from_iterable(
        pickle.loads(part).batches(task.columns) if schema is None else pandas_batches(part, schema)
        for part in parts
    )
    return task(batches, kept.emit, 1), kept


def _add(results: list[Any]) -> Any:
    return functools.reduce(operator.add, results)


def _piece(held: Pieces, k: int) -> tuple[list[Any], int, bytes]:
    return held.pieces[k] if held.pieces else [], len(held.pieces), held.digest
