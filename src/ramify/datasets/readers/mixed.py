"""Columns that stay text though most of their cells are numbers or dates: why, and a remedy."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from ramify.tables import written
from ramify.tables.coded_text import CodedText
from ramify.tables.forms import Form
from ramify.tables.reading import Note
from ramify.tables.written.months import MONTH

_NUMBER = re.compile(r"[-+(]? ?\D{0,3}\d[\d.,' ]*\D{0,4}")
_FIRST_LEVELS = 2000
_FEW_LEVELS, _FEW_WORDS = 10, 5
#: Nearly all cells have one of a few forms; a column of more forms is text for other reasons.
_MOST_FORMS = 6
_SHARE = 0.9
_DIGITS, _MONTH = re.compile(r"\d+"), re.compile(rf"\b{MONTH}\b")


def mixed_note(name: str, column: CodedText) -> list[Note]:
    """Note why a column is text, if most of its cells are numbers or dates; [] otherwise."""
    return rounded_note(name, column) or _among_words(name, column) or _several_forms(name, column)


def rounded_note(name: str, column: CodedText) -> list[Note]:
    """Note that float64 would round the whole numbers of a column, which are keys; [] if not."""
    keys = written.long_keys(column.levels)
    if not keys:
        return []
    text = f"{name!r} is text, because a number keeps 15 digits, and {keys[0]} has more"
    rounded = len({float(key) for key in keys})
    if rounded < len(keys):
        text += f": {len(keys):,} different ones would become {rounded:,}"
    return [Note(name, "long_numbers", text)]


def _among_words(name: str, column: CodedText) -> list[Note]:
    """Note a column of text that would be numbers but for a few words."""
    levels = column.levels[:_FIRST_LEVELS]
    if not levels or not any(map(_NUMBER.fullmatch, levels[:5])):
        return []
    words = [i for i, level in enumerate(levels) if not _NUMBER.fullmatch(level)]
    if not words or len(words) > _FEW_WORDS or len(levels) < _FEW_LEVELS:
        return []
    left_out = set(words)
    form = written.find_form([level for i, level in enumerate(levels) if i not in left_out])
    if form is None:
        return []
    rows = int(np.isin(column.codes, words).sum())
    if rows > 0.1 * len(column):
        return []
    shown = _listed(repr(levels[i]) for i in words)
    kind = "date" if form.kind == "datetime" else form.kind
    verb = f"is no {kind}" if len(words) == 1 else f"are no {kind}s"
    # An empty cell is named, too, because the option takes the place of the usual spellings.
    missing = [*(levels[i] for i in words), ""]
    options = " ".join(f"--na {shlex.quote(word)}" for word in missing)
    why = f"{name!r} is text, because {shown} {verb} ({_rows(rows)})"
    return [Note(name, "mixed", f"{why}; {options} reads that as missing")]


def _several_forms(name: str, column: CodedText) -> list[Note]:
    """Note dates that are written in several ways, or numbers with several units."""
    levels = column.levels[:_FIRST_LEVELS]
    known = [i for i, level in enumerate(levels) if not written.is_gap(level)]
    if len(known) < _FEW_LEVELS or not any(_DIGITS.search(levels[i]) for i in known[:5]):
        return []
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for i in known:
        alike[_shape(levels[i])].append(i)
    forms = {shape: _form(name, [levels[i] for i in of]) for shape, of in alike.items()}
    dates: defaultdict[str, list[int]] = defaultdict(list)
    units: defaultdict[str, list[int]] = defaultdict(list)
    for shape, form in forms.items():
        if form is not None and form.kind in ("date", "datetime"):
            dates[shape] += alike[shape]
        elif form is not None and form.kind == "number":
            units[form.unit] += alike[shape]
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.levels))
    rows = int(counts[known].sum())
    for groups in (dates, units):
        sizes = {key: int(counts[of].sum()) for key, of in groups.items()}
        inside = sum(sizes.values())
        if not 2 <= len(groups) <= _MOST_FORMS or inside < _SHARE * rows:
            continue
        often = sorted(groups, key=lambda key: -sizes[key])
        shown = _listed(f"{_rows(sizes[key])} like {levels[groups[key][0]]}" for key in often)
        if groups is dates:
            why = f"its dates are written in {len(groups)} ways: {shown}"
            remedy = "write them in one way in the file, such as 2024-12-31, to have dates"
        else:
            why = f"its numbers have several units: {shown}"
            remedy = "convert them to one unit in the file to have numbers"
        if (others := rows - inside) > 0:
            why += f"; {_rows(others)} {'is' if others == 1 else 'are'} none of these"
        return [Note(name, "mixed", f"{name!r} is text, because {why}; {remedy}")]
    return []


def _shape(level: str) -> str:
    """Give a cell with one digit for every number, and one word for every month."""
    return _MONTH.sub("month", _DIGITS.sub("9", level.strip().lower()))


def _form(name: str, levels: list[str]) -> Form | None:
    return written.find_form(levels, name=name)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _listed(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
