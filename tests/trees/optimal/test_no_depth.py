"""Estimators without a largest depth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.optimal import Oracle
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    PolicyTree,
    TreeClassifier,
)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("start", ["greedy", None])
def test_the_optimum_is_that_of_brute_force(seed: int, kind: Any, start: Any) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (11, 2))
    columns = [X[:, j].astype(np.int32) for j in range(2)]
    given: dict[str, Any] = {"sparsity": 0.02} if seed % 2 else {"max_leaves": 2 + seed // 2}
    if kind is OptimalTreeClassifier:
        y: Any = rng.integers(0, 3, 11)
        y[:3] = range(3)
        oracle = Oracle(columns, labels=y, classes=3)
        unit = 11.0
    else:
        y = rng.normal(size=11)
        oracle = Oracle(columns, target=y)
        unit = oracle.objective(0)
    model = kind(max_depth=None, features="all", start=start, **given).fit(X, y)
    price = given.get("sparsity", 0.0) * unit
    best = oracle.objective(10, sparsity=price, max_leaves=given.get("max_leaves", 99)) / 11
    assert model.objective_ == pytest.approx(best, abs=1e-9)
    assert model.proven_optimal_ and model.lower_bound_ == model.objective_


def test_the_words_speak_of_no_depth() -> None:
    X, y = load_iris(return_X_y=True)
    model = OptimalTreeClassifier(max_depth=None, sparsity=0.02, features="all").fit(X, y)
    assert model.proof() == "no tree has a smaller sum of training error and price of leaves"
    few = OptimalTreeClassifier(max_depth=None, max_leaves=3, features="all").fit(X, y)
    assert few.proof() == "no tree with at most 3 leaves has a smaller training error"


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor, PolicyTree])
def test_something_must_limit_the_trees(kind: Any) -> None:
    y: Any = [[0.0, 1.0], [1.0, 0.0]] if kind is PolicyTree else [0, 1]
    with pytest.raises(
        ValueError, match="max_depth=None needs a price or a largest number of leaves"
    ):
        kind(max_depth=None).fit([[1], [2]], y)


def test_a_policy_without_a_depth() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (40, 2))
    rewards = np.column_stack([X[:, 0] % 2, 1 - X[:, 0] % 2]) + rng.normal(size=(40, 2)) / 9
    free = PolicyTree(max_depth=None, max_leaves=5).fit(X, rewards)
    bound = PolicyTree(max_depth=4, max_leaves=5).fit(X, rewards)
    assert free.proven_optimal_ and free.reward_ == pytest.approx(bound.reward_)
    assert free.tree_.n_leaves == 5


@pytest.mark.parametrize("price", [0.0, 1e-4])
def test_a_deep_start_is_kept(price: float) -> None:
    rng = np.random.default_rng(1)
    X = np.arange(200.0)[:, None]
    y = rng.integers(0, 2, 200)
    deep = TreeClassifier(max_depth=8, identifiers="keep").fit(X, y)
    model = OptimalTreeClassifier(
        max_depth=None,
        max_leaves=deep.tree_.n_leaves,
        sparsity=price,
        start=deep,
        time_limit=0.2,
        identifiers="keep",
    )
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert model.error_ <= 1 - deep.score(X, y)


def test_near_optimal_without_a_depth() -> None:
    X, y = load_iris(return_X_y=True)
    given = {"sparsity": 0.02, "features": "mid", "n_thresholds": 8}
    free = OptimalTreeClassifier(max_depth=None, **given).near_optimal(X, y, epsilon=0.02)
    # Trees within 0.02 of the best cost 0.12 at most, so they have at most 6 leaves.
    at_most = OptimalTreeClassifier(max_depth=5, **given).near_optimal(X, y, epsilon=0.02)
    assert free.count == at_most.count > 1
