"""Random tables and graphs for maximum cuts, and comparisons of cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracles import maxcut as oracle
from oracles.criteria import index_of

Matrix = NDArray[np.float64]

# Pereira 2018, figure 3.1: single, married, divorced, widowed by male, female.
MARITAL = np.array([[18, 20], [29, 30], [53, 51], [10, 26]], dtype=float)


def random_table(rng: np.random.Generator, n: int, k: int, rows: int = 30) -> Matrix:
    shares = rng.dirichlet(np.ones(k), n)
    sizes = rng.integers(1, rows, n)
    return np.array([rng.multinomial(s, p) for s, p in zip(sizes, shares, strict=True)], float)


def random_costs(rng: np.random.Generator, k: int) -> Matrix:
    costs = rng.integers(0, 9, (k, k)).astype(float)
    np.fill_diagonal(costs, 0)
    return costs


def random_graph(rng: np.random.Generator, n: int, density: float = 1.0) -> Matrix:
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    return upper + upper.T


def graph_of(counts: Matrix, criterion: str, costs: Matrix | None = None) -> Matrix:
    if criterion == "squared_gini":
        return oracle.squared_gini_weights(counts, costs)
    if criterion in ("chi2_cut", "chi2"):
        return oracle.chi2_weights(counts)
    return oracle.impurity_weights(counts, index_of(criterion))


def sides_of(found: Any, n: int) -> list[int]:
    assert sorted(found.left + found.right) == list(range(n))
    return [int(v in found.right) for v in range(n)]


def assert_local_optimum(weights: Matrix, sides: list[int]) -> None:
    now = oracle.cut_weight(weights, sides)
    best = max(oracle.cut_weight(weights, other) for other in oracle.neighbours(sides))
    assert best <= now + 1e-9 * weights.sum()
