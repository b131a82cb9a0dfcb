"""Maximum-cut splits: the criteria behind them, the searches, the relaxation, and trees of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles import maxcut as oracle

from ramify import TreeClassifier, _core
from ramify.splits import MaxCut, best_nominal_split, max_cut

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
    return oracle.impurity_weights(
        counts, {"gini": oracle.gini, "entropy": oracle.entropy}[criterion]
    )


def sides_of(found: Any, n: int) -> list[int]:
    assert sorted(found.left + found.right) == list(range(n))
    return [int(v in found.right) for v in range(n)]


def assert_local_optimum(weights: Matrix, sides: list[int]) -> None:
    now = oracle.cut_weight(weights, sides)
    best = max(oracle.cut_weight(weights, other) for other in oracle.neighbours(sides))
    assert best <= now + 1e-9 * weights.sum()


# --- the criteria -------------------------------------------------------------------------------


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


# --- greedy_cut ---------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "chi2", "gini", "entropy"])
@pytest.mark.parametrize("seed", range(8))
def test_greedy_cut_equals_the_pseudo_code(criterion: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    n, k = int(rng.integers(2, 13)), int(rng.integers(2, 6))
    counts = random_table(rng, n, k)
    weights = graph_of(counts, criterion)
    split = best_nominal_split(counts, method="greedy_cut", criterion=criterion)
    assert split is not None
    sides = oracle.local_search(weights, oracle.greedy_cut(weights))
    assert split.left == oracle.left_of(sides)
    assert split.proven == (n == 2)
    two = np.array([counts[list(part)].sum(axis=0) for part in (split.left, split.right)])
    expected = {
        "squared_gini": lambda: oracle.cut_weight(weights, sides),
        "chi2_cut": lambda: oracle.cut_weight(weights, sides) / (n - 1),
        "chi2": lambda: oracle.chi_square(*two),
        "gini": lambda: oracle.drop(oracle.gini, *two),
        "entropy": lambda: oracle.drop(oracle.entropy, *two),
    }[criterion]()
    assert split.score == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_greedy_cut_with_costs_equals_the_pseudo_code(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    counts, costs = random_table(rng, 9, 4), random_costs(rng, 4)
    weights = oracle.squared_gini_weights(counts, costs)
    for given in (costs, (costs + costs.T) / 2):
        split = best_nominal_split(
            counts, method="greedy_cut", criterion="squared_gini", costs=given
        )
        assert split is not None
        sides = oracle.local_search(weights, oracle.greedy_cut(weights))
        assert split.left == oracle.left_of(sides)
        assert split.score == pytest.approx(oracle.cut_weight(weights, sides))


@pytest.mark.parametrize("method", ["greedy_cut", "gw_cut"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
@pytest.mark.parametrize("seed", range(3))
def test_large_tables_end_in_a_local_optimum(method: str, criterion: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    counts = random_table(rng, 30, 5)
    weights = graph_of(counts, criterion)
    split = best_nominal_split(counts, method=method, criterion=criterion)
    assert split is not None
    sides = sides_of(split, 30)
    assert_local_optimum(weights, sides)
    assert oracle.cut_weight(weights, sides) >= weights.sum() / 4  # half of all edges
    assert split.work > 30
    assert not split.proven


# --- gw_cut and the relaxation ------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
def test_gw_cut_reaches_its_share_of_the_optimum(criterion: str) -> None:
    shares = []
    for seed in range(12):
        rng = np.random.default_rng([seed, 4])
        counts = random_table(rng, 9, 4)
        weights = graph_of(counts, criterion)
        best = oracle.best_cut(weights)
        split = best_nominal_split(counts, method="gw_cut", criterion=criterion, random_state=seed)
        assert split is not None
        shares.append(oracle.cut_weight(weights, sides_of(split, 9)) / best)
        value, _ = _core.maxcut_sdp(weights)
        assert value >= best * (1 - 1e-8)
    assert np.mean(shares) >= 0.878
    assert max(shares) == pytest.approx(1.0)


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


def test_same_seed_same_result() -> None:
    rng = np.random.default_rng(8)
    counts = random_table(rng, 40, 12)
    found = [
        best_nominal_split(counts, method="gw_cut", criterion="squared_gini", random_state=seed)
        for seed in (1, 1, 2, 3, 4, 5)
    ]
    assert found[0] == found[1]
    assert len({split.left for split in found if split is not None}) > 1


# --- edge cases ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["greedy_cut", "gw_cut"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "gini", "maxdif", "gain_ratio"])
class TestEdges:
    def test_two_levels(self, method: str, criterion: str) -> None:
        split = best_nominal_split([[5, 1], [2, 6]], method=method, criterion=criterion)
        assert split is not None
        assert (split.left, split.right, split.proven) == ((0,), (1,), True)

    def test_one_class(self, method: str, criterion: str) -> None:
        split = best_nominal_split([[3], [4], [5]], method=method, criterion=criterion)
        assert split is not None and split.left and split.right
        two = best_nominal_split([[3, 0], [4, 0], [5, 0]], method=method, criterion=criterion)
        assert two is not None and two.left and two.right

    def test_equal_rows(self, method: str, criterion: str) -> None:
        split = best_nominal_split([[2, 3]] * 6, method=method, criterion=criterion)
        assert split is not None and split.left and split.right
        if criterion == "squared_gini":  # balance is all that is left to gain
            assert len(split.left) == 3

    def test_one_level(self, method: str, criterion: str) -> None:
        assert best_nominal_split([[2, 3]], method=method, criterion=criterion) is None

    def test_fractions_as_weights(self, method: str, criterion: str) -> None:
        counts = random_table(np.random.default_rng(9), 8, 3) * 0.1
        split = best_nominal_split(counts, method=method, criterion=criterion)
        assert split is not None
        whole = best_nominal_split(counts * 10, method=method, criterion=criterion)
        assert whole is not None and whole.left == split.left


def test_levels_of_one_distribution_may_be_separated() -> None:
    # {0, 3} against {1, 2} balances what merging the proportional levels 1, 2 and 3 could not.
    counts = np.array([[10, 0], [3, 9], [4, 12], [2, 6]], dtype=float)
    best = oracle.best_cut(oracle.squared_gini_weights(counts))
    split = best_nominal_split(counts, method="gw_cut", criterion="squared_gini")
    assert split is not None
    assert split.score == pytest.approx(best)
    together = best_nominal_split(
        [counts[0], counts[1:].sum(axis=0)], method="gw_cut", criterion="squared_gini"
    )
    assert together is not None and together.score < best - 1e-3


@pytest.mark.parametrize("method", ["greedy_cut", "gw_cut"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "entropy"])
@pytest.mark.parametrize("seed", range(5))
def test_least_rows_of_a_side(method: str, criterion: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 10])
    counts = random_table(rng, 8, 3)
    rows = counts.sum(axis=1)
    for least in (rows.sum() / 5, rows.sum() / 3):
        split = best_nominal_split(
            counts, method=method, criterion=criterion, min_samples_leaf=least
        )
        enough = [
            sides
            for sides in oracle.every_cut(8)
            if least <= rows[np.array(sides) == 1].sum() <= rows.sum() - least
        ]
        assert (split is not None) == bool(enough)
        if split is None:
            continue
        sides = sides_of(split, 8)
        assert sides in enough
        weights = graph_of(counts, criterion)
        near = [
            other for other in oracle.neighbours(sides) if [s ^ other[0] for s in other] in enough
        ]
        best = max((oracle.cut_weight(weights, other) for other in near), default=0.0)
        assert best <= oracle.cut_weight(weights, sides) + 1e-9 * weights.sum()
    too_many = rows.sum() / 2 + 1
    assert (
        best_nominal_split(counts, method=method, criterion=criterion, min_samples_leaf=too_many)
        is None
    )


# --- max_cut ------------------------------------------------------------------------------------


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


# --- trees --------------------------------------------------------------------------------------


def levels_and_classes(seed: int, rows: int = 300) -> tuple[list[list[Any]], NDArray[Any]]:
    rng = np.random.default_rng([seed, 12])
    y = rng.integers(0, 4, rows)
    towns = (y * 3 + rng.integers(0, 6, rows)) % 14
    colours = rng.integers(0, 5, rows)
    sizes = np.round(y + rng.normal(0, 1.5, rows), 1)
    X = [
        [f"t{t}", f"c{c}", float(s) if m else None]
        for t, c, s, m in zip(towns, colours, sizes, rng.random(rows) < 0.9, strict=True)
    ]
    for i in range(0, rows, 17):
        X[i][0] = None
    return X, y


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut", "gini"])
@pytest.mark.parametrize("split", ["greedy_cut", "gw_cut"])
def test_trees_grow(split: str, criterion: str, missing: Any) -> None:
    X, y = levels_and_classes(0)
    clf = TreeClassifier(
        criterion=criterion, categorical_split=split, missing=missing, min_samples_leaf=3
    )
    clf.fit(X, y)
    clf.tree_.check()
    assert clf.tree_.n_leaves > 10
    assert clf.score(X, y) > 0.6
    again = TreeClassifier(
        criterion=criterion,
        categorical_split=split,
        missing=missing,
        min_samples_leaf=3,
        n_jobs=2,
        random_state=0,
    ).fit(X, y)
    assert again.tree_.to_dict() == clf.tree_.to_dict()


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
def test_numeric_columns_score_their_two_sides(criterion: str) -> None:
    rng = np.random.default_rng(13)
    x = rng.integers(0, 12, 120).astype(float)
    y = (x + rng.integers(0, 8, 120)).astype(int) % 3
    root = TreeClassifier(criterion=criterion, max_depth=1).fit(x[:, None], y).tree_.nodes[0]
    scores = {}
    for cut in range(11):
        left, right = (
            np.bincount(y[side], minlength=3).astype(float) for side in (x <= cut, x > cut)
        )
        two = np.array([left, right])
        if criterion == "squared_gini":
            scores[cut + 0.5] = oracle.cut_weight(oracle.squared_gini_weights(two), [0, 1])
        else:
            scores[cut + 0.5] = oracle.chi_square(left, right)
    best = max(scores, key=lambda cut: scores[cut])
    assert root.condition.value == best
    assert root.gain == pytest.approx(scores[best])


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
def test_the_root_is_the_split_of_its_table(criterion: str) -> None:
    rng = np.random.default_rng(14)
    counts = random_table(rng, 8, 3)
    rows = [(f"v{i}", j) for i in range(8) for j in range(3) for _ in range(int(counts[i, j]))]
    X, y = [[v] for v, _ in rows], [c for _, c in rows]
    split = best_nominal_split(counts, method="greedy_cut", criterion=criterion)
    clf = TreeClassifier(criterion=criterion, categorical_split="greedy_cut", max_depth=1).fit(X, y)
    assert split is not None
    assert clf.tree_.nodes[0].gain == pytest.approx(split.score)


def test_a_sum_over_pairs_stays_one_when_missing_rows_are_placed() -> None:
    rng = np.random.default_rng(17)
    counts = random_table(rng, 8, 3)
    rows = [(f"v{i}", j) for i in range(8) for j in range(3) for _ in range(int(counts[i, j]))]
    X, y = [[v] for v, _ in rows] + [[None]] * 5, [c for _, c in rows] + [0] * 5
    clf = TreeClassifier(
        criterion="chi2_cut", categorical_split="greedy_cut", max_depth=1, missing="direction"
    ).fit(X, y)
    split = best_nominal_split(counts, method="greedy_cut", criterion="chi2_cut")
    assert split is not None
    assert clf.tree_.nodes[0].gain == pytest.approx(split.score)


def test_costs_reach_squared_gini() -> None:
    rng = np.random.default_rng(15)
    counts = random_table(rng, 7, 3)
    rows = [(f"v{i}", j) for i in range(7) for j in range(3) for _ in range(int(counts[i, j]))]
    X, y = [[v] for v, _ in rows], [c for _, c in rows]
    costs = np.array([[0, 1, 9], [3, 0, 2], [1, 0, 0]], dtype=float)
    gains = {}
    for name, given in {"given": costs, "mean": (costs + costs.T) / 2, "none": None}.items():
        clf = TreeClassifier(
            criterion="squared_gini", categorical_split="greedy_cut", max_depth=1, costs=given
        )
        gains[name] = clf.fit(X, y).tree_.nodes[0].gain
    weights = oracle.squared_gini_weights(counts, costs)
    sides = oracle.local_search(weights, oracle.greedy_cut(weights))
    assert gains["given"] == pytest.approx(oracle.cut_weight(weights, sides))
    assert gains["mean"] == pytest.approx(gains["given"])
    assert gains["none"] != pytest.approx(gains["given"])


def test_random_state_reaches_gw_cut() -> None:
    rng = np.random.default_rng(8)
    counts = random_table(rng, 40, 12)
    rows = [(f"v{i:02}", j) for i in range(40) for j in range(12) for _ in range(int(counts[i, j]))]
    X, y = [[v] for v, _ in rows], [c for _, c in rows]

    def gain(random_state: Any) -> float:
        clf = TreeClassifier(
            criterion="squared_gini",
            categorical_split="gw_cut",
            max_depth=1,
            random_state=random_state,
        )
        return float(clf.fit(X, y).tree_.nodes[0].gain)

    gains = [gain(seed) for seed in range(6)]
    assert gain(None) == gains[0]
    assert gain(3) == gains[3]
    assert len(set(gains)) > 1
    assert gain(np.random.default_rng(5)) == gain(np.random.default_rng(5))
    with pytest.raises(ValueError, match="random_state='x'"):
        gain("x")


def test_a_callable_makes_pair_weights_too() -> None:
    X, y = levels_and_classes(1, 120)

    def gini_gain(children: NDArray[np.float64]) -> float:
        return oracle.drop(oracle.gini, *children)

    trees = [
        TreeClassifier(
            criterion=one, categorical_split="greedy_cut", max_depth=2, missing="separate"
        )
        .fit(X, y)
        .tree_
        for one in ("gini", gini_gain)
    ]
    assert trees[0].to_text() == trees[1].to_text()
    assert trees[0].nodes[0].gain == pytest.approx(trees[1].nodes[0].gain)


def test_auto_takes_a_cut_where_pairs_count() -> None:
    """Exactly for few levels, greedily for many."""
    rng = np.random.default_rng(5)
    for levels, method in ((8, "exact"), (30, "greedy_cut")):
        counts = rng.integers(0, 9, (levels, 3)) + 1
        found = best_nominal_split(counts, method="auto", criterion="chi2_cut")
        expected = best_nominal_split(counts, method=method, criterion="chi2_cut")
        assert found is not None
        assert expected is not None
        assert (found.left, found.proven) == (expected.left, expected.proven)
        assert found.score == pytest.approx(expected.score)
