"""Optimal trees keep time limits, can be interrupted and report their progress."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.optimal_data import hard_table, loss_of
from helpers.processes import needs_signals, run_python
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    _core,
)
from ramify.learning import clock
from ramify.learning.clock import Clock, on_rows_that_fit
from ramify.tables import Table
from ramify.trees.optimal.features import add_features, all_features, column_facts
from ramify.trees.optimal.search import LEAF_ALONE, Searcher, SearchResult


@pytest.mark.parametrize("limits", [{"time_limit": 0}, {"time_limit": 0.5, "n_jobs": 2}])
@pytest.mark.parametrize("features", ["mid", "all"])
def test_a_time_limit_keeps_the_best_tree(limits: dict[str, Any], features: Any) -> None:
    X, y = hard_table()
    clf = OptimalTreeClassifier(max_depth=6, features=features, n_thresholds=100, **limits)
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit"):
        clf.fit(X, y)
    greedy = TreeClassifier(max_depth=6).fit(X, y)
    assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12
    assert not clf.proven_optimal_
    assert clf.search_["stopped_by"] == "time_limit"
    assert 0 <= clf.lower_bound_ <= clf.error_
    assert clf.gap_ == pytest.approx(clf.error_ - clf.lower_bound_)
    assert clf.score(X, y) == pytest.approx(1 - clf.error_)
    assert (
        clf.search_["seconds"] < limits["time_limit"] + 5
    )  # generous: it only must not run for ever


def small_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 5))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=120) > 0).astype(int)


@pytest.mark.parametrize("sparsity", [0.0, 0.02])
def test_without_time_to_search_a_small_table_the_greedy_tree_is_kept(sparsity: float) -> None:
    X, y = small_table()
    clf = OptimalTreeClassifier(max_depth=4, features="all", time_limit=0, sparsity=sparsity)
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit"):
        clf.fit(X, y)
    greedy = TreeClassifier(max_depth=4).fit(X, y).prune(alpha=sparsity)
    assert clf.tree_.n_leaves == greedy.tree_.n_leaves > 1
    assert clf.score(X, y) == greedy.score(X, y)
    assert clf.history_["error"].tolist() == pytest.approx([clf.objective_])


@pytest.mark.parametrize("better", [False, True])
def test_a_stopped_search_of_a_small_table_falls_back_on_the_greedy_tree(
    better: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = small_table()
    best = OptimalTreeClassifier(max_depth=4, features="all").fit(X, y)
    greedy = TreeClassifier(max_depth=4).fit(X, y)
    assert best.proven_optimal_ and best.error_ < 1 - greedy.score(X, y)
    whole = Searcher.run

    def stopped(*given: Any, **more: Any) -> SearchResult:
        found = whole(*given, **more)
        if not better:
            found = replace(found, splits=(LEAF_ALONE,), history=[(0.0, 0.5, 0.0)])
        return replace(found, lower_bound=0.0, proven=False, interrupted=True)

    monkeypatch.setattr(Searcher, "run", stopped)
    clf = OptimalTreeClassifier(max_depth=4, features="all")
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        clf.fit(X, y)
    assert clf.error_ == pytest.approx(best.error_ if better else 1 - greedy.score(X, y))
    assert clf.history_["error"][-1] == pytest.approx(clf.error_)
    assert clf.search_["stopped_by"] == "interrupt"


class Watch:
    """A clock that goes only as far as it is told."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("seconds", "seen"),
    [
        (np.inf, [None]),
        (100.0, [10_000, None]),  # all rows take 30 seconds
        (31.0, [10_000, 200_000]),
        (0.5, [10_000]),
    ],
)
def test_work_sees_as_many_rows_as_there_is_time_for(
    monkeypatch: pytest.MonkeyPatch, seconds: float, seen: list[int | None]
) -> None:
    watch, sizes = Watch(), []
    monkeypatch.setattr(clock, "time", watch)

    def work(rows: np.ndarray | None) -> str:
        sizes.append(None if rows is None else len(np.unique(rows)))
        watch.now += 1e-4 * (300_000 if rows is None else len(rows))
        return f"work {len(sizes)}"

    assert on_rows_that_fit(work, 300_000, 10, seconds) == f"work {len(seen)}"
    assert sizes == seen
    assert on_rows_that_fit(work, 5000, 10, 0.0)  # few rows need no estimate
    assert sizes[-1] is None


