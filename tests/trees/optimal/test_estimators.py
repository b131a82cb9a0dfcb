"""What the estimators of optimal trees share with other estimators, and their errors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import mixed
from sklearn.datasets import load_diabetes, load_iris

from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeRegressor,
    load,
)


def test_it_does_what_every_tree_does(tmp_path: Any) -> None:
    X, y = mixed(1, 60)
    clf = OptimalTreeClassifier(max_depth=3, features="mid", n_thresholds=8).fit(X, y)
    clf.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.tree_ == clf.tree_
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    assert clf.feature_names_in_.tolist() == list(X)
    assert clf.feature_importances_.sum() == pytest.approx(1.0)
    assert clf.get_depth() <= 3
    assert clf.get_n_leaves() == len(clf.tree_.rules())
    assert set(clf.apply(X)) <= set(np.flatnonzero(clf.tree_.data["kind"] == 0))
    assert clf.decision_path(X).shape == (60, clf.tree_.n_nodes)
    assert str(clf.explain(X.iloc[[0]])).endswith("%)")
    assert "yes" in clf.tree_.to_text()
    unseen = X.iloc[[0]].assign(city="Z")
    assert clf.predict(unseen)[0] in ("yes", "no")
    with pytest.raises(ValueError, match="'Z'"):
        OptimalTreeClassifier(max_depth=1, unseen="error").fit(X, y).predict(unseen)


def test_what_json_cannot_hold_has_its_default_when_loaded(tmp_path: Any) -> None:
    clf = OptimalTreeClassifier(
        max_depth=1,
        time_limit=float("inf"),
        random_state=np.random.default_rng(0),
        on_progress=lambda *_: None,
    ).fit([[1.0], [2.0]], [0, 1])
    clf.save(tmp_path / "m.json")
    written = json.loads((tmp_path / "m.json").read_text())
    assert set(written["unsaved_parameters"]) == {"on_progress", "random_state"}
    loaded = load(tmp_path / "m.json")
    assert loaded.on_progress is None and loaded.random_state is None
    assert loaded.time_limit == float("inf")
    assert loaded.error_ == clf.error_ and loaded.search_ == clf.search_


def test_pruning_afterwards() -> None:
    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(max_depth=3, n_thresholds=10, features="mid").fit(X, y)
    small = clf.prune(n_leaves=3)
    assert small.tree_.n_leaves <= 3 < clf.tree_.n_leaves
    assert small.error_ == pytest.approx(1 - small.score(X, y))
    assert small.error_ > clf.error_
    assert not small.proven_optimal_ and small.gap_ > 0
    assert clf.proven_optimal_


def test_fits_again_after_failing() -> None:
    clf = OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], ["a", "b"])
    before = clf.tree_
    with pytest.raises(ValueError, match="features='binary'"):
        clf.set_params(features="binary").fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    assert clf.tree_ is before


@pytest.mark.parametrize("n_thresholds", [6, "grow"])
def test_plot_progress(n_thresholds: Any) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=n_thresholds).fit(X, y)
    ax = clf.plot_progress()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["bound", "error"]
    assert ax.get_xlabel() == "seconds"
    lines = [line for line in ax.get_lines() if line.get_label() == "error"]
    np.testing.assert_array_equal(lines[0].get_ydata(), clf.history_["error"])
    assert clf.plot_progress(ax=ax) is ax
    plt.close("all")


def test_the_history_is_a_table() -> None:
    X, y = load_iris(return_X_y=True)
    history = OptimalTreeClassifier(max_depth=2).fit(X, y).history_
    frame = history.to_frame(backend="pandas")
    assert list(frame) == ["seconds", "error", "bound", "n_features"] == list(history)
    assert len(frame) == len(history)
    with pytest.raises(KeyError, match="not a column"):
        history["time"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_depth": None}, "max_depth=None needs a price or a largest number of leaves"),
        ({"max_depth": 2.5}, "max_depth=2.5"),
        ({"n_thresholds": np.array([1, 2])}, "n_thresholds=array"),
        ({"n_thresholds": "all"}, "must be .* at least 1, 'grow' or 'mdl'; .* features='all'"),
        ({"n_thresholds": "mdl", "features": "all"}, "n_thresholds='mdl' does not fit"),
        ({"upper_bound": -0.1}, "upper_bound=-0.1 must be"),
        ({"upper_bound": np.nan}, "upper_bound=nan must be"),
        (
            {"start": 3},
            "start=3 must be 'greedy', None, a fitted estimator of one tree, or its tree_",
        ),
        ({"start": OptimalTreeClassifier()}, "has no tree: fit it first"),
        ({"time_limit": np.nan}, "time_limit=nan must be None"),
        ({"time_limit": "1s"}, "time_limit='1s' must be None"),
        ({"features": "some"}, "features='some' is not valid; choose from auto, binary, mid, all"),
        ({"n_thresholds": 0}, "n_thresholds=0 must be an integer of at least 1, 'grow' or"),
        ({"n_thresholds": "grow", "features": "all"}, "n_thresholds='grow' does not fit"),
        ({"start": "random"}, "start='random'"),
        ({"sparsity": -0.1}, "sparsity=-0.1"),
        ({"max_leaves": 0}, "max_leaves=0"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0"),
        ({"time_limit": -1}, "time_limit=-1"),
        ({"memory_limit": "2 pounds"}, "memory_limit='2 pounds'"),
        ({"memory_limit": 0}, "memory_limit=0"),
        ({"validation_fraction": 1.0}, "validation_fraction=1"),
        ({"on_progress": 1}, "on_progress=1"),
        ({"unseen": "guess"}, "unseen='guess'"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"verbose": 1}, "verbose=1"),
    ],
)
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_parameters_that_are_not_valid(kind: Any, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**parameters).fit([[1.0], [2.0]], [0.0, 1.0])


@pytest.mark.parametrize(
    "parameters",
    [
        {"time_limit": float("inf")},
        {"max_depth": 2**31},
        {"max_depth": 10**30},
        {"memory_limit": 2**64},
        {"memory_limit": 10**30},
        {"memory_limit": "9" * 400 + "TB"},
        {"max_leaves": 10**30},
        {"features": "mid", "n_thresholds": 10**30},
        {"n_thresholds": np.int64(5)},
    ],
)
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_a_limit_that_is_never_reached_is_none(kind: Any, parameters: dict[str, Any]) -> None:
    model = kind(**parameters).fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    assert model.error_ == 0.0
    assert model.proven_optimal_


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_a_leaf_of_more_rows_than_there_are(kind: Any) -> None:
    model = kind(min_samples_leaf=10**30).fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    assert model.tree_.n_leaves == 1


def test_a_column_that_is_not_binary_is_named() -> None:
    X = pd.DataFrame({"a": [0, 1, 1], "size": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="column 'size' has 3"):
        OptimalTreeClassifier(features="binary").fit(X, [0, 1, 0])


@pytest.mark.parametrize("size", [10**6, "1MB", "1.5 gb", "2GiB", None])
def test_sizes_of_memory(size: Any) -> None:
    clf = OptimalTreeClassifier(max_depth=1, memory_limit=size).fit([[1.0], [2.0]], [0, 1])
    assert clf.error_ == 0.0


def test_a_target_far_from_zero() -> None:
    X, y = load_diabetes(return_X_y=True)
    near = OptimalTreeRegressor(max_depth=2, features="mid", n_thresholds=10, sparsity=0.01)
    far = OptimalTreeRegressor(max_depth=2, features="mid", n_thresholds=10, sparsity=0.01)
    near.fit(X, y)
    far.fit(X, y + 1e9)
    assert far.error_ == pytest.approx(near.error_, rel=1e-6)
    np.testing.assert_allclose(far.tree_.data["impurity"], near.tree_.data["impurity"], rtol=1e-6)
    np.testing.assert_allclose(far.predict(X) - 1e9, near.predict(X), rtol=1e-6)


def test_regressor_beside_greedy() -> None:
    X, y = load_diabetes(return_X_y=True)
    greedy = TreeRegressor(max_depth=2).fit(X, y)
    reg = OptimalTreeRegressor(max_depth=2, features="mid", n_thresholds=10).fit(X, y)
    assert reg.score(X, y) >= greedy.score(X, y) - 1e-12
    assert reg.error_ == pytest.approx(np.mean((reg.predict(X) - y) ** 2))
