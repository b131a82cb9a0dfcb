"""Policy trees: the largest mean reward, by brute force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.optimal import Oracle
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from ramify import PolicyTree, _core
from ramify.files import dumps, loads


@dataclass
class PolicyOracle(Oracle):
    """The loss of a leaf is the least sum of regrets of one action."""

    regrets: np.ndarray | None = None

    def leaf(self, rows: int) -> float:
        assert self.regrets is not None
        index = [row for row in range(self.n_rows) if rows >> row & 1]
        weights = np.ones(self.n_rows) if self.weights is None else self.weights
        return float((weights[index, None] * self.regrets[index]).sum(axis=0).min(initial=np.inf))


def problem(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    rng = np.random.default_rng(seed)
    n, actions = int(rng.integers(4, 14)), int(rng.integers(1, 5))
    X = rng.integers(0, rng.integers(2, 5), (n, 3))
    whole = rng.integers(-3, 4, (n, actions)).astype(float)
    rewards = whole if seed % 2 else rng.normal(size=(n, actions))
    return X, rewards, rng.integers(1, 4, n).astype(float) if seed % 3 == 0 else None


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    depth=st.integers(0, 3),
    sparsity=st.sampled_from([0.0, 0.1]),
    max_leaves=st.sampled_from([None, 3]),
    least=st.sampled_from([1, 2, 3]),
    threads=st.sampled_from([1, 2]),
)
def test_no_tree_has_a_larger_mean_reward(
    seed: int, depth: int, sparsity: float, max_leaves: int | None, least: int, threads: int
) -> None:
    X, rewards, weights = problem(seed)
    policy = PolicyTree(
        max_depth=depth,
        sparsity=sparsity,
        max_leaves=max_leaves,
        min_samples_leaf=least,
        n_jobs=threads,
        identifiers="keep",
    ).fit(X, rewards, weights)
    columns = [np.unique(X[:, j], return_inverse=True)[1].astype(np.int32) for j in range(3)]
    regrets = rewards.max(axis=1, keepdims=True) - rewards
    oracle = PolicyOracle(
        columns, target=np.zeros(len(X)), weights=weights, regrets=regrets, min_samples_leaf=least
    )
    total = len(X) if weights is None else weights.sum()
    best = oracle.objective(depth, sparsity=sparsity * total, max_leaves=max_leaves or 10**9)
    assert policy.proven_optimal_ and policy.gap_ == 0.0
    assert policy.error_ + sparsity * policy.tree_.n_leaves == pytest.approx(best / total)
    taken = policy.predict(X)
    assert np.average(rewards[np.arange(len(X)), taken], weights=weights) == pytest.approx(
        policy.reward_
    )
    assert policy.score(X, rewards, weights) == pytest.approx(policy.reward_)
    ideal = np.average(rewards.max(axis=1), weights=weights)
    assert policy.reward_ == pytest.approx(ideal - policy.error_)
    policy.tree_.check()


@pytest.mark.parametrize("seed", range(20))
def test_switches_change_no_optimum_of_rewards(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 9, 60).astype(np.int32) for _ in range(4)]
    regrets = np.abs(rng.normal(size=60 * 3)).round(2)

    def solve(**switches: bool) -> float:
        found = _core.optimal_tree(
            columns,
            regrets=regrets,
            classes=3,
            limits={"max_depth": 3, "min_samples_leaf": 1 + seed % 3},
            switches=switches,
        )
        assert found["proven"]
        value: float = found["objective"]
        return value

    plain = solve(
        cache=False, depth_two=False, similarity=False, neighbours=False, equivalent_rows=False
    )
    assert solve() == pytest.approx(plain)


def test_costs_and_weights_go_the_same_way_as_their_regrets() -> None:
    rng = np.random.default_rng(4)
    columns = [rng.integers(0, 12, 120).astype(np.int32) for _ in range(4)]
    labels = rng.integers(0, 3, 120).astype(np.int32)
    weights, costs = rng.random(120) + 0.5, rng.random((3, 3))
    np.fill_diagonal(costs, 0.0)
    limits = {"max_depth": 2}
    by_costs = _core.optimal_tree(
        columns, labels=labels, classes=3, weights=weights, costs=costs.ravel(), limits=limits
    )
    by_regrets = _core.optimal_tree(
        columns, regrets=costs[labels].ravel(), classes=3, weights=weights, limits=limits
    )
    assert by_costs["objective"] == pytest.approx(by_regrets["objective"])
    with pytest.raises(ValueError, match="negative"):
        _core.optimal_tree(columns, regrets=-costs[labels].ravel(), classes=3)


def treatment(n: int = 200) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(20, 80, n),
            "sex": rng.choice(["f", "m"], n),
            "bmi": rng.normal(25, 4, n),
        }
    )
    X.loc[::9, "bmi"] = np.nan
    rewards = pd.DataFrame({"none": rng.normal(size=n), "drug": rng.normal(size=n)})
    rewards["drug"] += np.where((X["age"] > 50) & (X["sex"] == "f"), 2.0, -2.0)
    return X, rewards


def test_a_table_with_names_holes_and_categories() -> None:
    X, rewards = treatment()
    policy = PolicyTree(max_depth=2).fit(X, rewards)
    assert policy.classes_.tolist() == ["none", "drug"]
    drug = policy.predict(X) == "drug"
    assert (drug == ((X["age"] > 50) & (X["sex"] == "f"))).mean() > 0.97
    table = policy.leaf_rewards_
    assert table.rows.sum() == len(X)
    assert np.average(table.reward, weights=table.rows) == pytest.approx(policy.reward_)
    assert (table.reward > table.others).all()
    again = loads(dumps(policy))
    assert (again.predict(X) == policy.predict(X)).all()
    assert again.reward_ == policy.reward_ and again.upper_bound_ == policy.upper_bound_
    assert again.leaf_rewards_.action.tolist() == table.action.tolist()
    assert "drug" in policy.tree_.to_text() and clone(policy).get_params() == policy.get_params()


def test_a_stopped_search_says_how_much_more_there_could_be() -> None:
    rng = np.random.default_rng(0)
    X, rewards = rng.normal(size=(2000, 12)), rng.normal(size=(2000, 4))
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit"):
        policy = PolicyTree(max_depth=4, time_limit=0.3).fit(X, rewards)
    assert not policy.proven_optimal_ and policy.gap_ > 0
    assert policy.upper_bound_ == pytest.approx(policy.reward_ + policy.gap_)
    best = PolicyTree(max_depth=1).fit(X, rewards)
    assert policy.upper_bound_ >= best.reward_


@pytest.mark.parametrize(
    ("rewards", "message"),
    [
        ([1.0, 2.0], "shape"),
        ([[1.0, 2.0]], "1 rows, but X has 2"),
        ([[1.0, np.nan], [0.0, 1.0]], "finite, but row 0"),
        ([["a", "b"], ["c", "d"]], "must be numbers"),
    ],
)
def test_rewards_that_do_not_fit_are_refused(rewards: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PolicyTree().fit([[0], [1]], rewards)


def test_rewards_of_another_shape_cannot_be_scored() -> None:
    policy = PolicyTree().fit([[0], [1]], [[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="there are 2 actions"):
        policy.score([[0]], [[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="takes no rows"):
        policy.report(None, [[0]], [0])
    with pytest.raises(ValueError, match="commonest action"):
        policy.prune(n_leaves=1)
    with pytest.raises(ValueError, match="max_depth=-1"):
        PolicyTree(max_depth=-1).fit([[0], [1]], [[1.0], [0.0]])
