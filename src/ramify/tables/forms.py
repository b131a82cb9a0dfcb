"""What the numbers of a column mean, dates and times above all, and how they are shown.

Invariant: a date is a whole number of days since 1970-01-01; a datetime is seconds since
1970-01-01 00:00, in UTC if the column has a time zone; a time is seconds since midnight; a duration
is seconds. Text, rules, reports and exports take the words for a threshold from here.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

FormKind = Literal["number", "date", "datetime", "time", "duration"]
DAY = 86_400
_EPOCH = dt.datetime(1970, 1, 1)
#: The days that Python's dates can show, from the year 1 to the year 9999.
FIRST_DAY = dt.date.min.toordinal() - dt.date(1970, 1, 1).toordinal()
LAST_DAY = dt.date.max.toordinal() - dt.date(1970, 1, 1).toordinal()


@dataclass(frozen=True)
class Form:
    """What the numbers of a numeric column mean, and how text writes them.

    Parameters
    ----------
    kind : {"number", "date", "datetime", "time", "duration"}
    decimal : str, default="."
        The sign before the decimals in text.
    thousands : str, default=""
        The sign between groups of digits in text.
    unit : str, default=""
        A sign that is left out when text is read, such as "$" or "%".
    order : {"ymd", "dmy", "mdy"}, default="ymd"
        The order of year, month and day in text.
    zone : str, default=""
        The time zone of a datetime: "UTC", "+01:00", "Europe/Berlin"; "" for none.

    Examples
    --------
    >>> Form("date").threshold(17955.5)
    Bound(text='2019-03-01', strict=True)
    >>> Form("datetime").threshold(1551431400.0)
    Bound(text='2019-03-01 09:10', strict=False)
    >>> Form("duration").show(93784.0)
    '1 day 02:03:04'
    """

    kind: FormKind
    decimal: str = "."
    thousands: str = ""
    unit: str = ""
    order: str = "ymd"
    zone: str = ""

    @property
    def is_time(self) -> bool:
        """Whether the numbers are dates, times or durations."""
        return self.kind != "number"

    def show(self, value: float) -> str:
        """Give a value in words: an ISO date, a time, a duration."""
        if not math.isfinite(value):
            return str(value)
        if self.kind == "date":
            return _date(math.floor(value))
        if self.kind == "datetime":
            return _datetime(value, self.zone)
        if self.kind == "time":
            return _clock(value)
        if self.kind == "duration":
            return _duration(value)
        return repr(value).removesuffix(".0")

    def threshold(self, value: float) -> Bound:
        """Give a threshold in words.

        Dates are whole days, so that "at most the middle of a day" is "before the next day".
        """
        if self.kind == "date" and math.isfinite(value):
            return Bound(_date(math.floor(value) + 1), True)
        return Bound(self.show(value), False)

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold, without what is as usual."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name == "kind" or getattr(self, one.name) != one.default
        }

    @classmethod
    def from_dict(cls, data: Any, place: str) -> Form:
        """Undo `to_dict`; a ValueError names the place of what is wrong."""
        if type(data) is not dict or not all(type(value) is str for value in data.values()):
            raise ValueError(f"{place}: expected an object of strings")
        known = {one.name for one in fields(cls)}
        if unknown := sorted(data.keys() - known):
            raise ValueError(f"{place}: unknown key {unknown[0]!r}")
        if data.get("kind") not in get_args(FormKind):
            raise ValueError(f"{place}.kind: expected one of {get_args(FormKind)}")
        form = cls(**data)
        if form.order not in ("ymd", "dmy", "mdy"):
            raise ValueError(f"{place}.order: expected one of ymd, dmy, mdy")
        for name in ("decimal", "thousands"):
            if len(getattr(form, name)) > 1:
                raise ValueError(f"{place}.{name}: expected one sign or none")
        if form.zone:
            try:
                zone_of(form.zone)
            except ValueError as error:
                raise ValueError(f"{place}.zone: {error}") from None
        return form


@dataclass(frozen=True)
class Bound:
    """A threshold in words; `strict` means that the lower side is "<", not "<="."""

    text: str
    strict: bool

    @property
    def below(self) -> str:
        """The sign of the lower side."""
        return "<" if self.strict else "<="

    @property
    def above(self) -> str:
        """The sign of the upper side."""
        return ">=" if self.strict else ">"


@cache
def zone_of(name: str) -> dt.tzinfo:
    """Give a time zone by its name or its difference to UTC; a ValueError if it is unknown."""
    if name == "UTC":
        return dt.UTC
    if name[:1] in "+-" and len(name) == 6:
        try:
            moment = dt.datetime.fromisoformat(f"2000-01-01T00:00:00{name}")
        except ValueError:
            raise ValueError(f"{name!r} is no time zone") from None
        assert moment.tzinfo is not None
        return moment.tzinfo
    try:
        return ZoneInfo(name)
    except Exception as error:  # other libraries' errors for names that are no keys
        raise ValueError(f"{name!r} is a time zone that this machine does not know") from error


def _date(day: int) -> str:
    if not FIRST_DAY <= day <= LAST_DAY:
        return f"{day:,} days after 1970-01-01"
    return (dt.date(1970, 1, 1) + dt.timedelta(days=day)).isoformat()


def _datetime(seconds: float, zone: str) -> str:
    if not (FIRST_DAY + 2) * DAY <= seconds < (LAST_DAY - 2) * DAY:  # zones add up to a day
        return f"{seconds:,.0f} s after 1970-01-01"
    micro = round(seconds * 1e6)
    moment = _EPOCH + dt.timedelta(microseconds=micro)
    suffix = ""
    if zone:
        moment = moment.replace(tzinfo=dt.UTC).astimezone(zone_of(zone))
        offset = moment.strftime("%z")
        suffix = "Z" if offset == "+0000" else f"{offset[:3]}:{offset[3:5]}"
    rest = moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6
    return f"{moment.date().isoformat()} {_clock(rest)}{suffix}"


def _clock(seconds: float) -> str:
    """Hours and minutes, and seconds and their parts where there are any."""
    micro = round(seconds * 1e6)
    sign = "-" if micro < 0 else ""
    minutes, micro = divmod(abs(micro), 60_000_000)
    text = f"{sign}{minutes // 60:02}:{minutes % 60:02}"
    if micro:
        text += f":{micro // 1_000_000:02}"
        if micro % 1_000_000:
            text += f".{micro % 1_000_000:06}".rstrip("0")
    return text


def _duration(seconds: float) -> str:
    if abs(seconds) >= 1e12:
        return f"{seconds:,.0f} s"
    sign, micro = "-" if seconds < 0 else "", round(abs(seconds) * 1e6)
    days, rest = divmod(micro, DAY * 1_000_000)
    minutes, micro = divmod(rest, 60_000_000)
    clock = f"{minutes // 60:02}:{minutes % 60:02}:{micro // 1_000_000:02}"
    if micro % 1_000_000:
        clock += f".{micro % 1_000_000:06}".rstrip("0")
    if not days:
        return sign + clock
    words = "1 day" if days == 1 else f"{days:,} days"
    return f"{sign}{words}" if not rest else f"{sign}{words} {clock}"