def large_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 20))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X))


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("features", ["all", "mid", "grow"])
def test_without_time_a_large_table_is_not_walked_through(kind: Any, features: str) -> None:
    X, y = large_table()
    y = (y > 0).astype(int) if kind is OptimalTreeClassifier else y
    model = kind(
        max_depth=4,
        features="mid" if features == "grow" else features,
        n_thresholds="grow" if features == "grow" else 45,
        min_samples_leaf=300,
        time_limit=0,
    )
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit=0"):
        model.fit(X, y)
    assert 1 < model.tree_.n_leaves <= 16  # of a greedy tree that saw a sample
    assert model.tree_.data["rows"][model.tree_.data["kind"] == 0].min() >= 300
    assert int(model.tree_.data["rows"][0]) == len(y)
    assert model.error_ == pytest.approx(loss_of(model, X, y))
    assert model.lower_bound_ == 0.0 and not model.proven_optimal_
    assert model.search_["n_features"] <= 15
    assert len(model.history_) >= 1 and model.history_["error"][-1] == model.objective_
    model.tree_.check()


def test_features_are_made_while_there_is_time() -> None:
    table = Table.read(np.arange(12.0).reshape(4, 3))
    facts = column_facts(table)
    features = _core.FeatureSet(4)
    assert not add_features(features, all_features(table, facts), Clock(0))
    assert add_features(features, all_features(table, facts), Clock(1e9))
    assert len(features) == 1


CHILD = """
import os, signal, sys, threading, warnings
import numpy as np
from ramify import OptimalTreeClassifier
from ramify import TreeClassifier
# Ctrl-C may be ignored where the tests were started (nohup, a background job).
signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 30))
y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=2000) > 0).astype(int)
begun = threading.Event()

def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
clf = OptimalTreeClassifier(
    max_depth=6, features=sys.argv[1], n_thresholds=sys.argv[2] if sys.argv[2] == "grow" else 100,
    n_jobs=int(sys.argv[3]), time_limit=60, on_progress=lambda *_: begun.set(),
)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    clf.fit(X, y)
assert clf.search_["stopped_by"] == "interrupt", clf.search_
assert clf.search_["seconds"] < 30, clf.search_
assert not clf.proven_optimal_
assert ["interrupted" in str(w.message) for w in caught] == [True], caught
greedy = TreeClassifier(max_depth=6).fit(X, y)
assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12 or sys.argv[2] == "grow"
clf.tree_.check()
assert clf.predict(X).shape == (2000,)
print("kept")
"""


@needs_signals
@pytest.mark.parametrize(
    ("features", "n_thresholds", "n_jobs"),
    [("mid", "100", 1), ("mid", "100", 2), ("all", "100", 1), ("mid", "grow", 1)],
)
def test_ctrl_c_keeps_the_best_tree(features: str, n_thresholds: str, n_jobs: int) -> None:
    assert run_python(CHILD, features, n_thresholds, n_jobs) == "kept\n"


def test_progress_is_told_and_shown(capsys: Any) -> None:
    told: list[tuple[float, float, float]] = []
    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(
        max_depth=2, on_progress=lambda *moment: told.append(moment), verbose=True
    ).fit(X, y)
    assert told[-1][1:] == (clf.error_, clf.lower_bound_)
    assert f"error {clf.error_:.5g}" in capsys.readouterr().err


def test_on_progress_may_stop_the_search_in_any_thread() -> None:
    X, y = hard_table()

    def stop(seconds: float, error: float, bound: float) -> None:
        raise KeyboardInterrupt

    clf = OptimalTreeClassifier(
        max_depth=6, features="all", time_limit=60, on_progress=stop, random_state=0
    )
    with ThreadPoolExecutor(1) as pool, pytest.warns(ConvergenceWarning, match="interrupted"):
        pool.submit(clf.fit, X, y).result()
    assert clf.search_["stopped_by"] == "interrupt" and not clf.proven_optimal_
    clf.tree_.check()
    greedy = TreeClassifier(max_depth=6).fit(X, y)
    assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12


def test_other_errors_of_on_progress_are_passed_on() -> None:
    X, y = hard_table()

    def fail(*_: float) -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        OptimalTreeClassifier(max_depth=6, time_limit=60, on_progress=fail).fit(X, y)


@pytest.mark.parametrize("seconds", [0.05, 0.4])
@pytest.mark.parametrize(
    "limits", [{}, {"max_leaves": 9}, {"min_samples_leaf": 20}, {"sparsity": 0.004}]
)
def test_a_deep_search_that_is_stopped_keeps_its_limits(
    limits: dict[str, Any], seconds: float
) -> None:
    """Its tree was found by passes and by refining branches, and is what it claims to be."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 6)).round(2)
    y = (np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=900) > 0).astype(int)
    model = OptimalTreeClassifier(max_depth=6, features="all", time_limit=seconds, **limits)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    tree = model.tree_
    assert model.error_ == pytest.approx(1 - model.score(X, y))
    assert model.lower_bound_ <= model.objective_
    assert tree.depth <= 6 and tree.n_leaves <= limits.get("max_leaves", 64)
    leaf_rows = np.bincount(model.apply(X))
    assert leaf_rows[leaf_rows > 0].min() >= limits.get("min_samples_leaf", 1)
