"""The fast search against the oracle, over criterion x weights x missing policy x kinds x seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.growth_data import assert_root, assert_same_tree, fit, random_problem
from helpers.growth_tasks import BINARY, HEURISTIC, made, mixed, policy, task, weighting
from oracles.greedy import grow
from oracles.problem import PLATEAUS, Column, Problem


@task
@weighting
@policy
def test_root_split(classes, criterion, weights, missing):
    for seed, ties in ((1, True), (2, False)):
        problem = made(
            seed, missing, classes=classes, criterion=criterion, weights=weights, ties=ties
        )
        assert_root(problem, exact=criterion not in HEURISTIC)


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
    assert_root(problem, exact=criterion not in HEURISTIC)
    assert_same_tree(problem)


@task
@policy
def test_multiway(classes, criterion, missing):
    if criterion in BINARY:
        pytest.skip("the criterion is defined for two children")
    problem = made(
        5, missing, rows=30, classes=classes, criterion=criterion, categorical_split="multiway"
    )
    tree = assert_same_tree(problem)
    if criterion not in (*PLATEAUS, "mpi") and not str(criterion).endswith("with support"):
        assert 3 in fit(problem).data["kind"]
    assert tree.n_nodes > 1


@pytest.mark.parametrize("categorical_split", ["pc", "shi"])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("weights", ["none", "real"])
@policy
def test_principal_component(categorical_split, classes, weights, missing):
    for seed in range(3):
        problem = made(
            seed,
            missing,
            rows=200,
            classes=classes,
            weights=weights,
            levels=9,
            categorical_split=categorical_split,
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
@pytest.mark.parametrize(
    "criterion",
    ["gini", "entropy", "squared_error", "absolute_error", "quantile", "poisson", "gamma"],
)
def test_parts_of_rows_that_are_too_light_to_divide(split, criterion):
    # The right half of the rows weighs next to nothing. So only a small part of a row without any
    # value goes there, and that part is not divided again below.
    rng = np.random.default_rng(0)
    half, holes = 30, 4
    side = np.repeat([0.0, 1.0, np.nan], [half, half, holes])
    number = np.concatenate([rng.normal(size=2 * half).round(1), np.full(holes, np.nan)])
    level = np.concatenate([rng.integers(0, 4, 2 * half), np.full(holes, np.nan)])
    target = np.where(side == 1.0, 1 + (number > 0) + (level > 1), 0)
    classes = 4
    if criterion not in ("gini", "entropy"):
        target, classes = target + 1.0 + rng.normal(scale=0.01, size=len(side)), 0
    weights = np.where(side == 1.0, rng.uniform(0.5e-3, 1e-3, len(side)), 1.0)
    columns = (Column("numeric", side), Column("numeric", number), Column("nominal", level))
    problem = Problem(columns, target, weights, classes, criterion, categorical_split=split)
    assert_same_tree(problem)
    kept_whole = 0
    for node in grow(problem):
        if node.split is not None:
            cells = problem.cells(node.split.attribute, node.rows)
            kept_whole += (np.isnan(cells) & (node.rows.fraction < problem.least_fraction)).sum()
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


SELECTION_TASKS = [
    (2, "gini"),
    (3, "entropy"),
    (3, "gain_ratio"),
    (0, "squared_error"),
    (0, "absolute_error"),
    (0, "poisson"),
]
selecting = pytest.mark.parametrize(("classes", "criterion"), SELECTION_TASKS)


@pytest.mark.parametrize(("classes", "criterion", "weights", "missing"), mixed(SELECTION_TASKS))
@pytest.mark.parametrize(("alpha", "bonferroni"), [(0.3, True), (0.1, False), (1.0, True)])
def test_conditional_inference(classes, criterion, weights, missing, alpha, bonferroni):
    for seed, rows in ((21, 25), (22, 60)) if weights == "none" else ((21, 25),):
        problem = made(
            seed,
            missing,
            rows=rows,
            classes=classes,
            criterion=criterion,
            weights=weights,
            selection="conditional_inference",
            alpha=alpha,
            bonferroni=bonferroni,
        )
        assert_same_tree(problem)


@selecting
@policy
@pytest.mark.parametrize("selection", ["criterion", "conditional_inference"])
@pytest.mark.parametrize(
    "filters", [{"significance": 0.2}, {"min_second_value": 4}, {"min_samples_leaf": 5}]
)
def test_filters(classes, criterion, missing, selection, filters):
    for seed in (23, 24):
        problem = made(
            seed,
            missing,
            rows=50,
            kinds="nominal numeric nominal ordinal",
            classes=classes,
            criterion=criterion,
            selection=selection,
            **filters,
        )
        assert_same_tree(problem)


@pytest.mark.parametrize("classes", [2, 3, 0])
@policy
def test_inference_on_columns_that_are_counted_or_hide_their_mode(classes, missing):
    criterion = "gini" if classes else "squared_error"
    problem = made(25, missing, rows=600, classes=classes, criterion=criterion)
    rng = np.random.default_rng(25)
    columns = list(problem.columns)
    for share in (0.6, 0.8, 0.95):
        values = (problem.target * 0.3 + rng.normal(size=600)).round(1)
        columns.append(Column("numeric", np.where(rng.random(600) < share, 0.0, values)))
    columns.append(Column("numeric", np.where(rng.random(600) < 0.1, np.inf, problem.target)))
    columns.append(Column("numeric", 1e9 + rng.integers(0, 9, 600) * 1e-3))
    noise = tuple(replace(c, values=rng.permutation(c.values)) for c in columns)
    for given in (tuple(columns[:-2]), (*columns[:-2], columns[-1]), noise[:-2]):
        inference = replace(
            problem, columns=given, selection="conditional_inference", alpha=1.0, max_depth=3
        )
        assert_same_tree(inference)
        assert_same_tree(replace(inference, alpha=0.05, significance=0.5))


@pytest.mark.parametrize(
    ("classes", "split", "weights", "missing"),
    mixed([(classes, split) for classes in (2, 3) for split in ("auto", "multiway")]),
)
def test_price_of_a_threshold(classes, weights, missing, split):
    for seed in (26, 27):
        problem = made(
            seed,
            missing,
            rows=40,
            classes=classes,
            criterion="gain_ratio",
            weights=weights,
            categorical_split=split,
            numeric_penalty=True,
        )
        assert_same_tree(problem)
        assert_same_tree(replace(problem, min_samples_leaf=3))
        assert_same_tree(replace(problem, min_samples_leaf=3, small_branches=True))


@pytest.mark.parametrize(("classes", "criterion"), [(2, "gini"), (0, "absolute_error")])
@policy
def test_inference_below_the_depth_of_competitors(classes, criterion, missing):
    # Below that depth, only the chosen attribute is searched for a split.
    problem = made(
        28,
        missing,
        rows=120,
        kinds="numeric nominal",
        holes=0.05,
        classes=classes,
        criterion=criterion,
        selection="conditional_inference",
        alpha=1.0,
        min_samples_leaf=2,
    )
    rng = np.random.default_rng(28)
    noise = tuple(replace(c, values=rng.permutation(c.values)) for c in problem.columns)
    tree = assert_same_tree(replace(problem, columns=noise))
    assert tree.depth >= 9
    assert (np.diff(tree.data["competitor_start"])[tree.data["depth"] >= 8] == 0).all()


def test_infinities_are_tested_like_large_numbers():
    values = np.array([-np.inf, 1.0, 2.0, 3.0, 4.0, np.inf, np.inf, 2.5])
    problem = Problem(
        (Column("numeric", values), Column("numeric", np.zeros(8))),
        np.array([0, 0, 0, 1, 1, 1, 1, 0]),
        classes=2,
        selection="conditional_inference",
        alpha=0.2,
    )
    # An infinity is put beyond the finite values, at a distance equal to their range.
    finite = np.where(np.isinf(values), np.where(values > 0, 7.0, -2.0), values)
    expected = replace(problem, columns=(Column("numeric", finite), problem.columns[1]))
    assert fit(problem).data["log_p"][0] == pytest.approx(fit(expected).data["log_p"][0])
    assert fit(problem).data["threshold"][0] == 2.75


def test_example_of_berzal():
    # Section 4.1: two attributes of three classes, (90, 10, 0), (0, 85, 15) against
    # (90, 9, 0), (0, 84, 13), (0, 2, 2).
    first = [(90, 10, 0), (0, 85, 15)]
    second = [(90, 9, 0), (0, 84, 13), (0, 2, 2)]
    scores = {}
    for name, table in (("A1", first), ("A2", second)):
        cells = [v for v, row in enumerate(table) for n in row for _ in range(n)]
        target = np.array([j for row in table for j, n in enumerate(row) for _ in range(n)])
        for support in (0, 3):
            problem = Problem(
                (Column("nominal", np.array(cells, dtype=float)),),
                target,
                classes=3,
                criterion="maxdif",
                categorical_split="multiway",
                min_support=support,
                max_depth=1,
            )
            root = assert_same_tree(problem).nodes[0]
            scores[name, support] = root.gain + 1 - 2 * root.impurity  # the node's own score
    assert scores == pytest.approx(
        {("A1", 0): 150 / 200, ("A1", 3): 150 / 200, ("A2", 0): 152 / 200, ("A2", 3): 151.8 / 200}
    )
