"""The table: what comes in, what it becomes, and what is said when it cannot."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


# --- every container gives the same ---------------------------------------------------------


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
    rows = [list(row) for row in zip(*data.values(), strict=True)]
    return rows if library == "list" else np.array(rows, dtype=object)


FRAMES = ["pandas", "polars", "pyarrow", "narwhals"]
LIBRARIES = [*FRAMES, "list", "numpy"]
MIXED = {
    "size": [1.5, None, -3.0, math.inf],
    "count": [3, 1, 2, 2],
    "colour": ["red", None, "blue", "red"],
    "flag": [True, False, None, True],
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_same_table_from_every_library(library: str) -> None:
    data = dict(MIXED)
    X = frame(library, data)
    schema, columns = read_table(X)
    assert kinds(schema) == ["numeric", "numeric", "nominal", "nominal"]
    assert schema.named is (library in FRAMES)
    assert schema.names == (list(data) if schema.named else ["x0", "x1", "x2", "x3"])
    assert schema[2].levels == ("blue", "red")
    assert schema[3].levels == (False, True)
    assert type(schema[3].levels[0]) is bool
    expected = [[1.5, None, -3.0, math.inf], [3, 1, 2, 2], [1, -1, 0, 1], [1, 0, -1, 1]]
    assert [cells(columns, j) for j in range(4)] == expected
    again = schema.encode(X)
    assert [cells(again, j) for j in range(4)] == expected
    assert columns.n_rows == again.n_rows == 4


@pytest.mark.parametrize("fitted", LIBRARIES)
@pytest.mark.parametrize("given_", LIBRARIES)
@pytest.mark.filterwarnings("ignore:X (has|does not have)")
def test_fit_with_one_library_predict_with_another(fitted: str, given_: str) -> None:
    schema, columns = read_table(frame(fitted, MIXED))
    again = schema.encode(frame(given_, MIXED))
    assert [cells(again, j) for j in range(4)] == [cells(columns, j) for j in range(4)]


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(allow_nan=True, allow_infinity=True, width=16),
    st.sampled_from(["", "a", "b", "1", "nan"]),
    st.just(b"x"),
)


@settings(deadline=None)
@given(st.lists(scalars, min_size=1, max_size=30))
def test_object_column_by_value(values: list[Any]) -> None:
    X = objects(*values)
    column, codes = one(X)
    missing = [v is None or (type(v) is float and math.isnan(v)) for v in values]
    known = [v for v, m in zip(values, missing, strict=True) if not m]
    if column.kind == "numeric":
        assert all(type(v) in (int, float) for v in values if v is not None)
        assert codes == [None if m else float(v) for v, m in zip(values, missing, strict=True)]
        return
    assert len(set(column.levels)) == len(column.levels) == len(set(known))
    for value, gone, code in zip(values, missing, codes, strict=True):
        assert code == -1 if gone else column.levels[code] == value
    assert cells(read_table(X)[0].encode(X)) == codes


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.sampled_from("abcde")), min_size=1), st.randoms())
@pytest.mark.parametrize("library", FRAMES)
def test_levels_do_not_depend_on_row_order(library: str, values: list[Any], random: Any) -> None:
    pytest.importorskip("polars" if library == "narwhals" else library)
    shuffled = values[:]
    random.shuffle(shuffled)
    first, _ = one(frame(library, {"a": values}))
    second, codes = one(frame(library, {"a": shuffled}))
    assert first == second
    assert [None if c < 0 else second.levels[c] for c in codes] == shuffled


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(width=64), min_size=3, max_size=3), min_size=1, max_size=20))
def test_floats_are_kept_exactly(rows: list[list[float]]) -> None:
    X = np.array(rows)
    schema, columns = read_table(X)
    assert columns.matrix is X
    _, listed = read_table(rows)
    for j in range(3):
        np.testing.assert_array_equal(listed.column(j), X[:, j])
    assert kinds(schema) == ["numeric"] * 3


# --- NumPy arrays ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["C", "F"])
def test_float64_array_is_not_copied(order: Any) -> None:
    X = np.asarray(np.arange(12.0).reshape(4, 3), order=order)
    X.flags.writeable = False
    schema, columns = read_table(X)
    assert columns.matrix is X
    assert columns.arrays == []
    assert schema.encode(X).matrix is X
    assert np.shares_memory(schema.encode(X[::2]).matrix, X)


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "u8", "i8", ">f8", ">i4"])
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


def test_dates_are_refused() -> None:
    with pytest.raises(TypeError, match=r"'x0' has dtype datetime64.*Convert"):
        read_table(np.array([["2020-01-01"]], dtype="datetime64[D]"))
    pd = pytest.importorskip("pandas")
    for bad in (
        pd.to_datetime(["2020-01-01"]),
        pd.to_timedelta([1]),
        pd.period_range("2020", periods=1),
        pd.interval_range(0, 1),
    ):
        with pytest.raises(TypeError, match="Column 'when' has dtype"):
            read_table(pd.DataFrame({"when": bad}))
    pl = pytest.importorskip("polars")
    for value in (
        datetime.date(2020, 1, 1),
        datetime.time(1),
        datetime.timedelta(1),
        [1],
        {"a": 1},
    ):
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


# --- names -----------------------------------------------------------------------------------


def test_duplicate_names() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_table(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_table(pa.table([[1], [2]], names=["a", "a"]))


def test_names_that_are_not_strings() -> None:
    pd = pytest.importorskip("pandas")
    for names in ([0, 1], [("a", 1), ("a", 2)]):
        schema, _ = read_table(pd.DataFrame([[1, "a"]], columns=names))
        assert not schema.named
        assert schema.names == ["x0", "x1"]
        assert kinds(schema) == ["numeric", "nominal"]
    with pytest.raises(TypeError, match="Feature names are only supported if all input features"):
        read_table(pd.DataFrame([[1, 2]], columns=["a", 1]))


def test_names_are_checked_in_the_words_of_scikit_learn() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(np.zeros((2, 3)), columns=["a", "b", "c"])
    schema, _ = read_table(X)
    start = "The feature names should match those that were passed during fit.\n"
    with pytest.raises(ValueError, match=start + "Feature names must be in the same order"):
        schema.encode(X[["b", "a", "c"]])
    with pytest.raises(ValueError, match=start + "Feature names unseen at fit time:\n- z\n"):
        schema.encode(X.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="seen at fit time, yet now missing:\n- c\n"):
        schema.encode(X[["a", "b"]])
    with pytest.warns(UserWarning, match="does not have valid feature names, but TreeClassifier"):
        schema.encode(X.to_numpy(), owner="TreeClassifier")
    with pytest.warns(UserWarning, match="X has feature names, but Schema was fitted without"):
        read_table(X.to_numpy())[0].encode(X)


def test_number_of_columns() -> None:
    schema, _ = read_table(np.zeros((2, 4)))
    with pytest.raises(
        ValueError, match="X has 3 features, but Tree is expecting 4 features as input"
    ):
        schema.encode(np.zeros((2, 3)), owner="Tree")


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
    with pytest.raises(TypeError, match="'a' has dtype date32"):
        read_table(pa.table({"a": [datetime.date(2020, 1, 1)]}))


# --- categorical_features ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "choice", [[False, True], np.array([False, True]), [1], (1,), np.array([1]), ["b"], {"b"}]
)
def test_categorical_features(choice: Any) -> None:
    pd = pytest.importorskip("pandas")
    schema, columns = read_table(
        pd.DataFrame({"a": [1, 2], "b": [7.0, 3.0]}), categorical_features=choice
    )
    assert kinds(schema) == ["numeric", "nominal"]
    assert schema["b"].levels == (3.0, 7.0)
    assert cells(columns, 1) == [1, 0]


@pytest.mark.parametrize("choice", ["from_dtype", None, [], (), np.array([], dtype=int)])
def test_no_categorical_features(choice: Any) -> None:
    schema, _ = read_table([[1, "a"]], categorical_features=choice)
    assert kinds(schema) == ["numeric", "nominal"]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("a", r"categorical_features='a': expected 'from_dtype'"),
        (7, "categorical_features=7: expected"),
        ([2], "2 is not an index; valid are 0 to 1"),
        ([-1], "-1 is not an index"),
        ([True], "the mask has length 1, but X has 2 columns"),
        (["z"], r"no column 'z'; its columns are 'a', 'b'"),
        ([0, "a"], "items of type int, str"),
        ([1.5], "items of type float"),
    ],
)
def test_bad_categorical_features(choice: Any, message: str) -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=message):
        read_table(pd.DataFrame({"a": [1], "b": [2]}), categorical_features=choice)


def test_names_need_a_named_table() -> None:
    with pytest.raises(ValueError, match="X has no column names"):
        read_table(np.zeros((2, 2)), categorical_features=["x0"])


# --- kinds that change ------------------------------------------------------------------------


def table(values: Any, dtype: Any = None) -> Any:
    pd = pytest.importorskip("pandas")
    return pd.DataFrame({"a": pd.Series(values, dtype=dtype)})


@pytest.mark.parametrize(
    ("fitted", "now"),
    [
        (([1.0, 2.0],), (["x"],)),
        (([1.0, 2.0],), ([1, "x"], object)),
        (([1.0, 2.0],), ([True],)),
        (([1.0, 2.0],), (["1"], "category")),
        ((["x", "y"],), ([1.0],)),
        ((["x", "y"], "category"), ([1], "Int64")),
    ],
)
def test_a_changed_kind_is_an_error(fitted: Any, now: Any) -> None:
    schema, _ = read_table(table(*fitted))
    with pytest.raises(ValueError, match=f"Column 'a' was {schema[0].kind} in fit.*dtype"):
        schema.encode(table(*now))


@pytest.mark.parametrize(
    ("fitted", "now", "expected"),
    [
        (([1.0, 2.0],), ([3, None], object), [3.0, None]),
        (([1.0, 2.0],), ([None, None], object), [None, None]),
        (([1.0, 2.0],), ([2, 7], "category"), [2.0, 7.0]),
        ((["x", "y"],), (["y", "z"], "category"), [1, -2]),
        ((["x", "y"], "category"), (["y", None], "string"), [1, -1]),
        ((["x", "y"],), ([NAN, NAN],), [-1, -1]),
        ((["x", "y"],), ([5, "x"], object), [-2, 0]),
        ((["x", "y"],), ([5], object), [-2]),
        (([True, False],), ([False, True], object), [0, 1]),
        (([True, False],), ([1, 0],), [1, 0]),
        (([1, 2], "category"), ([2.0, 1.0, NAN, 1.5],), [1, 0, -1, -2]),
    ],
)
def test_values_matter_not_dtypes(fitted: Any, now: Any, expected: list[Any]) -> None:
    schema, _ = read_table(table(*fitted))
    assert cells(schema.encode(table(*now))) == expected


def test_numeric_array_for_a_nominal_column() -> None:
    schema, _ = read_table([["a", 1], ["b", 2]])
    with pytest.raises(ValueError, match="Column 'x0' was nominal in fit, with levels 'a', 'b'"):
        schema.encode(np.array([[1.0, 2.0]]))


# --- unseen levels ----------------------------------------------------------------------------


def test_unseen_policies() -> None:
    schema, _ = read_table(table(["x", "y"]))
    now = table(["z", "x", None])
    assert cells(schema.encode(now, unseen="missing")) == [-2, 0, -1]
    assert cells(schema.encode(now, unseen="majority")) == [-2, 0, -1]
    with pytest.raises(ValueError, match=r"'a' holds the level 'z' \(row 0\).*Levels: 'x', 'y'"):
        schema.encode(now, unseen="error")
    with pytest.raises(ValueError, match=r"unseen must be one of .*'majority'.* got 'other'"):
        schema.encode(now, unseen="other")  # type: ignore[arg-type]


def test_categories_that_do_not_occur_are_not_unseen() -> None:
    pd = pytest.importorskip("pandas")
    schema, _ = read_table(table(["x", "y"]))
    now = pd.DataFrame({"a": pd.Categorical(["y"], categories=["z", "y"])})
    assert cells(schema.encode(now, unseen="error")) == [1]


def test_unseen_ordinal_level() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Categorical(["s"], categories=["s", "m"], ordered=True)})
    schema, _ = read_table(X)
    assert cells(schema.encode(table(["m", "huge", "s"]))) == [1, -2, 0]


@pytest.mark.parametrize("library", LIBRARIES)
def test_one_row_equals_batch(library: str) -> None:
    schema, columns = read_table(frame(library, MIXED))
    for i in range(4):
        row = {
            name: [values[i]] if values[i] is not None else [None] for name, values in MIXED.items()
        }
        encoded = schema.encode(frame(library, row))
        for j in range(4):
            assert cells(encoded, j) == cells(columns, j)[i : i + 1]


# --- many levels ------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_hundred_thousand_levels(library: str) -> None:
    n = 100_000
    values = [f"v{i:06d}" for i in range(n)]
    X = frame(library, {"a": values[::-1]})
    schema, columns = read_table(X)
    assert schema[0].levels == tuple(values)
    np.testing.assert_array_equal(columns.arrays[0], np.arange(n)[::-1])
    np.testing.assert_array_equal(schema.encode(X).arrays[0], columns.arrays[0])


def test_one_row_of_many_categories() -> None:
    pd = pytest.importorskip("pandas")
    levels = [f"v{i:06d}" for i in range(100_000)]
    X = pd.DataFrame({"a": pd.Categorical(levels)})
    schema, _ = read_table(X)
    assert cells(schema.encode(X[99_999:])) == [99_999]
    gone = pd.DataFrame({"a": pd.Categorical([None], categories=levels)})
    assert cells(schema.encode(gone, unseen="error")) == [-1]


# --- the schema as data -----------------------------------------------------------------------


json_levels = st.one_of(
    st.text(), st.integers(), st.floats(allow_nan=False), st.booleans(), st.binary(max_size=4)
)
schemas = st.builds(
    Schema,
    st.lists(
        st.one_of(
            st.builds(ColumnSchema, st.text(), st.just("numeric")),
            st.builds(
                ColumnSchema,
                st.text(),
                st.sampled_from(["nominal", "ordinal"]),
                st.lists(json_levels, unique=True, max_size=6).map(tuple),
            ),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda column: column.name,
    ).map(tuple),
    st.booleans(),
)


@settings(deadline=None)
@given(schemas)
def test_json_round_trip(schema: Schema) -> None:
    text = json.dumps(schema.to_dict(), allow_nan=False)
    again = Schema.from_dict(json.loads(text))
    assert again == schema
    for a, b in zip(again.columns, schema.columns, strict=True):
        assert list(map(type, a.levels)) == list(map(type, b.levels))


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["named", "columns", "name", "kind", "levels", "float"]), inner
        ),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(anything)
def test_from_dict_accepts_or_raises_value_error(data: Any) -> None:
    for candidate in (data, {"named": True, "columns": data}):
        try:
            schema = Schema.from_dict(candidate)
        except ValueError:
            continue
        assert Schema.from_dict(schema.to_dict()) == schema


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (3, r"schema.columns\[0\]: expected an object, got int"),
        ({"kind": "numeric"}, "'name' is missing"),
        ({"name": "a", "kind": "odd"}, r"columns\[0\].kind: expected one of .*got 'odd'"),
        ({"name": "a", "kind": "numeric", "levels": []}, "unknown key 'levels'"),
        ({"name": 1, "kind": "numeric"}, r"columns\[0\].name: expected str, got int"),
        ({"name": "a", "kind": "nominal"}, "'levels' is missing"),
        ({"name": "a", "kind": "nominal", "levels": [[]]}, r"levels\[0\]: expected a string"),
        ({"name": "a", "kind": "nominal", "levels": [NAN]}, r"levels\[0\]: expected a string"),
        ({"name": "a", "kind": "nominal", "levels": [{"bytes": "zz"}]}, r"levels\[0\]: expected"),
        ({"name": "a", "kind": "nominal", "levels": [1, True]}, "two levels are equal"),
    ],
)
def test_from_dict_names_the_place(column: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Schema.from_dict({"named": True, "columns": [column]})


def test_from_dict_checks_the_whole() -> None:
    column = {"name": "a", "kind": "numeric"}
    with pytest.raises(ValueError, match="at least one column"):
        Schema.from_dict({"named": True, "columns": []})
    with pytest.raises(ValueError, match="same name"):
        Schema.from_dict({"named": True, "columns": [column, column]})
    with pytest.raises(ValueError, match=r"schema\.named: expected bool, got int"):
        Schema.from_dict({"named": 1, "columns": [column]})
    with pytest.raises(ValueError, match="schema: unknown key 'x'"):
        Schema.from_dict({"named": True, "columns": [column], "x": 1})


def test_a_level_json_cannot_hold() -> None:
    schema, _ = read_table(objects(("t",), ("u",)))
    with pytest.raises(ValueError, match=r"column 'x0': level \('t',\) of type tuple"):
        schema.to_dict()
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_pickle_does_not_depend_on_use() -> None:
    schema, _ = read_table([["a"], ["b"]])
    before = pickle.dumps(schema)
    schema.encode([["a"]])
    assert pickle.dumps(schema) == before
    assert cells(pickle.loads(before).encode([["b"]])) == [1]


def test_schema_looks_like_a_sequence_of_columns() -> None:
    schema, _ = read_table([["a", 1]])
    assert len(schema) == 2
    assert schema["x1"] is schema[1]
    with pytest.raises(KeyError, match="no column 'y'"):
        schema["y"]


def test_input_is_never_written_to() -> None:
    pd = pytest.importorskip("pandas")
    X = np.array([["b", 1.0], [None, NAN]], dtype=object)
    X.flags.writeable = False
    schema, _ = read_table(X)
    schema.encode(X)
    data = pd.DataFrame(MIXED)
    copy = data.copy(deep=True)
    read_table(data)[0].encode(data)
    pd.testing.assert_frame_equal(data, copy)


def test_memory_map(tmp_path: Any) -> None:
    np.save(tmp_path / "x.npy", np.arange(6.0).reshape(3, 2))
    X = np.load(tmp_path / "x.npy", mmap_mode="r")
    _, columns = read_table(X)
    assert type(columns.matrix) is np.ndarray
    assert np.shares_memory(columns.matrix, X)


def test_array_like_object() -> None:
    class Wrapped:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([[1.0, 2.0]])

    assert read_table(Wrapped())[1].matrix.tolist() == [[1.0, 2.0]]


def test_import_brings_in_no_heavy_library() -> None:
    code = (
        "import sys, ramify.tables; "
        "print([m for m in ('pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
