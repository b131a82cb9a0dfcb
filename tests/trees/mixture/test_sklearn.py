"""Mixtures of experts as scikit-learn sees them."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from helpers.mixture_data import estimator, mixed, target
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ESTIMATORS = [
    MixtureOfExpertsClassifier(max_iter=30),
    MixtureOfExpertsClassifier(depth=1, branching=3, init="random", n_init=2, max_iter=20),
    MixtureOfExpertsClassifier(depth=1, solver="lbfgs", max_iter=10),
    MixtureOfExpertsClassifier(early_stopping=True, max_iter=20, n_jobs=2),
    MixtureOfExpertsRegressor(max_iter=30),
    MixtureOfExpertsRegressor(depth=1, branching=3, init="random", n_init=2, max_iter=20),
    MixtureOfExpertsRegressor(early_stopping=True, depth=1, max_iter=20),
]


def expected_failures(estimator: Any) -> dict[str, str]:
    if estimator.early_stopping:
        return {
            "check_sample_weight_equivalence_on_dense_data": "rows are held out at random: a row "
            "of weight 2 as one, where two equal rows may part."
        }
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_common_checks(estimator: Any, check: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # few iterations, to be quick
        check(estimator)


def small(n_classes: int) -> tuple[Any, Any]:
    X = mixed(0)
    return X, target(X, 0, n_classes)


@pytest.mark.parametrize("n_classes", [0, 2])
def test_clone_and_pickle(n_classes: int) -> None:
    X, y = small(n_classes)
    model = estimator(n_classes, max_iter=8, n_init=2).fit(X, y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError, match=type(model).__name__):
        copy.gate_probabilities(X)
    with pytest.raises(NotFittedError):
        copy.to_hard_tree()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.gate_probabilities(X), model.gate_probabilities(X))
    assert again.to_hard_tree() == model.to_hard_tree()
    np.testing.assert_array_equal(copy.fit(X, y).loglik_path_, model.loglik_path_)


def test_grid_search_and_pipeline() -> None:
    X, y = small(2)
    X = X[["size", "weight"]].fillna(0.0)
    grid = {"mixtureofexpertsclassifier__depth": [0, 1]}
    model = make_pipeline(StandardScaler(), MixtureOfExpertsClassifier(max_iter=50))
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.7


def test_labels_come_back_as_they_were() -> None:
    X, y = small(2)
    for labels in (np.array(["no", "yes"])[y], y == 1, y * 7 - 2):
        model = MixtureOfExpertsClassifier(max_iter=5).fit(X, labels)
        assert model.classes_.tolist() == sorted(set(labels.tolist()))
        assert set(model.predict(X).tolist()) <= set(labels.tolist())
        np.testing.assert_allclose(
            np.exp(model.predict_log_proba(X)), model.predict_proba(X), atol=1e-12
        )
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_tags() -> None:
    for tags in (MixtureOfExpertsClassifier().__sklearn_tags__(),):
        assert tags.input_tags.allow_nan and tags.input_tags.categorical and tags.input_tags.string
