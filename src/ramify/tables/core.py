"""A table that has been read, as the core takes it: for growing, and for predicting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tables.table import Columns, Schema


def core_table(columns: Columns, schema: Schema, threads: int) -> Any:
    """Encode the columns for growing."""
    table = _core.Table(columns.n_rows)
    if columns.matrix is not None:
        table.add_matrix(columns.matrix, threads)
        return table
    pending: list[NDArray[np.float64]] = []
    for array, column in zip(columns.arrays, schema.columns, strict=True):
        if column.kind == "numeric":
            pending.append(array)
            continue
        # Numeric columns that stand together are encoded together, in parallel.
        table.add_numeric(pending, threads)
        pending = []
        table.add_codes(column.kind, array, len(column.levels))
    table.add_numeric(pending, threads)
    return table


def as_core(columns: Columns) -> Any:
    """Give what the core predicts from: one matrix, or a list of columns."""
    return columns.arrays if columns.matrix is None else columns.matrix
