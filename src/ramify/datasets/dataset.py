"""A table by columns with its target apart: what every loader and reader returns.

Invariant: all columns and the target are one-dimensional and of one length. Numbers are float64
with NaN for a missing cell, dates and moments datetime64, durations timedelta64; everything else is
an object array with None for a missing cell.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.tables.frame import TableDict, make_frame
from ramify.tables.reading import Note, Reading

Backend = Literal["pandas", "polars", "pyarrow", "numpy"]
_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow", "numpy")


@dataclass(frozen=True, eq=False)
class Dataset:
    """Columns by name, and the target apart.

    Parameters
    ----------
    data : dict of str to ndarray
        The predictors: float64 (NaN is missing), datetime64, timedelta64, or object (None is
        missing), in file order.
    target : ndarray or None
        The target, or None if there is none.
    target_name : str or None
        Its column name.
    description : str
        What the data are.
    levels : dict of str to tuple of str
        The levels that the file declares, for columns where it does (ARFF).
    readings : dict of str to Reading
        How columns of text were read as numbers, dates or times.
    notes : tuple of Note
        What else the user should know of the file, such as columns that were renamed.

    Examples
    --------
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> weather
    Dataset(14 rows, 2 numeric and 2 nominal columns, target 'play')
    >>> list(weather.data)
    ['outlook', 'temperature', 'humidity', 'windy']
    """

    data: dict[str, NDArray[Any]]
    target: NDArray[Any] | None = None
    target_name: str | None = None
    description: str = ""
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        if self.target is not None:
            return len(self.target)
        return len(next(iter(self.data.values()), ()))

    @property
    def X(self) -> Any:
        """The predictors as a frame of the dataframe library that is installed: see `to_frame`."""
        return self.to_frame()

    @property
    def y(self) -> NDArray[Any]:
        """The target; a ValueError if there is none."""
        if self.target is None:
            raise ValueError("this table has no target: read it with target='column name'")
        return self.target

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Give the predictors as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "numpy"}, optional
            "numpy" is a two-dimensional array, float64 if every column is numeric and object
            otherwise; it has no column names. None takes the first of the others that is installed.
            If none is, the result is a :class:`~ramify.tables.frame.TableDict`, a dict of columns.
        """
        if backend not in (*_BACKENDS, None):
            raise ValueError(f"backend={backend!r} is not one of {[*_BACKENDS]}")
        if backend != "numpy":
            # Lists, since polars would keep an object array of str as opaque objects.
            columns = {k: v.tolist() if v.dtype == object else v for k, v in self.data.items()}
            frame = make_frame(columns, backend=backend)
            return frame if frame is not columns else self._table
        plain = all(column.dtype == np.float64 for column in self.data.values())
        dtype = np.float64 if plain else object
        table = np.empty((self.n_rows, len(self.data)), dtype=dtype)
        for j, column in enumerate(self.data.values()):
            table[:, j] = column
        return table

    @property
    def _table(self) -> TableDict:
        """The predictors with what is known of them."""
        return self.data if isinstance(self.data, TableDict) else TableDict(self.data)

    def take(self, rows: NDArray[Any]) -> Dataset:
        """Give the table of these rows only (indices or a boolean mask).

        Examples
        --------
        >>> import numpy as np
        >>> from ramify.datasets import load_weather
        >>> load_weather().take(np.array([0, 3])).y.tolist()
        ['no', 'yes']
        """
        return Dataset(
            data=self._table.take(rows),
            target=None if self.target is None else self.target[rows],
            target_name=self.target_name,
            description=self.description,
            levels=self.levels,
            readings=self.readings,
            notes=self.notes,
        )

    def without(self, *names: str) -> Dataset:
        """Give the table without some of its columns.

        Examples
        --------
        >>> from ramify.datasets import load_weather
        >>> list(load_weather().without("windy", "outlook").data)
        ['temperature', 'humidity']
        """
        return replace(self, data=self._table.without(*names))

    def __repr__(self) -> str:
        kinds = Counter(_kind(column) for column in self.data.values())
        moments = f"{kinds['date']} date, " if kinds["date"] else ""
        target = f", target {self.target_name!r}" if self.target_name is not None else ""
        return (
            f"Dataset({self.n_rows} rows, {moments}{kinds['numeric']} numeric and "
            f"{kinds['nominal']} nominal columns{target})"
        )


def _kind(column: NDArray[Any]) -> str:
    if column.dtype.kind in "mM":
        return "date"
    if column.dtype != object:
        return "numeric"
    first = next((cell for cell in column if cell is not None), None)
    return "date" if isinstance(first, dt.time) else "nominal"


def text_column(values: Iterable[str]) -> NDArray[np.object_]:
    """Give texts as a column."""
    return np.array(list(values), dtype=object)
