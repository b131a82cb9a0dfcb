"""Other data encoded as the training data were, and what is said when they do not fit.

Invariant: a code depends on the value of its cell and the training levels alone, never on the
container, its dtype or the other rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

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
from ramify.tables.source import Source

if TYPE_CHECKING:
    from ramify.tables.table import ColumnSchema


def encode_numbers(known: ColumnSchema, column: Column) -> Floats:
    """Give a column that was numeric in training as floats, by value if of another dtype."""
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
    """Give a column that was nominal or ordinal in training as codes, by value."""
    if column.numeric and column.typed and known.levels and not _any_number(known.levels):
        # Only the dtype is held against it: a single odd cell among objects is merely unseen.
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


def choose_nominal(categorical_features: Any, source: Source) -> set[int]:
    """Find the positions that `categorical_features` names."""
    if categorical_features is None:
        return set()
    what = f"categorical_features={categorical_features!r:.120}"
    choices = "'from_dtype', None, a boolean mask, column indices or column names"
    if isinstance(categorical_features, str):
        if categorical_features == "from_dtype":
            return set()
        raise ValueError(f"{what}: expected {choices} (a list, even of one name).")
    try:
        items: list[Any] = [as_level(item) for item in categorical_features]
    except TypeError:
        raise ValueError(f"{what}: expected {choices}.") from None
    kinds = set(map(type, items))
    if not kinds:
        return set()
    if kinds == {bool}:
        if len(items) != len(source.columns):
            raise ValueError(
                f"{what}: the mask has length {len(items)}, "
                f"but X has {len(source.columns)} columns."
            )
        return {j for j, one in enumerate(items) if one}
    if kinds == {int}:
        return _at_indices(items, len(source.columns), what)
    if kinds == {str}:
        return _at_names(items, source, what)
    raise ValueError(
        f"{what}: expected {choices}; got items of type "
        f"{', '.join(sorted(kind.__name__ for kind in kinds))}."
    )


def _at_indices(items: list[Any], n_columns: int, what: str) -> set[int]:
    for j in items:
        if not 0 <= j < n_columns:
            raise ValueError(f"{what}: {j} is not an index; valid are 0 to {n_columns - 1}.")
    return set(items)


def _at_names(items: list[Any], source: Source, what: str) -> set[int]:
    if not source.named:
        raise ValueError(f"{what}: X has no column names; give indices or a boolean mask.")
    position = {name: j for j, name in enumerate(source.names)}
    for name in items:
        if name not in position:
            names = short_list(source.names, 20)
            raise ValueError(f"{what}: X has no column {name!r}; its columns are {names}.")
    return {position[name] for name in items}


def names_message(fitted: list[str], given: list[str]) -> str:
    """Say how the names of the columns differ from those of training."""

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
