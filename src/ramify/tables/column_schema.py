"""What is known of one column: its name, kind and levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from ramify.tables.level_json import level_from_json, level_to_json
from ramify.tables.levels import Kind, Level, as_level


@dataclass(frozen=True)
class ColumnSchema:
    """What is known of a column: its name, kind and levels.

    Parameters
    ----------
    name : str
    kind : {"numeric", "ordinal", "nominal"}
    levels : tuple, default=()
        Of a nominal column, the levels that occur in training. Of an ordinal column, all declared
        levels, in order. A numeric column has none.

    Examples
    --------
    >>> ColumnSchema("outlook", "nominal", ("rainy", "sunny")).index["sunny"]
    1
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()

    @cached_property
    def index(self) -> Mapping[Level, int]:
        """The code of every level."""
        # as_level, because a pickle of an earlier release may hold the intervals of pandas
        return {as_level(level): code for code, level in enumerate(self.levels)}

    def __getstate__(self) -> dict[str, Any]:
        # without the cached index, since a pickle must not depend on what was called before
        return {"name": self.name, "kind": self.kind, "levels": self.levels}

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        if self.kind == "numeric":
            return {"name": self.name, "kind": self.kind}
        place = f"column {self.name!r}"
        levels = [level_to_json(level, place) for level in self.levels]
        return {"name": self.name, "kind": self.kind, "levels": levels}

    @classmethod
    def from_dict(cls, data: Any, *, place: str = "column") -> ColumnSchema:
        """Undo `to_dict`; a ValueError names the place of what is wrong."""
        kind = entry_of(data, "kind", str, place)
        if kind not in get_args(Kind):
            raise ValueError(f"{place}.kind: expected one of {get_args(Kind)}, got {kind!r:.80}")
        required = {"name", "kind"} if kind == "numeric" else {"name", "kind", "levels"}
        check_keys(data, required, place)
        name = entry_of(data, "name", str, place)
        if kind == "numeric":
            return cls(name, "numeric")
        raw = entry_of(data, "levels", list, place)
        levels = tuple(level_from_json(v, f"{place}.levels[{i}]") for i, v in enumerate(raw))
        if len(set(levels)) != len(levels):
            raise ValueError(f"{place}.levels: two levels are equal")
        return cls(name, kind, levels)


def entry_of(data: Any, key: str, kind: type, place: str) -> Any:
    """Give an entry of a JSON object; a ValueError names the place if it is missing or odd."""
    if type(data) is not dict:
        raise ValueError(f"{place}: expected an object, got {type(data).__name__}")
    if key not in data:
        raise ValueError(f"{place}: {key!r} is missing")
    if type(data[key]) is not kind:
        raise ValueError(f"{place}.{key}: expected {kind.__name__}, got {type(data[key]).__name__}")
    return data[key]


def check_keys(data: dict[str, Any], allowed: set[str], place: str) -> None:
    """Refuse entries that a JSON object may not have."""
    unknown = set(data) - allowed
    if unknown:
        raise ValueError(f"{place}: unknown key {min(map(repr, unknown))}")
