"""The matrices that users give: contingency tables, costs, weights of edges. Read and checked.

Invariant: what these functions return can be squared and multiplied without overflow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.weights import cost_matrix

Floats = NDArray[np.float64]
# The largest sum of a matrix; the smallest is one divided by it. The searches square the weight of
# an edge, which is a cost times two counts, and nothing of that may become zero or infinite.
_MOST_COUNTS = 1e60
_MOST_COSTS = 1e30
_MOST_WEIGHTS = 1e120
_WITH_COSTS = tuple(one.name for one in _core.criteria() if one.takes_costs)


def read_counts(name: str, counts: Any) -> Floats:
    """Give a contingency table as the core takes it: weights of rows by class."""
    try:
        table = np.ascontiguousarray(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}={counts!r:.80} must be a matrix of numbers") from None
    if table.ndim != 2 or 0 in table.shape:
        rows = "level" if name == "counts" else "child"
        raise ValueError(
            f"{name} has shape {table.shape}; give one row per {rows}, one column per class"
        )
    _check_cells(name, table)
    _check_total(name, table, _MOST_COUNTS)
    return table


def read_costs(costs: Any, n_classes: int, criterion: str) -> Floats | None:
    """Give a matrix of costs, flat as the core takes it; None if there is none."""
    matrix = cost_matrix(costs, np.arange(n_classes))
    if matrix is None:
        return None
    if criterion not in _WITH_COSTS:
        raise ValueError(
            f"criterion={criterion!r} knows no costs; choose "
            f"{' or '.join(map(repr, _WITH_COSTS))}, or costs=None"
        )
    _check_total("costs", matrix, _MOST_COSTS)
    return matrix.ravel()


def check_rows(name: str, table: Floats) -> None:
    """Refuse a row that is too light to compute with. Called only if there was no result."""
    weights = table.sum(axis=1)
    lost = (weights > 0.0) & (weights < 1 / _MOST_COUNTS)
    if lost.any():
        row = int(np.argmax(lost))
        raise ValueError(
            f"row {row} of {name} adds up to {float(weights[row])!r}, too little to compute with; "
            f"the weight of a row must be zero or at least {1 / _MOST_COUNTS:g}"
        )


def read_graph(weights: Any) -> Floats:
    """Give the weights of the edges of a graph as a symmetric matrix."""
    try:
        graph = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights={weights!r:.80} must be a matrix of numbers") from None
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1] or graph.size == 0:
        raise ValueError(f"weights has shape {graph.shape}; give one row and one column per vertex")
    _check_cells("weights", graph)
    _check_total("weights", graph, _MOST_WEIGHTS)
    if not np.allclose(graph, graph.T, rtol=1e-12, atol=0):
        raise ValueError("weights must be symmetric: an edge has one weight")
    if np.diagonal(graph).any():
        raise ValueError("weights must be zero on the diagonal: no edge joins a vertex to itself")
    return np.ascontiguousarray((graph + graph.T) / 2)


def _check_cells(name: str, table: Floats) -> None:
    if table.min() >= 0.0 and table.max() < np.inf:  # NaN is neither
        return
    row, column = np.argwhere(~((table >= 0.0) & (table < np.inf)))[0]
    raise ValueError(
        f"{name} must be finite and not negative, but row {row}, column {column} has "
        f"{float(table[row, column])!r}"
    )


def _check_total(name: str, table: Floats, most: float) -> None:
    with np.errstate(over="ignore"):
        total = float(np.abs(table).sum())
    if total != 0.0 and not 1 / most <= total <= most:
        raise ValueError(
            f"{name} add up to {total!r}, out of the range of {1 / most:g} to {most:g} that can be "
            f"computed with; scale {name}"
        )
