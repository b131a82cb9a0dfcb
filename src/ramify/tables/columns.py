"""One column of any container, read in one of two ways: as floats, or as codes and a dictionary.

Invariant: `floats` gives contiguous float64 with NaN for missing. The caller's data are never
changed, and are copied only if the container requires it.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from decimal import Decimal
from functools import cached_property
from itertools import count
from typing import Any, Protocol, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ramify.tables.coded_text import CodedText
from ramify.tables.forms import Form
from ramify.tables.levels import (
    MISSING,
    Dictionary,
    Floats,
    is_missing,
    is_missing_type,
    is_real_type,
)
from ramify.tables.time_column import cell_times, narwhals_times, numpy_times, pandas_zoned

_TIMES = (dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64)


class Column(Protocol):
    """What a table needs of a column."""

    name: str
    typed: bool
    """Whether the dtype alone shows if the column is numeric, without a look at the cells."""

    @property
    def dtype(self) -> str:
        """Name of the type, for messages."""

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers."""

    @property
    def ordered(self) -> bool:
        """Whether the levels have an order."""

    @property
    def form(self) -> Form | None:
        """What its numbers mean, if they are more than numbers."""

    def floats(self) -> Floats:
        """Give the cells as numbers, NaN where they are missing."""

    def dictionary(self) -> Dictionary:
        """Give the cells as codes, with the levels that these stand for."""


class ArrayColumn:
    """A one-dimensional NumPy array of bool, integers or floats."""

    typed = True
    ordered = False

    def __init__(self, name: str, values: NDArray[Any], form: Form | None = None) -> None:
        self.name, self.values, self.form = name, values, form

    @property
    def dtype(self) -> str:
        """Name of the type, for messages."""
        return str(self.values.dtype)

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers."""
        return self.values.dtype.kind != "b"

    def floats(self) -> Floats:
        """Give the cells as numbers, NaN where they are missing."""
        return np.ascontiguousarray(self.values, dtype=np.float64)

    def dictionary(self) -> Dictionary:
        """Give the cells as codes, with the levels that these stand for."""
        if self.values.dtype.kind == "b":
            return Dictionary(self.values.astype(np.int32), [False, True], declared=True)
        values, codes = np.unique(self.values, return_inverse=True)
        return Dictionary(codes, values.tolist())


class CellColumn:
    """A list of Python objects of any types.

    With `infer`, a column of real numbers and missing cells is numeric. Without it, only a column
    of decimals is: databases give these for numbers, and nobody uses them as names of levels.
    """

    ordered = False
    form = None

    def __init__(self, name: str, cells: list[Any], dtype: str, *, infer: bool) -> None:
        self.name, self.cells, self.dtype = name, cells, dtype
        self.infer, self.typed = infer, False

    @cached_property
    def types(self) -> set[type]:
        """Types of the cells."""
        types = set(map(type, self.cells))
        if any(issubclass(kind, (complex, np.complexfloating)) for kind in types):
            raise complex_error(self.name)
        return types

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers."""
        known = [kind for kind in self.types if not is_missing_type(kind)]
        if not self.infer:
            return bool(known) and all(issubclass(kind, Decimal) for kind in known)
        return bool(known) and all(map(is_real_type, known))

    def floats(self) -> Floats:
        """Give the cells as numbers, NaN where they are missing."""
        cells: Any = self.cells
        if any(is_missing_type(kind) for kind in self.types - {type(None)}):
            cells = [None if is_missing_type(type(cell)) else cell for cell in cells]
        try:
            return np.array(cells, dtype=object).astype(np.float64)
        except OverflowError as error:
            raise ValueError(
                f"Column {self.name!r} holds an integer too large for float64 "
                "(above about 1.8e308)."
            ) from error

    def dictionary(self) -> Dictionary:
        """Give the cells as codes, with the levels that these stand for."""
        _ = self.types  # refuses complex numbers
        table: defaultdict[Any, int] = defaultdict(count().__next__)
        try:
            codes = np.fromiter(map(table.__getitem__, self.cells), np.int32, len(self.cells))
        except TypeError as error:
            raise self._unhashable() from error
        return Dictionary(codes, list(table))

    def _unhashable(self) -> TypeError:
        for cell in self.cells:
            try:
                hash(cell)
            except TypeError:
                kind = type(cell).__name__
                break
        return TypeError(
            f"Column {self.name!r} holds a {kind}, which cannot be a level: a cell used as "
            f"argument must be a string, a number or another hashable value, not {kind!r}."
        )


