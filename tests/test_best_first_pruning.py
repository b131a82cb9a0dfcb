"""Best-first pruning: stopping early, and trees of few expansions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sequence_pruning_data import SEEDS, estimator, folds_of, table
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification

from ramify import TreeClassifier, _core
from ramify.pruning import BestFirst


def same_but_keys(one: Any, other: Any) -> None:
    assert one.data.keys() == other.data.keys()
    for name in one.data:
        if name != "key":
            np.testing.assert_array_equal(one.data[name], other.data[name], name)


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_tree_of_the_best_first_sequence_can_be_grown(seed: int, regression: bool) -> None:
    X, y, weight = table(seed, regression=regression)
    whole = estimator(seed, BestFirst(), regression=regression)
    if whole.growth == "depth_first":
        whole.set_params(growth="best_first")
    whole.fit(X, y, weight)
    path = whole.pruning_path_
    for row in range(len(path)):
        expansions = int(path["expansions"][row])
        small = clone(whole).set_params(pruning=None, max_expansions=expansions)
        cut = whole._grown.with_core(path.cut(whole._grown.core, row))
        same_but_keys(cut, small.fit(X, y, weight).tree_)


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("rule", ["min", "1se"])
@pytest.mark.parametrize("seed", SEEDS)
def test_pre_pruning_stops_where_the_errors_of_post_pruning_say(
    seed: int, rule: Any, regression: bool
) -> None:
    X, y, weight = table(seed, regression=regression)
    error = ("rate", "rmse")[seed % 2]
    post = estimator(seed, BestFirst(error=error), regression=regression).fit(X, y, weight)
    pre = estimator(seed, BestFirst(stage="pre", rule=rule, error=error), regression=regression)
    pre.fit(X, y, weight)
    errors = post.pruning_path_.error[::-1]
    deviations = post.pruning_path_.standard_error[::-1]
    if len(errors) == 1:
        assert pre.tree_.n_leaves == 1
        return
    stop = 0  # by hand, expansion by expansion
    if rule == "min":
        while stop + 1 < len(errors) and errors[stop + 1] <= errors[stop] + 1e-12:
            stop += 1
    else:
        seen = 0
        while seen + 1 < len(errors):
            best = int(np.argmin(errors[: seen + 1] > errors[: seen + 1].min() + 1e-12))
            if errors[seen] > errors[best] + deviations[best] + 1e-12:
                break
            seen += 1
        best = int(np.argmin(errors[: seen + 1] > errors[: seen + 1].min() + 1e-12))
        limit = errors[best] + deviations[best] + 1e-12
        stop = int(np.flatnonzero(errors[: seen + 1] <= limit)[0])
    assert len(pre.pruning_path_) == stop + 1
    np.testing.assert_allclose(pre.pruning_path_.error[::-1], errors[: stop + 1], atol=1e-9)
    row = len(errors) - 1 - stop
    assert pre.tree_.n_leaves == post.pruning_path_.leaves[row]


@pytest.mark.parametrize("rule", ["min", "1se"])
@pytest.mark.parametrize("seed", range(8))
def test_pre_pruning_does_not_depend_on_how_often_it_looks(seed: int, rule: Any) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, 2, 150)
    found = set()
    for steps in (1, 8, 64):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ramify._sequence_pruning._FIRST_STEPS", steps)
            clf = TreeClassifier(pruning=BestFirst(stage="pre", rule=rule)).fit(X, y)
        found.add((clf.tree_.n_leaves, len(clf.pruning_path_)))
    assert len(found) == 1


@pytest.mark.parametrize("limit", [{"max_leaves": 3}, {"max_expansions": 2}, {"max_depth": 1}])
@pytest.mark.parametrize("stage", ["pre", "post"])
@pytest.mark.parametrize("finished", ["keep", "drop"])
def test_limits_of_growth_end_pre_pruning(limit: Any, stage: Any, finished: Any) -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier(pruning=BestFirst(stage=stage, finished_folds=finished), **limit)
    assert clf.fit(X, y).tree_.n_leaves == (2 if "max_depth" in limit else 3)


def test_pre_pruning_grows_no_further_than_it_must() -> None:
    X, y = make_classification(2000, 10, n_informative=3, flip_y=0.4, random_state=1)
    steps = []
    real = _core.StepFolds

    class Watched:
        def __init__(self, *arguments: Any) -> None:
            self.folds = real(*arguments)

        def advance(self, expansions: int) -> Any:
            steps.append(expansions)
            return self.folds.advance(expansions)

        @property
        def finished(self) -> bool:
            return self.folds.finished

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ramify._sequence_pruning._core.StepFolds", Watched)
        clf = TreeClassifier(pruning=BestFirst(stage="pre")).fit(X, y)
    assert steps[-1] < 100 < TreeClassifier().fit(X, y).tree_.n_leaves
    assert clf.tree_.n_leaves <= steps[-1]


def test_pre_pruning_keeps_its_time() -> None:
    X, y = make_classification(3000, 20, n_informative=10, flip_y=0.3, random_state=0)
    with pytest.warns(RuntimeWarning, match="growing stopped after 0 expansions"):
        clf = TreeClassifier(pruning=BestFirst(stage="pre", time_limit=0.0)).fit(X, y)
    assert clf.tree_.n_leaves == 1
    assert np.isnan(clf.pruning_path_.error).all()


def test_finished_folds_may_be_dropped() -> None:
    X, y, _ = table(2)
    keep = estimator(2, BestFirst()).fit(X, y)
    drop = estimator(2, BestFirst(finished_folds="drop")).fit(X, y)
    folds = folds_of(keep, y, None, 10)
    path = drop.pruning_path_
    right = np.zeros(len(path))
    rows = np.zeros(len(path))
    for fold in range(10):
        train, test = folds != fold, folds == fold
        for row, expansions in enumerate(path["expansions"]):
            part = clone(keep).set_params(pruning=None, max_expansions=int(expansions))
            part.fit(X[train], y[train])
            grown = sum(bool(node.children) for node in part.tree_.nodes)
            if grown == expansions:
                right[row] += np.count_nonzero(part.predict(X[test]) == y[test])
                rows[row] += np.count_nonzero(test)
    assert rows.min() < len(y) == rows.max()
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(path.error, 1 - right / rows, atol=1e-12)
    reached = rows == len(y)
    np.testing.assert_allclose(path.error[reached], keep.pruning_path_.error[reached], atol=1e-12)
    assert (path.error[~reached] != keep.pruning_path_.error[~reached]).any()
