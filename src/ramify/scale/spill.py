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
    folder, lock = _locked_folder(parent)
    try:
        yield folder
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """Make a folder and lock it; another fit may sweep it away before the lock is there."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        place = folder / "lock"
        try:
            lock = os.open(place, os.O_CREAT | os.O_RDWR)
        except FileNotFoundError:
            continue
        if fcntl is None or (_lock(lock) and place.exists()):
            return folder, lock
        os.close(lock)


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
            folder.rmdir()  # of a fit that was killed before it made its lock: it is empty
            continue
        with suppress(OSError):
            file = os.open(folder / "lock", os.O_RDWR)
            try:
                if _lock(file):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(file)


class RowStore:
    """The rows of the nodes of a tree, by node.

    A file has the rows of a node, in one or more Arrow streams. It is open only while it is
    written, for there may be more nodes than files that a process may open.

    Parameters
    ----------
    folder : Path
        Where files are written; it is made if it is not there.
    memory : int
        Bytes that may stay in memory.
    """

    def __init__(self, folder: Path, memory: int) -> None:
        self._folder = folder
        self._memory = memory
        self._held: dict[int, list[pa.RecordBatch]] = {}
        self._bytes: dict[int, int] = {}
        self._total = 0
        self._files: set[int] = set()

    def add(self, node: int, rows: PickedRows) -> None:
        """Add rows of a node."""
        arrays = [*rows.columns, rows.y]
        arrays += [extra for extra in (rows.parts, rows.weights) if extra is not None]
        batch = pa.RecordBatch.from_arrays(
            [pa.array(a, from_pandas=False) for a in arrays], [str(i) for i in range(len(arrays))]
        )
        self._held.setdefault(node, []).append(batch)
        self._bytes[node] = self._bytes.get(node, 0) + batch.nbytes
        self._total += batch.nbytes
        if self._total > self._memory:
            self._write(self._memory // 2)

    def clear_memory(self) -> None:
        """Write all rows, if not all fitted in memory: who takes them wants the memory."""
        if self._files:
            self._write(0)

    def _write(self, most: int) -> None:
        """Write the nodes with the most rows until so many bytes are held."""
        try:
            self._folder.mkdir(exist_ok=True)
            for node in sorted(self._held, key=self._bytes.__getitem__, reverse=True):
                self._append(node)
                if self._total <= most:
                    break
        except OSError as error:
            raise _no_room(self._folder.parent, error) from error

    def _append(self, node: int) -> None:
        batches = self._held.pop(node)
        self._total -= self._bytes.pop(node)
        self._files.add(node)
        with (
            self._path(node).open("ab") as file,
            pa.ipc.new_stream(file, batches[0].schema) as writer,
        ):
            for batch in pa.Table.from_batches(batches).combine_chunks().to_batches():
                writer.write_batch(batch)

    def _path(self, node: int) -> Path:
        return self._folder / f"{node}.arrow"

    def take(self, node: int) -> list[np.ndarray[Any, Any]]:
        """Give the rows of a node, column by column: columns, target, parts and weights, if any."""
        batches = [*self._read(node), *self._held.pop(node, [])]
        self.drop(node)
        table = pa.Table.from_batches(batches)
        del batches
        # Column by column, so that both forms are there for one column only.
        found = []
        while table.num_columns:
            found.append(np.ascontiguousarray(table.column(0).to_numpy()))
            table = table.remove_column(0)
        return found

    def _read(self, node: int) -> Iterator[pa.RecordBatch]:
        if node not in self._files:
            return
        with pa.OSFile(str(self._path(node)), "rb") as file:
            size = file.size()
            while file.tell() < size:
                with pa.ipc.open_stream(file) as reader:
                    yield from reader

    def drop(self, node: int) -> None:
        """Forget the rows of a node."""
        self._held.pop(node, None)
        self._total -= self._bytes.pop(node, 0)
        if node in self._files:
            self._files.remove(node)
            self._path(node).unlink()


def _no_room(folder: Path, error: OSError) -> OSError:
    said = (
        f"spill={str(folder.parent)!r}: the rows of nodes cannot be written there: {error}. Choose "
        "a folder with more room, or a larger memory_limit"
    )
    return OSError(error.errno, said)
