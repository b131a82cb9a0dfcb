"""The rows that a file holds, so that a reader can save those of a node as CSV."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ramify.show.report.rows import ReportRows
from ramify.support.page.json_numbers import json_number
from ramify.tables.levels import MISSING

#: The most characters that the rows may take in a file.
ROWS_BUDGET = 120_000


def saved_rows(rows: ReportRows, shown: list[int], most: int) -> dict[str, Any] | None:
    """At most so many rows, evenly spaced: their places, cells by column, and target.

    A cell is a number, the code of a level, or None if it is missing; dates and times are also
    there as text. There are fewer rows if the file would become too large, and None if no row is
    allowed.
    """
    total = rows.table.n_rows
    count = min(most, total)
    while count > 0:
        found = _rows(rows, shown, np.unique(np.linspace(0, total - 1, count).astype(int)))
        length = len(json.dumps(found))
        if length <= ROWS_BUDGET:
            return found | {"total": total}
        count = min(count - 1, int(count * ROWS_BUDGET / length * 0.95))
    return None


def _rows(rows: ReportRows, shown: list[int], places: Any) -> dict[str, Any]:
    cells: list[list[Any]] = []
    texts: list[list[str] | int] = []
    for j in shown:
        column, values = rows.table.schema.columns[j], rows.table.column(j)[places].tolist()
        form = column.times
        texts.append(
            0 if form is None else ["" if np.isnan(value) else form.show(value) for value in values]
        )
        if column.kind == "numeric":
            cells.append([json_number(value) for value in values])
        else:
            cells.append([None if value == MISSING else value for value in values])
    return {
        "index": places.tolist(),
        "cells": cells,
        "texts": texts,
        "target": [json_number(value) for value in rows.target[places].tolist()],
    }
