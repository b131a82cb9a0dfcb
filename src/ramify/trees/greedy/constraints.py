"""Columns that may meet on a path, columns that are left out, and both as the core reads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from ramify import _core
from ramify.support.suggest import near_names
from ramify.tables import Schema

Columns = tuple[int | str, ...]


def read_exclude(name: str, value: Any) -> Columns | None:
    """Read columns that are left out: None, or names and positions."""
    return None if value is None else read_columns(f"{name}={value!r:.200}", value)


def read_interactions(name: str, value: Any) -> tuple[Columns, ...] | None:
    """Read groups of columns that may meet on a path; None means that all may."""
    if value is None:
        return None
    what = f"{name}={value!r:.200}"
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        raise ValueError(
            f"{what} must be None or a list of groups, each a list of column names or positions"
        )
    return tuple(read_columns(what, group, "every group must be a list") for group in value)


def read_columns(what: str, value: Any, wanted: str = "must be a list") -> Columns:
    """Read a list of columns, by name or by position."""
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        items: list[Any] = [None]
    else:
        items = list(value)
    for item in items:
        if not is_column(item):
            colon = "" if wanted.startswith("must") else ":"
            raise ValueError(f"{what}{colon} {wanted} of column names or positions")
    return tuple(item if isinstance(item, str) else int(item) for item in items)


def is_column(value: Any) -> bool:
    """Tell whether the value can be the name or the position of a column."""
    return isinstance(value, str) or (isinstance(value, Integral) and not isinstance(value, bool))


def find_columns(names: Columns, schema: Schema, what: str) -> list[int]:
    """Give the columns of the schema that are meant.

    A column of dates stands for its parts, too. A part can be named alone.
    """
    inputs, found = schema.input_names, []
    for given in names:
        name = given
        if isinstance(name, int):
            if not 0 <= name < len(inputs):
                raise ValueError(f"{what}: {name} is no position; valid are 0 to {len(inputs) - 1}")
            name = inputs[name]
        if name in inputs:
            found += [j for j, column in enumerate(schema.columns) if column.input == name]
        elif name in schema.names:
            found.append(schema.names.index(name))
        else:
            near = near_names(name, inputs, "columns")
            raise ValueError(f"{what}: {name!r} is not a column; {near}")
    return found


def columns_but(excluded: Iterable[int], schema: Schema) -> list[int]:
    """Give all columns but these."""
    out = set(excluded)
    return [j for j in range(len(schema)) if j not in out]


def find_groups(interactions: tuple[Columns, ...] | None, schema: Schema) -> list[list[int]]:
    """Give the groups by positions. Columns that are in no group form one more group."""
    if not interactions:
        return []
    what = f"interactions={[list(group) for group in interactions]!r:.200}"
    groups = [find_columns(group, schema, what) for group in interactions]
    rest = columns_but((j for group in groups for j in group), schema)
    return [*groups, rest] if rest else groups


@dataclass(frozen=True)
class Constraints:
    """What is laid down for growth, by positions of columns.

    Parameters
    ----------
    groups : list of list of int
        The columns of a path lie in one of them; none means that all may meet.
    columns : list of int or None
        The columns that growth may use; None means all.
    nodes : list of tuple
        The skeleton, as the core reads it.
    conditions : list of str
        The conditions of its nodes in words; "" where there is none.
    """

    groups: list[list[int]]
    columns: list[int] | None
    nodes: list[_core.SkeletonNode]
    conditions: list[str]

    def put_on(self, problem: _core.Problem) -> None:
        """Make trees of the problem keep to this."""
        if self.groups or self.columns is not None or self.nodes:
            problem.constrain((self.groups, self.columns, self.nodes))


def allowed_columns(exclude: Columns | None, schema: Schema) -> list[int] | None:
    """Give the columns that growth may use; None means all."""
    if not exclude:
        return None
    what = f"exclude={list(exclude)!r:.200}"
    allowed = columns_but(find_columns(exclude, schema, what), schema)
    if not allowed:
        raise ValueError(f"{what} leaves no column to split on; name fewer of them")
    return allowed
