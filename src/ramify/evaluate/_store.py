"""What has been computed, on disk: one JSON object per line, only ever appended to.

Invariant: each line is written by one call, flushed to the disk before the next is begun. A line
that a kill has torn is no JSON; it is skipped, and its fold is computed again.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

FORMAT = 1
_FILE = "runs.jsonl"
Line = dict[str, Any]


class Store:
    """The lines of a store; without a path they are kept in memory only."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = None if path is None else _file_of(Path(path))
        self.lines: list[Line] = [] if self.path is None else read_lines(self.path)
        self._file: int | None = None

    def append(self, line: Line) -> None:
        """Keep a line, and have it on the disk when this returns."""
        self.lines.append(line)
        if self.path is None:
            return
        text = json.dumps(_without_nan(line), separators=(",", ":"), ensure_ascii=False)
        if self._file is None:
            self._file = self._open()
        os.write(self._file, f"{text}\n".encode())
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
        content = self.path.read_bytes()[-1:] if self.path.exists() else b""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        if content not in (b"", b"\n"):
            os.write(file, b"\n")  # ends the line that was torn
        if not self.path.stat().st_size:
            os.write(file, json.dumps({"kind": "ramify.evaluate", "format": FORMAT}).encode())
            os.write(file, b"\n")
        return file


def read_lines(path: Path) -> list[Line]:
    """Read the whole lines of a store; nothing if there is no file yet."""
    if not path.exists():
        return []
    found: list[Line] = []
    parts = path.read_bytes().split(b"\n")
    for number, text in enumerate(parts, start=1):
        try:
            line = json.loads(text)
        except ValueError:
            if number == 1 and len(parts) > 1:
                raise _not_a_store(path) from None
            continue
        if number == 1 and (not isinstance(line, dict) or line.get("kind") != "ramify.evaluate"):
            raise _not_a_store(path)
        if number == 1 and line["format"] > FORMAT:
            raise ValueError(
                f"store={str(path)!r} has format {line['format']}, newer than {FORMAT}, which "
                "this version of ramify reads; update ramify"
            )
        if isinstance(line, dict):
            found.append(line)
    return found


def _not_a_store(path: Path) -> ValueError:
    return ValueError(
        f"store={str(path)!r} is a file that ramify.evaluate has not written; choose another name"
    )


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
