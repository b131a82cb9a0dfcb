"""The rows of nodes that come home: kept in memory while they are few, else one file per node.

Invariant: the folder of a fit is locked as long as the fit lives. It is removed at the end, also
after an error; a folder that nobody has locked belongs to a fit that was killed, and the next fit
removes it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ramify.scale.counting import PickedRows

try:
    import fcntl
except ImportError:  # Windows removes open files itself, or refuses to
    fcntl = None  # type: ignore[assignment]

_PREFIX = "ramify-scale-"


@contextmanager
def spill_folder(where: str | os.PathLike[str] | None) -> Iterator[Path]:
    """Make a folder for temporary files, remove it at the end, and sweep those of killed fits.

    Parameters
    ----------
    where : path or None
        The folder in which it is made; None means that for temporary files.
    """
    parent = Path(tempfile.gettempdir() if where is None else where)
    if not parent.is_dir():
        raise FileNotFoundError(f"spill={str(where)!r}: there is no such folder")
    _sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR)
    try:
        _lock(lock)
        yield folder
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _lock(file: int) -> bool:
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sweep(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            file = os.open(folder / "lock", os.O_RDWR)
            try:
                if _lock(file):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(file)


class RowStore:
    """The rows of nodes, by node.

    Parameters
    ----------
    folder : Path
        Where files are written.
    memory : int
        Bytes that may stay in memory.
    """

    def __init__(self, folder: Path, memory: int) -> None:
        self._folder = folder
        self._memory = memory
        self._held: dict[int, list[pa.RecordBatch]] = {}
        self._bytes = 0
        self._files: dict[int, tuple[Any, Any]] = {}

    def add(self, node: int, rows: PickedRows) -> None:
        """Add rows of a node."""
        arrays = [*rows.columns, rows.y, rows.parts]
        if rows.weights is not None:
            arrays.append(rows.weights)
        batch = pa.RecordBatch.from_arrays(
            [pa.array(a, from_pandas=False) for a in arrays], [str(i) for i in range(len(arrays))]
        )
        self._held.setdefault(node, []).append(batch)
        self._bytes += batch.nbytes
        if self._bytes > self._memory:
            self._write()

    def _write(self) -> None:
        """Write what is in memory to the files of the nodes; an error says where."""
        try:
            self._write_held()
        except OSError as error:
            raise _no_room(self._folder, error) from error

    def _write_held(self) -> None:
        for node, batches in self._held.items():
            if node not in self._files:
                sink = pa.OSFile(str(self._path(node)), "wb")
                self._files[node] = (sink, pa.ipc.new_stream(sink, batches[0].schema))
            writer = self._files[node][1]
            for batch in pa.Table.from_batches(batches).combine_chunks().to_batches():
                writer.write_batch(batch)
        self._held.clear()
        self._bytes = 0

    def _path(self, node: int) -> Path:
        return self._folder / f"{node}.arrow"

    def take(self, node: int) -> list[np.ndarray[Any, Any]]:
        """Give the rows of a node, column by column: columns, target, parts and weights, if any."""
        batches = self._held.pop(node, [])
        self._bytes -= sum(batch.nbytes for batch in batches)
        if node in self._files:
            self._close(node)
            with pa.OSFile(str(self._path(node)), "rb") as file, pa.ipc.open_stream(file) as reader:
                batches = [*reader, *batches]
            self._path(node).unlink()
        table = pa.Table.from_batches(batches)
        # Column by column, so that both forms are there for one column only.
        found = []
        while table.num_columns:
            found.append(np.ascontiguousarray(table.column(0).to_numpy()))
            table = table.remove_column(0)
        return found

    def drop(self, node: int) -> None:
        """Forget the rows of a node."""
        self._bytes -= sum(batch.nbytes for batch in self._held.pop(node, []))
        if node in self._files:
            self._close(node)
            self._path(node).unlink()

    def _close(self, node: int) -> None:
        sink, writer = self._files.pop(node)
        try:
            writer.close()
            sink.close()
        except OSError as error:
            raise _no_room(self._folder, error) from error


def _no_room(folder: Path, error: OSError) -> OSError:
    said = (
        f"spill={str(folder.parent)!r}: the rows of nodes cannot be written there: {error}. Choose "
        "a folder with more room, or a larger memory_limit"
    )
    return OSError(error.errno, said)
