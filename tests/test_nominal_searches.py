"""Nominal split searches on plain tables, against their definitions and against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from oracles import nominal as oracle

from ramify import TreeClassifier, _core
from ramify.splits import NominalSplit, best_nominal_split, methods, score

CONVEX = ["gini", "entropy", "misclassification", "maxdif", "twoing", "chi2", "mpi"]
OTHERS = ["squared_gini", "gain_ratio", "distance", "chi2_cut"]
SHI = [[40, 10, 10], [10, 40, 10], [20, 30, 10], [20, 15, 25], [10, 5, 45]]


def tables(seed: int, count: int, most_levels: int = 9, most_classes: int = 6):
    """Random tables of all sorts: whole and real weights, equal rows, empty classes, ties."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n = int(rng.integers(2, most_levels + 1))
        k = int(rng.integers(1, most_classes + 1))
        kind = number % 6
        table = rng.integers(0, 8, (n, k)).astype(float)
        if kind == 1:
            table = rng.random((n, k)) * rng.choice([1e-3, 1.0, 1e5])
        elif kind == 2:
            table = rng.integers(0, 3, (n, k)).astype(float)
        elif kind == 3:
            table[rng.integers(n)] = 2 * table[rng.integers(n)]
        elif kind == 4:
            table[:, rng.integers(k)] = 0
        elif kind == 5:
            table *= rng.random((n, k)) < 0.5
        table = table[table.sum(axis=1) > 0]
        if len(table) > 1:
            yield table


def split(table, method: str, criterion: str = "gini", **options) -> NominalSplit:
    found = best_nominal_split(table, method=method, criterion=criterion, **options)
    assert found is not None
    assert sorted(found.left + found.right) == list(range(len(table)))
    assert found.left and found.right and 0 in found.left
    assert found.work > 0
    return found


def near(a: float, b: float, table) -> bool:
    return abs(a - b) <= 1e-9 * max(1.0, np.asarray(table).sum())


# --- heuristics ----------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy", "chi2"])
@pytest.mark.parametrize("method", [*oracle.HEURISTICS, "twoing"])
def test_heuristics_equal_their_definition(method: str, criterion: str) -> None:
    compared = 0
    for table in tables(1, 240):
        small, _ = oracle.merged(table)
        if method in ("pc", "pc_ext", "shi") and not clear_component(small):
            continue
        if method.startswith("sliq") and sliq_ties(small, criterion):
            continue
        if method == "flip_flop" and flip_flop_ties(small):
            continue
        found = split(table, method, criterion)
        score, lefts = oracle.answers(method, table, criterion)
        assert near(found.score, oracle.score(table, found.left, criterion), table)
        assert frozenset(found.left) in lefts, table
        if method != "twoing":  # equal twoing values may score differently
            assert near(found.score, score, table), table
        compared += 1
    assert compared > 60


def clear_component(table) -> bool:
    """Whether the first principal component is unique and orders the rows without ties."""
    weight = table.sum(axis=1)
    centred = table / weight[:, None] - table.sum(axis=0) / table.sum()
    values = np.linalg.eigvalsh((centred * weight[:, None]).T @ centred)
    if len(values) > 1 and values[-1] - values[-2] < 1e-6 * max(values[-1], 1e-9):
        return False
    gaps = np.diff(np.sort(oracle.principal_scores(table)))
    return bool((gaps > 1e-8).all())


def sliq_ties(table, criterion: str) -> bool:
    """Whether two moves tie, after which the paths part."""
    left = frozenset(range(len(table)))
    for after, best in oracle.moves(table, criterion):
        scores = [oracle.score(table, left - {i}, criterion) for i in left]
        if len(left) > 2 and sum(s > best - 1e-8 for s in scores) > 1:
            return True
        left = after
    return False


def flip_flop_ties(table) -> bool:
    """Whether shares tie, after which the order of classes or levels is open."""
    share = table / table.sum(axis=1, keepdims=True)
    for inside in oracle.superclasses(table):
        gaps = np.diff(np.sort(share[:, sorted(inside)].sum(axis=1)))
        if (gaps < 1e-8).any():
            return True
    return len(np.unique(table.sum(axis=0))) < table.shape[1]


