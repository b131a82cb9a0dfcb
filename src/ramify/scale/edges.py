"""The edges between which the values of numeric columns are counted, and how many of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.profiling import Learned
from ramify.scale.reading import Reader, read_numbers

#: How a column is counted: its edges and whether they have cells of their own, or its levels.
ColumnForm = tuple[NDArray[np.float64], bool] | int


@dataclass(frozen=True)
class CountedColumns:
    """How the columns are counted; where it is sent to, the core prepares the edges once more."""

    forms: list[ColumnForm]
    #: The edges of the target, if its ranks count.
    target: tuple[NDArray[np.float64], bool] | None = None
    core: _core.StreamColumns = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        target = [] if self.target is None else [self.target]
        object.__setattr__(self, "core", _core.StreamColumns([*self.forms, *target]))

    def __len__(self) -> int:
        return len(self.forms)

    def __reduce__(self) -> tuple[type[CountedColumns], tuple[Any, ...]]:
        return CountedColumns, (self.forms, self.target)


#: Edges for every root of the number of rows, see `shifts_for`.
_EDGES_PER_ROOT = 4


def enough_edges(n_rows: int) -> int:
    """Give the number of edges that so many rows have a use for."""
    return max(256, int(2 * _EDGES_PER_ROOT * math.sqrt(n_rows)))


def propose_edges(reader: Reader, learned: Learned, count: int) -> list[ColumnForm]:
    """Give the edges of every numeric column, from the sample, and the levels of the others.

    A column of few distinct values has them all as edges, with cells of their own.
    """
    parts = [reader.read_columns(part) for part in learned.profile.sample.parts if part.num_rows]
    forms: list[ColumnForm] = []
    for c, column in enumerate(reader.schema.columns):
        if column.kind != "numeric":
            forms.append(len(column.levels))
            continue
        values = np.concatenate([part[c] for part in parts]).astype(np.float64)
        forms.append(_edges_of(values[~np.isnan(values)], count))
    return forms


def propose_target_edges(
    reader: Reader, learned: Learned, count: int
) -> tuple[NDArray[np.float64], bool]:
    """Give at most so many edges of the target, one at least, and whether these have cells."""
    parts = [part for part in learned.profile.sample.parts if part.num_rows]
    targets = [read_numbers(part.column(reader.target), reader.owner) for part in parts]
    return _edges_of(np.concatenate(targets), count)


def _edges_of(known: NDArray[np.float64], count: int) -> tuple[NDArray[np.float64], bool]:
    edges = np.unique(known) + 0.0
    few = len(edges) <= count // 2
    if len(edges) > count:
        # By rank among all rows of the sample, so that cells have about as many rows each.
        places = np.linspace(0, len(known) - 1, count).round().astype(np.intp)
        edges = np.unique(np.sort(known)[places]) + 0.0
    return np.ascontiguousarray(edges), few


def shifts_for(forms: list[ColumnForm], n_rows: int, most: int) -> list[int]:
    """Give how many of the edges count for each column: every second, every fourth, ...

    There are at most so many, unless they have cells of their own.

    Between the edges of a node of n rows lie few of them if there are many times the root of n
    edges: chance alone moves a gain by as much as that many rows do.
    """
    enough = min(most, 2 * _EDGES_PER_ROOT * math.sqrt(n_rows))
    shifts = []
    for form in forms:
        shift = 0
        while not isinstance(form, int) and not form[1] and len(form[0]) >> shift > enough:
            shift += 1
        shifts.append(shift)
    return shifts


def cells_of(forms: list[ColumnForm], shifts: list[int]) -> int:
    """Give the number of cells of all columns."""
    cells = 0
    for form, shift in zip(forms, shifts, strict=True):
        edges = 0 if isinstance(form, int) else len(form[0]) >> shift
        cells += form if isinstance(form, int) else 2 * edges if form[1] else edges
    return cells


def coarser(cells: NDArray[np.int64], shift: int) -> NDArray[np.int64]:
    """Give the counts between every 2**shift-th edge; the last row, of missing values, stays."""
    if shift == 0:
        return cells
    step = 1 << shift
    inside = cells[:-1]
    padded = np.zeros((-(-len(inside) // step) * step, cells.shape[1]), dtype=cells.dtype)
    padded[: len(inside)] = inside
    summed = padded.reshape(-1, step, cells.shape[1]).sum(axis=1, dtype=cells.dtype)
    return np.concatenate([summed, cells[-1:]])
