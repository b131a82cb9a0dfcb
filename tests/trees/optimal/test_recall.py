"""Trees of least error that find enough rows of some classes, against all trees and answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import mixed, questions
from oracles.answers import Answers
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import recall_score

import ramify
from ramify import OptimalTreeClassifier


def small(seed: int, classes: int, n: int = 12) -> tuple[np.ndarray, np.ndarray, Any]:
    """Draw a table of ties. Every second one has weights."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 3, n), rng.integers(0, 3, n)]).astype(float)
    y = np.where(rng.random(n) < 0.5, X[:, 0] % classes, rng.integers(0, classes, n))
    y[:classes] = range(classes)
    return X, y.astype(np.int32), rng.integers(1, 5, n) / 2.0 if seed % 2 else None


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(
    "wanted", [{0: 0.5}, {1: 0.8}, {1: 1.0}, {0: 0.7, 1: 0.6}, {0: 0.9, 1: 0.9}]
)
@pytest.mark.parametrize("limits", [{}, {"max_leaves": 3, "min_samples_leaf": 2}])
@pytest.mark.parametrize("classes", [2, 3])
def test_no_tree_that_finds_enough_has_a_smaller_error(
    seed: int, depth: int, wanted: dict[int, float], limits: dict[str, int], classes: int
) -> None:
    X, y, weights = small(seed, classes)
    rng = np.random.default_rng(seed)
    costs = rng.integers(1, 4, (classes, classes)) * (1.0 - np.eye(classes))
    given = None if seed % 3 else costs
    sparsity = [0.0, 0.02][seed % 2]
    clf = OptimalTreeClassifier(
        min_recall=wanted,
        max_depth=depth,
        features="all",
        start=None,
        sparsity=sparsity,
        costs=given,
        **limits,
    )
    least_rows = limits.get("min_samples_leaf", 1)
    oracle = Answers(
        questions(pd.DataFrame(X)), y, classes, weights, given, min_samples_leaf=least_rows
    )
    worth = np.ones(len(y)) if weights is None else weights
    total, by_class = worth.sum(), np.bincount(y, worth)
    most = {c: (1 - share) * by_class[c] for c, share in wanted.items()}
    best = oracle.least_cost(
        depth, most, sparsity=sparsity * total, max_leaves=limits.get("max_leaves", 10**9)
    )
    if not np.isfinite(best):
        with pytest.raises(ValueError, match="min_recall: no tree within the limits finds"):
            clf.fit(X, y, sample_weight=weights)
        return
    clf.fit(X, y, sample_weight=weights)
    assert clf.objective_ == pytest.approx(best / total, abs=1e-9)
    assert clf.proven_optimal_ and clf.lower_bound_ == clf.objective_
    found = recall_score(
        y, clf.predict(X), labels=range(classes), average=None, sample_weight=weights
    )
    for c, share in wanted.items():
        assert found[c] >= share - 1e-9
    cost = costs if given is not None else 1 - np.eye(classes)
    assert clf.error_ == pytest.approx(np.average(cost[y, clf.predict(X)], weights=weights))
    history = clf.history_
    assert (np.diff(history.error) <= 1e-12).all() and (np.diff(history.bound) >= -1e-12).all()


def test_on_a_mixed_table_with_holes_and_in_words(tmp_path: Any) -> None:
    X, y = mixed(2)
    clf = OptimalTreeClassifier(
        min_recall={"yes": 1.0}, max_depth=1, features="all", start=None
    ).fit(X, y)
    assert recall_score(y, clf.predict(X), pos_label="yes") == 1.0
    labels = (y == "yes").astype(np.int32)
    best = Answers(questions(X), labels, 2).least_cost(1, {1: 0.0})
    assert clf.error_ * len(y) == pytest.approx(best)
    assert "with a recall of at least 1 for yes" in str(clf.proof())
    path = tmp_path / "model.json"
    clf.save(path)
    back = ramify.load(path)
    assert (back.predict(X) == clf.predict(X)).all()
    assert back.error_ == clf.error_ and back.proof() == clf.proof()


