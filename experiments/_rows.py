"""CSV files of runs: what a script has done so far, so that it can go on after it was killed.

Invariant: one call writes the rows of a run. A line that was written only in part is cut off before
the next ones are written.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, str]


def read_rows(path: Path) -> list[Row]:
    """Read the complete lines of a CSV file that are no comments (#); [] if there is no file."""
    if not path.exists():
        return []
    lines = io.StringIO(_whole(path).decode(), newline="")
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_text([head, *rows]))


def add_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Append the rows of a run to a CSV file, after the head if it is new."""
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
