"""Optimal trees below a beginning whose predictions keep an order."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import GRADES, hard_table
from oracles.monotone_optimal import MonotoneOracle
from oracles.ordered_beginning import OrderedBelow
from sklearn.exceptions import ConvergenceWarning

from ramify import OptimalTreeClassifier, OptimalTreeRegressor
from ramify.edit.monotone import Order

QUIET = pytest.mark.filterwarnings("ignore::ramify.RamifyWarning")


def small(seed: int, n: int = 13, *, holes: bool = True) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 5, n).astype(float)
    debt = rng.integers(0, 4, n).astype(float)
    grade = rng.choice(GRADES, n).astype(object)
    job = rng.choice(list("pqr"), n).astype(object)
    if holes:
        age[rng.random(n) < 0.2] = np.nan
        grade[rng.random(n) < 0.15] = None
        job[rng.random(n) < 0.15] = None
    grade = pd.Categorical(grade, GRADES, ordered=True)
    return pd.DataFrame({"age": age, "debt": debt, "grade": grade, "job": job})


def condition(rng: np.random.Generator, X: pd.DataFrame) -> dict[str, Any]:
    name = str(rng.choice(list(X)))
    node: dict[str, Any] = {"column": name}
    if name == "job":
        levels = sorted(set(X[name].dropna()))
        if len(levels) == 3 and rng.random() < 0.5:
            node |= {"levels": [[one] for one in levels], "branches": [{}, {}, {}]}
        else:
            node["levels"] = levels[:1]
    elif name == "grade":
        node["threshold"] = str(rng.choice(GRADES))
    else:
        node["threshold"] = float(rng.integers(0, 4)) + 0.5
    if rng.random() < 0.4:
        node["missing"] = int(rng.integers(len(node.get("branches", [0, 1]))))
    return node


def skeleton_of(rng: np.random.Generator, X: pd.DataFrame, depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {}
    if rng.random() < 0.25:
        node["exclude"] = rng.choice(list(X), rng.integers(1, 3), replace=False).tolist()
    if depth == 0 or rng.random() < 0.15:
        return node | ({"closed": True} if rng.random() < 0.3 else {})
    node |= condition(rng, X)
    if "branches" in node:
        node["branches"] = [skeleton_of(rng, X, depth - 1) for _ in node["branches"]]
    else:
        node["left"], node["right"] = (skeleton_of(rng, X, depth - 1) for _ in range(2))
    return node


def below_of(X: pd.DataFrame, y: Any, signs: Any, *rest: Any) -> OrderedBelow:
    @cache
    def oracle_of(columns: tuple[str, ...]) -> MonotoneOracle:
        return MonotoneOracle(X, y, signs, *rest, columns=columns)

    return OrderedBelow(X, oracle_of)


def signs_of(rng: np.random.Generator) -> dict[str, int]:
    names = rng.choice(["age", "debt", "grade"], rng.integers(1, 4), replace=False)
    return {str(name): int(rng.choice([-1, 1])) for name in names}


@QUIET
@pytest.mark.parametrize("seed", range(120))
def test_no_tree_below_the_beginning_that_keeps_the_order_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = small(seed, holes=seed % 3 > 0)
    numbers = seed % 4 == 3
    y: Any = rng.normal(size=len(X)) if numbers else rng.integers(0, 2, len(X))
    if not numbers:
        y[:2] = 0, 1
    weights = rng.integers(1, 4, len(y)) / 2.0 if seed % 2 else np.ones(len(y))
    costs = np.array([[0.0, 1.0], [2.5, 0.0]]) if seed % 5 == 2 and not numbers else None
    names = signs_of(rng)
    skeleton = skeleton_of(rng, X, 1 + seed % 2)
    limits: dict[str, int] = [{}, {"max_leaves": 4}, {"min_samples_leaf": 2}][seed % 3]
    price, depth = float(rng.choice([0.0, 0.03])), int(rng.choice([2, 2, 3]))
    kind = OptimalTreeRegressor if numbers else OptimalTreeClassifier
    model = kind(
        max_depth=depth,
        features="all",
        start="greedy" if seed % 2 else None,
        skeleton=skeleton,
        monotone=names,
        sparsity=price,
        **({} if numbers else {"costs": costs}),
        **limits,
    )
    signs = {name: (sign, 0 if numbers else 1) for name, sign in names.items()}
    rows = limits.get("min_samples_leaf", 1)
    below = below_of(X, y, signs, 0 if numbers else 2, weights, costs, rows)
    oracle = below.oracle_of(tuple(X))
    total = weights.sum()
    unit = oracle.leaf(oracle.all)[0] if numbers else total
    best = below.objective(
        skeleton, depth, sparsity=price * unit, max_leaves=limits.get("max_leaves", 10**9)
    )
    if best == np.inf:
        with pytest.raises(ValueError, match="contradict each other: the conditions"):
            model.fit(X, y, sample_weight=weights)
        return
    model.fit(X, y, sample_weight=weights)
    assert model.objective_ * total == pytest.approx(best)
    assert model.proven_optimal_ and model.lower_bound_ == model.objective_
    model.tree_.check()
    Order(model.check_parameters(), model.tree_).require(model.tree_)


def test_levels_of_a_column_with_an_order_are_no_condition() -> None:
    X = small(0, 30)
    y = np.arange(30) % 2
    clf = OptimalTreeClassifier(
        skeleton={"column": "grade", "levels": [GRADES[1]]}, monotone={"grade": 1}
    )
    with pytest.raises(ValueError, match="'grade' by levels, which are in no order"):
        clf.fit(X, y)


def test_a_front_has_the_best_tree_of_every_size() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 8, (120, 3)).astype(float)
    y = (X[:, 0] + 2 * X[:, 1] + rng.normal(size=120) * 4 > 10).astype(int)
    given: dict[str, Any] = {
        "skeleton": {"column": 2, "threshold": 3.5},
        "monotone": {0: 1, 1: 1},
        "max_depth": 3,
        "features": "all",
    }
    front = OptimalTreeClassifier(**given).pareto_front(X, y)
    assert front.proven.all() and front.leaves[0] == 2
    for leaves, error in zip(front.leaves, front.error, strict=True):
        alone = OptimalTreeClassifier(max_leaves=int(leaves), **given).fit(X, y)
        assert error == pytest.approx(alone.error_)


@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_without_time_a_tree_of_the_conditions_is_kept(seconds: float) -> None:
    X, y = hard_table()
    skeleton = {"column": 0, "threshold": float(np.median(X[:, 0]))}
    left = np.average(y[X[:, 0] <= skeleton["threshold"]] == np.unique(y)[-1])
    sign = 1 if left <= np.average(y == np.unique(y)[-1]) else -1
    clf = OptimalTreeClassifier(
        max_depth=7,
        skeleton=skeleton,
        monotone={0: sign},
        features="mid",
        n_thresholds=100,
        time_limit=seconds,
    )
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        clf.fit(X, y)
    assert clf.tree_.condition(0).attribute == clf.schema_.names[0]
    assert 0 <= clf.lower_bound_ <= clf.error_ and clf.search_["seconds"] < 10
    Order(clf.check_parameters(), clf.tree_).require(clf.tree_)
    bound = clf.error_ * 0.5
    with pytest.warns(ConvergenceWarning):
        clf.set_params(upper_bound=bound, time_limit=0.3).fit(X, y)
