"""Some rows of a table of any kind, in the kind it came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables.frame import TableDict
from ramify.tables.table import Table


def take_rows(X: Any, rows: NDArray[Any]) -> Any:
    """Give some rows of a table: a frame, an array, a list of rows or a dict of columns.

    Examples
    --------
    >>> take_rows({"x": np.array([1.0, 2.0, 3.0])}, np.array([0, 2]))
    {'x': array([1., 3.])}
    """
    if isinstance(X, Table | TableDict):
        return X.take(rows)
    if isinstance(X, Mapping):
        return {name: _array(column)[rows] for name, column in X.items()}
    if hasattr(X, "take") and type(X).__module__.partition(".")[0] == "pyarrow":
        return X.take(rows)
    from sklearn.utils import _safe_indexing

    return _safe_indexing(X, rows)


def n_rows_of(X: Any) -> int:
    """Give the number of rows of a table of any kind."""
    if isinstance(X, Table):
        return X.n_rows
    if isinstance(X, Mapping):
        return len(next(iter(X.values()), ()))
    shape = getattr(X, "shape", None)
    return int(shape[0]) if shape is not None else len(X)


def _array(column: Any) -> NDArray[Any]:
    """Give a column as an array; lists of mixed cells stay what they are."""
    if isinstance(column, list | tuple):
        array = np.empty(len(column), dtype=object)
        array[:] = column
        plain = np.asarray(column) if not any(isinstance(c, str) for c in column) else array
        return plain if plain.ndim == 1 else array
    return np.asarray(column)
