"""`compare`: the folds, the learners and data sets it takes, and what it does when one fails."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from helpers.counting import DATA, CountingTree, learners, without_times
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ramify import OptimalTreeClassifier, TreeClassifier, TreeRegressor
from ramify.datasets import load_weather
from ramify.evaluate import compare


class Spy(ClassifierMixin, BaseEstimator):
    """Learns nothing; notes the rows that it is fitted on and asked about."""

    seen: dict[str, list[Any]] = {}  # noqa: RUF012 - shared by the clones on purpose

    def __init__(self, name: str = "") -> None:
        self.name = name

    def fit(self, X: Any, y: Any) -> Spy:
        Spy.seen.setdefault(self.name, []).append(X[:, 0].tolist())
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        Spy.seen[self.name].append(X[:, 0].tolist())
        return np.repeat(self.classes_[0], len(X))


def numbered(n: int, y: Any) -> tuple[Any, Any]:
    return np.arange(n, dtype=float)[:, None], np.asarray(y)


# --- the folds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cv", [5, (5, 2), RepeatedStratifiedKFold(n_splits=5, n_repeats=2)])
def test_all_learners_see_the_same_folds(cv: Any) -> None:
    Spy.seen.clear()
    data = {"a": numbered(50, [0, 1] * 25), "b": numbered(40, [0, 0, 0, 1] * 10)}
    found = compare({name: Spy(name) for name in "xyz"}, data, cv=cv, scores=["accuracy"])
    assert Spy.seen["x"] == Spy.seen["y"] == Spy.seen["z"]
    repeats = 1 if cv == 5 else 2
    assert len(Spy.seen["x"]) == 2 * 2 * 5 * repeats
    tested = Spy.seen["x"][1 : 2 * 5 * repeats : 2]
    for repeat in range(repeats):
        part = tested[5 * repeat : 5 * repeat + 5]
        assert sorted(row for fold in part for row in fold) == list(range(50))
        assert all(sum(row % 2 for row in fold) == 5 for fold in part)  # stratified
    assert sorted(set(found.results["repeat"])) == list(range(repeats))
    assert sorted(set(found.results["fold"])) == list(range(5))
    again = Spy.seen["x"].copy()
    Spy.seen.clear()
    compare([Spy("x")], data, cv=cv, scores=["accuracy"])
    assert Spy.seen["x"] == again
    compare([Spy("other")], data, cv=cv, scores=["accuracy"], random_state=1)
    assert Spy.seen["other"] != again


def test_rare_classes_neither_fail_nor_flood() -> None:
    y = ["a"] * 30 + ["b"] * 12 + ["c"] * 2 + ["d"]
    tiny = numbered(4, [0, 1, 2, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare(
            [TreeClassifier()],
            {"rare": numbered(45, y), "tiny": tiny},
            cv=4,
            scores=["accuracy", "balanced_accuracy", "log_loss", "roc_auc", "f1"],
        )
    assert not found.failures
    assert np.isfinite(found.values("rare", "log_loss")).all()
    assert np.isfinite(found.values("rare", "roc_auc")).all()
    assert np.isnan(found.values("tiny", "roc_auc")).all()


def test_too_few_rows_leave_the_data_set_out() -> None:
    data = {"few": numbered(4, [0, 1, 0, 1]), "one class": numbered(40, [0] * 40)}
    with pytest.warns(UserWarning, match="is left out") as said:
        found = compare([DummyClassifier()], data | {"iris": load_iris}, cv=5)
    texts = [str(w.message) for w in said]
    assert texts[0].startswith("data set 'few' is left out: data set 'few' has 4 rows")
    assert "one class only" in texts[1]
    assert found.datasets == ("iris",)
    with pytest.raises(ValueError, match="too few for 5 folds"):
        compare([DummyClassifier()], data, cv=5, error_score="raise")


def test_a_splitter_of_scikit_learn() -> None:
    found = compare([DummyClassifier()], {"iris": load_iris}, cv=ShuffleSplit(4, test_size=0.2))
    again = compare([DummyClassifier()], {"iris": load_iris}, cv=ShuffleSplit(4, test_size=0.2))
    assert found.results["n_test"] == [30] * 4
    assert found.results["accuracy"] == again.results["accuracy"]
    assert "ShuffleSplit" in found.how


# --- learners -----------------------------------------------------------------------------------


def test_any_number_of_processes_gives_the_same_table(tmp_path: Path) -> None:
    some = {**learners(""), "ramify": TreeClassifier(), "bad": CountingTree(fail_with="no")}
    scores = ("accuracy", "n_leaves", "log_loss", lambda e, X, y: float(len(y)))
    with pytest.warns(UserWarning, match="'bad' failed"):
        one = compare(some, DATA, cv=(3, 2), scores=scores)
    with pytest.warns(UserWarning, match="'bad' failed"):
        two = compare(some, DATA, cv=(3, 2), scores=scores, n_jobs=2, store=tmp_path / "s.jsonl")
    assert without_times(one) == without_times(two)
    assert str(one.table()) == str(two.table())


def test_learners_without_a_seed_get_one() -> None:
    random = {"a": CountingTree(), "b": CountingTree(random_state=5)}
    one, two = (compare(random, DATA, cv=3, random_state=3) for _ in range(2))
    assert without_times(one) == without_times(two)
    other = compare(random, DATA, cv=3, random_state=4)
    assert without_times(one) != without_times(other)
    assert random["a"].random_state is None  # the learner itself is left alone


def test_sizes_of_all_kinds_of_trees() -> None:
    sizes = ("n_leaves", "n_nodes", "depth")
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    some = {
        "sklearn": tree,
        "pipeline": make_pipeline(StandardScaler(), tree),
        "search": GridSearchCV(tree, {"criterion": ["gini"]}, cv=2),
        "ramify": TreeClassifier(max_depth=2),
        "optimal": OptimalTreeClassifier(max_depth=1),
        "no tree": GaussianNB(),
    }
    found = compare(some, {"iris": load_iris}, cv=2, scores=sizes)
    for size, value in zip(sizes, (3.0, 5.0, 2.0), strict=True):
        means = found.table(size).mean[0]
        assert means[:4].tolist() == [value] * 4, size
        assert np.isnan(means[5])
    assert found.table("n_leaves").mean[0, 4] == 2
    assert not found.failures


def test_a_learner_that_fails_is_told_and_left() -> None:
    some = {"bad": CountingTree(fail_with="out\nof luck"), "good": TreeClassifier()}
    with pytest.warns(UserWarning, match="failed on data set") as said:
        found = compare(some, DATA, cv=3)
    assert [str(w.message) for w in said] == [
        f"learner 'bad' failed on data set '{name}': RuntimeError: out of luck" for name in DATA
    ]
    assert len(found.failures) == 6
    assert found.failures[0]["error"] == "RuntimeError: out of luck"
    assert np.isnan(found.values("iris")[:, 0]).all()
    assert np.isfinite(found.values("iris")[:, 1]).all()
    assert "6 folds failed" in repr(found)
    assert found.table().wins == {"good": (0, 0, 0)}
    assert found.beats().total == {"bad": 0, "good": 0}
    with pytest.raises(ValueError, match="0 such data sets"):
        found.ranks()
    with pytest.raises(RuntimeError, match="of luck"):
        compare(some, DATA, cv=3, error_score="raise")
    with pytest.raises(RuntimeError, match="of luck"):
        compare(some, DATA, cv=3, error_score="raise", n_jobs=2)


def test_a_score_that_fails_leaves_the_others() -> None:
    def broken(estimator: Any, X: Any, y: Any) -> float:
        raise KeyError("nothing")

    with pytest.warns(UserWarning, match="broken: KeyError"):
        found = compare([GaussianNB()], {"iris": load_iris}, cv=3, scores=["accuracy", broken])
    assert np.isnan(found.results["broken"]).all()
    assert min(found.results["accuracy"]) > 0.8


def test_warnings_of_learners_are_kept_not_printed() -> None:
    class Loud(DummyClassifier):
        def fit(self, X: Any, y: Any) -> Any:
            warnings.warn("so loud", stacklevel=2)
            return super().fit(X, y)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare({"loud": Loud()}, {"iris": load_iris}, cv=3)
    assert found.warnings == [("loud", "iris", "UserWarning: so loud")]
    assert "1 warnings" in repr(found)


# --- scores -------------------------------------------------------------------------------------


def test_scores_are_those_of_scikit_learn() -> None:
    X, y = load_wine(return_X_y=True)
    y = np.array(["one", "other"])[(y == 1).astype(int)]
    pairs = {"balanced_accuracy": "balanced_accuracy", "roc_auc": "roc_auc", "f1": "f1_macro"}
    scores = {"log": "log_loss", "theirs": "neg_log_loss", **{k: k for k in pairs}}
    found = compare([GaussianNB()], {"w": (X, y)}, cv=4, scores=scores | {"macro": "f1_macro"})
    assert not found.failures
    assert found.scores["log"] is False and found.scores["theirs"] is True
    columns = found.results
    np.testing.assert_allclose(columns["log"], -np.array(columns["theirs"]))
    assert columns["f1"] != columns["macro"]  # of the second class, "other"
    assert all(0.9 < value <= 1 for value in columns["roc_auc"])


def by_decisions(estimator: Any, X: Any, y: Any) -> float:
    found = estimator.decision_function(X)
    if found.ndim == 1:
        return float(roc_auc_score(y, found))
    return float(np.mean([roc_auc_score(y == c, found[:, c]) for c in range(found.shape[1])]))


def test_roc_auc_of_learners_without_probabilities() -> None:
    svc = make_pipeline(StandardScaler(), LinearSVC(random_state=0))
    scores = {"ours": "roc_auc", "theirs": by_decisions}
    found = compare(
        {"svc": svc}, {"two": load_breast_cancer, "three": load_iris}, cv=3, scores=scores
    )
    assert not found.failures
    assert found.results["ours"] == pytest.approx(found.results["theirs"])
    assert min(found.results["ours"]) > 0.9


def test_a_score_of_ones_own() -> None:
    def cost(estimator: Any, X: Any, y: Any) -> float:
        return float(np.sum(estimator.predict(X) != y))

    cost.greater_is_better = False  # type: ignore[attr-defined]
    some = {"tree": TreeClassifier(), "dummy": DummyClassifier()}
    found = compare(some, {"iris": load_iris}, scores=[cost])
    assert found.scores == {"cost": False}
    assert found.table(baseline="tree").marks == (("", "*"),)
    assert found.table(baseline="dummy").marks == (("v", ""),)


def test_regression() -> None:
    some = {"tree": TreeRegressor(max_depth=3), "sk": DecisionTreeRegressor(max_depth=3)}
    data = {"diabetes": load_diabetes}
    found = compare(some, data, cv=5)
    assert list(found.scores) == ["r2", "n_leaves", "fit_time"]
    found = compare({**some, "linear": LinearRegression()}, data, cv=5, scores=["rmse", "mae"])
    assert not found.failures
    assert (found.values("diabetes") > 40).all()
    assert found.table(baseline="linear").marks[0][0] in ("", "*")
    with pytest.raises(ValueError, match="'accuracy' is for classification; for regression choose"):
        compare(some, data, scores=["accuracy"])
    with pytest.raises(ValueError, match="'nb' cannot be compared with the regressors 'tree'"):
        compare({"tree": TreeRegressor(), "nb": GaussianNB()}, data)


# --- data sets ----------------------------------------------------------------------------------


def test_data_sets_of_all_kinds_give_the_same() -> None:
    X, y = load_iris(return_X_y=True)
    names = list("abcd")
    columns = {name: X[:, i] for i, name in enumerate(names)}
    kinds = {
        "array": (X, y),
        "list": (X.tolist(), y.tolist()),
        "pandas": (pd.DataFrame(columns), pd.Series(y)),
        "polars": (pl.DataFrame(columns), pl.Series(y)),
        "arrow": (pa.table(columns), y),
        "dict": (columns, y),
        "bunch": load_iris(),
        "function": lambda: (X, y),
    }
    found = compare([TreeClassifier()], kinds, cv=3, scores=["accuracy", "n_leaves"])
    assert not found.failures, found.failures[0]["error"]
    for kind in kinds:
        np.testing.assert_array_equal(found.values(kind), found.values("array"))
        about = {"n_rows": 150, "n_features": 4, "n_classes": 3, "largest_class": 0.333333}
        assert found.about_datasets[kind] == about
    sparse = compare([DecisionTreeClassifier()], {"s": (csr_matrix(X), y)}, cv=3)
    dense = compare([DecisionTreeClassifier()], {"s": (X, y)}, cv=3)
    assert sparse.results["accuracy"] == dense.results["accuracy"]


def test_data_sets_are_loaded_when_their_turn_comes() -> None:
    order: list[str] = []

    class Noting(DummyClassifier):
        def fit(self, X: Any, y: Any) -> Any:
            order.append("fit")
            return super().fit(X, y)

    def loader(name: str) -> Any:
        return lambda: (order.append(name), load_weather())[1]

    def gone() -> Any:
        raise OSError("no such file")

    with pytest.warns(UserWarning, match="'gone' is left out: no such file"):
        compare([Noting()], {"a": loader("a"), "gone": gone, "b": loader("b")}, cv=2)
    assert order == ["a", "fit", "fit", "b", "fit", "fit"]


def test_names_are_made() -> None:
    found = compare([TreeClassifier(), TreeClassifier(max_depth=1)], load_weather(), cv=2)
    assert found.learners == ("TreeClassifier", "TreeClassifier 2")
    assert found.datasets == ("data",)
    for one in (load_iris, load_iris(), load_iris(return_X_y=True)):
        assert compare([DummyClassifier()], one, cv=2).about_datasets["data"]["n_rows"] == 150


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"learners": {}}, "learners is empty"),
        ({"learners": {"x": 3}}, "'x' must be a scikit-learn estimator, but it has no fit: 3"),
        ({"learners": {"x": GaussianNB}}, "is a class"),
        ({"datasets": {}}, "datasets={} must be a mapping"),
        ({"datasets": [1, 2, 3]}, r"datasets=\[1, 2, 3\] must be a mapping"),
        ({"datasets": {"d": 3}}, "data set 'd' must be an .*; it is 3"),
        ({"datasets": {"d": ([[1], [2]], [1])}}, "X has 2 rows and the target has the shape"),
        ({"datasets": {"d": ([[1], [2]], [1, None])}}, "missing in 1 of 2 rows, first in row 1"),
        ({"datasets": {"d": ([[1], [2]], [1.0, math.nan])}}, "missing in 1 of 2 rows"),
        ({"datasets": {"d": ([[1], [2]], np.array([1, "a"], object))}}, "several types, int, str"),
        ({"cv": 1}, r"cv \(folds\)=1 must be an integer of at least 2; cv must be an integer"),
        ({"cv": (5, 0)}, r"cv \(repeats\)=0"),
        ({"cv": "ten"}, r"cv \(folds\)='ten'"),
        (
            {"scores": ["acuracy"]},
            "'acuracy' is not valid; for classification choose from accuracy",
        ),
        ({"scores": []}, "at least one"),
        ({"scores": ["depth", "depth"]}, "different names"),
        ({"test": "t"}, "test='t' is not valid; choose from corrected_t, paired_t, wilcoxon"),
        ({"alpha": 5}, "alpha=5 must be"),
        ({"n_jobs": 0}, "n_jobs=0 must be"),
        ({"error_score": 0}, "error_score=0 is not valid; choose 'raise' or NaN"),
    ],
)
def test_errors_name_the_parameter(options: dict[str, Any], text: str) -> None:
    given = {"learners": [GaussianNB()], "datasets": {"i": load_iris}, "error_score": "raise"}
    given |= options
    with pytest.raises(ValueError, match=text):
        compare(given.pop("learners"), given.pop("datasets"), **given)
