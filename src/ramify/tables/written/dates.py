"""Dates and moments as people write them: ISO, 31.12.2019, 12/31/2019, Dec 31, 2019 2:05 PM.

All cells of a column are of one shape. Whether the day or the month comes first is proven by a
number above 12, or where all are the first of a month; else a hint decides, or what is usual.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.tables.forms import DAY, Form
from ramify.tables.written.cells import Cells, digit_fields, lines_with
from ramify.tables.written.months import MONTH, WEEKDAY, with_numbers, without_weekdays
from ramify.tables.written.numbers import Found

_ZONE = r"(?: ?(?:z|utc|gmt)| ?[+-]\d{2}:?\d{2}|[+-]\d{2})"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?"
_TIME = rf"(?:(?:t|,? | at |, ){_CLOCK}{_ZONE}?)"
_ENDS_WITH_ZONE = re.compile(rf":\d\d(?:[.,]\d+)?(?: ?[ap]\.?m\.?)?{_ZONE}\n")
_YEAR = r"(?:\d{4}|\d{2})"
_DAY = r"\d{1,2}"


@dataclass(frozen=True)
class _Shape:
    """One way to write a date; `order` is empty where day and month could change places."""

    pattern: str
    order: str
    n_fields: int = 3

    @property
    def full(self) -> str:
        """The pattern, after a weekday where the month is a word."""
        return f"(?:{WEEKDAY})?{self.pattern}" if self.has_names else self.pattern

    @property
    def has_names(self) -> bool:
        """Whether the month is a word."""
        return MONTH in self.pattern


_ISO = _Shape(rf"\d{{4}}(?P<sep>[-/.])(?:{_DAY})(?P=sep){_DAY}", "ymd")
_COMPACT = _Shape(r"\d{8}", "ymd", 1)
_SHAPES = (
    _ISO,
    _Shape(rf"{_DAY}(?P<sep>[-/]|\. ?){_DAY}(?P=sep){_YEAR}", ""),
    _Shape(
        rf"{_DAY}(?:st|nd|rd|th|er|\.|º)?[-/ ]?(?:of |de )?{MONTH}\.?,?[-/ ]?(?:de |del )?{_YEAR}",
        "dmy",
    ),
    _Shape(rf"{MONTH}\.?[-/ ]?{_DAY}(?:st|nd|rd|th)?(?:,? |,|[-/])\d{{4}}", "mdy"),
    _Shape(rf"\d{{4}}[-/ ]{MONTH}[-/ ]{_DAY}", "ymd"),
    _Shape(rf"{MONTH}\.?(?:,? |[-/])\d{{4}}", "mdy", 2),
)


@dataclass(frozen=True)
class _Moments:
    """Cells taken apart: the numbers of the date, seconds since midnight, offsets from UTC."""

    date: NDArray[np.int64]
    year_digits: NDArray[np.int64]  # 0 where the shape has the year first
    seconds: NDArray[np.float64]
    offset: NDArray[np.float64] | None
    zone: str
    has_clock: bool


def could_be_date(cells: Cells) -> bool:
    """Tell whether all cells have one of the shapes of dates."""
    return _find_shape(cells, compact=False) is not None


def find_date(
    cells: Cells, *, day_first: bool | None = None, compact: bool = False
) -> Found | None:
    """Say how the dates or moments of a column are written; None if a cell is none.

    Parameters
    ----------
    cells : Cells
        The distinct cells in small letters, without gaps.
    day_first : bool, optional
        Whether days likely come before months, heard where the cells leave it open.
    compact : bool
        Whether 20191231 is a date.
    """
    shape = _find_shape(cells, compact=compact)
    parts = None if shape is None else _take_apart(cells, shape)
    if shape is None or parts is None:
        return None
    found = (shape.order, True) if shape.order else _find_order(cells, parts, day_first)
    if found is None:
        return None
    order, proven = found
    if np.isnan(_days(parts, order)).any():
        return None
    shows = order if proven and not shape.order else ""
    if parts.has_clock and parts.seconds.any():
        return Found(Form("datetime", order=order, zone=parts.zone), proven, shows)
    return Found(Form("date", order=order), proven, shows)


def parse_date(cells: Cells, form: Form) -> tuple[NDArray[np.float64], int | None]:
    """Read dates or moments; also give the position of the first cell that is none."""
    values = _read(cells, form)
    if values is None:  # of several shapes: one by one
        each = (_read(Cells([line]), form) for line in cells.lines)
        values = np.array([np.nan if one is None else one[0] for one in each])
    unfit = np.flatnonzero(np.isnan(values))
    return values, int(unfit[0]) if len(unfit) else None


def _read(cells: Cells, form: Form) -> NDArray[np.float64] | None:
    shape = _find_shape(cells, compact=True)
    parts = None if shape is None else _take_apart(cells, shape)
    if shape is None or parts is None:
        return None
    order = shape.order or form.order
    days = _days(parts, "dmy" if order == "ymd" and not shape.order else order)
    if form.kind == "date":
        return days
    seconds = days * DAY + parts.seconds
    return seconds if parts.offset is None else seconds - parts.offset


def _find_shape(cells: Cells, *, compact: bool) -> _Shape | None:
    shapes = (_COMPACT, *_SHAPES) if compact else _SHAPES
    return next((one for one in shapes if cells.all_fit(f"{one.full}{_TIME}?")), None)


def _take_apart(cells: Cells, shape: _Shape) -> _Moments | None:
    """Give the numbers of all cells; None if a time is impossible or some lack a time zone."""
    text = cells.text
    has_clock = ":" in cells.shapes
    offset, zone = None, ""
    if has_clock and _ENDS_WITH_ZONE.search(cells.shapes):
        if re.search(r"[^zct]\n", cells.shapes) is None:  # UTC everywhere: no digits to leave out
            zoned: _Zoned | None = text, np.zeros(cells.n), "UTC"
        else:
            zoned = _without_zones(text)
        if zoned is None:
            return None
        text, offset, zone = zoned
    if shape.has_names:
        text = with_numbers(without_weekdays(text))
    k = shape.n_fields
    fields, sizes = digit_fields(text, k + 4)
    date = fields[:, :k]
    year_digits = np.zeros(cells.n, np.int64) if shape.order == "ymd" else sizes[:, k - 1]
    if shape is _COMPACT:
        date = np.stack([date[:, 0] // 10_000, date[:, 0] // 100 % 100, date[:, 0] % 100], axis=1)
    if k == 2:  # a month alone is its first day
        date = np.stack([date[:, 0], np.ones(len(date), np.int64), date[:, 1]], axis=1)
    hour, minute, second, part = fields[:, k:].T
    if has_clock:
        if ((hour > 23) | (minute > 59) | (second > 59)).any():
            return None
        if re.search(r"\d ?[ap]\.?m", cells.shapes):
            late, early = lines_with(text, "p"), _lines_with_am(text)
            if ((late | early) & ((hour > 12) | (hour == 0))).any():
                return None
            hour = np.where(late | early, hour % 12 + 12 * late, hour)
    seconds = hour * 3600.0 + minute * 60.0 + second
    if part.any():
        seconds += part / 10.0 ** sizes[:, k + 3]
    return _Moments(date, year_digits, seconds, offset, zone, has_clock)


def _lines_with_am(text: str) -> NDArray[np.bool_]:
    marked = re.sub(r"(?<=\d) ?a\.?m", "#", text)
    return lines_with(marked, "#")


_Zoned = tuple[str, NDArray[np.float64], str]


def _without_zones(text: str) -> _Zoned | None:
    """Leave out the time zones, and give the seconds that each is ahead of UTC."""
    found = re.findall(rf":\d\d(?:[.,]\d+)?(?: ?[ap]\.?m\.?)?({_ZONE})\n", text)
    if len(found) != text.count("\n") - 1:
        return None
    known = {one: _offset(one) for one in set(found)}
    offset = np.array([known[one] for one in found], dtype=np.float64)
    zones = set(known.values())
    text = re.sub(rf"{_ZONE}(?=\n)", "", text)
    return text, offset, _zone_name(zones.pop()) if len(zones) == 1 else "UTC"


def _offset(zone: str) -> float:
    digits = re.sub(r"\D", "", zone).ljust(4, "0")
    seconds = int(digits[:2]) * 3600.0 + int(digits[2:]) * 60.0
    return -seconds if "-" in zone else seconds


def _zone_name(offset: float) -> str:
    if offset == 0:
        return "UTC"
    hours, minutes = divmod(int(abs(offset)) // 60, 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}"


def _find_order(cells: Cells, parts: _Moments, day_first: bool | None) -> tuple[str, bool] | None:
    """Say whether days or months come first, and whether the cells prove it."""
    first, second = parts.date[:, 0], parts.date[:, 1]
    by_day, by_month = int(first.max()) > 12, int(second.max()) > 12
    if by_day and by_month:
        return None
    slashes = "/" in cells.shapes
    if not slashes and (parts.year_digits == 2).any():
        # 31.12.19 is a date, and 1.2.19 a version: two digits everywhere, and a day above 12.
        fixed = cells.all_fit(rf"\d\d[-.] ?\d\d[-.] ?\d\d{_TIME}?")
        if not fixed or not (by_day or by_month):
            return None
    if by_day or by_month:
        return ("dmy" if by_day else "mdy"), True
    if len(np.unique(parts.date[:, 2])) > 1 and (first == 1).all() != (second == 1).all():
        return ("dmy" if (first == 1).all() else "mdy"), True  # the first of a month, for years
    if day_first is None:
        day_first = not slashes
    return ("dmy" if day_first else "mdy"), False


def _days(parts: _Moments, order: str) -> NDArray[np.float64]:
    """Give days since 1970-01-01, NaN for days that no calendar has."""
    columns = [parts.date[:, order.index(sign)] for sign in "ymd"]
    year, month, day = columns
    year = np.where(parts.year_digits == 2, year + np.where(year < 69, 2000, 1900), year)
    good = (month >= 1) & (month <= 12) & (day >= 1) & (year >= 1) & (year <= 9999)
    if order != "ymd":
        good &= ((year >= 1400) & (year <= 2300)) | (year == 9999)
    months = np.where(good, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    first = months.astype("datetime64[D]").astype(np.int64)
    after = (months + 1).astype("datetime64[D]").astype(np.int64)
    good &= day <= after - first
    return np.where(good, first + day - 1, np.nan)
