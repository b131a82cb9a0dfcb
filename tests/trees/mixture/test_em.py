"""Mixtures of experts: the objective, EM, and what they become on known problems."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.mixture_data import encoded, estimator, mixed, target
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.mixture import objective
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor, TreeRegressor
from ramify.trees.mixture.em import EM, State
from ramify.trees.mixture.model import Mixture

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


# --- the objective ------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [0, 1, 2, 3])
@pytest.mark.parametrize(("depth", "branching"), [(0, 2), (1, 3), (2, 2)])
def test_objective_is_that_of_the_definition(n_classes: int, depth: int, branching: int) -> None:
    X = mixed(0)
    y = target(X, 0, n_classes)
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    model = estimator(
        n_classes, depth=depth, branching=branching, penalty=0.3, gate_penalty=0.7, max_iter=5
    ).fit(X, y, weights)
    value = objective(model.mixture_, encoded(model, X), y, weights, 0.3, 0.7)
    assert model.loglik_path_[-1] == pytest.approx(value, rel=1e-10)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.sampled_from([0, 0, 2, 3, 9]),
    shape=st.sampled_from([(1, 2), (2, 2), (1, 3), (3, 2), (2, 3)]),
    n_rows=st.one_of(st.integers(2, 12), st.integers(13, 60)),
    penalty=st.sampled_from([0.0, 1e-6, 0.1, 10.0]),
    gate_penalty=st.sampled_from([0.0, 1e-6, 0.1, 10.0]),
    init=st.sampled_from(["tree", "random"]),
    solver=st.sampled_from(["newton", "newton", "newton", "lbfgs"]),
    weighted=st.booleans(),
    odd=st.booleans(),
    separable=st.booleans(),
)
def test_objective_never_falls(
    seed: int,
    n_classes: int,
    shape: tuple[int, int],
    n_rows: int,
    penalty: float,
    gate_penalty: float,
    init: Any,
    solver: Any,
    weighted: bool,
    odd: bool,
    separable: bool,
) -> None:
    X = mixed(seed, n_rows)
    y = target(X, seed, n_classes)
    if odd:  # constant, empty, twice the same, one the sum of others
        X = X.assign(constant=7.0, empty=np.nan, again=X["weight"], both=X["size"] + X["weight"])
    if separable:
        X = X.assign(answer=y.astype(float))
    weights = 10 ** np.random.default_rng(seed).uniform(-3, 3, n_rows) if weighted else None
    model = estimator(
        n_classes,
        depth=shape[0],
        branching=shape[1],
        penalty=penalty,
        gate_penalty=gate_penalty,
        init=init,
        solver=solver,
        tol=0.0,
        max_iter=4 if solver == "lbfgs" else 15,
        random_state=seed,
    )
    with every_step() as rises:
        model.fit(X, y, weights)
    # loglik_path_ alone would not show a fall: EM ends before a step that falls.
    assert rises and min(rises) >= -1e-9
    path = model.loglik_path_
    assert np.isfinite(path).all()
    assert (np.diff(path) >= 0).all()
    answer = model.predict_proba(X) if n_classes else model.predict(X)
    assert np.isfinite(answer).all()


@contextmanager
def every_step() -> Iterator[list[float]]:
    """How much every step of EM raises the objective, as a share of it."""
    rises: list[float] = []
    step = EM.step

    def watched(self: EM, state: State, *memory: Any) -> State:
        after = step(self, state, *memory)
        rises.append((after.objective - state.objective) / max(1.0, abs(state.objective)))
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EM, "step", watched)
        yield rises


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_maximum_is_flat(n_classes: int) -> None:
    X = mixed(1, 150)
    y = target(X, 1, n_classes)
    model = estimator(
        n_classes, depth=1, penalty=1.0, gate_penalty=1.0, tol=1e-13, max_iter=3000
    ).fit(X, y)
    assert model.converged_
    rows, ones = encoded(model, X), np.ones(len(X))
    best = model.mixture_

    def value(name: str, at: tuple[int, ...], step: float) -> float:
        moved = getattr(best, name).copy()
        moved[at] += step
        return objective(best.replace(**{name: moved}), rows, y, ones, 1.0, 1.0)

    places = [("gates", (0, 0, 1)), ("gates", (0, 0, 0)), ("experts", (1, 0, 2))]
    places += [("experts", (0, 0, 0))] + ([] if n_classes else [("variances", (0,))])
    for name, at in places:
        slope = (value(name, at, 1e-5) - value(name, at, -1e-5)) / 2e-5
        assert abs(slope) < 1e-3 * len(X) ** 0.5, (name, at)


# --- known answers ------------------------------------------------------------------------------


def test_one_linear_expert_is_ridge_regression() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)) * [1, 50, 0.1, 2] + 7
    y = X @ [1, 0.2, 3, 0] + rng.normal(size=200)
    weights = rng.exponential(size=200)
    for sample_weight in (None, weights):
        Z = StandardScaler().fit_transform(X, sample_weight=sample_weight)
        peer = Ridge(alpha=3.0).fit(Z, y, sample_weight)
        for solver in ("newton", "lbfgs"):
            model = MixtureOfExpertsRegressor(depth=0, penalty=3.0, solver=solver)
            model.fit(X, y, sample_weight)
            np.testing.assert_allclose(model.predict(X), peer.predict(Z), rtol=1e-6)
            np.testing.assert_allclose(model.mixture_.experts[0, 0, 1:], peer.coef_, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_logistic_expert_is_logistic_regression(
    n_classes: int, solver: Any, weighted: bool
) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * [1, 50, 0.1] + 7
    y = np.digitize(X @ [1, 0.02, 3] + rng.normal(size=200), [27.0, 29.0][: n_classes - 1])
    weights = rng.exponential(size=200) if weighted else None
    Z = StandardScaler().fit_transform(X, sample_weight=weights)
    peer = LogisticRegression(C=1 / 0.3, tol=1e-12, max_iter=10_000).fit(Z, y, weights)
    model = MixtureOfExpertsClassifier(depth=0, penalty=0.3, solver=solver).fit(X, y, weights)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(Z), atol=1e-6)
    np.testing.assert_allclose(model.mixture_.experts[0, :, 1:], peer.coef_, atol=1e-6)


def test_levels_are_indicators_as_in_scikit_learn() -> None:
    X = mixed(2, 200).dropna()
    X["grade"] = X["grade"].cat.codes.astype(float)
    y = target(X, 2, 2)
    front = make_column_transformer(
        (StandardScaler(), ["size", "grade", "weight"]), (OneHotEncoder(), ["colour"])
    )
    Z = front.fit_transform(X)
    peer = LogisticRegression(C=1 / 0.5, tol=1e-12, max_iter=10_000).fit(Z, y)
    model = MixtureOfExpertsClassifier(depth=0, penalty=0.5).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(Z), atol=1e-6)
    assert model.encoding_.names[1:] == [
        "size",
        "grade",
        "weight",
        "colour=blue",
        "colour=green",
        "colour=red",
    ]


def generator(n_classes: int) -> Mixture:
    """Four experts that differ, behind gates that are neither hard nor flat."""
    rng = np.random.default_rng(5)
    made = Mixture.zeros(2, 2, n_classes, 4)
    scale = 3.0 if n_classes else 1.0
    variances = None if n_classes else np.array([0.05, 0.1, 0.2, 0.1])
    return made.replace(
        rng.normal(scale=2.0, size=made.gates.shape),
        rng.normal(scale=scale, size=made.experts.shape),
        variances,
    )


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_likelihood_reaches_that_of_the_generator(n_classes: int) -> None:
    made, rng, n = generator(n_classes), np.random.default_rng(6), 5000
    rows = np.hstack([np.ones((n, 1)), rng.normal(size=(n, 3))])
    shares = made.gate_probabilities(rows)
    expert = (rng.random((n, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    said = made.outputs(rows)[expert, :, np.arange(n)]
    if n_classes:
        y = (rng.random((n, 1)) > np.exp(said).cumsum(axis=1)).sum(axis=1)
    else:
        y = said[:, 0] + rng.normal(size=n) * np.sqrt(made.variances[expert])
    train, test = slice(0, 2000), slice(2000, n)
    model = estimator(n_classes, penalty=0.01, gate_penalty=0.01, tol=1e-5, n_init=4)
    model.fit(rows[train, 1:], y[train])

    def loglik(mixture: Mixture, encoded_rows: np.ndarray, part: slice) -> float:
        experts = mixture.expert_logs(mixture.outputs(encoded_rows), y[part])
        gates = mixture.path_logs(mixture.gate_logs(encoded_rows))
        return float(np.log(np.exp(gates + experts).sum(axis=0)).mean())

    own, true = encoded(model, rows[train, 1:]), rows[train]
    assert loglik(model.mixture_, own, train) >= loglik(made, true, train) - 1e-3
    own, true = encoded(model, rows[test, 1:]), rows[test]
    assert loglik(model.mixture_, own, test) >= loglik(made, true, test) - 0.03


def smooth(name: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    f = {
        "wave": np.sin(3 * X[:, 0]) + X[:, 1] ** 2,
        "product": X[:, 0] * X[:, 1] + X[:, 2],
        "ridge": np.tanh(4 * (X[:, 0] + X[:, 1] - X[:, 2])),
    }
    return X, f[name]


@pytest.mark.parametrize("name", ["wave", "product", "ridge"])
def test_beats_a_single_tree_on_smooth_functions(name: str) -> None:
    X, f = smooth(name, 800, 0)
    y = f + 0.1 * np.random.default_rng(1).normal(size=800)
    others, truth = smooth(name, 2000, 2)
    trees = [TreeRegressor(min_samples_leaf=n).fit(X, y) for n in (2, 5, 10, 20)]
    best = min(np.mean((tree.predict(others) - truth) ** 2) for tree in trees)
    model = MixtureOfExpertsRegressor(depth=3).fit(X, y)
    assert np.mean((model.predict(others) - truth) ** 2) < 0.8 * best


def test_standard_deviation_of_a_prediction() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (3000, 1))
    y = np.where(X[:, 0] > 0, 1.0, 0.1) * rng.normal(size=3000)
    model = MixtureOfExpertsRegressor(depth=1, gate_penalty=1e-3, init="random", n_init=3)
    mean, deviation = model.fit(X, y).predict([[-0.7], [0.7]], return_std=True)
    np.testing.assert_allclose(mean, 0.0, atol=0.15)
    np.testing.assert_allclose(deviation, [0.1, 1.0], rtol=0.1)


# --- weights and seeds --------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [0, 2])
@pytest.mark.parametrize("init", ["tree", "random"])
def test_weights_are_repetitions(n_classes: int, init: Any) -> None:
    X = mixed(6)
    y = target(X, 6, n_classes)
    times = np.random.default_rng(0).integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), times)
    parameters = {"init": init, "max_iter": 15, "random_state": 3, "penalty": 1.0}
    weighted = estimator(n_classes, **parameters).fit(X, y, times)
    repeated = estimator(n_classes, **parameters).fit(X.iloc[rows], y[rows])
    np.testing.assert_allclose(weighted.loglik_path_, repeated.loglik_path_, rtol=1e-8)
    np.testing.assert_allclose(
        weighted.gate_probabilities(X), repeated.gate_probabilities(X), atol=1e-6
    )
    assert weighted.to_hard_tree().to_text(show_weights=False).count("\n") == (
        repeated.to_hard_tree().to_text(show_weights=False).count("\n")
    )


def test_class_weight_multiplies_weights() -> None:
    X = mixed(7)
    y = target(X, 7, 2)
    by_class = MixtureOfExpertsClassifier(class_weight={0: 3.0}, max_iter=5).fit(X, y)
    by_row = MixtureOfExpertsClassifier(max_iter=5).fit(X, y, np.where(y == 0, 3.0, 1.0))
    np.testing.assert_array_equal(by_class.loglik_path_, by_row.loglik_path_)


@pytest.mark.parametrize("n_classes", [0, 3])
def test_a_seed_gives_the_same_for_any_number_of_threads(n_classes: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 3))
    y = target(mixed(8, 20_000), 8, n_classes)
    found = [
        estimator(
            n_classes, init="random", n_init=2, max_iter=2, n_jobs=n_jobs, random_state=seed
        ).fit(X, y)
        for n_jobs, seed in ((None, 1), (2, 1), (None, 2))
    ]
    np.testing.assert_array_equal(found[0].mixture_.gates, found[1].mixture_.gates)
    np.testing.assert_array_equal(found[0].loglik_path_, found[1].loglik_path_)
    assert not np.array_equal(found[0].loglik_path_, found[2].loglik_path_)


def test_the_best_start_is_kept() -> None:
    X = mixed(9, 150)
    y = target(X, 9, 0)
    model = MixtureOfExpertsRegressor(depth=1, n_init=4, max_iter=40).fit(X, y)
    assert len(model.objectives_) == 4
    assert model.loglik_path_[-1] == model.objectives_.max()
    alone = MixtureOfExpertsRegressor(depth=1, max_iter=40).fit(X, y)
    assert alone.loglik_path_[-1] == model.objectives_[0]


def test_gate_probabilities_add_up_to_one() -> None:
    X = mixed(10)
    for depth, branching in ((0, 2), (2, 2), (2, 3)):
        model = MixtureOfExpertsRegressor(depth=depth, branching=branching, max_iter=5)
        shares = model.fit(X, target(X, 10, 0)).gate_probabilities(X)
        assert shares.shape == (len(X), branching**depth) == (len(X), model.n_experts_)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        assert (shares >= 0).all()


def test_refused_parameters_are_named() -> None:
    wrong = {
        "depth": -1,
        "branching": 1,
        "penalty": -1.0,
        "gate_penalty": "much",
        "init": "kmeans",
        "n_init": 0,
        "solver": "sgd",
        "max_iter": 0,
        "tol": -1e-3,
        "early_stopping": "yes",
        "validation_fraction": 1.0,
        "patience": 0,
        "time_limit": -1,
        "variance_floor": 0.0,
        "verbose": 2,
    }
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=name):
            MixtureOfExpertsRegressor(**{name: value}).fit([[1.0], [2.0]], [1, 2])
    with pytest.raises(ValueError, match="more than 4096 experts"):
        MixtureOfExpertsRegressor(depth=13).fit([[1.0], [2.0]], [1, 2])


def test_frames_of_any_library_are_alike() -> None:
    polars = pytest.importorskip("polars")
    X = mixed(11)[["size", "colour", "weight"]]
    y = target(mixed(11), 11, 2)
    one = MixtureOfExpertsClassifier(max_iter=5).fit(X, y)
    other = MixtureOfExpertsClassifier(max_iter=5).fit(polars.from_pandas(X), y)
    np.testing.assert_array_equal(one.loglik_path_, other.loglik_path_)
    assert one.feature_names_in_.tolist() == ["size", "colour", "weight"]
    assert one.n_features_in_ == 3
    with pytest.raises(ValueError, match="must be in the same order"):
        one.predict(X[X.columns[::-1]])
    assert isinstance(X, pd.DataFrame)


def test_not_converging_is_said() -> None:
    X = mixed(12)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(ConvergenceWarning, match="max_iter=2 iterations"):
            MixtureOfExpertsRegressor(max_iter=2).fit(X, target(X, 12, 0))
