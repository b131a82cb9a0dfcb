"""What is known of one column: its name, kind and levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, get_args

from ramify.tables.forms import Form
from ramify.tables.level_json import level_from_json, level_to_json
from ramify.tables.levels import OTHER, Kind, Level, as_level
from ramify.tables.parts import LEVELS


@dataclass(frozen=True)
class ColumnSchema:
    """What is known about a column: its name, kind and levels.

    Parameters
    ----------
    name : str
    kind : {"numeric", "ordinal", "nominal"}
    levels : tuple, default=()
        A nominal column has the levels that occur in training, an ordinal column all declared
        levels, in order. A numeric column has none.
    form : Form, optional
        What the numbers of a numeric column mean if they are dates or times, and how text writes
        them.
    source : str, optional
        The column of the table that this one is made from, if it is a part of a date.
    part : {"month", "weekday", "day", "hour"}, optional
        Which part.
    pooled : bool, default=False
        Whether the last level, "(other)", takes the place of rare levels and of levels that were
        not seen in training.

    Examples
    --------
    >>> ColumnSchema("outlook", "nominal", ("rainy", "sunny")).index["sunny"]
    1
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()
    form: Form | None = None
    source: str | None = None
    part: str | None = None
    pooled: bool = False

    @property
    def input(self) -> str:
        """The name of the column that it is read from."""
        return self.name if self.source is None else self.source

    @property
    def times(self) -> Form | None:
        """The form of its numbers, if these are dates, times or durations; None if not."""
        is_time = self.kind == "numeric" and self.form is not None and self.form.is_time
        return self.form if is_time else None

    @cached_property
    def index(self) -> Mapping[Level, int]:
        """The code of every level."""
        # as_level, because a pickle of an earlier release may hold the intervals of pandas
        return {as_level(level): code for code, level in enumerate(self.levels)}

    def __repr__(self) -> str:
        # without what few columns have
        usual = {one.name: one.default for one in fields(self)[3:]}
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        shown = (f"{key}={v!r}" for key, v in given.items() if key not in usual or v != usual[key])
        return f"ColumnSchema({', '.join(shown)})"

    def __getstate__(self) -> dict[str, Any]:
        # without the cached index, since a pickle must not depend on what was called before
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        found: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.kind != "numeric":
            place = f"column {self.name!r}"
            found["levels"] = [level_to_json(level, place) for level in self.levels]
        if self.form is not None:
            found["form"] = self.form.to_dict()
        if self.source is not None:
            found |= {"source": self.source, "part": self.part}
        if self.pooled:
            found["pooled"] = True
        return found

    @classmethod
    def from_dict(cls, data: Any, *, place: str = "column") -> ColumnSchema:
        """Undo `to_dict`; a ValueError names the place of what is wrong."""
        kind = entry_of(data, "kind", str, place)
        if kind not in get_args(Kind):
            raise ValueError(f"{place}.kind: expected one of {get_args(Kind)}, got {kind!r:.80}")
        optional = {
            "numeric": {"form"},
            "ordinal": {"levels", "form", "source", "part"},
            "nominal": {"levels", "pooled"},
        }
        check_keys(data, {"name", "kind"} | optional[kind], place)
        name = entry_of(data, "name", str, place)
        form = None
        if "form" in data:
            form = Form.from_dict(data["form"], f"{place}.form")
        if kind == "numeric":
            return cls(name, "numeric", form=form)
        raw = entry_of(data, "levels", list, place)
        levels = tuple(level_from_json(v, f"{place}.levels[{i}]") for i, v in enumerate(raw))
        if len(set(levels)) != len(levels):
            raise ValueError(f"{place}.levels: two levels are equal")
        pooled = "pooled" in data and entry_of(data, "pooled", bool, place)
        if pooled and (not levels or levels[-1] != OTHER):
            raise ValueError(f"{place}.levels: the last of a pooled column must be {OTHER!r}")
        if not {"source", "part", "form"} & data.keys():
            return cls(name, kind, levels, pooled=pooled)
        source = entry_of(data, "source", str, place)
        part = entry_of(data, "part", str, place)
        if part not in LEVELS or levels != LEVELS[part]:
            raise ValueError(f"{place}.part: expected one of {', '.join(LEVELS)} and its levels")
        if form is None or form.kind not in ("date", "datetime"):
            raise ValueError(f"{place}.form: a part is one of a date or a datetime")
        return cls(name, kind, levels, form, source, part)


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
