"""Boosted trees as an estimator: what goes in, what comes out, and when it stops."""

from __future__ import annotations

import pickle
import time
from typing import Any

import numpy as np
import pytest
from helpers.boosted_data import NAMES, table
from helpers.processes import interrupted_after, needs_signals
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from ramify import BoostedTreesClassifier, TreeClassifier
from ramify.datasets import load_titanic


def make(name: str, **parameters: Any) -> BoostedTreesClassifier:
    return BoostedTreesClassifier(**({"algorithm": name, "n_rounds": 10} | parameters))


@pytest.fixture(scope="module", params=[2, 3])
def data(request: Any) -> tuple[Any, Any, Any]:
    X, y, w = table(11, request.param, 200, holes=True)
    return X, np.array(["a", "b", "c"])[y], w


def same(one: BoostedTreesClassifier, other: BoostedTreesClassifier, X: Any) -> None:
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    np.testing.assert_array_equal(one.train_score_, other.train_score_)


@pytest.mark.parametrize("name", NAMES)
def test_staged_equals_final_and_shorter_fits(name: str, data: Any) -> None:
    X, y, w = data
    clf = make(name).fit(X, y, w)
    scores = list(clf.staged_decision_function(X))
    assert len(scores) == clf.n_rounds_ == 10
    assert len(set(map(id, scores))) == 10
    np.testing.assert_array_equal(scores[-1], clf.decision_function(X))
    np.testing.assert_array_equal(list(clf.staged_predict(X))[-1], clf.predict(X))
    shares = list(clf.staged_predict_proba(X))
    np.testing.assert_array_equal(shares[-1], clf.predict_proba(X))
    np.testing.assert_array_equal(
        scores[3], make(name, n_rounds=4).fit(X, y, w).decision_function(X)
    )
    np.testing.assert_allclose(clf.predict_proba(X).sum(axis=1), 1.0)
    assert (clf.classes_[clf.predict_proba(X).round(9).argmax(axis=1)] == clf.predict(X)).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_trees(name: str, data: Any) -> None:
    X, y, w = data
    clf = make(name, max_leaves=5).fit(X, y, w)
    per_round = len(clf.classes_) if name in ("logit", "gentle") and len(clf.classes_) > 2 else 1
    assert len(clf.estimators_) == len(clf.estimator_weights_) == 10 * per_round
    for tree in clf.estimators_:
        tree.core.check()
        assert 1 <= tree.n_leaves <= 5
        assert tree.task == ("classification" if name in ("real", "discrete") else "regression")
    assert "y = " in clf.estimators_[0].target or clf.estimators_[0].target == "y"
    assert clf.feature_importances_.sum() == pytest.approx(1.0)
    assert (clf.feature_importances_ >= 0).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("trimming", [0.0, 0.2])
def test_weights_are_repetitions(name: str, trimming: float, data: Any) -> None:
    X, y, _ = data
    times = np.random.default_rng(5).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    clf = make(name, weight_trimming=trimming, n_rounds=5, class_weight="balanced")
    by_weight = clone(clf).fit(X, y, times)
    by_copies = clone(clf).fit({key: v[rows] for key, v in X.items()}, y[rows])
    np.testing.assert_allclose(
        by_weight.predict_proba(X), by_copies.predict_proba(X), rtol=1e-7, atol=1e-9
    )


@pytest.mark.parametrize("name", NAMES)
def test_threads_clone_pickle_and_other_containers(name: str, data: Any) -> None:
    X, y, w = data
    clf = make(name, weight_trimming=0.1).fit(X, y, w)
    same(clf, clone(clf).set_params(n_jobs=3).fit(X, y, w), X)
    same(clf, pickle.loads(pickle.dumps(clf)), X)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X)
    same(clf, clone(clf).fit(frame, pandas.Series(y), w), frame)


def test_threads_on_a_larger_table() -> None:
    X, y = make_classification(4000, 12, n_informative=6, n_classes=4, random_state=0)
    for name in ("logit", "real"):
        one, two = (make(name, n_rounds=4, n_jobs=n).fit(X, y) for n in (1, 2))
        same(one, two, X)


