"""How exports write numbers and dates, and how to get them out of the file again by hand."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd


def us(number: float, digits: int = 2) -> str:
    """Write 1234.5 as 1,234.50."""
    return f"{number:,.{digits}f}"


def dollars(number: float, digits: int = 2) -> str:
    """Write 1234.5 as $1,234.50, and a loss as ($1,234.50)."""
    text = f"${us(abs(number), digits)}"
    return f"({text})" if number < 0 else text


def german(number: float, digits: int = 1) -> str:
    """Write 1264030 as 1.264.030,0."""
    return us(number, digits).translate(str.maketrans(",.", ".,"))


def euros(number: float, digits: int = 2) -> str:
    """Write 1234.5 as 1.234,50 €."""
    return f"{german(number, digits)} €"


def french(number: float, digits: int = 2) -> str:
    """Write 1234.5 as 1 234,50, with the narrow space that cannot be broken."""
    return us(number, digits).replace(",", "\u202f").replace(".", ",")


def swiss(number: float, digits: int = 2) -> str:
    """Write 1234.5 as 1'234.50."""
    return us(number, digits).replace(",", "'")


def percent(share: float, digits: int = 1) -> str:
    """Write 0.221 as 22.1%."""
    return f"{100 * share:.{digits}f}%"


def clock(seconds: float) -> str:
    """Write 3723 as 1:02:03."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def written(column: pd.Series, how: Callable[[float], str], missing: str = "") -> pd.Series:
    """Write every number of a column; `missing` stands for those that are not there."""
    cells = [missing if pd.isna(value) else how(value) for value in column]
    return pd.Series(cells, index=column.index, dtype=object)


def number(text: str, decimal: str) -> float:
    """Read a number that any of the above wrote."""
    digits = re.sub(r"[^0-9.,()-]", "", text)
    if decimal == ",":
        digits = digits.replace(".", "").replace(",", ".")
    digits = digits.replace(",", "")
    sign = -1 if digits.startswith("(") else 1
    return sign * float(digits.strip("()"))


def seconds(text: str) -> float:
    """Read 1:02:03 as 3723."""
    hours, minutes, rest = text.split(":")
    return 3600 * float(hours) + 60 * float(minutes) + float(rest)


def spread(column: pd.Series, times: float) -> pd.Series:
    """Add noise: `times` the standard deviation of a column."""
    noise = np.random.default_rng(len(column)).normal(size=len(column))
    return column + times * float(column.std()) * noise
