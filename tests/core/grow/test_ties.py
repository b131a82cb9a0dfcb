"""Which of several splits with the same score is made, against the rule written slowly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.growth_data import assert_same_tree, fit, random_problem
from helpers.growth_tasks import BINARY, TASKS, made, mixed, policy
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.attribute_splits import balance_of
from oracles.greedy import divide, grow
from oracles.problem import Column, Problem

from ramify import TreeClassifier, TreeRegressor

# Numbers have ties by ranks alone.
BY_RANKS = ("absolute_error", "quantile")
RANKED_TASKS = [(k, c) for k, c in TASKS if k > 0 or c in BY_RANKS]
PLATEAU_TASKS = [(k, c) for k in (2, 3, 4) for c in ("misclassification", "maxdif")]
PLATEAU_TASKS += [(0, c) for c in BY_RANKS]
plateau_task = pytest.mark.parametrize(("classes", "criterion"), PLATEAU_TASKS)
rule = pytest.mark.parametrize("ties", ["auto", "first", "balanced"])


@pytest.mark.parametrize(("classes", "criterion", "weights", "missing"), mixed(RANKED_TASKS))
def test_balanced_for_every_criterion(classes, criterion, weights, missing):
    problem = made(31, missing, rows=24, classes=classes, criterion=criterion, weights=weights)
    assert_same_tree(replace(problem, ties="balanced"))


@plateau_task
@rule
@policy
@pytest.mark.parametrize("min_gain", [0.0, -1.0])
def test_criteria_with_plateaus(classes, criterion, ties, missing, min_gain):
    # Where splits that gain nothing are made, almost every node has ties.
    for seed, weights in ((32, "none"), (33, "real")):
        problem = made(
            seed, missing, rows=26, classes=classes, criterion=criterion, weights=weights
        )
        if criterion in BY_RANKS:
            problem = replace(problem, target=np.round(problem.target))
        assert_same_tree(replace(problem, ties=ties, min_gain=min_gain))


@plateau_task
@rule
@pytest.mark.parametrize("kind", ["numeric", "ordinal", "nominal"])
@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_one_kind_of_column(classes, criterion, ties, kind, split):
    problem = random_problem(
        34,
        rows=30,
        kinds=f"{kind} {kind} {kind}",
        classes=classes,
        criterion=criterion,
        categorical_split=split,
        min_gain=-1.0,
    )
    assert_same_tree(replace(problem, ties=ties))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", *BINARY[:1]])
@pytest.mark.parametrize("missing_gain", ["known", "divided"])
@pytest.mark.parametrize("missing_count", ["parts", "pieces"])
def test_rows_that_are_divided(criterion, missing_gain, missing_count):
    problem = made(35, "fractional", rows=24, classes=3, criterion=criterion, min_gain=-1.0)
    problem = replace(problem, missing_gain=missing_gain, missing_count=missing_count)
    assert_same_tree(replace(problem, ties="balanced"))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    classes=st.sampled_from([2, 3]),
    criterion=st.sampled_from(["gini", "misclassification", "maxdif"]),
    min_gain=st.sampled_from([0.0, -1.0]),
)
def test_columns_of_few_values(seed, classes, criterion, min_gain):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(8, 30))
    kinds = rng.choice(["numeric", "ordinal", "nominal"], 4)
    columns = tuple(Column(str(k), rng.integers(0, 4, rows).astype(float)) for k in kinds)
    target = rng.integers(0, classes, rows)
    target[:classes] = np.arange(classes)
    problem = Problem(
        columns, target, classes=classes, criterion=criterion, min_gain=min_gain, ties="balanced"
    )
    assert_same_tree(problem)


def test_the_best_balanced_of_all_cuts_that_tie():
    # Every cut between the rows of the majority gains nothing.
    y = np.array([0] * 9 + [1, 0, 0])
    x = np.arange(12.0)
    root = {}
    for ties in ("first", "balanced"):
        tree = TreeClassifier(criterion="misclassification", min_gain=-1.0, max_depth=1, ties=ties)
        root[ties] = tree.fit(x[:, None], y).tree_.nodes[0].condition.value
    assert root == {"first": 0.5, "balanced": 5.5}


def test_the_best_balanced_attribute_wins():
    # Both columns gain nothing at any cut; the second has one in the middle.
    y = np.array([0] * 7 + [1])
    uneven = np.array([0, 1, 1, 1, 1, 1, 1, 1.0])
    even = np.array([0, 0, 0, 0, 1, 1, 1, 1.0])
    X = np.column_stack([uneven, even])
    asked = {
        ties: TreeClassifier(criterion="maxdif", min_gain=-1.0, max_depth=1, ties=ties)
        .fit(X, y)
        .tree_.data["attribute"][0]
        for ties in ("first", "balanced")
    }
    assert asked == {"first": 0, "balanced": 1}


def test_no_tied_split_is_better_balanced():
    # Said without the oracle's choice: no cut of a column of numbers scores as much as the one
    # made and is better balanced.
    problem = random_problem(36, rows=60, kinds="numeric", classes=2, criterion="misclassification")
    problem = replace(problem, ties="balanced", min_gain=-1.0)
    for node in grow(problem):
        if node.split is None:
            continue
        children, _ = divide(problem, node.rows, node.split)
        made_balance = balance_of(children)
        y, x = problem.target[node.rows.index], problem.columns[0].values[node.rows.index]

        def errors(side: np.ndarray) -> int:
            return len(side) - np.bincount(side, minlength=2).max()

        scores = {}
        for cut in np.unique(x)[:-1]:
            left = x <= cut
            scores[cut] = (errors(y[left]) + errors(y[~left]), min(left.mean(), 1 - left.mean()))
        least = min(wrong for wrong, _ in scores.values())
        best = max(share for wrong, share in scores.values() if wrong == least)
        assert made_balance == pytest.approx(best)


@pytest.mark.parametrize("criterion", ["misclassification", "gini"])
def test_any_number_of_threads_grows_the_same_tree(criterion):
    rng = np.random.default_rng(37)
    X = rng.integers(0, 40, (3000, 8)).astype(float)
    X[:, 4:] += rng.random((3000, 4))  # some columns are counted, others are ordered
    y = rng.integers(0, 3, 3000)
    trees = [
        TreeClassifier(criterion=criterion, ties="balanced", n_jobs=jobs, max_depth=12).fit(X, y)
        for jobs in (1, 4)
    ]
    for name, array in trees[0].tree_.data.items():
        np.testing.assert_array_equal(array, trees[1].tree_.data[name], err_msg=name)


def test_auto():
    problem = random_problem(38, rows=60, classes=3, min_gain=-1.0)
    for criterion, same in (("maxdif", "balanced"), ("gini", "first"), ("entropy", "first")):
        one = fit(replace(problem, criterion=criterion))
        other = fit(replace(problem, criterion=criterion, ties=same))
        assert one.to_text() == other.to_text()


def test_refused():
    X, y = [[0.0], [1.0]], [0.0, 1.0]
    with pytest.raises(ValueError, match=r"ties='balanced' does not fit criterion='squared_error'"):
        TreeRegressor(ties="balanced").fit(X, y)
    with pytest.raises(ValueError, match=r"ties='last'.*choose from auto, first, balanced"):
        TreeClassifier(ties="last").fit(X, ["a", "b"])
