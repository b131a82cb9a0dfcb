"""NumPy arrays and lists, and which of them are refused."""

from __future__ import annotations

import decimal
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from helpers.table_data import NAN, cells, kinds, one

from ramify.tables import ColumnSchema, read_table

# --- NumPy arrays ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_an_array_of_floats_is_not_copied(order: Any, dtype: Any) -> None:
    X = np.asarray(np.arange(12.0).reshape(4, 3), order=order, dtype=dtype)
    X.flags.writeable = False
    schema, columns = read_table(X)
    assert columns.matrix is X
    assert columns.arrays == []
    assert schema.encode(X).matrix is X
    assert np.shares_memory(schema.encode(X[::2]).matrix, X)


@pytest.mark.parametrize("dtype", ["f2", ">f4", "i1", "u8", "i8", ">f8", ">i4"])
def test_other_numeric_dtypes(dtype: str) -> None:
    X = np.array([[1, 2], [3, 4]], dtype=dtype)
    _, columns = read_table(X)
    assert columns.matrix is not None
    assert columns.matrix.dtype == np.dtype("float64")
    assert columns.matrix.dtype.isnative
    assert columns.matrix.tolist() == [[1, 2], [3, 4]]


def test_awkward_strides_are_copied() -> None:
    packed = np.zeros(6, dtype=[("a", "u1"), ("b", "<f8", (2,))])
    packed["b"] = np.arange(12.0).reshape(6, 2)
    _, columns = read_table(packed["b"])
    assert columns.matrix is not None
    assert columns.matrix.flags.aligned
    assert columns.matrix.tolist() == packed["b"].tolist()


def test_large_integers_round_to_float64_but_levels_are_exact() -> None:
    big = 2**53
    X = np.array([[big], [big + 1]])
    assert one(X)[1] == [float(big), float(big)]
    column, codes = one(X, categorical_features=[0])
    assert column.levels == (big, big + 1)
    assert codes == [0, 1]


def test_huge_python_integer_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'x0'.*too large"):
        read_table([[10**400], [1]])


def test_bool_and_string_arrays_are_nominal() -> None:
    column, codes = one(np.array([[True], [False], [True]]))
    assert (column.kind, column.levels, codes) == ("nominal", (False, True), [1, 0, 1])
    column, codes = one(np.array([["b"], ["a"], [""]]))
    assert (column.kind, column.levels, codes) == ("nominal", ("", "a", "b"), [2, 1, 0])
    column, codes = one(np.array([[b"b"], [b"a"]]))
    assert (column.levels, codes) == ((b"a", b"b"), [1, 0])


def test_masked_array_cells_are_missing() -> None:
    X = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    _, columns = read_table(X)
    assert cells(columns, 0) == [1, 3]
    assert cells(columns, 1) == [None, 4]
    words = np.ma.masked_array([["a"], ["b"]], mask=[[True], [False]])
    assert one(words) == (ColumnSchema("x0", "nominal", ("b",)), [-1, 0])


def test_list_rows_keep_their_types() -> None:
    schema, columns = read_table([[1, "1", True, Fraction(1, 2)], [2.5, None, False, None]])
    assert kinds(schema) == ["numeric", "nominal", "nominal", "numeric"]
    assert schema[1].levels == ("1",)
    assert cells(columns, 3) == [0.5, None]


def test_numpy_scalars_and_decimals_in_objects() -> None:
    X = np.array([[np.int8(3), np.str_("a")], [decimal.Decimal("0.5"), np.str_("b")]], dtype=object)
    schema, columns = read_table(X)
    assert cells(columns, 0) == [3, 0.5]
    assert [type(level) for level in schema[1].levels] == [str, str]


@pytest.mark.parametrize("container", [list, np.array])
def test_infinities_are_values(container: Any) -> None:
    assert one(container([[math.inf], [-math.inf], [NAN]]))[1] == [math.inf, -math.inf, None]


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize("fmt", ["csr_matrix", "csr_array", "coo_array", "csc_matrix"])
def test_sparse_is_refused(fmt: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        read_table(getattr(sparse, fmt)(np.eye(3)))


def test_complex_is_refused() -> None:
    for X in (np.array([[1j]]), [[1j], [2.0]], np.array([[1j], ["a"]], dtype=object)):
        with pytest.raises(ValueError, match="Complex data not supported"):
            read_table(X)


def test_wrong_dimensions() -> None:
    for X in (np.arange(3.0), [1, 2, 3], ["a", "b"], [{"a": 1}]):
        with pytest.raises(ValueError, match=r"(?s)Expected 2D array, got 1D array.*Reshape your"):
            read_table(X)
    with pytest.raises(ValueError, match="Expected 2D array, got scalar"):
        read_table(3.0)
    with pytest.raises(ValueError, match="Found array with dim 3"):
        read_table(np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="different lengths"):
        read_table([[1, 2], [3]])


@pytest.mark.parametrize("series", ["pandas", "polars"])
def test_series_is_one_dimensional(series: str) -> None:
    library = pytest.importorskip(series)
    with pytest.raises(ValueError, match="got 1D array instead"):
        read_table(library.Series([1.0, 2.0]))


def test_empty_tables() -> None:
    rows = r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."
    features = r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required\."
    with pytest.raises(ValueError, match=rows):
        read_table(np.empty((0, 3)))
    with pytest.raises(ValueError, match=features):
        read_table(np.empty((3, 0)))
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=rows):
        read_table(pd.DataFrame({"a": [], "b": [], "c": []}))
    with pytest.raises(ValueError, match=features):
        read_table(pd.DataFrame(index=range(3)))


def test_matrix_is_refused() -> None:
    with pytest.warns(PendingDeprecationWarning), pytest.raises(TypeError, match=r"np\.matrix"):
        read_table(np.matrix([[1.0]]))


def test_unhashable_cell_names_the_column() -> None:
    with pytest.raises(TypeError, match=r"'x1' holds a dict.*argument must be a string.* number"):
        read_table([[1, "a"], [2, {}]])
    pd = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="'tags' holds a list"):
        read_table(pd.DataFrame({"tags": [["a"], ["b"]]}))


def test_periods_and_nested_values_are_refused() -> None:
    pd = pytest.importorskip("pandas")
    for bad in (
        pd.period_range("2020", periods=1),
        pd.interval_range(0, 1),
    ):
        with pytest.raises(TypeError, match="Column 'when' has dtype"):
            read_table(pd.DataFrame({"when": bad}))
    pl = pytest.importorskip("polars")
    for value in ([1], {"a": 1}):
        with pytest.raises(TypeError, match="Column 'when' has dtype"):
            read_table(pl.DataFrame({"when": [value]}))


def test_pandas_sparse_and_complex_columns() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="'a' has dtype Sparse"):
        read_table(pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0])}))
    with pytest.raises(ValueError, match="Complex data not supported: column 'a'"):
        read_table(pd.DataFrame({"a": [1j]}))


def test_lazy_frame() -> None:
    pl = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"lazy.*\.collect\(\)"):
        read_table(pl.LazyFrame({"a": [1]}))
