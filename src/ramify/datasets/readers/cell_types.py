"""What cells are, taken one by one: numbers, booleans or text, and texts turned into them."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.readers.cells import Column, is_number
from ramify.tables.coded_text import CodedText

CellType = Literal["number", "long number", "boolean", "text"]

_BOOLEANS = {"true": True, "false": False}
_LONG = 2**53  # a float64 has all whole numbers below


def cell_types(column: Column, *, written: bool) -> set[CellType]:
    """Give the types of the cells that are not missing; `written` if texts may be numbers."""
    if isinstance(column, CodedText):
        return {_type_of(text) for text in column.levels} if written else {"text"}
    if column.dtype.kind == "f":
        return {_length(value) for value in column[~np.isnan(column)].tolist()}
    if column.dtype != object:
        return {"text"}
    cells = {cell for cell in column.tolist() if cell is not None}
    if written:
        return {_type_of(cell) for cell in cells}
    return {"boolean" if isinstance(cell, bool) else "text" for cell in cells}


def common_type(types: set[CellType]) -> CellType:
    """Give the type of a column whose cells have these types."""
    if len(types) == 1:
        return next(iter(types))
    return "long number" if types and types <= {"number", "long number"} else "text"


def convert_cells(texts: NDArray[Any], to: CellType) -> NDArray[Any]:
    """Turn the texts of a column into what they are; None stays None, or NaN among numbers."""
    if to == "text" or texts.dtype != object:
        return texts
    known = {text: _value(text, to) for text in {*texts.tolist()}}
    values = [known[text] for text in texts.tolist()]
    if to == "number":
        return np.array([math.nan if v is None else v for v in values], dtype=np.float64)
    found = np.empty(len(texts), dtype=object)
    found[:] = values
    return found


def _type_of(text: str) -> CellType:
    if text.lower() in _BOOLEANS:
        return "boolean"
    return _length(float(text)) if is_number(text) else "text"


def _length(value: float) -> CellType:
    return "long number" if _LONG <= abs(value) < math.inf else "number"


def _value(text: Any, to: CellType) -> Any:
    if not isinstance(text, str):
        return text
    if to == "boolean":
        return _BOOLEANS[text.lower()]
    try:
        return int(text)
    except ValueError:
        return float(text)