@pytest.mark.parametrize("name", NAMES)
def test_early_stopping(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 5))
    y = (X[:, 0] + rng.standard_normal(400) > 0).astype(int)
    clf = make(name, n_rounds=500, n_iter_no_change=5, validation_fraction=0.25, learning_rate=0.5)
    clf.fit(X, y)
    made = len(clf.validation_score_)
    assert clf.stopped_ == "early"
    assert clf.n_rounds_ == clf.validation_score_.argmin() + 1 <= made - 5 < 495
    assert len(clf.train_score_) == made
    assert min(clf.validation_score_[-5:]) > clf.validation_score_.min() - clf.tol
    other = clone(clf).set_params(random_state=1).fit(X, y)
    assert not np.array_equal(other.validation_score_, clf.validation_score_)
    same(clf, clone(clf).fit(X, y), X)


def test_held_out_rows_are_not_learnt_from() -> None:
    X, y = load_iris(return_X_y=True)
    clf = make("logit", n_iter_no_change=3).fit(X, y)
    tree = clf.estimators_[0]
    assert tree.nodes[0].rows == 135
    plain = make("logit").fit(X, y)
    assert plain.estimators_[0].nodes[0].rows == 150
    assert not hasattr(plain, "validation_score_")
    assert not hasattr(clf.set_params(n_iter_no_change=None).fit(X, y), "validation_score_")
    with pytest.raises(ValueError, match="n_iter_no_change=3 needs a class with two rows"):
        make("logit", n_iter_no_change=3).fit([[1], [2]], [0, 1])


@pytest.mark.parametrize("name", NAMES)
class TestOddTables:
    def test_one_class(self, name: str) -> None:
        clf = make(name).fit([[1.0], [2.0]], ["only", "only"])
        assert clf.stopped_ == "one_class" and clf.n_rounds_ == 0 and clf.estimators_ == []
        assert clf.predict([[5.0]]).tolist() == ["only"]
        assert clf.predict_proba([[5.0]]).tolist() == [[1.0]]
        assert list(clf.staged_predict([[5.0]])) == []
        assert clf.decision_function([[5.0]]).tolist() == [0.0]
        assert clf.feature_importances_.tolist() == [0.0]

    def test_one_row(self, name: str) -> None:
        clf = make(name).fit([["a"]], [7])
        assert clf.predict([["b"]]).tolist() == [7]

    def test_two_rows_that_part(self, name: str) -> None:
        clf = make(name, n_rounds=50).fit([["a"], ["b"]], [0, 1])
        assert clf.predict([["a"], ["b"]]).tolist() == [0, 1]
        assert np.isfinite(clf.decision_function([["a"], ["b"], ["c"]])).all()

    def test_constant_columns(self, name: str) -> None:
        X, y = np.ones((9, 2)), [0] * 3 + [1] * 6
        clf = make(name, n_rounds=100, learning_rate=1.0).fit(X, y)
        assert set(clf.predict(X)) == {1}
        if name != "discrete":
            assert clf.predict_proba(X)[0] == pytest.approx([1 / 3, 2 / 3], abs=1e-6)
        assert clf.n_rounds_ < 100
        even = make(name, n_rounds=5).fit(np.ones((4, 1)), [0, 1, 0, 1])
        assert even.predict_proba([[1.0]])[0] == pytest.approx([0.5, 0.5])
        assert even.predict([[1.0]])[0] == 0  # of equal scores, the first class

    def test_perfect_separation_stays_finite(self, name: str) -> None:
        X, y = np.arange(20.0)[:, None], np.repeat(["n", "y"], 10)
        clf = make(name, n_rounds=400, learning_rate=1.0).fit(X, y)
        assert clf.score(X, y) == 1.0
        assert np.isfinite(clf.predict_proba(X)).all()
        assert np.isfinite(clf.train_score_).all()
        if name == "discrete":
            assert clf.stopped_ == "perfect" and clf.n_rounds_ == 1

    def test_weight_zero_takes_no_part(self, name: str, data: Any) -> None:
        X, y, w = data
        w = np.where(np.arange(len(y)) % 3 == 0, 0.0, w)
        kept = w > 0
        clf = make(name, n_rounds=4).fit(X, y, w)
        less = make(name, n_rounds=4).fit({k: v[kept] for k, v in X.items()}, y[kept], w[kept])
        np.testing.assert_allclose(clf.decision_function(X), less.decision_function(X), rtol=1e-9)

    def test_unseen_levels(self, name: str) -> None:
        X = {"c": ["a", "b", "a"] * 20, "n": np.arange(60.0) * 7 % 30}
        y = ["no", "yes", "no"] * 20
        new = {"c": ["z", None], "n": [3.0, 3.0]}
        clf = make(name, n_rounds=3).fit(X, y)
        scores = clf.decision_function(new)
        assert scores[0] == scores[1]  # an unseen level counts as missing
        failing = make(name, n_rounds=3, unseen="error").fit(X, y)
        with pytest.raises(ValueError, match=r"Column 'c' holds the level 'z'"):
            failing.predict(new)
        majority = make(name, n_rounds=3, unseen="majority").fit(X, y)
        assert majority.decision_function(new)[0] in majority.decision_function(X)


