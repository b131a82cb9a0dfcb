"""Error-based and reduced-error pruning against recursion over dicts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from helpers.growth_data import random_problem
from helpers.pruning_data import (
    CASES_OF_CLASSES,
    any_problem,
    assert_in_order,
    assert_same,
    training_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import bottom_up_pruning as oracle
from oracles.problem import Column, Problem
from scipy import stats
from sklearn.datasets import load_breast_cancer

from ramify import TreeClassifier, _core
from ramify.learning.training import Training
from ramify.pruning.bottom_up import LEVELS, ErrorBased, ReducedError


def assert_error_based(
    problem: Problem, *, confidence: float, raising: bool, unseen: str = "missing"
) -> int:
    """Equal to the oracle's tree; gives how often a branch was raised."""
    training = training_of(problem, unseen=unseen)
    pruned = ErrorBased(confidence=confidence, raising=raising).prune(training)
    pruned.tree.check()
    assert_in_order(pruned.tree)
    reference = oracle.ErrorBased(problem, confidence, raising, unseen)
    expected = reference.run(oracle.as_dict(pruned.grown.arrays()))
    assert_same(oracle.as_dict(pruned.tree.arrays()), expected)
    return reference.raised


CASES = [
    *CASES_OF_CLASSES,
    {"criterion": "gini with costs", "classes": 3},
    {"criterion": "gini with costs", "classes": 2, "holes": 0.1},
]


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_error_based_is_the_oracle(case: dict[str, Any], raising: bool) -> None:
    raised = 0
    for seed in range(8):
        problem = random_problem(seed, rows=60, **case)
        confidence = (0.25, 0.1, 0.5, 0.4)[seed % 4]
        raised += assert_error_based(problem, confidence=confidence, raising=raising)
    assert raised == 0 or raising


@pytest.mark.parametrize("unseen", ["missing", "majority"])
def test_levels_that_are_new_to_a_raised_branch(unseen: str) -> None:
    """Branches are raised so often that levels reach subtrees which have not seen them."""
    raised = 0
    for seed in range(60):
        split = ("multiway", "auto")[seed % 2]
        problem = random_problem(
            seed,
            rows=80,
            classes=2 + seed % 2,
            kinds="nominal nominal numeric nominal",
            levels=7,
            holes=0.05 * (seed % 3),
            categorical_split=split,
        )
        raised += assert_error_based(problem, confidence=0.4, raising=True, unseen=unseen)
    assert raised >= 20


@settings(max_examples=60, deadline=None)
@given(
    problem=any_problem(),
    confidence=st.sampled_from([0.001, 0.25, 0.5]),
    raising=st.booleans(),
)
def test_error_based_on_any_problem(problem: Problem, confidence: float, raising: bool) -> None:
    assert_error_based(problem, confidence=confidence, raising=raising)


def test_a_tree_that_explains_nothing_becomes_a_leaf() -> None:
    rng = np.random.default_rng(0)
    problem = random_problem(0, rows=200, kinds="numeric nominal")
    shuffled = Problem(problem.columns, rng.permutation(problem.target), None, 2)
    pruned = ErrorBased().prune(training_of(shuffled))
    assert pruned.grown.n_nodes > 50
    assert pruned.tree.n_nodes < pruned.grown.n_nodes / 2


# --- the upper limit of the errors


@pytest.mark.parametrize("confidence", [0.5, 0.25, 0.1, 0.01, 1e-6])
def test_added_errors(confidence: float) -> None:
    for cases in (0.3, 1.0, 1.5, 2.0, 7.0, 100.0, 1e6):
        for share in (0.0, 0.01, 0.3, 0.5, 0.999, 1.0):
            errors = cases * share
            found = _core.added_errors(cases, errors, confidence)
            expected = oracle.added_errors(cases, errors, confidence)
            assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)
            assert found >= -1e-12


