"""The trees that the estimators find are optimal, on tables as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import mixed, questions
from oracles.optimal import Oracle
from sklearn.datasets import load_iris, load_wine

from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("features", ["all", "mid"])
def test_no_tree_over_a_mixed_table_is_better(seed: int, features: Any) -> None:
    X, y = mixed(seed, holes=seed > 0)
    labels = (y == "yes").astype(np.int32)
    # without the greedy tree, whose sets of cities would join the questions
    clf = OptimalTreeClassifier(max_depth=2, features=features, n_thresholds=1000, start=None)
    clf.fit(X, y)
    oracle = Oracle(questions(X), labels=labels, classes=2)
    assert clf.error_ * len(y) == pytest.approx(oracle.objective(2))
    assert clf.proven_optimal_ and clf.gap_ == 0.0
    assert clf.lower_bound_ == clf.objective_ == clf.error_
    assert clf.score(X, y) == pytest.approx(1 - clf.error_)
    clf.tree_.check()


@pytest.mark.parametrize("seed", range(4))
def test_weights_costs_sparsity_and_limits(seed: int) -> None:
    X, y = mixed(seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, len(y)) / 2.0
    y = np.where(rng.random(len(y)) < 0.2, "maybe", y)
    costs = np.array([[0.0, 1, 2], [3, 0, 1], [1, 5, 0]])
    clf = OptimalTreeClassifier(
        max_depth=2,
        features="all",
        start=None,
        sparsity=0.02,
        min_samples_leaf=3,
        max_leaves=3,
        costs=costs,
        class_weight={"yes": 2.0, "no": 1.0, "maybe": 0.5},
    ).fit(X, y, sample_weight=weights)
    by_row = weights * np.array([{"yes": 2.0, "no": 1.0, "maybe": 0.5}[one] for one in y])
    used = by_row > 0
    oracle = Oracle(
        questions(X[used]),
        labels=np.searchsorted(["maybe", "no", "yes"], y[used]).astype(np.int32),
        classes=3,
        weights=by_row[used],
        costs=costs,
        min_samples_leaf=3,
    )
    total = by_row.sum()
    best = oracle.objective(2, sparsity=0.02 * total, max_leaves=3)
    assert clf.objective_ * total == pytest.approx(best)
    assert clf.objective_ == pytest.approx(clf.error_ + 0.02 * clf.tree_.n_leaves)
    assert clf.tree_.data["rows"][clf.tree_.data["kind"] == 0].min() >= 3
    predicted = np.searchsorted(clf.classes_, clf.predict(X))
    true = np.searchsorted(clf.classes_, y)
    mean_cost = float(np.average(costs[true, predicted], weights=by_row))
    assert clf.error_ == pytest.approx(mean_cost)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sparsity", [0.0, 0.05])
def test_regression(seed: int, sparsity: float) -> None:
    X, y = mixed(seed)
    target = (y == "yes") * 3.0 + np.random.default_rng(seed).normal(size=len(y)) + 100
    reg = OptimalTreeRegressor(max_depth=2, features="all", sparsity=sparsity, start=None)
    reg.fit(X, target)
    oracle = Oracle(questions(X), target=target)
    price = sparsity * oracle.objective(0)  # a share of the error of the mean alone
    assert reg.objective_ * len(y) == pytest.approx(oracle.objective(2, sparsity=price))
    assert np.mean((reg.predict(X) - target) ** 2) == pytest.approx(reg.error_)
    reg.tree_.check()


@pytest.mark.parametrize("sparsity", [0.0, 0.01, 0.037])
@pytest.mark.parametrize("n", [90, 119, 150])
def test_the_error_is_a_share_of_the_rows_to_the_last_digit(sparsity: float, n: int) -> None:
    X, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(n).permutation(len(y))[:n]
    X, y = X[rows, :3], y[rows]
    clf = OptimalTreeClassifier(max_depth=2, sparsity=sparsity).fit(X, y)
    assert clf.error_ == np.count_nonzero(clf.predict(X) != y) / n
    assert clf.objective_ == clf.error_ + sparsity * clf.tree_.n_leaves == clf.lower_bound_


@pytest.mark.parametrize("features", ["auto", "mid", "all"])
@pytest.mark.parametrize("sparsity", [0.0, 0.03])
def test_never_worse_than_greedy(features: Any, sparsity: float) -> None:
    for load_data in (load_iris, load_wine):
        X, y = load_data(return_X_y=True)
        greedy = TreeClassifier(max_depth=2, min_samples_leaf=4).fit(X, y)
        clf = OptimalTreeClassifier(
            max_depth=2, min_samples_leaf=4, features=features, n_thresholds=6, sparsity=sparsity
        ).fit(X, y)
        price = sparsity * greedy.tree_.n_leaves
        assert clf.objective_ <= 1 - greedy.score(X, y) + price + 1e-12


def test_without_a_start_the_features_are_those_asked_for() -> None:
    X, y = load_wine(return_X_y=True)
    plain = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=3, start=None)
    assert plain.fit(X, y).search_["n_features"] == 3
    assert plain.search_["n_thresholds"] == 3
    started = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=3).fit(X, y)
    assert 3 < started.search_["n_features"] <= 6
    assert started.error_ <= plain.error_


def test_threads_find_the_same_error() -> None:
    X, y = load_wine(return_X_y=True)
    one, two = (
        OptimalTreeClassifier(max_depth=3, features="mid", n_thresholds=12, n_jobs=n).fit(X, y)
        for n in (1, 2)
    )
    assert one.error_ == two.error_


def test_thresholds_lie_halfway_between_the_rows_of_their_node() -> None:
    X = np.array([[1.0], [3.0], [8.0], [9.0]])
    clf = OptimalTreeClassifier(max_depth=2).fit(X, [0, 0, 1, 0])
    thresholds = clf.tree_.data["threshold"]
    assert sorted(thresholds[np.isfinite(thresholds)]) == [5.5, 8.5]


def test_a_tree_of_one_leaf() -> None:
    for clf in (OptimalTreeClassifier(max_depth=0), OptimalTreeClassifier(max_leaves=1)):
        clf.fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
        assert clf.tree_.n_leaves == 1
        assert clf.error_ == pytest.approx(1 / 3)
        assert clf.predict([[1.0]])[0] == "b"
    assert OptimalTreeClassifier().fit([[1.0], [1.0]], [0, 1]).tree_.n_leaves == 1
    assert OptimalTreeClassifier().fit([[1.0], [2.0]], [0, 0]).tree_.n_leaves == 1


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize(
    ("features", "limits"),
    [
        ("all", {}),
        ("mid", {}),  # ranks no threshold between rows that are alike, which limits may need
        ("all", {"max_leaves": 6}),
        ("all", {"min_samples_leaf": 2}),
        ("all", {"min_samples_leaf": 2, "max_leaves": 5}),
    ],
)
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("start", [None, "greedy"])
def test_the_optimum_with_fractional_weights_and_a_price(
    kind: Any, features: Any, limits: dict[str, int], depth: int, seed: int, start: Any
) -> None:
    rng = np.random.default_rng(100 * depth + seed)
    n, classes = 14, 3
    X = np.column_stack([rng.integers(0, 5, n), rng.integers(0, 4, n)]).astype(float)
    weights = rng.random(n) * rng.choice([1e-3, 1.0, 30.0], n) if seed % 2 else rng.random(n)
    price = [0.001, 0.01, 0.03, 1e-9][seed % 4]
    shared: dict[str, Any] = {
        "columns": questions(pd.DataFrame(X)),
        "weights": weights,
        "min_samples_leaf": limits.get("min_samples_leaf", 1),
    }
    more: dict[str, Any] = {}
    if kind is OptimalTreeClassifier:
        y = rng.integers(0, classes, n)
        y[:classes] = range(classes)
        if seed % 3 == 0:
            more["costs"] = rng.random((classes, classes)) * 3 * (1 - np.eye(classes))
        oracle = Oracle(labels=y, classes=classes, **shared, **more)
        unit = weights.sum()
    else:
        y = rng.normal(size=n) * 10 ** rng.uniform(-2, 2) + X[:, 0]
        oracle = Oracle(target=y, **shared)
        unit = oracle.objective(0)
    more |= {"max_depth": depth, "features": features, "n_thresholds": 1000, "start": start}
    model = kind(sparsity=price, **more, **limits).fit(X, y, sample_weight=weights)
    leaves = limits.get("max_leaves", 10**9)
    best = oracle.objective(depth, sparsity=price * unit, max_leaves=leaves) / weights.sum()
    assert model.objective_ == pytest.approx(best, rel=1e-9, abs=1e-12)
    assert model.proven_optimal_ and model.lower_bound_ == model.objective_