class CodedColumn:
    """A column of texts whose codes are known, as files give it."""

    typed = True
    ordered = False
    numeric = False
    form = None
    dtype = "object"

    def __init__(self, name: str, coded: CodedText) -> None:
        self.name, self.coded = name, coded

    def floats(self) -> Floats:
        """Refuse, since the cells are texts."""
        raise TypeError(f"Column {self.name!r} holds texts, not numbers.")

    def dictionary(self) -> Dictionary:
        """Give the codes and the distinct texts."""
        return Dictionary(self.coded.codes, list(self.coded.levels))


class PandasColumn:
    """A pandas Series of an extension dtype (category, string, nullable, Arrow)."""

    typed = True
    form = None

    def __init__(self, name: str, series: Any) -> None:
        self.name, self.series = name, series
        self.categorical = hasattr(series.dtype, "categories")
        self.ordered = self.categorical and bool(series.dtype.ordered)
        self.dtype = "category" if self.categorical else str(series.dtype)
        self.numeric = not self.categorical and is_numeric(
            name, nw.from_native(series, series_only=True).dtype, self.dtype
        )

    def floats(self) -> Floats:
        """Give the cells as numbers, NaN where they are missing."""
        values = self.series.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.ascontiguousarray(values, dtype=np.float64)

    def dictionary(self) -> Dictionary:
        """Give the cells as codes, with the levels that these stand for."""
        if self.categorical:
            values = self.series.array
            return Dictionary(values.codes, values.categories.tolist(), declared=True)
        codes, values = self.series.factorize()
        return Dictionary(np.asarray(codes), values.tolist())


class ArrowColumn:
    """A pyarrow ChunkedArray."""

    typed = True
    form = None

    def __init__(self, name: str, values: Any, *, numeric: bool) -> None:
        self.name, self.values, self.numeric = name, values, numeric
        self.dtype = str(values.type)
        self.ordered = bool(getattr(self.values.type, "ordered", False))

    def floats(self) -> Floats:
        """Give the cells as numbers, NaN where they are missing."""
        # safe=False rounds integers beyond 2**53, as everywhere else, instead of raising an error
        values = self.values.cast("float64", safe=False).to_numpy()
        return np.ascontiguousarray(values, dtype=np.float64)

    def dictionary(self) -> Dictionary:
        """Give the cells as codes, with the levels that these stand for."""
        values = self.values
        if values.null_count == len(values):
            return Dictionary(np.full(len(values), MISSING, np.int32), [])
        if not hasattr(values.type, "value_type"):
            try:
                values = values.dictionary_encode()
            except NotImplementedError:
                cells = values.to_pylist()
                return CellColumn(self.name, cells, self.dtype, infer=False).dictionary()
        try:
            # each chunk may have its own dictionary
            chunks = [values.unify_dictionaries().combine_chunks()]
        except ValueError:
            # Arrow cannot unify dictionaries that hold nulls, so they are put end to end
            chunks = values.chunks
        codes: list[NDArray[np.int32]] = []
        words: list[Any] = []
        for chunk in chunks:
            at = chunk.indices.cast("int32").fill_null(MISSING).to_numpy(zero_copy_only=False)
            codes.append(np.where(at < 0, MISSING, at + len(words)) if words else at)
            words += chunk.dictionary.to_pylist()
        return Dictionary(np.concatenate(codes), words, declared=self.ordered)


class PolarsColumn:
    """A polars Series, held through narwhals."""

    typed = True
    ordered = False
    form = None

    def __init__(self, name: str, series: nw.Series[Any]) -> None:
        self.name, self.series = name, series
        self.dtype = str(cast(Any, series.to_native()).dtype)
        self.numeric = is_numeric(name, series.dtype, self.dtype)

    def floats(self) -> Floats:
        """Give the cells as numbers, NaN where they are missing."""
        return np.ascontiguousarray(self.series.cast(nw.Float64).to_numpy(), dtype=np.float64)

    def dictionary(self) -> Dictionary:
        """Give the cells as codes, with the levels that these stand for."""
        series, dtype = self.series, self.series.dtype
        if dtype == nw.Boolean:
            codes = series.cast(nw.Int32).fill_null(MISSING).to_numpy()
            return Dictionary(codes, [False, True], declared=True)
        if dtype.is_integer() or dtype.is_float():
            missing = series.is_null().to_numpy()
            found = ArrayColumn(self.name, series.fill_null(0).to_numpy()).dictionary()
            found.codes[missing] = MISSING
            return found
        if dtype == nw.String:
            return _observed(series.cast(nw.Categorical))
        if dtype == nw.Enum:
            categories = list(cast(Any, dtype).categories)
            return Dictionary(_physical(series), categories, declared=True)
        if dtype == nw.Categorical:
            return _observed(series)
        return CellColumn(self.name, series.to_list(), self.dtype, infer=False).dictionary()


