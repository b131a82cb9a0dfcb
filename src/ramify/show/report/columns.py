"""What the columns of a table hold: missing cells, frequent and rare levels, ranges of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.show.report.rows import ReportRows
from ramify.support.page.bins import in_bins
from ramify.support.page.json_numbers import json_number
from ramify.tables import ColumnSchema, Schema, Table
from ramify.tables.levels import MISSING, RARE, UNSEEN
from ramify.tree import Tree
from ramify.tree.words import level_text

_TOP = 6
_BINS = 16
_EXAMPLES = 25
_MOST_COLUMNS = 300


def shown_columns(tree: Tree) -> list[int]:
    """The columns that a report shows: all; if very many, first those that the tree asks about."""
    used = set(tree.data["attribute"][tree.data["n_children"] > 0].tolist())
    order = sorted(range(len(tree.schema)), key=lambda j: (j not in used, j))
    return sorted(order[:_MOST_COLUMNS])


def summarise(table: Table, shown: list[int]) -> list[dict[str, Any]]:
    """One summary per column that is shown."""
    columns = table.schema.columns
    return [
        _numbers(table.column(j))
        if columns[j].kind == "numeric"
        else _levels(columns[j], table.column(j))
        for j in shown
    ]


def level_counts(schema: Schema, table: Table | None) -> list[NDArray[np.int64] | None]:
    """Per column its rows per level; None if it has no levels, or if there are no rows."""
    if table is None:
        return [None] * len(schema)
    return [
        None
        if column.kind == "numeric"
        else _count(table.column(j), len(column.levels)).astype(np.int64)
        for j, column in enumerate(schema.columns)
    ]


def example_rows(table: Table, target: NDArray[Any], shown: list[int]) -> dict[str, list[Any]]:
    """Some rows for the page: their cells, and the codes of their classes or their numbers.

    A cell is a number or the place of a level; None if it is missing.
    """
    rows = np.linspace(0, table.n_rows - 1, min(_EXAMPLES, table.n_rows)).astype(int)
    rows = np.unique(rows)
    examples = []
    for row in rows.tolist():
        cells: list[Any] = []
        for j in shown:
            value = table.column(j)[row].item()
            if table.schema.columns[j].kind == "numeric":
                cells.append(json_number(value))
            else:
                cells.append(None if value == MISSING else value)
        examples.append(cells)
    return {"examples": examples, "truths": [json_number(x) for x in target[rows].tolist()]}


def unseen_counts(table: Table, shown: list[int]) -> list[int]:
    """Per column that is shown, the rows with a level that training did not have."""
    kinds = [table.schema.columns[j].kind for j in shown]
    return [
        0 if kind == "numeric" else int((table.column(j) == UNSEEN).sum())
        for j, kind in zip(shown, kinds, strict=True)
    ]


def target_json(tree: Tree, rows: ReportRows) -> dict[str, Any]:
    """How the target is distributed: rows per class, or a summary of its numbers."""
    if tree.classes is None:
        return _numbers(rows.target)
    known = rows.target[rows.target >= 0]
    return {
        "classes": np.bincount(known, minlength=len(tree.classes)).tolist(),
        "unknown": int((rows.target < 0).sum()),
    }


def derived_columns(schema: Schema) -> list[list[Any]]:
    """The columns that are parts of dates: their place, the place of the date, and the part."""
    place = {column.name: j for j, column in enumerate(schema.columns)}
    return [
        [j, place.get(column.source, -1), column.part]
        for j, column in enumerate(schema.columns)
        if column.source is not None
    ]


def _count(codes: NDArray[Any], n_levels: int) -> NDArray[Any]:
    return np.bincount(codes[codes >= 0], minlength=n_levels)


def _levels(column: ColumnSchema, codes: NDArray[Any]) -> dict[str, Any]:
    counts = _count(codes, len(column.levels))
    order = np.argsort(-counts, kind="stable")[:_TOP]
    occurring = counts[counts > 0]
    rare = np.flatnonzero((counts > 0) & (counts < RARE))
    return {
        "missing": int((codes == MISSING).sum()),
        "unseen": int((codes == UNSEEN).sum()),
        "distinct": len(occurring),
        "top": [
            [level_text(column.levels[i]), int(counts[i])] for i in order.tolist() if counts[i]
        ],
        "others": int(counts.sum() - counts[order].sum()),
        "rare": len(rare),
        "rare_rows": int(counts[rare].sum()),
        "rare_names": [level_text(column.levels[i])[:60] for i in rare[:8].tolist()],
    }


def _numbers(values: NDArray[Any]) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    finite = known[np.isfinite(known)]
    found: dict[str, Any] = {
        "missing": int(len(values) - len(known)),
        "distinct": len(np.unique(known)),
    }
    if len(finite):
        low, high = float(finite.min()), float(finite.max())
        narrow = np.isfinite(high - low)
        scale = 1.0 if narrow else 2.0  # halves are no farther apart than a float64 can say
        quantiles = np.quantile(finite / scale, [0, 0.25, 0.5, 0.75, 1]) * scale
        found["quantiles"] = [float(f"{q:.6g}") for q in quantiles.tolist()]
        if narrow:
            found["bins"] = in_bins(finite - low, high - low, _BINS)
    return found
