"""Columns of dates, times and durations, whatever library holds them.

Invariant: a TimeColumn is seconds in float64, NaN where missing: since 1970-01-01 (in UTC if the
form has a zone), since midnight, or in all.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ramify.tables.forms import DAY, Form, FormKind, zone_of
from ramify.tables.levels import Dictionary, Floats, is_missing

_MICRO = 1e6
_DATES = ("Y", "M", "W", "D")  # units of NumPy that have no time of day


class TimeColumn:
    """A column of dates, times or durations."""

    typed = True
    ordered = False
    numeric = True

    def __init__(self, name: str, seconds: Floats, form: Form, dtype: str) -> None:
        self.name, self.seconds, self.form, self.dtype = name, seconds, form, dtype

    def floats(self) -> Floats:
        """Give the cells as the numbers of the column's own form."""
        return self.seconds / DAY if self.form.kind == "date" else self.seconds

    def in_form(self, known: Form) -> Floats:
        """Give the cells as the numbers of a known form; a ValueError if they do not fit it."""
        own = self.form
        days = ("date", "datetime")
        fits = own.kind == known.kind or (own.kind in days and known.kind in days)
        if not fits:
            raise ValueError(_misfit(self.name, known.kind, own.kind))
        if bool(own.zone) != bool(known.zone) and {own.kind, known.kind} & {"datetime"}:
            with_zone, without = ("now", "in fit") if own.zone else ("in fit", "now")
            raise ValueError(
                f"Column {self.name!r} has a time zone {with_zone}, but none {without}. Give the "
                "datetimes as in fit."
            )
        if known.kind == "date":
            return np.floor(self.seconds / DAY)
        return self.seconds

    def dictionary(self) -> Dictionary:
        """Give the cells as codes of dates, times or durations of Python."""
        known = np.isfinite(self.seconds)
        values, codes = np.unique(self.seconds[known], return_inverse=True)
        found = np.full(len(self.seconds), -1, dtype=np.int32)
        found[known] = codes
        return Dictionary(found, [_as_object(value, self.form) for value in values.tolist()])


def _misfit(name: str, known: str, own: str) -> str:
    return f"Column {name!r} held {known}s in fit, but holds {own}s now. Give it {known}s."


def _as_object(seconds: float, form: Form) -> Any:
    moment = dt.timedelta(microseconds=round(seconds * _MICRO))
    if form.kind == "duration":
        return moment
    if form.kind == "time":
        return (dt.datetime(1970, 1, 1) + moment).time()
    day = dt.datetime(1970, 1, 1) + moment
    if form.kind == "date":
        return day.date()
    return day.replace(tzinfo=dt.UTC).astimezone(zone_of(form.zone)) if form.zone else day


def numpy_times(name: str, values: NDArray[Any], *, zone: str = "") -> TimeColumn:
    """Wrap an array of datetime64 or timedelta64.

    Datetimes without a zone that are all at midnight are dates, since pandas and NumPy often hold
    dates in that way.
    """
    dtype = str(values.dtype)
    seconds = _seconds(values)
    if values.dtype.kind == "m":
        return TimeColumn(name, seconds, Form("duration"), dtype)
    kind: FormKind = "datetime"
    if not zone and (np.datetime_data(values.dtype)[0] in _DATES or _at_midnight(seconds)):
        kind = "date"
    return TimeColumn(name, seconds, Form(kind, zone=zone), dtype)


def _seconds(values: NDArray[Any]) -> Floats:
    kind = values.dtype.kind
    missing = np.isnat(values)
    if np.datetime_data(values.dtype)[0] in ("Y", "M"):
        values = values.astype(f"{kind}8[D]")
    fine = values.astype(f"{kind}8[us]").astype(np.int64)
    found: Floats = fine / _MICRO
    found[missing] = np.nan
    return found


def _at_midnight(seconds: Floats) -> bool:
    known = seconds[~np.isnan(seconds)]
    return len(known) > 0 and not np.any(known % DAY)


