"""The numbers of a report, against scikit-learn: scores, curves, effects of columns, the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.report_data import EVIL, data_of, fitted, mixed
from sklearn import metrics
from sklearn.inspection import partial_dependence

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.held_out import cross_predict
from ramify.show.report.held_out import _groups
from ramify.tables import profile


def two_classes(n: int = 500, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    X, _, score = mixed(n, seed)
    return X, pd.Series((score > score.median()).astype(int), name="late")


def scores_of(data: dict[str, Any], step: str | None = None) -> dict[str, float]:
    held = data["held"]
    means = held["steps"][step or str(data["path"]["fitted"])]["means"]
    return {one["name"]: mean for one, mean in zip(held["scores"], means, strict=True)}


# --- scores -------------------------------------------------------------------------------------


def test_measures_of_test_rows_are_those_of_scikit_learn(tmp_path: Path) -> None:
    X, y = two_classes()
    clf = TreeClassifier(pruning="auto").fit(X[:300], y[:300])
    data = data_of(clf.report(tmp_path / "r.html", X[300:], y[300:]))
    truth, predicted = y[300:], clf.predict(X[300:])
    shares = clf.predict_proba(X[300:])[:, 1]
    expected = {
        "accuracy": metrics.accuracy_score(truth, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, predicted),
        "roc_auc": metrics.roc_auc_score(truth, shares),
        "pr_auc": metrics.average_precision_score(truth, shares),
        "brier": metrics.brier_score_loss(truth, shares),
        "f1": metrics.f1_score(truth, predicted),
    }
    found = scores_of(data)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-4), name
    baselines = {one["name"]: one["baseline"] for one in data["held"]["scores"]}
    largest = y[:300].mode()[0]
    assert baselines["accuracy"] == pytest.approx((truth == largest).mean(), rel=1e-4)
    assert baselines["roc_auc"] == 0.5
    # Every size of the tree has its own.
    small = clf.prune(n_leaves=2)
    step = str(data["path"]["leaves"].index(small.tree_.n_leaves))
    right = metrics.accuracy_score(truth, small.predict(X[300:]))
    assert scores_of(data, step)["accuracy"] == pytest.approx(right, rel=1e-4)
    area = metrics.roc_auc_score(truth, small.predict_proba(X[300:])[:, 1])
    assert scores_of(data, step)["roc_auc"] == pytest.approx(area, rel=1e-4)


def test_measures_of_numbers_and_their_residuals(tmp_path: Path) -> None:
    estimator, X, y = fitted("regression")
    data = data_of(estimator.report(tmp_path / "r.html", X, y))
    predicted = estimator.predict(X)
    found = scores_of(data)
    assert found["r2"] == pytest.approx(metrics.r2_score(y, predicted), rel=1e-4)
    assert found["rmse"] == pytest.approx(metrics.root_mean_squared_error(y, predicted), rel=1e-4)
    assert found["mae"] == pytest.approx(metrics.mean_absolute_error(y, predicted), rel=1e-4)
    step = data["held"]["steps"][str(data["path"]["fitted"])]
    assert sum(step["residuals"]["bins"]) == len(y)
    assert step["residuals"]["median"] == pytest.approx(np.median(np.abs(y - predicted)), rel=1e-4)
    assert step["points"][0] == pytest.approx([predicted[0], y.iloc[0]], rel=1e-4)
    without = data_of(estimator.report(tmp_path / "s.html", X, y, max_rows=0))
    assert not without["held"]["steps"][str(data["path"]["fitted"])]["points"]


@pytest.mark.parametrize("far", [1e17, -1e100])
def test_residuals_that_lie_side_by_side_far_away_are_drawn(tmp_path: Path, far: float) -> None:
    estimator, X, y = fitted("regression")
    data = data_of(estimator.report(tmp_path / "r.html", X, y + far))
    found = data["held"]["steps"][str(data["path"]["fitted"])]["residuals"]
    assert found["low"] < far < found["high"]
    assert sum(found["bins"]) == len(y) and found["beyond"] == 0


def test_cross_validated_scores_are_those_that_were_given(tmp_path: Path) -> None:
    X, y = two_classes(300)
    clf = TreeClassifier(max_depth=3).fit(X, y)
    held = cross_predict(clf, X, y, folds=5)
    data = data_of(clf.report(tmp_path / "r.html", X_train=X, y_train=y, held_out=held))
    assert data["held"]["how"] == "5-fold cross-validation" and data["held"]["folds"] == 5
    for one in data["held"]["scores"]:
        assert one["mean"] == pytest.approx(held.score(one["name"]).mean, rel=1e-4)
        assert one["spread"] == pytest.approx(held.score(one["name"]).spread, rel=1e-4)
    matrix = data["held"]["steps"][str(data["path"]["fitted"])]["matrix"]
    assert matrix == metrics.confusion_matrix(held.y, held.predicted).ravel().tolist()
    training = {one["name"]: one["mean"] for one in data["training"]["scores"]}
    assert training["accuracy"] == pytest.approx((clf.predict(X) == y).mean(), rel=1e-4)
    # Test rows lead; what was given stands beside them.
    both = data_of(clf.report(tmp_path / "s.html", X[:50], y[:50], held_out=held))
    assert both["held"]["rows"] == 50 and both["also"]["how"] == "5-fold cross-validation"


@pytest.mark.parametrize("weighted", [False, True])
def test_groups_of_a_ranking_have_the_curves_of_all_rows(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    share = rng.integers(0, 40, 400) / 40
    own = rng.random(400) < share
    w = rng.integers(1, 4, 400).astype(float) if weighted else None
    groups = np.array(_groups(share, own, w))
    assert (np.diff(groups[:, 0]) < 0).all()
    truth = np.concatenate([np.ones(len(groups)), np.zeros(len(groups))])
    ranked = np.tile(groups[:, 0], 2)
    weights = np.concatenate([groups[:, 1], groups[:, 2]])
    area = metrics.roc_auc_score(truth, ranked, sample_weight=weights)
    assert area == pytest.approx(metrics.roc_auc_score(own, share, sample_weight=w))
    fine = rng.random(5000)
    many = np.array(_groups(fine, rng.random(5000) < fine, None))
    assert len(many) <= 121 and many[:, 1:].sum() == 5000


LABELS: dict[str, Any] = {
    "int": np.array([0, 1]),
    "object": np.array([0, 1], dtype=object),
    "float": np.array([0.0, 1.0]),
    "bool": np.array([False, True]),
    "text": np.array(["0", "1"], dtype=object),
    "words": np.array(["no", "yes"], dtype=object),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_any_type(name: str, tmp_path: Path) -> None:
    X, y = two_classes(200)
    labels = LABELS[name][y.to_numpy()]
    clf = TreeClassifier(max_depth=2).fit(X, labels)
    data = data_of(clf.report(tmp_path / "r.html", X, labels, X_train=X, y_train=labels))
    expected = (clf.predict(X) == labels).mean()
    assert scores_of(data)["accuracy"] == pytest.approx(expected, rel=1e-4)
    if name in ("int", "object", "float"):  # a file has text where the model has numbers
        other = data_of(clf.report(tmp_path / "s.html", X, y.astype(str).to_numpy(dtype=object)))
        assert scores_of(other)["accuracy"] == pytest.approx(expected, rel=1e-4)


# --- effects ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pruned", "regression"])
def test_partial_dependence_is_that_of_scikit_learn(name: str, tmp_path: Path) -> None:
    estimator, X, y = fitted(name)
    data = data_of(estimator.report(tmp_path / "r.html", X, y))
    for one in data["effects"]["columns"]:
        column = data["columns"][one["column"]]
        raw = X.columns[one["column"]]
        if column["kind"] == "numeric":
            values: list[Any] = one["cuts"]
            means = np.array(one["mean"])[:-1]
        else:
            values = [estimator.schema_[raw].levels[code] for code in one["levels"]]
            means = np.array(one["mean"])
        for value, mean in zip(values, means, strict=True):
            changed = X.copy()
            if column["kind"] == "ordinal":
                changed[raw] = pd.Categorical([value] * len(X), X[raw].cat.categories, ordered=True)
            else:
                changed[raw] = value
            predicted = (
                estimator.predict(changed)[:, None]
                if name == "regression"
                else estimator.predict_proba(changed)
            )
            assert mean == pytest.approx(predicted.mean(axis=0), rel=1e-3, abs=1e-4)
    size = next(one for one in data["effects"]["columns"] if one["column"] == 0)
    oracle = partial_dependence(
        estimator, X, ["size"], custom_values={"size": np.array(size["cuts"])}, kind="average"
    )
    found = np.array(size["mean"])[:-1]
    assert found[:, -1] == pytest.approx(oracle["average"][-1], rel=1e-3, abs=1e-4)


# --- the data -----------------------------------------------------------------------------------


def test_findings_associations_and_the_target(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = pd.DataFrame({"same": ["a"] * 300, "leak": y + 0.0, "noise": rng.normal(size=300)})
    clf = TreeClassifier(max_depth=1).fit(X, y)
    data = data_of(clf.report(tmp_path / "r.html", X_train=X, y_train=y))
    shares = dict(zip(X.columns, data["associations"], strict=True))
    assert shares["leak"] > 0.9 and shares["noise"] < 0.1
    assert any("leak" in one["text"] and one["loud"] for one in data["findings"])
    assert all(one["remedy"] == "" for one in data["findings"])  # nothing was done about them
    assert data["target_data"]["classes"] == np.bincount(y).tolist()
    given = profile(X, y, target="late")
    again = data_of(clf.report(tmp_path / "s.html", profile=given))
    assert [one["text"] for one in again["findings"]] == [one.text for one in given.findings]
    assert [one["remedy"] for one in again["findings"]] == [one.remedy for one in given.findings]
    assert again["left_out"] == list(given.left_out)
    numbers = TreeRegressor(max_depth=1).fit(X, X["noise"])
    about = data_of(numbers.report(tmp_path / "t.html", X_train=X, y_train=X["noise"]))
    assert sum(about["target_data"]["bins"]) == 300


def test_parts_of_dates_know_their_date(tmp_path: Path) -> None:
    days = pd.date_range("2019-01-01", periods=800, freq="D")
    X = pd.DataFrame({"sold": days, "n": np.arange(800) % 7})
    y = days.month.isin([6, 7]).astype(int)
    clf = TreeClassifier().fit(X, y)
    data = data_of(clf.report(tmp_path / "r.html", X_train=X, y_train=y, n_permutations=0))
    names = clf.schema_.names
    assert [names.index("month of sold"), names.index("sold"), "month"] in data["derived"]
    assert data["columns"][names.index("sold")]["form"]["kind"] == "date"


def test_names_in_findings_stay_text(tmp_path: Path) -> None:
    X = pd.DataFrame({EVIL: ["x"] * 60, "n": [i % 7 for i in range(60)]})
    y = [0, 1] * 30
    clf = TreeClassifier(max_depth=1).fit(X, y)
    path = clf.report(tmp_path / "r.html", X, y, X_train=X, y_train=y, n_permutations=0)
    assert any(EVIL in one["text"] for one in data_of(path)["findings"])
    assert EVIL not in path.read_text(encoding="utf-8")
