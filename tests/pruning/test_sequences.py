"""The nested trees of a pruning: against naive versions, peers and printed tables."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.sequence_pruning_data import PRUNINGS, SEEDS, estimator, folds_of, table
from hypothesis import given
from hypothesis import strategies as st
from oracles import sequence_pruning as oracle
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    load_wine,
    make_classification,
    make_regression,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ramify import TreeClassifier, TreeRegressor, load, presets
from ramify.pruning import BestFirst, CostComplexity
from ramify.pruning.path import choose


def inner_in_grown(clf: Any, row: int) -> frozenset[int]:
    path = clf.pruning_path_
    keys = path.keys_of_nodes
    return frozenset(np.flatnonzero(keys > path.thresholds[row]).tolist())


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_sequences_are_those_of_the_definitions(seed: int, regression: bool) -> None:
    X, y, weight = table(seed, regression=regression)
    for pruning in PRUNINGS:
        clf = estimator(seed, pruning, regression=regression).fit(X, y, weight)
        tree, path = clf.fitted_.grown, clf.pruning_path_
        if isinstance(pruning, CostComplexity):
            steps = oracle.cost_complexity(tree, pruning.risk)
        elif isinstance(pruning, BestFirst):
            weigh = clf.growth != "best_first_unweighted" and clf.criterion != "chi2"
            folds = folds_of(clf, y, weight, 10)
            most = oracle.most_expansions(clf, X, y, weight, folds) if tree.n_leaves > 1 else 0
            steps = oracle.best_first(tree, weigh, most)
        else:
            steps = oracle.critical_value(tree)
        assert len(steps) == len(path)
        np.testing.assert_allclose(path.key, [key for key, _ in steps], rtol=1e-9, atol=1e-13)
        for row, (_, inner) in enumerate(steps):
            assert inner_in_grown(clf, row) == inner
            leaves = oracle.leaves_of(tree, inner, 0)
            assert path.leaves[row] == len(leaves)
            rmse = not regression and getattr(pruning, "error", "rate") == "rmse"
            kind = "brier" if rmse else "error"
            training = sum(oracle.risk(tree, leaf, kind) for leaf in leaves)
            training = training**0.5 if rmse else training
            assert path.training_error[row] == pytest.approx(training, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_cut_is_a_tree_of_the_grown_one(seed: int) -> None:
    X, y, weight = table(seed)
    clf = estimator(seed, BestFirst()).fit(X, y, weight)
    for n_leaves in range(1, clf.fitted_.grown.n_leaves + 1):
        tree = clf.prune(n_leaves=n_leaves).tree_
        tree.check()
        assert tree.n_leaves <= n_leaves
        expansions = [node.expansion for node in tree.nodes if node.children]
        assert sorted(expansions) == list(range(len(expansions)))


def ten_tables() -> list[tuple[Any, Any]]:
    made = [
        make_classification(300, 6, n_informative=4, n_redundant=0, n_classes=k, random_state=k)
        for k in (2, 3, 4)
    ]
    numbers = [make_regression(200, 4, noise=20.0 * (i + 1), random_state=i) for i in range(2)]
    loaded = [
        load(return_X_y=True) for load in (load_iris, load_breast_cancer, load_wine, load_diabetes)
    ]
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(60, 3)), 3, axis=0)  # with repetitions
    return [*loaded, *made, *numbers, (rows, rng.integers(0, 2, 180))]


@pytest.mark.parametrize("index", range(10))
def test_the_sequence_of_scikit_learn(index: int) -> None:
    X, y = ten_tables()[index]
    regression = y.dtype.kind == "f"
    ours = (TreeRegressor if regression else TreeClassifier)(
        pruning=CostComplexity(alpha=0.0, risk="impurity"), min_samples_leaf=5
    ).fit(X, y)
    peer = (DecisionTreeRegressor if regression else DecisionTreeClassifier)(
        min_samples_leaf=5, random_state=0
    )
    path = peer.fit(X, y).cost_complexity_pruning_path(X, y)
    scale = path.impurities[-1]
    last = np.append(np.diff(path.ccp_alphas) > 1e-11 * scale, True)
    alphas = path.ccp_alphas[last]
    np.testing.assert_allclose(ours.pruning_path_.key / scale, alphas / scale, atol=1e-12)
    for i, alpha in enumerate(alphas):
        middle = alpha * 1.5 if i + 1 == len(alphas) else (alpha + alphas[i + 1]) / 2
        cut = clone(peer).set_params(ccp_alpha=middle).fit(X, y)
        assert cut.get_n_leaves() == ours.pruning_path_.leaves[i]
        assert ours.prune(alpha=middle).tree_.n_leaves == cut.get_n_leaves()


def test_the_sequence_of_shi() -> None:
    """Shi (2007), Table 2.1: balance-scale, Gini index, at least two rows in a leaf."""
    weights = np.array(list(itertools.product(range(1, 6), repeat=4)), dtype=float)
    torque = weights[:, 0] * weights[:, 1] - weights[:, 2] * weights[:, 3]
    clf = presets.simple_cart(pruning=CostComplexity(alpha=0.0)).fit(weights, np.sign(torque))
    leaves = [61, 58, 50, 45, 17, 14, 13, 11, 10, 8, 7, 5, 4, 3, 2, 1]
    alphas = "0 .0005 .0012 .0013 .0016 .0021 .0048 .0072 .0096 .0120 .0144 .0160 .0240 .0336"
    assert clf.pruning_path_.leaves.tolist() == leaves
    printed = [*map(float, alphas.split()), 0.0496, 0.1744]
    np.testing.assert_allclose(clf.pruning_path_.key, printed, atol=0.00006)


def test_what_a_branch_saves_by_rounding_alone_is_nothing() -> None:
    rng = np.random.default_rng(8)
    X = rng.integers(0, 30, (5000, 3)).astype(float)
    X[rng.random((5000, 3)) < 0.3] = np.nan  # rows in parts, whose sums are rounded
    y = np.zeros(5000, dtype=int)
    y[rng.choice(5000, 30, replace=False)] = rng.integers(1, 3, 30)
    far = X[:, 0] > 27
    y[far] = rng.integers(0, 2, far.sum())
    clf = TreeClassifier(min_samples_leaf=4, criterion="entropy").fit(X, y)
    keys = CostComplexity().path(clf.tree_.core, "depth_first", None).keys_of_nodes
    assert (keys == 0).sum() > 600
    least = 1e-4 / 5000 / clf.tree_.n_leaves  # far below what a part of a row is worth
    assert not ((keys > 0) & (keys < least)).any()


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=12),
    st.floats(0, 0.1),
    st.sampled_from([None, 1.0, 3.0]),
)
def test_the_rule_of_one_point_gives_away_no_more_than_a_point(
    wrong: list[int], deviation: float, whole: float | None
) -> None:
    error, spread = np.array(wrong) / 100, np.full(len(wrong), deviation)
    allowed = min(deviation, 0.01 * (error[-1] if whole is None else whole))
    good = [i for i in range(len(wrong)) if error[i] <= error.min() + allowed + 1e-12]
    root, row = len(wrong) - 1, good[-1]  # trees come from large to small
    clearly = error[root] > error[row] + math.sqrt(2) * deviation + 1e-12
    of_classes = choose(error, spread, "1point", whole, wrong_classes=True)
    assert of_classes == (row if clearly else root)
    assert choose(error, spread, "1point", whole, wrong_classes=False) == row
    if deviation <= 0.01 * (error[-1] if whole is None else whole):
        assert choose(error, spread, "1se", wrong_classes=True) == row


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), min_size=1, max_size=12))
def test_the_rule_of_one_point_takes_no_tree_that_is_not_clearly_better_than_none(
    trees: list[tuple[int, int]],
) -> None:
    error, spread = (np.array(column) / 100 for column in zip(*trees, strict=True))
    row, root = choose(error, spread, "1point", 1.0, wrong_classes=True), len(trees) - 1
    if row != root:
        assert error[root] - error[row] > math.hypot(spread[root], spread[row])
    if choose(error, spread, "min", wrong_classes=True) == root:
        assert row == root


@pytest.mark.parametrize("regression", [False, True])
def test_noise_keeps_no_tree(regression: bool, tmp_path: Path) -> None:
    sizes: dict[Any, list[int]] = {rule: [] for rule in ("min", "1se", "1point")}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(400, 8))
        y = rng.normal(size=400) if regression else rng.integers(0, 3, 400)
        model = (TreeRegressor if regression else TreeClassifier)(pruning="auto").fit(X, y)
        saved = tmp_path / "model.json"
        model.save(saved)
        for one in (model, load(saved)):
            assert one.prune(rule="1point").tree_ == model.tree_
        for rule, several in sizes.items():
            several.append(model.prune(rule=rule).tree_.n_leaves)
    kept = {rule: sum(size > 1 for size in several) for rule, several in sizes.items()}
    assert kept["1point"] <= kept["1se"] <= kept["min"], sizes
    assert kept["1point"] <= (1 if regression else 3), sizes
    assert regression or kept["min"] > 6


@pytest.mark.parametrize("costs", [None, [[0, 5], [1, 0]]])
def test_auto_is_the_rule_of_one_point_in_fit_and_prune(costs: Any) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 6))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=400) > 0).astype(int)
    clf = TreeClassifier(pruning="auto", costs=costs).fit(X, y)
    path = clf.pruning_path_
    assert path.selected == path.choose("1point", whole=1.0 if costs is None else path.error[-1])
    assert clf.prune(rule="1point").tree_ == clf.tree_
    assert path.error[path.selected] <= path.error.min() + 0.01 * max(1.0, path.error[-1]) + 1e-12
    number = TreeRegressor(pruning="auto").fit(X, X[:, 0] + rng.normal(size=400))
    path = number.pruning_path_
    assert path.error[path.selected] <= path.error.min() + 0.01 * path.error[-1] + 1e-12
    assert number.prune(rule="1point").tree_ == number.tree_
