"""Results on disk: one JSON object per line, only ever appended to.

Invariant: each line is written by one call and is on the disk before the next one begins. Nothing
in the file is ever changed.

A line that a kill has torn is no JSON. It is skipped, and its fold is computed again. A line that
is odd in another way (somebody has edited the file, a disk has failed) is skipped with a warning.
"""

from __future__ import annotations

import json
import math
import os
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1
HEADER = {"kind": "ramify.evaluate", "format": FORMAT}
Line = dict[str, Any]
_FILE = "runs.jsonl"

_TEXT, _WHOLE, _NUMBER = (str,), (int,), (int, float)
_SHOWN = 5

# What the lines of each kind must have.
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "ramify.evaluate": {"format": _WHOLE},
    "run": {
        "learners": (dict,),
        "datasets": (list,),
        "task": _TEXT,
        "cv": _TEXT,
        "repeats": (int, type(None)),
        "scores": (dict,),
        "test": _TEXT,
        "alpha": _NUMBER,
        "versions": (dict,),
    },
    "dataset": {"name": _TEXT, "id": _TEXT, "n_rows": _WHOLE},
    "fold": {
        "dataset": _TEXT,
        "learner": _TEXT,
        "repeat": _WHOLE,
        "fold": _WHOLE,
        "n_train": _WHOLE,
        "n_test": _WHOLE,
        "scores": (dict,),
        "error": (str, type(None)),
        "dataset_id": _TEXT,
        "learner_id": _TEXT,
        "cv": _TEXT,
        "rows": _TEXT,
    },
}
_OF_A_LEARNER: dict[str, tuple[type, ...]] = {"id": _TEXT, "text": _TEXT, "parameters": (dict,)}


class Store:
    """The lines of a store; without a path they are kept in memory only."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = None if path is None else _file_of(Path(path))
        content = StoreContent() if self.path is None else _read_lines(self.path)
        self.lines = content.lines
        self._has_header = content.has_header
        self._file: int | None = None

    def append(self, line: Line) -> None:
        """Keep a line; it is on the disk when this returns."""
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
    """Write all bytes: a full disk may take some of them before it raises."""
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
    """Replace NaN and infinities, which JSON does not have, by null and strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(item) for item in value]
    return value


@dataclass
class StoreContent:
    """What is in the file of a store; `odd` says why lines are skipped, by their number."""

    lines: list[Line] = field(default_factory=list)
    has_header: bool = False
    odd: dict[int, str] = field(default_factory=dict)


def _read_lines(path: Path) -> StoreContent:
    """Read the lines of a store; none if there is no file yet."""
    found = StoreContent()
    if not path.exists():
        return found
    parts = path.read_bytes().split(b"\n")
    for number, text in enumerate(parts, start=1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            if not _is_torn(text):
                found.odd[number] = "it is no JSON"
            continue
        reason = _what_is_odd(line)
        if reason is not None:
            found.odd[number] = reason
            continue
        if line.get("kind") == HEADER["kind"]:
            _check_format(path, line)
            found.has_header = True
        found.lines.append(line)
    ours = any(line.get("kind") in _FIELDS for line in found.lines)
    if not ours and any(map(bytes.strip, parts)) and not _is_torn_header(parts):
        raise ValueError(
            f"store={str(path)!r} is a file that ramify.evaluate has not written; choose another "
            "name"
        )
    if found.odd:
        _warn(path, found.odd)
    return found


def _is_torn(text: bytes) -> bool:
    """Tell whether a kill may have left this: the beginning of a line without its end."""
    return text.startswith(b"{") and not text.rstrip().endswith(b"}")


def _is_torn_header(parts: list[bytes]) -> bool:
    return len(parts) == 1 and json.dumps(HEADER).encode().startswith(parts[0])


def _what_is_odd(line: Any) -> str | None:
    """Say why a line cannot be used, if so."""
    if not isinstance(line, dict):
        return "it is no JSON object"
    kind = line.get("kind")
    if not isinstance(kind, str):
        return "it has no 'kind'"
    reason = _missing_field(line, _FIELDS.get(kind, {}))
    if reason is None and kind == "run":
        for name, learner in line["learners"].items():
            if not isinstance(learner, dict) or _missing_field(learner, _OF_A_LEARNER):
                return f"the learner {name!r:.60} is not described"
    if reason is None and kind == "fold":
        for name, value in line["scores"].items():
            if not _is_score(value):
                return f"the score {name!r:.60} is {value!r:.60}"
    return reason


def _missing_field(line: Line, fields: dict[str, tuple[type, ...]]) -> str | None:
    for name, types in fields.items():
        if name not in line:
            return f"it has no {name!r}"
        if not isinstance(line[name], types):
            return f"its {name!r} is {line[name]!r:.60}"
    return None


def _is_score(value: Any) -> bool:
    try:
        return value is None or isinstance(float(value), float)
    except (TypeError, ValueError, OverflowError):
        return False


def _check_format(path: Path, header: Line) -> None:
    if header["format"] > FORMAT:
        raise ValueError(
            f"store={str(path)!r} has format {header['format']}, newer than {FORMAT}, which "
            "this version of ramify reads; update ramify"
        )


def _warn(path: Path, odd: dict[int, str]) -> None:
    shown = ", ".join(f"{number} ({odd[number]})" for number in list(odd)[:_SHOWN])
    more = f" and {len(odd) - _SHOWN} more" if len(odd) > _SHOWN else ""
    warnings.warn(
        f"store={str(path)!r}: ramify.evaluate has not written these lines as they are: {shown}"
        f"{more}. They are skipped and stay in the file; what they held is computed again. Correct "
        "or delete them to end this warning",
        stacklevel=4,
    )
