"""Boosted trees: the number of leaves by cross-validation, and the criterion of the trees."""

from __future__ import annotations

import json
import warnings
from typing import Any

import jsonschema
import numpy as np
import pytest
from helpers.boosted_data import NAMES, table
from helpers.model_schema import validator
from helpers.processes import interrupted_after, needs_signals
from oracles import boosting
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from ramify import BoostedTreesClassifier
from ramify.files import ModelFileError, dumps, loads
from ramify.learning.folds import deal
from ramify.trees.boosted.leaves import SIZES, read_sizes

CASES: list[dict[str, Any]] = [
    {},
    {"missing": "direction", "learning_rate": 1.0},
    {"class_weight": "balanced", "min_samples_leaf": 0.05},
    {"n_iter_no_change": 2, "validation_fraction": 0.3},
    {"weight_trimming": 0.1, "categorical_split": "multiway", "unseen": "majority"},
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_the_errors_are_those_of_fits_on_the_folds(name: str, k: int, case: Any) -> None:
    X, y, w = table(k, k, 90, holes=True)
    sizes = [2, 3, 7, None]
    plain = BoostedTreesClassifier(algorithm=name, n_rounds=4, random_state=5, folds=4, **case)  # type: ignore[arg-type]
    clf = clone(plain).set_params(max_leaves=sizes).fit(X, y, w)
    folds = deal(y, np.arange(len(y)), 4, 5, by_class=True)
    # A wrong row counts with the weight of its class, too.
    judged = w * _balanced(y, w) if "class_weight" in case else w
    want = boosting.errors_of_sizes(
        lambda size: clone(plain).set_params(max_leaves=size), X, y, w, sizes, folds, judged
    )
    np.testing.assert_allclose(clf.max_leaves_path_["error"], want, atol=1e-12)
    assert clf.max_leaves_path_["max_leaves"] == sizes
    best = next(s for s, e in zip(sizes, want, strict=True) if e <= min(want) + 1e-12)
    assert clf.max_leaves_ == best
    alone = clone(plain).set_params(max_leaves=best).fit(X, y, w)
    np.testing.assert_array_equal(clf.decision_function(X), alone.decision_function(X))
    assert alone.max_leaves_ == best
    assert not hasattr(alone, "max_leaves_path_")


def _balanced(y: Any, w: Any) -> Any:
    sums = np.bincount(y, w)
    return (sums.sum() / len(sums) / sums)[y]


def test_it_is_cross_val_predict_of_scikit_learn() -> None:
    X, y = make_classification(240, 6, n_informative=4, n_classes=3, random_state=0)
    clf = BoostedTreesClassifier(n_rounds=8, max_leaves="cv", random_state=1).fit(X, y)
    folds = deal(y, np.arange(len(y)), 5, 1, by_class=True)
    errors = []
    for size in SIZES:
        one = BoostedTreesClassifier(n_rounds=8, max_leaves=size)
        predicted = cross_val_predict(one, X, y, cv=PredefinedSplit(folds))
        errors.append(np.mean(predicted != y))
    path = clf.max_leaves_path_
    assert path["max_leaves"] == list(SIZES)
    np.testing.assert_allclose(path["error"], errors, atol=1e-12)
    np.testing.assert_allclose(
        path["standard_error"], [np.sqrt(e * (1 - e) / len(y)) for e in errors], atol=1e-12
    )
    assert clf.max_leaves_ == SIZES[int(np.argmin(errors))]
    assert max(tree.n_leaves for tree in clf.estimators_) == clf.max_leaves_


def test_stumps_for_a_sum_and_larger_trees_for_an_interaction() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 3)).astype(float)
    flip = rng.random(400) < 0.1
    parity = ((X[:, 0] != X[:, 1]) ^ flip).astype(int)
    clf = BoostedTreesClassifier(n_rounds=30, max_leaves="cv").fit(X, parity)
    assert clf.max_leaves_ == 4  # the smallest that lets two columns act together
    one = (X[:, 2].astype(bool) ^ flip).astype(int)
    assert BoostedTreesClassifier(n_rounds=30, max_leaves="cv").fit(X, one).max_leaves_ == 2


