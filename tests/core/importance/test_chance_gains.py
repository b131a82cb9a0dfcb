"""Gains by chance against the mean over all orders of the targets, and how fit gives them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.growth_data import fit, frame_of, random_problem
from helpers.pruning_data import training_on
from oracles.chance import expected
from oracles.greedy import grow
from oracles.problem import Problem
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from ramify import AttributeAggregator, TreeClassifier, TreeRegressor, _core
from ramify.learning import parameters as check
from ramify.pruning import ReducedError

SEARCHES = 2000


def posed(problem: Problem):
    """The problem as the core takes it; its criterion has no options of its own."""
    task = TreeClassifier if problem.classes else TreeRegressor
    names = ("criterion", "missing", "min_samples_leaf", "categorical_split", "selection")
    model = task(**{name: getattr(problem, name) for name in names})
    return training_on(model, frame_of(problem), problem.target, problem.weights).problem


def searched(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Gains by chance of the inner nodes: what the core finds, and what is to be expected."""
    tree = fit(problem)
    found = _core.chance_gains(posed(problem), tree.core, SEARCHES, 1, None, "missing")
    nodes = grow(problem)
    assert len(nodes) == tree.n_nodes
    assert all(found[i] == 0.0 for i, node in enumerate(nodes) if node.split is None)
    inner = [i for i, node in enumerate(nodes) if node.split is not None]
    return found[inner], np.array([expected(problem, nodes[i]) for i in inner])


@pytest.mark.parametrize(
    ("classes", "criterion"),
    [
        (2, "gini"),
        (3, "entropy"),
        (2, "gain_ratio"),
        (3, "chi2"),
        (2, "maxdif"),
        (3, "twoing"),
        (0, "squared_error"),
        (0, "absolute_error"),
    ],
)
@pytest.mark.parametrize("missing", ["complete", "fractional", "separate", "direction"])
@pytest.mark.parametrize("weights", ["none", "real"])
def test_the_mean_over_all_orders(classes, criterion, missing, weights):
    options = {} if missing == "complete" else {"missing": missing, "holes": 0.2}
    seen = 0
    for seed in range(20):
        problem = random_problem(
            seed, rows=6, classes=classes, criterion=criterion, weights=weights, **options
        )
        found, exact = searched(problem)
        seen += len(found)
        # Drawn 2,000 times, or 5,000 in all if there are more than two nodes.
        np.testing.assert_allclose(found, exact, rtol=0.12, atol=0.01 * max(exact, default=1.0))
        if seen >= 5:
            break
    assert seen > 3


@pytest.mark.parametrize("classes", [0, 2])
def test_selection_by_tests_is_not_made_up_for(classes):
    criterion = "gini" if classes else "squared_error"
    options = {"selection": "conditional_inference", "alpha": 1.0}
    for seed in range(4):
        problem = random_problem(seed, rows=6, classes=classes, criterion=criterion)
        found, exact = searched(replace(problem, **options))
        np.testing.assert_allclose(found, exact, rtol=0.12)


def noisy(rows: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "says": rng.integers(0, 2, rows),
            "many": pd.Categorical(rng.integers(0, 60, rows)),
            "hole": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows)),
        }
    )
    return table, np.where(rng.random(rows) < 0.75, table["says"], 1 - table["says"])


@pytest.mark.parametrize("model", [TreeClassifier, TreeRegressor])
def test_fit_gives_what_the_method_gives(model):
    X, y = noisy()
    asked = model(max_depth=4, n_permutations=5).fit(X, y)
    later = model(max_depth=4).fit(X, y)
    found = asked.unbiased_importances_
    np.testing.assert_array_equal(found, later.unbiased_importances(X, y, n_permutations=5))
    assert found[0] > 0.4
    assert found[1] < 0.1 < asked.feature_importances_[1]


def test_any_number_of_threads_gives_the_same():
    X, y = noisy(3000)
    one, two = (
        TreeClassifier(n_permutations=2, n_jobs=jobs, class_weight="balanced").fit(X, y)
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.unbiased_importances_, two.unbiased_importances_)


