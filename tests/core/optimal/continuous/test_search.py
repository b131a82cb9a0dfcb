"""The exact search over all thresholds, against plain recursion and ConTree's optima."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.paths import fixture
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.optimal_continuous import (
    Limits,
    best_objective,
    leaf_loss,
    objective_of,
    squared_error,
)
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from ramify import _core

SWITCHES = ["cache", "depth_two", "similarity", "equivalent_rows", "discrepancy", "neighbours"]


def codes_of(X):
    return [np.unique(column, return_inverse=True)[1].astype(np.int32) for column in X.T]


@st.composite
def problems(draw, rows=14, values=6):
    """Codes of columns with more than two values, and what the rows are worth."""
    n = draw(st.integers(4, rows))
    columns = [
        np.array(draw(st.lists(st.integers(0, values - 1), min_size=n, max_size=n)), np.int32)
        for _ in range(draw(st.integers(1, 3)))
    ]
    columns[0][:3] = [0, 1, 2]  # columns of two values have another solver
    classes = draw(st.integers(2, 3))
    labels = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)), np.int32)
    return columns, labels, classes


limits_of = st.builds(
    Limits,
    max_depth=st.integers(1, 3),
    max_leaves=st.sampled_from([2, 3, 4, 5, 7, 10**9]),
    min_samples_leaf=st.sampled_from([1, 1, 2, 3, 4]),
    sparsity=st.sampled_from([0.0, 0.0, 0.3, 1.0]),
)


def check(answer, columns, loss_of, limits):
    rows = len(columns[0])
    expected = best_objective(columns, loss_of, rows, limits)
    assert answer["proven"]
    assert answer["objective"] == pytest.approx(expected, abs=1e-7)
    assert answer["lower_bound"] == pytest.approx(expected, abs=1e-7)
    found = objective_of(answer["nodes"], columns, loss_of, rows, limits)
    assert found == pytest.approx(expected, abs=1e-7)


def arguments(limits):
    return {
        "max_depth": limits.max_depth,
        "max_leaves": min(limits.max_leaves, 2**40),
        "min_samples_leaf": limits.min_samples_leaf,
        "sparsity": limits.sparsity,
    }


@settings(max_examples=30, deadline=None)
@given(problem=problems(), limits=limits_of, off=st.sets(st.sampled_from(SWITCHES)), data=st.data())
def test_equals_plain_recursion(problem, limits, off, data):
    """Every combination of limits, weights, costs, switches and threads gives the optimum."""
    columns, labels, classes = problem
    n = len(labels)
    weights, costs = None, None
    if data.draw(st.booleans()):
        draws = st.lists(st.sampled_from([0.5, 1.0, 1.7, 3.0]), min_size=n, max_size=n)
        weights = np.array(data.draw(draws))
    if data.draw(st.booleans()):
        entries = st.lists(
            st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=classes**2, max_size=classes**2
        )
        costs = np.array(data.draw(entries))
    answer = _core.optimal_tree(
        columns,
        labels=labels,
        classes=classes,
        weights=weights,
        costs=costs,
        limits=arguments(limits) | {"threads": data.draw(st.sampled_from([1, 2]))},
        switches=dict.fromkeys(off, False),
    )
    table = 1.0 - np.eye(classes) if costs is None else costs.reshape(classes, classes)
    worth = np.ones(n) if weights is None else weights
    check(answer, columns, lambda own: leaf_loss(labels[own], worth[own], table), limits)


@settings(max_examples=20, deadline=None)
@given(problem=problems(), limits=limits_of, off=st.sets(st.sampled_from(SWITCHES)), data=st.data())
def test_regression_equals_plain_recursion(problem, limits, off, data):
    """Squared error is minimised by the same search."""
    columns, labels, _ = problem
    n = len(labels)
    target = labels + np.array(data.draw(st.lists(st.floats(-2, 2), min_size=n, max_size=n)))
    weights = np.array(data.draw(st.lists(st.sampled_from([0.5, 1, 2]), min_size=n, max_size=n)))
    answer = _core.optimal_tree(
        columns,
        target=target,
        weights=weights.astype(float),
        limits=arguments(limits),
        switches=dict.fromkeys(off, False),
    )
    check(answer, columns, lambda own: squared_error(target[own], weights[own]), limits)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), min_leaf=st.sampled_from([1, 3, 8]), classes=st.integers(2, 4))
def test_bounds_agree_on_more_rows(seed, min_leaf, classes):
    """With enough rows for the bounds to prune, no bound changes the optimum."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 70))
    X = rng.integers(0, rng.integers(4, 40), size=(n, 3))
    X[:3, 0] = [0, 1, 2]
    score = X[:, 0] + 0.7 * X[:, 1] + rng.normal(size=n) * 3
    labels = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    columns = codes_of(X)
    common = {"labels": labels.astype(np.int32), "classes": classes}
    limits = {"max_depth": 3, "min_samples_leaf": min_leaf}
    plain = _core.optimal_tree(
        columns, **common, limits=limits, switches=dict.fromkeys(SWITCHES, False)
    )
    for off in [[], *[[name] for name in SWITCHES]]:
        fast = _core.optimal_tree(
            columns, **common, limits=limits, switches=dict.fromkeys(off, False)
        )
        assert fast["proven"]
        assert fast["objective"] == plain["objective"], off


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("depth", [2, 3])
def test_same_errors_as_contree(load, depth):
    """The optima that ConTree proves; see fixtures/contree.py."""
    expected = fixture("contree.json")
    X, y = load(return_X_y=True)
    answer = _core.optimal_tree(
        codes_of(X),
        labels=y.astype(np.int32),
        classes=int(y.max()) + 1,
        limits={"max_depth": depth},
    )
    assert answer["proven"]
    assert answer["objective"] == expected[load.__name__.removeprefix("load_")][str(depth)]


