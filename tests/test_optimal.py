"""The estimators of optimal trees, on tables as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles.optimal import Oracle
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    _optimal_clock,
    load,
)
from ramify._optimal_clock import Clock, on_rows_that_fit
from ramify._optimal_features import Cells, FeatureSet, all_features
from ramify._optimal_target import Target
from ramify.discretize import MIDDiscretizer
from ramify.tables import read_table

GRADES = ["low", "mid", "high"]


def mixed(seed: int, n: int = 30, *, holes: bool = True) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, levels, an order and holes; classes that hang on all of them."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n).astype(object)
    city = rng.choice(list("ABCDEFG"), n).astype(object)
    size = rng.integers(0, 6, n) / 2.0
    grade = rng.choice(GRADES, n).astype(object)
    good = (colour == "red") ^ (size > 1.2) | (grade == "high") & (city == "C")
    y = np.where(good ^ (rng.random(n) < 0.1), "yes", "no")
    if holes:
        colour[rng.random(n) < 0.15] = None
        size[rng.random(n) < 0.15] = np.nan
        grade[rng.random(n) < 0.1] = None
    X = pd.DataFrame(
        {
            "colour": colour,
            "size": size,
            "grade": pd.Categorical(grade, GRADES, ordered=True),
            "city": city,
        }
    )
    return X, y


def questions(X: pd.DataFrame) -> list[np.ndarray]:
    """Every question that may be asked of a table, by the rows that say no; nothing is left out."""
    found = []
    for name in X:
        column = X[name]
        missing = column.isna().to_numpy()
        if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
            column = column.cat.codes.where(column.notna(), np.nan)
        values = sorted(set(column[~missing]))
        if column.dtype.kind == "f":
            sets = [set(values[:i]) for i in range(1, len(values))]
        elif len(values) <= 5:
            sets = [set(c) for k in range(1, len(values)) for c in combinations(values, k)]
        else:
            sets = [{value} for value in values]
        for chosen in sets:
            inside = column.isin(chosen).to_numpy()
            found += [~(inside & ~missing), ~(inside | missing)]
        found.append(missing)
    return [no.astype(np.int32) for no in found]


# --- the optimum ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("features", ["all", "mid"])
def test_no_tree_over_a_mixed_table_is_better(seed: int, features: Any) -> None:
    X, y = mixed(seed, holes=seed > 0)
    labels = (y == "yes").astype(np.int32)
    # without the greedy tree, whose sets of cities would join the questions
    clf = OptimalTreeClassifier(max_depth=2, features=features, n_thresholds=1000, start=None)
    clf.fit(X, y)
    oracle = Oracle(questions(X), labels=labels, classes=2)
    assert clf.error_ * len(y) == pytest.approx(oracle.objective(2))
    assert clf.proven_optimal_ and clf.gap_ == 0.0
    assert clf.lower_bound_ == clf.objective_ == clf.error_
    assert clf.score(X, y) == pytest.approx(1 - clf.error_)
    clf.tree_.check()


@pytest.mark.parametrize("seed", range(4))
def test_weights_costs_sparsity_and_limits(seed: int) -> None:
    X, y = mixed(seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, len(y)) / 2.0
    y = np.where(rng.random(len(y)) < 0.2, "maybe", y)
    costs = np.array([[0.0, 1, 2], [3, 0, 1], [1, 5, 0]])
    clf = OptimalTreeClassifier(
        max_depth=2,
        features="all",
        start=None,
        sparsity=0.02,
        min_samples_leaf=3,
        max_leaves=3,
        costs=costs,
        class_weight={"yes": 2.0, "no": 1.0, "maybe": 0.5},
    ).fit(X, y, sample_weight=weights)
    by_row = weights * np.array([{"yes": 2.0, "no": 1.0, "maybe": 0.5}[one] for one in y])
    used = by_row > 0
    oracle = Oracle(
        questions(X[used]),
        labels=np.searchsorted(["maybe", "no", "yes"], y[used]).astype(np.int32),
        classes=3,
        weights=by_row[used],
        costs=costs,
        min_samples_leaf=3,
    )
    total = by_row.sum()
    best = oracle.objective(2, sparsity=0.02 * total, max_leaves=3)
    assert clf.objective_ * total == pytest.approx(best)
    assert clf.objective_ == pytest.approx(clf.error_ + 0.02 * clf.tree_.n_leaves)
    assert clf.tree_.data["rows"][clf.tree_.data["kind"] == 0].min() >= 3
    predicted = np.searchsorted(clf.classes_, clf.predict(X))
    true = np.searchsorted(clf.classes_, y)
    mean_cost = float(np.average(costs[true, predicted], weights=by_row))
    assert clf.error_ == pytest.approx(mean_cost)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sparsity", [0.0, 0.05])
def test_regression(seed: int, sparsity: float) -> None:
    X, y = mixed(seed)
    target = (y == "yes") * 3.0 + np.random.default_rng(seed).normal(size=len(y)) + 100
    reg = OptimalTreeRegressor(max_depth=2, features="all", sparsity=sparsity, start=None)
    reg.fit(X, target)
    oracle = Oracle(questions(X), target=target)
    price = sparsity * oracle.objective(0)  # a share of the error of the mean alone
    assert reg.objective_ * len(y) == pytest.approx(oracle.objective(2, sparsity=price))
    assert np.mean((reg.predict(X) - target) ** 2) == pytest.approx(reg.error_)
    reg.tree_.check()


@pytest.mark.parametrize("sparsity", [0.0, 0.01, 0.037])
@pytest.mark.parametrize("n", [90, 119, 150])
def test_the_error_is_a_share_of_the_rows_to_the_last_digit(sparsity: float, n: int) -> None:
    X, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(n).permutation(len(y))[:n]
    X, y = X[rows, :3], y[rows]
    clf = OptimalTreeClassifier(max_depth=2, sparsity=sparsity).fit(X, y)
    assert clf.error_ == np.count_nonzero(clf.predict(X) != y) / n
    assert clf.objective_ == clf.error_ + sparsity * clf.tree_.n_leaves == clf.lower_bound_


@pytest.mark.parametrize("features", ["auto", "mid", "all"])
@pytest.mark.parametrize("sparsity", [0.0, 0.03])
def test_never_worse_than_greedy(features: Any, sparsity: float) -> None:
    for load_data in (load_iris, load_wine):
        X, y = load_data(return_X_y=True)
        greedy = TreeClassifier(max_depth=2, min_samples_leaf=4).fit(X, y)
        clf = OptimalTreeClassifier(
            max_depth=2, min_samples_leaf=4, features=features, n_thresholds=6, sparsity=sparsity
        ).fit(X, y)
        price = sparsity * greedy.tree_.n_leaves
        assert clf.objective_ <= 1 - greedy.score(X, y) + price + 1e-12


def test_without_a_start_the_features_are_those_asked_for() -> None:
    X, y = load_wine(return_X_y=True)
    plain = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=3, start=None)
    assert plain.fit(X, y).search_["n_features"] == 3
    assert plain.search_["n_thresholds"] == 3
    started = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=3).fit(X, y)
    assert 3 < started.search_["n_features"] <= 6
    assert started.error_ <= plain.error_


def test_threads_find_the_same_error() -> None:
    X, y = load_wine(return_X_y=True)
    one, two = (
        OptimalTreeClassifier(max_depth=3, features="mid", n_thresholds=12, n_jobs=n).fit(X, y)
        for n in (1, 2)
    )
    assert one.error_ == two.error_


def test_thresholds_lie_halfway_between_the_rows_of_their_node() -> None:
    X = np.array([[1.0], [3.0], [8.0], [9.0]])
    clf = OptimalTreeClassifier(max_depth=2).fit(X, [0, 0, 1, 0])
    thresholds = clf.tree_.data["threshold"]
    assert sorted(thresholds[np.isfinite(thresholds)]) == [5.5, 8.5]


def test_a_tree_of_one_leaf() -> None:
    for clf in (OptimalTreeClassifier(max_depth=0), OptimalTreeClassifier(max_leaves=1)):
        clf.fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
        assert clf.tree_.n_leaves == 1
        assert clf.error_ == pytest.approx(1 / 3)
        assert clf.predict([[1.0]])[0] == "b"
    assert OptimalTreeClassifier().fit([[1.0], [1.0]], [0, 1]).tree_.n_leaves == 1
    assert OptimalTreeClassifier().fit([[1.0], [2.0]], [0, 0]).tree_.n_leaves == 1


# --- features ------------------------------------------------------------------------------------


def test_features_that_divide_alike_are_given_once() -> None:
    X = np.array([[0, 1, 0, 5, 1], [0, 1, 1, 5, 2], [1, 0, 2, 5, 0], [1, 0, 0, 5, 1]], dtype=float)
    schema, columns = read_table(X)
    features = FeatureSet()
    features.add_all(all_features(Cells.of(schema, columns, np.arange(4))))
    assert features.columns == [0, 2, 4]  # 1 is 0 turned round, 3 divides nothing
    assert not features.add(9, np.array([2, 1, 0, 2]))  # 2 turned round
    assert features.add(9, np.array([0, 1, 0, 1]))


def test_a_division_is_found_among_the_features() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, 3000)
    two, last = codes > 2, np.arange(3000) == 2999
    features = FeatureSet()
    for column, one in enumerate([codes, rng.permutation(codes), two, last]):
        assert features.add(column, one)
    assert features.find(codes <= 1, 0) == (0, 1, False)
    assert features.find(codes > 1, 0) == (0, 1, True)
    assert features.find(codes <= 2, 0) in [(0, 2, False), (2, 0, False)]
    assert features.find(two, 2)[2] and features.split(2, 0, np.arange(3000)).sum() == (~two).sum()
    assert features.find(~last, 3) == (3, 0, False)
    assert features.find(last, 3) == (3, 0, True)
    assert features.find(np.arange(3000) == 2998, 3) is None
    assert features.find((codes == 0) | (codes == 4), 0) is None


def test_auto_takes_what_can_be_afforded() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] > 0).astype(int)
    kinds = {
        "binary": OptimalTreeClassifier(max_depth=1).fit(X > 0, y),
        "all": OptimalTreeClassifier(max_depth=2).fit(X, y),
        "mid": OptimalTreeClassifier(max_depth=6, n_thresholds=2).fit(X, y),
    }
    for kind, clf in kinds.items():
        assert clf.search_["features"] == kind
    # many levels are many columns to the search
    table = {"n": X[:, 0], "c": rng.integers(0, 200, 300).astype(str)}
    assert OptimalTreeClassifier(max_depth=3).fit(table, y).search_["features"] == "mid"
    table["c"] = (X[:, 1] > 0).astype(str)
    assert OptimalTreeClassifier(max_depth=3).fit(table, y).search_["features"] == "all"


def test_missing_values_go_where_they_are_predicted_best() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, np.nan, np.nan, 3.0, 4.0], "b": list("xyxyxy")})
    y = ["lo", "lo", "hi", "hi", "hi", "hi"]
    clf = OptimalTreeClassifier(max_depth=1).fit(X, y)
    assert clf.error_ == 0.0
    assert clf.tree_.condition(0).describe(1) == "a > 2.5 or missing"
    assert clf.predict(pd.DataFrame({"a": [None], "b": ["x"]}))[0] == "hi"
    # b had no holes: a missing value takes both branches in proportion
    known = OptimalTreeClassifier(max_depth=1).fit(X[["b"]], [0, 1, 0, 1, 0, 0])
    shares = known.predict_proba(pd.DataFrame({"b": [None]}))
    np.testing.assert_allclose(shares, [[4 / 6, 2 / 6]])


def test_whether_a_value_is_known_is_asked() -> None:
    X = pd.DataFrame({"a": ["u", None, "v", None], "n": [1.0, 1.0, 2.0, 2.0]})
    clf = OptimalTreeClassifier(max_depth=1).fit(X, [0, 1, 0, 1])
    assert clf.tree_.condition(0).describe(1) == "a is missing"
    assert clf.error_ == 0.0


def naive_ranking(x: np.ndarray, y: np.ndarray) -> list[float]:
    """All thresholds of a column, each time the one that lowers the squared error most."""
    values = np.unique(x)
    cuts = [(a + b) / 2 for a, b in pairwise(values) if len(set(y[(x == a) | (x == b)])) > 1]
    taken: list[float] = []
    while len(taken) < len(cuts):

        def error(cut: float) -> float:
            places = np.searchsorted(sorted([*taken, cut]), x)
            return round(sum(y[places == k].var() * (places == k).sum() for k in set(places)), 9)

        taken.append(min((c for c in cuts if c not in taken), key=error))
    return taken


@pytest.mark.parametrize("seed", range(5))
def test_thresholds_for_numbers_are_ranked_as_by_the_naive_algorithm(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, 60).astype(float)
    y = x // 4 + rng.normal(size=60).round(1)
    ranked = [threshold for _, threshold in Target(y, None).ranking([x], None)]
    assert ranked == naive_ranking(x, y)
    other = rng.normal(size=60)
    merged = list(Target(y, None).ranking([x, other], None))
    assert [threshold for j, threshold in merged if j == 0] == ranked


def test_thresholds_for_classes_are_those_of_the_discretizer() -> None:
    X, y = load_iris(return_X_y=True)
    ranking = MIDDiscretizer(n_thresholds=20).fit(X, y).ranking_
    columns = [np.ascontiguousarray(X[:, j]) for j in range(4)]
    ranked = list(Target(y.astype(np.int32), None, 3).ranking(columns, 20))
    assert ranked == list(zip(ranking.index.tolist(), ranking.threshold.tolist(), strict=True))


# --- time, interrupts, progress ------------------------------------------------------------------


def hard_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 30))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=2000) > 0).astype(int)


@pytest.mark.parametrize("limits", [{"time_limit": 0}, {"time_limit": 0.5, "n_jobs": 2}])
@pytest.mark.parametrize("features", ["mid", "all"])
def test_a_time_limit_keeps_the_best_tree(limits: dict[str, Any], features: Any) -> None:
    X, y = hard_table()
    clf = OptimalTreeClassifier(max_depth=6, features=features, n_thresholds=100, **limits)
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit"):
        clf.fit(X, y)
    greedy = TreeClassifier(max_depth=6).fit(X, y)
    assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12
    assert not clf.proven_optimal_
    assert clf.search_["stopped_by"] == "time_limit"
    assert 0 <= clf.lower_bound_ <= clf.error_
    assert clf.gap_ == pytest.approx(clf.error_ - clf.lower_bound_)
    assert clf.score(X, y) == pytest.approx(1 - clf.error_)
    assert clf.search_["seconds"] < limits["time_limit"] + 5  # no measure, but not for ever


class Watch:
    """A clock that goes only as far as it is told."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("seconds", "seen"),
    [
        (np.inf, [None]),
        (100.0, [10_000, None]),  # all rows take 30 seconds
        (31.0, [10_000, 200_000]),
        (0.5, [10_000]),
    ],
)
def test_work_sees_as_many_rows_as_there_is_time_for(
    monkeypatch: pytest.MonkeyPatch, seconds: float, seen: list[int | None]
) -> None:
    watch, sizes = Watch(), []
    monkeypatch.setattr(_optimal_clock, "time", watch)

    def work(rows: np.ndarray | None) -> str:
        sizes.append(None if rows is None else len(np.unique(rows)))
        watch.now += 1e-4 * (300_000 if rows is None else len(rows))
        return f"work {len(sizes)}"

    assert on_rows_that_fit(work, 300_000, 10, seconds) == f"work {len(seen)}"
    assert sizes == seen
    assert on_rows_that_fit(work, 5000, 10, 0.0)  # few rows are no matter
    assert sizes[-1] is None


