"""What `transform` of a discretiser gives: columns, their names and cells, as a table like X.

Invariant: names are distinct, and a cell depends only on the cell of X that it comes from.
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
from ramify.tree.words import format_number, threshold_digits

Floats = NDArray[np.float64]
ENCODINGS = ("ordinal", "thresholds", "onehot")
NOMINAL = ("passthrough", "indicators", "drop")
_PRECISION = 6  # significant digits of a threshold in a name, unless more are needed


@dataclass(frozen=True)
class Cut:
    """A threshold of a column, and how it is written."""

    column: int
    value: float
    text: str


def digits_apart(column: NDArray[Any], threshold: Floats) -> NDArray[np.int64]:
    """Give the digits with which the thresholds of a column are written differently."""
    return threshold_digits(column.astype(np.int32), threshold, _PRECISION)


def make_cuts(column: NDArray[Any], threshold: Floats, digits: NDArray[np.int64]) -> list[Cut]:
    """Give the cuts for arrays of columns and thresholds, written with so many digits."""
    cells = zip(column.tolist(), threshold.tolist(), digits.tolist(), strict=True)
    return [Cut(j, value, format_number(value, places)) for j, value, places in cells]


@dataclass(frozen=True)
class OutputColumn:
    """One column of the result, and the column of X that it is made of."""

    column: int
    kind: Literal["keep", "code", "interval", "level"]
    low: float | None = None  # of an interval: low < value <= high; None means no end
    high: float | None = None
    texts: tuple[str, str] = ("", "")  # low and high as they are written
    level: int = 0

    def name(self, column: str, schema: Schema) -> str:
        """Give its name, made from the name of the column of X."""
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


def output_columns(
    schema: Schema, cuts: list[Cut], encode: str, nominal: str
) -> list[OutputColumn]:
    """Give the columns of the result.

    With "thresholds", they come in the order of the cuts, and the columns that are not cut come
    last. Otherwise they come in the order of the columns of X.
    """
    outputs: list[OutputColumn] = []
    ascending = by_column(cuts) if encode == "onehot" else {}
    if encode == "thresholds":
        outputs = [
            OutputColumn(cut.column, "interval", high=cut.value, texts=("", cut.text))
            for cut in cuts
        ]
    for j, column in enumerate(schema.columns):
        if column.kind != "numeric":
            if nominal == "passthrough":
                outputs.append(OutputColumn(j, "keep"))
            elif nominal == "indicators":
                outputs += [OutputColumn(j, "level", level=k) for k in range(len(column.levels))]
        elif encode == "ordinal":
            outputs.append(OutputColumn(j, "code"))
        elif encode == "onehot":
            outputs += _intervals(j, ascending.get(j, []))
    return outputs


def by_column(cuts: list[Cut]) -> dict[int, list[Cut]]:
    """Give the cuts of each column that has any, ascending."""
    found: dict[int, list[Cut]] = {}
    for cut in sorted(cuts, key=lambda cut: cut.value):
        found.setdefault(cut.column, []).append(cut)
    return found


def _intervals(column: int, cuts: list[Cut]) -> list[OutputColumn]:
    if not cuts:
        return []  # there is one interval, and every cell is in it
    found: list[OutputColumn] = []
    low: float | None = None
    text = ""
    for cut in cuts:
        found.append(OutputColumn(column, "interval", low, cut.value, (text, cut.text)))
        low, text = cut.value, cut.text
    return [*found, OutputColumn(column, "interval", low, None, (text, ""))]


def output_names(outputs: list[OutputColumn], names: list[str], schema: Schema) -> list[str]:
    """Give the names of the result, given those of the columns of X."""
    found = [output.name(names[output.column], schema) for output in outputs]
    if len(set(found)) < len(found):
        seen: set[str] = set()
        twice = next(name for name in found if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"two columns of the result would be named {twice!r}; rename those of X")
    return found


# --- cells ---------------------------------------------------------------------------------------


def fill_cells(
    source: Source, schema: Schema, outputs: list[OutputColumn], cuts: list[Cut], *, missing: float
) -> Floats:
    """Compute the cells. Columns of X that are kept as they are stay NaN here."""
    cells = np.full((source.n_rows, len(outputs)), np.nan, order="F")
    places_of: dict[int, list[int]] = {}
    for place, output in enumerate(outputs):
        if output.kind != "keep":
            places_of.setdefault(output.column, []).append(place)
    ascending = by_column(cuts) if any(output.kind == "code" for output in outputs) else {}
    for j, places in places_of.items():
        column = schema.columns[j]
        if column.kind != "numeric":
            codes = encode_codes(column, source.columns[j], fail=False)
            for place in places:
                cells[:, place] = codes == outputs[place].level
            absent = codes == MISSING
        else:
            values = encode_numbers(column, source.columns[j])
            for place in places:
                cells[:, place] = _cells(values, outputs[place], ascending.get(j, []))
            absent = np.isnan(values)
        if absent.any():
            empty = missing if outputs[places[0]].kind != "code" else np.nan
            cells[np.ix_(absent, places)] = empty
    return cells


def _cells(values: Floats, output: OutputColumn, cuts: list[Cut]) -> NDArray[Any]:
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
    """Give the cells as a table of the kind of X, or of the library that `set_output` names.

    Parameters
    ----------
    X : table
        What the user passed.
    source : Source
        X, opened.
    names : list of str
        Names of the columns of the result.
    kept : dict
        For columns of X that are kept: from the position in the result to that in X.
    cells : ndarray
        All other columns.
    wanted : str
        "default" for the kind of X, or the name of a library.
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
