"""Text that is numbers, dates, times or durations: how a column is written, and what it says.

`find_form` looks at the distinct cells of a column of text and says how all of them are written;
`parse` reads them. `numbers`, `dates` and `times` know one kind each; `units` and `months` have the
words; `missing` the spellings of "no value"; `cells` runs a pattern over all cells at once.

Imports the forms of tables alone. Used by tables and by the readers of files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ramify.tables.forms import Form
from ramify.tables.written.cells import Cells
from ramify.tables.written.dates import could_be_date, find_date, parse_date
from ramify.tables.written.missing import find_gaps, is_gap
from ramify.tables.written.numbers import (
    Found,
    are_long_keys,
    could_be_number,
    find_number,
    parse_number,
)
from ramify.tables.written.times import could_be_time, find_time, parse_time

__all__ = ["Found", "example", "find", "find_form", "is_gap", "long_keys", "parse"]

_FIRST = 20
Wanted = Literal["number", "date"]


def find_form(
    levels: Sequence[str],
    *,
    name: str = "",
    decimal: str | None = None,
    day_first: bool | None = None,
) -> Form | None:
    """Say how the cells of a text column are written, if all of them are numbers, dates or times.

    Parameters
    ----------
    levels : sequence of str
        The distinct cells, without missing ones. Spellings of "no value" are passed over.
    name : str, default=""
        The column's name, for what cells alone do not tell: groups of digits in "phone" are no
        number.
    decimal : {".", ","}, optional
        The likely decimal sign. It is heard where the cells leave it open, as "1,234" does.
    day_first : bool, optional
        Whether days likely come before months; heard where no day is above 12.

    Returns
    -------
    Form or None
        None for text.

    Examples
    --------
    >>> find_form(["$1,234", "$99.50", "n/a"])
    Form(kind='number', decimal='.', thousands=',', unit='$', order='ymd', zone='')
    >>> find_form(["31.12.2019", "1.1.2020"]).order
    'dmy'
    >>> find_form(["007", "012"]) is None
    True
    """
    found = find(levels, name=name, decimal=decimal, day_first=day_first)
    return None if found is None else found.form


def find(
    levels: Sequence[str],
    *,
    name: str = "",
    decimal: str | None = None,
    day_first: bool | None = None,
    wanted: Wanted | None = None,
) -> Found | None:
    """Find a form, and tell whether the cells alone prove it.

    `wanted` forces a kind: codes like 007 are numbers then, and 20191231 a date.
    """
    if wanted is None and not _is_likely([c for c in levels[:_FIRST] if not is_gap(c)]):
        return None
    known = _known(levels)
    if not known:
        return None
    cells = Cells(known)
    if not cells.whole:
        return None
    if wanted != "date":
        found = find_number(cells, name=name, decimal=decimal, codes=wanted == "number")
        if found is not None or wanted == "number":
            return found
    if wanted is None and cells.all_fit(r"\d+ ?[A-Z]"):
        return None  # 2D and 3D are no days
    cells = Cells(known, lower=True)
    found = find_date(cells, day_first=day_first, compact=wanted == "date")
    return found if found is not None or wanted == "date" else find_time(cells, name=name)


def long_keys(levels: Sequence[str]) -> list[str]:
    """Give the cells that are known, if they are whole numbers that float64 would round; else [].

    Examples
    --------
    >>> long_keys(["9007199254740993", "9007199254740995", "n/a"])
    ['9007199254740993', '9007199254740995']
    >>> long_keys(["12", "13"])
    []
    """
    known = _known(levels)
    if not known or not known[0].strip().lstrip("+-").isdecimal():
        return []
    cells = Cells(known)
    return cells.lines if cells.whole and are_long_keys(cells) else []


def _is_likely(first: list[str]) -> bool:
    """Tell from the first cells whether a column could have a form: most columns of text do not."""
    if not first:
        return True
    cells = Cells(first)
    if not cells.whole:
        return False
    if could_be_number(cells):
        return True
    cells = Cells(first, lower=True)
    return could_be_date(cells) or could_be_time(cells)


def parse(levels: Sequence[str], form: Form) -> NDArray[np.float64]:
    """Read cells that are written in a form.

    Parameters
    ----------
    levels : sequence of str
        The cells. Spellings of "no value" give NaN.
    form : Form
        How they are written.

    Returns
    -------
    ndarray of float64
        Numbers; days or seconds since 1970-01-01; seconds. A ValueError names the first cell that
        does not fit.

    Examples
    --------
    >>> parse(["$1,234", "n/a", "($5.50)"], Form("number", thousands=",", unit="$"))
    array([1234. ,    nan,   -5.5])
    >>> parse(["31.12.1969", "2.1.1970"], Form("date", order="dmy"))
    array([-1.,  1.])
    """
    gaps = find_gaps(levels)
    known = _known(levels, gaps)
    values = np.full(len(levels), np.nan)
    if not known:
        return values
    cells = Cells(known, lower=form.is_time)
    if not cells.whole:
        raise _unfit(next(cell for cell in known if "\n" in cell or "\r" in cell), form)
    read = {"number": parse_number, "date": parse_date, "datetime": parse_date}
    found, unfit = read.get(form.kind, parse_time)(cells, form)
    if unfit is not None:
        raise _unfit(known[unfit], form)
    places = np.ones(len(levels), dtype=bool)
    places[gaps] = False
    values[places] = found
    return values


def example(levels: Sequence[str], form: Form) -> tuple[str, str]:
    """Give a telling cell, and what it was read as.

    Examples
    --------
    >>> example(["$7", "$1,234"], Form("number", thousands=",", unit="$"))
    ('$1,234', '1234')
    """
    some = [cell for cell in levels[:1000] if not is_gap(cell)]
    chosen = max(some, key=lambda cell: _telling(cell, form))
    value = float(parse([chosen], form)[0])
    return chosen.strip(), form.show(value)


def _telling(cell: str, form: Form) -> tuple[bool, bool, int, int]:
    """Rank cells: a usual one before a negative one, groups of digits before none."""
    signs = set(cell) - set("0123456789")
    return "(" not in signs, form.thousands in signs, len(signs), len(cell)


def _known(levels: Sequence[str], gaps: Sequence[int] | None = None) -> Sequence[str]:
    gaps = find_gaps(levels) if gaps is None else gaps
    if not gaps:
        return levels
    left_out = set(gaps)
    return [cell for i, cell in enumerate(levels) if i not in left_out]


_WORDS = {"number": "a number", "datetime": "a date and time"}


def _unfit(cell: str, form: Form) -> ValueError:
    what = _WORDS.get(form.kind, f"a {form.kind}")
    return ValueError(f"{cell!r} is not {what} like the others")
