"""pandas, polars and Arrow, type by type."""

from __future__ import annotations

import decimal

import numpy as np
import pytest
from helpers.table_data import NAN, cells, kinds, objects, one

from ramify.tables import ColumnSchema, read_table

# --- pandas ----------------------------------------------------------------------------------


def test_pandas_block_of_floats_is_not_copied() -> None:
    pd = pytest.importorskip("pandas")
    X = np.random.default_rng(0).random((50, 4))
    table = pd.DataFrame(X, columns=list("abcd"), copy=False)
    schema, columns = read_table(table)
    assert columns.matrix is not None
    np.testing.assert_array_equal(columns.matrix, X)
    assert np.shares_memory(columns.matrix, table.to_numpy())
    table["e"] = 1
    schema, columns = read_table(table)
    assert columns.matrix is None
    np.testing.assert_array_equal(columns.arrays[1], X[:, 1])
    assert len(schema) == 5


@pytest.mark.parametrize(
    "dtype", ["Int64", "UInt8", "Float32", "Float64", "int64[pyarrow]", "double[pyarrow]"]
)
def test_pandas_nullable_numbers(dtype: str) -> None:
    pd = pytest.importorskip("pandas")
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    X = pd.DataFrame({"a": pd.array([3, None, 1], dtype=dtype)})
    assert one(X) == (ColumnSchema("a", "numeric"), [3, None, 1])
    column, codes = one(X, categorical_features=["a"])
    assert (column.levels, codes) == ((1, 3), [1, -1, 0])


@pytest.mark.parametrize("dtype", ["str", "string", "object", "category", "string[python]"])
def test_pandas_strings(dtype: str) -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Series(["b", None, "a", "b"], dtype=dtype)})
    assert one(X) == (ColumnSchema("a", "nominal", ("a", "b")), [1, -1, 0, 1])


def test_pandas_arrow_types() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    for kind in (pa.string(), pa.dictionary(pa.int32(), pa.string())):
        X = pd.DataFrame({"a": pd.array(["b", None, "a"], dtype=pd.ArrowDtype(kind))})
        assert one(X) == (ColumnSchema("a", "nominal", ("a", "b")), [1, -1, 0])
    X = pd.DataFrame({"a": pd.array([None, None], dtype=pd.ArrowDtype(pa.null()))})
    assert one(X) == (ColumnSchema("a", "nominal", ()), [-1, -1])


def test_pandas_bool() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.array([True, None, False], dtype="boolean")})
    assert one(X) == (ColumnSchema("a", "nominal", (False, True)), [1, -1, 0])
    X = pd.DataFrame({"a": [True, True]})
    assert one(X) == (ColumnSchema("a", "nominal", (True,)), [0, 0])


def test_pandas_categories() -> None:
    pd = pytest.importorskip("pandas")
    values = ["m", None, "s", "m"]
    X = pd.DataFrame({"a": pd.Categorical(values, categories=["s", "x", "m"])})
    assert one(X) == (ColumnSchema("a", "nominal", ("s", "m")), [1, -1, 0, 1])
    X = pd.DataFrame({"a": pd.Categorical(values, categories=["s", "x", "m"], ordered=True)})
    assert one(X) == (ColumnSchema("a", "ordinal", ("s", "x", "m")), [2, -1, 0, 2])
    column, codes = one(X, categorical_features=["a"])
    assert (column.kind, column.levels, codes) == ("nominal", ("s", "m"), [1, -1, 0, 1])
    X = pd.DataFrame({"a": pd.Categorical([3, 1, None])})
    assert one(X) == (ColumnSchema("a", "nominal", (1, 3)), [1, 0, -1])


def test_pandas_object_is_always_nominal() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Series([3, 1, None], dtype=object)})
    assert one(X) == (ColumnSchema("a", "nominal", (1, 3)), [1, 0, -1])


def test_every_missing_value_in_an_object_column() -> None:
    pd = pytest.importorskip("pandas")
    gone = [
        None,
        NAN,
        np.float32("nan"),
        pd.NA,
        pd.NaT,
        np.datetime64("NaT"),
        decimal.Decimal("NaN"),
    ]
    X = pd.DataFrame({"a": pd.Series(["x", *gone], dtype=object)})
    assert one(X) == (ColumnSchema("a", "nominal", ("x",)), [0] + [-1] * len(gone))
    numbers = np.array([[1.5], [None], [NAN], [pd.NA], [pd.NaT]], dtype=object)
    assert one(numbers) == (ColumnSchema("x0", "numeric"), [1.5, None, None, None, None])


def test_mixed_types_in_one_column() -> None:
    values = ["b", 2, "1", 1, 1.0, True, ("t", 1), b"z", None, "b", 0.5]
    column, codes = one(objects(*values))
    assert column.levels == (0.5, 1, 2, "1", "b", b"z", ("t", 1))
    assert type(column.levels[1]) is int  # the first of 1, 1.0 and True
    assert codes == [4, 2, 3, 1, 1, 1, 6, 5, -1, 4, 0]


def test_levels_that_cannot_be_compared_keep_their_order() -> None:
    column, codes = one(objects((2, "a"), ("b", 1)))
    assert column.levels == ((2, "a"), ("b", 1))
    assert codes == [0, 1]


