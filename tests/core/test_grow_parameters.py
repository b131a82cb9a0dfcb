"""What crosses into the core is read by name: what it does not know, it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ramify import _core


def problem(parameters: dict[Any, Any], *, numbers: bool = False) -> _core.Problem:
    table = _core.Table(4)
    table.add_matrix(np.arange(4.0).reshape(-1, 1))
    if numbers:
        target = np.arange(4.0)
        return _core.regression_problem(table, target, None, "squared_error", False, parameters)
    labels = np.array([0, 0, 1, 1], np.int32)
    return _core.classification_problem(
        table, labels, 2, None, "gini", "auto", 0.0, None, parameters
    )


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_dept": 3}, "parameters has no 'max_dept'; choose from growth, .*max_depth"),
        ({3: 3}, "parameters has no 3; choose from"),
        ({"multiway": True}, "parameters has no 'multiway'"),
        ({"missing": "fractionl"}, "missing 'fractionl' is not one of fractional, separate, dir"),
        ({"missing": 3}, "missing=3 must be a string"),
        ({"max_depth": 2.5}, "max_depth=2.5 must be a whole number"),
        ({"max_depth": True}, "max_depth=True must be a whole number"),
        ({"seed": -1}, "seed=-1 must be a whole number of at least 0"),
        ({"min_gain": "large"}, "min_gain='large' must be a number"),
        ({"bonferroni": 1}, "bonferroni=1 must be True or False"),
        ({"merge": True}, "merge=True must be a dict"),
        ({"merge": {"tset": "f"}}, "merge has no 'tset'; choose from alpha, resplit"),
        ({"merge": {"test": "g"}}, "test 'g' is not one of pearson, likelihood_ratio, f"),
    ],
)
def test_the_core_refuses_what_it_does_not_know(
    parameters: dict[Any, Any], message: str, numbers: bool
) -> None:
    with pytest.raises(ValueError, match=message):
        problem(parameters, numbers=numbers)


def test_what_is_not_given_keeps_its_default() -> None:
    assert _core.grow(problem({})).n_nodes == 3
    assert _core.grow(problem({"max_depth": 0})).n_nodes == 1
    assert _core.grow(problem({"merge": None, "threads": 10**6})).n_nodes == 3


def test_parameters_that_need_each_other() -> None:
    with pytest.raises(ValueError, match="selection 'chaid' needs 'merge'"):
        problem({"selection": "chaid"})


def test_parameters_and_choices_are_told() -> None:
    assert {"max_depth", "missing", "merge", "seed", "threads"} < set(_core.grow_parameters())
    assert _core.choices("missing") == ["fractional", "separate", "direction"]
    assert _core.choices("unseen") == ["missing", "majority", "error"]
    assert _core.choices("number_criterion") == [
        "squared_error",
        "absolute_error",
        "quantile",
        "poisson",
        "gamma",
    ]
    assert _core.choices("test") == ["pearson", "likelihood_ratio", "f"]
    for name in ("max_depth", "colour"):
        with pytest.raises(ValueError, match=f"no choices are called '{name}'"):
            _core.choices(name)


def test_limits_of_an_optimal_tree_are_checked_too() -> None:
    columns, labels = [np.array([0, 1], np.int32)], np.array([0, 1], np.int32)
    with pytest.raises(ValueError, match="limits has no 'depth'; choose from max_depth"):
        _core.optimal_tree(columns, labels=labels, classes=2, limits={"depth": 1})
    with pytest.raises(ValueError, match="switches has no 'cash'; choose from cache"):
        _core.optimal_tree(columns, labels=labels, classes=2, switches={"cash": True})