def cell_times(name: str, cells: list[Any], types: set[type], dtype: str) -> TimeColumn | None:
    """Wrap objects that are all dates, all times or all durations; None if they are not."""
    if types and all(issubclass(kind, dt.datetime) for kind in types):
        return _datetimes(name, cells, dtype)
    known = [None if is_missing(cell) else cell for cell in cells]
    form: FormKind
    if types == {dt.date}:
        form, array = "date", np.array(known, dtype="datetime64[D]")
    elif types and all(issubclass(kind, dt.timedelta) for kind in types):
        plain = [one if one is None else dt.timedelta(0) + one for one in known]
        form, array = "duration", np.array(plain, dtype="timedelta64[us]")
    elif types and types <= {np.datetime64, np.timedelta64}:
        if len(types) > 1:
            return None
        return numpy_times(name, np.array([_nat(types) if c is None else c for c in known]))
    elif types == {dt.time} and all(one is None or one.tzinfo is None for one in known):
        seconds = [np.nan if one is None else _of_day(one) for one in known]
        return TimeColumn(name, np.array(seconds), Form("time"), dtype)
    else:
        return None
    return TimeColumn(name, _seconds(array), Form(form), dtype)


def _nat(types: set[type]) -> Any:
    return np.datetime64("NaT") if np.datetime64 in types else np.timedelta64("NaT")


def _of_day(time: dt.time) -> float:
    return time.hour * 3600 + time.minute * 60 + time.second + time.microsecond / _MICRO


def _datetimes(name: str, cells: list[Any], dtype: str) -> TimeColumn | None:
    zones: set[str] = set()
    plain: list[dt.datetime | None] = []
    for cell in cells:
        if is_missing(cell):
            plain.append(None)
            continue
        zones.add("" if cell.tzinfo is None else _zone_name(cell))
        naive = cell if cell.tzinfo is None else cell.astimezone(dt.UTC).replace(tzinfo=None)
        plain.append(naive)
    if "" in zones and len(zones) > 1:
        raise ValueError(
            f"Column {name!r} has datetimes with and without a time zone. Give all of them one, or "
            "none."
        )
    zone = zones.pop() if len(zones) == 1 else "UTC"
    array = np.array(plain, dtype="datetime64[us]")
    column = numpy_times(name, array, zone=zone)
    column.dtype = dtype
    return column


def _zone_name(moment: dt.datetime) -> str:
    """Give the name of a zone, or its difference to UTC if it has no name that is known."""
    key = getattr(moment.tzinfo, "key", None) or str(moment.tzinfo)
    return known_zone(key) or _offset(moment)


def _offset(moment: dt.datetime) -> str:
    text = moment.strftime("%z")
    return "UTC" if text in ("", "+0000") else f"{text[:3]}:{text[3:5]}"


def known_zone(name: str) -> str:
    """Give a zone's name if `zone_of` knows it; "" otherwise."""
    name = "UTC" if name in ("UTC", "Etc/UTC", "Z") else name.removeprefix("UTC") or name
    try:
        zone_of(name)
    except ValueError:
        return ""
    return name


def pandas_zoned(name: str, series: Any) -> TimeColumn:
    """Wrap a pandas Series of datetimes with a time zone."""
    zone = _known_or_refused(name, str(series.dtype.tz))
    values = series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    return _named(numpy_times(name, values, zone=zone), str(series.dtype))


def _known_or_refused(name: str, zone: str) -> str:
    found = known_zone(zone)
    if not found:
        raise ValueError(f"Column {name!r}: the time zone {zone!r} is not known.")
    return found


def narwhals_times(name: str, series: nw.Series[Any], shown: str) -> TimeColumn | None:
    """Wrap a series of dates, times or durations; None if it is of another type."""
    dtype = series.dtype
    if dtype == nw.Date:
        days = series.cast(nw.Date).to_list()
        return cell_times(name, days, {dt.date}, shown)
    if isinstance(dtype, nw.Datetime):
        zone = cast(Any, dtype).time_zone or ""
        if zone:
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        values = series.to_numpy().astype("datetime64[us]")
        known = _known_or_refused(name, zone) if zone else ""
        return _named(numpy_times(name, values, zone=known), shown)
    if isinstance(dtype, nw.Duration):
        return _named(numpy_times(name, series.to_numpy().astype("timedelta64[us]")), shown)
    if dtype == nw.Time:
        return cell_times(name, series.to_list(), {dt.time}, shown)
    return None


def _named(column: TimeColumn, dtype: str) -> TimeColumn:
    column.dtype = dtype
    return column
