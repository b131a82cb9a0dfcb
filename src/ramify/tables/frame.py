"""Columns as a data frame of whatever library is installed."""

from __future__ import annotations

import importlib.util
from typing import Any, Literal

_BACKENDS: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")


def make_frame(columns: dict[str, Any], *, backend: str | None = None) -> Any:
    """Columns as a data frame of the backend, or of the first that is installed."""
    if backend not in (*_BACKENDS, None):
        raise ValueError(f"backend={backend!r} is unknown; valid choices: {_BACKENDS}")
    for name in _BACKENDS:
        if backend == name or (backend is None and importlib.util.find_spec(name)):
            import narwhals as nw

            return nw.from_dict(columns, backend=name).to_native()
    return columns
