"""Numbers and conditions as drawings and reports write them: grouped digits, one sign for "<="."""

from __future__ import annotations

import re

from ramify.tree.conditions import Condition, Threshold
from ramify.tree.words import (
    LONGEST_LEVEL,
    format_name,
    format_number,
    holds_years,
    short_number,
)

_SIGNS = {"<=": "≤", ">=": "≥"}
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))


def sign_words(sign: str) -> str:
    """A sign of comparison as one character.

    Examples
    --------
    >>> sign_words("<="), sign_words(">")
    ('≤', '>')
    """
    return _SIGNS.get(sign, sign)


def threshold_words(value: float, digits: int = 4, *, column: str = "") -> str:
    """A threshold, never rounded more than `format_number` does, with grouped digits.

    Examples
    --------
    >>> [threshold_words(x) for x in (82.5, 1411.0, 12_250_000.0, 12345678.9)]
    ['82.5', '1,411', '12.25 M', '12,345,678.9']
    >>> threshold_words(1984.5, column="year built")
    '1984.5'
    """
    if 1000 <= value < 3000 and holds_years(column):
        return format_number(value, digits)
    for unit, sign in _UNITS:
        if unit <= abs(value) < 1e15:
            short = format(value / unit, ".5g")
            if "e" not in short and float(short) * unit == value:
                return f"{short} {sign}"
    return group_digits(format_number(value, digits))


def number_words(value: float, digits: int = 4) -> str:
    """A mean, a spread or a weight, rounded: the same as in a report.

    Examples
    --------
    >>> [number_words(x) for x in (180796.06, 1411.4, 17.25, 0.29471, 2_380_100_000.0)]
    ['180,796', '1,411', '17.25', '0.2947', '2.38 B']
    """
    size = abs(value)
    if not 1000 <= size < 1e15:
        return short_number(value, digits)
    for unit, sign in _UNITS:
        if size >= 0.9999995 * unit:
            return f"{_trimmed(value / unit, digits)} {sign}"
    return _trimmed(value, digits)


def _trimmed(value: float, digits: int) -> str:
    decimals = max(0, digits - len(str(int(abs(value)))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def group_digits(text: str) -> str:
    """A number with commas between groups of three digits; others are left as they are.

    Examples
    --------
    >>> group_digits("-1234567.25"), group_digits("1e+20"), group_digits("999")
    ('-1,234,567.25', '1e+20', '999')
    """
    found = re.fullmatch(r"(-?)(\d{4,})(\.\d+)?", text)
    return f"{found[1]}{int(found[2]):,}{found[3] or ''}" if found else text


def condition_words(
    condition: Condition,
    branch: int,
    max_levels: int | None = 5,
    digits: int = 4,
    *,
    longest: int | None = LONGEST_LEVEL,
) -> str:
    """The condition of a branch as `describe` gives it, with numbers and signs for a reader.

    Examples
    --------
    >>> condition_words(Threshold("income", 0, 12_250_000.0, None), 0)
    'income ≤ 12.25 M'
    """
    text = condition.describe(branch, max_levels, digits, longest=longest)
    if not isinstance(condition, Threshold) or condition.tells_missing:
        return text
    name = format_name(condition.attribute)
    sign, _, bound = text[len(name) + 1 :].partition(" ")
    plain = format_number(condition.value, digits)
    if condition.level is None and bound.startswith(plain):
        grouped = threshold_words(condition.value, digits, column=condition.attribute)
        bound = grouped + bound.removeprefix(plain)
    return f"{name} {sign_words(sign)} {bound}"