def test_a_leaf_may_answer_against_its_majority_and_says_so() -> None:
    X = [[0.0]] * 10 + [[1.0]] * 10
    y = ["no"] * 8 + ["yes"] * 2 + ["no"] * 6 + ["yes"] * 4
    clf = OptimalTreeClassifier(min_recall={"yes": 0.6}, max_depth=1).fit(X, y)
    assert clf.error_ == pytest.approx(8 / 20) and clf.proven_optimal_
    assert clf.predict([[0.0], [1.0]]).tolist() == ["no", "yes"]
    text = clf.tree_.to_text()
    assert "chosen: a recall of at least 0.6 for yes" in text
    assert "by hand" not in text
    # two leaves of the same shares, of which one must answer yes: no costs tell them apart
    y = ["no"] * 8 + ["yes"] * 2 + ["no"] * 8 + ["yes"] * 2
    clf = OptimalTreeClassifier(min_recall={"yes": 0.5}, max_depth=1).fit(X, y)
    assert clf.error_ == pytest.approx(10 / 20) and clf.proven_optimal_
    with pytest.raises(ValueError, match="may not hold in a tree that is cut back"):
        clf.prune(n_leaves=1)


def test_at_the_time_limit_the_gap_is_honest() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape) * 2 * X.std(axis=0)
    whole = OptimalTreeClassifier(
        min_recall={0: 0.95}, max_depth=2, features="mid", n_thresholds=30, start=None
    ).fit(X, y)
    assert whole.proven_optimal_
    with pytest.warns(Warning, match="time_limit"):
        clf = OptimalTreeClassifier(
            min_recall={0: 0.95}, max_depth=5, features="all", time_limit=2.0
        ).fit(X, y)
    assert recall_score(y, clf.predict(X), pos_label=0) >= 0.95
    assert clf.lower_bound_ < clf.error_ and not clf.proven_optimal_


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"min_recall": {0: 1.5}}, "min_recall: 1.5 for class 0"),
        ({"min_recall": 0.5}, "must be None or a dict"),
        ({"min_recall": {7: 0.5}}, "min_recall names 7, which is not a class"),
        ({"min_recall": {0: 0.5}, "upper_bound": 0.3}, "does not go with upper_bound=0.3"),
        ({"min_recall": {0: 0.5}, "objective": "f1"}, "does not go with min_recall="),
        (
            {"min_recall": {0: 0.5}, "features": "mid", "n_thresholds": "grow"},
            "does not go with n_thresholds='grow'",
        ),
    ],
)
def test_wrong_limits_are_named(parameters: dict[str, Any], words: str) -> None:
    X, y, _ = small(1, 2)
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier(**parameters).fit(X, y)


def test_near_trees_and_fronts_refuse_it() -> None:
    X, y, _ = small(1, 2)
    clf = OptimalTreeClassifier(min_recall={0: 0.5})
    with pytest.raises(ValueError, match="near_optimal knows no min_recall"):
        clf.near_optimal(X, y, epsilon=0.1)
    with pytest.raises(ValueError, match="pareto_front knows no min_recall"):
        clf.pareto_front(X, y)


@pytest.mark.parametrize("more", [{"min_recall": {0: 0.9}}, {"objective": "f1", "positive": 0}])
def test_an_interrupt_keeps_the_best_tree(more: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 8)), rng.integers(0, 2, 300)
    told: list[tuple[float, float, float]] = []

    def stop(*moment: float) -> None:
        told.append(moment)
        if len(told) > 1:
            raise KeyboardInterrupt

    clf = OptimalTreeClassifier(max_depth=5, features="all", on_progress=stop, **more)
    with pytest.warns(Warning, match="was interrupted"):
        clf.fit(X, y)
    assert clf.search_["stopped_by"] == "interrupt" and clf.gap_ > 0
    assert clf.lower_bound_ <= clf.objective_ and not clf.proven_optimal_
    if "min_recall" in more:
        assert recall_score(y, clf.predict(X), pos_label=0) >= 0.9
