"""Numbers and levels as a profile shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

_LONGEST = 24


def percent(share: float) -> str:
    """Give a share in per cent, with as many digits as tell something.

    Examples
    --------
    >>> [percent(share) for share in (0, 0.0004, 0.0123, 0.25, 0.996, 0.9996, 1)]
    ['0 %', '<0.1 %', '1.2 %', '25 %', '99.6 %', '>99.9 %', '100 %']
    """
    if share <= 0 or share >= 1:
        return "0 %" if share <= 0 else "100 %"
    if share < 0.001:
        return "<0.1 %"
    if share > 0.999:
        return ">99.9 %"
    return f"{100 * share:.1f} %" if share < 0.1 or share > 0.95 else f"{100 * share:.0f} %"


def counted(number: int, what: str) -> str:
    """Give a number of things.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row"), counted(3, "class")
    ('1 row', '1,200 rows', '3 classes')
    """
    plural = f"{what}es" if what.endswith(("s", "ch")) else f"{what}s"
    return f"{number:,} {what if number == 1 else plural}"


def number(value: float) -> str:
    """Give a number with four digits or fewer, or as many as it has before the point.

    Examples
    --------
    >>> [number(x) for x in (3.0, 0.12345, 1234567.0, 46.6, 1e-9, 3.5e20)]
    ['3', '0.1235', '1,234,567', '46.6', '1e-09', '3.5e+20']
    """
    if np.isfinite(value) and float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}" if abs(value) >= 10_000 else f"{int(value)}"
    if 1000 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def level(value: Any) -> str:
    """Give a level on one line, shortened if it is long.

    Examples
    --------
    >>> print(level("United Kingdom of Great Britain"))
    United Kingdom of Great…
    """
    if isinstance(value, float):
        return number(value)
    text = "".join(char if char.isprintable() else " " for char in str(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
