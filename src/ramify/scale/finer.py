"""Finer edges inside opened cells, where more values lie than a scan can read.

A cell that is opened holds many rows of a large table, and only few of its cuts can be the best. So
its rows, and only these, are counted once more between edges that divide it evenly: most of the
smaller cells are ruled out, and only the values of the others are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.scale.openings import Opening

Edges = NDArray[np.float64]

#: A cell is divided in so many at most, and if it has several times as many rows.
_MOST_PARTS, _ROWS_PER_PART = 64, 4
#: Another scan pays if it saves more than one.
_SCANS = 2


@dataclass(frozen=True)
class Finer:
    """Cells of a column of a node that are divided.

    Parameters
    ----------
    before : ndarray
        The edges between which the column was counted.
    divided : ndarray
        Marks the cells between them that are divided.
    edges : ndarray
        The edges inside these cells, and their ends.
    """

    before: Edges
    divided: NDArray[np.bool_]
    edges: Edges

    @property
    def within(self) -> NDArray[np.uint8]:
        """Marks of the cells between `edges` that lie inside the divided ones."""
        marks: NDArray[np.uint8] = self.divided[_cells_above(self.before, self.edges)].astype("u1")
        return marks

    @property
    def after(self) -> Edges:
        """All edges of the column."""
        edges: Edges = np.unique(np.concatenate([self.before, self.edges]))
        return edges

    def counts(self, known: NDArray[np.int64], found: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the counts between all edges.

        Parameters
        ----------
        known : ndarray
            The counts between the edges that were there; missing values come last.
        found : ndarray
            What was counted within the divided cells.
        """
        after = self.after
        coarse = _cells_above(self.before, after)
        counts: NDArray[np.int64] = known[np.append(coarse, len(known) - 1)].astype(np.int64)
        inside = np.flatnonzero(self.divided[coarse])
        counts[inside] = found[_cells_above(self.edges, after)[inside]]
        return counts


def _cells_above(edges: Edges, others: Edges) -> NDArray[np.int64]:
    """Give the cells between some edges that the cells between others, which are finer, lie in."""
    lowest = np.concatenate([[-np.inf], others])
    cells: NDArray[np.int64] = np.searchsorted(edges, lowest, side="right")
    cells[0] = 0  # also if -inf is an edge
    return cells


def finer_edges(
    openings: Sequence[Opening], read_at_once: int, most_cells: int
) -> dict[tuple[int, int], Finer]:
    """Give finer edges for columns of nodes with large opened cells; none if it does not pay.

    The rows of a noisy column that stay open fall with the square of the number of parts.

    Parameters
    ----------
    openings : list of Opening
    read_at_once : int
        How many values a scan reads.
    most_cells : int
        How many cells can be counted at once.
    """
    total = sum(opening.size for opening in openings)
    if total <= _SCANS * read_at_once:
        return {}
    parts = min(_MOST_PARTS, math.ceil(2 * math.sqrt(total / read_at_once)))
    found = {}
    for opening in sorted(openings, key=lambda one: -one.size):
        finer = _divided(opening, parts)
        if finer is not None and len(finer.before) + len(finer.edges) < most_cells:
            found[opening.node, opening.column] = finer
            most_cells -= len(finer.before) + len(finer.edges) + 1
    return found


def _divided(opening: Opening, most_parts: int) -> Finer | None:
    """Divide the opened cells of a column."""
    cells = np.flatnonzero(opening.marks)
    # A criterion without a bound opens all cells, the finer ones too.
    unbounded = 2 * len(cells) > np.count_nonzero(opening.rows)
    if opening.edge_cells or unbounded:
        return None
    edges = opening.edges
    cells = cells[(cells > 0) & (cells < len(edges))]  # the outermost have no end
    if not len(cells):
        return None
    low, high = edges[cells - 1], edges[cells]
    finite = np.isfinite(low) & np.isfinite(high)
    parts = min(most_parts, int(opening.rows[cells].mean()) // _ROWS_PER_PART)
    if parts < 2 or not finite.any():
        return None
    with np.errstate(over="ignore"):
        inside = np.linspace(low[finite], high[finite], parts, endpoint=False)
    # A cell whose width overflows stays whole.
    whole = np.isfinite(inside).all(axis=0)
    cells = cells[finite][whole]
    if not len(cells):
        return None
    divided = np.zeros(len(opening.marks), dtype=bool)
    divided[cells] = True
    ends = np.concatenate([edges[cells - 1], edges[cells]])
    return Finer(edges, divided, np.unique(np.concatenate([inside[:, whole].ravel(), ends])) + 0.0)
