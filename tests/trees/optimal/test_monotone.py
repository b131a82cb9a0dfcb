"""Optimal trees whose predictions keep an order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import GRADES, hard_table
from oracles.monotone_optimal import MonotoneOracle
from sklearn.exceptions import ConvergenceWarning

from ramify import OptimalTreeClassifier, OptimalTreeRegressor, TreeClassifier, _core, load
from ramify.edit.monotone import Order
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.optimal.features import add_features, all_features, column_facts, core_target


def small(seed: int, n: int = 14, *, holes: bool = True) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 5, n).astype(float)
    debt = rng.integers(0, 4, n).astype(float)
    grade = rng.choice(GRADES, n).astype(object)
    job = rng.choice(list("pqr"), n).astype(object)
    if holes:
        for column in (age, debt):
            column[rng.random(n) < 0.2] = np.nan
        grade[rng.random(n) < 0.15] = None
        job[rng.random(n) < 0.15] = None
    grade = pd.Categorical(grade, GRADES, ordered=True)
    return pd.DataFrame({"age": age, "debt": debt, "grade": grade, "job": job})


def require_order(model: Any) -> None:
    Order(model.check_parameters(), model.tree_).require(model.tree_)


def some_signs(rng: np.random.Generator) -> dict[str, int]:
    names = rng.choice(["age", "debt", "grade"], rng.integers(1, 4), replace=False)
    return {str(name): int(rng.choice([-1, 1])) for name in names}


@pytest.mark.parametrize("seed", range(40))
def test_no_tree_that_keeps_the_order_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = small(seed, holes=seed % 3 > 0)
    classes = 2 + seed % 2
    y = rng.integers(0, classes, len(X))
    y[:classes] = range(classes)
    weights = rng.integers(1, 4, len(y)) / 2.0 if seed % 4 == 1 else np.ones(len(y))
    costs = rng.integers(1, 4, (classes, classes)) * (1.0 - np.eye(classes))
    costs = costs if seed % 5 == 2 else None
    names = some_signs(rng)
    if classes == 2:
        monotone: dict[str, Any] = dict(names)
        signs = {name: (sign, 1) for name, sign in names.items()}
    else:
        signs = {name: (sign, int(rng.integers(classes))) for name, sign in names.items()}
        monotone = dict(signs)
    limits: dict[str, int] = [{}, {}, {"max_leaves": 3}, {"min_samples_leaf": 2}][seed % 4]
    price, depth = float(rng.choice([0.0, 0.02])), 2
    clf = OptimalTreeClassifier(
        max_depth=depth,
        features="all",
        start=None,
        monotone=monotone,
        sparsity=price,
        costs=costs,
        **limits,
    ).fit(X, y, sample_weight=weights)
    rows = limits.get("min_samples_leaf", 1)
    oracle = MonotoneOracle(X, y, signs, classes, weights, costs, rows)
    total = weights.sum()
    best = oracle.objective(
        depth, sparsity=price * total, max_leaves=limits.get("max_leaves", 10**9)
    )
    assert clf.objective_ * total == pytest.approx(best)
    assert clf.proven_optimal_ and clf.lower_bound_ == clf.objective_
    clf.tree_.check()
    require_order(clf)
    assert "predictions monotone in" in clf.proof()


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_depth_three(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = small(seed, 11)[["age", "debt"]]
    y = rng.integers(0, 2, len(X))
    y[:2] = 0, 1
    monotone = {"age": 1, "debt": -1} if seed % 2 else {"age": 1}
    limits: dict[str, int] = {"max_leaves": 5} if seed % 3 == 0 else {}
    clf = OptimalTreeClassifier(
        max_depth=3, features="all", monotone=monotone, sparsity=0.01, start=None, **limits
    ).fit(X, y)
    oracle = MonotoneOracle(X, y, {name: (sign, 1) for name, sign in monotone.items()}, 2)
    best = oracle.objective(3, sparsity=0.01 * len(y), max_leaves=limits.get("max_leaves", 99))
    assert clf.objective_ * len(y) == pytest.approx(best)
    require_order(clf)


@pytest.mark.parametrize("seed", range(16))
def test_numbers_keep_it_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = small(seed, 13, holes=seed % 2 > 0)
    y = rng.normal(size=len(X)) if seed % 3 else rng.integers(0, 3, len(X)) * 1.0
    names = some_signs(rng)
    weights = rng.random(len(y)) + 0.1 if seed % 4 == 3 else np.ones(len(y))
    price = float(rng.choice([0.0, 0.03]))
    reg = OptimalTreeRegressor(
        max_depth=2, features="all", start=None, monotone=names, sparsity=price
    ).fit(X, y, sample_weight=weights)
    signs = {name: (sign, 0) for name, sign in names.items()}
    oracle = MonotoneOracle(X, y, signs, 0, weights)
    unit = oracle.leaf(oracle.all)[0]
    best = oracle.objective(2, sparsity=price * unit)
    assert reg.objective_ * weights.sum() == pytest.approx(best)
    assert reg.proven_optimal_
    require_order(reg)


@pytest.mark.parametrize("seed", range(8))
def test_switches_and_starts_change_no_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = small(seed, 40)
    y = rng.integers(0, 2, len(X))
    table = Table.read(X)
    target = Target.of_classes(y, len(y), "test")
    features = _core.FeatureSet(len(y), across_columns=False)
    add_features(features, all_features(table, column_facts(table)))
    found = set()
    for switches in (
        {},
        {"cache": False},
        {"depth_two": False},
        {"similarity": False, "equivalent_rows": False},
        {"instructions": 0},
    ):
        result = _core.optimal_tree(
            features,
            **core_target(target),
            limits={"max_depth": 3, "sparsity": 0.2},
            switches=switches,
            table=table.core(),
            monotone=[1, -1, 0, 0],
            monotone_class=[1, 1, 0, 0],
        )
        assert result["proven"]
        found.add(round(result["objective"], 9))
    assert len(found) == 1
    settings: dict[str, Any] = {
        "max_depth": 3,
        "features": "all",
        "monotone": {"age": 1, "debt": -1},
        "sparsity": 0.2 / len(y),
    }
    grown = TreeClassifier(max_depth=3, missing="direction").fit(X, y)  # breaks the order
    for start in ("greedy", grown, None):
        clf = OptimalTreeClassifier(**settings, start=start).fit(X, y)
        require_order(clf)
        assert clf.objective_ * len(y) == pytest.approx(found.copy().pop(), abs=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_two_rows_are_in_order_whatever_their_other_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = small(seed, 60)
    X.loc[X.index[:30], ["age"]] = rng.integers(0, 5, (30, 1))
    y = np.where(rng.random(60) < (X["age"].fillna(2) + 1) / 8, 1, 0)
    clf = OptimalTreeClassifier(max_depth=3, monotone={"age": 1}, n_thresholds=12, features="mid")
    clf.fit(X, y)
    others = small(seed + 100, 200).drop(columns="age")
    shares = [
        clf.predict_proba(others.assign(age=age)[["age", "debt", "grade", "job"]])[:, 1]
        for age in np.arange(-1.0, 6.0, 0.5)
    ]
    assert (np.diff(shares, axis=0) >= -1e-12).all()
    for n_leaves in range(1, clf.tree_.n_leaves):
        cut = clf.prune(n_leaves=n_leaves)
        require_order(cut)


def test_it_is_better_than_growth_under_the_same_order() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 12, (400, 4)).astype(float)
    y = ((X[:, 0] > 5) ^ (X[:, 1] > 6) | (rng.random(400) < 0.2)).astype(int)
    monotone = {0: 1, 2: -1}
    greedy = TreeClassifier(max_depth=3, monotone=monotone).fit(X, y)
    clf = OptimalTreeClassifier(max_depth=3, monotone=monotone).fit(X, y)
    free = OptimalTreeClassifier(max_depth=3).fit(X, y)
    assert free.error_ <= clf.error_ <= 1 - greedy.score(X, y)
    assert clf.proven_optimal_ and free.error_ < clf.error_
    front = OptimalTreeClassifier(max_depth=3, monotone=monotone).pareto_front(X, y)
    assert front.error.min() == pytest.approx(clf.error_) and front.proven.all()
    bounded = OptimalTreeClassifier(max_depth=3, monotone=monotone, upper_bound=clf.error_)
    with pytest.warns(ConvergenceWarning, match="found no tree below"):
        bounded.fit(X, y)
    assert bounded.below_upper_bound_ is False


def test_time_and_interrupts() -> None:
    X, y = hard_table()
    greedy = TreeClassifier(max_depth=7, monotone={0: 1}).fit(X, y)
    settings: dict[str, Any] = {
        "max_depth": 7,
        "monotone": {0: 1},
        "features": "mid",
        "n_thresholds": 200,
    }
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        clf = OptimalTreeClassifier(**settings, time_limit=1.0).fit(X, y)
    assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12 and not clf.proven_optimal_
    assert 0 <= clf.lower_bound_ <= clf.error_ and clf.search_["seconds"] < 5
    require_order(clf)

    def stop(seconds: float, error: float, bound: float) -> None:
        raise KeyboardInterrupt

    with pytest.warns(ConvergenceWarning, match="was interrupted"):
        clf = OptimalTreeClassifier(**settings, on_progress=stop).fit(X, y)
    require_order(clf)
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        clf = OptimalTreeClassifier(**settings, time_limit=0.0).fit(X, y)
    assert clf.tree_.n_leaves == 1


def test_what_is_refused_and_kept(tmp_path: Path) -> None:
    X = small(0, 30)
    y = np.random.default_rng(0).integers(0, 2, 30)
    many = np.random.default_rng(0).normal(size=(400, 30))
    with pytest.raises(ValueError, match="takes at most 10,000; choose features='mid'"):
        OptimalTreeClassifier(monotone={0: 1}, features="all").fit(many, many[:, 0] > 0)
    assert (
        OptimalTreeClassifier(max_depth=1, monotone={0: 1})
        .fit(many, many[:, 0] > 0)
        .search_["features"]
        == "mid"
    )
    with pytest.raises(ValueError, match="nominal"):
        OptimalTreeClassifier(monotone={"job": 1}).fit(X, y)
    with pytest.raises(ValueError, match="does not go with monotone"):
        OptimalTreeClassifier(monotone={"age": 1}, n_thresholds="grow").fit(X, y)
    with pytest.raises(ValueError, match="must name the class"):
        OptimalTreeClassifier(monotone={"age": 1}).fit(X, np.arange(30) % 3)
    clf = OptimalTreeClassifier(max_depth=2, monotone={"age": -1}).fit(X, y)
    clf.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.monotone == {"age": -1} and again.proof() == clf.proof()
