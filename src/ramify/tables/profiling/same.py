"""Columns that say what another column says: equal ones, codes for each other, other scales.

Pairs are looked for in some of the rows and verified in all of them.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.profiling.findings import Finding, dropped, option
from ramify.tables.table import Table

_LOOK = 2000
_LEAST_ROWS = 20


class Twins(NamedTuple):
    """A column, an earlier column, and what they have in common."""

    column: int
    earlier: int
    how: Literal["equal", "codes", "order"]


def same_columns(table: Table, skip: set[int]) -> list[Twins]:
    """Find the columns that say what an earlier column says."""
    if table.n_rows < _LEAST_ROWS:
        return []  # they may well agree by chance
    rows = np.arange(0, table.n_rows, max(1, table.n_rows // _LOOK))
    first: dict[bytes, list[int]] = {}
    found = []
    for j in range(len(table)):
        if j in skip:
            continue
        values = table.column(j)[rows]
        numbered = _numbered(values)
        if numbered.max(initial=0) < 1:
            continue
        # Twins have equal codes if values are numbered as they appear. Numbers that hardly repeat
        # would all be twins then, so it is their order that counts.
        by_order = values.dtype.kind == "f" and numbered.max() > len(rows) / 2
        key = (_order(values) if by_order else numbered).tobytes()
        for i in first.setdefault(key, []):
            how = _compare(table, i, j, by_order=by_order)
            if how is not None:
                found.append(Twins(j, i, how))
                break
        else:
            first[key].append(j)
    return found


def same_findings(table: Table, twins: list[Twins]) -> list[Finding]:
    """Say which columns repeat another."""
    names = table.schema.names
    found = []
    for j, i, how in twins:
        name, other = names[j], names[i]
        if how == "equal":
            text = f"{name} equals {other} in every row."
            use = option("--use", name)
            found.append(Finding(name, "duplicate", text, "left out", use, dropped(name)))
            continue
        if how == "codes":
            text = f"{name} is {other} in other words: one value of each belongs together."
        else:
            times = _meaning(table.schema.columns[j])[0] != "number"
            alike = f"says what {other} says" if times else f"is {other} on another scale"
            text = f"{name} {alike}: both put the rows in the same order."
        ignore = option("--ignore", name)
        found.append(Finding(name, "derived", text, "kept", ignore, dropped(name)))
    return found


def _numbered(values: NDArray[Any]) -> NDArray[np.int64]:
    """Number values in order of appearance; all missing ones are one value."""
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.nan, values) + 0.0  # -0 is 0
    _, first, codes = np.unique(values, return_index=True, return_inverse=True, equal_nan=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    numbered: NDArray[np.int64] = place[codes.ravel()]
    return numbered


def _order(values: NDArray[Any]) -> NDArray[np.intp]:
    """Number values by size, from the end at which the first is."""
    ranks = np.unique(values, return_inverse=True)[1].ravel()
    top = int(ranks.max())
    return ranks if 2 * ranks[0] <= top else top - ranks


def _compare(
    table: Table, i: int, j: int, *, by_order: bool
) -> Literal["equal", "codes", "order"] | None:
    one, other = table.column(i), table.column(j)
    if _equal(table, i, j):
        return "equal"
    if not by_order:
        return "codes" if np.array_equal(_numbered(one), _numbered(other)) else None
    if not np.array_equal(np.isnan(one), np.isnan(other)):
        return None
    known = ~np.isnan(one)
    order = np.argsort(one[known], kind="stable")
    first, second = one[known][order], other[known][order]
    same = first[1:] == first[:-1]
    rises, falls = second[1:] > second[:-1], second[1:] < second[:-1]
    if not np.array_equal(same, ~(rises | falls)) or (np.any(rises) and np.any(falls)):
        return None
    return "order"


def _meaning(column: ColumnSchema) -> tuple[str, str]:
    """What the numbers of a column mean; how a file writes them does not matter."""
    form = column.form
    return ("number", "") if form is None else (form.kind, form.zone)


def _equal(table: Table, i: int, j: int) -> bool:
    one, other = table.schema.columns[i], table.schema.columns[j]
    if (one.kind == "numeric") != (other.kind == "numeric") or _meaning(one) != _meaning(other):
        return False
    if one.kind == "numeric":
        return np.array_equal(table.column(i), table.column(j), equal_nan=True)
    if one.levels == other.levels:
        return np.array_equal(table.column(i), table.column(j))
    return False
