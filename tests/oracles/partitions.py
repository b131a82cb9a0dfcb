"""Which divisions of the levels of a nominal attribute in two are tried, and in which order.

A division is given as the set of positions that go left; the groups are the rows of the levels
present at the node, ascending by level (missing cells last, where they are a level of their own).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from oracles.nominal import supervalues
from oracles.problem import SLACK, Problem, Rows, class_weights

Left = frozenset[int]


def every_partition(n: int) -> Iterator[Left]:
    """All 2^(n-1) - 1 divisions in two, in Gray-code order: one level changes sides at a time."""
    for step in range(1, 2 ** (n - 1)):
        code = step ^ (step >> 1)
        yield frozenset(i for i in range(n) if i == 0 or not code >> (i - 1) & 1)


def documented_partitions(
    problem: Problem, groups: list[Rows], everywhere: int = 0
) -> Iterator[Left]:
    """The divisions that `categorical_split` documents; `everywhere`: rows in every branch."""
    least = problem.candidate_leaf - everywhere - SLACK
    if problem.classes == 0:
        by_ranks = problem.criterion in ("absolute_error", "quantile")
        centre = lower_quantile if by_ranks else weighted_mean
        yield from prefixes([centre(problem, group) for group in groups])
        return
    counts = np.array([class_weights(problem, group) for group in groups])
    method = problem.categorical_split
    if method == "auto":
        method = "two_class" if problem.classes == 2 and problem.concave else "exact"
    if method == "shi":
        few = len(groups) <= 4
        method = "exact" if few else "two_class" if problem.classes == 2 else "pc"
    if method == "exact":
        yield from optimal_partitions(problem, groups, counts, least)
        return
    merged = supervalues(counts)
    small = np.array([counts[group].sum(axis=0) for group in merged])
    if method == "two_class":
        key = small[:, 1] / small.sum(axis=1)
    elif method == "pc":
        key = principal_scores(small)
    else:
        raise ValueError(f"no order is documented for {method}")
    found = list(expanded(prefixes(key), merged))
    if problem.categorical_split == "auto" and not any(
        allowed(problem, groups, x, least) for x in found
    ):
        found = list(every_partition(len(groups)))  # no cut of the order keeps the limits
    yield from found


def allowed(problem: Problem, groups: list[Rows], left: Left, least: float) -> bool:
    """Whether both sides have the rows that a leaf needs."""
    support = np.array([problem.size(group) for group in groups])
    inside = np.array([i in left for i in range(len(groups))])
    return bool(support[inside].sum() >= least and support[~inside].sum() >= least)


def optimal_partitions(
    problem: Problem, groups: list[Rows], counts: NDArray[np.float64], least: float
) -> Iterator[Left]:
    """Partitions that hold a best one, in the order in which the exact search meets them."""
    all_allowed = all(problem.size(group) >= least for group in groups)
    separable = problem.concave and (problem.costs is None or problem.classes == 2)
    if not (all_allowed and separable):
        yield from every_partition(len(groups))
        return
    merged = supervalues(counts)
    small = np.array([counts[group].sum(axis=0) for group in merged])
    classes = np.flatnonzero(counts.sum(axis=0) > 0)
    two = problem.classes == 2 or (
        len(classes) == 2 and problem.criterion in ("gini", "entropy") and problem.costs is None
    )
    if two:
        second = classes[-1] if problem.classes > 2 else 1
        yield from expanded(prefixes(small[:, second] / small.sum(axis=1)), merged)
    elif len(merged) <= 10:
        yield from expanded(every_partition(len(merged)), merged)
    else:
        raise ValueError("beyond ten supervalues the order of the exact search is its own")


def expanded(lefts: Iterator[Left], merged: list[list[int]]) -> Iterator[Left]:
    for left in lefts:
        yield frozenset(level for group in left for level in merged[group])


def prefixes(key: NDArray[np.float64] | list[float]) -> Iterator[Left]:
    """Cuts of the levels in ascending order of the key."""
    order = sorted(range(len(key)), key=lambda i: key[i])
    for cut in range(1, len(order)):
        left = frozenset(order[:cut])
        yield left if 0 in left else frozenset(order[cut:])


def principal_scores(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Score the levels on the first principal component of their class shares, weighted."""
    weight = counts.sum(axis=1)
    centred = counts / weight[:, None] - counts.sum(axis=0) / counts.sum()
    _, vectors = np.linalg.eigh((centred * weight[:, None]).T @ centred)
    scores = centred @ vectors[:, -1]
    first = np.flatnonzero(np.abs(scores) > 1e-9 * np.abs(scores).max())
    # An eigenvector has no sign: the first level with a score scores below zero.
    return -scores if len(first) and scores[first[0]] > 0 else scores


def weighted_mean(problem: Problem, rows: Rows) -> float:
    return float(np.average(problem.target[rows.index], weights=rows.weight))


def lower_quantile(problem: Problem, rows: Rows) -> float:
    """The smallest target at which the quantile, or half of the weight, is reached."""
    y = problem.target[rows.index]
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(rows.weight[order]) >= rows.weight.sum() * problem.quantile
    return float(y[order][np.argmax(reached)])
