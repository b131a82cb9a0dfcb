"""Optimal trees by absolute error, quantiles and deviances, against brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.optimal_data import mixed, questions
from oracles.optimal import Oracle

import ramify
from ramify import OptimalTreeRegressor, TreeRegressor

CRITERIA = {
    "absolute_error": "absolute",
    "quantile": "pinball",
    "poisson": "poisson",
    "gamma": "gamma",
}


def numbers(seed: int, criterion: str, n: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Draw numbers, every second time with ties and weights."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(0.7, 3.0, n) + 0.01
    if seed % 2:
        y = np.round(y) + (0.5 if criterion == "gamma" else 0.0)
    if criterion in ("absolute_error", "quantile") and seed % 3 == 0:
        y = 1000.0 - y
    return y, rng.choice([0.0, 0.5, 1.0, 2.0], n) if seed % 2 else None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("features", ["all", "mid"])
@pytest.mark.parametrize("start", [None, "greedy"])
def test_no_tree_has_a_smaller_error(seed: int, criterion: str, features: Any, start: Any) -> None:
    X, _ = mixed(seed, 26)
    if start:  # the greedy tree divides the cities in its own ways
        X = X.drop(columns="city")
    y, weights = numbers(seed, criterion, len(X))
    worth = np.ones(len(y)) if weights is None else weights
    used = worth > 0
    more: dict[str, Any] = {"min_samples_leaf": 1 + seed % 3, "max_leaves": [None, 3][seed % 2]}
    sparsity = [0.0, 0.02, 0.1][seed % 3]
    reg = OptimalTreeRegressor(
        criterion=criterion,
        quantile=0.8,
        max_depth=2,
        features=features,
        n_thresholds=1000,
        start=start,
        sparsity=sparsity,
        **more,
    ).fit(X, y, sample_weight=weights)
    oracle = Oracle(
        questions(X[used]),
        target=y[used],
        weights=worth[used],
        loss=CRITERIA[criterion],
        quantile=0.8,
        min_samples_leaf=more["min_samples_leaf"],
    )
    price = sparsity * oracle.objective(0)
    best = oracle.objective(2, sparsity=price, max_leaves=more["max_leaves"] or 10**9)
    assert reg.objective_ * worth.sum() == pytest.approx(best, rel=1e-9)
    assert reg.proven_optimal_ and reg.lower_bound_ == reg.objective_ and reg.gap_ == 0.0
    loss = reg.number_loss.of(y[used], reg.predict(X[used]))
    assert reg.error_ == pytest.approx(np.average(loss, weights=worth[used]))
    reg.tree_.check()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_says_what_a_greedy_tree_says_of_the_same_nodes(criterion: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (40, 1)).astype(float)
    y, _ = numbers(1, criterion, 40)
    weights = rng.choice([0.5, 1.0, 2.0], 40)
    one = TreeRegressor(criterion=criterion, quantile=0.3, max_depth=1)
    best = OptimalTreeRegressor(criterion=criterion, quantile=0.3, max_depth=1)
    grown, found = (model.fit(X, y, sample_weight=weights).tree_.data for model in (one, best))
    for name in ("prediction", "impurity", "spread", "weight", "value", "gain"):
        assert found[name] == pytest.approx(grown[name], nan_ok=True), name


def test_it_beats_the_greedy_tree_and_names_what_it_minimised(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 6)).astype(float)
    y = rng.poisson(np.exp((X[:, 0] != X[:, 1]) + X[:, 2] * X[:, 3])).astype(float)
    for criterion, words in (
        ("absolute_error", "mean absolute error"),
        ("poisson", "half the mean Poisson deviance"),
        ("quantile", "mean pinball loss of quantile 0.5"),
    ):
        greedy = TreeRegressor(criterion=criterion, max_depth=3).fit(X, y)
        best = OptimalTreeRegressor(criterion=criterion, max_depth=3, features="binary").fit(X, y)
        losses = [best.number_loss.of(y, one.predict(X)).mean() for one in (best, greedy)]
        assert losses[0] <= losses[1] + 1e-12 and best.proven_optimal_
        assert f"no tree of this depth has a smaller {words} in training" in str(best.proof())
        assert words[0].upper() + words[1:] + " in training" in dict(best.facts())
        path = tmp_path / "model.json"
        best.save(path)
        assert '"version":9' in path.read_text()
        back = ramify.load(path)
        assert back.criterion == criterion and (back.predict(X) == best.predict(X)).all()
        assert back.proof() == best.proof()
    assert losses[0] < losses[1]
    plain = OptimalTreeRegressor(max_depth=2).fit(X, y)
    plain.save(tmp_path / "plain.json")
    assert '"version":3' in (tmp_path / "plain.json").read_text()


def test_fronts_know_the_criterion_and_near_trees_refuse_it() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 3, (30, 2)).astype(float), rng.gamma(1.0, 1.0, 30)
    reg = OptimalTreeRegressor(criterion="absolute_error", max_depth=2, start=None)
    front = reg.pareto_front(X, y)
    assert front.proven.all() and (np.diff(front.error) < 0).all()
    assert front.error[-1] == pytest.approx(reg.fit(X, y).error_)
    assert front.error[0] == pytest.approx(np.abs(y - np.median(y)).mean())
    with pytest.raises(ValueError, match="not of criterion='absolute_error'"):
        reg.near_optimal(X, y, epsilon=0.1)


@pytest.mark.parametrize(
    ("criterion", "y", "words"),
    [
        ("poisson", [1.0, -1.0, 2.0], "needs targets of at least 0"),
        ("poisson", [0.0, 0.0, 0.0], "needs a target above 0"),
        ("gamma", [1.0, 0.0, 2.0], "needs targets above 0"),
        ("huber", [1.0, 0.0, 2.0], "criterion='huber'"),
    ],
)
def test_targets_without_a_deviance_are_refused(criterion: str, y: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        OptimalTreeRegressor(criterion=criterion).fit([[1.0], [2.0], [3.0]], y)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_time_limits_threads_and_growing_thresholds(criterion: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 6))
    y = np.exp(X[:, 0] * (X[:, 1] > 0)) + rng.gamma(1.0, 1.0, 400) * (criterion != "poisson")
    with pytest.warns(Warning, match="time_limit"):
        hurried = OptimalTreeRegressor(
            criterion=criterion, max_depth=4, features="all", time_limit=0.5
        ).fit(X, y)
    assert hurried.lower_bound_ <= hurried.objective_ and not hurried.proven_optimal_
    more: dict[str, Any] = {"features": "mid", "n_thresholds": 12}
    errors = [
        OptimalTreeRegressor(criterion=criterion, max_depth=3, n_jobs=n, **more).fit(X, y).error_
        for n in (1, 2)
    ]
    assert errors[0] == errors[1]
    more["n_thresholds"] = "grow"
    grown = OptimalTreeRegressor(criterion=criterion, max_depth=2, time_limit=20, **more).fit(X, y)
    assert grown.error_ <= hurried.number_loss.least(y) / len(y)
    below = OptimalTreeRegressor(
        criterion=criterion, max_depth=2, features="mid", upper_bound=errors[0] / 2
    )
    with pytest.warns(Warning, match="found no tree below"):
        below.fit(X, y)
    assert below.below_upper_bound_ is False
