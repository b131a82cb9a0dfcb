"""Columns made from values that a file has typed: Excel cells and JSON values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.readers.cells import Column
from ramify.datasets.readers.typed import as_coded


def column_of(
    name: str, values: Sequence[Any], missing: Collection[str], *, as_text: bool = False
) -> Column:
    """Make a column from values of any type; None and the texts of `missing` are missing.

    Values of several types become text, in which forms are found later. So do all if `as_text`:
    whole numbers then have all their digits.
    """
    values = [None if isinstance(v, str) and v.strip() in missing else v for v in values]
    kinds = {_kind(value) for value in values if value is not None}
    if not kinds:
        return np.full(len(values), np.nan)
    if kinds == {"number"} and not as_text:
        return np.array([np.nan if v is None else float(v) for v in values], dtype=np.float64)
    if kinds <= {"date", "datetime"}:
        return _moments(values)
    if kinds == {"duration"}:
        return np.array(values, dtype="timedelta64[us]")
    if kinds in ({"time"}, {"boolean"}):
        return _objects(values)
    if "nested" in kinds:
        row = next(i for i, value in enumerate(values, start=1) if _kind(value) == "nested")
        raise ValueError(
            f"column {name!r} holds lists or objects (row {row}); a cell must be one value: leave "
            "the column out with ignore, or take it apart before"
        )
    return as_coded(_objects([None if v is None else _text(v) for v in values]))


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, dt.datetime):
        return "datetime"
    if isinstance(value, dt.date):
        return "date"
    if isinstance(value, dt.time):
        return "time"
    if isinstance(value, dt.timedelta):
        return "duration"
    return "nested" if isinstance(value, (list, dict)) else "text"


def _moments(values: Sequence[Any]) -> Column:
    """Dates, or moments if one of them is not at midnight."""
    moments = np.array(values, dtype="datetime64[us]")
    days = moments.astype("datetime64[D]")
    known = ~np.isnat(moments)
    return days if (days[known] == moments[known]).all() else moments


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value).strip()
