"""Columns of text that are numbers, dates or times: found in the file as a whole, and converted.

Where the cells of a column leave open how they are written, the other columns tell: one column with
"12,5" makes a file German, and so does a semicolon between cells.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.readers.cells import Column, is_digits
from ramify.datasets.readers.mixed import mixed_note, rounded_note
from ramify.tables import written
from ramify.tables.coded_text import CodedText
from ramify.tables.forms import Form
from ramify.tables.reading import Note, Reading
from ramify.tables.tidy import as_times

_MICRO = 1_000_000
_DATE_NAME = re.compile(
    r"(?i)(?:^|[\W_])(?:date|datum|fecha|jour|day|tag|dt|ymd|yyyymmdd)|(?:date|datum|_dt|_dat)$"
)
_FIRST_ROWS = 10_000
#: The first whole number after which float64 leaves some out.
_ROUNDED = 2.0**53


@dataclass
class Typed:
    """Columns as a table has them, their forms, and what was done."""

    columns: dict[str, Column]
    forms: dict[str, Form] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True)
class Rules:
    """How the texts of a file are to be taken.

    Parameters
    ----------
    gaps : bool
        Whether spellings such as "unknown" are missing cells between numbers.
    plain : bool
        Whether texts like "12" are numbers. They are not where the file has types of its own.
    decimal : str
        The decimal sign that the user says; "." says nothing, because it is the default.
    delimiter : str
        What stands between the cells of a text file, as a hint.
    read_text : callable or None
        Reads a column again as text, with all digits that the file has.
    """

    gaps: bool = True
    plain: bool = True
    decimal: str = "."
    delimiter: str = ""
    read_text: Callable[[str], Column] | None = None


def find_types(columns: Mapping[str, Column], kinds: Mapping[str, Any], rules: Rules) -> Typed:
    """Convert columns of text that have a form; `kinds` has what the user says of some."""
    typed = Typed(dict(columns))
    for name, kind in kinds.items():
        if isinstance(kind, Form) and name in columns:
            typed.columns[name] = read_as(name, columns[name], kind)
            typed.forms[name] = kind
    said = {name for name, kind in kinds.items() if kind == "text" or isinstance(kind, Form)}
    texts = {name: column for name, column in columns.items() if _is_text(column)}
    coded = {name: as_coded(column) for name, column in texts.items() if name not in said}
    found = {name: _find(name, column, kinds.get(name), rules) for name, column in coded.items()}
    hints = _hints(found, columns, rules)
    for name, column in coded.items():
        one = found[name]
        if one is not None and not one.proven:
            one = _find(name, column, kinds.get(name), rules, hints)
        if one is not None:
            _convert(typed, name, column, one.form)
        elif kinds.get(name) in ("number", "date"):
            raise _refusal(name, column, kinds[name], rules)
        elif rules.plain:
            typed.notes += mixed_note(name, column)
    for name, numbers in columns.items():
        if isinstance(numbers, CodedText) or numbers.dtype != np.float64:
            continue
        if name not in kinds:
            _look_again(typed, name, numbers, rules, hints)
        elif kinds[name] == "date":
            _force_date(typed, name, numbers)
    return typed


def as_coded(column: Column) -> CodedText:
    """Give a column of texts as codes of its distinct texts."""
    if isinstance(column, CodedText):
        return column
    places: dict[str, int] = {}
    codes = [-1 if cell is None else places.setdefault(cell, len(places)) for cell in column]
    return CodedText(np.array(codes, dtype=np.int32), list(places))


def from_values(values: NDArray[np.float64], form: Form) -> NDArray[Any]:
    """Give the numbers of a form as the type of array that means the same."""
    if form.kind == "time":
        known = ~np.isnan(values)
        times = np.empty(len(values), dtype=object)
        times[known] = [clock(value) for value in values[known]]
        return times
    return as_times(values, form)


def clock(seconds: float) -> dt.time:
    """Give seconds since midnight as a time."""
    return (dt.datetime.min + dt.timedelta(microseconds=round(seconds * _MICRO))).time()


def read_as(name: str, column: Column, form: Form) -> NDArray[Any]:
    """Read a column of text in a known form; a ValueError names the column."""
    if not _is_text(column):
        return column if isinstance(column, np.ndarray) else column.values
    coded = as_coded(column)
    try:
        values = written.parse(coded.levels, form)
    except ValueError as error:
        raise ValueError(f"column {name!r}: {error}") from error
    return from_values(np.append(values, np.nan), form)[coded.codes]


def _is_text(column: Column) -> bool:
    if isinstance(column, CodedText):
        return True
    if column.dtype != object:
        return False
    first = next((cell for cell in column if cell is not None), None)
    return isinstance(first, str)


def _find(
    name: str,
    column: CodedText,
    kind: str | None,
    rules: Rules,
    hints: tuple[str | None, bool | None] = (None, None),
) -> written.Found | None:
    if not rules.gaps and any(map(written.is_gap, column.levels)):
        return None
    found = written.find(
        column.levels,
        name=name,
        decimal=hints[0],
        day_first=hints[1],
        wanted="number" if kind == "number" else "date" if kind == "date" else None,
    )
    if found is None or kind is not None or rules.plain or found.form != Form("number"):
        return found
    return None


def _hints(
    found: Mapping[str, written.Found | None], columns: Mapping[str, Column], rules: Rules
) -> tuple[str | None, bool | None]:
    """Give the likely decimal sign of a file, and whether its days come before months."""
    shown = Counter(one.shows for one in found.values() if one is not None)
    points = shown["."] + sum(
        isinstance(column, np.ndarray) and column.dtype == np.float64 and _has_decimals(column)
        for column in columns.values()
    )
    decimal: str | None = "," if rules.delimiter == ";" else None
    if rules.decimal == ",":
        decimal = ","
    elif points != shown[","]:
        decimal = "." if points > shown[","] else ","
    if shown["dmy"] != shown["mdy"]:
        return decimal, shown["dmy"] > shown["mdy"]
    return decimal, True if decimal == "," else None


def _has_decimals(column: NDArray[np.float64]) -> bool:
    """Tell whether numbers with a point cannot be groups of three digits."""
    if len(column) > _FIRST_ROWS and _has_decimals(column[:_FIRST_ROWS]):
        return True
    parts = column[np.isfinite(column) & (column != np.rint(column))]
    if not len(parts):
        return False
    size = np.abs(parts)
    thousandths = size * 1000
    return bool(
        ((size < 1) | (size >= 1000) | (np.abs(thousandths - np.rint(thousandths)) > 1e-6)).any()
    )


def _convert(typed: Typed, name: str, column: CodedText, form: Form) -> None:
    values = np.append(written.parse(column.levels, form), np.nan)
    typed.columns[name] = from_values(values, form)[column.codes]
    gaps = tuple(level for level in column.levels if written.is_gap(level))
    if form == Form("number") and not gaps and all(map(is_digits, column.levels)):
        return  # codes like 007 that the user calls numbers
    typed.forms[name] = form
    before, after = written.example(column.levels, form)
    typed.readings[name] = Reading(form, before, after, gaps)


def _look_again(
    typed: Typed,
    name: str,
    column: NDArray[np.float64],
    rules: Rules,
    hints: tuple[str | None, bool | None],
) -> None:
    """Find dates like 20191231, keys that float64 rounds, and 1.234 in a German file."""
    if rules.read_text is not None and _keep_digits(typed, name, column, rules.read_text):
        return
    first = column[:1000][np.isfinite(column[:1000])]
    if not len(first):
        return
    if first[0] == np.rint(first[0]) and 14_000_101 <= first[0] <= 23_001_231:
        days = _compact_dates(name, column)
        if days is not None:
            form = Form("date")
            typed.columns[name] = from_values(days, form)
            typed.forms[name] = form
            shown = form.show(float(days[np.flatnonzero(~np.isnan(days))[0]]))
            typed.readings[name] = Reading(form, f"{first[0]:.0f}", shown)
        return
    if (
        hints[0] != ","
        or not rules.delimiter
        or rules.read_text is None
        or (first == np.rint(first)).all()
    ):
        return
    if not _has_decimals(column):
        coded = as_coded(rules.read_text(name))
        found = _find(name, coded, None, rules, hints)
        if found is not None and found.form.thousands == ".":
            _convert(typed, name, coded, found.form)


def _keep_digits(
    typed: Typed, name: str, column: NDArray[np.float64], read_text: Callable[[str], Column]
) -> bool:
    """Read long whole numbers again as text, if float64 rounds them; tell whether it does."""
    least, most = np.fmin.reduce(column, initial=0.0), np.fmax.reduce(column, initial=0.0)
    if max(-least, most) <= _ROUNDED:
        return False
    texts = read_text(name)
    notes = rounded_note(name, as_coded(texts)) if _is_text(texts) else []
    if notes:
        typed.columns[name] = texts
        typed.notes += notes
    return bool(notes)


def _compact_dates(name: str, column: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Read 20191231 as a date if all are dates, and the name or many different days tell so."""
    distinct, codes = np.unique(column, return_inverse=True)
    known = distinct[~np.isnan(distinct)]
    if not (np.isfinite(known).all() and (known == np.rint(known)).all()):
        return None
    many = len(known) >= 10 and len(np.unique(known % 100)) >= 5
    if not many and not _DATE_NAME.search(name):
        return None
    found = written.find([f"{value:.0f}" for value in known], wanted="date")
    if found is None:
        return None
    values = written.parse([f"{value:.0f}" for value in known], found.form)
    return np.append(values, np.full(len(distinct) - len(known), np.nan))[codes]


def _force_date(typed: Typed, name: str, column: NDArray[np.float64]) -> None:
    """Read numbers as dates because the user says so."""
    texts = [None if np.isnan(value) else f"{value:.0f}" for value in column.tolist()]
    coded = as_coded(np.array(texts, dtype=object))
    found = written.find(coded.levels, wanted="date")
    if found is None:
        raise _refusal(name, coded, "date", Rules())
    _convert(typed, name, coded, found.form)


def _refusal(name: str, column: CodedText, kind: str, rules: Rules) -> ValueError:
    """Make the error for a column that is not what the user says."""
    wanted: Any = kind
    unlike = (
        i
        for i, cell in enumerate(column.levels)
        if not (rules.gaps and written.is_gap(cell)) and written.find([cell], wanted=wanted) is None
    )
    wrong = next(unlike, None)
    what = "numbers" if kind == "number" else "dates"
    if wrong is None:
        return ValueError(f"column {name!r} should hold {what}, but they are not of one form")
    row = int(np.flatnonzero(column.codes == wrong)[0]) + 1
    return ValueError(
        f"column {name!r} should hold {what}, but data row {row} has {column.levels[wrong]!r}"
    )
