"""Partitions of the levels of a nominal attribute, from a plain contingency table.

What a tree does with a nominal attribute can be tried here by hand: :func:`best_nominal_split`
runs one search on one table, :func:`methods` lists the searches, :func:`merge_levels` merges the
levels that do not differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.weights import cost_matrix
from ramify.splits.merge import MergeLevels
from ramify.splits.methods import METHODS, Method

__all__ = [
    "MaxCut",
    "MergeLevels",
    "MergedLevels",
    "Method",
    "NominalSplit",
    "best_nominal_split",
    "max_cut",
    "merge_levels",
    "methods",
    "score",
]

WORK_LIMIT = 1 << 22  # partitions that "exact" scores before it settles for the best it has
# What things may add up to, and no less than one divided by it: searches square an edge, which is
# a cost times two counts, and none of that may become zero or infinite.
_MOST_COUNTS = 1e60
_MOST_COSTS = 1e30
_MOST_WEIGHTS = 1e120
_WITH_COSTS = ("gini", "squared_gini")


@dataclass(frozen=True)
class NominalSplit:
    """A partition of the levels in two.

    Attributes
    ----------
    left, right : tuple of int
        Rows of the contingency table on either side; the first row with any weight is on the left,
        and rows without weight are on the heavier side.
    score : float
        The criterion's gain; higher is better.
    impurity : float
        Mean impurity of the two sides, by weight: the entropy in bits for entropy, gain_ratio and
        distance, the error rate for misclassification, generalized_gini and maxdif, the Gini index
        for all others. `costs` enter it for gini and squared_gini; `min_support` does not.
    proven : bool
        Whether no partition of these levels scores better.
    work : int
        Partitions scored.
    method, criterion : str
        What found it.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    score: float
    impurity: float
    proven: bool
    work: int
    method: str
    criterion: str


def methods() -> tuple[Method, ...]:
    """List the searches, with what is known of each.

    Examples
    --------
    >>> from ramify.splits import methods
    >>> next(method.guarantee for method in methods() if method.name == "hypercube_cover")
    'at most 2 x the least impurity (gini, entropy)'
    """
    return METHODS


def best_nominal_split(
    counts: ArrayLike,
    *,
    method: str = "auto",
    criterion: str = "gini",
    min_samples_leaf: float = 0,
    min_support: float = 0,
    costs: ArrayLike | None = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
    work_limit: int = WORK_LIMIT,
) -> NominalSplit | None:
    """Search for the best partition of the levels of a contingency table.

    Parameters
    ----------
    counts : array-like of shape (levels, classes)
        Weight of every class on every level; in all zero, or from 1e-60 to 1e60.
    method : str
        The search; see :func:`methods`.
    criterion : str
        What a partition is scored by.
    min_samples_leaf : float
        Least weight of a side.
    min_support : float
        A side whose largest class weighs less cannot add to the score, only take away from it.
    costs : array-like of shape (classes, classes) or None
        Costs of taking one class for another, for "gini" and "squared_gini"; any other criterion
        knows none and refuses them. In all zero, or from 1e-30 to 1e30.
    random_state : int, random generator of NumPy or None
        Seed of the searches that draw at random; None means 0.
    work_limit : int
        Partitions that "exact" may score, at least 1; beyond it the best so far is given, not
        proven. Of three and four classes, where so many are sure to end in a proof, it scores up to
        16 times as many.

    Returns
    -------
    NominalSplit or None
        None if no partition that was looked at has weight (and `min_samples_leaf`) on both sides;
        only "exact" looks at all.

    Examples
    --------
    >>> from ramify.splits import best_nominal_split
    >>> split = best_nominal_split([[40, 0, 20], [10, 40, 5], [30, 5, 25], [0, 10, 5]])
    >>> split.left, split.right, split.proven
    ((0, 2), (1, 3), True)
    """
    table = _counts("counts", counts)
    check.choice("method", method, _core.nominal_search_names())
    check.choice("criterion", criterion, _core.criterion_names())
    check.number("min_samples_leaf", min_samples_leaf, least=0.0)
    check.number("min_support", min_support, least=0.0)
    options = (
        method,
        criterion,
        float(min_support),
        _costs(costs, table.shape[1], criterion),
        float(min_samples_leaf),
        check.seed(random_state),
        min(check.whole("work_limit", work_limit, least=1), check.UNLIMITED),
    )
    try:
        found = _core.best_nominal_split(table, *options)
        if found is None:
            # With fewer than two levels the core does not ask whether the search can use the
            # criterion and the classes. A wrong pair is wrong for every table: two levels tell.
            two_levels = np.zeros((2, table.shape[1]))
            two_levels[:, 0] = 1.0
            _core.best_nominal_split(two_levels, *options)
    except ValueError as error:
        raise ValueError(_in_words_of_the_caller(str(error), method)) from None
    if found is None or not np.isfinite(found["score"] + found["impurity"]):
        _check_rows("counts", table)
    return None if found is None else NominalSplit(**found, method=method, criterion=criterion)


