"""Best-first pruning: where it stops, before and after growing, and trees of few expansions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.report_data import data_of
from helpers.sequence_pruning_data import SEEDS, estimator, folds_of, table
from oracles import sequence_pruning as oracle
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification

from ramify import ModelFileError, TreeClassifier, _core, presets
from ramify.files import dumps, loads
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
        cut = whole.fitted_.grown.with_core(path.cut(whole.fitted_.grown.core, row))
        same_but_keys(cut, small.fit(X, y, weight).tree_)


@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_post_pruning_goes_on_until_no_tree_of_a_fold_can_be_expanded(
    seed: int, drop: bool
) -> None:
    regression = seed % 4 == 1
    X, y, weight = table(seed, regression=regression)
    pruning = BestFirst(finished_folds="drop" if drop else "keep")
    clf = estimator(seed, pruning, regression=regression)
    if clf.growth == "depth_first":
        clf.set_params(growth="best_first")
    clf.fit(X, y, weight)
    measure = "rate"
    if regression:
        measure = "absolute" if clf.criterion == "absolute_error" else "squared"
    wanted = oracle.post_pruning(
        lambda count: clone(clf).set_params(pruning=None, max_expansions=count),
        X,
        y,
        weight,
        folds_of(clf, y, weight, 10),
        drop=drop,
        measure=measure,
    )
    path = clf.pruning_path_
    inner = len(oracle.inner_nodes(clf.fitted_.grown))
    assert path["expansions"].tolist() == list(range(max(inner, len(wanted) - 1), -1, -1))
    found = path.error[::-1]
    np.testing.assert_allclose(found[: len(wanted)], wanted, atol=1e-9)
    chosen = int(np.flatnonzero(wanted <= wanted.min() + 1e-12)[0])
    assert int(path["expansions"][path.selected]) == chosen
    assert len(oracle.inner_nodes(clf.tree_)) == min(chosen, inner)


def test_the_trees_of_folds_may_outgrow_the_whole_tree() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    clf = presets.bftree().fit(X, y)
    path = clf.pruning_path_
    whole = clf.fitted_.grown.n_leaves
    assert path.beyond > 0
    assert len(path) == whole + path.beyond  # binary splits: one more leaf per expansion
    assert path["expansions"].tolist() == list(range(len(path) - 1, -1, -1))
    assert path.leaves.tolist() == [whole] * path.beyond + list(range(whole, 0, -1))
    assert path.sizes.tolist() == list(range(len(path), 0, -1))
    assert len(set(path.training_error[: path.beyond + 1])) == 1
    assert not np.isnan(path.error).any()
    # A choice beyond the whole tree is the whole tree, however it is asked for.
    assert path.selected < path.beyond
    assert clf.tree_.n_leaves == clf.prune(rule="min").tree_.n_leaves == whole
    for n_leaves in range(1, whole + 20):
        cut = clf.prune(n_leaves=n_leaves)
        assert cut.tree_.n_leaves == min(n_leaves, whole)
        at = cut.pruning_path_.selected
        assert cut.pruning_path_["expansions"][at] == min(n_leaves, whole) - 1
    # The rule of one standard error looks at all sizes, too.
    best = int(np.flatnonzero(path.error == path.error.min())[-1])
    near = path.error <= path.error[best] + path.standard_error[best] + 1e-12
    leaves = path.leaves[np.flatnonzero(near)[-1]]
    assert clf.prune(rule="1se").tree_.n_leaves == leaves


def test_files_and_pictures_hold_what_is_beyond_the_whole_tree(tmp_path: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    clf = presets.bftree().fit(X, y)
    path = clf.pruning_path_
    read = loads(dumps(clf))
    for column in path.columns:
        np.testing.assert_array_equal(read.pruning_path_[column], path[column])
    assert read.pruning_path_.selected == path.selected
    assert read.prune(rule="1se").tree_ == clf.prune(rule="1se").tree_
    document = json.loads(dumps(clf))
    document["pruning"]["path"]["standard_error"].pop()
    with pytest.raises(ModelFileError, match=f"standard_error must be {len(path)} numbers"):
        loads(json.dumps(document))
    # Files of releases that stopped at the whole tree.
    for name in ("error", "standard_error"):
        document["pruning"]["path"][name] = getattr(path, name)[path.beyond :].tolist()
    document["pruning"]["path"]["selected"] = 0
    old = loads(json.dumps(document))
    assert len(old.pruning_path_) == clf.fitted_.grown.n_leaves
    assert old.tree_ == clf.tree_

    clf.report(tmp_path / "report.html")
    shown = data_of(tmp_path / "report.html")["path"]
    assert shown["place"] == path.sizes.tolist()
    assert shown["leaves"] == path.leaves.tolist()
    assert shown["error"] == pytest.approx(path.error.tolist())
    assert shown["fitted"] == path.selected
    plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is an extra")
    figure, ax = plt.subplots()
    clf.plot_pruning_path(ax=ax)
    assert max(ax.lines[1].get_xdata()) == len(path)
    assert f"beyond {clf.fitted_.grown.n_leaves}" in ax.get_xlabel()
    plt.close(figure)


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("rule", ["min", "1se", "1point"])
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
        allowed = deviations[best]
        if rule == "1point":
            allowed = min(allowed, 0.01 * (errors[0] if regression else 1.0))
        limit = errors[best] + allowed + 1e-12
        stop = int(np.flatnonzero(errors[: seen + 1] <= limit)[0])
        doubt = np.hypot(deviations[stop], deviations[0])
        tested = rule == "1point" and error == "rate" and not regression
        if tested and errors[0] <= errors[stop] + doubt + 1e-12:
            stop = 0
    assert len(pre.pruning_path_) == stop + 1
    np.testing.assert_allclose(pre.pruning_path_.error[::-1], errors[: stop + 1], atol=1e-9)
    row = len(errors) - 1 - stop
    assert pre.tree_.n_leaves == post.pruning_path_.leaves[row]


@pytest.mark.parametrize("rule", ["min", "1se", "1point"])
@pytest.mark.parametrize("seed", range(8))
def test_pre_pruning_does_not_depend_on_how_often_it_looks(seed: int, rule: Any) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, 2, 150)
    found = set()
    for steps in (1, 8, 64):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ramify.pruning.sequences._FIRST_LOOK", steps)
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
        patch.setattr("ramify.pruning.sequences._core.StepFolds", Watched)
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