@pytest.mark.parametrize(("criterion", "factor"), [("gini", 2.0), ("entropy", 3.0)])
def test_approximation_bounds(criterion: str, factor: float) -> None:
    for table in tables(2, 200):
        best = split(table, "exact", criterion).impurity
        for method, bound in (("largest_class_alone", factor), ("hypercube_cover", 2.0)):
            assert split(table, method, criterion).impurity <= bound * best + 1e-9


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_auto_is_never_below_a_heuristic(criterion: str) -> None:
    for table in tables(3, 60, most_levels=24, most_classes=7):
        best = split(table, "auto", criterion).score
        for method in oracle.HEURISTICS:
            assert split(table, method, criterion).score <= best + 1e-9, method


# --- exact ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", CONVEX + OTHERS)
def test_exact_equals_brute_force(criterion: str) -> None:
    for table in tables(4, 90):
        found = split(table, "exact", criterion)
        assert found.proven
        assert near(found.score, oracle.brute_force(table, criterion), table), table
        assert near(found.score, oracle.score(table, found.left, criterion), table)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_gini"])
def test_exact_with_a_leaf_minimum(criterion: str) -> None:
    """Rows of one distribution may then need separating."""
    for seed, table in enumerate(tables(5, 60, most_levels=8)):
        least = table.sum() * (0.1, 0.3, 0.5)[seed % 3]
        best = oracle.brute_force(table, criterion, least)
        found = best_nominal_split(
            table, method="exact", criterion=criterion, min_samples_leaf=least
        )
        if not np.isfinite(best):
            assert found is None
            continue
        assert found is not None and found.proven
        assert near(found.score, best, table)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_every_search_respects_the_leaf_minimum(criterion: str) -> None:
    for seed, table in enumerate(tables(6, 60)):
        least = table.sum() * (0.1, 0.2, 0.4)[seed % 3]
        for method in ["auto", *oracle.HEURISTICS, "twoing"]:
            found = best_nominal_split(
                table, method=method, criterion=criterion, min_samples_leaf=least
            )
            if found is not None:
                assert min(table[list(s)].sum() for s in (found.left, found.right)) > least - 1e-6


def wide_tables(classes: int):
    """More levels than are enumerated at once, in general and in special position."""
    rng = np.random.default_rng(classes)
    for n in (12, 13):
        yield rng.integers(0, 8, (n, classes)).astype(float) + np.eye(n, classes)
        yield rng.random((n, classes))
        few = rng.integers(0, 2, (n, classes)).astype(float)  # many equal, many on one line
        few[:, 0] += 1
        yield few
        ends = rng.integers(1, 5, (2, classes)).astype(float)  # all on one line
        mix = rng.integers(1, 9, (n, 2)).astype(float)
        yield mix @ ends
        ends = rng.integers(1, 5, (3, classes)).astype(float)  # all in one plane
        yield rng.integers(0, 4, (n, 3)) @ ends + ends[0]
        grid = np.array(list(product(range(3), repeat=2)), dtype=float)  # a grid in the simplex
        grid = np.column_stack([grid, 6 - grid.sum(axis=1)])
        table = np.ones((9, classes))
        table[:, :3] = grid
        yield np.vstack([table, rng.integers(1, 4, (n - 9, classes))])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "twoing", "chi2"])
@pytest.mark.parametrize("classes", [3, 4, 5, 6])
def test_hyperplanes_equal_brute_force(classes: int, criterion: str) -> None:
    for table in wide_tables(classes):
        found = split(table, "exact", criterion)
        assert found.proven
        best = gray_brute_force(table, criterion)
        assert near(found.score, best, table), table


