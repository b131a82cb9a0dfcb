"""What holds for every search for nominal splits: edges, bad tables, and trees that use it."""

from __future__ import annotations

import numpy as np
import pytest
from nominal_data import split
from oracles import nominal as oracle

from ramify import TreeClassifier, _core
from ramify.splits import best_nominal_split, methods, score


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
