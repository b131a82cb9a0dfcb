"""Mixtures of experts: how they treat columns, holes, extreme numbers and few rows."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.mixture_data import encoded, estimator, mixed, target

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("n_classes", [0, 2])
def test_a_missing_value_is_the_mean(n_classes: int) -> None:
    X = mixed(3)
    y = target(X, 3, n_classes)
    model = estimator(n_classes, max_iter=5).fit(X, y)
    row = X.iloc[[0]].assign(size=np.nan)
    mean = X["size"].mean()
    np.testing.assert_allclose(
        model.gate_probabilities(row), model.gate_probabilities(row.assign(size=mean))
    )
    block = encoded(model, row.assign(colour=None))
    np.testing.assert_array_equal(block[0, -3:], 0.0)  # the shares less their mean
    unseen = row.assign(colour="violet")
    np.testing.assert_array_equal(model.predict(unseen), model.predict(row.assign(colour=None)))


def test_encoded_columns_have_mean_zero() -> None:
    X = mixed(4)
    weights = np.random.default_rng(0).exponential(size=len(X))
    model = MixtureOfExpertsRegressor(max_iter=2).fit(X, target(X, 4, 0), weights)
    means = np.average(encoded(model, X), axis=0, weights=weights)
    np.testing.assert_allclose(means, [1.0] + [0.0] * 6, atol=1e-12)


@pytest.mark.parametrize("n_classes", [0, 2])
def test_constant_and_empty_columns_say_nothing(n_classes: int) -> None:
    X = mixed(5)
    y = target(X, 5, n_classes)
    more = X.assign(constant=1e9 + 0.1, empty=np.nan, one="level")
    for penalty in (0.0, 0.1):
        plain = estimator(n_classes, depth=1, penalty=penalty, max_iter=10).fit(X, y)
        model = estimator(n_classes, depth=1, penalty=penalty, max_iter=10).fit(more, y)
        np.testing.assert_allclose(model.loglik_path_, plain.loglik_path_, rtol=1e-6)


def test_extreme_numbers() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) * [1e300, 1e-300]
    model = MixtureOfExpertsRegressor(depth=1, max_iter=10).fit(X, X[:, 0] / 1e200)
    assert np.isfinite(model.predict(X)).all()
    assert np.isfinite(model.predict([[1.7e308, 1.0], [-1.7e308, 1e300]])).all()


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_rows_that_are_few(n_classes: int) -> None:
    for n in (1, 2, 3):
        y = np.arange(n) % max(n_classes, 2)
        model = estimator(n_classes, max_iter=5).fit(np.arange(float(n))[:, None], y)
        assert np.isfinite(model.loglik_path_).all()
        assert model.predict([[0.0]]).shape == (1,)
        model.to_hard_tree().check()


def test_one_class() -> None:
    model = MixtureOfExpertsClassifier().fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    assert model.predict([[9.0]]).tolist() == ["a"]
    assert model.predict_proba([[9.0]]).tolist() == [[1.0]]


def test_a_constant_target() -> None:
    model = MixtureOfExpertsRegressor().fit(np.arange(20.0)[:, None], np.full(20, 1e6 + 0.1))
    np.testing.assert_allclose(model.predict([[3.0], [100.0]]), 1e6 + 0.1)


@pytest.mark.parametrize("unit", [1e-200, 1e130])
def test_the_unit_of_the_target_does_not_matter(unit: float) -> None:
    X = mixed(13)
    y = target(X, 13, 0)
    plain = MixtureOfExpertsRegressor(max_iter=8, init="random").fit(X, y)
    scaled = MixtureOfExpertsRegressor(max_iter=8, init="random").fit(X, y * unit)
    np.testing.assert_allclose(scaled.predict(X) / unit, plain.predict(X), rtol=1e-6)


def test_infinities_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="contains infinity: column 'b' has -inf in row 1"):
        MixtureOfExpertsRegressor().fit({"a": [1.0, 2.0], "b": [1.0, -np.inf]}, [1, 2])
    model = MixtureOfExpertsRegressor(depth=0).fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ValueError, match="column 'x0' has inf in row 0"):
        model.predict([[np.inf]])
