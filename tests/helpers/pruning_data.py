"""Random problems for the prunings, and comparisons of pruned trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from oracles import bottom_up_pruning as oracle
from oracles.problem import Problem

from helpers.growth_data import random_problem
from ramify import _core
from ramify.learning.number_loss import NumberLoss
from ramify.learning.target import Target
from ramify.learning.training import Training
from ramify.tables import Table

#: Options of random problems with classes.
CASES_OF_CLASSES: list[dict[str, Any]] = [
    {},
    {"holes": 0.15},
    {"weights": "whole", "holes": 0.1},
    {"weights": "real"},
    {"weights": "zeros", "classes": 3},
    {"categorical_split": "multiway", "levels": 6},
    {"categorical_split": "multiway", "levels": 12, "holes": 0.1, "classes": 3},
    {"categorical_split": "multiway", "missing": "separate", "holes": 0.2},
    {"missing": "separate", "holes": 0.2, "kinds": "nominal nominal nominal numeric"},
    {"missing": "direction", "holes": 0.2},
    {"kinds": "nominal nominal nominal", "levels": 9, "holes": 0.05, "weights": "real"},
    {"criterion": "gain_ratio", "categorical_split": "multiway", "min_samples_leaf": 2},
    {"growth": "best_first", "holes": 0.1},
    {"ties": False, "kinds": "numeric numeric numeric"},
]


@st.composite
def any_problem(draw: st.DrawFn, *, regression: bool = False) -> Problem:
    """Draw a random problem of one to four classes; with regression, of numbers too."""
    classes = draw(st.integers(0 if regression else 1, 4))
    return random_problem(
        draw(st.integers(0, 10**6)),
        rows=max(draw(st.integers(1, 50)), classes),
        classes=classes,
        holes=draw(st.sampled_from([0.0, 0.1, 0.5])),
        weights=draw(st.sampled_from(["none", "whole", "real", "zeros"])),
        categorical_split=draw(st.sampled_from(["auto", "multiway"])),
        missing=draw(st.sampled_from(["fractional", "separate", "direction"])),
        levels=8,
        criterion="gini" if classes else "squared_error",
    )


def training_of(problem: Problem, *, unseen: str = "missing", seed: int = 0) -> Training:
    table = _core.Table(len(problem.target))
    for column in problem.columns:
        if column.kind == "numeric":
            table.add_numeric([np.ascontiguousarray(column.values)])
            continue
        codes = np.where(np.isnan(column.values), -1, column.values).astype(np.int32)
        table.add_codes(column.kind, codes, int(codes.max(initial=0)) + 1)
    parameters = {
        "growth": problem.growth,
        "missing": problem.missing,
        "min_samples_leaf": float(problem.min_samples_leaf),
        "threads": 1,
    }
    if problem.classes:
        target = problem.target.astype(np.int32)
        core = _core.classification_problem(
            table,
            target,
            problem.classes,
            problem.weights,
            problem.criterion,
            problem.categorical_split,
            0.0,
            None if problem.costs is None else problem.costs.ravel(),
            parameters,
        )
    else:
        target = problem.target
        multiway = problem.categorical_split == "multiway"
        core = _core.regression_problem(
            table,
            target,
            problem.weights,
            problem.criterion,
            multiway,
            parameters,
            problem.quantile,
        )
    return Training(
        problem=core,
        target=Target(
            target,
            problem.weights,
            classes=np.arange(problem.classes) if problem.classes else None,
            costs=problem.costs,
        ),
        loss=NumberLoss.of_criterion(problem.criterion).name,
        order="best_first",
        unseen=unseen,
        seed=seed,
        verbose=False,
    )


def training_on(estimator: Any, X: Any, y: Any, weights: Any = None) -> Training:
    """What a fit of the estimator starts from."""
    settings, table = estimator.check_parameters(), Table.read(X)
    target = estimator._read_target(y, weights, table.n_rows)
    return estimator.training(table, target, settings)


def assert_same(found: oracle.Node, expected: oracle.Node, where: str = "root") -> None:
    for name in ("kind", "attribute", "missing_to", "branch_of", "rows"):
        assert found[name] == expected[name], f"{name} at {where}"
    if found["kind"] == "threshold":
        assert found["threshold"] == expected["threshold"]
    for name in ("proportion", "value", "gain", "prediction"):
        np.testing.assert_allclose(
            found[name], expected[name], rtol=1e-9, atol=1e-9, err_msg=f"{name} at {where}"
        )
    assert len(found["children"]) == len(expected["children"])
    for b, pair in enumerate(zip(found["children"], expected["children"], strict=True)):
        assert_same(*pair, where=f"{where}.{b}")


def assert_in_order(tree: _core.Tree) -> None:
    """Expansions are numbered without gaps; each creates the next nodes."""
    arrays = tree.arrays()
    inner = np.flatnonzero(arrays["kind"])
    order = inner[np.argsort(arrays["expansion"][inner])]
    assert arrays["expansion"][order].tolist() == list(range(len(order)))
    created = [0]
    for node in order:
        first = int(arrays["first_child"][node])
        assert first == len(created)
        created += range(first, first + int(arrays["n_children"][node]))
    assert len(created) == tree.n_nodes
    assert np.isnan(arrays["key"]).all()
    leaves = arrays["kind"] == 0
    assert (np.diff(arrays["competitor_start"])[leaves] == 0).all()