def _in_words_of_the_caller(message: str, method: str) -> str:
    """Name what the core calls `categorical_split`, as trees do, by the parameter of this module.

    "multiway" is a choice of trees only.
    """
    message = message.replace("this categorical_split", f"method={method!r}")
    message = message.replace("categorical_split=", "method=")
    return message.replace(", 'pc' or 'multiway'", " or 'pc'")


def score(
    children: ArrayLike,
    *,
    criterion: str = "gini",
    min_support: float = 0,
    costs: ArrayLike | None = None,
) -> float:
    """Score a partition by the class weights of its children.

    Parameters
    ----------
    children : array-like of shape (children, classes)
        Weight of every class in every child; in all from 1e-60 to 1e60.
    criterion : str
        One of the criteria of :class:`ramify.TreeClassifier`.
    min_support : float
        A child whose largest class weighs less cannot add to the score, only take away from it.
    costs : array-like of shape (classes, classes) or None
        Costs of taking one class for another, for "gini" and "squared_gini"; any other criterion
        knows none and refuses them. In all zero, or from 1e-30 to 1e30.

    Returns
    -------
    float
        Higher is better.

    Examples
    --------
    The example of Berzal et al. (2003), Table 1:

    >>> from ramify.splits import score
    >>> float(score([[90, 10, 0], [0, 85, 15]], criterion="maxdif"))
    0.75
    """
    table = _counts("children", children)
    check.choice("criterion", criterion, _core.criterion_names())
    check.number("min_support", min_support, least=0.0)
    if not table.any():
        raise ValueError("children must have some weight")
    given = _costs(costs, table.shape[1], criterion)
    result = float(_core.score(table, criterion, float(min_support), given))
    if not np.isfinite(result):
        _check_rows("children", table)
    return result


@dataclass(frozen=True)
class MergedLevels:
    """Levels in groups.

    Attributes
    ----------
    groups : tuple of tuple of int
        Rows of the table, by group; a group comes before those whose lowest row is higher.
    pvalue : float
        Of the test whether the groups differ.
    adjusted_pvalue : float
        Times Bonferroni's factor: the number of ways in which the levels can be put into so many
        groups, at most 1.
    """

    groups: tuple[tuple[int, ...], ...]
    pvalue: float
    adjusted_pvalue: float


def merge_levels(
    counts: ArrayLike,
    *,
    method: MergeLevels | None = None,
    ordered: bool = False,
    missing_last: bool = False,
    min_samples_leaf: float = 0,
) -> MergedLevels:
    """Merge the levels of a contingency table that do not differ.

    Parameters
    ----------
    counts : array-like of shape (levels, classes)
        Weight of every class on every level. Levels without weight are in no group.
    method : MergeLevels or None
        How; None is ``MergeLevels()``.
    ordered : bool
        Whether only neighbours are merged.
    missing_last : bool
        Whether the last row is the missing value, which has no place in the order.
    min_samples_leaf : float
        Groups of less weight are merged with the one that they differ least from.

    Returns
    -------
    MergedLevels

    Examples
    --------
    >>> from ramify.splits import merge_levels
    >>> merged = merge_levels([[40, 10], [38, 12], [11, 39], [25, 25]])
    >>> merged.groups
    ((0, 1), (2,), (3,))
    >>> merge_levels([[40, 10], [11, 39], [38, 12]], ordered=True).groups
    ((0,), (1,), (2,))
    """
    table = _counts("counts", counts)
    chosen = MergeLevels() if method is None else method
    if not isinstance(chosen, MergeLevels):
        raise ValueError(f"method={method!r:.80} must be None or a MergeLevels")
    chosen.require("method")
    check.boolean("ordered", ordered)
    check.boolean("missing_last", missing_last)
    check.number("min_samples_leaf", min_samples_leaf, least=0.0)
    present = np.flatnonzero(table.sum(axis=1) > 0)
    if not len(present):
        return MergedLevels((), 1.0, 1.0)
    group_of, log_p, log_ways = _core.merge_levels(
        np.ascontiguousarray(table[present]),
        ordered,
        missing_last and bool(present[-1] == len(table) - 1),
        float(min_samples_leaf),
        chosen.options(),
    )
    groups: list[list[int]] = [[] for _ in range(max(group_of) + 1)]
    for level, group in zip(present.tolist(), group_of, strict=True):
        groups[group].append(level)
    return MergedLevels(
        tuple(map(tuple, groups)), exp(log_p), min(1.0, exp(min(log_p + log_ways, 0.0)))
    )


