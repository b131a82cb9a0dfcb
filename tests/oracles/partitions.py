"""Which divisions of the levels of a nominal attribute in two are tried, and in which order.

A division is given as the set of positions that go left; the groups are the rows of the levels
present at the node, ascending by level (missing cells last, where they are a level of their own).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from oracles.problem import Problem, Rows, class_weights

Left = frozenset[int]


def every_partition(n: int) -> Iterator[Left]:
    """All 2^(n-1) - 1 divisions in two, in Gray-code order: one level changes sides at a time."""
    for step in range(1, 2 ** (n - 1)):
        code = step ^ (step >> 1)
        yield frozenset(i for i in range(n) if i == 0 or not code >> (i - 1) & 1)


def documented_partitions(problem: Problem, groups: list[Rows]) -> Iterator[Left]:
    """The divisions that `categorical_split` documents."""
    n = len(groups)
    if problem.classes == 0:
        centre = weighted_mean if problem.criterion == "squared_error" else lower_median
        yield from prefixes([centre(problem, group) for group in groups])
        return
    counts = np.array([class_weights(problem, group) for group in groups])
    ordered = problem.classes == 2 and problem.concave
    method = problem.categorical_split
    if method == "auto":
        method = "two_class" if ordered else "exact" if n <= 10 else "pc"
    if method == "exact" and ordered and problem.min_samples_leaf <= 1:
        method = "two_class"
    if method == "exact":
        yield from every_partition(n)
    elif method == "two_class":
        yield from prefixes(counts[:, 1] / counts.sum(axis=1), counts)
    else:
        yield from prefixes(principal_scores(counts), counts)


def prefixes(
    key: NDArray[np.float64] | list[float], counts: NDArray | None = None
) -> Iterator[Left]:
    """Cuts of the levels in ascending order of the key.

    With class weights given, levels of the same class distribution stay together, unless all are.
    """
    order = sorted(range(len(key)), key=lambda i: key[i])
    shares = None if counts is None else counts / counts.sum(axis=1, keepdims=True)
    if shares is not None and np.allclose(shares, shares[0], rtol=0, atol=1e-12):
        shares = None
    for cut in range(1, len(order)):
        if shares is not None and np.allclose(
            shares[order[cut - 1]], shares[order[cut]], rtol=0, atol=1e-12
        ):
            continue
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


def lower_median(problem: Problem, rows: Rows) -> float:
    """The smallest target at which half of the weight is reached."""
    y = problem.target[rows.index]
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(rows.weight[order]) >= rows.weight.sum() / 2
    return float(y[order][np.argmax(reached)])
