"""Every parameter: what it accepts, and that an error names it, the value and the choices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ramify import TreeClassifier, TreeRegressor

X = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": list("xyxy")})
LABELS = ["p", "q", "p", "q"]
VALUES = [1.0, 2.0, 3.0, 4.0]

LIMIT = "must be None or an integer of at least {least}"
ROWS = r"must be an integer of at least {least} \(rows\) or a float between 0 and 1 \(fraction"
NUMBER = "must be a finite number of at least 0"
SHARE = "must be a number above 0 and at most 1"
WEIGHTS = "choose None, 'balanced', or a dict from class to a weight"

# parameter -> values that must be refused, and the choices that the error must give
BOTH: dict[str, tuple[list[Any], str]] = {
    "criterion": (["ginni", None, 3, ["gini"]], "is not valid; choose from "),
    "categorical_split": (["all", None, 0], "is not valid; choose from auto, exact, "),
    "ties": (["last", None, 1], "is not valid; choose from auto, first, balanced"),
    "selection": (["test", None, 1], "is not valid; choose from criterion, conditional_inference"),
    "alpha": ([0, 1.5, -0.1, np.nan, True, "0.05", None], SHARE),
    "bonferroni": (["yes", None, 1], "must be True or False"),
    "significance": ([0, 2, np.nan, True, "0.05"], "must be None or a number above 0 and at most"),
    "min_second_value": ([-1, np.nan, "3", True, None], NUMBER),
    "growth": (["best", None, 1], "is not valid; choose from depth_first, best_first, "),
    "missing": (["drop", None, np.nan], "is not valid; choose from fractional, separate, dir"),
    "missing_gain": (["all", None, 1], "is not valid; choose from known, divided"),
    "missing_count": (["rows", None, 1], "is not valid; choose from parts, pieces"),
    "unseen": (["ignore", None, -1], "is not valid; choose from missing, majority, error"),
    "max_depth": ([-1, 1.5, True, "3", np.nan, np.inf], LIMIT.format(least=0)),
    "max_leaves": ([0, -1, 2.0, False, "3"], LIMIT.format(least=1)),
    "max_expansions": ([-1, 2.0, False, "3"], LIMIT.format(least=0)),
    "min_samples_split": ([1, 0, 1.0, 1.5, -0.1, True, "2", None], ROWS.format(least=2)),
    "min_samples_leaf": ([0, -3, 0.0, 1.0, 2.5, True, "1", None], ROWS.format(least=1)),
    "min_weight_split": ([-1, np.nan, "3", True, None], NUMBER),
    "min_weight_fraction_leaf": ([-0.1, 0.6, np.nan, "0.1", True, None], "number from 0 to 0.5"),
    "monotone": (["a", 3, True], "choose None, a dict from column to 1"),
    "abandon_small": (["yes", None, 1], "must be True or False"),
    "pruning": (["cart", 3, TreeClassifier], "choose None, one of auto"),
    "n_permutations": ([-1, 2.5, "10", True, None], "must be an integer of at least 0"),
    "verbose": (["yes", None, 1], "must be True or False"),
    "interactions": (
        ["age", 3, [["a"], "b"], [3], [[1.5]], {"a": 1}],
        "must be None or a list of groups|every group must be a list of column names or positions",
    ),
    "exclude": (["a", 3, [1.5], [None], {"a": 1}], "must be a list of column names or positions"),
    "skeleton": (["a", 3, [{}], True], "must be None, a dict with a condition, a tree, or a fit"),
    "min_gain": ([-1.1, np.nan, np.inf, True, "0", None], "must be a finite number of at least -1"),
    "n_jobs": ([0, 1.5, "2", True], "must be None, a positive integer, or -1 for all cores"),
    "categorical_features": (
        ["a", 3, 1.5, True],
        "expected 'from_dtype', None, a boolean mask, column indices or column names",
    ),
    "date_parts": (["month", 3, ["year"], True], "'auto', None or a list of month|is not one of"),
    "min_level_count": ([-1, 1.5, "3", True, None], "must be an integer of at least 0"),
    "identifiers": (["ignore", None, True], "is not valid; choose from warn, drop, keep"),
}
REGRESSOR = {
    **BOTH,
    "quantile": ([0, 1, -0.1, np.nan, True, "0.5", None], "must be a number above 0 and below 1"),
}
CLASSIFIER = {
    **BOTH,
    "numeric_penalty": (["yes", None, 1], "must be True or False"),
    "small_branches": (["yes", None, 1], "must be True or False"),
    "min_support": ([-1, np.nan, "3", True, None], NUMBER),
    "class_weight": (["even", 3, [1, 2]], WEIGHTS),
    "costs": (
        ["dear", 3, [[0, 1]], [[0, 1, 2]] * 3],
        "true class by predicted class, in the order p",
    ),
}


def cases(table: dict[str, tuple[list[Any], str]]) -> list[Any]:
    return [
        pytest.param(name, value, message, id=f"{name}={value!r}")
        for name, (values, message) in table.items()
        for value in values
    ]


def refused(model: Any, y: Any, name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        model.fit(X, y)
    assert f"{name}={value!r}" in str(caught.value)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(("name", "value", "message"), cases(CLASSIFIER))
def test_classifier_refuses(name: str, value: Any, message: str) -> None:
    refused(TreeClassifier(**{name: value}), LABELS, name, value, message)


@pytest.mark.parametrize(("name", "value", "message"), cases(REGRESSOR))
def test_regressor_refuses(name: str, value: Any, message: str) -> None:
    refused(TreeRegressor(**{name: value}), VALUES, name, value, message)


def test_every_parameter_is_covered() -> None:
    free = {"random_state"}  # not used, so anything goes
    assert TreeClassifier().get_params().keys() - free == CLASSIFIER.keys()
    assert TreeRegressor().get_params().keys() - free == REGRESSOR.keys()


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_depth": 10**30, "max_leaves": 10**30},
        {"max_depth": np.int64(2), "min_samples_leaf": np.int8(1), "min_gain": np.float32(0)},
        {"min_samples_split": 0.5, "min_samples_leaf": 0.25},
        {"min_samples_split": 10**30, "min_samples_leaf": 10**30},
        {"n_jobs": -3, "random_state": np.random.default_rng(0)},
        {"n_jobs": 10**30},
        {"min_gain": 10**30},
    ],
)
def test_both_accept(parameters: dict[str, Any]) -> None:
    TreeClassifier(**parameters).fit(X, LABELS).tree_.check()
    TreeRegressor(**parameters).fit(X, VALUES).tree_.check()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"p": -1}, "-1 for class 'p' is not valid"),
        ({"p": np.nan, "q": 1}, "nan for class 'p' is not valid"),
        ({"p": "two"}, "'two' for class 'p' is not valid"),
        ({"z": 2}, r"class_weight=\{'z': 2\} names 'z', which is not a class; .* 'p', 'q'"),
        ({"p": 0, "q": 0}, "leaves no class a weight"),
    ],
)
def test_class_weight_by_class_is_checked(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier(class_weight=weights).fit(X, LABELS)


def test_class_weight_accepts() -> None:
    for weights in ({"p": 0}, {"p": 1, "q": 2.5, "another": 3}, {}, "balanced", None):
        TreeClassifier(class_weight=weights).fit(X, LABELS)
    labels = np.array([True, False, True, False])
    model = TreeClassifier(class_weight={False: 3, True: 1}).fit(X, labels)
    assert model.tree_.nodes[0].value.tolist() == [6.0, 2.0]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, np.inf], [1, 0]], "must be finite"),
        ([[0, np.nan], [1, 0]], "must be finite"),
        ([[0, 1, 2, 3], [1, 0, 2, 3]], r"need \(2, 2\), or \(2, 3\) with the costs of abstaining"),
        ([[0, 1], [1]], "must be None or a matrix of numbers"),
    ],
)
def test_costs_are_checked(costs: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier(costs=costs).fit(X, LABELS)


def test_exact_splits_do_not_go_with_absolute_error() -> None:
    with pytest.raises(ValueError, match="choose 'auto' or 'multiway'"):
        TreeRegressor(criterion="absolute_error", categorical_split="exact").fit(X, VALUES)


# --- the target and the weights -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed"),
        (LABELS[:3], "inconsistent numbers of samples"),
        (["p", None, "q", "q"], r"every row needs a class, and row 1 has none \(1 of 4 rows\)"),
        (pd.Series(["p", pd.NA, "q", "q"], dtype="string"), "row 1 has none"),
        (pd.Series(["p", "q", None, "q"], dtype="category"), "row 2 has none"),
        (pd.Series([1, 0, pd.NA, 1], dtype="Int64"), "row 2 has none"),
        ([1.0, np.nan, 0.0, 1.0], "y contains NaN"),
        (np.array([1.0, np.nan, 0.0, 1.0]), "y contains NaN"),
        ([True, None, False, True], "row 1 has none"),
        (["p", 1, "q", 2], "y mixes strings and int"),
        ([1.5, 2.5, 3.5, 4.5], "expects discrete classes on a regression target"),
        ([["p", "q"]] * 4, "1d array"),
    ],
)
def test_classifier_refuses_a_target(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier().fit(X, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed"),
        (VALUES[:3], "inconsistent numbers of samples"),
        ([1.0, None, 2.0, 3.0], "y contains NaN"),
        ([1.0, np.inf, 2.0, 3.0], "y contains infinity"),
        (LABELS, "y must be numbers: .* For classes use TreeClassifier"),
        (pd.to_datetime(pd.Series(["2020-01-01"] * 4)), "convert it first, for example to days"),
        ([[1.0, 2.0]] * 4, "1d array"),
    ],
)
def test_regressor_refuses_a_target(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeRegressor().fit(X, y)


@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor()])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, 1], "one weight per row"),
        ([1, 1, 1, -2], "must not be negative, but row 3 has -2.0"),
        ([1, 1, 1, np.nan], "sample_weight contains NaN"),
        ([1, 1, 1, np.inf], "sample_weight contains infinity"),
        ([0, 0, 0, 0], "must not be all zero"),
        (["a"] * 4, "sample_weight must be numbers"),
        ([[1]] * 4, "must be 1D"),
    ],
)
def test_weights_are_checked(model: Any, weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.fit(X, [0, 1, 0, 1], sample_weight=weights)


@pytest.mark.parametrize("weights", [2, 2.0, [2] * 4, pd.Series([2.0] * 4, index=[9, 8, 7, 6])])
def test_weights_may_be_one_number_or_a_series(weights: Any) -> None:
    model = TreeClassifier().fit(X, LABELS, sample_weight=weights)
    assert model.tree_.nodes[0].weight == 8.0
    assert model.tree_.nodes[0].rows == 4