def test_all_missing_columns() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X = pd.DataFrame({"a": [NAN, NAN], "b": pd.Series([None, None], dtype=object)})
    schema, columns = read_table(X)
    assert kinds(schema) == ["numeric", "nominal"]
    assert schema["b"].levels == ()
    assert cells(columns, 1) == [-1, -1]
    assert cells(schema.encode(X), 0) == [None, None]
    encoded = schema.encode(pd.DataFrame({"a": [1.0], "b": ["new"]}))
    assert (cells(encoded, 0), cells(encoded, 1)) == ([1.0], [-2])
    assert one(pl.DataFrame({"a": [None, None]})) == (ColumnSchema("a", "nominal"), [-1, -1])
    strings = pl.DataFrame({"a": pl.Series([None], dtype=pl.String)})
    assert one(strings) == (ColumnSchema("a", "nominal"), [-1])


# --- polars and Arrow -------------------------------------------------------------------------


def test_polars_categorical_takes_observed_values() -> None:
    pl = pytest.importorskip("polars")
    other = pl.Series(["z", "y"], dtype=pl.Categorical)
    X = pl.DataFrame({"a": pl.Series(["c", None, "b"], dtype=pl.Categorical)})
    assert len(other) == 2  # shares its category list with the column
    assert one(X) == (ColumnSchema("a", "nominal", ("b", "c")), [1, -1, 0])
    assert one(X[:1]) == (ColumnSchema("a", "nominal", ("c",)), [0])


def test_polars_enum_keeps_declared_order() -> None:
    pl = pytest.importorskip("polars")
    X = pl.DataFrame({"a": pl.Series(["m", None, "s"], dtype=pl.Enum(["s", "x", "m"]))})
    assert one(X) == (ColumnSchema("a", "nominal", ("s", "m")), [1, -1, 0])


def test_a_polars_enum_is_ordinal_only_where_it_says_that_its_order_counts() -> None:
    pl = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    X = pl.DataFrame({"a": pl.Series(["m", None, "s", "m"], dtype=pl.Enum(["s", "x", "m"]))})
    declared = ColumnSchema("a", "ordinal", ("s", "x", "m")), [2, -1, 0, 2]
    assert one(X)[0].kind == "nominal"
    assert one(X.to_arrow()) == one(X.to_pandas()) == declared
    # What was learned from one container is found in the other.
    for learned in (X, X.to_arrow()):
        schema, columns = read_table(learned)
        for other in (X, X.to_arrow(), X.to_pandas()):
            assert schema.encode(other).arrays[0].tolist() == columns.arrays[0].tolist()


def test_polars_numbers() -> None:
    pl = pytest.importorskip("polars")
    for dtype in (pl.UInt8, pl.Int64, pl.Float32, pl.Decimal(10, 2)):
        X = pl.DataFrame({"a": pl.Series([3, None, 1], dtype=dtype)})
        assert one(X) == (ColumnSchema("a", "numeric"), [3, None, 1])
        column, codes = one(X, categorical_features=[0])
        assert (column.levels, codes) == ((1, 3), [1, -1, 0])
    X = pl.concat([pl.DataFrame({"a": [1.0]}), pl.DataFrame({"a": [2.0]})], rechunk=False)
    assert one(X)[1] == [1.0, 2.0]
    X = pl.DataFrame({"a": pl.Series([1, "a", None], dtype=pl.Object)})
    assert one(X) == (ColumnSchema("a", "nominal", (1, "a")), [0, 1, -1])


def test_polars_large_integers_as_levels() -> None:
    pl = pytest.importorskip("polars")
    X = pl.DataFrame({"a": [2**53 + 1, None, 2**53]})
    column, codes = one(X, categorical_features=["a"])
    assert (column.levels, codes) == ((2**53, 2**53 + 1), [1, -1, 0])


def test_arrow_dictionaries() -> None:
    pa = pytest.importorskip("pyarrow")
    first = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), ["b", "a"])
    second = pa.DictionaryArray.from_arrays(pa.array([1, 0, 2]), ["c", "b", None])
    X = pa.table({"a": pa.chunked_array([first, second])})
    assert one(X) == (ColumnSchema("a", "nominal", ("a", "b", "c")), [1, 0, -1, 1, 2, -1])
    ordered = pa.DictionaryArray.from_arrays(pa.array([0, None]), ["s", "m", "l"], ordered=True)
    assert one(pa.table({"a": ordered})) == (ColumnSchema("a", "ordinal", ("s", "m", "l")), [0, -1])


def test_arrow_types() -> None:
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.int64(), pa.float32(), pa.float16(), pa.decimal128(10, 2)):
        X = pa.table({"a": pa.array([3, None, 1], kind)})
        assert one(X) == (ColumnSchema("a", "numeric"), [3, None, 1])
        column, codes = one(X, categorical_features=["a"])
        assert (column.levels, codes) == ((1, 3), [1, -1, 0])
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        X = pa.table({"a": pa.array(["b", None, "a"], kind)})
        assert one(X) == (ColumnSchema("a", "nominal", ("a", "b")), [1, -1, 0])
    assert one(pa.table({"a": pa.nulls(2)})) == (ColumnSchema("a", "nominal"), [-1, -1])
    assert one(pa.table({"a": [2**53 + 1]}))[1] == [2.0**53]
