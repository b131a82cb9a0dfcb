"""What travels between machines: record batches as bytes, and emitted rows in bounded pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pyarrow as pa

from ramify.scale.sources import BATCH_ROWS

#: Bytes of a piece: large enough for the network, small enough for any driver.
PIECE_BYTES = 32 * 2**20


@dataclass
class Pieces:
    """What a task emitted on a worker, in pieces that are sent one at a time.

    The digest tells whether two runs of a task on one partition emitted the same: a lost worker's
    pieces are made again, and those sent before and after must fit together.
    """

    pieces: list[list[Any]] = field(default_factory=list)
    room: int = 0
    digest: bytes = b""

    def emit(self, item: Any) -> None:
        """Take what a task emits."""
        size = 0
        state = hashlib.blake2b(self.digest, digest_size=16)
        for array in _arrays(item):
            state.update(np.ascontiguousarray(array).tobytes())
            size += array.nbytes
        self.digest = state.digest()
        if not self.pieces or size > self.room:
            self.pieces.append([])
            self.room = PIECE_BYTES
        self.pieces[-1].append(item)
        self.room -= size


def _arrays(item: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Give the arrays of a dataclass, also those in lists."""
    for one in fields(item):
        value = getattr(item, one.name)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, np.ndarray):
                yield inner


def pack(batch: pa.RecordBatch) -> bytes:
    """Write a batch, and only its rows: a slice of a large batch stays small."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def unpack(packed: bytes) -> Iterator[pa.RecordBatch]:
    """Read what `pack` wrote."""
    with pa.ipc.open_stream(packed) as reader:
        yield from reader


def longer_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Put short batches together: each has its overhead."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= BATCH_ROWS:
            yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
            waiting = []
    if waiting:
        yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
