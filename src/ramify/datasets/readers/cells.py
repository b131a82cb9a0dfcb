"""Columns made from cells: which cells are numbers, and which are missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.tables.levels import is_missing

ColumnKind = Literal["number", "text"]

# A leading zero marks a code ("007", "01234"), not a quantity. The pattern begins with a line end,
# not with ^, so that most of a text is skipped and not matched.
_CODE = re.compile(r"\n\s*0\d+\s*(?=\n)")


def _has_code(cells: Sequence[str]) -> bool:
    """Tell whether a cell is a code, or like "1_000", which float() would take for a number."""
    text = "\n".join(("", *cells, ""))
    return "_" in text or _CODE.search(text) is not None


def is_number(cell: str) -> bool:
    """Tell whether a cell alone reads as a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return not _has_code((cell,))


class CellRules:
    """Which cells of a file are missing, and how its numbers are written."""

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        if decimal not in (".", ","):
            raise ValueError(f"decimal={decimal!r} is not one of ['.', ',']")
        if isinstance(missing, str):
            missing = (missing,)
        self.missing = frozenset(cell.strip() for cell in missing)
        self.decimal = decimal
        # A mark of a missing cell that float() would read ("-9") is looked for before converting.
        self._plain = decimal == "." and not any(
            is_number(cell) and cell.lower() not in ("nan", "+nan", "-nan") for cell in self.missing
        )
        self._seen: dict[str, str] = {}

    def numbers(self, cells: Sequence[str], *, forced: bool = False) -> NDArray[np.float64] | None:
        """Give the cells as numbers, or None if one is none; `forced` takes codes like 007."""
        if not forced and _has_code(cells):
            return None
        try:
            if self._plain:
                return np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass  # a missing cell or a text: look at each
        try:
            return np.fromiter(map(self._number, cells), np.float64, len(cells))
        except ValueError:
            return None

    def _number(self, cell: str) -> float:
        cell = cell.strip()
        if cell in self.missing:
            return float("nan")
        if self.decimal == ",":
            if "." in cell:
                raise ValueError(cell)
            cell = cell.replace(",", ".")
        return float(cell)

    def first_text(self, cells: Sequence[str]) -> tuple[int, str]:
        """Give position and content of the first cell that is not a number."""
        return next((i, c) for i, c in enumerate(cells) if self.numbers([c], forced=True) is None)

    def text(self, cells: Sequence[str]) -> NDArray[np.object_]:
        """Give the cells as text, None where missing; equal texts share one object."""
        column = np.empty(len(cells), dtype=object)
        share = self._seen.setdefault
        column[:] = [
            None if cell in self.missing else share(cell, cell) for cell in map(str.strip, cells)
        ]
        return column


def as_kind(name: str, column: NDArray[Any], kind: ColumnKind | None) -> NDArray[Any]:
    """Turn a column read from a typed file into the kind asked for."""
    if kind == "text":
        texts = np.empty(len(column), dtype=object)
        texts[:] = [_show(value) for value in column.tolist()]
        return texts
    if kind == "number" and column.dtype == object:
        for row, value in enumerate(column.tolist(), start=1):
            if value is not None and not is_number(str(value)):
                raise not_a_number(name, row, str(value))
        return np.array([np.nan if v is None else float(v) for v in column], dtype=np.float64)
    return column


def _show(value: Any) -> str | None:
    if is_missing(value):
        return None
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)


def not_a_number(name: str, row: int, cell: str) -> ValueError:
    """Make the error for a text in a column of numbers (rows counted from 1)."""
    return ValueError(f"column {name!r} should hold numbers, but data row {row} has {cell!r}")


def check_unique(names: Iterable[str]) -> None:
    """Refuse column names that occur twice."""
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(f"column names occur more than once: {', '.join(map(repr, twice))}")
