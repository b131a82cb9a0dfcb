"""Limits of growth against the oracle: small branches, expansions, least gain, support."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.growth_data import assert_same_tree, fit, random_problem
from helpers.growth_tasks import BINARY, TASKS, made, mixed, policy
from oracles.problem import Column

from ramify import TreeClassifier


@pytest.mark.parametrize(("classes", "criterion", "weights", "missing"), mixed(TASKS))
@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_abandoned_splits(classes, criterion, weights, missing, split):
    if criterion in BINARY and split == "multiway":
        pytest.skip("the criterion is defined for two children")
    for seed, least in ((13, 2), (14, 5)):
        problem = made(
            seed,
            missing,
            rows=40,
            classes=classes,
            criterion=criterion,
            weights=weights,
            categorical_split=split,
            min_samples_leaf=least,
            abandon_small=True,
        )
        assert_same_tree(problem)


@pytest.mark.parametrize(
    ("classes", "criterion"), [(2, "gini"), (3, "entropy"), (0, "squared_error")]
)
@pytest.mark.parametrize("selection", ["criterion", "conditional_inference"])
@pytest.mark.parametrize("kinds", ["numeric", "numeric ordinal nominal"])
@policy
def test_abandoned_splits_of_large_nodes(classes, criterion, selection, kinds, missing):
    # Some columns are counted, some hide their most frequent value. Where all columns are numeric
    # and all rows whole, small subtrees have a buffer of their own.
    rows = 600
    problem = made(15, missing, rows=rows, kinds=kinds, classes=classes, criterion=criterion)
    rng = np.random.default_rng(rows)
    columns = list(problem.columns)
    for share in (0.0, 0.7, 0.95):
        values = (problem.target * 0.3 + rng.normal(size=rows)).round(1 if share else 9)
        columns.append(Column("numeric", np.where(rng.random(rows) < share, 0.0, values)))
    given = replace(problem, columns=tuple(columns), selection=selection, alpha=1.0, max_depth=9)
    chosen = replace(given, min_samples_leaf=4)
    abandoned = assert_same_tree(replace(chosen, abandon_small=True))
    assert 1 < abandoned.n_leaves < fit(chosen).n_leaves


@pytest.mark.parametrize("growth", ["depth_first", "best_first", "best_first_unweighted"])
@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize("max_leaves", [None, 7])
@pytest.mark.parametrize(("classes", "criterion"), [(3, "gini"), (3, "chi2"), (0, "squared_error")])
def test_limited_expansions(growth, split, max_leaves, classes, criterion):
    problem = random_problem(
        16,
        rows=40,
        classes=classes,
        criterion=criterion,
        weights="real",
        growth=growth,
        categorical_split=split,
        max_leaves=max_leaves,
    )
    for most in range(6):
        tree = assert_same_tree(replace(problem, max_expansions=most))
        assert tree.n_nodes - tree.n_leaves <= most
    assert tree.n_nodes > 1


@policy
@pytest.mark.parametrize("criterion", ["misclassification", "maxdif"])
@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_splits_that_gain_nothing_are_made_on_request(criterion, missing, split):
    options = {"classes": 3, "criterion": criterion, "categorical_split": split}
    grown = assert_same_tree(made(15, missing, **options, min_gain=-1.0))
    assert grown.n_leaves > fit(made(15, missing, **options)).n_leaves


@pytest.mark.parametrize(
    "criterion",
    ["gini", "entropy", "gain_ratio", "distance", "chi2", "mpi", "generalized_gini", "maxdif"],
)
@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_keys_have_no_support(criterion, split):
    y = np.tile(["p", "q"], 50)
    key = np.array([f"k{row}" for row in range(100)], dtype=object)
    real = np.where(np.arange(100) % 5 == 0, "a", y).astype(object)
    settings = {"criterion": criterion, "categorical_split": split, "min_support": 3}
    settings["identifiers"] = "keep"
    alone = TreeClassifier(**settings).fit({"key": key}, y)
    both = TreeClassifier(**settings).fit({"key": key, "real": real}, y)
    assert (alone.tree_.n_leaves > 1) == (
        split == "auto"
    )  # keys have support if they are joined in two sets
    if split == "multiway":
        assert both.tree_.nodes[0].condition.attribute == "real"
        assert both.tree_.n_leaves == 3


def test_maxdif_gains_what_the_error_rate_gains():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (600, 3)).astype(float)
    y = rng.integers(0, 6, 600)
    found, error = (
        TreeClassifier(criterion=name, growth="best_first", max_leaves=12).fit(X, y)
        for name in ("maxdif", "generalized_gini")
    )
    np.testing.assert_array_equal(found.tree_.data["attribute"], error.tree_.data["attribute"])
    np.testing.assert_allclose(found.tree_.data["gain"], 2 * error.tree_.data["gain"], atol=1e-12)
    for mine, other in zip(found.tree_.nodes, error.tree_.nodes, strict=True):
        gains = [2 * one.gain for one in other.competitors]
        np.testing.assert_allclose([one.gain for one in mine.competitors], gains, atol=1e-12)
    np.testing.assert_allclose(found.feature_importances_, error.feature_importances_)


def test_importances_by_a_statistic_count_every_row_once():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    clf = TreeClassifier(criterion="chi2", max_depth=3).fit(X, y)
    tree = clf.tree_.data
    inner = tree["kind"] > 0
    sums = np.bincount(tree["attribute"][inner], tree["gain"][inner], minlength=3)
    np.testing.assert_allclose(clf.feature_importances_, sums / sums.sum())


@pytest.mark.parametrize("criterion", ["chi2", "chi2_cut"])
def test_a_statistic_counts_the_known_rows_once(criterion):
    y = np.array([0, 1] * 100)
    half = np.where(np.arange(200) < 100, y, np.nan)  # tells everything where it is known
    most = np.where(np.arange(200) % 5 == 0, 1 - y, y)  # right on 80 %
    for nominal in (None, [0, 1]):
        clf = TreeClassifier(criterion=criterion, max_depth=1, categorical_features=nominal)
        root = clf.fit(np.column_stack([half, most]), y).tree_.nodes[0]
        assert root.condition.column == 0
        assert root.gain == pytest.approx(100.0)


@pytest.mark.parametrize("criterion", ["twoing", "squared_gini", "chi2_cut"])
def test_multiway_names_the_criteria_that_fit(criterion):
    with pytest.raises(ValueError, match=r"choose criterion=gini, .*chi2.*, for two branches"):
        TreeClassifier(criterion=criterion, categorical_split="multiway").fit([["a"]] * 2, [0, 1])
