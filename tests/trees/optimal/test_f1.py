"""Trees of the largest F1 and of the largest balanced accuracy, against all trees and answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import mixed, questions
from oracles.answers import Answers
from oracles.optimal import Oracle
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import balanced_accuracy_score, f1_score

import ramify
from ramify import OptimalTreeClassifier


def small(seed: int, n: int = 13) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Draw a table of ties; the positive class is rare. Every second one has weights."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 4, n), rng.integers(0, 3, n)]).astype(float)
    y = ((X[:, 0] > 1) & (rng.random(n) < 0.6) | (rng.random(n) < 0.15)).astype(np.int32)
    y[:2] = 0, 1
    return X, y, rng.integers(1, 5, n) / 2.0 if seed % 2 else None


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("limits", [{}, {"max_leaves": 3}, {"min_samples_leaf": 2}])
@pytest.mark.parametrize("sparsity", [0.0, 0.03, 0.2])
def test_no_tree_has_a_larger_f1(
    seed: int, depth: int, limits: dict[str, int], sparsity: float
) -> None:
    X, y, weights = small(seed)
    positive = seed % 3 % 2
    clf = OptimalTreeClassifier(
        objective="f1",
        positive=positive,
        max_depth=depth,
        features="all",
        start="greedy" if seed % 4 else None,
        sparsity=sparsity,
        n_jobs=1 + seed % 2,
        **limits,
    ).fit(X, y, sample_weight=weights)
    least_rows = limits.get("min_samples_leaf", 1)
    oracle = Answers(questions(pd.DataFrame(X)), y, 2, weights, min_samples_leaf=least_rows)
    most = limits.get("max_leaves", 10**9)
    best = oracle.least_f1_error(depth, positive, sparsity=sparsity, max_leaves=most)
    assert clf.objective_ == pytest.approx(best, abs=1e-9)
    assert clf.proven_optimal_ and clf.lower_bound_ == clf.objective_ and clf.gap_ == 0.0
    scored = f1_score(y, clf.predict(X), pos_label=positive, sample_weight=weights)
    assert clf.error_ == pytest.approx(1 - scored, abs=1e-9)
    history = clf.history_
    assert (np.diff(history.error) <= 1e-12).all() and (np.diff(history.bound) >= -1e-12).all()
    assert (history.bound <= clf.objective_ + 1e-9).all()
    clf.tree_.check()


def test_on_a_mixed_table_with_holes() -> None:
    X, y = mixed(3)
    clf = OptimalTreeClassifier(
        objective="f1", positive="yes", max_depth=2, features="all", start=None
    )
    clf.fit(X, y)
    labels = (y == "yes").astype(np.int32)
    oracle = Oracle(questions(X), labels=labels, classes=2)
    found = 1 - f1_score(y, clf.predict(X), pos_label="yes")
    assert clf.proven_optimal_ and found == pytest.approx(clf.error_)
    # a tree of larger F1 would have a smaller cost at the F1 that was found
    t = 1 - clf.error_
    oracle.costs = np.array([[0.0, t], [2 - t, 0.0]])
    assert oracle.objective(2) == pytest.approx(2 * labels.sum() * (1 - t))
    assert str(clf.proof()).endswith("has a smaller 1 - F1 of yes in training")


def test_f1_beats_the_tree_of_least_error_and_is_honest_about_time() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    rare = (y == 0) & (np.arange(len(y)) % 6 == 0)
    kept = (y == 1) | rare
    X, y = X[kept] + np.random.default_rng(0).normal(size=X[kept].shape) * X.std(axis=0), y[kept]
    more: dict[str, Any] = {"max_depth": 2, "features": "mid", "n_thresholds": 20}
    plain = OptimalTreeClassifier(**more).fit(X, y)
    best = OptimalTreeClassifier(objective="f1", positive=0, **more).fit(X, y)
    scores = [f1_score(y, one.predict(X), pos_label=0) for one in (plain, best)]
    assert scores[1] > scores[0] and best.proven_optimal_
    y = np.where(np.random.default_rng(1).random(len(y)) < 0.2, 1 - y, y)
    with pytest.warns(Warning, match="time_limit"):
        hurried = OptimalTreeClassifier(
            objective="f1", positive=0, max_depth=5, features="all", time_limit=0.3
        ).fit(X, y)
    assert not hurried.proven_optimal_
    assert hurried.lower_bound_ <= hurried.objective_ and hurried.gap_ > 0
    assert hurried.error_ == pytest.approx(1 - f1_score(y, hurried.predict(X), pos_label=0))


def test_progress_and_files_of_f1(tmp_path: Any) -> None:
    X, y, _ = small(4, 60)
    told: list[tuple[float, float, float]] = []
    clf = OptimalTreeClassifier(
        objective="f1", max_depth=3, on_progress=lambda *moment: told.append(moment)
    ).fit(X, y)
    assert told and all(bound <= error + 1e-12 for _, error, bound in told)
    path = tmp_path / "model.json"
    clf.save(path)
    back = ramify.load(path)
    assert back.objective == "f1" and back.error_ == clf.error_ and back.proof() == clf.proof()
    assert (back.predict(X) == clf.predict(X)).all()
    assert '"version":9' in path.read_text()
    assert back.error_ == pytest.approx(1 - f1_score(y, back.predict(X)))


@pytest.mark.parametrize("seed", range(6))
def test_balanced_accuracy(seed: int) -> None:
    X, y, weights = small(seed, 14)
    y[2] = 2
    costs = np.array([[0.0, 1, 2], [1, 0, 3], [2, 1, 0]]) if seed % 3 == 0 else None
    clf = OptimalTreeClassifier(
        objective="balanced_accuracy", max_depth=2, features="all", costs=costs, sparsity=0.01
    ).fit(X, y, sample_weight=weights)
    given = np.ones(len(y)) if weights is None else weights
    by_class = np.bincount(y, given)
    oracle = Oracle(
        questions(pd.DataFrame(X)),
        labels=y,
        classes=3,
        weights=given / by_class[y] / 3,
        costs=costs,
    )
    assert clf.objective_ == pytest.approx(oracle.objective(2, sparsity=0.01))
    assert clf.proven_optimal_
    if costs is None:
        score = balanced_accuracy_score(y, clf.predict(X), sample_weight=weights)
        assert clf.error_ == pytest.approx(1 - score)
        assert "balanced training error" in str(clf.proof())


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"objective": "accuracy"}, "objective='accuracy'"),
        ({"objective": "f1", "costs": [[0, 1], [1, 0]]}, "does not go with costs="),
        ({"objective": "f1", "class_weight": "balanced"}, "does not go with class_weight="),
        ({"objective": "f1", "upper_bound": 0.1}, "does not go with upper_bound=0.1"),
        ({"objective": "f1", "features": "mid", "n_thresholds": "grow"}, "n_thresholds='grow'"),
        ({"objective": "f1", "positive": "odd"}, "positive='odd' is not a class"),
        ({"objective": "balanced_accuracy", "class_weight": {0: 1, 1: 2}}, "class_weight"),
        ({"positive": 1}, "positive=1 is for objective='f1'"),
    ],
)
def test_what_does_not_go_together_is_refused_by_name(
    parameters: dict[str, Any], words: str
) -> None:
    X, y, _ = small(1)
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier(**parameters).fit(X, y)


def test_f1_is_for_two_classes_and_for_fit_alone() -> None:
    X, y, _ = small(1)
    with pytest.raises(ValueError, match="needs two classes, and y has 3"):
        OptimalTreeClassifier(objective="f1").fit(X, [0, 1, 2] * 4 + [0])
    for method, more in (("near_optimal", {"epsilon": 0.1}), ("pareto_front", {})):
        with pytest.raises(ValueError, match=f"{method} adds up the errors of leaves"):
            getattr(OptimalTreeClassifier(objective="f1"), method)(X, y, **more)
