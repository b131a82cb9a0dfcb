"""Deep trees over 0/1 features: better branches change no optimum; what a search has is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.optimal import Oracle

from ramify import _core


def noise(seed: int, rows: int, features: int, classes: int = 2) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        "columns": [rng.integers(0, 2, rows).astype(np.int32) for _ in range(features)],
        "labels": rng.integers(0, classes, rows).astype(np.int32),
        "classes": classes,
    }


def solve(problem: dict[str, Any], **limits: Any) -> dict[str, Any]:
    given = dict(problem)
    switches = limits.pop("switches", {})
    return _core.optimal_tree(given.pop("columns"), **given, limits=limits, switches=switches)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("depth", [6, 7])
@pytest.mark.parametrize(
    "limits", [{}, {"sparsity": 1.25}, {"max_leaves": 11}, {"min_samples_leaf": 4}]
)
def test_deep_trees_equal_brute_force(seed: int, depth: int, limits: dict[str, Any]) -> None:
    problem = noise(seed, 50, 8, 2 + seed % 2)
    if seed > 3:
        problem["weights"] = np.random.default_rng(seed).integers(1, 9, 50) / 4.0
    oracle = Oracle(**problem, min_samples_leaf=limits.get("min_samples_leaf", 1))
    more = {name: value for name, value in limits.items() if name != "min_samples_leaf"}
    best = oracle.objective(depth, **{"sparsity": 0.0, "max_leaves": 10**9} | more)
    for threads in (1, 2):
        found = solve(problem, max_depth=depth, threads=threads, **limits)
        assert found["proven"]
        assert found["objective"] == pytest.approx(best, abs=1e-8)
        objective, leaves, deep = oracle.of_tree(found["nodes"], limits.get("sparsity", 0.0))
        assert objective == pytest.approx(best, abs=1e-8) and deep <= depth
        assert len(leaves) <= limits.get("max_leaves", 10**9)


def test_rounds_of_work_change_no_optimum_and_no_tree() -> None:
    problem = noise(0, 240, 16)  # several rounds
    limits = {"max_depth": 6, "min_samples_leaf": 6}
    found = solve(problem, **limits)
    plain = solve(problem, switches={"discrepancy": False}, **limits)
    assert found["proven"] and plain["proven"]
    assert found["objective"] == plain["objective"]
    assert solve(problem, threads=2, **limits)["nodes"] == found["nodes"]


@pytest.mark.parametrize("switches", [{}, {"cache": False}, {"depth_two": False}])
def test_a_stopped_search_keeps_what_it_has_found(switches: dict[str, bool]) -> None:
    problem = noise(1, 2000, 60)
    found = solve(problem, max_depth=7, seconds=0.6, switches=switches)
    assert not found["proven"] and found["lower_bound"] < found["objective"]
    oracle = Oracle(**problem)
    objective, leaves, depth = oracle.of_tree(found["nodes"], 0.0)
    assert objective == found["objective"] == found["history"][-1][1]
    assert depth <= 7 and min(leaves) >= 1
    before = np.inf, 0.0
    for _, value, bound in found["history"]:
        assert bound <= value <= before[0] and bound >= before[1]
        before = value, bound
