"""Joining nominal columns cell by cell, and giving a table back in the kind it came in.

Invariant: different combinations of levels have different texts. A level has the same text as in
training, whatever container holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.columns import Column
from ramify.tables.levels import MISSING, Level
from ramify.tables.source import Source, fill_masked

BETWEEN = "|"


def join_cells(parts: list[tuple[Column, ColumnSchema]], n_rows: int) -> NDArray[Any]:
    """Give the joined cells, None where a part is missing; each combination is written once."""
    joint = np.zeros(n_rows, dtype=np.int64)
    missing = np.zeros(n_rows, dtype=bool)
    texts: list[str] = [""]
    for place, (column, known) in enumerate(parts):
        dictionary = column.dictionary()
        levels, table = dictionary.clean()
        codes = table[dictionary.codes].astype(np.int64)
        missing |= codes == MISSING
        written = [_text(known.levels[known.index[x]] if x in known.index else x) for x in levels]
        if not written:
            return np.full(n_rows, None, dtype=object)
        places, joint = np.unique(joint * len(written) + np.maximum(codes, 0), return_inverse=True)
        between = BETWEEN if place else ""
        texts = [
            texts[at // len(written)] + between + written[at % len(written)]
            for at in places.tolist()
        ]
    cells = np.array(texts, dtype=object)[joint]
    cells[missing] = None
    return cells


def _text(level: Level) -> str:
    if isinstance(level, float) and level.is_integer():
        level = int(level)  # a missing cell turns a column of whole numbers into floats
    return str(level).replace("\\", "\\\\").replace(BETWEEN, "\\" + BETWEEN)


def same_kind(
    X: Any, source: Source, kept: list[int], joined: dict[str, NDArray[Any]], wanted: str
) -> Any:
    """Give the kept and the joined columns as a table like X, or of the library `wanted`."""
    if isinstance(X, Mapping):
        table: dict[str, Any] = {source.names[j]: X[source.names[j]] for j in kept} | joined
        return table if wanted == "default" else _new_frame(table, wanted)
    frame: Any = None
    if not isinstance(X, np.ndarray | list | tuple):
        frame = nw.from_native(nw.to_native(X, pass_through=True), pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return _same_frame(X, frame, source, kept, joined)
    if isinstance(X, np.ma.MaskedArray):
        X = fill_masked(X)
    cells = np.asarray(X, dtype=object if isinstance(X, list | tuple) else None)
    if wanted != "default":
        names = source.names
        table = {names[j]: _typed(source.columns[j], cells[:, j]) for j in kept}
        return _new_frame(table | joined, wanted)
    if not joined:
        if cells.dtype == object and all(column.numeric for column in source.columns):
            return np.column_stack([column.floats() for column in source.columns])
        return cells[:, kept]
    out = np.empty((len(cells), len(kept) + len(joined)), dtype=object)
    out[:, : len(kept)] = cells[:, kept]
    for j, column in enumerate(joined.values(), start=len(kept)):
        out[:, j] = column
    return out


def _same_frame(
    X: Any, frame: nw.DataFrame[Any], source: Source, kept: list[int], joined: dict[str, Any]
) -> Any:
    if not source.named:
        # the column names are numbers, which the joined names would not go with
        frame = nw.from_native(frame.to_native().set_axis(source.names, axis=1))
    new = [
        nw.new_series(name, cells.tolist(), nw.String, backend=frame.implementation)
        for name, cells in joined.items()
    ]
    frame = frame.select([source.names[j] for j in kept]) if kept else frame
    frame = frame.with_columns(*new) if new else frame
    frame = frame if kept else frame.select(list(joined))
    return frame if isinstance(X, nw.DataFrame) else frame.to_native()


def _typed(column: Column, cells: NDArray[Any]) -> NDArray[Any]:
    return column.floats() if column.numeric else cells


def _new_frame(table: dict[str, Any], library: str) -> Any:
    return nw.from_dict(table, backend=cast(Literal["pandas", "polars"], library)).to_native()
