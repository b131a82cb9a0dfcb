"""Optimal trees below a beginning that is laid down."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import GRADES, hard_table, mixed, questions
from oracles.fixed_beginning import Below
from oracles.optimal import Oracle
from sklearn.exceptions import ConvergenceWarning

from ramify import OptimalTreeClassifier, OptimalTreeRegressor, RamifyWarning, TreeClassifier, load

QUIET = pytest.mark.filterwarnings("ignore::ramify.RamifyWarning")


def random_condition(rng: np.random.Generator, X: pd.DataFrame) -> dict[str, Any]:
    name = str(rng.choice(["colour", "size", "grade", "city"]))
    node: dict[str, Any] = {"column": name}
    if name == "size":
        node["threshold"] = float(rng.choice([-1.0, 0.5, 1.0, 1.5, 9.0]))
    elif name == "grade":
        node["threshold"] = str(rng.choice(GRADES))
    elif rng.random() < 0.3:
        levels = sorted(set(X[name].dropna()))
        node["levels"] = [levels[:1], levels[1:2], levels[2:]]
        node["branches"] = [{}, {}, {}]
    elif name == "colour":
        node["levels"] = ["red"]
    else:
        node["levels"] = sorted(set(X[name]))[: rng.integers(1, 7)]
    if rng.random() < 0.5:
        node["missing"] = int(rng.integers(len(node.get("branches", [0, 1]))))
    return node


def random_skeleton(rng: np.random.Generator, X: pd.DataFrame, depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {}
    if rng.random() < 0.25:
        out = rng.choice(["colour", "size", "grade", "city"], rng.integers(1, 4), replace=False)
        node["exclude"] = out.tolist()
    if depth == 0 or rng.random() < 0.15:
        return node | ({"closed": True} if rng.random() < 0.3 else {})
    node |= random_condition(rng, X)
    if "branches" in node:
        node["branches"] = [random_skeleton(rng, X, depth - 1) for _ in node["branches"]]
    else:
        node["left"], node["right"] = (random_skeleton(rng, X, depth - 1) for _ in range(2))
    return node


def below_of(X: pd.DataFrame, **problem: Any) -> Below:
    @cache
    def oracle_of(columns: tuple[str, ...]) -> Oracle:
        return Oracle(questions(X[list(columns)]), **problem)

    return Below(X, oracle_of)


def least(losses: dict[int, float], price: float, leaves: int) -> float:
    # The leaves of the beginning are there whatever the limit.
    most = max(leaves, min(losses))
    return min(loss + price * n for n, loss in losses.items() if n <= most)


@QUIET
@pytest.mark.parametrize("seed", range(60))
def test_no_tree_below_the_beginning_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = mixed(seed, 26, holes=seed % 4 > 0)
    skeleton = random_skeleton(rng, X, 1 + seed % 3)
    leaves = int(rng.choice([2, 3, 4, 5, 99]))
    rows = int(rng.choice([1, 1, 3]))
    price = float(rng.choice([0.0, 0.03]))
    depth = int(rng.choice([2, 3]))
    weights = rng.integers(1, 5, len(y)) / 2.0 if seed % 2 else np.ones(len(y))
    costs = np.array([[0.0, 1.0], [2.5, 0.0]]) if seed % 5 == 0 else None
    clf = OptimalTreeClassifier(
        max_depth=depth,
        features="all",
        start=None,
        skeleton=skeleton,
        max_leaves=leaves,
        min_samples_leaf=rows,
        sparsity=price,
        costs=costs,
    ).fit(X, y, sample_weight=weights)
    labels = (y == "yes").astype(np.int32)
    below = below_of(
        X, labels=labels, classes=2, weights=weights, costs=costs, min_samples_leaf=rows
    )
    total = weights.sum()
    found = below.losses(skeleton, (1 << len(y)) - 1, depth)
    assert clf.objective_ * total == pytest.approx(least(found, price * total, leaves))
    assert clf.proven_optimal_ and clf.lower_bound_ == clf.objective_
    clf.tree_.check()
    predicted = np.searchsorted(clf.classes_, clf.predict(X))
    by_row = (1 - np.eye(2) if costs is None else costs)[labels, predicted]
    assert np.average(by_row, weights=weights) == pytest.approx(clf.error_)


@QUIET
@pytest.mark.parametrize("seed", range(15))
def test_numbers_have_it_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = mixed(seed, 24)
    target = (y == "yes") * 2.0 + rng.normal(size=len(y))
    skeleton = random_skeleton(rng, X, 2)
    leaves, price = int(rng.choice([3, 99])), float(rng.choice([0.0, 0.04]))
    reg = OptimalTreeRegressor(
        max_depth=2,
        features="all",
        start=None,
        skeleton=skeleton,
        max_leaves=leaves,
        sparsity=price,
    ).fit(X, target)
    below = below_of(X, target=target)
    unit = below.oracle_of(tuple(X)).leaf((1 << len(y)) - 1)
    found = below.losses(skeleton, (1 << len(y)) - 1, 2)
    assert reg.objective_ * len(y) == pytest.approx(least(found, price * unit, leaves))
    assert reg.proven_optimal_
    reg.tree_.check()


@QUIET
@pytest.mark.parametrize("seed", range(12))
def test_the_beginning_is_that_of_growth(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = mixed(seed, 60, holes=False)
    skeleton = random_skeleton(rng, X, 2)
    greedy = TreeClassifier(max_depth=3, skeleton=skeleton).fit(X, y)
    clf = OptimalTreeClassifier(max_depth=3, skeleton=skeleton).fit(X, y)
    assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12

    def same(a: int, b: int) -> None:
        one, other = greedy.tree_.data, clf.tree_.data
        assert np.isinf(one["key"][a]) == np.isinf(other["key"][b])
        if not np.isinf(one["key"][a]):
            return
        for name in ("attribute", "kind", "missing_to", "n_children", "rows", "depth"):
            assert one[name][a] == other[name][b]
        np.testing.assert_equal(one["threshold"][a], other["threshold"][b])
        assert greedy.tree_.condition(a) == clf.tree_.condition(b)
        for child in range(int(one["n_children"][a])):
            same(int(one["first_child"][a]) + child, int(other["first_child"][b]) + child)

    same(0, 0)


def test_no_pruning_undoes_it() -> None:
    X, y = mixed(1, 60)
    skeleton = {"column": "size", "threshold": 1.0, "left": {"column": "grade", "threshold": "low"}}
    clf = OptimalTreeClassifier(max_depth=3, skeleton=skeleton).fit(X, y)
    assert np.isinf(clf.tree_.data["key"]).sum() == 2
    cut = clf.prune(n_leaves=3)
    assert cut.tree_.n_leaves == 3 and list(cut.tree_.data["attribute"][:2]) == [1, 2]
    with pytest.raises(ValueError, match="skeleton"):
        clf.prune(n_leaves=2)


@QUIET
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("start", ["greedy", "tree", None])
def test_the_start_changes_no_optimum(seed: int, start: Any) -> None:
    rng = np.random.default_rng(seed)
    X, y = mixed(seed, 40)
    X = X.drop(columns="city")  # every question about the other columns is searched anyway
    skeleton = {"column": "size", "threshold": 1.0, "right": {"exclude": ["colour"]}}
    if start == "tree":
        start = TreeClassifier(max_depth=3, missing="direction", random_state=seed).fit(X, y)
    leaves = int(rng.choice([3, 4, 5]))
    settings: dict[str, Any] = {"max_depth": 3, "skeleton": skeleton, "features": "all"}
    one = OptimalTreeClassifier(**settings, max_leaves=leaves, start=start).fit(X, y)
    two = OptimalTreeClassifier(**settings, max_leaves=leaves, start=None).fit(X, y)
    assert one.proven_optimal_ and two.proven_optimal_
    assert one.objective_ == pytest.approx(two.objective_)
    front = OptimalTreeClassifier(**settings).pareto_front(X, y, max_leaves=leaves)
    assert front.error[-1] == pytest.approx(one.error_) and front.proven.all()


def test_a_start_under_the_same_beginning_is_kept_without_time() -> None:
    X, y = hard_table()
    skeleton = {"column": 0, "threshold": 0.0}
    greedy = TreeClassifier(max_depth=7, skeleton=skeleton).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="with the given beginning|may be"):
        clf = OptimalTreeClassifier(
            max_depth=7, skeleton=skeleton, features="all", time_limit=1.0
        ).fit(X, y)
    assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12
    assert not clf.proven_optimal_ and 0 <= clf.lower_bound_ < clf.error_
    error, bound = clf.history_["error"], clf.history_["bound"]
    assert (np.diff(error) <= 1e-12).all() and (np.diff(bound) >= -1e-12).all()
    assert clf.search_["seconds"] < 10


def test_it_is_stopped_like_any_search() -> None:
    X, y = hard_table()

    def stop(seconds: float, error: float, bound: float) -> None:
        assert 0 <= bound <= error <= 1
        if seconds > 0.3:
            raise KeyboardInterrupt

    with pytest.warns(ConvergenceWarning, match="was interrupted"):
        clf = OptimalTreeClassifier(
            max_depth=5, skeleton={"column": 0, "threshold": 0.0}, features="all", on_progress=stop
        ).fit(X, y)
    assert clf.tree_.data["attribute"][0] == 0 and clf.search_["stopped_by"] == "interrupt"


def test_a_bound_to_stay_below() -> None:
    X, y = mixed(3, 40)
    skeleton = {"column": "size", "threshold": 1.0}
    best = OptimalTreeClassifier(max_depth=2, skeleton=skeleton, features="all").fit(X, y)
    above = OptimalTreeClassifier(
        max_depth=2, skeleton=skeleton, features="all", upper_bound=best.error_ + 1e-6
    ).fit(X, y)
    assert above.below_upper_bound_ is True and above.error_ == best.error_
    with pytest.warns(ConvergenceWarning, match="found no tree below"):
        at = OptimalTreeClassifier(
            max_depth=2, skeleton=skeleton, features="all", upper_bound=best.error_
        ).fit(X, y)
    assert at.below_upper_bound_ is False and at.lower_bound_ >= best.error_ - 1e-12


def test_what_it_says(tmp_path: Path) -> None:
    X, y = mixed(0)
    skeleton = {
        "column": "size",
        "threshold": 99.0,
        "left": {"column": "colour", "levels": ["red"]},
    }
    with pytest.warns(RamifyWarning, match="size <= 99. The search goes on"):
        clf = OptimalTreeClassifier(max_depth=2, skeleton=skeleton).fit(X, y)
    assert clf.tree_.data["attribute"][0] == 0
    assert "with the given beginning" in clf.proof()
    clf.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.skeleton == skeleton and again.proof() == clf.proof()
    of_tree = OptimalTreeClassifier(max_depth=2, skeleton=clf.tree_.skeleton(closed=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert of_tree.fit(X, y).error_ == pytest.approx(clf.error_)
    with pytest.raises(ValueError, match="'age' is not a column"):
        OptimalTreeClassifier(skeleton={"column": "age", "threshold": 1}).fit(X, y)
    with pytest.raises(ValueError, match="n_thresholds='grow' does not go with skeleton"):
        OptimalTreeClassifier(n_thresholds="grow", skeleton=skeleton).fit(X, y)


def test_its_conditions_may_use_what_is_left_out() -> None:
    X, y = mixed(2, 60)
    skeleton = {"column": "colour", "levels": ["red"]}
    start = TreeClassifier(max_depth=2, skeleton=skeleton).fit(X, y)
    for begin in ("greedy", start, None):
        clf = OptimalTreeClassifier(
            max_depth=3, skeleton=skeleton, exclude=["colour"], start=begin
        ).fit(X, y)
        assert list(clf.tree_.data["attribute"]).count(0) == 1
