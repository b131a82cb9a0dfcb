"""Growth within constraints against the oracle: groups of columns, columns left out, skeletons."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.constraint_data import (
    columns_of_paths,
    paths_of,
    random_groups,
    random_skeleton,
    written_for,
)
from helpers.growth_data import assert_equals_oracle, fit
from helpers.growth_strategies import RELAXED, problems
from helpers.growth_tasks import BINARY, TASKS, made, mixed, policy, task
from hypothesis import given
from hypothesis import strategies as st
from oracles.constrained import all_groups, grow_within
from oracles.problem import Column

from ramify import RamifyWarning, TreeClassifier, TreeRegressor

KINDS = "numeric ordinal nominal numeric"


def named(columns) -> list[str]:
    return [f"c{c}" for c in sorted(columns)]


@pytest.fixture(autouse=True)
def _ignore_passed_over():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RamifyWarning)
        yield


@pytest.mark.parametrize(("classes", "criterion", "weights", "missing"), mixed(TASKS))
def test_groups(classes, criterion, weights, missing):
    for seed in range(2):
        problem = made(
            seed,
            missing,
            rows=30,
            kinds=KINDS,
            classes=classes,
            criterion=criterion,
            weights=weights,
        )
        groups = random_groups(np.random.default_rng(seed), 4)
        tree = fit(problem, interactions=[named(group) for group in groups])
        assert_equals_oracle(problem, tree, grow_within(problem, groups))
        sets = all_groups(groups, 4)
        assert all(any(path <= group for group in sets) for path in columns_of_paths(tree))


@task
@policy
def test_columns_left_out(classes, criterion, missing):
    problem = made(5, missing, rows=30, kinds=KINDS, classes=classes, criterion=criterion)
    tree = fit(problem, exclude=["c1", 3])
    assert_equals_oracle(problem, tree, grow_within(problem, [], {0, 2}))
    assert not set(tree.data["attribute"].tolist()) & {1, 3}
    assert tree.schema.names == ["c0", "c1", "c2", "c3"]


@pytest.mark.parametrize(("classes", "criterion", "weights", "missing"), mixed(TASKS))
def test_skeletons(classes, criterion, weights, missing):
    for seed in range(2):
        problem = made(
            seed,
            missing,
            rows=30,
            kinds=KINDS,
            classes=classes,
            criterion=criterion,
            weights=weights,
        )
        asked = random_skeleton(np.random.default_rng(seed), problem)
        tree = fit(problem, skeleton=written_for(asked, problem))
        assert_equals_oracle(problem, tree, grow_within(problem, [], None, asked))


@task
@policy
def test_multiway_skeletons(classes, criterion, missing):
    if criterion in BINARY:
        pytest.skip("the criterion is defined for two children")
    for seed in range(2):
        problem = made(
            seed,
            missing,
            rows=30,
            kinds="nominal numeric nominal",
            classes=classes,
            criterion=criterion,
            categorical_split="multiway",
        )
        asked = random_skeleton(np.random.default_rng(seed), problem, multiway=True)
        tree = fit(problem, skeleton=written_for(asked, problem))
        assert_equals_oracle(problem, tree, grow_within(problem, [], None, asked))


@pytest.mark.parametrize(
    "rules",
    [
        {"missing_gain": "divided"},
        {"missing_count": "pieces", "min_samples_leaf": 3},
        {"missing_gain": "divided", "missing_count": "pieces"},
        {"abandon_small": True, "min_samples_leaf": 3},
        {"selection": "conditional_inference", "alpha": 0.5},
        {"selection": "conditional_inference", "alpha": 0.5, "bonferroni": False},
        {"significance": 0.5},
    ],
    ids=str,
)
@pytest.mark.parametrize(("classes", "criterion"), [(2, "gini"), (3, "entropy")])
@pytest.mark.parametrize("weights", ["none", "real"])
def test_rules_of_missing_values_and_of_selection(rules, classes, criterion, weights):
    for seed in range(3):
        problem = made(
            seed,
            "fractional",
            rows=40,
            kinds=KINDS,
            classes=classes,
            criterion=criterion,
            weights=weights,
            **rules,
        )
        rng = np.random.default_rng(seed)
        groups = random_groups(rng, 4)
        tree = fit(problem, interactions=[named(group) for group in groups])
        assert_equals_oracle(problem, tree, grow_within(problem, groups))
        asked = random_skeleton(rng, problem)
        tree = fit(problem, skeleton=written_for(asked, problem))
        assert_equals_oracle(problem, tree, grow_within(problem, [], None, asked))


@pytest.mark.parametrize("growth", ["depth_first", "best_first", "best_first_unweighted"])
@pytest.mark.parametrize("classes", [0, 3])
@pytest.mark.parametrize(
    "limits",
    [
        {"max_leaves": 5},
        {"max_expansions": 0},
        {"max_expansions": 6},
        {"max_depth": 2},
        {"min_samples_leaf": 4},
        {"min_samples_split": 12},
        {"min_gain": 0.05},
    ],
    ids=str,
)
@policy
def test_limits_count_from_the_skeleton_on(growth, classes, limits, missing):
    criterion = "gini" if classes else "squared_error"
    for seed in range(4):
        problem = made(
            seed,
            missing,
            rows=40,
            kinds=KINDS,
            classes=classes,
            criterion=criterion,
            growth=growth,
            **limits,
        )
        asked = random_skeleton(np.random.default_rng(seed), problem)
        tree = fit(problem, skeleton=written_for(asked, problem))
        assert_equals_oracle(problem, tree, grow_within(problem, [], None, asked))


@pytest.mark.parametrize("rows", [400, 3000])
@pytest.mark.parametrize("classes", [0, 2, 5])
@pytest.mark.parametrize("weights", ["none", "real"])
@policy
def test_coded_and_sparse_columns(rows, classes, weights, missing):
    """Large tables have columns of codes, and columns whose most frequent value is not stored."""
    rng = np.random.default_rng(rows + classes)
    signal = rng.integers(0, 5, rows)
    data = {
        "few": (signal + rng.integers(0, 3, rows)).astype(float),
        "sparse": np.where(rng.random(rows) < 0.8, 1.0, rng.integers(0, 40, rows) / 4),
        "many": rng.normal(size=rows),
        "name": rng.choice(list("abcdefg"), rows),
        "rare": np.where(rng.random(rows) < 0.9, "x", rng.choice(list("yz"), rows)),
    }
    if missing != "complete":
        for name in ("few", "many", "name"):
            holes = rng.random(rows) < 0.1
            data[name] = np.where(holes, None if name == "name" else np.nan, data[name])
    X = pd.DataFrame(data)
    y = signal % classes if classes else signal + rng.normal(size=rows)
    weight = None if weights == "none" else rng.uniform(0.5, 2.0, rows)
    rule = "fractional" if missing == "complete" else missing
    make = TreeClassifier if classes else TreeRegressor
    free = make(missing=rule, max_depth=6).fit(X, y, sample_weight=weight)
    again = make(missing=rule, max_depth=6, skeleton=free.tree_.skeleton(closed=True), n_jobs=2)
    again.fit(X, y, sample_weight=weight)
    tree, other = free.tree_, again.tree_
    other.check()
    for name in ("parent", "attribute", "kind", "threshold", "missing_to", "rows", "level_code"):
        np.testing.assert_array_equal(tree.data[name], other.data[name], err_msg=name)
    for name in ("weight", "value", "prediction", "impurity", "proportion", "gain"):
        np.testing.assert_allclose(tree.data[name], other.data[name], rtol=1e-9, atol=1e-9)
    groups = [["few", "name", "many"], ["sparse", "rare"]]
    apart = make(missing=rule, interactions=groups, max_depth=8).fit(X, y, sample_weight=weight)
    two = make(missing=rule, interactions=groups, max_depth=8, n_jobs=2)
    assert two.fit(X, y, sample_weight=weight).tree_ == apart.tree_
    sets = [{0, 2, 3}, {1, 4}]
    assert all(any(path <= one for one in sets) for path in columns_of_paths(apart.tree_))


@pytest.mark.parametrize("make", [TreeClassifier, TreeRegressor])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_small_subtrees(make, n_jobs):
    """Deep nodes of tables of numbers are grown in a buffer, by rules of their own."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4000, 5)).round(2)
    y = X[:, 0] * 5 + X[:, 1] * X[:, 3] + rng.normal(size=4000)
    y = y > 0 if make is TreeClassifier else y
    same = ("parent", "kind", "attribute", "threshold", "rows", "value", "expansion")

    def assert_same(one, other):
        for name in same:
            np.testing.assert_array_equal(one.data[name], other.data[name], err_msg=name)
        # That of a forced split is a score of sums, not of a walk: it may differ by rounding.
        np.testing.assert_allclose(one.data["gain"], other.data["gain"], rtol=1e-12)

    fewer = make().fit(X[:, :3], y).tree_
    assert fewer.depth > 10
    assert_same(make(exclude=[3, 4], n_jobs=n_jobs).fit(X, y).tree_, fewer)
    assert fewer.data["attribute"][0] == 0  # so that the first group is chosen at the root
    assert_same(make(interactions=[[0, 1, 2]], n_jobs=n_jobs).fit(X, y).tree_, fewer)
    groups = [[0, 1], [0, 3], [2, 4]]
    apart = make(interactions=groups, n_jobs=n_jobs).fit(X, y).tree_
    assert apart.depth > 10
    paths = columns_of_paths(apart)
    assert all(any(path <= set(one) for one in groups) for path in paths)
    assert {frozenset(path) for path in paths} >= {frozenset({0, 1}), frozenset({0, 3})}
    free = make().fit(X, y).tree_
    skeleton = {"column": 0, "threshold": free.condition(0).value}
    assert_same(make(skeleton=skeleton, n_jobs=n_jobs).fit(X, y).tree_, free)
    narrow = make(skeleton=skeleton | {"right": {"columns": [4]}}, n_jobs=n_jobs).fit(X, y).tree_
    below = [narrow.nodes[0].children[1]]
    for node in below:
        below += narrow.nodes[node].children
    assert {int(narrow.data["attribute"][node]) for node in below} == {-1, 4}


