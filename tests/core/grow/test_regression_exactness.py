"""Leaves of regression trees: the mean lies between the targets, and the spread is exact."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.moments import deviation_of, mean_of

from ramify import OptimalTreeRegressor, TreeRegressor

OFFSETS = [0.0, 1.0, -3e5, 1e8, 1e-20]


@st.composite
def problems(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Few distinct targets far from zero, groups far from one another, weights far from equal."""
    rng = np.random.default_rng(draw(st.integers(0, 1_000_000)))
    rows = draw(st.integers(1, 60))
    y = rng.normal(size=rows) if draw(st.booleans()) else rng.integers(0, 4, rows) / 10
    y = y * draw(st.sampled_from([1.0, 1e-8, 1e5])) + draw(st.sampled_from(OFFSETS))
    group = rng.integers(0, 3, rows)
    y = y + group * draw(st.sampled_from([0.0, 1e7]))
    X = pd.DataFrame({"a": rng.normal(size=rows).round(1), "g": group.astype(float)})
    if draw(st.booleans()):
        X["level"] = np.array(list("abcdef"), dtype=object)[rng.integers(0, 6, rows)]
    weight = draw(st.sampled_from([None, "any", "far"]))
    if weight == "any":
        weight = rng.random(rows) + 0.01
    elif weight == "far":
        weight = 10.0 ** rng.integers(-12, 3, rows)
    return X, y, weight


def leaves_of(model: Any, X: Any, y: Any, weight: Any) -> Any:
    """Every leaf with the targets and weights of its rows."""
    at = model.apply(X)
    weight = np.ones(len(y)) if weight is None else np.asarray(weight)
    for leaf in np.unique(at):
        yield int(leaf), y[at == leaf].tolist(), weight[at == leaf].tolist()


def check_leaves(model: Any, X: Any, y: Any, weight: Any) -> None:
    data, tree = model.tree_.data, model.tree_
    for leaf, own, w in leaves_of(model, X, y, weight):
        prediction = float(data["prediction"][leaf])
        assert min(own) <= prediction <= max(own)
        exact = float(mean_of(own, w))
        scale = max(map(abs, own))
        assert prediction == pytest.approx(exact, rel=1e-9, abs=1e-15 * scale)
        deviation = deviation_of(own, w)
        assert tree.spread[leaf] == pytest.approx(deviation, rel=1e-6, abs=1e-300)
        assert data["impurity"][leaf] == pytest.approx(deviation**2, rel=2e-6, abs=1e-300)
    tree.check()


@settings(max_examples=300, deadline=None)
@given(problems(), st.sampled_from([None, 1, 3]), st.sampled_from([1, 4]))
def test_greedy_leaves(problem: Any, max_depth: Any, least: int) -> None:
    X, y, weight = problem
    model = TreeRegressor(max_depth=max_depth, min_samples_leaf=least).fit(X, y, weight)
    check_leaves(model, X, y, weight)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_optimal_leaves(problem: Any) -> None:
    X, y, weight = problem
    check_leaves(OptimalTreeRegressor(max_depth=2).fit(X, y, weight), X, y, weight)


@pytest.mark.parametrize("growth", ["depth_first", "best_first"])
@pytest.mark.parametrize("missing", ["fractional", "direction", "separate"])
@settings(max_examples=60, deadline=None)
@given(problems())
def test_means_with_holes(missing: str, growth: str, problem: Any) -> None:
    """Parts of rows: the mean still lies among the targets of all rows that reach the leaf."""
    X, y, weight = problem
    X = X.mask(np.random.default_rng(len(y)).random(X.shape) < 0.3)
    model = TreeRegressor(missing=missing, growth=growth).fit(X, y, weight)
    path = model.decision_path(X).toarray() > 0
    for node, prediction in enumerate(model.tree_.predictions):
        reached = y[path[:, node]]
        assert reached.min() <= prediction <= reached.max()
        if len(set(reached.tolist())) == 1:
            assert model.tree_.spread[node] == 0.0


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("seed", range(30))
def test_full_trees_give_the_targets_back(seed: int, n_jobs: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(5, 900))
    y = np.round(rng.random(rows) * rng.choice([1, 100]), int(rng.integers(0, 5)))
    y[rng.random(rows) < 0.3] = 0.0
    X = rng.permutation(rows)[:, np.newaxis].astype(float)
    model = TreeRegressor(n_jobs=n_jobs).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert (model.tree_.spread[model.tree_.data["n_children"] == 0] == 0.0).all()


