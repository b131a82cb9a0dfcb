"""Columns that no split may use: the optimum is that of a table without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.optimal_data import mixed

from ramify import OptimalTreeClassifier, OptimalTreeRegressor, PolicyTree, TreeClassifier


@pytest.mark.parametrize("features", ["all", "mid"])
@pytest.mark.parametrize("start", ["greedy", None])
@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_is_that_without_the_column(seed: int, features: Any, start: Any) -> None:
    X, y = mixed(seed)
    out = list(X.columns)[seed % X.shape[1]]
    settings = {"max_depth": 2, "features": features, "n_thresholds": 3, "start": start}
    clf = OptimalTreeClassifier(**settings, exclude=[out]).fit(X, y)
    rest = OptimalTreeClassifier(**settings).fit(X.drop(columns=[out]), y)
    assert clf.objective_ == pytest.approx(rest.objective_) and clf.proven_optimal_
    assert clf.n_features_in_ == X.shape[1]
    assert list(X.columns).index(out) not in clf.tree_.data["attribute"]
    assert f"no split by {out}" in clf.proof()


def test_every_search_keeps_to_it() -> None:
    X, y = mixed(0)
    clf = OptimalTreeClassifier(max_depth=2, exclude=["colour"], sparsity=0.01)
    rest = OptimalTreeClassifier(max_depth=2, sparsity=0.01)
    fewer = X.drop(columns=["colour"])
    near, of_rest = (
        one.near_optimal(table, y, epsilon=0.03) for one, table in ((clf, X), (rest, fewer))
    )
    assert near.count == of_rest.count == near.without("colour").count
    front, front_of_rest = clf.pareto_front(X, y), rest.pareto_front(fewer, y)
    np.testing.assert_allclose(front.error, front_of_rest.error)
    numbers = (y == "yes").astype(float)
    reg = OptimalTreeRegressor(max_depth=2, exclude=[0]).fit(X, numbers)
    assert reg.error_ == pytest.approx(
        OptimalTreeRegressor(max_depth=2).fit(X.iloc[:, 1:], numbers).error_
    )
    rewards = np.column_stack([numbers, 1 - numbers])
    policy = PolicyTree(max_depth=2, exclude=["colour"]).fit(X, rewards)
    assert policy.reward_ == pytest.approx(PolicyTree(max_depth=2).fit(fewer, rewards).reward_)
    grown = OptimalTreeClassifier(
        max_depth=2, n_thresholds="grow", features="mid", exclude=["colour"], time_limit=20
    ).fit(X, y)
    assert 0 not in grown.tree_.data["attribute"]


def test_what_cannot_be_left_out_is_said() -> None:
    X, y = mixed(0)
    with pytest.raises(ValueError, match="'age' is not a column"):
        OptimalTreeClassifier(exclude=["age"]).fit(X, y)
    with pytest.raises(ValueError, match="leaves no column"):
        OptimalTreeClassifier(exclude=list(X.columns)).fit(X, y)
    old = TreeClassifier(max_depth=1).fit(X, y)
    name = X.columns[old.tree_.data["attribute"][0]]
    with pytest.raises(ValueError, match=f"start asks the column '{name}', which exclude"):
        OptimalTreeClassifier(start=old, exclude=[name]).fit(X, y)
