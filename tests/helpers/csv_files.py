"""CSV files, written and read the plain way."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_csv(path: Path, columns: Mapping[str, Iterable[Any]]) -> Path:
    """Write named columns of equal length."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def csv_rows(path: Path) -> list[dict[str, str]]:
    """Read the lines as dictionaries by column."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
