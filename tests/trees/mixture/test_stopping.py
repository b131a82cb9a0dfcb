"""When the EM of a mixture of experts ends: held-out rows, time, Ctrl-C."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest
from helpers.mixture_data import estimator, mixed, target
from helpers.processes import heeding_ctrl_c
from sklearn.exceptions import ConvergenceWarning

from ramify import MixtureOfExpertsRegressor
from ramify.learning.clock import Clock
from ramify.trees.mixture.em import EM
from ramify.trees.mixture.fit import MixtureFit


@pytest.mark.parametrize("n_classes", [0, 3])
def test_early_stopping_keeps_what_is_best_for_held_out_rows(n_classes: int) -> None:
    X = mixed(0, 90)
    y = target(X, 0, n_classes)
    model = estimator(
        n_classes,
        depth=3,
        penalty=1e-4,
        gate_penalty=1e-4,
        early_stopping=True,
        validation_fraction=0.3,
        patience=3,
        max_iter=400,
    ).fit(X, y)
    path = model.held_out_path_
    assert model.stopped_by_ == "held_out" and model.converged_
    assert len(path) == len(model.loglik_path_) == model.n_iter_ + 1
    assert path.argmax() == len(path) - 4
    assert model.to_hard_tree().nodes[0].rows == 90
    longer = estimator(n_classes, depth=3, max_iter=5).set_params(tol=0.0)
    with pytest.warns(ConvergenceWarning):
        assert len(longer.fit(X, y).held_out_path_) == 0


def test_early_stopping_with_too_few_rows_to_hold_out() -> None:
    model = MixtureOfExpertsRegressor(early_stopping=True).fit([[1.0], [2.0]], [1.0, 2.0])
    assert len(model.held_out_path_) == 0


def test_a_time_limit_keeps_the_best_so_far() -> None:
    X = mixed(1)
    y = target(X, 1, 0)
    model = MixtureOfExpertsRegressor(time_limit=0.0, n_init=5)
    with pytest.warns(ConvergenceWarning, match=r"stopped by time_limit=0\.0"):
        model.fit(X, y)
    assert model.stopped_by_ == "time_limit" and not model.converged_
    assert len(model.objectives_) == 1
    assert np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_ctrl_c_keeps_the_best_so_far(n_jobs: int | None, monkeypatch: Any) -> None:
    X = mixed(2, 1000)
    y = target(X, 2, 0)
    step, calls = EM.step, []

    def interrupted(self: EM, *arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return step(self, *arguments)

    monkeypatch.setattr(EM, "step", interrupted)
    model = MixtureOfExpertsRegressor(n_init=3, n_jobs=n_jobs)
    said = "was interrupted: the best mixture so far"
    with heeding_ctrl_c(), pytest.warns(ConvergenceWarning, match=said):
        model.fit(X, y)
    assert model.stopped_by_ == "interrupt"
    assert len(model.loglik_path_) == 3 and len(model.objectives_) == 1
    monkeypatch.undo()
    with pytest.warns(ConvergenceWarning):
        same = MixtureOfExpertsRegressor(max_iter=2).fit(X, y)
    np.testing.assert_array_equal(same.predict(X), model.predict(X))


@pytest.mark.parametrize("early_stopping", [False, True])
@pytest.mark.parametrize("where", ["_start", "step"])
def test_ctrl_c_in_a_later_start_keeps_the_first(
    where: str, early_stopping: bool, monkeypatch: Any
) -> None:
    X = mixed(5, 150)
    y = target(X, 5, 0)
    parameters = {"depth": 1, "early_stopping": early_stopping}
    alone = MixtureOfExpertsRegressor(**parameters).fit(X, y)
    assert alone.converged_
    owner: Any = MixtureFit if where == "_start" else EM
    plain, calls = getattr(owner, where), []

    def interrupted(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) > (1 if where == "_start" else alone.n_iter_):
            raise KeyboardInterrupt
        return plain(*arguments)

    monkeypatch.setattr(owner, where, interrupted)
    model = MixtureOfExpertsRegressor(**parameters, n_init=3)
    with pytest.warns(ConvergenceWarning, match="was interrupted: the best mixture so far"):
        model.fit(X, y)
    assert model.loglik_path_[-1] >= alone.loglik_path_[-1]
    if where == "_start":
        np.testing.assert_array_equal(model.predict(X), alone.predict(X))


def test_a_time_limit_that_leaves_out_starts_is_said(monkeypatch: Any) -> None:
    X = mixed(6, 150)
    y = target(X, 6, 0)
    alone = MixtureOfExpertsRegressor(depth=1).fit(X, y)
    left = iter([1.0] * alone.n_iter_)  # asked before every iteration
    monkeypatch.setattr(Clock, "left", lambda self: next(left, 0.0))
    model = MixtureOfExpertsRegressor(depth=1, n_init=3, time_limit=100)
    with pytest.warns(ConvergenceWarning, match="was stopped by time_limit=100"):
        model.fit(X, y)
    assert len(model.objectives_) == 1 and model.stopped_by_ == "tol"
    np.testing.assert_array_equal(model.predict(X), alone.predict(X))


def test_ctrl_c_before_the_first_mixture_leaves_the_former(monkeypatch: Any) -> None:
    X = mixed(3)
    y = target(X, 3, 0)
    model = MixtureOfExpertsRegressor().fit(X, y)
    before = model.mixture_

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(EM, "fit_shares", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.mixture_ is before


def test_verbose_shows_a_bar(capsys: Any) -> None:
    X = mixed(4)
    MixtureOfExpertsRegressor(verbose=True, depth=1).fit(X, target(X, 4, 0))
    shown = capsys.readouterr()
    assert "EM, start 1: log-likelihood" in shown.err
    assert shown.out == ""
