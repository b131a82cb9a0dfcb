"""How long searches beside `fit` tell how far they are, end on time, and say why they ended."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from helpers.optimal_data import hard_table
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from ramify import OptimalTreeClassifier

CONSTRAINTS: list[dict[str, Any]] = [
    {},
    {"skeleton": {"column": 0, "threshold": 0.0}},
    {"monotone": {0: 1}},
]


@pytest.mark.parametrize("given", CONSTRAINTS)
def test_a_front_tells_how_far_it_is(given: Any, capsys: Any) -> None:
    X, y = load_iris(return_X_y=True)
    X, y, told = X[50:] - X[50:].mean(axis=0), y[50:], []
    clf = OptimalTreeClassifier(
        max_depth=2, on_progress=lambda *moment: told.append(moment), verbose=True, **given
    )
    front = clf.pareto_front(X, y)
    assert front.proven.all() and front.stopped_by == ""
    seconds, errors, bounds = np.array(told).T
    assert (np.diff(seconds) >= 0).all() and (bounds <= errors + 1e-12).all()
    assert set(front.error.round(9)) <= set(errors.round(9))  # each number of leaves is told
    assert "gap 0" in capsys.readouterr().err


@pytest.mark.parametrize("given", CONSTRAINTS)
def test_on_progress_ends_a_front_that_keeps_its_trees(given: Any) -> None:
    X, y = hard_table()
    calls = 0

    def stop(seconds: float, error: float, bound: float) -> None:
        nonlocal calls
        calls += 1
        if calls >= 3:
            raise KeyboardInterrupt

    clf = OptimalTreeClassifier(max_depth=6, on_progress=stop, time_limit=60, **given)
    front = clf.pareto_front(X, y, max_leaves=20)
    assert front.stopped_by == "interrupt" and not front.proven.all()
    assert (np.diff(front.error) <= 1e-12).all() and (front.bound <= front.error + 1e-12).all()
    assert calls < 50
    for leaves, tree in zip(front.leaves, front.trees, strict=True):
        assert tree.n_leaves <= leaves


def test_a_front_that_runs_out_of_time_says_so() -> None:
    X, y = hard_table()
    front = OptimalTreeClassifier(max_depth=6, time_limit=0.5).pareto_front(X, y)
    assert front.stopped_by == "time_limit"


def test_a_set_tells_how_far_it_is_and_is_stopped() -> None:
    X, y = load_iris(return_X_y=True)
    told: list[tuple[float, ...]] = []
    clf = OptimalTreeClassifier(max_depth=2, on_progress=lambda *moment: told.append(moment))
    near = clf.near_optimal(X, y, epsilon=0.01)
    assert told[-1][1:] == pytest.approx((near.best_objective, near.best_objective))

    def stop(*_: float) -> None:
        raise KeyboardInterrupt

    X, y = hard_table()
    with pytest.raises(KeyboardInterrupt):
        OptimalTreeClassifier(max_depth=6, on_progress=stop).near_optimal(X, y, epsilon=0.1)


@pytest.mark.parametrize("most", [None, 2, 4])
def test_a_front_below_a_beginning_starts_at_its_leaves(most: int | None) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (60, 3)).astype(float)
    y = rng.integers(0, 2, 60)
    skeleton = {
        "column": 0,
        "threshold": 2.5,
        "left": {"column": 1, "threshold": 1.5},
        "right": {"closed": True},
    }
    clf = OptimalTreeClassifier(max_depth=3, features="all", skeleton=skeleton)
    front = clf.pareto_front(X, y, max_leaves=most)
    assert front.leaves[0] == 3 and front.proven.all()
    assert front.leaves[-1] == max(3, min(most or 5, 5)) or front.error[-1] == front.error[-2]
    for leaves, error, tree in zip(front.leaves, front.error, front.trees, strict=True):
        assert tree.n_leaves <= leaves
        alone = clf.set_params(max_leaves=int(leaves)).fit(X, y)
        assert alone.error_ == pytest.approx(error)
        clf.set_params(max_leaves=None)


@pytest.mark.parametrize("given", CONSTRAINTS[:2])
def test_a_search_that_ends_at_the_deepest_level_says_so(given: Any) -> None:
    # One column in all its thresholds: the best tree may be a chain that is deeper than any search.
    X = (np.arange(53)[:, None] > np.arange(52)).astype(int)
    y = np.arange(53) % 2
    if given:  # a condition that only divides one row off
        X = np.c_[[*np.zeros(53, int), 1], np.r_[X, X[:1]]]
        y = np.r_[y, 0]
        given = {"skeleton": {"column": 0, "threshold": 0.5}}
    clf = OptimalTreeClassifier(
        max_depth=None, sparsity=1e-4, features="binary", identifiers="keep", **given
    )
    with pytest.warns(ConvergenceWarning, match="ended at 50 levels"):
        clf.fit(X, y)
    assert clf.search_["stopped_by"] == "depth_limit"
    assert not clf.proven_optimal_ and clf.search_["seconds"] < 60
    if not given:
        with pytest.raises(ValueError, match="deeper than 50 levels"):
            clf.near_optimal(X, y, epsilon=0.0)


@pytest.mark.parametrize("stop", ["time_limit", "interrupt"])
def test_a_search_over_fronts_ends_on_time(stop: str) -> None:
    # Weights that are no whole numbers make long fronts: few subproblems, many pairs of points.
    rng = np.random.default_rng(0)
    X = rng.integers(0, 8, (3000, 4)).astype(float)
    noise = rng.random(3000) < 0.5
    y = np.where(noise, rng.integers(0, 4, 3000), (X[:, 0] > 3) + 2 * (X[:, 1] > 4))

    def interrupt(seconds: float, error: float, bound: float) -> None:
        if seconds > 0.4:
            raise KeyboardInterrupt

    clf = OptimalTreeClassifier(
        max_depth=3,
        features="all",
        start=None,
        min_recall=dict.fromkeys(range(4), 0.55),
        time_limit=1.0 if stop == "time_limit" else 60,
        on_progress=interrupt if stop == "interrupt" else None,
    )
    began = time.perf_counter()
    with suppress(TimeoutError), pytest.warns(ConvergenceWarning, match=stop[:9]):  # or no tree yet
        clf.fit(X, y, sample_weight=rng.random(3000))
    assert time.perf_counter() - began < 10  # generous: it only must not run for ever
