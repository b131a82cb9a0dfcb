"""What the tests of the table share: frames of every library, and a look at the cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ramify.tables import Columns, ColumnSchema, Schema, read_table

NAN = float("nan")


def kinds(schema: Schema) -> list[str]:
    return [column.kind for column in schema.columns]


def one(X: Any, **options: Any) -> tuple[ColumnSchema, list[Any]]:
    """The schema and the encoded cells of a table of one column (missing floats as None)."""
    schema, columns = read_table(X, **options)
    assert len(schema) == len(columns) == 1
    return schema.columns[0], cells(columns)


def objects(*values: Any) -> Any:
    """A column of any objects, tuples too, which a list of rows cannot hold."""
    X = np.empty((len(values), 1), dtype=object)
    X[:, 0] = values
    return X


def cells(columns: Columns, j: int = 0) -> list[Any]:
    values = columns.column(j)
    assert values.dtype in (np.float64, np.int32)
    if columns.matrix is None:
        assert values.flags.c_contiguous
    return [None if math.isnan(v) else v for v in values.tolist()]


def frame(library: str, data: dict[str, list[Any]]) -> Any:
    if library == "pandas":
        return pytest.importorskip("pandas").DataFrame(data)
    if library == "polars":
        return pytest.importorskip("polars").DataFrame(data)
    if library == "pyarrow":
        return pytest.importorskip("pyarrow").table(data)
    if library == "narwhals":
        import narwhals as nw

        return nw.from_native(frame("polars", data))
    if library == "dict":
        return dict(data)
    rows = [list(row) for row in zip(*data.values(), strict=True)]
    return rows if library == "list" else np.array(rows, dtype=object)


FRAMES = ["pandas", "polars", "pyarrow", "narwhals", "dict"]
LIBRARIES = [*FRAMES, "list", "numpy"]
MIXED = {
    "size": [1.5, None, -3.0, math.inf],
    "count": [3, 1, 2, 2],
    "colour": ["red", None, "blue", "red"],
    "flag": [True, False, None, True],
}
