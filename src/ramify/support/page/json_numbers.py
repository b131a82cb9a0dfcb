"""Numbers as the JSON of a page holds them; `numberOf` in words.js reads them."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray


def plain_numbers(array: NDArray[Any]) -> list[Any]:
    """An array as a list of numbers."""
    values: list[Any] = array.tolist()
    if array.dtype.kind != "f":
        return values
    return [json_number(value) for value in values]


def json_number(value: float) -> Any:
    """A number: a whole one short, NaN as null, an infinity as a word."""
    if not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def rounded(value: float) -> Any:
    """A number of five digits."""
    return json_number(float(f"{value:.5g}"))


def short_number(value: float) -> Any:
    """A number of six digits; null if it is not finite."""
    return json_number(float(f"{value:.6g}")) if math.isfinite(value) else None
