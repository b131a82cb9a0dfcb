"""CSV files of runs: what a script has done so far, so that it can go on after a kill.

Invariant: the rows of a run are written by one call; a line that was torn is cut off before the
next ones are written.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, str]


def read_rows(path: Path) -> list[Row]:
    """Read the whole lines of a CSV file; nothing if it is not there."""
    if not path.exists():
        return []
    return list(csv.DictReader(io.StringIO(_whole(path).decode(), newline="")))


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_text([head, *rows]))


def add_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Append the rows of a run to a CSV file, whose first row is the head."""
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = len(_whole(path)) if path.exists() else 0
    with path.open("ab", buffering=0) as file:
        file.truncate(begun)
        file.write(_text(rows if begun else [head, *rows]))


def _whole(path: Path) -> bytes:
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1]


def _text(rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
