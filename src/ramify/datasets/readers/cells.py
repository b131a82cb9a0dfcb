"""Columns made from cells: which cells are numbers, and which are missing."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ramify.tables.coded_text import CodedText
from ramify.tables.levels import is_missing

ColumnKind = Literal["number", "text", "date"]
Column = NDArray[Any] | CodedText

# A leading zero marks a code ("007", "01234"), not a quantity.
_CODE = re.compile(r"\s*0\d+\s*")


def is_number(cell: str) -> bool:
    """Tell whether a cell reads as a number; "007" and "1_000" do not."""
    return is_digits(cell) and not _CODE.fullmatch(cell)


def is_digits(cell: str) -> bool:
    """Tell whether a column of numbers can hold a cell as it is, also "007", but not "(4)"."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


class CellRules:
    """Which cells of a file are missing, and how its numbers are written."""

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        if decimal not in (".", ","):
            raise ValueError(f"decimal={decimal!r} is not one of ['.', ',']")
        if isinstance(missing, str):
            missing = (missing,)
        self.missing = frozenset(cell.strip() for cell in missing)
        self.decimal = decimal


@overload
def as_kind(name: str, column: NDArray[Any], kind: ColumnKind | None) -> NDArray[Any]: ...


@overload
def as_kind(name: str, column: Column, kind: ColumnKind | None) -> Column: ...


def as_kind(name: str, column: Column, kind: ColumnKind | None) -> Column:
    """Turn a column read from a typed file into the kind asked for."""
    if isinstance(column, CodedText):
        return as_kind(name, column.values, kind) if kind == "number" else column
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
