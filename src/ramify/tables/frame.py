"""Data frames of whichever library is installed, and small tables that can become one."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.tables.coded_text import CodedText
from ramify.tables.forms import Form

_BACKENDS: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")


def make_frame(columns: dict[str, Any], *, backend: str | None = None) -> Any:
    """Make a data frame of the backend, or of the first library that is installed.

    If none is installed, give the columns as they are.
    """
    if backend not in (*_BACKENDS, None):
        raise ValueError(f"backend={backend!r} is unknown; valid choices: {_BACKENDS}")
    for name in _BACKENDS:
        if backend == name or (backend is None and importlib.util.find_spec(name)):
            import narwhals as nw

            return nw.from_dict(columns, backend=name).to_native()
    return columns


class TableDict(dict[str, NDArray[Any]]):
    """A table as a dict of columns, which needs no dataframe library.

    An array is float64 (NaN is missing), datetime64, timedelta64, or object (None is missing).

    Parameters
    ----------
    columns : mapping of str to ndarray, default={}
        The columns.
    forms : mapping of str to Form, default={}
        What the numbers of some columns mean, and how text writes them.
    coded : mapping of str to CodedText, default={}
        The codes of text columns, where they are known; their `values` are the columns.

    Examples
    --------
    >>> import numpy as np
    >>> TableDict({"price": np.array([9.5, 12.0])}, forms={"price": Form("number", unit="$")})
    TableDict(2 rows: price)
    """

    def __init__(
        self,
        columns: Mapping[str, NDArray[Any]] | None = None,
        *,
        forms: Mapping[str, Form] | None = None,
        coded: Mapping[str, CodedText] | None = None,
    ) -> None:
        super().__init__(columns or {})
        self.forms: dict[str, Form] = dict(forms or {})
        self._coded = dict(coded or {})

    def coded(self, name: str) -> CodedText | None:
        """Give the codes of a text column, if they are known and it has not been replaced."""
        found = self._coded.get(name)
        return found if found is not None and found.values is self.get(name) else None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.values()), ()))

    # scikit-learn's tools take rows out of a table by these three, as out of a frame of pandas.

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, and number of columns."""
        return self.n_rows, len(self)

    @property
    def iloc(self) -> _Rows:
        """Rows by number: ``table.iloc[:10]``."""
        return _Rows(self)

    def take(self, rows: NDArray[Any], axis: int = 0) -> TableDict:
        """Give some of the rows: indices or a mask."""
        if axis != 0:
            raise ValueError(f"axis={axis!r} is not 0: rows are taken, not columns")
        found = {name: self.coded(name) for name in self}
        coded = {name: one.take(rows) for name, one in found.items() if one is not None}
        columns = {
            name: coded[name].values if name in coded else column[rows]
            for name, column in self.items()
        }
        return TableDict(columns, forms=self.forms, coded=coded)

    def without(self, *names: str) -> TableDict:
        """Give the table without some columns."""
        kept = {name: column for name, column in self.items() if name not in names}
        forms = {k: v for k, v in self.forms.items() if k not in names}
        coded = {k: v for k, v in self._coded.items() if k not in names}
        return TableDict(kept, forms=forms, coded=coded)

    def __repr__(self) -> str:
        return f"TableDict({self.n_rows:,} rows: {', '.join(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _table_dict, (dict(self), self.forms)


class _Rows:
    """Takes rows out of a `TableDict`."""

    def __init__(self, table: TableDict) -> None:
        self._table = table

    def __getitem__(self, rows: Any) -> TableDict:
        one = isinstance(rows, int | np.integer)
        return self._table.take(np.array([rows]) if one else rows)


def _table_dict(columns: dict[str, Any], forms: dict[str, Form]) -> TableDict:
    return TableDict(columns, forms=forms)


class NamedArrays:
    """A small table: the attributes that `columns` names are arrays of one length.

    ``table["gain"]`` gives a column, ``dict(table)`` gives all columns. Not for direct use.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        raise NotImplementedError

    def keys(self) -> tuple[str, ...]:
        """Names of the columns, for ``dict(table)``."""
        return self.columns

    def __getitem__(self, column: str) -> NDArray[Any]:
        if column not in self.columns:
            raise KeyError(f"{column!r} is not a column; choose from {', '.join(self.columns)}")
        values: NDArray[Any] = getattr(self, column)
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give all columns as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the data frame. None takes the first that is installed. If none is, the
            result is a dict of lists.
        """
        return make_frame({name: self[name].tolist() for name in self.columns}, backend=backend)
