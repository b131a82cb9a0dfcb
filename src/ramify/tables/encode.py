"""Encoding other data like the training data, with clear errors if they do not fit.

Invariant: a code depends only on the value of its cell and the training levels, never on the
container, its dtype or other rows.
"""

from __future__ import annotations

import numpy as np

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.columns import Column, real_number
from ramify.tables.forms import Form
from ramify.tables.levels import (
    MISSING,
    UNSEEN,
    Codes,
    Dictionary,
    Floats,
    Level,
    as_level,
    is_missing,
    is_real_type,
    look_up,
    short_list,
)
from ramify.tables.time_column import TimeColumn
from ramify.tables.written import parse


def encode_numbers(known: ColumnSchema, column: Column) -> Floats:
    """Give a column that was numeric in training as floats, even if its dtype is another."""
    form = known.form
    if isinstance(column, TimeColumn):
        if form is None or not form.is_time:
            raise ValueError(
                f"Column {known.name!r} held numbers in fit, but holds {column.form.kind}s now "
                f"(dtype {column.dtype}). Give it numbers, as in fit."
            )
        return column.in_form(form)
    if column.numeric:
        floats = column.floats()
        if form is not None and form.is_time and not np.isnan(floats).all():
            raise ValueError(
                f"Column {known.input!r} held {form.kind}s in fit, but is numeric now (dtype "
                f"{column.dtype}). Give it {form.kind}s, or text like {form.show(0.0)!r}."
            )
        return floats
    dictionary = column.dictionary()
    if form is not None:
        return _read_text(known, form, dictionary)
    table = np.full(len(dictionary.values) + 1, np.nan)
    for i in np.flatnonzero(dictionary.used()).tolist():
        value = dictionary.values[i]
        if is_missing(value):
            continue
        number = real_number(value)
        if number is None:
            raise ValueError(
                f"Column {known.name!r} was numeric in fit, but has dtype {column.dtype} now and "
                f"holds {value!r:.80}. Give it numbers, as in fit."
            )
        table[i] = number
    found: Floats = table[dictionary.codes]
    return found


def _read_text(known: ColumnSchema, form: Form, dictionary: Dictionary) -> Floats:
    """Read text in the form of the training data."""
    table = np.full(len(dictionary.values) + 1, np.nan)
    used = np.flatnonzero(dictionary.used()).tolist()
    given = {i: v for i in used if not is_missing(v := dictionary.values[i])}
    texts = {i: v for i, v in given.items() if isinstance(v, str)}
    for i in given.keys() - texts.keys():
        number = None if form.is_time else real_number(given[i])
        if number is None:
            raise ValueError(
                f"Column {known.input!r} held {form.kind}s in fit, but holds {given[i]!r:.80} now."
            )
        table[i] = number
    if texts:
        try:
            table[list(texts)] = parse(list(texts.values()), form)
        except ValueError as error:
            raise ValueError(f"Column {known.input!r}: {error}") from None
    found: Floats = table[dictionary.codes]
    return found


def encode_codes(known: ColumnSchema, column: Column, *, fail: bool) -> Codes:
    """Give a column that was nominal or ordinal in training as codes.

    With `fail`, a level that training did not have is an error.
    """
    if column.numeric and column.typed and known.levels and not _any_number(known.levels):
        # Only a numeric dtype is refused. A single number among objects is an unseen level.
        if np.isnan(column.floats()).all():
            return np.full(len(column.floats()), MISSING, dtype=np.int32)
        raise ValueError(
            f"Column {known.name!r} was {known.kind} in fit, with levels "
            f"{short_list(known.levels)}, but is numeric now (dtype {column.dtype}). "
            "Give it the values it had in fit."
        )
    dictionary = column.dictionary().shrink()
    levels, table = dictionary.clean()
    index = known.index
    unseen = len(known.levels) - 1 if known.pooled else UNSEEN
    found = np.array([index.get(level, unseen) for level in levels] + [MISSING], dtype=np.int32)
    codes = look_up(found[table], dictionary.codes)
    if fail and UNSEEN in found:
        rows = np.flatnonzero(codes == UNSEEN)
        if len(rows):
            value = as_level(dictionary.values[int(dictionary.codes[rows[0]])])
            raise ValueError(
                f"Column {known.name!r} holds the level {value!r:.80} (row {rows[0]}), which did "
                f"not occur in fit and unseen='error'. Levels: {short_list(known.levels, 20)}."
            )
    return codes


def _any_number(levels: tuple[Level, ...]) -> bool:
    return any(kind is bool or is_real_type(kind) for kind in set(map(type, levels)))


def names_message(fitted: list[str], given: list[str]) -> str:
    """Give the message for column names that differ from those in training."""

    def bullets(names: list[str]) -> str:
        shown = "".join(f"- {name}\n" for name in names[:5])
        return shown + ("- ...\n" if len(names) > 5 else "")

    message = "The feature names should match those that were passed during fit.\n"
    unexpected = sorted(set(given) - set(fitted))
    missing = sorted(set(fitted) - set(given))
    if unexpected:
        message += "Feature names unseen at fit time:\n" + bullets(unexpected)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + bullets(missing)
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
