"""The reader of delimited text, slow and obvious: Python's csv module and float(), row by row.

Errors come in the order of the file: first what is wrong with a row, then with its cells from
left to right. The limits count characters, not bytes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

CODE = re.compile(r"0\d+")


class Rules:
    """Which cells are missing, and how numbers are written."""

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        self.missing = {cell.strip() for cell in missing}
        self.decimal = decimal

    def number(self, cell: str, *, forced: bool = False) -> float | None:
        """Give a cell as a number; None: it is a text."""
        cell = cell.strip()
        if cell in self.missing:
            return float("nan")
        if not forced and ("_" in cell or CODE.fullmatch(cell)):
            return None
        if self.decimal == ",":
            if "." in cell:
                return None
            cell = cell.replace(",", ".")
        try:
            return float(cell)
        except ValueError:
            return None

    def text(self, cell: str) -> str | None:
        """Give a cell as a text; None: it is missing."""
        cell = cell.strip()
        return None if cell in self.missing else cell


def records(text: str, delimiter: str, longest_row: int) -> Iterator[list[str]]:
    """Give the records without blank lines; a malformed one is a ValueError with its line."""
    size = 0

    def lines() -> Iterator[str]:
        nonlocal size
        for number, line in enumerate(io.StringIO(text, newline=""), start=1):
            size += len(line)
            if size > longest_row:
                raise ValueError(f"line {number}: a row of more than {longest_row:,} characters")
            yield line

    reader = csv.reader(lines(), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for record in reader:
            size = 0
            if record:
                yield record
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error


def read(
    text: str,
    *,
    delimiter: str,
    width: int,
    header: bool,
    kinds: Mapping[int, str],
    rules: Rules,
    longest_row: int,
) -> list[list[Any]]:
    """Give the columns in `kinds` ("open", "number" or "text"), with NaN or None where missing."""
    rows: list[list[str]] = []
    found = records(text, delimiter, longest_row)
    if header:
        next(found, None)
    for number, row in enumerate(found, start=1):
        if len(row) != width:
            raise ValueError(f"data row {number} has {len(row)} cells, but the header has {width}")
        for j, kind in kinds.items():
            if kind == "number" and rules.number(row[j], forced=True) is None:
                raise ValueError(f"column {j}, data row {number}: {row[j].strip()!r}")
        rows.append(row)
    columns: list[list[Any]] = []
    for j, kind in kinds.items():
        cells = [row[j] for row in rows]
        numbers = [rules.number(cell, forced=kind == "number") for cell in cells]
        if kind == "text" or None in numbers:
            columns.append([rules.text(cell) for cell in cells])
        else:
            columns.append(numbers)
    return columns
