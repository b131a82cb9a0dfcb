"""Boosting against the algorithms as they are printed, with our own trees as weak learners."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.boosted_data import NAMES, table
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import boosting

from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor, _core
from ramify.trees.boosted.algorithms import ALGORITHMS
from ramify.trees.boosted.rounds import trim
from ramify.trees.greedy.parameters import CRITERIA

ROUNDS, RATE, Z_MAX, LEAVES = 3, 0.7, 3.0, 4


def weak(X: Any, y: Any, **parameters: Any) -> tuple[boosting.Classes, boosting.Numbers]:
    parameters = {"growth": "best_first", "max_leaves": LEAVES} | parameters

    def classes(w: Any) -> Any:
        return TreeClassifier(**parameters).fit(X, y, w).predict_proba(X)

    def numbers(target: Any, w: Any) -> Any:
        return TreeRegressor(**parameters).fit(X, target, w).predict(X)

    return classes, numbers


def expected(name: str, X: Any, y: Any, w: Any, k: int, **parameters: Any) -> Any:
    classes, numbers = weak(X, y, **parameters)
    if name == "discrete":
        return boosting.discrete(y, k, w, ROUNDS, RATE, classes)
    if name == "real":
        # The papers' log-odds of a pure leaf are infinite; ours end at z_max.
        plain, least = classes, 1 / (1 + np.exp(2 * Z_MAX))

        def classes(w: Any) -> Any:
            return np.maximum(plain(w), least)

        if k == 2:
            return boosting.real_two_classes(y, w, ROUNDS, RATE, classes)
        return boosting.real(y, k, w, ROUNDS, RATE, classes)
    if name == "gentle":
        scores = [boosting.gentle(y, j, w, ROUNDS, RATE, numbers) for j in range(k)]
        return np.column_stack(scores)
    if k == 2:
        return boosting.logit_two_classes(y, w, ROUNDS, RATE, Z_MAX, numbers)
    return boosting.logit(y, k, w, ROUNDS, RATE, Z_MAX, numbers)


def fitted(name: str, X: Any, y: Any, w: Any, **parameters: Any) -> BoostedTreesClassifier:
    parameters = {"n_rounds": ROUNDS, "learning_rate": RATE, "max_leaves": LEAVES} | parameters
    return BoostedTreesClassifier(algorithm=name, z_max=Z_MAX, **parameters).fit(X, y, w)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("name", NAMES)
def test_rounds_are_those_of_the_papers(name: str, k: int, seed: int) -> None:
    X, y, w = table(seed, k)
    clf = fitted(name, X, y, w)
    want = expected(name, X, y, w, k)
    assert np.abs(want).max() > 0.5
    found = clf.decision_function(X)
    np.testing.assert_allclose(found, want[:, 1] if k == 2 else want, rtol=1e-8, atol=1e-10)


def purest(counts: Any) -> float:
    """A criterion of a user's own."""
    shares = counts.sum(axis=0) / counts.sum()
    return float((counts.max(axis=1).sum() / counts.sum()) - shares.max())


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("criterion", [*CRITERIA, purest])
@pytest.mark.parametrize("name", ["real", "discrete"])
def test_rounds_by_every_criterion_of_classes(name: str, criterion: Any, k: int) -> None:
    X, y, w = table(3, k)
    clf = fitted(name, X, y, w, criterion=criterion)
    want = expected(name, X, y, w, k, criterion=criterion)
    found = clf.decision_function(X)
    np.testing.assert_allclose(found, want[:, 1] if k == 2 else want, rtol=1e-8, atol=1e-10)
    if criterion in (
        "entropy",
        "maxdif",
        "chi2_cut",
    ):  # the criterion is used: the trees are not those of gini
        assert np.abs(found - fitted(name, X, y, w).decision_function(X)).max() > 1e-3


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("name", NAMES)
def test_rounds_with_holes_in_the_table(name: str, missing: str, k: int) -> None:
    if name == "real" and missing == "fractional":
        pytest.skip("a divided row has the mean of log-odds: see the next test")
    X, y, w = table(2, k, holes=True)
    clf = fitted(name, X, y, w, missing=missing)
    want = expected(name, X, y, w, k, missing=missing)
    found = clf.decision_function(X)
    np.testing.assert_allclose(found, want[:, 1] if k == 2 else want, rtol=1e-8, atol=1e-10)


def test_a_divided_row_has_the_mean_score_of_its_leaves() -> None:
    X, y, w = table(3, 2, holes=True)
    clf = fitted("real", X, y, w, n_rounds=1, min_samples_leaf=20, max_leaves=2)
    tree = clf.estimators_[0]
    left, right = (tree.nodes[i].value for i in (1, 2))
    scores = [0.5 * np.log(v[1] / v[0]) for v in (left, right)]
    share = left.sum() / (left.sum() + right.sum())
    name = tree.schema.names[int(tree.data["attribute"][0])]
    row = {key: [None] for key in X} | {"x": [np.nan], "coarse": [0.0]}
    assert name in ("x", "level", "coarse")
    row[name] = [None if name == "level" else np.nan]
    want = RATE * (share * scores[0] + (1 - share) * scores[1])
    assert clf.decision_function(row)[0] == pytest.approx(want)


