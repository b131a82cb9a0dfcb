"""Encoding other data like the training data, with clear errors if they do not fit.

Invariant: a code depends only on the value of its cell and the training levels, never on the
container, its dtype or other rows.
"""

from __future__ import annotations

import numpy as np

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.columns import Column, real_number
from ramify.tables.levels import (
    MISSING,
    UNSEEN,
    Codes,
    Floats,
    Level,
    as_level,
    is_missing,
    is_real_type,
    look_up,
    short_list,
)


def encode_numbers(known: ColumnSchema, column: Column) -> Floats:
    """Give a column that was numeric in training as floats, even if its dtype is another."""
    if column.numeric:
        return column.floats()
    dictionary = column.dictionary()
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
    found = np.array([index.get(level, UNSEEN) for level in levels] + [MISSING], dtype=np.int32)
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
