"""On numbers without holes and without ties, the tree is scikit-learn's.

Random weights (or a continuous target) leave only ties between cuts that divide the rows alike, so
the nodes are the same whichever attribute is named. Values are float32, as scikit-learn keeps them.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ramify import TreeClassifier, TreeRegressor

LIMITS = [
    ({}, {}),
    ({"max_depth": 3}, {"max_depth": 3}),
    ({"max_depth": 6}, {"max_depth": 6}),
    ({"min_samples_leaf": 7}, {"min_samples_leaf": 7}),
    ({"min_samples_split": 25}, {"min_samples_split": 25}),
]
BEST_FIRST = [
    (
        {"growth": "best_first", "max_leaves": leaves},
        {"max_leaf_nodes": leaves},
    )
    for leaves in (2, 3, 8, 20, 50)
]


def make_data(seed: int, rows: int = 400, columns: int = 5):
    rng = np.random.default_rng(seed)
    grid = norm.ppf((np.arange(rows) + 0.5) / rows).astype(np.float32).astype(np.float64)
    assert len(np.unique(grid)) == rows
    X = np.column_stack([rng.permutation(grid) for _ in range(columns)])
    signal = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(scale=0.7, size=rows)
    # Whole weights: with others, scikit-learn's rounding makes it split pure nodes.
    return X, signal, rng.integers(1, 1000, rows).astype(float)


def nodes(weight, rows, impurity, leaf):
    """The nodes as a table, in an order that does not depend on left and right."""
    table = np.column_stack([weight, rows, impurity, leaf])
    return table[np.lexsort(np.round(table, 7).T[::-1])]


def of_ramify(estimator):
    d = estimator.tree_.data
    return nodes(d["weight"], d["rows"], d["impurity"], d["n_children"] == 0)


def of_sklearn(estimator):
    t = estimator.tree_
    return nodes(t.weighted_n_node_samples, t.n_node_samples, t.impurity, t.children_left == -1)


def assert_same_nodes(ours, theirs):
    a, b = of_ramify(ours), of_sklearn(theirs)
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-9)
    assert ours.get_depth() == theirs.get_depth()
    assert ours.get_n_leaves() == theirs.get_n_leaves()


@pytest.mark.parametrize(("our_limits", "their_limits"), LIMITS + BEST_FIRST)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 3, 6])
def test_classifier(classes, criterion, our_limits, their_limits):
    for seed in range(2):
        X, signal, weights = make_data(seed)
        y = np.digitize(signal, np.quantile(signal, np.linspace(0, 1, classes + 1)[1:-1]))
        ours = TreeClassifier(criterion=criterion, **our_limits)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=seed, **their_limits)
        ours.fit(X, y, sample_weight=weights)
        theirs.fit(X, y, sample_weight=weights)
        assert_same_nodes(ours, theirs)
        accuracy = theirs.score(X, y, sample_weight=weights)
        assert ours.score(X, y, sample_weight=weights) == pytest.approx(accuracy, abs=1e-12)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("our_limits", "their_limits"), LIMITS + BEST_FIRST)
def test_regressor(weighted, our_limits, their_limits):
    for seed in range(2):
        X, y, weights = make_data(seed)
        weights = weights if weighted else None
        ours = TreeRegressor(**our_limits).fit(X, y, sample_weight=weights)
        theirs = DecisionTreeRegressor(random_state=seed, **their_limits)
        theirs.fit(X, y, sample_weight=weights)
        assert_same_nodes(ours, theirs)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 5])
def test_unweighted_classifier(criterion, classes):
    # Nodes of whole counts tie now and then, but not the big ones at the top.
    X, signal, _ = make_data(7, rows=3000)
    y = np.digitize(signal, np.quantile(signal, np.linspace(0, 1, classes + 1)[1:-1]))
    ours = TreeClassifier(criterion=criterion, max_depth=4).fit(X, y)
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=4, random_state=0).fit(X, y)
    assert_same_nodes(ours, theirs)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    full = TreeClassifier(criterion=criterion).fit(X, y)
    assert full.score(X, y) == 1.0
    assert (full.tree_.data["impurity"][full.tree_.data["n_children"] == 0] == 0).all()


def test_absolute_error():
    X, y, _ = make_data(3, rows=150)
    ours = TreeRegressor(criterion="absolute_error", max_depth=3).fit(X, y)
    theirs = DecisionTreeRegressor(criterion="absolute_error", max_depth=3, random_state=0)
    theirs.fit(X, y)
    assert_same_nodes(ours, theirs)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("our_limits", "their_limits"), LIMITS + BEST_FIRST)
def test_poisson(weighted, our_limits, their_limits):
    # Without zeros, so that scikit-learn rules out no child.
    for seed in range(2):
        X, signal, weights = make_data(seed)
        y, weights = np.exp(signal / 2), weights if weighted else None
        ours = TreeRegressor(criterion="poisson", **our_limits).fit(X, y, sample_weight=weights)
        theirs = DecisionTreeRegressor(criterion="poisson", random_state=seed, **their_limits)
        theirs.fit(X, y, sample_weight=weights)
        assert_same_nodes(ours, theirs)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-9)


def test_poisson_of_counts():
    X, signal, _ = make_data(5, rows=20000)
    y = np.random.default_rng(5).poisson(np.exp(signal / 2 + 1)).astype(float)
    ours = TreeRegressor(criterion="poisson", max_depth=5).fit(X, y)
    theirs = DecisionTreeRegressor(criterion="poisson", max_depth=5, random_state=0).fit(X, y)
    assert_same_nodes(ours, theirs)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


def test_thresholds_and_attributes_at_the_top():
    X, signal, _ = make_data(11, rows=2000)
    y = (signal > 0).astype(int)
    ours = TreeClassifier(max_depth=3).fit(X, y).arrays_
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y).tree_

    def walk(i: int, j: int) -> int:
        if theirs.children_left[j] == -1:
            assert ours.children_left[i] == -1
            return 1
        assert ours.feature[i] == theirs.feature[j]
        assert ours.threshold[i] == pytest.approx(theirs.threshold[j], abs=1e-6)
        left = walk(ours.children_left[i], theirs.children_left[j])
        return 1 + left + walk(ours.children_right[i], theirs.children_right[j])

    assert walk(0, 0) == theirs.node_count == 15


@pytest.mark.parametrize("seed", range(5))
def test_arrays_say_what_those_of_sklearn_say(seed: int) -> None:
    """Impurity, weights and the side of missing values, node by node."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(900, 4))
    y = (np.nan_to_num(X[:, 0]) + X[:, 1] + rng.normal(size=900) > 0).astype(int)
    X[rng.random(900) < np.where(y, 0.25, 0.02), 0] = np.nan
    weights = rng.integers(1, 4, 900).astype(float)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y, sample_weight=weights)
    clf = TreeClassifier(max_depth=3, missing="direction").fit(X, y, sample_weight=weights)
    ours, tree = clf.arrays_, theirs.tree_
    by_row = _in_order_of_rows(ours.children_left, ours.children_right)
    assert len(by_row) == tree.node_count
    for name in ("feature", "n_node_samples", "weighted_n_node_samples"):
        np.testing.assert_array_equal(getattr(ours, name)[by_row], getattr(tree, name), name)
    np.testing.assert_allclose(ours.impurity[by_row], tree.impurity, atol=1e-12)
    np.testing.assert_allclose(ours.threshold[by_row], tree.threshold)
    inner = tree.children_left >= 0
    holes = clf.tree_.data["missing_to"][by_row] >= 0  # training saw a missing value there
    assert (inner & holes).any()
    np.testing.assert_array_equal(
        ours.missing_go_to_left[by_row][inner & holes],
        tree.missing_go_to_left.astype(bool)[inner & holes],
    )


def _in_order_of_rows(left: np.ndarray, right: np.ndarray) -> list[int]:
    """Our nodes in scikit-learn's order: a node, its left branch, its right branch."""
    order, open_nodes = [], [0]
    while open_nodes:
        node = open_nodes.pop()
        order.append(node)
        if left[node] >= 0:
            open_nodes += [int(right[node]), int(left[node])]
    return order