@pytest.mark.parametrize("name", NAMES)
def test_classes_that_are_alike_have_scores_that_are_alike(name: str) -> None:
    rng = np.random.default_rng(6)
    F = 3.0 * rng.standard_normal(200)
    scores, codes = np.column_stack([-F, F]), rng.integers(0, 2, 200).astype(np.int32)
    algorithm = ALGORITHMS[name](2, Z_MAX)
    weights, targets = algorithm.weights_and_targets(scores, codes, np.ones(200))
    swapped = algorithm.weights_and_targets(scores[:, ::-1], 1 - codes, np.ones(200))
    np.testing.assert_array_equal(weights, swapped[0])  # to the last bit: it would decide ties
    if targets is not None:
        np.testing.assert_array_equal(targets, -swapped[1])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", [2, 4])
def test_loss_and_probabilities_by_their_definitions(name: str, k: int) -> None:
    X, y, w = table(4, k)
    clf = fitted(name, X, y, w, n_rounds=5)
    scores, rows = clf.decision_function(X), np.arange(len(y))
    scores = np.column_stack([-scores, scores]) if k == 2 else scores
    if name == "gentle" and k > 2:
        shares = 1 / (1 + np.exp(-2 * scores))
        shares /= shares.sum(axis=1, keepdims=True)
        sign = np.where(y[:, None] == np.arange(k), 1, -1)
        losses = np.exp(-sign * scores).mean(axis=1)
    else:
        shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        own = scores[rows, y]
        losses = -np.log(shares[rows, y]) if name == "logit" else np.exp(-own)
    np.testing.assert_allclose(clf.predict_proba(X), shares, rtol=1e-9)
    assert clf.train_score_[-1] == pytest.approx(np.average(losses, weights=w))


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(NAMES),
    seed=st.integers(0, 10**6),
    k=st.integers(2, 4),
    rate=st.sampled_from([0.02, 0.1, 0.3]),
    leaves=st.integers(2, 12),
    missing=st.sampled_from(["fractional", "separate", "direction"]),
    holes=st.booleans(),
)
def test_the_loss_never_rises(
    name: str, seed: int, k: int, rate: float, leaves: int, missing: str, holes: bool
) -> None:
    X, y, w = table(seed, k, 60, holes=holes)
    if name == "discrete" and holes and missing == "fractional":
        missing = "direction"  # the parts of a row do not vote, the row does
    clf = fitted(name, X, y, w, n_rounds=8, learning_rate=rate, max_leaves=leaves, missing=missing)
    start = np.log(len(clf.classes_)) if name == "logit" else 1.0
    losses = np.concatenate([[start], clf.train_score_])
    assert (np.diff(losses) <= 1e-12).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.floats(0, 0.95))
def test_trimming_leaves_out_the_lightest(weights: list[int], share: float) -> None:
    w = np.array(weights, dtype=np.float64)
    kept = trim(w, np.ones_like(w), share)
    np.testing.assert_array_equal(kept, boosting.trimmed(w, share))
    assert kept.sum() >= (1 - share) * w.sum() - 1e-9


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 3)), min_size=1, max_size=20))
def test_trimming_takes_weights_as_repetitions(rows: list[tuple[int, int]]) -> None:
    value, times = np.array(rows, dtype=np.float64).T
    by_weight = trim(value * times, times, 0.3)
    copies = np.repeat(value, times.astype(int))
    by_copies = trim(copies, np.ones_like(copies), 0.3)
    np.testing.assert_array_equal(np.repeat(by_weight > 0, times.astype(int)), by_copies > 0)


def test_the_core_refuses_what_does_not_fit() -> None:
    table = _core.Table(3)
    table.add_matrix(np.array([[1.0], [2.0], [3.0]]))
    parameters = {"growth": "best_first", "missing": "fractional"}
    target = np.array([0.0, 0.0, 1.0])
    growth = _core.Regrowth(
        _core.regression_problem(table, target, None, "squared_error", False, parameters)
    )
    ones = np.ones((2, 3))
    for weights, targets, message in (
        (np.ones((1, 4)), np.ones((1, 4)), "weights: wrong number of rows"),
        (ones, None, "targets: regression has them"),
        (ones, np.ones((1, 3)), "targets: not of the shape"),
        (np.zeros((1, 3)), np.ones((1, 3)), "weights: no row takes part"),
    ):
        with pytest.raises(ValueError, match=message):
            growth.grow(weights, targets)
    tree, other = growth.grow(ones, np.stack([target, -target]))
    np.testing.assert_array_equal(tree.arrays()["prediction"], -other.arrays()["prediction"])
    out = np.zeros((3, 2))
    matrix = np.array([[1.0], [2.0], [3.0]])
    tree.accumulate(matrix, tree.arrays()["prediction"][:, None], out[:, 1:])
    tree.accumulate(matrix, tree.arrays()["prediction"][:, None], out[:, 1:])
    np.testing.assert_array_equal(out, np.column_stack([np.zeros(3), 2 * target]))
    for values, to in ((np.ones((2, 2)), out), (np.ones((3, 2)), np.zeros((4, 2)))):
        with pytest.raises(ValueError, match=r"values|out"):
            tree.accumulate(matrix, values, to)
    with pytest.raises(TypeError):
        tree.accumulate(matrix, np.ones((3, 2)), out.astype(np.float32))