def _physical(series: nw.Series[Any]) -> NDArray[np.int32]:
    """Give the codes by which polars holds a Categorical or an Enum."""
    codes = nw.from_native(cast(Any, series.to_native()).to_physical(), series_only=True)
    found: NDArray[np.int32] = codes.cast(nw.Int32).fill_null(MISSING).to_numpy()
    return found


def _observed(series: nw.Series[Any]) -> Dictionary:
    """Give a polars Categorical as codes of the levels that occur in it."""
    # Its category list is shared with other columns, so the levels are found from the values.
    distinct = series.drop_nulls().unique()
    codes, places = _physical(series), _physical(distinct)
    renumber = np.full(max(places, default=-1) + 2, MISSING, dtype=np.int32)
    renumber[places] = np.arange(len(places), dtype=np.int32)
    return Dictionary(renumber[codes], distinct.cast(nw.String).to_list())


def pandas_column(name: str, series: Any) -> Column:
    """Wrap a Series of pandas or of a library like it."""
    if isinstance(series.dtype, np.dtype):
        return numpy_column(name, series.to_numpy(), infer=False)
    if getattr(series.dtype, "tz", None) is not None:
        return pandas_zoned(name, series)
    if not hasattr(series.dtype, "categories"):
        wrapped = nw.from_native(series, series_only=True)
        if (times := narwhals_times(name, wrapped, str(series.dtype))) is not None:
            return times
    return PandasColumn(name, series)


def narwhals_column(name: str, series: nw.Series[Any]) -> Column:
    """Wrap a narwhals Series that is not backed by pandas."""
    shown = str(cast(Any, series.to_native()).dtype if series.implementation.is_polars() else "")
    if (times := narwhals_times(name, series, shown or str(series.dtype))) is not None:
        return times
    if series.implementation.is_polars():
        return PolarsColumn(name, series)
    if series.implementation.is_pyarrow():
        values = cast(Any, series.to_native())
        return ArrowColumn(name, values, numeric=is_numeric(name, series.dtype, str(values.type)))
    numeric = is_numeric(name, series.dtype, str(series.dtype))
    return CellColumn(name, series.to_list(), str(series.dtype), infer=numeric)


def numpy_column(name: str, values: NDArray[Any], *, infer: bool) -> Column:
    """Wrap a one-dimensional array; with `infer`, objects may be numbers."""
    kind = values.dtype.kind
    if kind in "biuf":
        return ArrayColumn(name, values)
    if kind == "c":
        raise complex_error(name)
    if kind in "mM":
        return numpy_times(name, values)
    if kind in "OUST":
        return cell_column(name, values.tolist(), str(values.dtype), infer=infer and kind == "O")
    raise dtype_error(name, str(values.dtype))


def cell_column(name: str, cells: list[Any], dtype: str, *, infer: bool) -> Column:
    """Wrap objects: dates, times and durations if all of them are, otherwise cells of any type."""
    column = CellColumn(name, cells, dtype, infer=infer)
    types = {kind for kind in column.types if not is_missing_type(kind)}
    if types and float in types and any(issubclass(kind, _TIMES) for kind in types):
        # NaN is missing among dates, too
        types = {type(cell) for cell in cells if not is_missing(cell)}
    if types and all(issubclass(kind, _TIMES) for kind in types):
        return cell_times(name, cells, types, dtype) or column
    return column


def is_numeric(name: str, dtype: Any, shown: str) -> bool:
    """Tell whether a narwhals dtype is numeric; raise a TypeError if it is not nominal either."""
    if dtype.is_numeric():
        return True
    if dtype in (nw.String, nw.Object, nw.Boolean, nw.Categorical, nw.Enum, nw.Binary):
        return False
    if shown.lower().startswith("null"):
        return False
    if "complex" in shown:
        raise complex_error(name)
    raise dtype_error(name, shown)


def real_number(value: Any) -> float | None:
    """Give a real number as a float; None for other values and numbers too large for float64."""
    if not is_real_type(type(value)):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def complex_error(name: str) -> ValueError:
    """Give the error for a column of complex numbers."""
    return ValueError(f"Complex data not supported: column {name!r} holds complex numbers.")


def dtype_error(name: str, shown: str) -> TypeError:
    """Give the error for a column that is neither numeric nor nominal."""
    return TypeError(
        f"Column {name!r} has dtype {shown}, which is neither numeric nor nominal. Convert it to "
        "numbers, dates or strings first."
    )
