"""Maximum cuts of a graph, which some searches of nominal splits are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ramify import _core
from ramify.learning import parameters as check
from ramify.splits.matrices import Floats, read_graph


@dataclass(frozen=True)
class MaxCut:
    """A division of the vertices of a graph in two.

    Attributes
    ----------
    left, right : tuple of int
        Vertices on either side; the first vertex is on the left.
    weight : float
        Weight of the edges between the sides.
    bound : float or None
        With "gw": no cut weighs more. It comes from the semidefinite relaxation.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    weight: float
    bound: float | None


def max_cut(
    weights: ArrayLike,
    *,
    method: Literal["greedy", "gw"] = "greedy",
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
) -> MaxCut:
    """Search for a division of the vertices of a graph with much weight between the sides.

    Parameters
    ----------
    weights : array-like of shape (vertices, vertices)
        Weights of the edges, symmetric and not negative; the diagonal must be zero. The sum must
        be zero, or from 1e-120 to 1e120.
    method : {"greedy", "gw"}
        "greedy" places one vertex after the other, then moves and exchanges vertices as long as
        that improves the cut: at least half of the maximum (Sahni and Gonzalez 1976; Pereira 2018,
        algorithms 2 and 3). "gw" solves the semidefinite relaxation and divides its vectors by
        random hyperplanes (Goemans and Williamson 1995): on average at least 0.878 of the maximum.
        The best of 64 hyperplanes is then improved in the same way.
    random_state : int, random generator of NumPy or None
        Seed of the hyperplanes; None means 0.

    Returns
    -------
    MaxCut
        Both sides have a vertex, unless there is only one.

    Examples
    --------
    >>> from ramify.splits import max_cut
    >>> cut = max_cut([[0, 3, 1, 0], [3, 0, 3, 1], [1, 3, 0, 4], [0, 1, 4, 0]], method="gw")
    >>> cut.left, cut.right, cut.weight
    ((0, 2), (1, 3), 10.0)
    >>> cut.weight <= cut.bound < 10.5
    True
    """
    graph = read_graph(weights)
    check.choice("method", method, ("greedy", "gw"))
    sides, weight = _core.max_cut(graph, method, check.seed(random_state))
    right = sides != sides[0]
    return MaxCut(
        left=tuple(np.flatnonzero(~right).tolist()),
        right=tuple(np.flatnonzero(right).tolist()),
        weight=weight,
        bound=max(weight, _cut_bound(graph)) if method == "gw" else None,
    )


def _cut_bound(graph: Floats) -> float:
    """Give a bound on every cut, by the dual of the relaxation.

    It holds however well the relaxation was solved. If diag(y) + W has no negative eigenvalue, no
    cut exceeds (sum_ij w_ij + sum_i y_i) / 4. In the optimum y_i is the length of sum_j w_ij v_j;
    if that leaves a negative eigenvalue, every y_i is raised.
    """
    _, vectors = _core.maxcut_sdp(graph)
    lengths = np.linalg.norm(graph @ vectors, axis=1)
    least = float(np.linalg.eigvalsh(graph + np.diag(lengths))[0])
    y = float(lengths.sum()) + len(graph) * max(0.0, -least)
    return float(graph.sum()) / 4 + y / 4
