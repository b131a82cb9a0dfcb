"""What has been computed, on disk: one JSON object per line, only ever appended to.

Invariant: each line is written by one call, flushed to the disk before the next is begun. Nothing
that is in the file is ever changed.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from ramify.evaluate._store_lines import HEADER, Content, Line, read_lines

_FILE = "runs.jsonl"


class Store:
    """The lines of a store; without a path they are kept in memory only."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = None if path is None else _file_of(Path(path))
        content = Content() if self.path is None else read_lines(self.path)
        self.lines = content.lines
        self._has_header = content.has_header
        self._file: int | None = None

    def append(self, line: Line) -> None:
        """Keep a line, and have it on the disk when this returns."""
        self.lines.append(line)
        if self.path is None:
            return
        text = json.dumps(_without_nan(line), separators=(",", ":"), ensure_ascii=False)
        if self._file is None:
            self._file = self._open()
        _write(self._file, f"{text}\n".encode())
        os.fsync(self._file)

    def of_kind(self, kind: str) -> list[Line]:
        """Give the lines of a kind: run, dataset or fold."""
        return [line for line in self.lines if line.get("kind") == kind]

    def close(self) -> None:
        """Close the file; a later line opens it again."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _open(self) -> int:
        assert self.path is not None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        file = os.open(self.path, flags, 0o644)
        if not _ends_a_line(self.path):
            _write(file, b"\n")  # ends the line that was torn
        if not self._has_header:
            _write(file, f"{json.dumps(HEADER)}\n".encode())
            self._has_header = True
        return file


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 1, 0))
        return file.read(1) in (b"", b"\n")


def _write(file: int, data: bytes) -> None:
    """Write all of it: a full disk takes a part first and raises at the rest."""
    while data:
        data = data[os.write(file, data) :]


def _file_of(path: Path) -> Path:
    """Give the file of a store; in a folder it has a fixed name."""
    if path.is_dir() or not path.suffix:
        return path / _FILE
    if path.suffix.lower() in (".csv", ".tsv", ".parquet"):
        raise ValueError(
            f"store={str(path)!r}: a store holds JSON lines; call it {path.stem}.jsonl. "
            "Comparison.to_csv() writes its table as CSV"
        )
    return path


def _without_nan(value: Any) -> Any:
    """Replace NaN and infinities, which JSON has not, by null and strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(item) for item in value]
    return value
