"""Columns that name the rows instead of describing them: names, keys, free text, row numbers.

A tree can only learn such a column by heart. What is looked at is cheap, since every fit asks: the
numbers of a column are sorted only if its name is that of a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.profiling.names import (
    is_key,
    is_row_number,
    is_time_or_rank,
    may_be_key,
    names_things,
)
from ramify.tables.table import Table
from ramify.tables.tidy import form_of_levels

Role = Literal["identifier", "free text", "row index"]

#: A text of which this share of rows occurs in no other row names the rows. It is Turing's estimate
#: of the chance that a new row has a level that was never seen (Good 1953).
_SINGLE = 0.5
_SINGLE_FREE_TEXT = 0.3
#: In a smaller table chance decides how many levels occur once, so more is asked for.
_ENOUGH_ROWS = 50
_FEW_ROWS, _SINGLE_OF_FEW = 20, 0.8
#: The name says it, too: fewer rows are enough.
_TINY = 8
#: A shorter run of numbers may be a time, or the values that an experiment was done for.
_RUN_ROWS = 30
#: Long texts of several words are free text.
_FREE_TEXT_WORDS, _FREE_TEXT_LENGTH = 4.0, 30.0
#: Keys may have been entered twice.
_KEY_DISTINCT = 0.9
#: Share of the rows with a common number of digits in keys such as account numbers.
_SAME_DIGITS = 0.6
_LOOK = 1000
#: More digits than any float64 has.
_MOST_DIGITS = 310
PLURALS = {
    "number": "numbers",
    "date": "dates",
    "datetime": "dates and times",
    "time": "times",
    "duration": "durations",
}

_FORMS = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]{2,}"),
    "web addresses": re.compile(r"(?:https?://|ftp://|www\.)\S+", re.IGNORECASE),
    "UUIDs": re.compile(r"\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?", re.IGNORECASE),
    "hashes": re.compile(r"(?=.*\d)(?:[0-9a-f]{2}){4,64}|0x[0-9a-f]{4,}", re.IGNORECASE),
    "phone numbers": re.compile(
        r"\+\d[\d\s()/.-]{6,18}\d|\(\d{2,5}\)\s?\d[\d\s/.-]{4,12}\d|\d{3}[-. ]\d{3}[-. ]\d{4}"
    ),
    "keys": re.compile(r"[A-Za-z]{1,6}[-_#/ ]?\d{3,}[-_/]?[A-Za-z\d]{0,6}"),
}


class Identifier(NamedTuple):
    """A column that names the rows, what it is, and why that is said."""

    name: str
    role: Role
    reason: str


def find_identifiers(table: Table) -> list[tuple[str, str]]:
    """Find columns that name the rows instead of describing them.

    These are texts that hardly repeat (names, keys, free text), whole numbers that do not repeat in
    a column with the name of a key, and row numbers.

    Parameters
    ----------
    table : Table
        Training data.

    Returns
    -------
    list of (name, reason)
        In the order of the columns.

    Examples
    --------
    >>> names = [f"model {i}" for i in range(60)]
    >>> table = Table.read({"car": names, "weight": [i % 7 for i in range(60)]})
    >>> find_identifiers(table)
    [('car', '60 different texts in 60 rows')]
    """
    found = [look_for_identifier(table, j) for j in range(len(table))]
    return [(one.name, one.reason) for one in found if one is not None]


def look_for_identifier(table: Table, j: int) -> Identifier | None:
    """Say why column j names the rows; None if it does not."""
    column = table.schema.columns[j]
    if len(table) == 1:
        return None  # there is nothing else to learn from
    if column.kind == "ordinal" or is_time(column):
        return None
    if column.kind == "nominal":
        codes = table.column(j)
        return among_levels(column, np.bincount(codes[codes >= 0], minlength=len(column.levels)))
    # the numbers of an array without names may be anything
    return _among_numbers(column.name, table.column(j)) if table.schema.named else None


def is_time(column: ColumnSchema) -> bool:
    """Tell whether a column holds dates, times or durations, or a part of these."""
    return column.times is not None or column.part is not None


# --- texts ----------------------------------------------------------------------------------------


def among_levels(column: ColumnSchema, counts: NDArray[Any]) -> Identifier | None:
    """Say why a column of levels names the rows, given the rows of every level."""
    n_levels = len(column.levels)
    if n_levels < _TINY or isinstance(column.levels[0], bool):
        return None
    rows = int(counts.sum())
    share = float((counts == 1).sum()) / rows if rows else 0.0
    if share < _SINGLE_FREE_TEXT or rows < _TINY:
        return None
    texts = [str(level) for level in column.levels[:: max(1, n_levels // _LOOK)]]
    form = _form(texts)
    long = is_free_text(texts)
    if rows < _FEW_ROWS:
        found = share > _SINGLE_OF_FEW and (names_things(column.name) or form is not None or long)
    elif rows < _ENOUGH_ROWS:
        found = share > _SINGLE_OF_FEW or (share >= _SINGLE and names_things(column.name))
    else:
        found = share >= (_SINGLE_FREE_TEXT if long else _SINGLE)
    if not found:
        return None
    what = form or ("free texts" if long and form is None else "texts")
    reason = f"{n_levels:,} different {what} in {rows:,} rows"
    if (read := form_of_levels(column.name, texts)) is not None:
        read_as = PLURALS[read.kind]
        reason = f"{n_levels:,} different {read_as} as text; ramify.tables.tidy(X) reads them"
    return Identifier(column.name, "free text" if long and form is None else "identifier", reason)


def is_free_text(texts: list[str]) -> bool:
    """Tell whether texts are sentences instead of names."""
    words = sum(text.count(" ") + 1 for text in texts) / len(texts)
    length = sum(map(len, texts)) / len(texts)
    return words >= _FREE_TEXT_WORDS and length >= _FREE_TEXT_LENGTH


def _form(texts: list[str]) -> str | None:
    """Say what texts are if they are all written alike."""
    for what, pattern in _FORMS.items():
        if pattern.fullmatch(texts[0].strip()) and all(
            pattern.fullmatch(text.strip()) for text in texts
        ):
            return what
    return None


# --- numbers --------------------------------------------------------------------------------------


class NumberFacts(NamedTuple):
    """What is asked of whole numbers: how many there are, how they are written, how they lie."""

    known: int
    distinct: int
    digits: NDArray[np.int64]  # how many numbers have 1, 2, ... digits
    low: float
    high: float


def _among_numbers(name: str, values: NDArray[Any]) -> Identifier | None:
    return among_numbers(name, len(values), _run_from(values), lambda: _facts(values))


def asks_for_facts(name: str) -> bool:
    """Tell whether a column of numbers is looked at because of its name."""
    # row numbers of rows that were drawn or put in another order afterwards; x may be anything
    return is_key(name) or may_be_key(name) or (is_row_number(name) and len(name) > 1)


def among_numbers(
    name: str, n_rows: int, start: int | None, facts: Callable[[], NumberFacts | None]
) -> Identifier | None:
    """Say why a column of numbers names the rows; None if it does not.

    Parameters
    ----------
    name : str
    n_rows : int
    start : int or None
        0 or 1 if the numbers count the rows from there.
    facts : callable
        Gives what is asked of whole numbers; None if some number is not whole.
    """
    key, index = is_key(name), is_row_number(name) and len(name) > 1
    if start is not None and not is_time_or_rank(name):
        named = key or may_be_key(name) or is_row_number(name)
        if n_rows >= (_TINY if named else _RUN_ROWS):
            return Identifier(name, "row index", f"it counts the rows: {start}, {start + 1}, ...")
    if not asks_for_facts(name) or n_rows < _FEW_ROWS:
        return None
    found = facts()
    if found is None or found.known < _FEW_ROWS or found.distinct < _KEY_DISTINCT * found.known:
        return None
    if not key and not (_written_alike(found) or _dense(found)):
        return None
    reason = f"{found.distinct:,} different whole numbers in {found.known:,} rows"
    return Identifier(name, "row index" if index and not key else "identifier", reason)


def _run_from(values: NDArray[Any]) -> int | None:
    """Give 0 or 1 if the numbers count the rows from there, without a gap."""
    if len(values) < 2 or values[0] not in (0.0, 1.0):
        return None
    start = int(values[0])
    for part in (values[:_LOOK], values):  # nearly every other column is told by its first rows
        if not np.array_equal(part, np.arange(start, start + len(part))):
            return None
    return start


def _whole(values: NDArray[Any]) -> bool:
    known = values[~np.isnan(values)]
    return bool(np.all(np.isfinite(known)) and np.all(known == np.floor(known)))


def _facts(values: NDArray[Any]) -> NumberFacts | None:
    if not _whole(values[:_LOOK]):
        return None
    known = values[~np.isnan(values)]
    if not len(known) or not _whole(known):
        return None
    distinct = len(np.unique(known))
    return NumberFacts(
        len(known), distinct, digits_of(known), float(known.min()), float(known.max())
    )


def digits_of(values: NDArray[Any]) -> NDArray[np.int64]:
    """Count the finite numbers by the digits that they have before the point, less one."""
    digits = np.floor(np.log10(np.maximum(np.abs(values), 1))).astype(int)
    return np.bincount(digits, minlength=_MOST_DIGITS)


def _written_alike(facts: NumberFacts) -> bool:
    """Tell whether whole numbers have one number of digits, as keys have and counts do not."""
    longest = int(np.flatnonzero(facts.digits)[-1])
    return bool(facts.digits.max() >= _SAME_DIGITS * facts.known) and longest >= 3


def _dense(facts: NumberFacts) -> bool:
    """Tell whether whole numbers leave few gaps, as the numbers of records do."""
    return facts.high - facts.low < 1.5 * facts.known
