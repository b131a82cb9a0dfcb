"""Trees that split by maximum cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.cut_data import Matrix, random_table
from numpy.typing import NDArray
from oracles import maxcut as oracle
from oracles.criteria import SCORES

from ramify import TreeClassifier
from ramify.splits import best_nominal_split


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


def rows_of(counts: Matrix) -> tuple[list[list[str | None]], list[int]]:
    """A column whose contingency table with the classes is the given one."""
    cells = [(i, j) for (i, j), weight in np.ndenumerate(counts) for _ in range(int(weight))]
    return [[f"v{i:02}"] for i, _ in cells], [j for _, j in cells]


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
            scores[cut + 0.5] = SCORES["chi2"](left + right, two)
    best = max(scores, key=lambda cut: scores[cut])
    assert root.condition.value == best
    assert root.gain == pytest.approx(scores[best])


def assert_root_is_the_best_cut(seed: int, criterion: str, holes: int, missing: Any) -> None:
    counts = random_table(np.random.default_rng(seed), 8, 3)
    X, y = rows_of(counts)
    X, y = X + [[None]] * holes, y + [0] * holes
    split = best_nominal_split(counts, method="greedy_cut", criterion=criterion)
    assert split is not None
    clf = TreeClassifier(
        criterion=criterion, categorical_split="greedy_cut", max_depth=1, missing=missing
    ).fit(X, y)
    assert clf.tree_.nodes[0].gain == pytest.approx(split.score)


@pytest.mark.parametrize("criterion", ["squared_gini", "chi2_cut"])
def test_the_root_is_the_split_of_its_table(criterion: str) -> None:
    assert_root_is_the_best_cut(14, criterion, holes=0, missing="fractional")


def test_a_sum_over_pairs_stays_one_when_missing_rows_are_placed() -> None:
    assert_root_is_the_best_cut(17, "chi2_cut", holes=5, missing="direction")


def test_costs_reach_squared_gini() -> None:
    rng = np.random.default_rng(15)
    counts = random_table(rng, 7, 3)
    X, y = rows_of(counts)
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
    X, y = rows_of(counts)

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
        return SCORES["gini"](children.sum(axis=0), children)

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
