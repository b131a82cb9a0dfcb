"""Reading `categorical_features`: which columns are nominal whatever their dtype."""

from __future__ import annotations

from typing import Any

from ramify.tables.levels import as_level, short_list
from ramify.tables.source import Source


def choose_nominal(categorical_features: Any, source: Source) -> set[int]:
    """Give the positions of the columns in `categorical_features`."""
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
