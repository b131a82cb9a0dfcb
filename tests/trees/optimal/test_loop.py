"""Optimal trees over more and more thresholds."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from helpers.optimal_data import hard_table, loss_of
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import ConvergenceWarning

from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
)
from ramify.trees.optimal.ranking import Ranking


def test_more_and_more_thresholds_never_end_worse() -> None:
    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(
        max_depth=2, features="mid", n_thresholds="grow", validation_fraction=None
    ).fit(X, y)
    assert clf.search_["stopped_by"] == "thresholds"
    assert clf.search_["searches"] == len(set(clf.history_["n_features"].tolist())) > 2
    assert (np.diff(clf.history_["n_features"]) >= 0).all()
    assert (np.diff(clf.history_["error"]) <= 0).all()
    assert (clf.history_["bound"] <= clf.history_["error"]).all()
    assert clf.proven_optimal_
    once = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=10_000).fit(X, y)
    assert clf.error_ == once.error_
    assert clf.search_["n_thresholds"] == once.search_["n_thresholds"]


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_held_out_rows_end_the_loop(kind: Any) -> None:
    load_data = load_breast_cancer if kind is OptimalTreeClassifier else load_diabetes
    X, y = load_data(return_X_y=True)
    X = X[:, :6]
    model = kind(max_depth=1, n_thresholds="grow").fit(X, y)
    assert model.search_["stopped_by"] == "held_out"
    assert kind(max_depth=1, n_thresholds="grow").fit(X, y).tree_ == model.tree_
    other = kind(max_depth=1, n_thresholds="grow", random_state=1).fit(X, y)
    assert other.history_["error"][0] != model.history_["error"][0]  # other rows were held out


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("start", ["greedy", None])
def test_the_tree_of_a_growing_series_knows_all_rows(kind: Any, start: Any) -> None:
    load_data = load_breast_cancer if kind is OptimalTreeClassifier else load_diabetes
    X, y = load_data(return_X_y=True)
    X = X[:, :6]
    model = kind(max_depth=2, n_thresholds="grow", start=start).fit(X, y)
    assert int(model.tree_.data["rows"][0]) == len(y)
    assert model.error_ == pytest.approx(loss_of(model, X, y))
    assert model.proven_optimal_ and model.lower_bound_ == model.objective_
    chosen = model.search_["n_thresholds"]
    once = kind(max_depth=2, features="mid", n_thresholds=chosen, start=start).fit(X, y)
    assert model.error_ <= once.error_ + 1e-12  # the questions of the kept tree joined the others
    assert model.history_["n_features"][-1] == model.search_["n_features"]
    # the last search begins anew: its errors are those of all rows
    assert model.history_["error"][-1] == pytest.approx(model.error_)


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_without_time_the_nodes_of_a_growing_series_are_counted_on_all_rows(kind: Any) -> None:
    X, y = hard_table()
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit=0"):
        model = kind(max_depth=3, n_thresholds="grow", time_limit=0).fit(X, y)
    assert int(model.tree_.data["rows"][0]) == len(y)
    assert model.tree_.n_leaves > 1
    assert model.error_ == pytest.approx(loss_of(model, X, y))
    assert not model.proven_optimal_ and model.lower_bound_ == 0.0
    assert model.gap_ == model.objective_
    model.tree_.check()


def test_time_ends_the_loop_without_complaint() -> None:
    """No warning, if a set of thresholds was searched to the end: that is what "grow" is for."""
    X, y = hard_table()
    clf = OptimalTreeClassifier(
        max_depth=6,
        features="mid",
        n_thresholds="grow",
        time_limit=2,
        start=None,
        validation_fraction=None,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.fit(X, y)
    assert clf.search_["stopped_by"] == "time_limit"
    assert clf.search_["searches"] > 1


@pytest.mark.parametrize("where", ["between searches", "before the last search"])
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_an_interrupt_outside_of_a_search_keeps_the_tree_of_the_last(
    kind: Any, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_data = load_breast_cancer if kind is OptimalTreeClassifier else load_diabetes
    X, y = load_data(return_X_y=True)
    rank = Ranking.first

    def first(self: Ranking, n: int, seconds: float) -> list[tuple[int, float]]:
        last = self.limit is not None  # only the search on all rows knows how many it wants
        if last if where == "before the last search" else n > 8:
            raise KeyboardInterrupt
        return rank(self, n, seconds)

    monkeypatch.setattr(Ranking, "first", first)
    model = kind(max_depth=1, n_thresholds="grow")
    with pytest.warns(ConvergenceWarning, match="was interrupted"):
        model.fit(X[:, :6], y)
    assert model.search_["stopped_by"] == "interrupt"
    assert model.tree_.n_leaves == 2 and int(model.tree_.data["rows"][0]) == len(y)
    assert model.error_ == pytest.approx(loss_of(model, X[:, :6], y))
    assert not model.proven_optimal_
    model.tree_.check()


def test_an_interrupt_before_the_first_search_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(self: Ranking, n: int, seconds: float) -> list[tuple[int, float]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ranking, "first", first)
    with pytest.raises(KeyboardInterrupt):
        OptimalTreeClassifier(n_thresholds="grow").fit(*load_iris(return_X_y=True))