@pytest.mark.parametrize("depth", [2, 3])
def test_many_rows(depth):
    """More rows than 16 bits can count: n copies of all rows have n times the loss."""
    X, y = load_iris(return_X_y=True)
    times = 201
    single, many = (
        _core.optimal_tree(
            codes_of(np.repeat(X, k, axis=0)),
            labels=np.repeat(y, k).astype(np.int32),
            classes=3,
            limits={"max_depth": depth, "min_samples_leaf": 3 * k},
        )
        for k in (1, times)
    )
    assert many["proven"]
    assert many["objective"] == times * single["objective"]


@pytest.mark.parametrize(("depth", "columns", "min_leaf"), [(3, 9, 1), (3, 9, 5), (4, 4, 5)])
def test_same_tree_for_any_number_of_threads(depth, columns, min_leaf):
    """Ties are broken by a rule, not by which thread came first."""
    X, y = load_breast_cancer(return_X_y=True)
    if depth > 3:  # otherwise the proof takes half a minute
        X, y = X[::5], y[::5]
    columns = codes_of(X[:, :columns])
    trees = []
    for threads in [1, 2, 2, 3]:
        answer = _core.optimal_tree(
            columns,
            labels=y.astype(np.int32),
            classes=2,
            limits={"max_depth": depth, "threads": threads, "min_samples_leaf": min_leaf},
        )
        assert answer["proven"]
        trees.append(answer["nodes"])
    assert all(tree == trees[0] for tree in trees)


def test_time_limit_keeps_the_best_tree():
    """Stopped early: a valid tree, a valid bound, in time."""
    X, y = load_breast_cancer(return_X_y=True)
    columns, labels = codes_of(X), y.astype(np.int32)
    answer = _core.optimal_tree(
        columns,
        labels=labels,
        classes=2,
        limits={"max_depth": 6, "seconds": 0.3, "min_samples_leaf": 20},
    )
    assert not answer["proven"]
    assert answer["history"][-1][0] < 0.5
    assert 0 <= answer["lower_bound"] <= answer["objective"]
    limits = Limits(max_depth=6, min_samples_leaf=20)
    table, ones = 1.0 - np.eye(2), np.ones(len(labels))
    found = objective_of(
        answer["nodes"],
        columns,
        lambda own: leaf_loss(labels[own], ones[own], table),
        len(labels),
        limits,
    )
    assert found == answer["objective"]


def test_start_is_an_upper_bound():
    """A tree to begin with is kept when nothing is better, even without time."""
    X, y = load_iris(return_X_y=True)
    columns, labels = codes_of(X), y.astype(np.int32)
    best = _core.optimal_tree(columns, labels=labels, classes=3, limits={"max_depth": 4})
    again = _core.optimal_tree(
        columns,
        labels=labels,
        classes=3,
        start=[list(node) for node in best["nodes"]],
        limits={"max_depth": 4, "seconds": 0.0},
    )
    assert again["objective"] == best["objective"]
