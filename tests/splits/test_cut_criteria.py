"""The criteria that are weights of cuts."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.cut_data import MARITAL, random_costs, random_table
from oracles import maxcut as oracle

from ramify.splits import best_nominal_split, max_cut


@pytest.mark.parametrize("with_costs", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_squared_gini_is_the_weight_of_the_cut(seed: int, with_costs: bool) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    counts = random_table(rng, 5, k)
    costs = random_costs(rng, k) if with_costs else None
    weights = oracle.squared_gini_weights(counts, costs)
    mix = np.ones((k, k)) - np.eye(k) if costs is None else (costs + costs.T) / 2
    for sides in oracle.every_cut(5):
        right = np.array(sides) == 1
        two = np.array([counts[~right].sum(axis=0), counts[right].sum(axis=0)])
        split = best_nominal_split(two, method="greedy_cut", criterion="squared_gini", costs=costs)
        assert split is not None
        assert split.proven
        assert split.score == pytest.approx(oracle.cut_weight(weights, sides), abs=1e-12)
        # Lemma 9: G(S) - p_L^2 G(L) - p_R^2 G(R), G the index with those costs
        total = counts.sum()
        index = [float(p @ mix @ p) for p in (two.sum(axis=0) / total, *(two / total))]
        assert split.score == pytest.approx(index[0] - index[1] - index[2], abs=1e-12)


def test_squared_gini_by_hand() -> None:
    # 2 (3 * 4 + 1 * 2) / 10^2; with costs (1 + 3) / 2 = 2 twice that
    table = [[3, 1], [2, 4]]
    plain = best_nominal_split(table, method="gw_cut", criterion="squared_gini")
    assert plain is not None and plain.score == pytest.approx(0.28)
    dear = best_nominal_split(
        table, method="gw_cut", criterion="squared_gini", costs=[[0, 1], [3, 0]]
    )
    assert dear is not None and dear.score == pytest.approx(0.56)


def test_chi2_cut_by_hand() -> None:
    # Pairs: (4, 0) and (0, 4) 8; (4, 0) and (2, 2) 4 (1 / 3 + 1) * 2 / 4 = 8 / 3, twice.
    table = [[4, 0], [0, 4], [2, 2]]
    split = best_nominal_split(table, method="greedy_cut", criterion="chi2_cut")
    assert split is not None
    assert split.score == pytest.approx((8 + 8 / 3) / 2)
    assert len(split.left) == 1 or split.left in ((0, 2), (1, 2))
    two = best_nominal_split(table[:2], method="greedy_cut", criterion="chi2_cut")
    assert two is not None and two.score == pytest.approx(8) and two.proven


@pytest.mark.parametrize("method", ["greedy_cut", "gw_cut"])
def test_marital_status_squared_gini(method: str) -> None:
    weights = oracle.squared_gini_weights(MARITAL)
    published = [0.039880, 0.070430, 0.023785, 0.109277, 0.037530, 0.067226]
    assert weights[np.triu_indices(4, 1)] == pytest.approx(published, abs=5e-7)
    split = best_nominal_split(MARITAL, method=method, criterion="squared_gini")
    assert split is not None
    assert (split.left, split.right) == ((0, 1, 3), (2,))
    assert split.score == pytest.approx(0.246933, abs=5e-7)
    cut = max_cut(weights, method="gw" if method == "gw_cut" else "greedy")
    assert (cut.left, cut.right) == ((0, 1, 3), (2,))
    assert cut.weight == pytest.approx(split.score)


def test_marital_status_edges_in_the_core() -> None:
    edges = {(0, 1): 0.0399, (0, 3): 0.023785, (2, 3): 0.067226}
    total = MARITAL.sum()
    for (i, j), weight in edges.items():
        two = MARITAL[[i, j]]
        split = best_nominal_split(two, method="greedy_cut", criterion="squared_gini")
        assert split is not None
        assert split.score * two.sum() ** 2 / total**2 == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize("method", ["greedy_cut", "gw_cut"])
def test_marital_status_chi_square(method: str) -> None:
    published = [0.029457, 0.143725, 3.016472, 0.049278, 4.221125, 5.807649]
    weights = oracle.chi2_weights(MARITAL)
    assert weights[np.triu_indices(4, 1)] == pytest.approx(published, abs=5e-7)
    split = best_nominal_split(MARITAL, method=method, criterion="chi2_cut")
    assert split is not None
    assert split.right == (3,)
    assert split.score == pytest.approx(4.348415, abs=5e-7)


def test_support_of_a_side_and_chi2_cut() -> None:
    # The side of one row counts for nothing: of its pair, only the other level's term is left.
    table = np.array([[9, 0], [0, 1]], dtype=float)
    split = best_nominal_split(table, method="greedy_cut", criterion="chi2_cut", min_support=2)
    # expected of level 0: 8.1 and 0.9; (0.9^2 / 8.1 + 0.9^2 / 0.9) = 1
    assert split is not None and split.score == pytest.approx(1.0)
    three = np.vstack([table, [[8, 2]]])
    # all small levels together have the support that none has alone
    small = np.array([[2, 0]] * 4 + [[0, 2]] * 4, dtype=float)
    full = best_nominal_split(small, method="greedy_cut", criterion="chi2_cut")
    again = best_nominal_split(small, method="greedy_cut", criterion="chi2_cut", min_support=5)
    assert full is not None and again is not None
    assert again.score == full.score == pytest.approx(16 * 4 / 7)
    none = best_nominal_split(three, method="greedy_cut", criterion="chi2_cut", min_support=99)
    assert none is not None and none.score == 0.0
