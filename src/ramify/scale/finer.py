"""Finer edges inside opened cells, where more values lie than a scan can read.

A cell that is opened holds many rows of a large table, and only few of its cuts can be the best. So
its rows are counted once more between edges that divide it evenly: most of the smaller cells are
ruled out, and only the values of the others are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ramify.scale.openings import Opening

Edges = NDArray[np.float64]

#: A cell is divided in so many at most, and if it has several times as many rows.
_MOST_PARTS, _ROWS_PER_PART = 64, 4
#: Another scan pays if it saves more than one.
_SCANS = 2


def finer_edges(
    openings: Sequence[Opening], read_at_once: int, most_cells: int
) -> dict[tuple[int, int], Edges]:
    """Give new edges for columns of nodes with large opened cells; none if it does not pay.

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
        edges = _divided(opening, parts)
        if edges is not None and len(edges) < most_cells:
            found[opening.node, opening.column] = edges
            most_cells -= len(edges) + 1
    return found


def _divided(opening: Opening, most_parts: int) -> Edges | None:
    """Give the edges of a column with more of them inside its opened cells."""
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
        inside = np.linspace(low[finite], high[finite], parts, endpoint=False)[1:]
    return np.unique(np.concatenate([edges, inside[np.isfinite(inside)]])) + 0.0
