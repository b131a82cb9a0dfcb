"""Data frames of whichever library is installed, and small tables that can become one."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any, Literal

from numpy.typing import NDArray

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
