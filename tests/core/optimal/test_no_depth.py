"""Without a largest depth, prices and numbers of leaves limit the trees, as in brute force."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from oracles.optimal import Oracle

from ramify import _core

NO_DEPTH = 10**6
SWITCHES = ("cache", "depth_two", "similarity", "equivalent_rows", "discrepancy", "neighbours")
COMBINATIONS = [
    {},
    *({name: False} for name in SWITCHES),
    dict.fromkeys(SWITCHES, False),
]


def problem(seed: int, values: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a small table, and limits without a depth."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 13 if values > 2 else 20))
    p = 2 if values > 2 else 5
    columns = [rng.integers(0, values, n).astype(np.int32) for _ in range(p)]
    drawn: dict[str, Any] = {"columns": columns}
    if seed % 3:
        classes = int(rng.integers(2, 4))
        drawn |= {"labels": rng.integers(0, classes, n).astype(np.int32), "classes": classes}
        if seed % 5 == 0:
            drawn["costs"] = rng.integers(0, 4, (classes, classes)) * (1.0 - np.eye(classes))
    else:
        drawn["target"] = rng.integers(-8, 8, n) / 2.0
    if seed % 2:
        drawn["weights"] = rng.choice([0.1, 0.5, 1.7], n)
    limits: dict[str, Any] = {"min_samples_leaf": int(rng.choice([1, 1, 1, 2, 3]))}
    kind = seed % 4
    if kind != 0:
        limits["sparsity"] = float(rng.choice([0.1, 0.3, 0.5, 1.0, 2.0]))
    if kind % 2 == 0:
        limits["max_leaves"] = int(rng.integers(2, 8))
    if kind == 3:
        limits["max_depth"] = int(rng.integers(3, 7))
    return drawn, limits


def solved(drawn: dict[str, Any], limits: dict[str, Any], **more: Any) -> dict[str, Any]:
    given = dict(drawn)
    if given.get("costs") is not None:
        given["costs"] = given["costs"].ravel()
    limits = {"max_depth": NO_DEPTH} | limits
    return _core.optimal_tree(given.pop("columns"), **given, limits=limits, **more)


def best_of(drawn: dict[str, Any], limits: dict[str, Any]) -> tuple[Oracle, float]:
    oracle = Oracle(**drawn, min_samples_leaf=limits["min_samples_leaf"])
    depth = min(limits.get("max_depth", NO_DEPTH), oracle.n_rows - 1)
    price, leaves = limits.get("sparsity", 0.0), limits.get("max_leaves", 10**9)
    return oracle, oracle.objective(depth, sparsity=price, max_leaves=leaves)


@pytest.mark.parametrize("seed", range(48))
@pytest.mark.parametrize("values", [2, 4])
def test_the_optimum_is_that_of_brute_force(seed: int, values: int) -> None:
    drawn, limits = problem(seed, values)
    oracle, best = best_of(drawn, limits)
    for switches, threads in product(COMBINATIONS, (1, 2)):
        result = solved(drawn, limits | {"threads": threads}, switches=switches)
        where = f"{switches}, {threads} threads"
        assert result["objective"] == pytest.approx(best, abs=1e-8), where
        assert result["proven"], where
        assert all(bound <= best + 1e-8 for _, _, bound in result["history"]), where
        objective, leaves, depth = oracle.of_tree(result["nodes"], limits.get("sparsity", 0.0))
        assert objective == pytest.approx(best, abs=1e-8), where
        assert len(leaves) <= limits.get("max_leaves", 10**9)
        assert depth <= limits.get("max_depth", NO_DEPTH)


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("values", [2, 4])
def test_an_upper_bound_is_kept(seed: int, values: int) -> None:
    drawn, limits = problem(seed, values)
    best = best_of(drawn, limits)[1]
    above = solved(drawn, limits | {"upper_bound": best * 1.02 + 1e-6})
    assert above["proven"] and above["objective"] == pytest.approx(best, abs=1e-8)
    below = solved(drawn, limits | {"upper_bound": best * 0.98})
    if best > 0:
        assert below["none_below"] and not below["proven"]
        assert all(bound <= best + 1e-8 for _, _, bound in below["history"])


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("values", [2, 4])
def test_no_depth_is_a_depth_that_does_not_bind(seed: int, values: int) -> None:
    """On more rows than brute force can take."""
    rng = np.random.default_rng(seed)
    n = 120
    columns = [rng.integers(0, values, n).astype(np.int32) for _ in range(6 if values == 2 else 3)]
    noise = rng.random(n) < 0.15
    labels = ((columns[0] > 0) ^ (columns[1] > 0) ^ noise).astype(np.int32)
    drawn = {"columns": columns, "labels": labels, "classes": 2}
    if seed % 2:
        drawn["weights"] = rng.integers(1, 9, n) / 4.0
    limits = {"sparsity": float(rng.choice([2.5, 4.0, 6.0])), "min_samples_leaf": 1 + seed % 3}
    free = solved(drawn, limits)
    assert free["proven"]
    at_depth = [solved(drawn, limits | {"max_depth": depth}) for depth in (2, 4, 6)]
    assert all(found["proven"] for found in at_depth)
    objectives = [found["objective"] for found in at_depth]
    assert objectives == sorted(objectives, reverse=True)
    assert free["objective"] <= objectives[-1] + 1e-9
    leaves = sum(node[0] < 0 for node in free["nodes"])
    if leaves <= 7:  # so its depth is 6 at most
        assert free["objective"] == pytest.approx(objectives[-1], abs=1e-9)


def test_deeper_than_any_search_only_the_bound_of_many_leaves_is_left() -> None:
    rng = np.random.default_rng(0)
    n = 300
    columns = [np.arange(n, dtype=np.int32), rng.permutation(n).astype(np.int32)]
    labels = rng.integers(0, 2, n).astype(np.int32)
    drawn = {"columns": columns, "labels": labels, "classes": 2}
    result = solved(drawn, {"sparsity": 0.01, "seconds": 0.3})
    assert not result["proven"]
    assert result["lower_bound"] <= 0.01 * 52 + 1e-9  # 50 levels are searched
