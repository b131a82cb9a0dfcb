"""Constraints, objectives and fronts of optimal trees, together or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles.monotone_optimal import MonotoneOracle

from ramify import OptimalTreeClassifier, OptimalTreeRegressor
from ramify.edit.monotone import Order

EXACT: dict[str, Any] = {"features": "all", "identifiers": "keep"}


def table(seed: int, rows: int = 60) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (rows, 3)).astype(float)
    return X, rng.poisson(np.exp(X[:, 0] / 4 + (X[:, 1] > 2))).astype(float)


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson"])
@pytest.mark.parametrize("seed", range(3))
def test_below_a_beginning_every_branch_is_the_best_of_its_rows(seed: int, criterion: str) -> None:
    X, y = table(seed)
    same = {"criterion": criterion, **EXACT}
    whole = OptimalTreeRegressor(skeleton={"column": 2, "threshold": 2.5}, max_depth=3, **same).fit(
        X, y
    )
    below = [
        OptimalTreeRegressor(max_depth=2, **same).fit(X[side], y[side]).error_ * side.sum()
        for side in (X[:, 2] <= 2.5, X[:, 2] > 2.5)
    ]
    assert whole.proven_optimal_
    assert whole.error_ == pytest.approx(sum(below) / len(y), rel=1e-9)


@pytest.mark.parametrize(
    "given", [{"skeleton": {"column": 2, "threshold": 2.5}}, {"monotone": {0: 1}}]
)
def test_a_front_under_constraints_has_the_best_tree_of_every_size(given: Any) -> None:
    X, y = table(4)
    same = {"max_depth": 2, **EXACT, **given}
    front = OptimalTreeRegressor(**same).pareto_front(X, y)
    assert front.proven.all()
    for leaves, error in zip(front.leaves[1:], front.error[1:], strict=True):
        alone = OptimalTreeRegressor(max_leaves=int(leaves), **same).fit(X, y)
        assert error == pytest.approx(alone.error_, rel=1e-9)


@pytest.mark.parametrize(
    "constraint", [{"skeleton": {"column": 2, "threshold": 2.5}}, {"monotone": {0: 1}}]
)
def test_a_least_recall_keeps_no_constraint(constraint: Any) -> None:
    X, y = table(5)
    (name,) = constraint
    with pytest.raises(ValueError, match=f"does not go with {name}=.*choose {name}=None"):
        OptimalTreeClassifier(**constraint, min_recall={True: 0.5}, **EXACT).fit(X, y > 2)


def test_the_cache_holds_no_tree_of_too_many_leaves() -> None:
    # Found among 200,000 random tables: a price of leaves and a limit on them, together.
    rows = (
        "1110000 0110101 1100010 0000100 0000110 1000100 0001111 1101000 0000100 1101001 0100000 "
        "1010111 1001011 0110000 0100110 1100100 0110011 1001111 1100111 0100001 1000110"
    )
    X = [[*map(int, row)] for row in str.split(rows)]
    y = [*map(int, "001000010101010100110")]
    clf = OptimalTreeClassifier(max_depth=5, max_leaves=7, sparsity=0.3 / 21, start=None)
    assert clf.fit(X, y).proven_optimal_
    price = clf.error_ + clf.sparsity * clf.tree_.n_leaves
    assert price * 21 == pytest.approx(2.8)


def test_many_leaves_that_are_worth_their_price_are_proven_where_questions_are_few() -> None:
    rng = np.random.default_rng(0)
    X = np.c_[rng.integers(0, 3, 300), rng.integers(0, 2, 300)].astype(float)
    y = rng.integers(0, 2, 300)
    for skeleton in (None, {"column": 1, "threshold": 0.5}):
        clf = OptimalTreeClassifier(max_depth=None, sparsity=0.0005, skeleton=skeleton)
        assert clf.fit(X, y).proven_optimal_
    front = OptimalTreeClassifier(max_depth=60).pareto_front(X, y, max_leaves=60)
    assert front.proven.all()
    short = OptimalTreeClassifier(max_depth=2).pareto_front(
        X, y, max_leaves=3_000_000, time_limit=1e-9
    )
    assert len(short.leaves) <= 300


@pytest.mark.parametrize("moments", [1, 30])
def test_an_interrupted_search_of_f1_ends(moments: int) -> None:
    rng = np.random.default_rng(0)
    X, calls = rng.normal(size=(400, 6)), 0
    y = X[:, 0] * X[:, 1] + rng.normal(size=400) > 0.8

    def stop(seconds: float, error: float, bound: float) -> None:
        nonlocal calls
        calls += 1
        if calls >= moments:
            raise KeyboardInterrupt

    clf = OptimalTreeClassifier(
        objective="f1", max_depth=4, sparsity=0.001, on_progress=stop, time_limit=60, **EXACT
    )
    with pytest.warns(match="interrupt"):
        clf.fit(X, y)
    assert not clf.proven_optimal_
    assert calls < moments + 5  # the end is told, too


def test_a_tree_of_f1_is_not_cut_back() -> None:
    X, y = table(9)
    clf = OptimalTreeClassifier(objective="f1", max_depth=2, **EXACT).fit(X, y > 3)
    with pytest.raises(ValueError, match="objective='f1': a tree that is cut back"):
        clf.prune(n_leaves=1)


def test_balanced_accuracy_keeps_them() -> None:
    X, y = table(6)
    rare = y > 5
    given = {"skeleton": {"column": 2, "threshold": 2.5}, "max_depth": 2, **EXACT}
    balanced = OptimalTreeClassifier(objective="balanced_accuracy", **given).fit(X, rare)
    weighted = OptimalTreeClassifier(class_weight="balanced", **given).fit(X, rare)
    assert balanced.tree_.to_text() == weighted.tree_.to_text()
    assert "x2 <= 2.5" in balanced.tree_.to_text().splitlines()[1]


def test_means_alone_keep_an_order() -> None:
    X, y = table(7)
    with pytest.raises(ValueError, match="monotone is proven for means alone"):
        OptimalTreeRegressor(criterion="quantile", monotone={0: 1}, **EXACT).fit(X, y)


@pytest.mark.parametrize("criterion", ["poisson", "gamma"])
@pytest.mark.parametrize("seed", range(8))
def test_means_of_deviances_keep_an_order(seed: int, criterion: str) -> None:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 5, 13) * 1.0, "b": rng.integers(0, 3, 13) * 1.0})
    if seed % 2:
        X.loc[rng.random(13) < 0.2, "a"] = np.nan
    y = rng.poisson(3.0, 13) * 1e-6 ** (seed % 3) + (criterion == "gamma") * 1e-3
    y[0] += 2.0
    weights = rng.integers(1, 4, 13) / 2.0 if seed % 4 == 1 else np.ones(13)
    signs, price = ({"a": (-1, 0)}, 0.0) if seed % 2 else ({"a": (1, 0), "b": (-1, 0)}, 0.02)
    reg = OptimalTreeRegressor(
        criterion=criterion,
        max_depth=2,
        sparsity=price,
        monotone={name: sign for name, (sign, _) in signs.items()},
        start="greedy" if seed < 4 else None,
        **EXACT,
    ).fit(X, y, sample_weight=weights)
    oracle = MonotoneOracle(X, y, signs, 0, weights, criterion=criterion)
    unit = oracle.leaf(oracle.all)[0]
    best = oracle.objective(2, sparsity=price * unit)
    assert reg.objective_ * weights.sum() == pytest.approx(best, rel=1e-9)
    assert reg.proven_optimal_
    Order(reg.check_parameters(), reg.tree_).require(reg.tree_)


def test_a_least_recall_needs_a_limit() -> None:
    X, y = table(8)
    with pytest.raises(ValueError, match="does not go with max_depth=None alone"):
        OptimalTreeClassifier(max_depth=None, sparsity=0.01, min_recall={True: 0.5}, **EXACT).fit(
            X, y > 2
        )