def test_added_errors_are_continuous() -> None:
    for cases in (3.0, 10.0, 77.0):
        for at in (1.0, cases - 0.5):
            below = _core.added_errors(cases, at - 1e-9, 0.25)
            above = _core.added_errors(cases, at + 1e-9, 0.25)
            assert below == pytest.approx(above, abs=1e-6)


@pytest.mark.parametrize(
    ("cases", "errors", "limit"),
    # Quinlan 1993, section 4.2: U25%(0, 6) and so on.
    [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750), (16, 1, 0.157)],
)
def test_limits_of_quinlans_book(cases: int, errors: int, limit: float) -> None:
    found = (errors + _core.added_errors(cases, errors, 0.25)) / cases
    exact = float(stats.beta.isf(0.25, errors + 1, cases - errors))
    if errors == 0:
        assert found == pytest.approx(exact, abs=1e-12)
        assert found == pytest.approx(limit, abs=6e-4)  # the book cuts digits off
    else:
        # The exact limit is 0.160; book and code approximate it, each in its own way.
        assert found == pytest.approx(exact, abs=0.01)
        assert found == pytest.approx(limit, abs=0.01)


def test_example_of_quinlans_book() -> None:
    """The subtree on "education spending" of the book: 6 + 9 + 1 cases without errors.

    As a leaf it gets one of 16 wrong. The subtree is charged 6 x 0.206 + 9 x 0.143 + 1 x 0.750 =
    3.273, the leaf 16 x 0.157 = 2.512, so the leaf is chosen; J48's formula gives 2.476 for it.
    """
    charged = sum(n * (1 - 0.25 ** (1 / n)) for n in (6, 9, 1))
    assert charged == pytest.approx(3.273, abs=0.01)
    assert 1 + _core.added_errors(16, 1, 0.25) == pytest.approx(2.476, abs=1e-3)
    spending = np.repeat([0, 1, 2], [6, 9, 1]).astype(float)
    target = np.repeat([0, 0, 1], [6, 9, 1])
    problem = Problem((Column("nominal", spending),), target, None, 2, categorical_split="multiway")
    pruned = ErrorBased().prune(training_of(problem))
    assert pruned.grown.arrays()["value"][1:].tolist() == [[6, 0], [9, 0], [0, 1]]
    assert pruned.tree.n_nodes == 1


def test_error_based_keeps_what_is_worth_it() -> None:
    values = np.repeat([0.0, 1.0], 20)
    problem = Problem((Column("numeric", values),), values.astype(int), None, 2)
    pruned = ErrorBased(confidence=0.01).prune(training_of(problem))
    assert pruned.tree.n_nodes == 3


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"confidence": 0.0}, "confidence=0.0 must be a number above 0 and at most 0.5"),
        ({"confidence": 0.6}, "confidence=0.6"),
        ({"confidence": "low"}, "confidence='low'"),
        ({"confidence": math.nan}, "confidence=nan"),
        ({"raising": 1}, "raising=1 must be True or False"),
    ],
)
def test_error_based_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ErrorBased(**parameters).prune(training_of(random_problem(0)))


def test_error_based_refuses_numbers() -> None:
    problem = random_problem(0, classes=0, criterion="squared_error")
    with pytest.raises(ValueError, match="cannot prune a tree for numbers; choose CostComplexity"):
        ErrorBased().prune(training_of(problem))


# --- reduced-error pruning


def held_out_rows(training: Training, pruning: ReducedError) -> tuple[np.ndarray, np.ndarray]:
    parts = pruning._divide(training, training.target.rows, training.seed)
    assert parts is not None
    return parts


def assert_reduced_error(
    problem: Problem, significance: float | None, *, unseen: str = "missing", seed: int = 0
) -> None:
    training = training_of(problem, unseen=unseen, seed=seed)
    pruning = ReducedError(significance=significance)
    pruned = pruning.prune(training)
    pruned.tree.check()
    assert_in_order(pruned.tree)
    growing, held_out = held_out_rows(training, pruning)
    assert_same(
        oracle.as_dict(pruned.grown.arrays()), oracle.as_dict(training.grow(growing).arrays())
    )
    parts = [(int(row), 1.0) for row in np.flatnonzero(held_out)]
    tree = oracle.as_dict(pruned.grown.arrays())
    expected = oracle.reduced_error(problem, tree, parts, significance, unseen)
    assert_same(oracle.as_dict(pruned.tree.arrays()), expected)


