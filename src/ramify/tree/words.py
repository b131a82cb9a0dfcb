"""Names, levels, labels and numbers in words: the same in text, rules, drawings and reports."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Longer level names are shortened in the middle, so that both ends stay recognisable.
LONGEST_LEVEL = 28

#: Lines are not made shorter than this.
LEAST_WIDTH = 40

#: A number is printed exactly if that takes at most this many digits.
_EXACT_DIGITS = 8
_YEAR = re.compile(r"year|(?:^|[\W_\d])yr|(?<=[a-z])Yr|\bjahr", re.IGNORECASE)


def format_name(name: str) -> str:
    r"""A column name on one line.

    Examples
    --------
    >>> print(format_name("gross\nincome"))
    gross\nincome
    """
    return name if name.isprintable() else "".join(map(_escape, name))


def _escape(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode("ascii")


def shorten(text: str, longest: int | None) -> str:
    """A text in so many characters, shortened in the middle; None leaves it as it is.

    Examples
    --------
    >>> print(shorten("United Kingdom of Great Britain", 28))
    United Kingdom…Great Britain
    """
    if longest is None or len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half].rstrip()}…{text[len(text) - half + 1 :].lstrip()}"


def format_level(level: Any, longest: int | None = LONGEST_LEVEL) -> str:
    """One level: quoted where it would be misread, shortened in the middle where it is long.

    ``longest=None`` shortens nothing.

    Examples
    --------
    >>> print(format_level("sunny"), format_level("a, b"), format_level(""), format_level(3.0))
    sunny "a, b" "" 3
    >>> print(format_level("United Kingdom of Great Britain"))
    United Kingdom…Great Britain
    """
    if isinstance(level, float | np.floating):
        return format_number(float(level), 17)
    text = format_name(str(level))
    text = shorten(text, longest)
    if not text or text != text.strip() or any(mark in text for mark in ',{}"'):
        text = '"' + text.replace('"', '\\"') + '"'
    return text


def level_text(level: Any) -> str:
    """One level as a user would type it: nothing is quoted or shortened.

    Examples
    --------
    >>> print(level_text("a, b"), level_text(3.0))
    a, b 3
    """
    if isinstance(level, float | np.floating):
        return format_number(float(level), 17)
    return format_name(str(level))


def format_set(
    name: str,
    levels: Sequence[Any],
    missing: bool,
    max_levels: int | None,
    longest: int | None = LONGEST_LEVEL,
) -> str:
    """Short set notation.

    Examples
    --------
    >>> print(format_set("x", ["a", "b", "c"], True, 2))
    x in {a, b, +1} or missing
    """
    if missing and not levels:
        return f"{name} is missing"
    if len(levels) == 1:
        text = f"{name} = {format_level(levels[0], longest)}"
    else:
        shown = len(levels) if max_levels is None else min(max_levels, len(levels))
        parts = [format_level(level, longest) for level in levels[:shown]]
        if shown < len(levels):
            parts.append(f"+{len(levels) - shown}")
        text = f"{name} in {{{', '.join(parts)}}}"
    return text + " or missing" if missing else text


def format_number(value: float, precision: int = 4, exact_digits: int = _EXACT_DIGITS) -> str:
    """A number, short but never misleading: the part before the point is kept whole.

    A number of up to ``exact_digits`` digits is printed exactly, since rounding 12345.5 would move
    it to the other side of a value. Others are rounded to ``precision`` significant digits.

    Examples
    --------
    >>> [format_number(x) for x in (82.5, 12345.5, 0.15000000000000002, 1234567.891, 3.0, 1e-9)]
    ['82.5', '12345.5', '0.15', '1234567.9', '3', '1e-09']
    """
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if value == 0:
        return "0"
    exact = repr(float(value))
    digits = exact.lstrip("-").partition("e")[0].replace(".", "").strip("0")
    whole = math.floor(math.log10(abs(value))) + 1
    if abs(value) < 1e15 and 2 * value == int(2 * value):
        return exact.removesuffix(".0")  # counts, and midpoints of counts
    if len(digits) > max(precision, exact_digits):
        exact = format(value, f".{min(17, max(precision, whole + 1 if whole <= 15 else 1))}g")
    return exact.removesuffix(".0")


def holds_years(name: str) -> bool:
    """Whether a column seems to hold years, whose digits are not grouped.

    Examples
    --------
    >>> [holds_years(name) for name in ("Year_Built", "GarageYrBlt", "yr sold", "price")]
    [True, True, True, False]
    """
    return _YEAR.search(name) is not None


def threshold_digits(
    attribute: NDArray[np.int32], threshold: NDArray[np.float64], precision: int
) -> NDArray[np.int64]:
    """Significant digits that keep the thresholds of one attribute apart, at least ``precision``.

    Rounding to p digits moves x by at most 10**(e - p + 1) / 2, where e is its decimal exponent.
    Two thresholds stay apart and in order if each moves by less than half of the gap between them.
    """
    digits = np.full(len(threshold), precision, dtype=np.int64)
    nodes = np.flatnonzero(np.isfinite(threshold) & (attribute >= 0))
    if len(nodes) < 2:
        return digits
    nodes = nodes[np.lexsort((threshold[nodes], attribute[nodes]))]
    value, column = threshold[nodes], attribute[nodes]
    new = np.ones(len(nodes), dtype=bool)
    new[1:] = (value[1:] != value[:-1]) | (column[1:] != column[:-1])
    group = np.cumsum(new) - 1  # equal thresholds need not be told apart
    value, column = value[new], column[new]
    with np.errstate(over="ignore", divide="ignore"):
        step = np.where(column[1:] == column[:-1], np.diff(value), np.inf)
        gap = np.minimum(np.append(step, np.inf), np.insert(step, 0, np.inf))
        size = np.floor(np.log10(np.abs(value)))
        needed = np.floor(size + 1 - np.log10(gap)) + 1
    needed = np.where(np.isfinite(needed), needed, precision)
    digits[nodes] = np.clip(needed, precision, max(17, precision))[group].astype(np.int64)
    return digits


def percent(share: float) -> str:
    """A share in per cent, never rounded to all or nothing.

    Examples
    --------
    >>> [percent(x) for x in (0.643, 0.999, 1.0, 0.001)]
    ['64 %', '>99 %', '100 %', '<1 %']
    """
    if math.isnan(share):
        return "? %"
    if 0.995 <= share < 1:
        return ">99 %"
    if 0 < share <= 0.005:
        return "<1 %"
    return f"{share:.0%}".replace("%", " %")


def count_rows(rows: int) -> str:
    """A number of rows in words."""
    return "1 row" if rows == 1 else f"{rows:,} rows"


def count_leaves(leaves: int) -> str:
    """A number of leaves in words."""
    return "1 leaf" if leaves == 1 else f"{leaves:,} leaves"


def short_number(value: float, precision: int) -> str:
    """A mean, a spread or a weight, rounded."""
    return format_number(value, precision, exact_digits=0)


def grouped_number(value: float, precision: int) -> str:
    """A rounded number in a drawing. Large ones have thousands separators, as in a report.

    Examples
    --------
    >>> [grouped_number(x, 4) for x in (180796.06, -20046.6, 1234.56, 0.5)]
    ['180,796', '-20,047', '1234.6', '0.5']
    >>> grouped_number(180796.0625, 8)
    '180,796.06'
    """
    if not 1e4 <= abs(value) < 1e15:
        return short_number(value, precision)
    decimals = max(0, precision - len(str(int(abs(value)))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def format_label(label: Any) -> str:
    """A class label; quoted only if it is empty. No answer is "abstain"."""
    return "abstain" if label is None else format_level(label)


def class_note(label: Any, share: float) -> str:
    """The share of a predicted class; without an answer, that of the largest class.

    Examples
    --------
    >>> class_note("yes", 0.643), class_note(None, 0.49)
    ('64 %', 'largest class 49 %')
    """
    return f"largest class {percent(share)}" if label is None else percent(share)


def answer_and_note(
    answer: Any, sureness: float, *, classify: bool, precision: int = 4
) -> tuple[str, str]:
    """A prediction, and how sure it is: the share of a class, or the spread of a number.

    Examples
    --------
    >>> answer_and_note("yes", 0.643, classify=True), answer_and_note(7.25, 0.5, classify=False)
    (('yes', '64 %'), ('7.25', '± 0.5'))
    """
    if classify:
        return format_label(answer), class_note(answer, sureness)
    return short_number(answer, precision), f"± {short_number(sureness, precision)}"


def label_share(label: Any, share: float) -> str:
    """A class and its share, after the word "class" if the label looks like a number.

    Examples
    --------
    >>> label_share("yes", 0.643), label_share(2, 0.4), label_share(None, 0.49)
    ('yes 64 %', 'class 2 40 %', 'abstain, largest class 49 %')
    """
    text, note = format_label(label), class_note(label, share)
    if label is None:
        return f"{text}, {note}"
    return f"class {text} {note}" if text.lstrip("-")[:1].isdigit() else f"{text} {note}"


def check_display(max_levels: Any = None, precision: Any = 4, *, max_depth: Any = None) -> None:
    """Check the parameters that descriptions of a tree share."""
    for name, value in (("max_levels", max_levels), ("max_depth", max_depth)):
        if value is not None and (not _is_int(value) or value < 0):
            raise ValueError(f"{name}={value!r} must be None or an integer of at least 0")
    if not _is_int(precision) or not 1 <= precision <= 17:
        raise ValueError(f"precision={precision!r} must be an integer from 1 to 17")


def check_width(width: Any) -> None:
    """Check the length of a line."""
    if width is not None and (not _is_int(width) or width < LEAST_WIDTH):
        raise ValueError(f"width={width!r} must be None or an integer of at least {LEAST_WIDTH}")


def _is_int(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