def test_many_rows_in_large_nodes() -> None:
    """More rows than a small subtree has; they are renumbered on the way."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 1))
    y = np.where(X[:, 0] > 0, 0.1, 0.7) + (X[:, 0] > 1.5) * 1e-7 * rng.integers(0, 2, len(X))
    model = TreeRegressor(max_depth=2).fit(X, y)
    at = model.apply(X)
    for leaf in np.unique(at):
        own = y[at == leaf]
        assert own.min() <= model.tree_.predictions[leaf] <= own.max()
        exact = np.sqrt(np.mean((own - own[0]) ** 2) - np.mean(own - own[0]) ** 2)
        assert model.tree_.spread[leaf] == pytest.approx(exact, rel=1e-6, abs=1e-300)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson", "quantile"])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_the_spread_that_is_shown(criterion: str, offset: float) -> None:
    X = [[0.0]] * 4 + [[1.0]] * 3
    y = np.array([0.0, 0.25, 1.25, 1.5, 7.0, 7.0, 7.0]) + offset
    model = TreeRegressor(criterion=criterion, max_depth=1).fit(X, y)
    expected = float(np.std([0.0, 0.25, 1.25, 1.5]))
    np.testing.assert_allclose(model.tree_.spread[1:], [expected, 0.0], rtol=1e-6)
    shown = re.findall(r"± ([\d.]+)", model.tree_.to_text(precision=7))
    assert [float(one) for one in shown[-2:]] == [pytest.approx(expected, rel=1e-5), 0.0]
    assert model.tree_.rules()[0].spread == pytest.approx(expected, rel=1e-6)
    again = type(model.tree_).from_dict(model.tree_.to_dict())
    np.testing.assert_array_equal(again.spread, model.tree_.spread)
    pruned = model.prune(n_leaves=1)
    assert pruned.tree_.spread[0] == pytest.approx(float(np.std(y - offset)), rel=1e-6)


def test_the_report_shows_the_same_spread(tmp_path: Any) -> None:
    y = np.array([0.0, 0.25, 1.25, 1.5]) + 1e8
    model = TreeRegressor(max_depth=0).fit(np.zeros((4, 1)), y)
    model.report(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert f'"sd":[{model.tree_.spread[0]!r}]'.replace("np.float64(", "").replace(")", "") in text


@pytest.mark.parametrize(
    "criterion", ["squared_error", "absolute_error", "quantile", "poisson", "gamma"]
)
def test_arrays_reproduce_predict(criterion: str) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.exponential(size=200)
    model = TreeRegressor(criterion=criterion, max_depth=4).fit(X, y)
    np.testing.assert_array_equal(model.arrays_.value[model.apply(X), 0], model.predict(X))


def test_a_file_without_spreads_is_read() -> None:
    """Files of squared error have none; older files of absolute error have none either."""
    X, y = [[0.0], [0.0], [1.0], [1.0]], [0.0, 1.0, 5.0, 9.0]
    for criterion in ("squared_error", "absolute_error"):
        tree = TreeRegressor(criterion=criterion).fit(X, y).tree_
        entries = tree.to_dict()
        assert ("spread" in entries["nodes"]) == (criterion == "absolute_error")
        entries["nodes"].pop("spread", None)
        old = type(tree).from_dict(entries)
        np.testing.assert_allclose(old.spread, tree.spread, rtol=1e-12)
        assert old.predictions == tree.predictions
