"""Columns that name the rows: a warning, or a table without them."""

from __future__ import annotations

import warnings

from ramify.support.warn import RamifyWarning
from ramify.tables import Table
from ramify.tables.profiling.identifiers import find_identifiers


def settle_identifiers(table: Table, wanted: str) -> Table:
    """Warn of columns that name the rows, or leave them out.

    Raises
    ------
    ValueError
        If no column would be left.
    """
    if wanted == "keep":
        return table
    found = find_identifiers(table)
    if not found:
        return table
    names = [name for name, _ in found]
    if wanted == "drop":
        kept = table.without(names)
        require_columns(len(kept), names)
        return kept
    reasons = "; ".join(f"{name!r} ({reason})" for name, reason in found[:5])
    more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
    warnings.warn(
        f"These columns name the rows, and a tree can only learn them by heart: {reasons}{more}. "
        "identifiers='drop' leaves them out, identifiers='keep' uses them without this warning.",
        RamifyWarning,
        stacklevel=4,
    )
    return table


def require_columns(count: int, names: list[str]) -> None:
    """Raise a ValueError if no column is left without those of some names."""
    if not count:
        raise ValueError(
            "identifiers='drop' would leave no column: all of them name the rows "
            f"({', '.join(map(repr, names[:5]))}); identifiers='keep' uses them"
        )
