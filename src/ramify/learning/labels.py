"""Reading a target: classes as codes, or numbers, with clear errors for everything else."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ramify.tables.columns import Column, narwhals_column, numpy_column, pandas_column
from ramify.tables.levels import is_missing, is_missing_type
from ramify.tree.arrays import LARGEST

_TIMES = ("datetime", "timedelta", "date", "duration")


def target_name(y: Any) -> str:
    """Give the name of a Series, or "y"."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def class_codes(
    y: Any, n_rows: int, owner: str, *, for_numbers: str = ""
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Give the sorted classes, and the class of every row as its place among them.

    `for_numbers` is advice that the error about a numeric target ends with.
    """
    _require(y, owner)
    if isinstance(y, np.ndarray) and y.dtype.kind == "T":
        y = y.astype(object)  # texts of any length
    found = _string_codes(y)
    if found is not None:
        check_consistent_length(np.empty(n_rows), found[1])
        return found
    if isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biu":
        labels = y  # nothing in it can be wrong
    else:
        _refuse_odd_labels(y)
        y = _without_nulls(y)
        labels = column_or_1d(
            check_array(y, ensure_2d=False, dtype=None, input_name="y", ensure_min_samples=0),
            warn=True,
        )
    if len(labels) != n_rows:
        check_consistent_length(np.empty(n_rows), labels)  # it raises the error
    if labels.dtype == object:
        labels = unboxed_labels(labels)
        _refuse_odd_types(labels)
    if labels.dtype.kind in "biu" and len(labels) and (found := _small_int_codes(labels)):
        return found
    try:
        check_classification_targets(labels)
    except ValueError as error:
        if for_numbers and "continuous" in str(error):
            raise ValueError(f"{error} For a numeric target: {for_numbers}.") from None
        raise
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)


def _without_nulls(y: Any) -> Any:
    """Give whole numbers and booleans of a type that allows nulls as an array of NumPy.

    A conversion by NumPy would make 1.0 of 1 and of True.
    """
    if isinstance(getattr(y, "dtype", None), np.dtype):
        return y
    series = nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series) or series.null_count():
        return y
    is_bool = series.dtype == nw.Boolean
    return np.array(series.to_list()) if is_bool or series.dtype.is_integer() else y


def unboxed_labels(labels: NDArray[Any]) -> NDArray[Any]:
    """Give numbers or bools in an array of objects as an array of their own type."""
    kinds = set(map(type, labels.tolist()))
    if kinds and all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
        plain = np.array(labels.tolist())
        return plain if plain.dtype.kind in "biuf" else labels
    return labels


def plain_labels(y: Any) -> Any:
    """Give classes as scikit-learn's metrics take them: no numbers in arrays of objects."""
    if isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "OT":
        return unboxed_labels(y.astype(object))
    return y


def _refuse_odd_types(labels: NDArray[Any]) -> None:
    """Refuse objects that are no classes, such as dates, with their type."""
    odd = [cell for cell in labels.tolist() if not isinstance(cell, str)]
    if labels.dtype == object and odd:
        raise ValueError(
            f"y holds {odd[0]!r:.80} of type {type(odd[0]).__name__}; classes must be texts, whole "
            "numbers or booleans."
        )


def _small_int_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]] | None:
    """Give classes and codes of integers by counting; None if their range is large."""
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * len(labels) + 1024 or high > np.iinfo(np.int64).max:
        return None
    offsets = labels.astype(np.int64) - low
    present = np.bincount(offsets, minlength=high - low + 1) > 0
    place = np.cumsum(present, dtype=np.int32) - np.int32(1)
    classes = (np.flatnonzero(present) + low).astype(labels.dtype)
    return classes, place[offsets]


def _string_codes(y: Any) -> tuple[NDArray[Any], NDArray[np.int32]] | None:
    """Give classes and codes of strings without sorting all rows; None if y is not strings."""
    column = _column(y)
    if column is None or column.numeric:
        return None
    dictionary = column.dictionary()
    words, table = dictionary.clean()
    if not words or set(map(type, words)) != {str}:
        return None
    codes = table[dictionary.codes]
    if (codes < 0).any():
        raise _no_class(np.flatnonzero(codes < 0).tolist(), len(codes))
    used = np.unique(codes)
    classes = np.array([words[code] for code in used.tolist()], dtype=object)
    order = np.argsort(classes)
    place = np.empty(len(words), dtype=np.int32)
    place[used[order]] = np.arange(len(used), dtype=np.int32)
    return classes[order], place[codes]


def _column(y: Any) -> Column | None:
    if isinstance(y, np.ndarray):
        return numpy_column("y", y, infer=False) if y.ndim == 1 and y.dtype == object else None
    series = nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return None
    if series.dtype not in (nw.String, nw.Object, nw.Categorical, nw.Enum):
        return None
    if series.implementation.is_pandas_like():
        return pandas_column("y", y)
    return narwhals_column("y", series)


def _refuse_odd_labels(y: Any) -> None:
    """Refuse what NumPy would accept silently, or scikit-learn with an obscure message."""
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return
    try:
        cells = list(y)
    except TypeError:
        return
    kinds = set(map(type, cells))
    if any(is_missing_type(kind) or issubclass(kind, float) for kind in kinds):
        missing = [row for row, cell in enumerate(cells) if is_missing(cell)]
        if missing:
            raise _no_class(missing, len(cells))
    if str in kinds and kinds - {str, np.str_}:
        others = ", ".join(sorted(kind.__name__ for kind in kinds - {str, np.str_}))
        raise ValueError(f"y mixes strings and {others}; classes must be of one type.")


def _no_class(rows: list[int], n_rows: int) -> ValueError:
    return ValueError(
        f"Input y contains NaN: every row needs a class, and row {rows[0]} has none "
        f"({len(rows)} of {n_rows} rows)."
    )


def numbers(y: Any, n_rows: int, owner: str) -> NDArray[np.float64]:
    """Give the target as numbers whose squares can be summed."""
    _require(y, owner)
    dtype = str(getattr(y, "dtype", "")).lower()
    if dtype.startswith(_TIMES):
        raise ValueError(
            f"y has dtype {dtype}; a target must be numbers: convert it first, for example to days."
        )
    try:
        array = check_array(
            y, ensure_2d=False, dtype=np.float64, input_name="y", ensure_min_samples=0
        )
    except ValueError as error:
        if "convert" not in str(error):
            raise
        raise ValueError(f"y must be numbers: {error}. For classes use TreeClassifier.") from error
    target = np.ascontiguousarray(column_or_1d(array, warn=True), dtype=np.float64)
    check_consistent_length(np.empty(n_rows), target)
    largest = float(np.abs(target).max(initial=0.0))
    if largest > LARGEST:
        raise ValueError(
            f"y holds {largest:g}; squares of numbers above {LARGEST:g} cannot be summed. "
            "Scale the target."
        )
    return target


def _require(y: Any, owner: str) -> None:
    if y is None:
        raise ValueError(
            f"This {owner} estimator requires y to be passed, but the target y is None."
        )
