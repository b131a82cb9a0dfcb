"""The readable tree that a mixture of experts gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.mixture_data import estimator, mixed, target

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor, Subset, Threshold, Tree

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def conditions(tree: Tree) -> list[Any]:
    return [node.condition for node in tree.nodes if node.condition is not None]


def test_an_axis_parallel_threshold_is_recovered() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(0, 100, (1500, 3)), columns=["age", "income", "noise"])
    young = X["age"] <= 37.5
    y = np.where(young, X["income"], 100 - X["income"]) + rng.normal(size=1500)
    model = MixtureOfExpertsRegressor(depth=1, n_init=3, max_iter=60).fit(X, y)
    tree = model.to_hard_tree()
    tree.check()
    [condition] = conditions(tree)
    assert isinstance(condition, Threshold)
    assert condition.attribute == "age"
    assert condition.value == pytest.approx(37.5, abs=1.0)
    assert model.hard_tree_agreement_ > 0.98
    assert "age <= " in tree.to_text()
    assert tree.nodes[0].rows == 1500


def test_two_levels_of_thresholds() -> None:
    rng = np.random.default_rng(1)
    X = rng.uniform(0, 1, (2000, 2))
    region = 2 * (X[:, 0] > 0.4) + (X[:, 1] > np.where(X[:, 0] > 0.4, 0.7, 0.3))
    p = np.array([0.05, 0.95, 0.95, 0.05])[region]
    y = (rng.random(2000) < p).astype(int)
    model = MixtureOfExpertsClassifier(depth=2, gate_penalty=1e-3, n_init=2).fit(X, y)
    assert model.score(X, y) > 0.9
    tree = model.to_hard_tree()
    tree.check()
    assert tree.depth <= 2
    assert model.hard_tree_agreement_ > 0.9


def test_a_gate_on_levels_becomes_a_set_of_levels() -> None:
    rng = np.random.default_rng(2)
    colour = rng.choice(["red", "green", "blue", "grey"], 1200).astype(object)
    x = rng.normal(size=1200)
    y = np.where(np.isin(colour, ["red", "grey"]), x, -x) + 0.1 * rng.normal(size=1200)
    X = pd.DataFrame({"colour": colour, "x": x})
    model = MixtureOfExpertsRegressor(depth=1, init="random", n_init=4).fit(X, y)
    tree = model.to_hard_tree()
    tree.check()
    [condition] = conditions(tree)
    assert isinstance(condition, Subset)
    assert {"red", "grey"} in [set(levels) for levels in condition.branches]


def test_a_slanted_gate_stays_a_leaf() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(1500, 8))
    side = X.sum(axis=1) > 0
    y = np.where(side, 3.0, -3.0) * X[:, 0] + 0.1 * rng.normal(size=1500)
    model = MixtureOfExpertsRegressor(depth=1, init="random", n_init=4).fit(X, y)
    chosen = model.gate_probabilities(X).argmax(axis=1) == 1
    assert max(np.mean(chosen == side), np.mean(chosen != side)) > 0.95  # the gate is right
    tree = model.to_hard_tree()
    tree.check()
    assert tree.n_leaves == 1
    assert model.hard_tree_agreement_ < 0.6


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize(("depth", "branching"), [(0, 2), (1, 4), (2, 2), (2, 3)])
def test_it_is_an_ordinary_tree(n_classes: int, depth: int, branching: int) -> None:
    X = mixed(1, 200)
    y = target(X, 1, n_classes)
    weights = np.random.default_rng(0).integers(0, 3, 200)
    model = estimator(n_classes, depth=depth, branching=branching, max_iter=25)
    tree = model.fit(X, y, weights).to_hard_tree()
    tree.check()
    assert tree.schema == model.schema_
    assert tree.nodes[0].weight == weights.sum()
    assert tree.n_leaves <= branching**depth
    assert tree.to_text() and len(tree.rules()) == tree.n_leaves
    assert Tree.from_dict(tree.to_dict()) == tree
    assert 0.0 < model.hard_tree_agreement_ <= 1.0
    if depth == 0:
        assert tree.n_leaves == 1 and model.hard_tree_agreement_ == 1.0