REGRESSION = [
    {"classes": 0, "criterion": "squared_error"},
    {"classes": 0, "criterion": "absolute_error", "weights": "real"},
    {"classes": 0, "criterion": "squared_error", "holes": 0.15, "categorical_split": "multiway"},
    {"classes": 0, "criterion": "squared_error", "weights": "zeros", "ties": False},
    {"classes": 0, "criterion": "quantile", "weights": "real"},
    {"classes": 0, "criterion": "poisson", "holes": 0.15},
    {"classes": 0, "criterion": "poisson", "weights": "whole", "categorical_split": "multiway"},
    {"classes": 0, "criterion": "gamma", "holes": 0.15, "weights": "real"},
    {"classes": 0, "criterion": "moments"},
]


@pytest.mark.parametrize("significance", [None, 0.3, 0.05])
@pytest.mark.parametrize("case", CASES + REGRESSION, ids=str)
def test_reduced_error_is_the_oracle(case: dict[str, Any], significance: float | None) -> None:
    for seed in range(6):
        problem = random_problem(seed, rows=70, **case)
        unseen = ("missing", "majority")[seed % 2]
        assert_reduced_error(problem, significance, unseen=unseen, seed=seed)


def test_holdout_is_stratified_and_seeded() -> None:
    target = np.repeat([0, 1, 2], [60, 30, 9])
    problem = random_problem(0, rows=99, classes=3, weights="zeros")
    problem = Problem(problem.columns, target, problem.weights, 3)
    training = training_of(problem)
    growing, held_out = held_out_rows(training, ReducedError(holdout=1 / 3))
    weights = training.target.weights
    assert weights is not None
    assert ((growing + held_out) == (weights > 0)).all()
    for label in range(3):
        rows = (target == label) & (weights > 0)
        assert abs(held_out[rows].sum() - rows.sum() / 3) <= 1
    again = held_out_rows(training, ReducedError(holdout=1 / 3))
    assert (again[1] == held_out).all()
    other = held_out_rows(training_of(problem, seed=1), ReducedError(holdout=1 / 3))
    assert (other[1] != held_out).any()


def naive_losses(problem: Problem, pruning: ReducedError, training: Training) -> np.ndarray:
    """The cross-validated loss at every level, from the predictions of trees."""
    table = [
        c.values
        if c.kind == "numeric"
        else np.where(np.isnan(c.values), -1, c.values).astype(np.int32)
        for c in problem.columns
    ]
    folds = training.folds(pruning.folds)
    losses = np.zeros(len(LEVELS))
    for fold in range(folds.max() + 1):
        rows = np.flatnonzero((folds >= 0) & (folds != fold))
        parts = pruning._divide(training, rows, training.seed, fold + 1)
        assert parts is not None
        test = folds == fold
        weights = (
            np.ones(len(test)) if training.target.weights is None else training.target.weights
        )[test]
        for i, level in enumerate(LEVELS):
            tree = _core.reduced_error(
                training.problem, training.grow(parts[0]), parts[1], level, training.unseen
            )
            if problem.classes:
                predicted = tree.predict_class(
                    table, "missing", 1, None if problem.costs is None else problem.costs.ravel()
                )[test]
                costs = 1 - np.eye(problem.classes) if problem.costs is None else problem.costs
                loss = costs[problem.target[test], predicted]
            else:
                loss = (problem.target[test] - tree.predict(table).ravel()[test]) ** 2
            losses[i] += weights @ loss
    return losses