@pytest.mark.parametrize("name", NAMES)
def test_threads_seeds_and_the_order_of_sizes(name: str) -> None:
    X, y, w = table(9, 3, 120, holes=True)
    clf = BoostedTreesClassifier(algorithm=name, n_rounds=5, max_leaves=[8, 2, 4], random_state=0)  # type: ignore[arg-type]
    one = clone(clf).fit(X, y, w)
    two = clone(clf).set_params(n_jobs=2, max_leaves=(2, 4, 8, 4)).fit(X, y, w)
    for column in ("error", "standard_error"):
        np.testing.assert_array_equal(one.max_leaves_path_[column], two.max_leaves_path_[column])
    assert one.max_leaves_path_["max_leaves"] == [2, 4, 8]
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))
    other = clone(clf).set_params(random_state=1, n_rounds=3).fit(X, y, w)
    assert (other.max_leaves_path_["error"] != one.max_leaves_path_["error"]).any()
    again = one.set_params(max_leaves=4).fit(X, y, w)
    assert not hasattr(again, "max_leaves_path_")


@pytest.mark.parametrize("name", NAMES)
def test_few_rows_and_rare_classes(name: str) -> None:
    make = BoostedTreesClassifier(algorithm=name, n_rounds=3, max_leaves="cv")  # type: ignore[arg-type]
    two = clone(make).fit([["a"], ["b"]], [0, 1])
    assert two.predict([["a"], ["b"]]).tolist() == [0, 1]
    only = clone(make).fit([["a"], ["b"]], ["x", "x"])
    assert only.max_leaves_ == 2 and not hasattr(only, "max_leaves_path_")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.array([0] * 28 + [1, 2])
    rare = clone(make).fit(X, y)
    assert np.isfinite(rare.max_leaves_path_["error"]).all()


