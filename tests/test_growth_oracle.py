"""The fast search against the oracle, over criterion x weights x missing policy x kinds x seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from growth_data import assert_root, assert_same_tree, fit, random_problem
from oracles.greedy import LEAST_FRACTION, grow
from oracles.problem import Column, Problem

CLASSIFICATION = (
    "gini",
    "entropy",
    "misclassification",
    "gini with costs",
    "gini with support",
    "callable",
)
TASKS = [(classes, criterion) for classes in (2, 3) for criterion in CLASSIFICATION]
TASKS += [(0, "squared_error"), (0, "absolute_error")]
WEIGHTS = ("none", "whole", "real", "zeros")
POLICIES = ("complete", "fractional", "separate", "direction")

task = pytest.mark.parametrize(("classes", "criterion"), TASKS)
weighting = pytest.mark.parametrize("weights", WEIGHTS)
policy = pytest.mark.parametrize("missing", POLICIES)


def made(seed: int, missing: str, **options):
    if missing != "complete":
        options |= {"missing": missing, "holes": options.get("holes", 0.2)}
    return random_problem(seed, **options)


@task
@weighting
@policy
def test_root_split(classes, criterion, weights, missing):
    for seed, ties in ((1, True), (2, False)):
        problem = made(
            seed, missing, classes=classes, criterion=criterion, weights=weights, ties=ties
        )
        # Under absolute error the order of the medians is a heuristic.
        assert_root(problem, exact=criterion != "absolute_error")


@task
@weighting
@policy
def test_whole_tree(classes, criterion, weights, missing):
    problem = made(3, missing, rows=24, classes=classes, criterion=criterion, weights=weights)
    assert_same_tree(problem)


@task
@policy
@pytest.mark.parametrize("kind", ["numeric", "ordinal", "nominal"])
def test_one_kind_of_column(classes, criterion, missing, kind):
    problem = made(
        4, missing, rows=25, kinds=f"{kind} {kind}", classes=classes, criterion=criterion
    )
    assert_root(problem, exact=criterion != "absolute_error")
    assert_same_tree(problem)


@task
@policy
def test_multiway(classes, criterion, missing):
    problem = made(
        5, missing, rows=30, classes=classes, criterion=criterion, categorical_split="multiway"
    )
    tree = assert_same_tree(problem)
    if criterion not in ("misclassification", "gini with support"):
        assert 3 in fit(problem).data["kind"]
    assert tree.n_nodes > 1


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("weights", ["none", "real"])
@policy
def test_principal_component(classes, weights, missing):
    for seed in range(3):
        problem = made(
            seed,
            missing,
            rows=200,
            classes=classes,
            weights=weights,
            levels=9,
            categorical_split="pc",
        )
        assert_root(problem, exact=False)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_many_levels(criterion):
    problem = random_problem(
        8,
        rows=150,
        kinds="nominal numeric",
        classes=3,
        levels=30,
        criterion=criterion,
        categorical_split="pc",
    )
    assert_root(problem, exact=False)
    # Two classes: the order by class share is exact at any number of levels; 12 can be enumerated.
    problem = random_problem(
        9, rows=150, kinds="nominal numeric", classes=2, levels=12, criterion=criterion
    )
    assert_root(problem)


@pytest.mark.parametrize("rows", [300, 9000])
@pytest.mark.parametrize(("classes", "criterion"), [(2, "gini"), (2, "entropy"), (3, "gini")])
@policy
def test_many_rows(rows, classes, criterion, missing):
    # Large nodes are walked block by block, and most blocks cannot hold the best cut. Three columns
    # hide their most frequent value, zero.
    problem = made(12, missing, rows=rows, kinds="numeric ordinal nominal", classes=classes)
    rng = np.random.default_rng(rows)
    columns = list(problem.columns)
    for share in (0.6, 0.8, 0.95):
        values = (problem.target * 0.3 + rng.normal(size=rows)).round(1)
        columns.append(Column("numeric", np.where(rng.random(rows) < share, 0.0, values)))
    assert_root(replace(problem, columns=tuple(columns), criterion=criterion, max_depth=2))
    # The same without columns that say much: the best cuts are nearly ties.
    noise = tuple(replace(c, values=rng.permutation(c.values)) for c in columns)
    assert_root(replace(problem, columns=noise, criterion=criterion))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("categorical_split", ["auto", "exact"])
@policy
def test_exact_under_a_leaf_minimum(classes, categorical_split, missing):
    for seed in range(3):
        problem = made(
            seed,
            missing,
            rows=40,
            kinds="nominal numeric nominal",
            classes=classes,
            categorical_split=categorical_split,
            min_samples_leaf=6,
        )
        # "auto" orders the levels of two classes, which a leaf minimum makes a heuristic.
        assert_root(problem, exact=(classes, categorical_split) != (2, "auto"))


@pytest.mark.parametrize("growth", ["depth_first", "best_first", "best_first_unweighted"])
@pytest.mark.parametrize("max_leaves", [None, 6])
@task
def test_order_of_growth(growth, max_leaves, classes, criterion):
    # Real weights: no two nodes are equally worth expanding.
    problem = random_problem(
        6,
        rows=30,
        classes=classes,
        criterion=criterion,
        weights="real",
        growth=growth,
        max_leaves=max_leaves,
    )
    tree = assert_same_tree(problem)
    assert tree.n_leaves <= (max_leaves or 30)


@pytest.mark.parametrize(
    "limits",
    [
        {"max_depth": 0},
        {"max_depth": 2},
        {"min_samples_leaf": 4},
        {"min_samples_split": 9},
        {"min_gain": 0.12},
        {"max_depth": 3, "min_samples_leaf": 2, "min_gain": 0.01, "max_leaves": 4},
    ],
)
@policy
@pytest.mark.parametrize("classes", [3, 0])
def test_limits(limits, missing, classes):
    criterion = "gini" if classes else "squared_error"
    options = {"classes": classes, "criterion": criterion, "weights": "real"}
    limited = assert_same_tree(made(7, missing, **options, **limits))
    free = fit(made(7, missing, **options))
    assert limited.n_leaves < free.n_leaves  # the limit was reached


@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error"])
def test_parts_of_rows_that_are_too_light_to_divide(split, criterion):
    # The right half of the rows weighs next to nothing, so little of a row without any value goes
    # there, and where the half is divided again, that part stays whole.
    rng = np.random.default_rng(0)
    half, holes = 30, 4
    side = np.repeat([0.0, 1.0, np.nan], [half, half, holes])
    number = np.concatenate([rng.normal(size=2 * half).round(1), np.full(holes, np.nan)])
    level = np.concatenate([rng.integers(0, 4, 2 * half), np.full(holes, np.nan)])
    target = np.where(side == 1.0, 1 + (number > 0) + (level > 1), 0)
    classes = 4
    if criterion.endswith("error"):
        target, classes = target + rng.normal(scale=0.01, size=len(side)), 0
    weights = np.where(side == 1.0, rng.uniform(0.5e-3, 1e-3, len(side)), 1.0)
    columns = (Column("numeric", side), Column("numeric", number), Column("nominal", level))
    problem = Problem(columns, target, weights, classes, criterion, categorical_split=split)
    assert_same_tree(problem)
    kept_whole = 0
    for node in grow(problem):
        if node.split is not None:
            cells = problem.cells(node.split.attribute, node.rows)
            kept_whole += (np.isnan(cells) & (node.rows.fraction < LEAST_FRACTION)).sum()
    assert kept_whole > 0  # otherwise nothing was tested


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
def test_a_callable_sees_no_rounding_dust(missing):
    def score(counts):
        assert (counts >= 0).all(), counts
        assert not ((counts > 0) & (counts < 1e-9)).any(), counts
        return float((counts.max(axis=1).sum() - counts.sum(axis=0).max()) / counts.sum())

    for seed in range(40):
        problem = random_problem(
            seed, rows=25, classes=3, weights="real", holes=0.3, missing=missing, criterion=score
        )
        assert fit(problem, max_depth=1).n_leaves == 2
