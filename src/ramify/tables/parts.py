"""The parts of dates and times: month, weekday, day and hour, as ordinal columns of their own.

Invariant: a part depends on its cell alone, in the time zone of the column.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ramify.tables.forms import DAY, FIRST_DAY, LAST_DAY, Form, zone_of
from ramify.tables.levels import MISSING, Codes, Floats, Level

Part = Literal["month", "weekday", "day", "hour"]
PARTS: tuple[Part, ...] = get_args(Part)

LEVELS: dict[str, tuple[Level, ...]] = {
    "month": (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    "weekday": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "day": tuple(range(1, 32)),
    "hour": tuple(range(24)),
}
_YEAR, _TWO_WEEKS = 365, 14


def read_parts(date_parts: Any) -> tuple[Part, ...] | None:
    """Check `date_parts`: None means that each column gets the parts that tell more than itself."""
    if isinstance(date_parts, str) and date_parts == "auto":
        return None
    if date_parts is None:
        return ()
    choices = f"'auto', None or a list of {', '.join(PARTS)}"
    if isinstance(date_parts, str):
        raise ValueError(f"date_parts={date_parts!r}: expected {choices}.")
    try:
        wanted = tuple(date_parts)
    except TypeError:
        raise ValueError(f"date_parts={date_parts!r}: expected {choices}.") from None
    for one in wanted:
        if one not in PARTS:
            raise ValueError(f"date_parts={date_parts!r}: {one!r} is not one of {', '.join(PARTS)}")
    return tuple(part for part in PARTS if part in wanted)


def parts_of(values: Floats, form: Form, wanted: tuple[Part, ...] | None) -> list[Part]:
    """Give the parts that a column gets.

    Without a list, a part is taken if it comes round again, since otherwise the date itself says
    as much: the month after a year, the weekday after two weeks, the hour after two days. It must
    also vary.
    """
    if form.kind not in ("date", "datetime"):
        return []
    possible: list[Part] = [part for part in PARTS if part != "hour" or form.kind == "datetime"]
    if wanted is not None:
        return [part for part in possible if part in wanted]
    known = values[np.isfinite(values)]
    if not len(known):
        return []
    days = float(known.max() - known.min()) / (1 if form.kind == "date" else DAY)
    least = {"month": _YEAR, "weekday": _TWO_WEEKS, "hour": 2}
    found: list[Part] = []
    for part in possible:
        if part in least and days >= least[part]:
            codes = part_codes(known, form, part)
            # Some weekly or monthly tables have one or two weekdays, which tell nothing.
            if len(np.unique(codes)) > (2 if part == "weekday" else 1):
                found.append(part)
    return found


def part_codes(values: Floats, form: Form, part: str) -> Codes:
    """Give a part of every date or time as a code; missing where it is missing."""
    finite = np.isfinite(values)
    known = np.where(finite, values, 0.0)
    if form.kind == "date":
        days, seconds = np.floor(known).astype(np.int64), np.zeros(len(known))
    else:
        local = known + _offsets(known, form.zone)
        days = np.floor(local / DAY).astype(np.int64)
        seconds = local - days * DAY
    if part == "weekday":
        codes = (days + 3) % 7  # 1970-01-01 was a Thursday
    elif part == "hour":
        codes = np.clip(seconds // 3600, 0, 23).astype(np.int64)
    else:
        dates = days.astype("datetime64[D]")
        months = dates.astype("datetime64[M]")
        if part == "month":
            codes = months.astype(np.int64) % 12
        else:
            codes = (dates - months.astype("datetime64[D]")).astype(np.int64)
    return np.where(finite, codes, MISSING).astype(np.int32)


def _offsets(seconds: Floats, zone: str) -> NDArray[np.float64] | float:
    """Give what must be added to UTC to have the time on the clock of the zone."""
    if zone in ("", "UTC"):
        return 0.0
    clock = zone_of(zone)
    # Clocks change at quarters of an hour, if at all.
    quarters, place = np.unique(np.floor(seconds / 900), return_inverse=True)
    found = np.empty(len(quarters))
    # Python's datetimes end in the year 9999; far outside, the last rule of the zone holds.
    shown = np.clip(quarters, *(FIRST_DAY * DAY // 900 + 192, LAST_DAY * DAY // 900 - 192))
    for i, quarter in enumerate(shown.tolist()):
        offset = dt.datetime.fromtimestamp(quarter * 900, dt.UTC).astimezone(clock).utcoffset()
        found[i] = 0.0 if offset is None else offset.total_seconds()
    return found[place]