def gray_brute_force(table, criterion: str) -> float:
    """Brute force over all subsets at once; the score of each from its class weights."""
    n = len(table)
    codes = np.arange(2 ** (n - 1) - 1)
    left = np.column_stack([np.ones(len(codes), bool), (codes[:, None] >> np.arange(n - 1)) & 1])
    a = left.astype(float) @ table
    b = table.sum(axis=0) - a
    if criterion in ("gini", "entropy", "misclassification"):
        impurities = _core.impurities(np.ascontiguousarray(np.vstack([a, b])), criterion, None)
        weight = np.concatenate([a.sum(axis=1), b.sum(axis=1)])
        mean = (impurities * weight).reshape(2, -1).sum(axis=0) / table.sum()
        node = _core.impurities(table.sum(axis=0)[None], criterion, None)[0]
        return float(node - mean.min())
    score = oracle.SCORES[criterion]
    b = np.where(b < 1e-9, 0.0, b)
    return max(score(x, y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_branch_and_bound_equals_brute_force(criterion: str) -> None:
    """A limit below the number of partitions, so that only a proof by bounds can succeed."""
    rng = np.random.default_rng(8)
    proven = 0
    for _ in range(12):
        table = rng.integers(0, 9, (13, 7)).astype(float) * (rng.random((13, 7)) < 0.4)
        table[:, 0] += 1
        found = split(table, "exact", criterion, work_limit=4000)
        best = gray_brute_force(table, criterion)
        assert found.work <= 4000
        assert found.score <= best + 1e-9
        if found.proven:
            proven += 1
            assert near(found.score, best, table)
    assert proven > 3


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "misclassification"])
def test_work_limit(criterion: str) -> None:
    table = np.random.default_rng(9).integers(0, 8, (40, 9)).astype(float) + 1
    for limit in (200, 5000, 100_000):
        found = split(table, "exact", criterion, work_limit=limit)
        assert not found.proven
        assert found.work <= limit
    assert found.score >= split(table, "pc", criterion).score - 1e-12


def test_exact_of_many_levels_of_three_classes() -> None:
    table = np.random.default_rng(10).integers(0, 50, (150, 3)).astype(float) + 1
    found = split(table, "exact", "gini")
    assert found.proven
    for method in [*oracle.HEURISTICS, "twoing"]:
        assert split(table, method).score <= found.score + 1e-12


def test_costs_of_three_classes_are_not_taken_for_concave() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        table = rng.integers(0, 8, (8, 3)).astype(float) + 0.5
        costs = rng.integers(0, 9, (3, 3)).astype(float)
        np.fill_diagonal(costs, 0)

        def cost_gini(w, costs=costs):
            return float((w / w.sum()) @ costs @ (w / w.sum()))

        found = split(table, "exact", "gini", costs=costs)
        drop = oracle.drop(cost_gini)
        lefts = oracle.every_subset(len(table))
        assert found.score == pytest.approx(max(drop(*oracle.sides(table, s)) for s in lefts))


# --- published ------------------------------------------------------------------------------------


def test_shi_principal_component() -> None:
    """Shi (2007), section 3.2.2: scores, order and gains of the artificial attribute."""
    scores = oracle.principal_scores(np.array(SHI, dtype=float))
    scores *= -np.sign(scores[0])
    assert scores == pytest.approx([-0.057, -0.321, -0.233, 0.117, 0.495], abs=6e-4)
    gains = {  # Table 3.3 recomputed from Table 3.2: left side, Gini, information
        (4,): (0.065972, 0.139206),
        (3, 4): (0.064815, 0.142781),
        (1,): (0.041667, 0.085614),
        (1, 2): (0.064815, 0.142781),
        (1, 3, 4): (0.037037, 0.083007),
        (0,): (0.041667, 0.085614),
    }
    for left, (gini, information) in gains.items():
        assert oracle.score(np.array(SHI), left, "gini") == pytest.approx(gini, abs=1e-6)
        assert oracle.score(np.array(SHI), left, "entropy") == pytest.approx(information, abs=1e-6)
    for method in ("pc", "pc_ext", "exact", "auto"):
        found = split(SHI, method, "gini")
        assert found.right == (4,)
        assert found.score == pytest.approx(0.065972, abs=1e-6)
        found = split(SHI, method, "entropy")
        assert {found.left, found.right} in ({(0, 3, 4), (1, 2)}, {(0, 1, 2), (3, 4)})
        assert found.score == pytest.approx(0.142781, abs=1e-6)


# --- edges -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", _core.nominal_search_names())
def test_edges(method: str) -> None:
    two = method == "two_class"
    criterion = "squared_gini" if method in ("greedy_cut", "gw_cut") else "gini"
    assert best_nominal_split([[1.0, 2.0]], method=method, criterion=criterion) is None
    assert best_nominal_split([[0, 0], [0, 3]], method=method, criterion=criterion) is None
    found = split([[1, 2], [2, 1]], method, criterion)
    assert (found.left, found.right) == ((0,), (1,))
    found = best_nominal_split([[3, 1], [0, 0], [0, 2]], method=method, criterion=criterion)
    assert found is not None and found.left == (0, 1) and found.right == (2,)
    same = split([[1, 1], [2, 2], [3, 3]], method, criterion)
    if criterion == "gini":
        assert same.score == pytest.approx(0.0)
        if not two:
            assert split([[1], [2], [3]], method).score == 0.0
            assert split([[1, 0, 0], [2, 0, 0]], method).score == 0.0


