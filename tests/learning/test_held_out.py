"""Predictions of rows that were not seen: the same folds as scikit-learn, any labels, any table."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from ramify import TreeClassifier, TreeRegressor
from ramify.datasets import load_weather
from ramify.learning.held_out import HeldOut, cross_predict, hold_out, predict_held_out


def predicted(estimator: Any, X: Any, y: Any, **options: Any) -> HeldOut:
    found = cross_predict(estimator, X, y, **options)
    assert found is not None
    return found


def test_scores_are_those_of_scikit_learn() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    tree = TreeClassifier(max_depth=3)
    found = predicted(tree, X, y)
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    for name, scorer in {
        "accuracy": "accuracy",
        "balanced_accuracy": "balanced_accuracy",
        "roc_auc": "roc_auc",
        "pr_auc": "average_precision",
        "log_loss": "neg_log_loss",
        "brier": "neg_brier_score",
        "f1": "f1",
    }.items():
        known = np.abs(cross_val_score(tree, X, y, cv=cv, scoring=scorer))
        score = found.score(name)
        assert score.folds == pytest.approx(known)
        assert (score.mean, score.spread) == pytest.approx((known.mean(), known.std(ddof=1)))
    assert found.score("accuracy").baseline == pytest.approx((y == 1).mean(), abs=0.001)
    assert found.confusion().sum() == len(y)


LABELS = {
    "int": np.array([0, 1]),
    "float": np.array([0.0, 1.0]),
    "bool": np.array([False, True]),
    "str": np.array(["0", "1"]),
    "text": np.array(["no", "yes"], dtype=object),
    "boxed int": np.array([0, 1], dtype=object),
    "boxed bool": np.array([False, True], dtype=object),
    "boxed float": np.array([0.0, 1.0], dtype=object),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type(kind: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, labels = X[:, :4], LABELS[kind][y]
    tree = TreeClassifier(max_depth=2)
    found = predicted(tree, X, labels)
    known = predicted(tree, X, y)
    assert (found.predicted == known.predicted).all()
    assert found.leading.folds == known.leading.folds
    tested = predict_held_out(tree.fit(X, labels), X, labels, how="test.csv", y_train=labels)
    assert tested.leading.mean == np.mean(tree.predict(X) == labels)
    json.dumps(found.to_dict(), allow_nan=False)


def containers() -> dict[str, Any]:
    X = load_iris().data
    names = list("abcd")
    columns = {name: X[:, j] for j, name in enumerate(names)}
    found: dict[str, Any] = {"array": X, "dict": columns, "list": X.tolist()}
    for library in ("pandas", "polars"):
        try:
            found[library] = __import__(library).DataFrame(columns)
        except ImportError:
            continue
    return found


@pytest.mark.parametrize("kind", ["array", "dict", "list", "pandas", "polars"])
def test_any_table(kind: str) -> None:
    X, y = containers().get(kind), load_iris().target
    if X is None:
        pytest.skip(f"{kind} is not installed")
    found = predicted(TreeClassifier(), X, y, folds=3)
    known = predicted(TreeClassifier(), load_iris().data, y, folds=3)
    assert (found.predicted == known.predicted).all()
    if kind == "pandas":
        import pandas as pd

        again = predicted(TreeClassifier(), X, pd.Series(y).astype("category"), folds=3)
        assert (again.predicted == known.predicted).all()


def test_a_class_that_a_fold_has_not_learned() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.array(["a"] * 30 + ["b"] * 29 + ["c"])
    costs = 1.0 - np.eye(3)
    for tree in (TreeClassifier(max_depth=2), TreeClassifier(max_depth=2, costs=costs)):
        found = predicted(tree, X, y, folds=5)
        assert found.probabilities is not None
        assert (found.probabilities[-1, 2], found.predicted[-1] == 2) == (0, False)
        assert np.isfinite(found.score("log_loss").mean)
    assert found.score("cost").mean == pytest.approx(1 - found.score("accuracy").mean)
    assert found.score("cost").baseline == pytest.approx(0.5, abs=0.03)


def test_a_class_that_only_the_test_has() -> None:
    X = np.arange(10.0)[:, None]
    tree = TreeClassifier(costs=[[0, 1], [3, 0]]).fit(X, np.arange(10) % 2)
    found = predict_held_out(tree, X, [0, 1, 0, 1, 7, 7, 0, 1, 0, 1], how="new rows")
    assert found.classes is not None and found.classes.tolist() == [0, 1, 7]
    assert found.score("accuracy").mean == 0.8
    assert found.score("cost").mean == pytest.approx(2 * 3 / 10)
    assert found.score("accuracy").baseline == 0.4
    assert found.confusion()[2].sum() == 2


def test_weights_count_as_rows() -> None:
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    w = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    tree = TreeClassifier(max_depth=2).fit(X, y)
    found = predict_held_out(tree, X, y, how="rows", sample_weight=w)
    known = predict_held_out(
        tree, np.repeat(X, w.astype(int), axis=0), np.repeat(y, w.astype(int)), how="rows"
    )
    for score, other in zip(found.scores(), known.scores(), strict=True):
        assert score.mean == pytest.approx(other.mean)
    assert predicted(tree, X, y, sample_weight=w).confusion().sum() == w.sum()


def test_numbers() -> None:
    X, y = load_diabetes(return_X_y=True)
    found = predicted(TreeRegressor(max_depth=2), X, y)
    parts = [found.fold == i for i in range(10)]
    known = [metrics.r2_score(y[part], found.predicted[part]) for part in parts]
    assert found.leading.folds == pytest.approx(known)
    assert str(found.leading).endswith("(the mean alone: 0)")
    assert found.score("rmse").baseline == pytest.approx(y.std(), rel=0.02)
    assert [score.name for score in found.scores()] == ["r2", "rmse", "mae"]
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(ValueError, match="are for classes"):
        found.roc()


def test_one_part_is_held_out() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    tree = TreeClassifier(max_depth=3)
    fitted, found = hold_out(tree, X, y)
    assert fitted is tree and found.index is not None
    assert (found.rows, found.n_folds) == (114, 1)
    assert found.how == "a fifth of the rows, held out"
    assert (fitted.predict(X[found.index]) == found.predicted).all()
    p = found.leading.mean
    assert found.leading.spread == pytest.approx(np.sqrt(p * (1 - p) / 114))


def test_curves_are_those_of_scikit_learn() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    w = np.random.default_rng(0).random(len(y))
    found = predicted(TreeClassifier(max_depth=3), X, y, sample_weight=w)
    p = np.asarray(found.probabilities)[:, 1]
    wrong, right, _ = metrics.roc_curve(y, p, sample_weight=w, drop_intermediate=False)
    curve = found.roc(1)
    assert curve.x == pytest.approx(wrong) and curve.y == pytest.approx(right)
    precision, recall, _ = metrics.precision_recall_curve(y, p, sample_weight=w)
    curve = found.precision_recall(1)
    assert curve.x == pytest.approx(recall[::-1])
    assert curve.y == pytest.approx(precision[::-1])
    gain, lift = found.gain(1), found.lift(1)
    assert (gain.x[0], gain.y[0], gain.x[-1], gain.y[-1]) == (0, 0, 1, 1)
    assert lift.y == pytest.approx(gain.y[1:] / gain.x[1:]) and lift.y[-1] == 1
    groups = found.calibration(1)
    assert groups.rows.sum() == len(y) and groups.weight.sum() == pytest.approx(w.sum())
    assert np.average(groups.predicted, weights=groups.weight) == pytest.approx(
        np.average(p, weights=w)
    )


def test_curves_are_small() -> None:
    rng = np.random.default_rng(0)
    n = 5000
    y = rng.integers(0, 2, n)
    p = np.clip(0.5 + (y - 0.5) * 0.3 + rng.normal(size=n) / 3, 0, 1)
    found = HeldOut(
        task="classification",
        how="rows",
        y=y,
        predicted=(p > 0.5).astype(int),
        fold=np.zeros(n, dtype=np.int32),
        guesses=np.array([[0.5, 0.5]]),
        classes=np.array(["no", "yes"]),
        probabilities=np.column_stack([1 - p, p]),
    )
    curve = found.roc()
    assert len(curve.x) <= 200 and len(found.calibration().rows) <= 10
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(metrics.roc_auc_score(y, p), abs=0.002)
    # A threshold moves the confusion matrix: shares of the curve times the totals are counts.
    at = 77
    said = p >= curve.threshold[at]
    assert curve.y[at] * (y == 1).sum() == pytest.approx((said & (y == 1)).sum())
    assert curve.x[at] * (y == 0).sum() == pytest.approx((said & (y == 0)).sum())
    assert len(json.dumps(found.to_dict(), allow_nan=False)) < 60_000


def test_too_few_rows_and_other_estimators() -> None:
    assert cross_predict(TreeClassifier(), [[0.0], [1.0]], [0, 1]) is None
    weather = load_weather()
    found = predicted(TreeClassifier(), weather.data, weather.y)
    assert found.n_folds == 9  # as many as the largest class has rows
    X, y = load_iris(return_X_y=True)
    other = predicted(DecisionTreeClassifier(max_depth=2, random_state=0), X, y, folds=3)
    assert other.leading.mean > 0.85


class Warns(TreeClassifier):
    """A tree that warns in every fit."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        warnings.warn(f"{len(y)} rows are few", UserWarning, stacklevel=2)
        return super().fit(X, y, sample_weight)


def test_warnings_are_passed_on_once_and_progress_is_told() -> None:
    X, y = load_iris(return_X_y=True)
    told: list[float] = []
    with pytest.warns(UserWarning, match="rows are few") as heard:
        predicted(Warns(max_depth=1), X, y, folds=3, progress=told.append)
    assert [str(one.message) for one in heard] == ["in 3 of 3 folds of the score: 100 rows are few"]
    assert told == pytest.approx([1 / 3, 2 / 3, 1])