made_up = problems(classification=True) | problems(classification=False)


@given(made_up, st.integers(0, 2**32))
@RELAXED
def test_any_constraints(problem, seed):
    rng = np.random.default_rng(seed)
    groups = random_groups(rng, len(problem.columns)) if rng.random() < 0.5 else []
    asked = random_skeleton(rng, problem, multiway=bool(rng.random() < 0.3))
    written = written_for(asked, problem)
    parameters = {"interactions": [named(group) for group in groups]} if groups else {}
    sets = all_groups(groups, len(problem.columns))
    if not all(any(path <= one for one in sets) for path in paths_of(asked) if groups):
        with pytest.raises(ValueError, match="keeps apart"):
            fit(problem, skeleton=written, **parameters)
        return
    tree = fit(problem, skeleton=written, **parameters)
    assert_equals_oracle(problem, tree, grow_within(problem, groups, None, asked))


@given(made_up)
@RELAXED
def test_groups_that_allow_everything_change_nothing(problem):
    every = named(range(len(problem.columns)))
    free = fit(problem)
    assert fit(problem, interactions=[every, every[:1]]) == free
    assert fit(problem, interactions=[]) == free
    assert fit(problem, exclude=[]) == free
    assert fit(problem, skeleton={}) == free


@given(problems(classification=True) | problems(classification=False))
@RELAXED
def test_free_branches_are_trees_of_their_rows(problem):
    """On complete data, below a free branch grows the tree that its rows alone would grow."""
    columns = tuple(Column(c.kind, np.nan_to_num(c.values, nan=1.0)) for c in problem.columns)
    problem = replace(problem, columns=columns, costs=None, missing="fractional")
    values = columns[0].values
    if columns[0].kind != "numeric" or not np.isfinite(np.median(values)):
        return
    cut = float(np.median(values))
    weights = np.ones(len(values)) if problem.weights is None else problem.weights
    left = (values <= cut) & (weights > 0)
    right = (values > cut) & (weights > 0)
    if not left.any() or not right.any():
        return
    tree = fit(problem, skeleton={"column": "c0", "threshold": cut})
    assert tree.condition(0).value == cut
    for side, rows in enumerate((left, right)):
        target = problem.target[rows]
        if problem.classes:
            names, target = np.unique(target, return_inverse=True)
        alone = replace(
            problem,
            columns=tuple(Column(c.kind, c.values[rows]) for c in columns),
            target=target,
            weights=weights[rows],
            classes=len(names) if problem.classes else 0,
        )
        own = fit(alone)
        below = [int(tree.data["first_child"][0]) + side]
        for node in range(own.n_nodes):
            at = below[node]
            assert own.data["kind"][node] == tree.data["kind"][at]
            assert own.data["attribute"][node] == tree.data["attribute"][at]
            assert own.data["rows"][node] == tree.data["rows"][at]
            np.testing.assert_equal(own.data["threshold"][node], tree.data["threshold"][at])
            first, count = tree.data["first_child"][at], tree.data["n_children"][at]
            here = own.data["first_child"][node]
            assert count == own.data["n_children"][node]
            while len(below) < here + count:
                below.append(0)
            below[here : here + count] = range(first, first + count)
