"""Maximum cuts of any graph, and the semidefinite relaxation behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.cut_data import assert_local_optimum, random_graph, random_table, sides_of
from oracles import maxcut as oracle

from ramify import _core
from ramify.splits import MaxCut, max_cut


@pytest.mark.parametrize("density", [0.2, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_relaxation_is_certified_by_its_dual(seed: int, density: float) -> None:
    weights = random_graph(np.random.default_rng([seed, 5]), 25, density)
    value, vectors = _core.maxcut_sdp(weights)
    assert vectors.shape[0] == 25 and vectors.shape[1] > np.sqrt(2 * 25)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(25), abs=1e-12)
    products = vectors @ vectors.T
    assert value == pytest.approx((weights * (1 - products)).sum() / 4, rel=1e-12)
    # No solution of the relaxation exceeds the dual value, however it is found.
    lengths = np.linalg.norm(weights @ vectors, axis=1)
    least = np.linalg.eigvalsh(weights + np.diag(lengths))[0]
    dual = (weights.sum() + lengths.sum() + 25 * max(0.0, -least)) / 4
    assert value <= dual + 1e-9
    assert value >= dual * (1 - 1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_relaxation_agrees_with_a_general_solver(seed: int) -> None:
    cvxpy = pytest.importorskip("cvxpy")
    rng = np.random.default_rng([seed, 6])
    counts = random_table(rng, 20, 4)
    for weights in (
        random_graph(rng, 20, 0.4),
        oracle.squared_gini_weights(counts),
        oracle.chi2_weights(counts),
    ):
        matrix = cvxpy.Variable(weights.shape, PSD=True)
        value = cvxpy.sum(cvxpy.multiply(weights, 1 - matrix)) / 4
        general = cvxpy.Problem(cvxpy.Maximize(value), [cvxpy.diag(matrix) == 1])
        general.solve(solver="CLARABEL")
        assert _core.maxcut_sdp(weights)[0] == pytest.approx(general.value, rel=1e-4)


def test_hyperplanes_alone_keep_the_guarantee() -> None:
    # Rounding the vectors by our own hyperplanes: the mean over cuts is at least 0.878 of the best.
    rng = np.random.default_rng(7)
    weights = random_graph(rng, 10, 0.5)
    value, vectors = _core.maxcut_sdp(weights)
    cuts = [
        oracle.cut_weight(weights, (vectors @ rng.normal(size=vectors.shape[1]) > 0).astype(int))
        for _ in range(200)
    ]
    assert np.mean(cuts) >= 0.878 * value * 0.98  # of the bound even; 2 % for chance
    assert value >= oracle.best_cut(weights) * (1 - 1e-9)


@pytest.mark.parametrize("density", [0.3, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_max_cut_on_any_graph(seed: int, density: float) -> None:
    weights = random_graph(np.random.default_rng([seed, 11]), 11, density)
    best = oracle.best_cut(weights)
    greedy = max_cut(weights)
    assert greedy.bound is None
    sides = oracle.local_search(weights, oracle.greedy_cut(weights))
    assert greedy.left == oracle.left_of(sides)
    assert greedy.weight == pytest.approx(oracle.cut_weight(weights, sides))
    assert greedy.weight >= weights.sum() / 4
    found = max_cut(weights, method="gw", random_state=seed)
    assert found.bound is not None
    assert 0.878 * best <= found.weight <= best + 1e-9
    assert found.weight == pytest.approx(oracle.cut_weight(weights, sides_of(found, 11)))
    assert best - 1e-9 <= found.bound <= 1.14 * best + 1e-9  # 1 / 0.878
    assert_local_optimum(weights, sides_of(found, 11))


@pytest.mark.parametrize("method", ["greedy", "gw"])
def test_max_cut_edges(method: Any) -> None:
    bound = 0.0 if method == "gw" else None
    assert max_cut([[0]], method=method) == MaxCut((0,), (), 0.0, bound)
    empty = max_cut(np.zeros((4, 4)), method=method)
    assert empty.left and empty.right and empty.weight == 0.0
    two = max_cut([[0, 2.5], [2.5, 0]], method=method)
    assert (two.left, two.right, two.weight) == ((0,), (1,), 2.5)
    # complete bipartite: everything can be cut
    bipartite = np.kron([[0, 1], [1, 0]], np.ones((5, 5)))
    whole = max_cut(bipartite, method=method)
    assert whole.weight == 25.0
    assert whole.bound == pytest.approx(25.0) or method == "greedy"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[0, 1]], "shape"),
        ([], "shape"),
        ([[0, 1], [2, 0]], "symmetric"),
        ([[0, -1], [-1, 0]], "not negative"),
        ([[0, np.nan], [np.nan, 0]], "finite"),
        ([[1, 1], [1, 0]], "diagonal"),
        ([["a"]], "numbers"),
    ],
)
def test_max_cut_says_what_is_wrong(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        max_cut(weights)


def test_max_cut_says_which_choices_there_are() -> None:
    with pytest.raises(ValueError, match="greedy, gw"):
        max_cut([[0]], method="exact")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="random_state=-1"):
        max_cut([[0]], method="gw", random_state=-1)
