"""Who counts: an executor calls a task on every partition of a source and adds up the results.

A task is a picklable function of batches. What it returns can be added with ``+``, in any order.
What it emits on the way (the rows of nodes that come home) is handed to the caller as it comes, so
that nobody has to hold all of it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from ramify.scale.sources import Partition, RowSource, SourceError

Result = TypeVar("Result", bound="Summable")
Result_co = TypeVar("Result_co", bound="Summable", covariant=True)
Emit = Callable[[Any], None]


class Summable(Protocol):
    """What adds up."""

    def __add__(self: Result, other: Result, /) -> Result: ...


class Task(Protocol[Result_co]):
    """What is done with the rows of a partition."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        ...

    @property
    def emits(self) -> bool:
        """Whether anything is emitted."""
        ...

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Result_co:
        """Work through the batches."""
        ...


class Executor(Protocol):
    """Calls a task on every partition of a source."""

    def run(self, source: RowSource, task: Task[Result], emit: Emit) -> Result:
        """Give the sum of what the task returns; `emit` gets what it emits."""
        ...


class Threads:
    """Works on this machine: the next batches are read while the threads of the core count.

    Parameters
    ----------
    threads : int
    on_rows : callable
        Called with the number of rows of every batch that was read.
    """

    def __init__(self, threads: int, on_rows: Callable[[int], None] = lambda rows: None) -> None:
        self.threads = threads
        self.on_rows = on_rows

    def run(self, source: RowSource, task: Task[Result], emit: Emit) -> Result:
        """Give the sum of what the task returns, partition by partition."""
        total: Result | None = None
        for partition in source.partitions:
            with closing(batches_of(partition, task.columns, source.name)) as batches:
                found = task(self._told(batches), emit, self.threads)
            total = found if total is None else total + found
        if total is None:
            raise SourceError(f"source: {source.name} has no partitions")
        return total

    def _told(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch
            self.on_rows(batch.num_rows)


def batches_of(
    partition: Partition, columns: Sequence[str], name: str
) -> Generator[pa.RecordBatch, None, None]:
    """Give the batches of a partition, read ahead unless they are in memory already."""
    batches = partition.batches(columns)
    if getattr(partition, "ready", False):
        yield from batches
        return
    with closing(read_ahead(batches, name)) as ahead:
        yield from ahead


class read_ahead(Iterator[pa.RecordBatch]):
    """Read batches in another thread, one or two ahead of their use; errors name the source."""

    def __init__(self, batches: Iterator[pa.RecordBatch], name: str) -> None:
        self._name = name
        self._queue: queue.Queue[Any] = queue.Queue(maxsize=1)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(batches,), daemon=True)
        self._thread.start()

    def _read(self, batches: Iterator[pa.RecordBatch]) -> None:
        last: Any = None
        try:
            for batch in batches:
                if not self._put(batch):
                    return
        except BaseException as error:  # it is raised where the batches are used
            last = error
        self._put(last)

    def _put(self, item: Any) -> bool:
        while not self._stopped.is_set():
            try:
                self._queue.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def __next__(self) -> pa.RecordBatch:
        while True:
            try:
                item = self._queue.get(timeout=0.5)  # so that Ctrl-C is seen
                break
            except queue.Empty:
                continue
        if isinstance(item, pa.RecordBatch):
            return item
        self.close()
        if item is None:
            raise StopIteration
        if isinstance(item, (pa.ArrowException, OSError)):
            raise SourceError(f"source: {self._name} cannot be read: {item}") from item
        raise item

    def close(self) -> None:
        """End the thread."""
        self._stopped.set()
        self._thread.join()
