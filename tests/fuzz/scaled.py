"""The campaign of fits past memory: the tree from counts beside the tree of a fit in memory.

Where rounding may decide, trees may differ at ties alone (docs/scale.md, "What is exact").
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from helpers.rounded_ties import assert_same_but_for_ties
from helpers.scale_data import assert_same_tree, in_partitions

from fuzz import fits
from fuzz.campaign import Case
from fuzz.drawing import draw_problem
from fuzz.parameters import one
from fuzz.problem import Problem, as_frame

name = "scale"
TARGET, WEIGHT = "the target", "the weight"
#: Parameters that are mostly refused out of core; a tenth of the cases keep them.
_REFUSED = ("missing_count", "n_permutations", "identifiers", "pruning")


def draw(number: int) -> Case:
    rng = np.random.default_rng([number, 1])
    problem = next(p for p in _problems(number) if p.estimator.startswith("Tree"))
    # A case of few rows fits in any memory.
    rows = int(one(rng, [25, 60, 120, 300]))
    problem = problem.take(rng.integers(0, len(problem.target), rows).tolist())
    keeps = rng.random() < 0.1
    given = {k: v for k, v in problem.parameters.items() if keeps or k not in _REFUSED}
    if not keeps and rng.random() < 0.3:
        given["pruning"] = one(
            rng,
            ["auto", "critical_value", "reduced_error", {"is": "CostComplexity", "alpha": 0.02}],
        )
    return {
        "problem": replace(problem, parameters=given, frame="arrow").case(),
        "partitions": int(one(rng, [1, 2, 3, 7])),
        "memory_limit": int(one(rng, [2_000, 4_000, 6_000, 12_000, 30_000])),
        "shuffled": bool(rng.random() < 0.3) and "pruning" not in given,
    }


def _problems(number: int) -> Iterator[Problem]:
    for i in itertools.count():
        problem = draw_problem(number * 64 + i)
        if len(problem.target) >= 13:
            yield problem


def run(case: Case, number: int) -> str:
    problem = Problem.of(case["problem"])
    try:
        expected = problem.fit()
    except ValueError:
        expected = None
    try:
        found = _fit_by_counts(problem, case)
    except ValueError as error:
        if expected is None or "out of core" in str(error):
            return "refused"
        raise
    assert expected is not None, "a fit in memory is refused, and this one is not"
    _compare(problem, found, expected)
    return "fitted"


def _fit_by_counts(problem: Problem, case: Case) -> Any:
    from ramify import scale

    table = as_frame(problem.columns, "arrow").append_column(TARGET, [problem.target])
    if problem.weights is not None:
        table = table.append_column(WEIGHT, [problem.weights])
    source = in_partitions(table, case["partitions"], seed=1 if case["shuffled"] else None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scale.fit(
            problem.make(),
            source,
            TARGET,
            weight=None if problem.weights is None else WEIGHT,
            memory_limit=case["memory_limit"],
        )


def _compare(problem: Problem, found: Any, expected: Any) -> None:
    given = problem.parameters
    weighted = problem.weights is not None or "class_weight" in given
    if problem.classifies and not weighted and "monotone" not in given:
        assert_same_tree(found.tree_.core, expected.tree_.core)
        return
    inputs = [column.input for column in expected.schema_.columns]
    signs = {inputs.index(k): v for k, v in (given.get("monotone") or {}).items() if k in inputs}
    assert_same_but_for_ties(
        found.fitted_.grown.core,
        expected.fitted_.grown.core,
        monotone=signs,
        weigh_gains=given.get("growth") != "best_first_unweighted",
        limited="max_leaves" in given or "max_expansions" in given,
    )


def smaller(case: Case) -> Iterator[Case]:
    for problem in fits.smaller(case["problem"]):
        yield case | {"problem": problem | {"frame": "arrow"}}
    for key, plain in (("partitions", 1), ("shuffled", False)):
        if case[key] != plain:
            yield case | {key: plain}
