"""What a discretiser gives back: its columns, their names and their cells, in the kind of X.

Invariant: names are distinct; a cell depends on the cell of X it comes from and on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ramify.tables import Schema
from ramify.tables.encode import encode_codes, encode_numbers
from ramify.tables.levels import MISSING, Level, is_missing
from ramify.tables.source import Source, fill_masked

Floats = NDArray[np.float64]
ENCODINGS = ("ordinal", "thresholds", "onehot")
NOMINAL = ("passthrough", "indicators", "drop")


@dataclass(frozen=True)
class Cut:
    """A threshold of a column, and how it is written."""

    column: int
    value: float
    text: str


@dataclass(frozen=True)
class Output:
    """One column of the result."""

    column: int
    kind: Literal["keep", "code", "interval", "level"]
    low: float | None = None  # an interval: low < value <= high; None where it has no end
    high: float | None = None
    texts: tuple[str, str] = ("", "")
    level: int = 0

    def name(self, column: str, schema: Schema) -> str:
        """Name it after its column of X."""
        if self.kind == "level":
            return f"{column} = {_level_text(schema.columns[self.column].levels[self.level])}"
        if self.kind != "interval":
            return column
        low, high = self.texts
        if self.high is None:
            return f"{column} > {low}"
        return f"{column} <= {high}" if self.low is None else f"{low} < {column} <= {high}"


def _level_text(level: Level) -> str:
    # a column of whole numbers becomes float where a cell is missing
    return str(int(level)) if isinstance(level, float) and level.is_integer() else str(level)


def plan(schema: Schema, cuts: list[Cut], encode: str, nominal: str) -> list[Output]:
    """Give the columns of the result.

    Thresholds come in the order of the cuts, and the columns that were not cut behind them;
    otherwise all is in the order of the columns of X.
    """
    outputs: list[Output] = []
    ascending = by_column(cuts) if encode == "onehot" else {}
    if encode == "thresholds":
        outputs = [
            Output(cut.column, "interval", high=cut.value, texts=("", cut.text)) for cut in cuts
        ]
    for j, known in enumerate(schema.columns):
        if known.kind != "numeric":
            if nominal == "passthrough":
                outputs.append(Output(j, "keep"))
            elif nominal == "indicators":
                outputs += [Output(j, "level", level=k) for k in range(len(known.levels))]
        elif encode == "ordinal":
            outputs.append(Output(j, "code"))
        elif encode == "onehot":
            outputs += _intervals(j, ascending.get(j, []))
    return outputs


def by_column(cuts: list[Cut]) -> dict[int, list[Cut]]:
    """Give the cuts of every column that has any, ascending."""
    found: dict[int, list[Cut]] = {}
    for cut in sorted(cuts, key=lambda cut: cut.value):
        found.setdefault(cut.column, []).append(cut)
    return found


def _intervals(column: int, cuts: list[Cut]) -> list[Output]:
    if not cuts:
        return []  # one interval, and every cell is in it: nothing to tell
    found: list[Output] = []
    low: float | None = None
    text = ""
    for cut in cuts:
        found.append(Output(column, "interval", low, cut.value, (text, cut.text)))
        low, text = cut.value, cut.text
    return [*found, Output(column, "interval", low, None, (text, ""))]


def names_of(outputs: list[Output], names: list[str], schema: Schema) -> list[str]:
    """Give the names of the columns of the result, given those of X."""
    found = [output.name(names[output.column], schema) for output in outputs]
    if len(set(found)) < len(found):
        seen: set[str] = set()
        twice = next(name for name in found if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"two columns of the result would be named {twice!r}; rename those of X")
    return found


# --- cells ---------------------------------------------------------------------------------------


def fill(
    source: Source, schema: Schema, outputs: list[Output], cuts: list[Cut], *, missing: float
) -> Floats:
    """Compute all columns but those that are kept; those stay NaN."""
    cells = np.full((source.n_rows, len(outputs)), np.nan, order="F")
    places_of: dict[int, list[int]] = {}
    for place, output in enumerate(outputs):
        if output.kind != "keep":
            places_of.setdefault(output.column, []).append(place)
    ascending = by_column(cuts) if any(output.kind == "code" for output in outputs) else {}
    for j, places in places_of.items():
        known = schema.columns[j]
        if known.kind != "numeric":
            codes = encode_codes(known, source.columns[j], fail=False)
            for place in places:
                cells[:, place] = codes == outputs[place].level
            absent = codes == MISSING
        else:
            values = encode_numbers(known, source.columns[j])
            for place in places:
                cells[:, place] = _cells(values, outputs[place], ascending.get(j, []))
            absent = np.isnan(values)
        if absent.any():
            empty = missing if outputs[places[0]].kind != "code" else np.nan
            cells[np.ix_(absent, places)] = empty
    return cells


def _cells(values: Floats, output: Output, cuts: list[Cut]) -> NDArray[Any]:
    if output.kind == "code":
        return np.searchsorted([cut.value for cut in cuts], values, side="left")
    inside = np.ones(len(values), dtype=bool)
    if output.low is not None:
        inside &= values > output.low
    if output.high is not None:
        inside &= values <= output.high
    return inside


# --- the kind of X -------------------------------------------------------------------------------


def as_table(
    X: Any, source: Source, names: list[str], kept: dict[int, int], cells: Floats, wanted: str
) -> Any:
    """Give the cells as a table of the kind of X, or as scikit-learn wants it.

    Parameters
    ----------
    X : table
        What the user passed.
    source : Source
        X, opened.
    names : list of str
        Names of the columns of the result.
    kept : dict
        From a position in the result to the column of X that it is.
    cells : ndarray
        All other columns.
    wanted : str
        "default", or the library of `set_output`.
    """
    frame: Any = None
    if not isinstance(X, np.ndarray | list | tuple | Mapping):
        frame = nw.from_native(nw.to_native(X, pass_through=True), pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        frame = None
    elif not source.named:
        frame = nw.from_native(frame.to_native().set_axis(source.names, axis=1))
    if frame is not None and wanted in ("default", frame.implementation.value):
        return _same_frame(X, frame, source, names, kept, cells)
    if wanted == "default" and not isinstance(X, Mapping):
        if not kept:
            return np.ascontiguousarray(cells)
        mixed = cells.astype(object)
        for place, j in kept.items():
            mixed[:, place] = _kept_cells(X, frame, source, j)
        return mixed
    table: dict[str, Any] = {
        name: _kept_cells(X, frame, source, kept[place]) if place in kept else cells[:, place]
        for place, name in enumerate(names)
    }
    if wanted == "default":
        return table
    made = nw.from_dict(table, backend=cast(Literal["pandas", "polars"], wanted))
    index = getattr(frame.to_native(), "index", None) if frame is not None else None
    if wanted == "pandas" and index is not None:
        made = nw.maybe_set_index(made, index=nw.new_series("", index, backend="pandas"))
    return made.to_native()


def _same_frame(
    X: Any, frame: Any, source: Source, names: list[str], kept: dict[int, int], cells: Floats
) -> Any:
    columns = [
        frame[source.names[kept[place]]].alias(name)
        if place in kept
        else nw.new_series(name, cells[:, place], nw.Float64, backend=frame.implementation)
        for place, name in enumerate(names)
    ]
    if frame.implementation.is_pandas_like():
        native = frame.to_native()
        index = native.index
        parts = {series.name: series.to_native() for series in columns}
        result = native.iloc[:, :0].copy()
        if parts:
            for part in parts.values():
                part.index = index
            result = type(native)(parts, index=index)
        made = nw.from_native(result)
    else:
        made = frame.select(*columns) if columns else frame.select([])
    return made if isinstance(X, nw.DataFrame) else made.to_native()


def _kept_cells(X: Any, frame: Any, source: Source, j: int) -> Any:
    if isinstance(X, Mapping):
        return X[source.names[j]]
    if frame is not None:
        cells = frame[source.names[j]].to_list()
        return [None if is_missing(cell) else cell for cell in cells]
    if isinstance(X, np.ma.MaskedArray):
        X = fill_masked(X)
    return np.asarray(X, dtype=object if isinstance(X, list | tuple) else None)[:, j]
