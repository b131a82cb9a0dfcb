"""Opening any table that a user may pass: its shape, its names and its columns.

Invariant: a Source has at least one row and one column, and distinct column names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ramify.tables.columns import (
    ArrayColumn,
    CodedColumn,
    Column,
    dtype_error,
    narwhals_column,
    numpy_column,
    pandas_column,
)
from ramify.tables.forms import Form
from ramify.tables.levels import Matrix

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


@dataclass(frozen=True)
class Source:
    """An opened table.

    Parameters
    ----------
    names : list of str
        The user's names, or "x0", "x1", ... if there are none.
    named : bool
        Whether the names are the user's.
    n_rows : int
    columns : list of Column
    array : ndarray or None
        The whole table, if it came as one two-dimensional numeric array.
    frame : pandas DataFrame or None
        The whole table, if it came as a pandas DataFrame, whose floats may be one block.
    """

    names: list[str]
    named: bool
    n_rows: int
    columns: list[Column]
    array: NDArray[Any] | None = None
    frame: Any = None

    def matrix(self) -> Matrix | None:
        """Give all columns as one array of floats, if one plain conversion is enough for that.

        The array is float32 if the input is. Otherwise it is float64.
        """
        if self.array is not None:
            kept = self.array.dtype == np.float32
            return _regular(self.array if kept else np.asarray(self.array, dtype=np.float64))
        if self.frame is None:
            return None
        bases, dtypes = set(), set()
        for column in self.columns:
            if not isinstance(column, ArrayColumn):
                return None
            bases.add(id(column.values.base))
            dtypes.add(column.values.dtype)
        if dtypes not in ({np.dtype(np.float64)}, {np.dtype(np.float32)}):
            return None
        # Columns that are views of one array are one block, which pandas gives without a copy.
        base = cast(ArrayColumn, self.columns[0]).values.base
        if len(bases) != 1 or base is None or base.ndim != 2:
            return None
        return _regular(self.frame.to_numpy())


def _regular(array: NDArray[Any]) -> Matrix:
    """Give the array itself, or a copy if native code could not step through it."""
    steps = all(stride % array.itemsize == 0 for stride in array.strides)
    return array if array.flags.aligned and steps else array.copy()


def open_table(X: Any) -> Source:
    """Open whatever was passed as X, or raise an error that says what is wrong with it."""
    if isinstance(X, np.ndarray):
        return _open_array(X)
    if hasattr(X, "nnz"):
        raise TypeError(
            "Sparse data was passed, but dense data is required. Use '.toarray()' to convert to "
            "a dense numpy array."
        )
    if isinstance(X, Mapping):
        return _open_mapping(X)
    if not isinstance(X, (list, tuple)):
        native = nw.to_native(X, pass_through=True)
        names = _raw_names(native)
        frame: Any = nw.from_native(native, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            raise TypeError(
                f"X is a lazy table ({type(native).__module__}.{type(native).__name__}); "
                "its rows must be in memory: call .collect() (or .compute()) on it first."
            )
        if isinstance(frame, nw.DataFrame):
            return _open_frame(frame, native, names)
        return _open_array(np.asarray(X))
    # as objects, so that NumPy does not turn numbers and bools among strings into strings
    array = np.asarray(X, dtype=object)
    if array.ndim == 1 and len({len(row) for row in X if isinstance(row, (list, tuple))}) > 1:
        raise ValueError("The rows of X have different lengths; Expected 2D array.")
    return _open_array(array)


def _open_mapping(X: Mapping[Any, Any]) -> Source:
    """Open a dict of columns, which needs no dataframe library."""
    names = list(X)
    if not all(isinstance(name, str) for name in names):
        raise TypeError("A dict of columns must have strings as keys, the names of the columns.")
    forms: Mapping[str, Form] = getattr(X, "forms", {})  # of a TableDict
    columns, lengths = [], []
    coded = getattr(X, "coded", None)  # of a TableDict
    for name in names:
        column: Column
        if coded is not None and (text := coded(name)) is not None:
            column, length = CodedColumn(name, text), len(text)
        else:
            column, length = _column_of_mapping(name, X[name])
        own = column.form
        if name in forms and column.numeric and (own is None or own.kind == forms[name].kind):
            cast(Any, column).form = forms[name]
        columns.append(column)
        lengths.append(length)
    if len(set(lengths)) > 1:
        raise ValueError(f"The columns of X differ in length: {sorted(set(lengths))}.")
    n_rows = lengths[0] if lengths else 0
    _check_shape(n_rows, len(names))
    return Source(names, True, n_rows, columns)


def _column_of_mapping(name: str, values: Any) -> tuple[Column, int]:
    """Wrap a list, an array or a series, and give its length."""
    values = nw.to_native(values, pass_through=True)
    series: Any = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        if series.implementation.is_pandas_like():
            return pandas_column(name, values), len(values)
        return narwhals_column(name, series), len(series)
    if isinstance(values, np.ma.MaskedArray):
        array = fill_masked(values)
    elif isinstance(values, (list, tuple)):
        types = set(map(type, values))
        if types & {list, tuple, np.ndarray}:
            raise _not_one_dimensional(name)
        # as objects, so that NumPy does not turn numbers, NaN and bools among strings into strings
        one_type = len(types) <= 1 or types == {int, float}
        array = np.asarray(values) if one_type else np.fromiter(values, object, count=len(values))
    else:
        array = np.asarray(values)
    if array.ndim != 1:
        raise _not_one_dimensional(name)
    return numpy_column(name, array, infer=True), len(array)


def _not_one_dimensional(name: str) -> ValueError:
    return ValueError(f"Column {name!r} of the dict of columns is not one-dimensional.")


def _raw_names(native: Any) -> list[Any] | None:
    # before narwhals sees the table, whose own message about duplicates is less clear
    if hasattr(native, "collect"):
        return None  # a lazy table, whose names may cost a query
    found = getattr(native, "column_names", None)
    if found is None:
        found = getattr(native, "columns", None)
    try:
        names = None if found is None or callable(found) else list(found)
        repeated = [] if names is None else [n for n, k in Counter(names).items() if k > 1]
    except TypeError:
        return None
    if repeated:
        raise ValueError(
            f"Column names must be distinct; X has more than one column named "
            f"{', '.join(map(repr, repeated))}. Rename or drop the duplicates."
        )
    return names


def _open_frame(frame: nw.DataFrame[Any], native: Any, raw: list[Any] | None) -> Source:
    raw = list(frame.columns) if raw is None else raw
    types = sorted({type(name).__qualname__ for name in raw})
    if len(types) > 1 and "str" in types:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {types} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using "
            "X.columns = X.columns.astype(str) for example. Otherwise you can remove feature / "
            "column names from your input data, or convert them all to a non-string data type."
        )
    named = types == ["str"]
    names = [str(name) for name in raw] if named else _default_names(len(raw))
    pandas_like = frame.implementation.is_pandas_like()
    n_rows = len(native) if pandas_like else frame.shape[0]
    _check_shape(n_rows, len(raw))
    columns: list[Column]
    if pandas_like:
        series = (series for _, series in native.items())
        columns = [pandas_column(n, s) for n, s in zip(names, series, strict=True)]
    else:
        wrapped = frame.iter_columns()
        columns = [narwhals_column(n, s) for n, s in zip(names, wrapped, strict=True)]
    return Source(names, named, n_rows, columns, frame=native if pandas_like else None)


def _open_array(array: NDArray[Any]) -> Source:
    if isinstance(array, np.matrix):
        raise TypeError(
            "np.matrix is not supported. Please convert to a numpy array with np.asarray."
        )
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.ndim == 0:
        raise ValueError(
            f"Expected 2D array, got scalar array instead:\narray={array}.\n{_RESHAPE}"
        )
    if array.ndim == 1:
        raise ValueError(f"Expected 2D array, got 1D array instead:\narray={array}.\n{_RESHAPE}")
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    n_rows, n_columns = array.shape
    _check_shape(n_rows, n_columns)
    if isinstance(array, np.ma.MaskedArray):
        array = fill_masked(array)
    array = np.asarray(array)  # makes a memory map or another subclass a plain array
    names = _default_names(n_columns)
    if array.dtype.kind not in "biufOUSTmM":
        raise dtype_error(names[0], str(array.dtype))
    columns = [numpy_column(n, array[:, j], infer=True) for j, n in enumerate(names)]
    whole = array if array.dtype.kind in "iuf" else None
    return Source(names, False, n_rows, columns, array=whole)


def fill_masked(array: Any) -> NDArray[Any]:
    """Give a masked array as a plain one, with NaN or None in the masked cells."""
    if array.dtype.kind in "iuf":
        return cast(NDArray[Any], array.astype(np.float64).filled(np.nan))
    cells = np.array(array.data, dtype=object)
    cells[np.ma.getmaskarray(array)] = None
    return cells


def _default_names(n_columns: int) -> list[str]:
    return [f"x{j}" for j in range(n_columns)]


def _check_shape(n_rows: int, n_columns: int) -> None:
    shape = f"(shape=({n_rows}, {n_columns}))"
    if n_rows == 0:
        raise ValueError(f"Found array with 0 sample(s) {shape} while a minimum of 1 is required.")
    if n_columns == 0:
        raise ValueError(f"Found array with 0 feature(s) {shape} while a minimum of 1 is required.")