@pytest.mark.parametrize(
    "case",
    [
        {"holes": 0.1, "classes": 3},
        {"weights": "zeros"},
        {"criterion": "gini with costs", "classes": 3},
        {"classes": 0, "criterion": "squared_error"},
    ],
    ids=str,
)
def test_level_by_cross_validation(case: dict[str, Any]) -> None:
    chosen = set()
    for seed in range(4):
        problem = random_problem(seed, rows=120, **case)
        training = training_of(problem, seed=seed)
        pruning = ReducedError(significance="cv", folds=4)
        losses = naive_losses(problem, pruning, training)
        best = max(i for i, loss in enumerate(losses) if loss <= losses.min() * (1 + 1e-9))
        growing, _ = pruning._divide(training, training.target.rows, training.seed)
        assert pruning._best_level(training, growing) == LEVELS[best]
        fixed = ReducedError(significance=LEVELS[best], folds=4).prune(training)
        found = pruning.prune(training)
        assert_same(oracle.as_dict(found.tree.arrays()), oracle.as_dict(fixed.tree.arrays()))
        chosen.add(LEVELS[best])
    assert len(chosen) > 1


@pytest.mark.parametrize("significance", [None, 0.05, "cv"])
def test_nothing_to_learn_is_a_leaf(significance: Any) -> None:
    one_class = random_problem(0, rows=20, classes=1)
    one_row = random_problem(0, rows=1, classes=1)
    constant = random_problem(0, rows=20, classes=0, criterion="squared_error")
    constant = Problem(constant.columns, np.full(20, 2.5), None, 0, "squared_error")
    for problem in (one_class, one_row, constant):
        pruned = ReducedError(significance=significance).prune(training_of(problem))
        assert pruned.tree.n_nodes == 1
        assert pruned.tree.arrays()["weight"][0] == len(problem.target)


def test_two_rows() -> None:
    problem = random_problem(0, rows=2, classes=2)
    for significance in (None, "cv"):
        pruned = ReducedError(significance=significance).prune(training_of(problem))
        assert pruned.tree.n_nodes == 1
        assert pruned.tree.arrays()["weight"][0] == 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"holdout": 0.01}, "holdout=0.01 of 40 rows leaves none to prune on"),
        ({"holdout": 0.999}, "holdout=0.999 of 40 rows leaves none to grow on"),
        ({"holdout": 1}, "holdout=1 must be a number between 0 and 1"),
        ({"holdout": "third"}, "holdout='third'"),
        ({"significance": 0}, "significance=0 must be None, 'cv', or a number above 0"),
        ({"significance": "auto"}, "significance='auto'"),
        ({"folds": 1}, "folds=1 must be"),
        ({"folds": None}, "folds=None must be an integer of at least 2"),
    ],
)
def test_reduced_error_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ReducedError(**parameters).prune(training_of(random_problem(0)))


def test_trees_of_other_problems_are_refused() -> None:
    training = training_of(random_problem(0, classes=2))
    other = training_of(random_problem(0, classes=3)).grow()
    marks = np.ones(40, dtype=np.uint8)
    with pytest.raises(ValueError, match="not grown on this problem"):
        _core.error_based(training.problem, other, 0.25, True)
    with pytest.raises(ValueError, match="not grown on this problem"):
        _core.reduced_error(training.problem, other, marks, None)


def test_reduced_error_keeps_its_time() -> None:
    training = training_of(random_problem(0))
    with pytest.warns(RuntimeWarning, match=r"time_limit=0.0: 0 of \d+ folds .* no test is made"):
        pruned = ReducedError(significance="cv", time_limit=0.0).prune(training)
    plain = ReducedError().prune(training)
    np.testing.assert_array_equal(pruned.tree.arrays()["kind"], plain.tree.arrays()["kind"])


def test_level_is_the_same_for_any_number_of_threads() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    trees = [
        TreeClassifier(pruning=ReducedError(significance="cv"), n_jobs=jobs).fit(X, y).tree_
        for jobs in (1, 2)
    ]
    assert trees[0] == trees[1]
