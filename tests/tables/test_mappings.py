"""Dicts of columns: lists keep their cells as they are, and series their dtypes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import pytest
from helpers.table_data import NAN, cells, kinds

from ramify.tables import read_table


@pytest.mark.parametrize("made", [list, tuple, lambda given: np.array(given, dtype=object)])
@pytest.mark.parametrize(
    "given",
    [
        [20, None, 35.5],
        [20, NAN, 35.5],
        [np.int64(20), None, 35.5],
        [Decimal(20), None, Decimal("35.5")],
    ],
)
def test_numbers_with_holes_are_numeric(given: list[Any], made: Any) -> None:
    schema, columns = read_table({"age": made(given)})
    assert kinds(schema) == ["numeric"]
    assert cells(columns, 0) == [20.0, None, 35.5]
    assert cells(schema.encode({"age": [1, None]}), 0) == [1.0, None]


@pytest.mark.parametrize("hole", [None, NAN])
def test_holes_among_strings_are_missing(hole: Any) -> None:
    schema, columns = read_table({"town": ["Oslo", hole, "Bonn"]})
    assert schema[0].levels == ("Bonn", "Oslo")
    assert cells(columns, 0) == [1, -1, 0]
    assert cells(schema.encode({"town": [hole, "Bonn"]}), 0) == [-1, 0]


def test_cells_of_different_types_stay_different() -> None:
    schema, _ = read_table({"code": [1, "1", None], "flag": [True, None, False]})
    assert set(schema[0].levels) == {1, "1"}
    assert schema[1].levels == (False, True)


def test_a_masked_cell_is_missing() -> None:
    schema, columns = read_table({"x": np.ma.masked_equal([3, 0, 5], 0)})
    assert kinds(schema) == ["numeric"]
    assert cells(columns, 0) == [3.0, None, 5.0]


def test_series_are_read_as_in_a_frame() -> None:
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    ordered = pd.CategoricalDtype(["small", "large"], ordered=True)
    given = {
        "size": pd.Series(["large", None], dtype=ordered),
        "town": pl.Series(["Oslo", None]),
        "age": pd.Series([7, None], dtype="Int64"),
    }
    wrapped = {name: nw.from_native(series, series_only=True) for name, series in given.items()}
    for X in (given, wrapped):
        schema, columns = read_table(X)
        assert kinds(schema) == ["ordinal", "nominal", "numeric"]
        assert schema[0].levels == ("small", "large")
        assert [cells(columns, j) for j in range(3)] == [[1, -1], [0, -1], [7.0, None]]


def test_decimals_in_a_pandas_column_are_numbers() -> None:
    pd = pytest.importorskip("pandas")
    schema, columns = read_table(pd.DataFrame({"price": [Decimal("1.5"), None, Decimal(3)]}))
    assert kinds(schema) == ["numeric"]
    assert cells(columns, 0) == [1.5, None, 3.0]


@pytest.mark.parametrize("wrong", [[[1, 2], [3, 4]], [[1, 2], [3]], ["a", ["b"]], 3, np.eye(2)])
def test_nested_columns_are_refused_by_name(wrong: Any) -> None:
    with pytest.raises(ValueError, match="Column 'x' of the dict of columns is not one-dim"):
        read_table({"x": wrong})


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match=r"differ in length: \[1, 2\]"):
        read_table({"x": [1, 2], "y": ["a"]})
