"""Cross-validated errors of the trees of a sequence, and the choice by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.sequence_pruning_data import PRUNINGS, SEEDS, estimator, folds_of, judged_at, table
from oracles import sequence_pruning as oracle
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_classification

from ramify import TreeClassifier, TreeRegressor
from ramify.pruning import BestFirst, CostComplexity
from ramify.trees.single.fitted import FittedTree


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_walk_gives_the_errors_of_prediction(seed: int, regression: bool) -> None:
    X, y, weight = table(seed, regression=regression)
    for pruning in PRUNINGS:
        _check_errors(seed, pruning, X, y, weight)


@pytest.mark.parametrize("criterion", ["quantile", "poisson", "gamma"])
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_one_walk_gives_the_losses_of_other_criteria(seed: int, criterion: str) -> None:
    X, y, weight = table(seed, regression=True)
    for pruning in PRUNINGS:
        _check_errors(seed, pruning, X, np.exp(y), weight, criterion)


def _check_errors(
    seed: int, pruning: Any, X: Any, y: Any, weight: Any, criterion: str | None = None
) -> None:
    regression = y.dtype.kind == "f"
    rows = np.arange(len(y)) if weight is None else np.flatnonzero(weight)
    weights = np.ones(len(y)) if weight is None else weight
    clf = estimator(seed, pruning, regression=regression, criterion=criterion).fit(X, y, weight)
    path = clf.pruning_path_
    if len(path) == 1:
        return
    measure = getattr(pruning, "error", "rate")
    if regression:
        measure = criterion or clf.criterion.removesuffix("_error")
    folds = folds_of(clf, y, weight, 10)
    loss = np.full((len(path), len(y)), np.nan)
    for fold in range(folds.max() + 1):
        part = clone(clf).set_params(pruning=None)
        train, test = (folds >= 0) & (folds != fold), folds == fold
        part.fit(X[train], y[train], None if weight is None else weight[train])
        keys = type(pruning)(**({"risk": pruning.risk} if hasattr(pruning, "risk") else {}))
        sequence = keys.path(part.tree_.core, path.growth, part.tree_.costs)
        for row, threshold in enumerate(judged_at(path)):
            at = np.flatnonzero(sequence.thresholds <= threshold)
            grown = part.tree_
            if len(at):
                cut = grown.with_core(sequence.cut(grown.core, int(at[-1])))
                part.fitted_ = FittedTree(cut, grown)
            loss[row, test] = oracle.losses(_full(part, clf), X[test], y[test], measure)
            part.fitted_ = FittedTree(grown, grown)
    mean = np.average(loss[:, rows], axis=1, weights=weights[rows])
    kish = weights.sum() ** 2 / (weights**2).sum()
    if regression or (clf.costs is not None and measure != "rmse"):
        square = np.average(loss[:, rows] ** 2, axis=1, weights=weights[rows])
        error, deviation = mean, np.sqrt(np.maximum(square - mean**2, 0) / kish)
    else:
        error = np.sqrt(mean) if measure == "rmse" else mean
        deviation = np.sqrt(error * (1 - error) / kish)
    np.testing.assert_allclose(path.error, error, atol=1e-9)
    np.testing.assert_allclose(path.standard_error, deviation, atol=1e-7)
    at = oracle.one_standard_error(error, deviation)
    if pruning.rule == "min":
        at = max(i for i in range(len(error)) if error[i] <= error.min() + 1e-12)
    assert path.selected == at
    assert clf.tree_.n_leaves == path.leaves[at]


def _full(part: Any, clf: Any) -> Any:
    """A fold may lack a class: its probabilities are then those of the others."""
    if not hasattr(clf, "classes_") or len(part.classes_) == len(clf.classes_):
        return part

    class Full:
        classes_ = clf.classes_
        tree_ = part.tree_

        def predict(self, X: Any) -> Any:
            return part.predict(X)

        def predict_proba(self, X: Any) -> Any:
            shares = np.zeros((len(X), len(clf.classes_)))
            shares[:, np.searchsorted(clf.classes_, part.classes_)] = part.predict_proba(X)
            return shares

    return Full()


def test_folds_are_stratified_and_seeded() -> None:
    y = np.repeat([0, 1, 2], [50, 30, 3])
    clf = TreeClassifier(random_state=3).fit(np.arange(83.0)[:, None], y)
    folds = folds_of(clf, y, None, 10)
    assert set(folds) == set(range(10))
    for label, least, most in ((0, 5, 5), (1, 3, 3), (2, 0, 1)):
        counts = np.bincount(folds[y == label], minlength=10)
        assert counts.min() >= least
        assert counts.max() <= most
    np.testing.assert_array_equal(folds, folds_of(clf, y, None, 10))
    assert (folds != folds_of(clf.set_params(random_state=4), y, None, 10)).any()


@pytest.mark.parametrize("pruning", PRUNINGS, ids=lambda one: type(one).__name__)
def test_the_same_for_any_number_of_threads(pruning: Any) -> None:
    X, y = make_classification(600, 8, n_informative=5, n_classes=3, random_state=0)
    one = TreeClassifier(pruning=pruning).fit(X, y)
    two = TreeClassifier(pruning=pruning, n_jobs=2).fit(X, y)
    assert one.tree_ == two.tree_
    np.testing.assert_array_equal(one.pruning_path_.error, two.pruning_path_.error)


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1e60])
@pytest.mark.parametrize(
    "pruning", [CostComplexity(rule="min"), BestFirst(), BestFirst(stage="pre", rule="1se")]
)
def test_the_choice_does_not_depend_on_the_unit_of_the_target(pruning: Any, scale: float) -> None:
    X, y = load_diabetes(return_X_y=True)
    leaves = TreeRegressor(pruning=pruning).fit(X, y).tree_.n_leaves
    assert TreeRegressor(pruning=pruning).fit(X, y * scale).tree_.n_leaves == leaves