def test_categorical_splits() -> None:
    X, y, w = table(1, 3)
    for split in ("auto", "exact", "pc", "multiway"):
        assert make("real", categorical_split=split, n_rounds=3).fit(X, y, w).score(X, y) > 0.4
    for split in ("auto", "exact", "multiway"):
        assert make("logit", categorical_split=split, n_rounds=3).fit(X, y, w).score(X, y) > 0.4
    with pytest.raises(ValueError, match="categorical_split='pc' is not valid; choose from auto"):
        make("logit", categorical_split="pc").fit(X, y, w)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"algorithm": "ada"}, "algorithm='ada' is not valid; choose from logit, gentle, real"),
        ({"n_rounds": 0}, "n_rounds=0 must be an integer of at least 1"),
        ({"learning_rate": 0.0}, r"learning_rate=0\.0 must be a number above 0 and at most 1"),
        ({"learning_rate": 1.5}, "learning_rate=1.5"),
        ({"max_leaves": 1}, "max_leaves=1 must be None or an integer of at least 2"),
        ({"max_depth": 0}, "max_depth=0"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0"),
        ({"z_max": 0}, "z_max=0 must be a number above 0"),
        (
            {"weight_trimming": 1.0},
            r"weight_trimming=1\.0 must be a number of at least 0",
        ),
        ({"n_iter_no_change": 0}, "n_iter_no_change=0"),
        ({"validation_fraction": 0.0}, r"validation_fraction=0\.0 must be a number above 0 and"),
        ({"tol": -1.0}, "tol"),
        ({"missing": "drop"}, "missing='drop' is not valid; choose from fractional"),
        ({"unseen": "drop"}, "unseen='drop'"),
        ({"time_limit": -1}, "time_limit=-1"),
        ({"verbose": 2}, "verbose=2 must be True or False"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"class_weight": {5: 1.0}}, "class_weight"),
    ],
)
def test_wrong_parameters(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BoostedTreesClassifier(**parameters).fit([[1.0], [2.0]], [0, 1])


def test_not_fitted_and_a_fit_that_fails() -> None:
    clf = make("logit")
    for ask in (clf.predict, clf.staged_predict, lambda X: clf.feature_importances_, clf.save):
        with pytest.raises(NotFittedError, match="BoostedTreesClassifier"):
            ask([[1.0]])
    X, y = load_iris(return_X_y=True)
    before = clf.fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match="z_max"):
        clf.set_params(z_max=-1).fit(X[:, :2], y)
    np.testing.assert_array_equal(clf.predict_proba(X), before)


def test_time_limit() -> None:
    X, y = make_classification(2000, 20, random_state=0)
    began = time.perf_counter()
    clf = make("logit", n_rounds=10**6, time_limit=0.3).fit(X, y)
    assert time.perf_counter() - began < 10
    assert clf.stopped_ == "time_limit" and 1 <= clf.n_rounds_ < 10**6
    assert make("real", time_limit=0).fit(X, y).n_rounds_ == 1


@needs_signals
def test_interrupt_leaves_the_former_fit() -> None:
    X, y = make_classification(3000, 20, random_state=0)
    clf = make("logit", n_rounds=2).fit(X, y)
    before = clf.predict_proba(X)
    with interrupted_after(0.5):
        clf.set_params(n_rounds=10**6).fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), before)


