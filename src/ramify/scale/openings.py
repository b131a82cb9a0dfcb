"""Opened cells of columns, divided so that the values of each part fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.scale.counts import Values

Marks = NDArray[np.uint8]


@dataclass(frozen=True)
class Opening:
    """Cells of a column of a node, whose values are wanted.

    Parameters
    ----------
    node, column : int
    marks : ndarray
        Marks the cells.
    rows : ndarray
        About how many rows every cell has.
    edges : ndarray
        The edges between the cells.
    edge_cells : bool
        Whether the edges have cells of their own.
    part : bool
        Whether the column has other opened cells.
    """

    node: int
    column: int
    marks: Marks
    rows: NDArray[np.float64]
    edges: NDArray[np.float64]
    edge_cells: bool
    part: bool = False

    @property
    def size(self) -> int:
        """About how many values are in the cells."""
        return int(self.rows[self.marks > 0].sum())

    def parts(self, most: int) -> Iterator[Opening]:
        """Divide the cells into parts of so many values, but of one cell at least."""
        if self.size <= most:
            yield self
            return
        cells = np.flatnonzero(self.marks)
        rows = self.rows[cells]
        before = np.cumsum(rows) - rows
        number = (before // max(1.0, most - rows.max())).astype(np.int64)
        for part in np.unique(number):
            yield self.narrowed(cells[number == part])

    def narrowed(self, cells: NDArray[np.int64]) -> Opening:
        """Give the same with some of its cells."""
        marks = np.zeros_like(self.marks)
        marks[cells] = self.marks[cells]
        return Opening(
            self.node, self.column, marks, self.rows, self.edges, self.edge_cells, part=True
        )

    def runs(self) -> tuple[NDArray[np.float64], Marks]:
        """Give the edges where opened cells begin or end, and marks of what lies between these.

        A scan needs no other edges. The edges must have no cells of their own.
        """
        changes = np.flatnonzero(np.diff(self.marks))
        first = self.marks[:1]
        if not len(changes):  # edges of a slot are at least one
            return np.array([-np.inf]), np.repeat(first, 2)
        return self.edges[changes], np.append(first, self.marks[changes + 1])

    def inside(self, values: Values) -> Values:
        """Give those of some values that lie in the cells."""
        cells = np.searchsorted(self.edges, values.values, side="right")
        here = self.marks[cells * 2 if self.edge_cells else cells] > 0
        return Values(values.values[here], values.channels[here])


def shared_scans(openings: Iterator[Opening], room: int) -> Iterator[list[Opening]]:
    """Divide openings among scans that read so many values each, of a column one part at most."""
    scan: list[Opening] = []
    left = room
    for opening in openings:
        again = any((one.node, one.column) == (opening.node, opening.column) for one in scan)
        if scan and (again or opening.size > left):
            yield scan
            scan, left = [], room
        scan.append(opening)
        left -= opening.size
    if scan:
        yield scan
