"""The search for optimal trees equals brute force, with any of its parts switched off."""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.optimal import Oracle

from ramify import _core

SWITCHES = ("cache", "depth_two", "similarity", "equivalent_rows", "discrepancy", "neighbours")
COMBINATIONS = [
    dict(zip(SWITCHES, values, strict=True))
    for values in product((True, False), repeat=len(SWITCHES))
]
LIGHT = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def problems(draw: Any, *, task: str, values: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A problem and its limits; numbers are small, so that sums are exact and ties abound."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    n = draw(st.integers(1, 40 if values == 2 else 16))
    p = draw(st.integers(1, 6 if values == 2 else 3))
    columns = [
        rng.integers(0, rng.integers(2, values + 1), n).astype(np.int32)
        if rng.random() < 0.9
        else np.zeros(n, dtype=np.int32)
        for _ in range(p)
    ]
    problem: dict[str, Any] = {"columns": columns}
    if task == "classification":
        classes = draw(st.integers(1, 4))
        # classes follow the columns in part, so that there is something to find
        signal = sum(codes * (3 * j + 1) for j, codes in enumerate(columns)) // 2
        noise = rng.integers(0, classes, n)
        labels = np.where(rng.random(n) < 0.6, signal % classes, noise)
        problem |= {"labels": labels.astype(np.int32), "classes": classes}
        if draw(st.booleans()):
            costs = rng.integers(0, 5, (classes, classes)).astype(float)
            np.fill_diagonal(costs, 0.0)
            problem["costs"] = costs
    else:
        problem["target"] = rng.integers(-8, 8, n) / 2.0 + 3.0 * columns[0]
        if task in ("poisson", "gamma"):
            shift = 0.0 if task == "poisson" else 0.25
            problem["target"] = np.maximum(problem["target"], 0.0) + shift
        problem["loss"] = "squared" if task == "regression" else task
        if task == "pinball":
            problem["quantile"] = draw(st.sampled_from([0.1, 0.25, 0.5, 0.8]))
    if draw(st.booleans()):
        problem["weights"] = rng.integers(1, 9, n) / 4.0
    limits = {
        "max_depth": draw(st.integers(0, 3)),
        "min_samples_leaf": draw(st.sampled_from([1, 1, 2, 3, 7])),
        "sparsity": draw(st.sampled_from([0.0, 0.0, 0.25, 1.0, 3.5])),
    }
    if draw(st.booleans()):
        limits["max_leaves"] = draw(st.integers(1, 7))
    return problem, limits


def solve(problem: dict[str, Any], limits: dict[str, Any], **more: Any) -> dict[str, Any]:
    given = dict(problem)
    if given.get("costs") is not None:
        given["costs"] = np.ascontiguousarray(given["costs"]).ravel()
    return _core.optimal_tree(given.pop("columns"), **given, limits=limits, **more)


def oracle_of(problem: dict[str, Any], limits: dict[str, Any]) -> Oracle:
    return Oracle(**problem, min_samples_leaf=limits.get("min_samples_leaf", 1))


def optimum(oracle: Oracle, limits: dict[str, Any]) -> float:
    return oracle.objective(
        limits["max_depth"],
        sparsity=limits.get("sparsity", 0.0),
        max_leaves=limits.get("max_leaves", 10**9),
    )


def check_tree(oracle: Oracle, result: dict[str, Any], limits: dict[str, Any]) -> None:
    """The tree keeps its limits and is as good as the result says."""
    objective, leaves, depth = oracle.of_tree(result["nodes"], limits.get("sparsity", 0.0))
    assert result["objective"] == pytest.approx(objective, abs=1e-8)
    assert depth <= limits["max_depth"]
    assert len(leaves) <= limits.get("max_leaves", 10**9)
    assert len(leaves) == 1 or min(leaves) >= limits.get("min_samples_leaf", 1)


def check_all(problem: dict[str, Any], limits: dict[str, Any]) -> None:
    oracle = oracle_of(problem, limits)
    best = optimum(oracle, limits)
    for switches, threads in product(COMBINATIONS, (1, 2)):
        result = solve(problem, limits | {"threads": threads}, switches=switches)
        where = f"{switches}, {threads} threads"
        assert result["objective"] == pytest.approx(best, abs=1e-8), where
        assert result["proven"], where
        assert result["lower_bound"] == result["objective"], where
        assert not result["interrupted"]
        check_tree(oracle, result, limits)
        before = np.inf, 0.0
        for _, objective, bound in result["history"]:
            assert bound <= best + 1e-8 <= objective + 2e-8, where
            assert objective <= before[0] and bound >= before[1] - 1e-8, where  # rounding
            before = objective, bound


TASKS = ["classification", "regression", "absolute", "pinball", "poisson", "gamma"]
of_every_task = pytest.mark.parametrize("task", TASKS)
of_every_size = pytest.mark.parametrize("values", [2, 5])


@of_every_task
@of_every_size
def test_every_combination_of_switches_finds_the_optimum(task: str, values: int) -> None:
    @LIGHT
    @given(problems(task=task, values=values))
    def check(drawn: tuple[dict[str, Any], dict[str, Any]]) -> None:
        check_all(*drawn)

    check()


@of_every_task
@of_every_size
def test_depth_three_with_everything(task: str, values: int) -> None:
    """One large case for each search, where no limit makes it easy."""
    rng = np.random.default_rng(values)
    n, p = (40, 6) if values == 2 else (20, 3)
    columns = [rng.integers(0, values, n).astype(np.int32) for _ in range(p)]
    problem: dict[str, Any] = {"columns": columns, "weights": rng.integers(1, 5, n) / 2.0}
    if task == "classification":
        costs = rng.integers(1, 4, (3, 3)).astype(float)
        np.fill_diagonal(costs, 0.0)
        labels = rng.integers(0, 3, n).astype(np.int32)
        problem |= {"labels": labels, "classes": 3, "costs": costs}
    else:
        problem["target"] = rng.integers(0, 10, n) + (0.5 if task == "gamma" else 0.0)
        problem["loss"] = "squared" if task == "regression" else task
        problem["quantile"] = 0.3
    check_all(problem, {"max_depth": 3, "min_samples_leaf": 2, "sparsity": 0.5, "max_leaves": 7})


# --- a tree to begin with ------------------------------------------------------------------------

STUMP = [[0, 0, 1, 2], [-1, 0, -1, -1], [-1, 0, -1, -1]]


@of_every_task
@of_every_size
def test_a_start_does_not_change_the_optimum(task: str, values: int) -> None:
    @LIGHT
    @given(problems(task=task, values=values))
    def check(drawn: tuple[dict[str, Any], dict[str, Any]]) -> None:
        problem, limits = drawn
        limits = limits | {"max_depth": 2, "min_samples_leaf": 1, "max_leaves": 4}
        oracle = oracle_of(problem, limits)
        best = optimum(oracle, limits)
        trees = [[STUMP[1]], solve(problem, limits)["nodes"]]  # the worst, and the best
        if len(np.unique(problem["columns"][0])) > 1:  # a leaf without rows is no tree
            trees.append(STUMP)
        for threads, switches, start in product((1, 2), COMBINATIONS[::5], trees):
            result = solve(problem, limits | {"threads": threads}, start=start, switches=switches)
            assert result["proven"]
            assert result["objective"] == pytest.approx(best, abs=1e-8)
            check_tree(oracle, result, limits)

    check()


# --- an upper bound -------------------------------------------------------------------------------


def check_bound(problem: dict[str, Any], limits: dict[str, Any], bound: float) -> None:
    """Below a bound, the search finds the optimum or proves that there is no tree."""
    oracle = oracle_of(problem, limits)
    best = optimum(oracle, limits)
    below = best < bound - 1e-8
    for switches, threads in product(COMBINATIONS, (1, 2)):
        given = limits | {"threads": threads, "upper_bound": bound}
        result = solve(problem, given, switches=switches)
        where = f"bound {bound}, optimum {best}, {switches}, {threads} threads"
        check_tree(oracle, result, limits)
        assert result["none_below"] is not below, where
        assert result["lower_bound"] <= best + 1e-8, where
        if below:
            assert result["proven"], where
            assert result["objective"] == pytest.approx(best, abs=1e-8), where
        else:
            # A tree that costs as much as the bound may be the optimum all the same.
            assert not result["proven"] or result["objective"] == pytest.approx(best, abs=1e-8)
            assert result["lower_bound"] >= bound - 1e-8, where


@of_every_task
@of_every_size
def test_an_upper_bound_finds_the_optimum_below_it_or_proves_that_none_is(
    task: str, values: int
) -> None:
    @settings(LIGHT, max_examples=12)
    @given(
        problems(task=task, values=values),
        st.sampled_from([0.0, 0.5, 0.9, 1.0, 1.1, 1.5]),
        st.sampled_from([0.0, 0.3, 1.0]),
    )
    def check(drawn: tuple[dict[str, Any], dict[str, Any]], share: float, more: float) -> None:
        problem, limits = drawn
        best = optimum(oracle_of(problem, limits), limits)
        check_bound(problem, limits, share * best + more)

    check()


def hard_problem(values: int) -> dict[str, Any]:
    """So large that no search of depth six ends within the limits of these tests."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, values, 3000).astype(np.int32) for _ in range(60)]
    labels = (columns[0] + columns[1] + rng.integers(0, 2 * values, 3000)) % 2
    return {"columns": columns, "labels": labels.astype(np.int32), "classes": 2}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("values", [2, 50])
@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_a_time_limit_keeps_the_best_tree(values: int, threads: int, seconds: float) -> None:
    problem = hard_problem(values)
    limits = {"max_depth": 6, "min_samples_leaf": 5, "seconds": seconds, "threads": threads}
    oracle = oracle_of(problem, limits)
    begin = oracle.of_tree(STUMP)[0]
    before = time.perf_counter()
    result = solve(problem, limits, start=STUMP)
    assert time.perf_counter() - before < seconds + 5  # generous: it only must not run for ever
    assert not result["proven"]
    assert not result["interrupted"]
    assert result["objective"] <= begin
    assert 0.0 <= result["lower_bound"] <= result["objective"]
    check_tree(oracle, result, limits)


def test_progress_is_told() -> None:
    told: list[tuple[float, float, float]] = []
    solve(
        hard_problem(2),
        {"max_depth": 6, "seconds": 0.4},
        start=STUMP,
        on_progress=lambda *moment: told.append(moment),
    )
    assert told
    assert all(bound <= objective for _, objective, bound in told)
    assert [moment[1] for moment in told] == sorted((moment[1] for moment in told), reverse=True)


def test_an_error_of_the_callable_comes_out() -> None:
    def fail(*_: float) -> None:
        raise ZeroDivisionError("from on_progress")

    with pytest.raises(ZeroDivisionError, match="from on_progress"):
        solve(
            hard_problem(2),
            {"max_depth": 6, "seconds": 0.5, "threads": 2},
            start=STUMP,
            on_progress=fail,
        )


# --- published -----------------------------------------------------------------------------------


def test_the_toy_set_of_the_thesis() -> None:
    """Dal Maso 2024, table 1.1: eight rows of three features, class = A and (B or not C)."""
    rows = np.array(list(product((1, 0), repeat=3)), dtype=np.int32)
    labels = np.array([1, 1, 0, 1, 0, 0, 0, 0], dtype=np.int32)
    problem = {"columns": list(np.ascontiguousarray(rows.T)), "labels": labels, "classes": 2}
    errors = [solve(problem, {"max_depth": depth})["objective"] for depth in range(4)]
    assert errors == [3.0, 1.0, 1.0, 0.0]
    for depth, error in enumerate(errors):
        assert error == oracle_of(problem, {}).objective(depth)


# --- input that does not fit ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": None}, "either labels, target or regrets"),
        ({"target": np.zeros(4)}, "either labels, target or regrets"),
        ({"columns": [np.zeros(3, dtype=np.int32)]}, "column 0: wrong length"),
        ({"columns": [np.array([0, 1, -1, 0], dtype=np.int32)]}, "column 0: not a code"),
        ({"labels": np.array([0, 1, 2, 0], dtype=np.int32)}, "do not fit"),
        ({"weights": np.ones(3)}, "do not fit"),
        ({"costs": np.ones((3, 3))}, "do not fit"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    problem: dict[str, Any] = {
        "columns": [np.array([0, 1, 1, 0], dtype=np.int32)],
        "labels": np.array([0, 1, 1, 0], dtype=np.int32),
        "classes": 2,
    }
    with pytest.raises(ValueError, match=message):
        solve(problem | change, {})


@pytest.mark.parametrize("start", [[[0, 0, 0, 1]], [[3, 0, 1, 2]], [[0, 0, 1, 9]], [[0, 0, 1]]])
def test_a_start_that_is_no_tree_is_refused(start: list[list[int]]) -> None:
    problem: dict[str, Any] = {
        "columns": [np.array([0, 1], dtype=np.int32)],
        "labels": np.array([0, 1], dtype=np.int32),
        "classes": 2,
    }
    with pytest.raises(ValueError, match="start"):
        solve(problem, {}, start=start)