def test_progress_is_shown_if_asked_for(capsys: Any) -> None:
    X, y = load_iris(return_X_y=True)
    make("logit", n_rounds=3).fit(X, y)
    assert capsys.readouterr().err == ""
    make("logit", n_rounds=3, verbose=True).fit(X, y)
    assert "boosting" in capsys.readouterr().err


def test_boosting_beats_a_tree_and_stumps_learn_a_sum() -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((1500, 10))
    y = (X**2).sum(axis=1) > 9.34  # the nested spheres of Friedman et al. (2000)
    train, test = slice(0, 800), slice(800, None)
    tree = TreeClassifier(pruning="auto").fit(X[train], y[train]).score(X[test], y[test])
    for name in NAMES:
        clf = make(name, n_rounds=200, max_leaves=2, learning_rate=1.0).fit(X[train], y[train])
        assert clf.score(X[test], y[test]) > tree + 0.05


# --- our trees in the ensembles of scikit-learn ---------------------------------------------------


def test_adaboost_of_sklearn_on_our_trees_is_our_discrete_adaboost() -> None:
    X, y = make_classification(300, 6, n_informative=4, n_classes=3, random_state=2)
    weak = TreeClassifier(growth="best_first", max_leaves=4)
    theirs = AdaBoostClassifier(estimator=weak, n_estimators=8, random_state=0).fit(X, y)
    ours = make("discrete", n_rounds=8, max_leaves=4, learning_rate=1.0).fit(X, y)
    np.testing.assert_allclose(theirs.estimator_weights_, ours.estimator_weights_, rtol=1e-8)
    np.testing.assert_array_equal(theirs.predict(X), ours.predict(X))


@pytest.mark.parametrize("growth", ["depth_first", "best_first"])
def test_our_trees_as_estimators_of_sklearn(growth: Any) -> None:
    titanic = load_titanic()
    X = np.column_stack([np.asarray(v, dtype=object) for v in titanic.data.values()])
    y = np.asarray(titanic.y)
    single = TreeClassifier(growth=growth, max_leaves=4)
    alone = cross_val_score(single, X, y, cv=3).mean()
    X_iris, y_iris = load_iris(return_X_y=True)
    bagged = BaggingClassifier(estimator=single, n_estimators=10, random_state=0)
    # nominal columns and all, which scikit-learn's own trees do not take
    assert cross_val_score(bagged, X, y, cv=3, error_score="raise").mean() > alone - 0.03
    boosted = AdaBoostClassifier(estimator=single, n_estimators=30, random_state=0)
    assert cross_val_score(boosted, X, y, cv=3, error_score="raise").mean() > alone - 0.03
    weak = cross_val_score(TreeClassifier(growth=growth, max_leaves=2), X_iris, y_iris).mean()
    assert cross_val_score(boosted, X_iris, y_iris, error_score="raise").mean() > weak + 0.2


def test_bagging_passes_holes_on_to_our_trees() -> None:
    X, y, _ = table(12, 2, 300, holes=True)
    rows = np.column_stack([np.asarray(X[key], dtype=object) for key in X])
    bagged = BaggingClassifier(estimator=TreeClassifier(max_leaves=8), random_state=0)
    share = max(np.mean(y == 0), np.mean(y == 1))
    assert bagged.fit(rows, y).score(rows, y) > share + 0.1


def test_boosted_trees_inside_bagging() -> None:
    X, y = load_iris(return_X_y=True)
    bagged = BaggingClassifier(make("logit"), n_estimators=3, random_state=0).fit(X, y)
    assert bagged.score(X, y) > 0.95


@pytest.mark.parametrize("algorithm", ["logit", "gentle", "real", "discrete"])
def test_a_row_is_answered_as_in_a_batch(algorithm: str) -> None:
    """Also with so many classes that numpy adds them up in another order."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = rng.integers(0, 13, 120)
    clf = BoostedTreesClassifier(algorithm=algorithm, n_rounds=6, max_leaves=5).fit(X, y)
    batch = clf.predict_proba(X)
    np.testing.assert_array_equal(np.vstack([clf.predict_proba(row[None]) for row in X]), batch)
