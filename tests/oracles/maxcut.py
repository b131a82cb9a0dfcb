"""The maximum cut in the obvious way: weights pair by pair, cuts edge by edge, all of them tried.

A cut is a list with the side (0 or 1) of every vertex. Nothing here is fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from oracles.criteria import Impurity, chi2, drop

Matrix = NDArray[np.float64]
TIE = 1e-11  # times the weight of all edges: less is no improvement


def squared_gini_weights(counts: Matrix, costs: Matrix | None = None) -> Matrix:
    """Pair weights of lemma 9: 2 sum_{x != y} mix(x, y) A_ix A_jy / N^2."""
    n, k = counts.shape
    mix = np.ones((k, k)) if costs is None else (costs + costs.T) / 2
    weights = np.zeros((n, n))
    for i, j, x, y in product(range(n), range(n), range(k), range(k)):
        if i != j and x != y:
            weights[i, j] += 2 * mix[x, y] * counts[i, x] * counts[j, y]
    return weights / counts.sum() ** 2


def pair_weights(counts: Matrix, score: Callable[[Matrix, Matrix], float]) -> Matrix:
    """Score every pair of levels as a node of its own with two children."""
    n = len(counts)
    weights = np.zeros((n, n))
    for i, j in product(range(n), range(n)):
        if i != j:
            pair = counts[[i, j]]
            weights[i, j] = max(0.0, score(pair.sum(axis=0), pair))
    return (weights + weights.T) / 2


def chi2_weights(counts: Matrix) -> Matrix:
    return pair_weights(counts, chi2)


def impurity_weights(counts: Matrix, impurity: Impurity) -> Matrix:
    """Drop of impurity of a node of two levels, by the share of rows that they have."""
    return pair_weights(
        counts, lambda node, pair: drop(impurity)(node, pair) * node.sum() / counts.sum()
    )


def cut_weight(weights: Matrix, sides: list[int]) -> float:
    n = len(sides)
    return sum(
        float(weights[i, j]) for i in range(n) for j in range(n) if sides[i] == 0 and sides[j] == 1
    )


def every_cut(n: int) -> Iterator[list[int]]:
    """All cuts with both sides non-empty; the first vertex is on side 0."""
    for rest in product((0, 1), repeat=n - 1):
        if any(rest):
            yield [0, *rest]


def best_cut(weights: Matrix) -> float:
    return max(cut_weight(weights, sides) for sides in every_cut(len(weights)))


def greedy_cut(weights: Matrix) -> list[int]:
    """Pereira's algorithm 2."""
    sides: list[int] = []
    for i in range(len(weights)):
        pull = [sum(weights[i, j] for j in range(i) if sides[j] == side) for side in (0, 1)]
        sides.append(1 if pull[0] > pull[1] else 0)
    return sides


def neighbours(sides: list[int]) -> Iterator[list[int]]:
    """All cuts one move away, then all cuts one exchange away, in the order of algorithm 3."""
    n = len(sides)
    for i in range(n):
        yield [1 - s if v == i else s for v, s in enumerate(sides)]
    for i, j in product(range(n), range(n)):
        if sides[i] == 0 and sides[j] == 1:
            yield [1 - s if v in (i, j) else s for v, s in enumerate(sides)]


def local_search(weights: Matrix, sides: list[int]) -> list[int]:
    """Pereira's algorithm 3: the first neighbour that is better, until there is none."""
    margin = TIE * weights.sum() / 2
    while True:
        now = cut_weight(weights, sides)
        for other in neighbours(sides):
            if cut_weight(weights, other) > now + margin:
                sides = other
                break
        else:
            return sides


def left_of(sides: list[int]) -> tuple[int, ...]:
    """Vertices on the side of the first one."""
    return tuple(v for v, side in enumerate(sides) if side == sides[0])