@pytest.mark.parametrize("method", ["twoing", "hypercube_cover"])
def test_too_many_classes(method: str) -> None:
    with pytest.raises(ValueError, match="choose 'auto', 'pc_ext'"):
        best_nominal_split(np.ones((3, 21)), method=method)


def test_pairs_of_too_many_levels() -> None:
    with pytest.raises(ValueError, match="choose 'greedy_cut' or 'gw_cut'"):
        best_nominal_split(np.eye(21, 3) + 1, method="exact", criterion="chi2_cut")


@pytest.mark.parametrize("empty", [0, 9, 20])
def test_equal_distributions_of_many_classes_stay_together(empty: int) -> None:
    """Whether or not the first classes tell levels apart."""
    rng = np.random.default_rng(empty)
    base = rng.integers(0, 5, (12, 24)).astype(float)
    base[:, :empty] = 0
    of = rng.permutation(np.repeat(np.arange(12), 3))
    table = base[of] * rng.integers(1, 4, (36, 1))
    found = split(table, "largest_class_alone")
    right = np.isin(np.arange(36), found.right)
    assert all(len(set(right[of == row])) == 1 for row in range(12))
    first = dict.fromkeys(of.tolist())  # equal shares are ordered by first level
    merged = np.array([table[of == row].sum(axis=0) for row in first])
    assert found.score == pytest.approx(split(merged, "largest_class_alone").score, abs=1e-12)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (4, 6), (2, 3)])
def test_numbers_that_are_no_weights(bad: float, place: tuple[int, int]) -> None:
    table = np.ones((5, 7))
    table[place] = bad
    with pytest.raises(ValueError, match="counts must be finite and not negative"):
        best_nominal_split(table)
    with pytest.raises(ValueError, match="counts must be finite and not negative"):
        score(table)


def test_sums_that_are_not_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        best_nominal_split([[1e308, 1.0], [1e308, 2.0]])


def test_levels_without_weight_go_to_the_heavier_side() -> None:
    table = np.array([[0.0, -0.0], [1, 0], [0, 0], [0, 5], [0, 4]])
    found = split(table[1:], "auto")
    assert (found.left, found.right) == ((0,), (1, 2, 3))
    found = best_nominal_split(table)
    assert found is not None
    assert (found.left, found.right) == ((1,), (0, 2, 3, 4))
    assert found.impurity == 0.0
    assert best_nominal_split(table[:3]) is None


def test_methods_are_those_of_the_core() -> None:
    listed = [method.name for method in methods()]
    assert len(set(listed)) == len(listed)
    made_elsewhere = {"greedy_cut", "gw_cut"}
    assert set(listed) - made_elsewhere == set(_core.nominal_search_names()) - made_elsewhere
    for method in methods():
        assert method.guarantee and method.cost and method.reference and method.criteria


def test_deterministic() -> None:
    table = np.random.default_rng(12).integers(0, 8, (40, 8))
    for method in ("auto", "exact", *oracle.HEURISTICS):
        a, b = (split(table, method, work_limit=20_000) for _ in range(2))
        assert a == b


@pytest.mark.parametrize("method", ["auto", "exact", *oracle.HEURISTICS, "twoing"])
def test_a_tree_splits_as_the_search_does(method: str) -> None:
    rng = np.random.default_rng(13)
    level = rng.integers(0, 15, 400)
    label = (level * 7 % 4 + rng.integers(0, 3, 400)) % 4
    counts = np.zeros((15, 4))
    np.add.at(counts, (level, label), 1.0)
    found = split(counts, method, "gini", min_samples_leaf=1)
    stump = TreeClassifier(
        categorical_split=method, max_depth=1, categorical_features=[0], min_samples_leaf=1
    ).fit(level[:, None].astype(float), label)
    assert stump.tree_.data["gain"][0] == pytest.approx(found.score, abs=1e-12)
    leaf = stump.apply(np.arange(15.0)[:, None])
    assert {tuple(np.flatnonzero(leaf == value).tolist()) for value in set(leaf.tolist())} == {
        found.left,
        found.right,
    }
