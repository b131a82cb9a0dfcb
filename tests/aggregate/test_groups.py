"""Proposed groups: a level of significance, more than two columns, weights, numeric targets."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from helpers.aggregate_data import nursery, xor
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.aggregation import log_p_of_means

from ramify import AttributeAggregator
from ramify.aggregate.means import conditional_log_p_of_means

SIGNAL, NOISE = ("a", "b"), ("c", "d", "e")


def coins(n: int, seed: int, columns: str = "abcde") -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {name: rng.choice(list("uv"), n) for name in columns}


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_noise_is_not_proposed(task: Any) -> None:
    """At most 5 % of the tables of noise have a group, adjusted for all that were tested."""
    rng = np.random.default_rng(0)
    found = {0.05: 0, None: 0}
    for seed in range(100):
        X = coins(120, seed)
        y = rng.integers(0, 2, 120) if task == "classification" else rng.normal(size=120)
        for alpha in found:
            model = AttributeAggregator(alpha=alpha, task=task).fit(X, y)
            found[alpha] += len(model.groups_) > 0
    # 100 tests at 5 %: 12 or more with probability 0.004
    assert found[0.05] < 12
    assert found[None] > 60


def test_the_level_is_that_of_the_adjusted_p_value() -> None:
    X, y = nursery(80, 3)
    all_of_them = AttributeAggregator(alpha=None, n_groups=99).fit(X, y)
    p = math.exp(all_of_them.log_p_values_[0])
    tested = 3  # pairs of three nominal columns
    adjusted = 1 - (1 - p) ** tested
    for alpha, proposed in ((adjusted * 0.999, 0), (adjusted * 1.001, 1)):
        model = AttributeAggregator(alpha=alpha).fit(X, y)
        assert len(model.groups_) >= proposed
        assert (model.groups_ == []) == (not proposed)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_groups_of_three(task: Any) -> None:
    """The target is the parity of three columns: no two of them tell anything."""
    rows = np.array([*product("01", repeat=4)] * 12)
    odd = (rows[:, :3] == "1").sum(axis=1) % 2
    y = odd + (0.0 if task == "classification" else np.linspace(0, 0.2, len(odd)))
    X = {name: rows[:, j] for j, name in enumerate("abcd")}
    pairs = AttributeAggregator(task=task).fit(X, y)
    assert pairs.groups_ == []
    model = AttributeAggregator(max_size=3, task=task).fit(X, y)
    assert model.groups_ == [("a", "b", "c")]
    assert model.transform(X)["a|b|c"][0] == "0|0|0"
    # A fourth column would add nothing, so it is not in a group.
    assert AttributeAggregator(max_size=4, task=task).fit(X, y).groups_ == [("a", "b", "c")]


def test_a_pair_is_not_proposed_with_a_column_it_does_not_need() -> None:
    X = coins(400, 1)
    y = (X["a"] == "u") ^ (X["b"] == "u")
    assert AttributeAggregator(max_size=3).fit(X, y).groups_ == [("a", "b")]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_weight_of_two_is_a_repeated_row(task: Any) -> None:
    rng = np.random.default_rng(5)
    X = coins(90, 5)
    y = ((X["a"] == "u") ^ (X["b"] == "u") ^ (rng.random(90) < 0.2)).astype(float)
    if task == "regression":
        y += rng.normal(size=90)
    w = rng.integers(0, 4, 90)
    again = np.repeat(np.arange(90), w)
    weighted = AttributeAggregator(alpha=None, n_groups=99, max_size=3, task=task)
    weighted.fit(X, y, sample_weight=w)
    repeated = AttributeAggregator(alpha=None, n_groups=99, max_size=3, task=task)
    repeated.fit({name: values[again] for name, values in X.items()}, y[again])
    assert weighted.groups_ == repeated.groups_
    np.testing.assert_allclose(weighted.log_p_values_, repeated.log_p_values_, rtol=1e-9)


def test_numbers_are_joined_as_classes_are() -> None:
    X, y = xor()
    target = np.where(y, 3.0, 1.0) + np.linspace(0, 1, len(y))
    model = AttributeAggregator(task="regression").fit(X, target)
    assert model.groups_ == [("x0", "x1")]
    shifted = AttributeAggregator(task="regression").fit(X, 1e9 - 1e3 * target)
    assert shifted.log_p_values_[0] == pytest.approx(model.log_p_values_[0], rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4))
def test_log_p_of_means_is_that_of_all_permutations(seed: int, values: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    value, level = rng.integers(0, values, n), rng.integers(0, levels, n)
    y = rng.integers(0, 4, n).astype(float)
    while max(np.bincount(value)) > 6:  # 720 orders are enough
        value[rng.integers(0, n)] = values - 1 - value[rng.integers(0, n)]
        value, level, y, n = value[:6], level[:6], y[:6], min(n, 6)
    pairs, joint = np.unique(value * levels + level, return_inverse=True)
    of_pair = np.unique(pairs // levels, return_inverse=True)[1]
    found = conditional_log_p_of_means(joint, of_pair, y, np.ones(n))
    expected = log_p_of_means(joint, value, y)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("target", [[1.0] * 20, list(range(20)), [0.0] * 19 + [1e120]])
def test_plain_targets(target: list[float]) -> None:
    X = {"a": list("uv") * 10, "b": list("uuvv") * 5, "c": ["k"] * 20}
    model = AttributeAggregator(task="regression", alpha=None, max_size=3).fit(X, target)
    assert np.isfinite(model.log_p_values_).all()
    one = AttributeAggregator(task="regression").fit({"a": ["u"], "b": ["v"]}, [1.0])
    assert one.groups_ == []


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0}, "alpha=0 must be None or a number above 0"),
        ({"max_size": 1}, "max_size=1 must be an integer of at least 2"),
        ({"task": "numbers"}, "task='numbers' is not valid; choose from classification"),
    ],
)
def test_parameters_are_checked(parameters: dict[str, Any], message: str) -> None:
    X, y = xor()
    with pytest.raises(ValueError, match=message):
        AttributeAggregator(**parameters).fit(X, y)


def test_numbers_as_classes_are_an_error_that_names_the_task() -> None:
    X, y = xor()
    with pytest.raises(ValueError, match=r"continuous.*For a numeric target: task='regression'"):
        AttributeAggregator().fit(X, np.linspace(0.5, 1.5, len(y)))