def large_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 20))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X))


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("features", ["all", "mid", "grow"])
def test_without_time_a_large_table_is_not_walked_through(kind: Any, features: str) -> None:
    X, y = large_table()
    y = (y > 0).astype(int) if kind is OptimalTreeClassifier else y
    model = kind(
        max_depth=4,
        features="mid" if features == "grow" else features,
        n_thresholds="grow" if features == "grow" else 45,
        min_samples_leaf=300,
        time_limit=0,
    )
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit=0"):
        model.fit(X, y)
    assert 1 < model.tree_.n_leaves <= 16  # of a greedy tree that saw a sample
    assert model.tree_.data["rows"][model.tree_.data["kind"] == 0].min() >= 300
    assert int(model.tree_.data["rows"][0]) == len(y)
    assert model.error_ == pytest.approx(loss_of(model, X, y))
    assert model.lower_bound_ == 0.0 and not model.proven_optimal_
    assert model.search_["n_features"] <= 15
    assert len(model.history_) >= 1 and model.history_["error"][-1] == model.objective_
    model.tree_.check()


def test_features_are_made_while_there_is_time() -> None:
    schema, columns = read_table(np.arange(12.0).reshape(4, 3))
    cells = Cells.of(schema, columns, np.arange(4))
    assert not FeatureSet().add_all(all_features(cells), Clock(0))
    features = FeatureSet()
    assert features.add_all(all_features(cells), Clock(1e9))
    assert len(features) == 1