def _counts(name: str, counts: Any) -> NDArray[np.float64]:
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


def _costs(costs: Any, n_classes: int, criterion: str) -> NDArray[np.float64] | None:
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


def _check_rows(name: str, table: NDArray[np.float64]) -> None:
    """Refuse a row that is lost beside the others. Looked for only where no result came out."""
    weights = table.sum(axis=1)
    lost = (weights > 0.0) & (weights < 1 / _MOST_COUNTS)
    if lost.any():
        row = int(np.argmax(lost))
        raise ValueError(
            f"row {row} of {name} adds up to {float(weights[row])!r}, too little to compute with; "
            f"the weight of a row must be zero or at least {1 / _MOST_COUNTS:g}"
        )


def _check_cells(name: str, table: NDArray[np.float64]) -> None:
    if table.min() >= 0.0 and table.max() < np.inf:  # NaN is neither
        return
    row, column = np.argwhere(~((table >= 0.0) & (table < np.inf)))[0]
    raise ValueError(
        f"{name} must be finite and not negative, but row {row}, column {column} has "
        f"{float(table[row, column])!r}"
    )


def _check_total(name: str, table: NDArray[np.float64], most: float) -> None:
    with np.errstate(over="ignore"):
        total = float(np.abs(table).sum())
    if total != 0.0 and not 1 / most <= total <= most:
        raise ValueError(
            f"{name} add up to {total!r}, out of the range of {1 / most:g} to {most:g} that can be "
            f"computed with; scale {name}"
        )


@dataclass(frozen=True)
class MaxCut:
    """A division of the vertices of a graph in two.

    Attributes
    ----------
    left, right : tuple of int
        Vertices on either side; the first one is on the left.
    weight : float
        Weight of the edges between the sides.
    bound : float or None
        No cut weighs more: the value of the semidefinite relaxation, for "gw".
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
        Weights of the edges, symmetric and not negative; the diagonal must be zero. In all zero,
        or from 1e-120 to 1e120.
    method : {"greedy", "gw"}
        "greedy" places one vertex after the other, then moves and exchanges them while that
        improves: at least half of the maximum (Sahni and Gonzalez 1976; Pereira 2018, algorithms 2
        and 3). "gw" solves the semidefinite relaxation and divides its vectors by random
        hyperplanes (Goemans and Williamson 1995): on average at least 0.878 of the maximum. The
        best of 64 is then improved in the same way.
    random_state : int, random generator of NumPy or None
        Seed of the hyperplanes; None means 0.

    Returns
    -------
    MaxCut
        Both sides have a vertex, if there are two.

    Examples
    --------
    >>> from ramify.splits import max_cut
    >>> cut = max_cut([[0, 3, 1, 0], [3, 0, 3, 1], [1, 3, 0, 4], [0, 1, 4, 0]], method="gw")
    >>> cut.left, cut.right, cut.weight
    ((0, 2), (1, 3), 10.0)
    >>> cut.weight <= cut.bound < 10.5
    True
    """
    graph = _graph(weights)
    check.choice("method", method, ("greedy", "gw"))
    sides, weight = _core.max_cut(graph, method, check.seed(random_state))
    right = sides != sides[0]
    return MaxCut(
        left=tuple(np.flatnonzero(~right).tolist()),
        right=tuple(np.flatnonzero(right).tolist()),
        weight=weight,
        bound=max(weight, _cut_bound(graph)) if method == "gw" else None,
    )


def _cut_bound(graph: NDArray[np.float64]) -> float:
    """Bound every cut by the dual of the relaxation: it holds however well that was solved.

    If diag(y) + W has no negative eigenvalue, then no cut exceeds (sum_ij w_ij + sum_i y_i) / 4.
    In the optimum y_i is the length of sum_j w_ij v_j; what that lacks is added here.
    """
    _, vectors = _core.maxcut_sdp(graph)
    lengths = np.linalg.norm(graph @ vectors, axis=1)
    least = float(np.linalg.eigvalsh(graph + np.diag(lengths))[0])
    y = float(lengths.sum()) + len(graph) * max(0.0, -least)
    return float(graph.sum()) / 4 + y / 4


def _graph(weights: Any) -> NDArray[np.float64]:
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
        raise ValueError("weights must be zero on the diagonal: no edge leads to where it starts")
    return np.ascontiguousarray((graph + graph.T) / 2)
