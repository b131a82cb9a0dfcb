"""Scores in words: per cent with one decimal, other numbers with as many digits as they need."""

from __future__ import annotations

import math

_UNKNOWN = "?"


def write_score(value: float, spread: float | None = None, *, percent: bool = False) -> str:
    """Write a score, with its spread.

    Examples
    --------
    >>> write_score(0.7878, 0.0131, percent=True), write_score(0.7811, 0.0497)
    ('78.8 % ± 1.3', '0.781 ± 0.05')
    >>> write_score(12345.678, 234.5), write_score(2.5), write_score(0.0)
    ('12,346 ± 234', '2.5', '0')
    """
    if not math.isfinite(value):
        return _UNKNOWN
    known = spread is not None and math.isfinite(spread)
    if percent:
        return f"{100 * value:.1f} %" + (f" ± {100 * float(spread or 0):.1f}" if known else "")
    digits = 3 if abs(value) < 1 else 4
    text = _number(value, digits)
    if not known:
        return text
    # No more decimals than the score has, unless nothing would be left.
    width = float(spread or 0)
    decimals = _decimals(value, digits)
    if width and round(width, decimals):
        width = round(width, decimals)
    return f"{text} ± {_number(width, 2)}"


def _decimals(value: float, digits: int) -> int:
    return max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else digits


def _number(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    decimals = _decimals(value, digits)
    if decimals > 6:
        return f"{value:.{digits}g}"
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