def test_no_time_and_little_time() -> None:
    X, y = make_classification(300, 5, random_state=0)
    with pytest.warns(RuntimeWarning, match=r"time_limit=0.0: .* 0 of 5 folds .* smallest number"):
        clf = BoostedTreesClassifier(max_leaves=[4, 8], time_limit=0).fit(X, y)
    assert clf.max_leaves_ == 4 and clf.n_rounds_ == 1
    assert not hasattr(clf, "max_leaves_path_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BoostedTreesClassifier(n_rounds=2, max_leaves=[4, 8], time_limit=600).fit(X, y)


@needs_signals
def test_interrupt_leaves_the_former_fit() -> None:
    X, y = make_classification(3000, 20, random_state=0)
    clf = BoostedTreesClassifier(n_rounds=2).fit(X, y)
    before = clf.predict_proba(X)
    with interrupted_after(0.5):
        clf.set_params(n_rounds=10**6, max_leaves="cv").fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    assert clf.max_leaves_ == 8 and not hasattr(clf, "max_leaves_path_")


def test_progress_is_shown_if_asked_for(capsys: Any) -> None:
    X, y = load_iris(return_X_y=True)
    BoostedTreesClassifier(n_rounds=2, max_leaves=[2, 4], verbose=True).fit(X, y)
    assert "number of leaves" in capsys.readouterr().err


@pytest.mark.parametrize("sizes", ["cv", [2, 4, None], (3, 2), 5, None])
def test_files(sizes: Any) -> None:
    X, y = load_iris(return_X_y=True)
    saved = BoostedTreesClassifier(
        algorithm="real", criterion="entropy", n_rounds=3, max_leaves=sizes
    ).fit(X, y)
    text = dumps(saved)
    validator().validate(json.loads(text))
    loaded = loads(text)
    assert loaded.max_leaves_ == saved.max_leaves_
    assert list(read_sizes(loaded.max_leaves)) == list(read_sizes(sizes))
    assert loaded.criterion == "entropy"
    assert hasattr(loaded, "max_leaves_path_") == hasattr(saved, "max_leaves_path_")
    if hasattr(saved, "max_leaves_path_"):
        assert loaded.max_leaves_path_["max_leaves"] == saved.max_leaves_path_["max_leaves"]
        for column in ("error", "standard_error"):
            np.testing.assert_array_equal(
                loaded.max_leaves_path_[column], saved.max_leaves_path_[column]
            )
    assert dumps(loaded) == text
    old = json.loads(text)  # a file of an earlier release
    del old["boosting"]["leaves"]
    for name in ("criterion", "folds"):
        del old["parameters"][name]
    old["parameters"]["max_leaves"] = 5
    read = loads(json.dumps(old))
    assert read.max_leaves_ == 5 and read.criterion == "auto"
    np.testing.assert_array_equal(read.predict_proba(X), saved.predict_proba(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"chosen": 3}, "boosting.leaves.chosen=3 is not one of sizes"),
        ({"chosen": 2.0}, "sizes must be null or integers"),
        ({"sizes": [2, 1]}, "sizes must be null or integers of at least 2"),
        ({"sizes": 4}, "sizes must be"),
        ({"error": [0.1]}, "there must be 2 errors"),
        ({"standard_error": "none"}, "boosting.leaves.standard_error must be finite numbers"),
        ({"other": 1}, "boosting.leaves must be an object with chosen"),
    ],
)
def test_damage_is_named(change: Any, message: str) -> None:
    clf = BoostedTreesClassifier(n_rounds=2, max_leaves=[2, 4]).fit(*load_iris(return_X_y=True))
    document = json.loads(dumps(clf))
    document["boosting"]["leaves"] |= change
    with pytest.raises(ModelFileError, match=message):
        loads(json.dumps(document))
    document["boosting"]["leaves"] = 8
    with pytest.raises(jsonschema.ValidationError):
        validator().validate(document)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_leaves": "auto"}, "max_leaves='auto' must be None, an integer of at least 2, 'cv'"),
        ({"max_leaves": []}, r"max_leaves=\[\] must be a list of sizes"),
        ({"max_leaves": [4, 1]}, "max_leaves=1 must be None or an integer of at least 2"),
        ({"max_leaves": 2.5}, "max_leaves=2.5"),
        ({"folds": 1}, "folds=1 must be an integer of at least 2"),
        ({"criterion": "gini"}, "criterion='gini' with algorithm='logit': its trees are weighted"),
        (
            {"criterion": max, "algorithm": "gentle"},
            "with algorithm='gentle': its trees are .* choose 'auto' or 'squared_error', or",
        ),
        ({"criterion": "absolute_error"}, "its trees are weighted least squares fits"),
        (
            {"criterion": "squared_error", "algorithm": "real"},
            "its trees predict classes, and that criterion is for numbers; choose from auto, ",
        ),
        (
            {"criterion": "purity", "algorithm": "discrete"},
            "criterion='purity' with algorithm='discrete' is not valid; choose from auto, ",
        ),
        ({"criterion": None}, "criterion=None with algorithm='logit' is not valid"),
    ],
)
def test_wrong_parameters(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BoostedTreesClassifier(**parameters).fit([[1.0], [2.0]], [0, 1])


def test_criteria_of_cuts_and_their_importances() -> None:
    """Pereira's criteria and searches, which a single tree has, in boosted ones."""
    X, y, w = table(4, 3, 200)
    clf = BoostedTreesClassifier(
        algorithm="real", criterion="chi2_cut", categorical_split="greedy_cut", n_rounds=10
    ).fit(X, y, w)
    assert clf.score(X, y) > 0.6
    # A chi-square counts the rows: it is not multiplied by them once more.
    gained = np.zeros(3)
    for tree in clf.estimators_:
        for node in tree.nodes:
            if node.children:
                gained[int(tree.data["attribute"][node.id])] += node.gain
    np.testing.assert_allclose(clf.feature_importances_, gained / gained.sum())
    assert (
        BoostedTreesClassifier(criterion="squared_error", n_rounds=3).fit(X, y).estimators_
        == BoostedTreesClassifier(n_rounds=3).fit(X, y).estimators_
    )
    raises = BoostedTreesClassifier(algorithm="real", criterion=lambda counts: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        raises.fit(X, y)
