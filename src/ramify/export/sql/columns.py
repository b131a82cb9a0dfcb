"""Columns as SQL reads them: dates and times by their own literals, parts of dates, pooled levels.

SQLite has no type for dates: it compares their text in ISO 8601, and durations are seconds.
"""

from __future__ import annotations

import datetime as dt
import math

from ramify.export.refusals import ExportError, plain_levels
from ramify.export.sql.dialects import SQLITE, Dialect
from ramify.tables import ColumnSchema
from ramify.tables.forms import DAY, FIRST_DAY, LAST_DAY, Form
from ramify.tables.levels import OTHER

_PARTS = {"month": "MONTH", "weekday": "ISODOW", "day": "DAY", "hour": "HOUR"}
# Of SQLite's weekdays Sunday is 0.
_SQLITE_PARTS = {"month": "%m", "weekday": "%w", "day": "%d", "hour": "%H"}


def read_column(about: ColumnSchema, dialect: Dialect) -> str:
    """The expression that a condition compares: the column, a part of it, or its pooled level."""
    name = dialect.identifier(about.input)
    if about.part is not None:
        assert about.form is not None
        return _part(name, about.part, about.form, dialect)
    if about.pooled and len(about.levels) > 1:
        kept = ", ".join(dialect.literal(level, about.name) for level in about.levels[:-1])
        other = dialect.literal(OTHER, about.name)
        return f"CASE WHEN {name} IN ({kept}) THEN {name} WHEN {name} IS NOT NULL THEN {other} END"
    if about.pooled:
        return f"CASE WHEN {name} IS NOT NULL THEN {dialect.literal(OTHER, about.name)} END"
    return name


def read_levels(about: ColumnSchema, dialect: Dialect) -> list[str]:
    """The levels as literals; parts of dates are numbers there."""
    if about.part in ("month", "weekday"):
        return [str(code + 1) for code in range(len(about.levels))]
    name, levels = about.name, plain_levels(about, "SQL", (str, int, float, bool))
    if len({isinstance(level, str) for level in levels}) > 1 and dialect.name != SQLITE.name:
        raise ExportError(
            f"column {name!r} has levels of text and of numbers, which no column of "
            f"{dialect.name} can hold; convert it to strings before fit"
        )
    return [dialect.literal(level, f"column {name!r}") for level in levels]


def _part(name: str, part: str, form: Form, dialect: Dialect) -> str:
    if dialect.name != SQLITE.name:
        if form.zone:
            name = f"({name} AT TIME ZONE '{form.zone}')"
        return f"EXTRACT({_PARTS[part]} FROM {name})"
    if form.zone not in ("", "UTC"):
        raise ExportError(
            f"the tree asks for the {part} in the time zone {form.zone!r}, which SQLite does not "
            "know; choose duckdb or postgres, or give the column without a zone"
        )
    number = f"CAST(strftime('{_SQLITE_PARTS[part]}', {name}) AS INTEGER)"
    return f"(({number} + 6) % 7 + 1)" if part == "weekday" else number


def time_test(name: str, form: Form, threshold: float, branch: int, dialect: Dialect) -> str:
    """Whether a date, time or duration is on one side of a threshold."""
    bound = form.threshold(threshold)
    sign = bound.above if branch else bound.below
    sqlite = dialect.name == SQLITE.name
    if form.kind == "duration":
        if sqlite:
            return f"{name} {sign} {dialect.number(threshold)}"
        return f"{name} {sign} INTERVAL '{_micro(threshold)} microseconds'"
    if form.kind == "time":
        if not 0 <= threshold < DAY:
            return "1 = 1" if (threshold >= DAY) == (branch == 0) else "1 = 0"
        time = (dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=_micro(threshold))).time()
        if sqlite:
            return f"strftime('%H:%M:%f', {name}) {sign} '{time.isoformat('milliseconds')}'"
        return f"{name} {sign} TIME '{time.isoformat()}'"
    days = threshold if form.kind == "date" else threshold / DAY
    if not FIRST_DAY + 2 <= days < LAST_DAY - 2:
        return "1 = 1" if (days > 0) == (branch == 0) else "1 = 0"
    if form.kind == "date":
        return f"{name} {sign} " + (f"'{bound.text}'" if sqlite else f"DATE '{bound.text}'")
    moment = dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=_micro(threshold))
    if sqlite:
        text = moment.isoformat(" ", "milliseconds")
        return f"strftime('%Y-%m-%d %H:%M:%f', {name}) {sign} '{text}'"
    text = moment.isoformat(" ")
    if form.zone:
        return f"{name} {sign} CAST('{text}+00:00' AS TIMESTAMP WITH TIME ZONE)"
    return f"{name} {sign} TIMESTAMP '{text}'"


def _micro(seconds: float) -> int:
    return math.floor(seconds * 1e6)
