"""The least error for every number of leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.optimal_data import mixed
from oracles.optimal import Oracle
from sklearn.datasets import load_breast_cancer, load_iris

from ramify import OptimalTreeClassifier, OptimalTreeRegressor, TreeClassifier


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_every_number_of_leaves_is_that_of_brute_force(seed: int, task: str) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (14, 3))
    weights = rng.integers(1, 4, 14).astype(float) if seed % 2 else None
    y: Any = rng.integers(0, 3, 14) if task == "classes" else rng.normal(size=14)
    kind = OptimalTreeClassifier if task == "classes" else OptimalTreeRegressor
    model = kind(max_depth=3, features="all", start=None, min_samples_leaf=1 + seed % 3)
    front = model.pareto_front(X, y, weights)
    columns = [X[:, j].astype(np.int32) for j in range(3)]
    target = {"labels": y, "classes": 3} if task == "classes" else {"target": y}
    oracle = Oracle(columns, weights=weights, min_samples_leaf=1 + seed % 3, **target)
    total = 14 if weights is None else weights.sum()
    losses = oracle.losses((1 << 14) - 1, 3)
    wanted = [min(v for n, v in losses.items() if n <= k) / total for k in range(1, 9)]
    assert front.leaves.tolist() == list(range(1, len(front) + 1))
    np.testing.assert_allclose(front.error, wanted[: len(front)], atol=1e-9)
    np.testing.assert_allclose(wanted[len(front) :], wanted[len(front) - 1], atol=1e-9)
    assert front.proven.all() and (front.bound == front.error).all()
    for leaves, tree in zip(front.leaves, front.trees, strict=True):
        assert tree.n_leaves <= leaves
        tree.check()


def test_without_time_for_proofs_there_are_bounds() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    clf = OptimalTreeClassifier(max_depth=4, features="all")
    front = clf.pareto_front(X, y, max_leaves=6, time_limit=0.6)
    assert not front.proven.all()
    assert (front.bound <= front.error + 1e-12).all()
    assert (np.diff(front.error) <= 1e-12).all()
    frame = front.to_frame()
    assert list(frame.columns) == ["leaves", "error", "bound", "proven"]


def test_a_front_of_holes_and_categories_ends_at_the_best_tree() -> None:
    X, y = mixed(1)
    clf = OptimalTreeClassifier(max_depth=2)
    front = clf.pareto_front(X, y)
    assert front.error[-1] == pytest.approx(clf.fit(X, y).error_)
    assert clf.set_params(max_leaves=2).pareto_front(X, y).leaves.tolist() == [1, 2]
    with pytest.raises(ValueError, match="max_leaves=0 must be"):
        clf.pareto_front(X, y, max_leaves=0)


def test_the_pruned_trees_of_the_same_rows_are_no_better() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, 20:26]  # of all 30 columns, the proofs take a minute
    front = OptimalTreeClassifier(max_depth=3, features="all", min_samples_leaf=5).pareto_front(
        X, y, max_leaves=5
    )
    grown = TreeClassifier(max_depth=3, min_samples_leaf=5).fit(X, y)
    assert front.pruned is not None
    sizes = front.pruned.leaves.tolist()
    assert 1 < sizes[0] <= grown.tree_.n_leaves and sizes[-1] == 1
    assert front.pruned.training_error[0] == pytest.approx(1 - grown.score(X, y))
    for leaves, error in zip(sizes, front.pruned.training_error, strict=True):
        if leaves <= 5:
            assert error >= front.error[leaves - 1] - 1e-12
    assert front.proven.all()
    _, pruned = front.plot().get_lines()
    assert pruned.get_xdata().tolist() == [n for n in sizes if n <= front.leaves[-1]]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("values", [2, 4])
def test_without_a_depth_the_front_is_that_of_brute_force(seed: int, values: int) -> None:
    rng = np.random.default_rng(seed)
    n, p = (16, 4) if values == 2 else (11, 2)
    X = rng.integers(0, values, (n, p))
    y = rng.integers(0, 3, n)
    model = OptimalTreeClassifier(max_depth=None, features="all", start=None, n_jobs=1 + seed % 2)
    front = model.pareto_front(X, y, max_leaves=6)
    oracle = Oracle([X[:, j].astype(np.int32) for j in range(p)], labels=y, classes=3)
    losses = oracle.losses((1 << n) - 1, n - 1)
    wanted = [min(v for k, v in losses.items() if k <= most) / n for most in range(1, 7)]
    np.testing.assert_allclose(front.error, wanted[: len(front)], atol=1e-9)
    np.testing.assert_allclose(wanted[len(front) :], wanted[len(front) - 1], atol=1e-9)
    assert front.proven.all()


def test_it_is_plotted_beside_a_pruning_path() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = load_iris(return_X_y=True)
    front = OptimalTreeClassifier(max_depth=2).pareto_front(X, y)
    path = TreeClassifier().fit(X, y).pruning_path_
    ax = front.plot(path=path)
    front_line, pruned = ax.get_lines()
    assert front_line.get_ydata().tolist() == front.error.tolist()
    assert max(pruned.get_xdata()) <= 4
    assert all(
        error >= front.error[int(leaves) - 1] - 1e-12
        for leaves, error in zip(pruned.get_xdata(), pruned.get_ydata(), strict=True)
    )