def test_class_weights_go_with_their_class():
    # Whole weights equal repeated rows, apart from the random draw.
    X, y = noisy()
    factor = np.where(y == 1, 3, 1)
    rows = np.repeat(np.arange(len(y)), factor)
    weighted = TreeClassifier(max_depth=1, class_weight={0: 1, 1: 3}, n_permutations=500).fit(X, y)
    repeated = TreeClassifier(max_depth=1, n_permutations=500).fit(X.iloc[rows], y[rows])
    assert weighted.feature_importances_ == pytest.approx(repeated.feature_importances_)
    assert weighted.unbiased_importances_ == pytest.approx(repeated.unbiased_importances_, abs=0.02)


def test_behind_a_transformer():
    X, y = noisy()
    X = X.drop(columns="hole").astype(str)
    step = AttributeAggregator(groups=[["says", "many"]])
    pipe = make_pipeline(step, TreeClassifier(max_depth=2, n_permutations=3)).fit(X, y)
    assert len(pipe[-1].unbiased_importances_) == 3


def test_a_new_fit_forgets():
    X, y = noisy()
    model = TreeClassifier(max_depth=2, n_permutations=3).fit(X, y)
    assert not hasattr(model.prune(n_leaves=2), "unbiased_importances_")
    assert hasattr(model, "unbiased_importances_")
    assert not hasattr(model.set_params(n_permutations=0).fit(X, y), "unbiased_importances_")
    assert not hasattr(clone(model), "unbiased_importances_")


def test_rows_held_out_of_growth_do_not_count():
    # What noise gains by chance depends on the rows that grow the tree, here half of them.
    rng = np.random.default_rng(2)
    left = []
    for seed in range(30):
        X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
        pruning = ReducedError(holdout=0.5)
        model = TreeClassifier(max_depth=1, pruning=pruning, random_state=seed, n_permutations=20)
        left.append(model.fit(X, y).unbiased_importances_.sum())
        with pytest.raises(ValueError, match="grown on, but 200 were given; pruning='reduced"):
            model.unbiased_importances(X, y)
    assert np.mean(left) < 0.05


def test_halves_of_rows_stay_halves_whatever_they_weigh():
    # The root divides a third of the rows in halves. Even where a half weighs 1, as all other rows
    # do, it is not a whole row.
    rng = np.random.default_rng(3)
    row = np.arange(600)
    hole = row % 3 == 0
    y = np.where(rng.random(600) < 0.9, row % 2, 1 - row % 2)
    X = pd.DataFrame({"first": np.where(hole, np.nan, row % 2), "noise": rng.normal(size=600)})
    model = TreeClassifier(min_samples_leaf=120, max_depth=2)
    found = []
    for scale in (1.0, 2.0):
        weight = np.where(hole, 2.0, 1.0) * scale
        tree = model.fit(X, y, weight).tree_
        assert tree.data["attribute"][:2].tolist() == [0, 1]
        assert tree.data["proportion"][1] == 0.5
        problem = training_on(model, X, y, weight).problem
        found.append(_core.chance_gains(problem, tree.core, 40, 0, None, "missing"))
    np.testing.assert_allclose(*found, rtol=1e-9)


def test_a_generator_is_asked_once_by_fit_and_not_by_the_method():
    X, y = noisy()
    draws = []
    for method in (False, True):
        generator = np.random.RandomState(7)
        model = TreeClassifier(pruning="auto", random_state=generator).fit(X, y)
        if method:
            model.unbiased_importances(X, y)
        draws.append(generator.randint(2**31))
    generator = np.random.RandomState(7)
    check.seed(generator)
    assert draws == [generator.randint(2**31)] * 2


def test_other_data_are_refused():
    X, y = noisy()
    model = TreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="its classes were 0, 1"):
        model.unbiased_importances(X, np.where(y == 1, "a", "b"))
    with pytest.raises(ValueError, match=r"needs the 400 rows .*, but 300 were given"):
        model.unbiased_importances(X[:300], y[:300])
    assert TreeClassifier(max_depth=1, n_permutations=10**30).fit([[1.0], [1.0]], [0, 1])


def test_trees_without_a_split():
    for X, y in (([[1.0]], [0]), ([[1.0], [1.0]], [0, 1]), ([[1.0], [2.0]], [1, 1])):
        assert TreeClassifier(n_permutations=3).fit(X, y).unbiased_importances_ == [0.0]
