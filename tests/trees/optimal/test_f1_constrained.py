"""Trees of the largest F1 under constraints.

A tree has an F1 above t exactly if its cost is below 2 P (1 - t), where a missed positive costs
2 - t and a false alarm t. So no tree is better than one of F1 t if brute force over all trees finds
no smaller cost than that.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import questions
from oracles.fixed_beginning import Below
from oracles.monotone_optimal import MonotoneOracle
from oracles.optimal import Oracle
from sklearn.metrics import f1_score

from ramify import OptimalTreeClassifier
from ramify.edit.monotone import Order


def table(seed: int, n: int = 14) -> tuple[pd.DataFrame, np.ndarray, np.ndarray | None]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 5, n) * 1.0, "b": rng.integers(0, 4, n) * 1.0})
    if seed % 3 == 0:
        X.loc[rng.random(n) < 0.2, "a"] = np.nan
    y = ((X["a"] > 2) ^ (rng.random(n) < 0.3)).to_numpy().astype(np.int32)
    y[:2] = 0, 1
    return X, y, rng.integers(1, 5, n) / 2.0 if seed % 2 else None


def costs_at(t: float, positive: int) -> np.ndarray:
    return np.array([[0, t], [2 - t, 0]]) if positive else np.array([[0, 2 - t], [t, 0]])


def check(clf: OptimalTreeClassifier, X: Any, y: Any, weights: Any, least_cost: Any) -> None:
    positive = clf.positive
    scored = f1_score(y, clf.predict(X), pos_label=positive, sample_weight=weights)
    w = np.ones(len(y)) if weights is None else weights
    assert clf.error_ == pytest.approx(1 - scored, abs=1e-9)
    level = 2 * w[y == positive].sum() * clf.error_
    assert least_cost(costs_at(1 - clf.error_, positive)) == pytest.approx(level, abs=1e-9)
    assert clf.proven_optimal_ and clf.gap_ == 0.0
    clf.tree_.check()


@pytest.mark.parametrize("seed", range(24))
def test_no_tree_that_keeps_an_order_has_a_larger_f1(seed: int) -> None:
    X, y, weights = table(seed)
    signs = {"a": (1, 1), "b": (-1, 1)} if seed % 4 else {"b": (1, 1)}
    clf = OptimalTreeClassifier(
        objective="f1",
        positive=seed // 2 % 2,
        max_depth=2,
        features="all",
        start="greedy" if seed % 5 else None,
        monotone={name: sign for name, (sign, _) in signs.items()},
    ).fit(X, y, sample_weight=weights)
    Order(clf.check_parameters(), clf.tree_).require(clf.tree_)

    def least(costs: np.ndarray) -> float:
        return MonotoneOracle(X, y, signs, 2, weights, costs).objective(2)

    check(clf, X, y, weights, least)


@pytest.mark.filterwarnings("ignore::ramify.RamifyWarning")
@pytest.mark.parametrize("seed", range(24))
def test_no_tree_below_a_beginning_has_a_larger_f1(seed: int) -> None:
    X, y, weights = table(seed)
    skeleton: dict[str, Any] = {"column": "a", "threshold": float(seed % 5) - 0.5}
    if seed % 3 == 1:
        skeleton["left"] = {"column": "b", "threshold": 1.5, "right": {"closed": True}}
    leaves = [99, 3, 4][seed % 3]
    clf = OptimalTreeClassifier(
        objective="f1",
        positive=seed // 2 % 2,
        max_depth=3,
        max_leaves=leaves,
        features="all",
        start="greedy" if seed % 5 else None,
        skeleton=skeleton,
    ).fit(X, y, sample_weight=weights)

    def least(costs: np.ndarray) -> float:
        @cache
        def oracle_of(columns: tuple[str, ...]) -> Oracle:
            return Oracle(
                questions(X[list(columns)]), labels=y, classes=2, weights=weights, costs=costs
            )

        found = Below(X, oracle_of).losses(skeleton, (1 << len(y)) - 1, 3)
        return min(loss for n, loss in found.items() if n <= max(leaves, min(found)))

    check(clf, X, y, weights, least)


@pytest.mark.parametrize(
    "given", [{"skeleton": {"column": 0, "threshold": 1.5}}, {"monotone": {0: 1}}]
)
def test_leaves_have_their_price(given: dict[str, Any]) -> None:
    X, y, _ = table(1, 40)
    price, same = 0.04, {"objective": "f1", "max_depth": 2, "features": "all", **given}
    clf = OptimalTreeClassifier(sparsity=price, **same).fit(X.to_numpy(), y)
    assert clf.proven_optimal_
    alone = []
    for leaves in range(1, 5):
        one = OptimalTreeClassifier(max_leaves=leaves, **same).fit(X.to_numpy(), y)
        alone.append(one.error_ + price * one.tree_.n_leaves)
    assert clf.objective_ == pytest.approx(min(alone))