CHILD = """
import os, signal, sys, threading, warnings
import numpy as np
from ramify import OptimalTreeClassifier, TreeClassifier
rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 30))
y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=2000) > 0).astype(int)
begun = threading.Event()

def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
clf = OptimalTreeClassifier(
    max_depth=6, features=sys.argv[1], n_thresholds=sys.argv[2] if sys.argv[2] == "grow" else 100,
    n_jobs=int(sys.argv[3]), time_limit=60, on_progress=lambda *_: begun.set(),
)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    clf.fit(X, y)
assert clf.search_["stopped_by"] == "interrupt", clf.search_
assert clf.search_["seconds"] < 30, clf.search_
assert not clf.proven_optimal_
assert ["interrupted" in str(w.message) for w in caught] == [True], caught
greedy = TreeClassifier(max_depth=6).fit(X, y)
assert clf.error_ <= 1 - greedy.score(X, y) + 1e-12 or sys.argv[2] == "grow"
clf.tree_.check()
assert clf.predict(X).shape == (2000,)
print("kept")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send to one process")
@pytest.mark.parametrize(
    ("features", "n_thresholds", "n_jobs"),
    [("mid", "100", 1), ("mid", "100", 2), ("all", "100", 1), ("mid", "grow", 1)],
)
def test_ctrl_c_keeps_the_best_tree(features: str, n_thresholds: str, n_jobs: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, features, n_thresholds, str(n_jobs)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "kept\n"


def test_progress_is_told_and_shown(capsys: Any) -> None:
    told: list[tuple[float, float, float]] = []
    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(
        max_depth=2, on_progress=lambda *moment: told.append(moment), verbose=True
    ).fit(X, y)
    assert told[-1][1:] == (clf.error_, clf.lower_bound_)
    assert f"error {clf.error_:.5g}" in capsys.readouterr().err


# --- the loop ------------------------------------------------------------------------------------


def test_more_and_more_thresholds_never_end_worse() -> None:
    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(
        max_depth=2, features="mid", n_thresholds="grow", validation_fraction=None
    ).fit(X, y)
    assert clf.search_["stopped_by"] == "thresholds"
    assert clf.search_["searches"] == len(set(clf.history_["n_features"].tolist())) > 2
    assert (np.diff(clf.history_["n_features"]) >= 0).all()
    assert (np.diff(clf.history_["error"]) <= 0).all()
    assert (clf.history_["bound"] <= clf.history_["error"]).all()
    assert clf.proven_optimal_
    once = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=10_000).fit(X, y)
    assert clf.error_ == once.error_
    assert clf.search_["n_thresholds"] == once.search_["n_thresholds"]


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_held_out_rows_end_the_loop(kind: Any) -> None:
    load_data = load_breast_cancer if kind is OptimalTreeClassifier else load_diabetes
    X, y = load_data(return_X_y=True)
    X = X[:, :6]
    model = kind(max_depth=1, n_thresholds="grow").fit(X, y)
    assert model.search_["stopped_by"] == "held_out"
    assert kind(max_depth=1, n_thresholds="grow").fit(X, y).tree_ == model.tree_
    other = kind(max_depth=1, n_thresholds="grow", random_state=1).fit(X, y)
    assert other.history_["error"][0] != model.history_["error"][0]  # other rows were held out


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("start", ["greedy", None])
def test_the_tree_of_a_growing_series_knows_all_rows(kind: Any, start: Any) -> None:
    load_data = load_breast_cancer if kind is OptimalTreeClassifier else load_diabetes
    X, y = load_data(return_X_y=True)
    X = X[:, :6]
    model = kind(max_depth=2, n_thresholds="grow", start=start).fit(X, y)
    assert int(model.tree_.data["rows"][0]) == len(y)
    assert model.error_ == pytest.approx(loss_of(model, X, y))
    assert model.proven_optimal_ and model.lower_bound_ == model.objective_
    chosen = model.search_["n_thresholds"]
    once = kind(max_depth=2, features="mid", n_thresholds=chosen, start=start).fit(X, y)
    assert model.error_ <= once.error_ + 1e-12  # the questions of the kept tree joined the others
    assert model.history_["n_features"][-1] == model.search_["n_features"]
    # the last search begins anew: its errors are those of all rows
    assert model.history_["error"][-1] == pytest.approx(model.error_)


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
def test_without_time_the_nodes_of_a_growing_series_are_counted_on_all_rows(kind: Any) -> None:
    X, y = hard_table()
    with pytest.warns(ConvergenceWarning, match="stopped by time_limit=0"):
        model = kind(max_depth=3, n_thresholds="grow", time_limit=0).fit(X, y)
    assert int(model.tree_.data["rows"][0]) == len(y)
    assert model.tree_.n_leaves > 1
    assert model.error_ == pytest.approx(loss_of(model, X, y))
    assert not model.proven_optimal_ and model.lower_bound_ == 0.0
    assert model.gap_ == model.objective_
    model.tree_.check()


def loss_of(model: Any, X: Any, y: np.ndarray) -> float:
    predicted = model.predict(X)
    wrong = predicted != y if isinstance(model, OptimalTreeClassifier) else (predicted - y) ** 2
    return float(np.mean(wrong))


def test_time_ends_the_loop_without_complaint() -> None:
    """Once a set of thresholds was searched to the end: that is what "grow" is for."""
    X, y = hard_table()
    clf = OptimalTreeClassifier(
        max_depth=6,
        features="mid",
        n_thresholds="grow",
        time_limit=2,
        start=None,
        validation_fraction=None,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.fit(X, y)
    assert clf.search_["stopped_by"] == "time_limit"
    assert clf.search_["searches"] > 1


# --- around it -----------------------------------------------------------------------------------


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
        ({"max_depth": None}, "max_depth=None must be an integer of at least 0"),
        ({"max_depth": 2.5}, "max_depth=2.5"),
        ({"n_thresholds": np.array([1, 2])}, "n_thresholds=array"),
        ({"n_thresholds": "all"}, "n_thresholds='all' must be .* 'grow'; .* features='all'"),
        ({"n_thresholds": "mdl"}, "n_thresholds='mdl' must be an integer of at least 1, or 'grow'"),
        ({"time_limit": np.nan}, "time_limit=nan must be None"),
        ({"time_limit": "1s"}, "time_limit='1s' must be None"),
        ({"features": "some"}, "features='some' is not valid; choose from auto, binary, mid, all"),
        ({"n_thresholds": 0}, "n_thresholds=0 must be an integer of at least 1, or 'grow'"),
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


# --- weights that no sum is exact with -----------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize(
    ("features", "limits"),
    [
        ("all", {}),
        ("mid", {}),  # ranks no threshold between rows that are alike, which limits may need
        ("all", {"max_leaves": 6}),
        ("all", {"min_samples_leaf": 2}),
        ("all", {"min_samples_leaf": 2, "max_leaves": 5}),
    ],
)
@pytest.mark.parametrize("kind", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("start", [None, "greedy"])
def test_the_optimum_with_fractional_weights_and_a_price(
    kind: Any, features: Any, limits: dict[str, int], depth: int, seed: int, start: Any
) -> None:
    rng = np.random.default_rng(100 * depth + seed)
    n, classes = 14, 3
    X = np.column_stack([rng.integers(0, 5, n), rng.integers(0, 4, n)]).astype(float)
    weights = rng.random(n) * rng.choice([1e-3, 1.0, 30.0], n) if seed % 2 else rng.random(n)
    price = [0.001, 0.01, 0.03, 1e-9][seed % 4]
    shared: dict[str, Any] = {
        "columns": questions(pd.DataFrame(X)),
        "weights": weights,
        "min_samples_leaf": limits.get("min_samples_leaf", 1),
    }
    more: dict[str, Any] = {}
    if kind is OptimalTreeClassifier:
        y = rng.integers(0, classes, n)
        y[:classes] = range(classes)
        if seed % 3 == 0:
            more["costs"] = rng.random((classes, classes)) * 3 * (1 - np.eye(classes))
        oracle = Oracle(labels=y, classes=classes, **shared, **more)
        unit = weights.sum()
    else:
        y = rng.normal(size=n) * 10 ** rng.uniform(-2, 2) + X[:, 0]
        oracle = Oracle(target=y, **shared)
        unit = oracle.objective(0)
    more |= {"max_depth": depth, "features": features, "n_thresholds": 1000, "start": start}
    model = kind(sparsity=price, **more, **limits).fit(X, y, sample_weight=weights)
    leaves = limits.get("max_leaves", 10**9)
    best = oracle.objective(depth, sparsity=price * unit, max_leaves=leaves) / weights.sum()
    assert model.objective_ == pytest.approx(best, rel=1e-9, abs=1e-12)
    assert model.proven_optimal_ and model.lower_bound_ == model.objective_
