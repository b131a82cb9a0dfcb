"""Optimal trees that begin with a tree of the user, below a bound, or with other thresholds."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.optimal_data import GRADES, hard_table, mixed, questions
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.optimal import Oracle
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV

from ramify import (
    BoostedTreesClassifier,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    load,
)
from ramify.cli import main
from ramify.discretize import MIDDiscretizer
from ramify.files import dumps, loads
from ramify.tree import Tree

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def oracle_of(X: pd.DataFrame, y: np.ndarray, more: list[np.ndarray]) -> Oracle:
    classes, labels = np.unique(y, return_inverse=True)
    return Oracle([*questions(X), *more], labels.astype(np.int32), len(classes))


def error_of(model: Any, X: Any, y: Any) -> float:
    return float(np.mean(model.predict(X) != y))


# --- a start -------------------------------------------------------------------------------------


@QUIET
@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    depth=st.integers(0, 3),
    features=st.sampled_from(["all", "mid"]),
    limits=st.sampled_from([{}, {"min_samples_leaf": 4}, {"max_leaves": 3}, {"sparsity": 0.04}]),
    holes=st.booleans(),
    time_limit=st.sampled_from([None, 0.0]),
)
def test_the_result_is_never_worse_than_a_start_within_the_limits(
    seed: int,
    depth: int,
    features: str,
    limits: dict[str, Any],
    holes: bool,
    time_limit: float | None,
) -> None:
    X, y = mixed(seed, 40, holes=holes)
    own = {name: value for name, value in limits.items() if name != "sparsity"}
    start = TreeClassifier(missing="direction", max_depth=depth, **own).fit(X, y)
    clf = OptimalTreeClassifier(
        max_depth=3, features=features, n_thresholds=2, start=start, time_limit=time_limit, **limits
    ).fit(X, y)
    clf.tree_.check()
    assert clf.tree_.depth <= 3 and clf.tree_.n_leaves <= limits.get("max_leaves", 99)
    sparsity = limits.get("sparsity", 0.0)
    # A tree with fewer leaves may be better, but the start is among the trees searched.
    assert clf.objective_ <= error_of(start, X, y) + sparsity * start.tree_.n_leaves + 1e-9


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(["tree", "estimator", "other data"]),
    split=st.sampled_from(["exact", "multiway"]),
)
def test_with_a_start_the_tree_is_that_of_brute_force(seed: int, kind: str, split: str) -> None:
    """Over the features and the questions of the start."""
    X, y = mixed(seed, 24)
    grown_on = mixed(seed + 1, 24) if kind == "other data" else (X, y)
    grown = TreeClassifier(max_depth=2, categorical_split=split).fit(*grown_on)
    start = grown if kind == "estimator" else grown.tree_
    clf = OptimalTreeClassifier(max_depth=2, features="all", start=start).fit(X, y)
    clf.tree_.check()
    assert clf.proven_optimal_
    least = oracle_of(X, y, asked_by(grown.tree_, X)).objective(2) / len(y)
    most = oracle_of(X, y, []).objective(2) / len(y)
    assert least - 1e-9 <= clf.error_ <= most + 1e-9
    if split == "exact" and kind != "other data":  # all its questions can be asked
        assert clf.error_ == pytest.approx(least)


def asked_by(tree: Tree, X: pd.DataFrame) -> list[np.ndarray]:
    """Every question that the nodes of a tree ask of some rows, read cell by cell.

    With more than two branches, every branch or set of branches against the others.
    """
    found = []
    for node in tree.nodes:
        if node.is_leaf:
            continue
        condition = node.condition
        children = [tree.nodes[child] for child in node.children]
        heaviest = int(np.argmax([child.proportion for child in children]))
        sets = getattr(condition, "branches", ())
        branch = []
        for cell in X[condition.attribute]:
            if cell is None or cell != cell:
                to = condition.missing_to
            elif sets:
                to = next((i for i, levels in enumerate(sets) if cell in levels), None)
            else:
                value = GRADES.index(cell) if cell in GRADES else cell
                to = int(value > condition.value)
            branch.append(heaviest if to is None else to)
        n = len(children)
        groups = [set(c) for k in range(1, n) for c in combinations(range(n), k)]
        found += [np.array([b not in group for b in branch], np.int32) for group in groups]
    return found


def test_the_search_begins_with_the_tree_that_is_given() -> None:
    """Without time, the start is the result."""
    X, y = hard_table()
    start = TreeClassifier(max_depth=4, criterion="entropy").fit(X, y)
    with pytest.warns(ConvergenceWarning):
        clf = OptimalTreeClassifier(max_depth=4, start=start, time_limit=0).fit(X, y)
    assert clf.predict(X).tolist() == start.predict(X).tolist()
    assert clf.tree_.to_text() == start.tree_.to_text()


def test_conditions_that_are_no_features_join_them() -> None:
    """Seven levels are asked for one at a time; the start knows a set that tells everything."""
    levels = list("abcdefg") * 6
    X = pd.DataFrame({"level": levels, "noise": np.arange(42) % 5 * 1.0})
    y = np.isin(levels, list("aceg")).astype(int)
    alone = OptimalTreeClassifier(max_depth=1, start=None).fit(X, y)
    assert alone.error_ > 0 and alone.proven_optimal_
    start = TreeClassifier(max_depth=1).fit(X, y)
    assert OptimalTreeClassifier(max_depth=1, start=start).fit(X, y).error_ == 0.0


@QUIET
def test_a_start_beyond_the_limits_is_cut_back() -> None:
    X, y = load_wine(return_X_y=True)
    deep = TreeClassifier(criterion="entropy").fit(X, y)
    assert deep.tree_.depth > 2
    for limits in [{}, {"max_leaves": 3}, {"min_samples_leaf": 30}]:
        clf = OptimalTreeClassifier(max_depth=2, start=deep, time_limit=0, **limits).fit(X, y)
        own = TreeClassifier(criterion="entropy", max_depth=2).fit(X, y)
        assert clf.tree_.depth <= 2 and clf.tree_.n_leaves > 1
        assert clf.tree_.n_leaves <= limits.get("max_leaves", 4)
        assert clf.tree_.data["rows"].min() >= limits.get("min_samples_leaf", 1)
        if not limits:  # the top of the deep tree is the shallow one
            assert clf.error_ == pytest.approx(error_of(own, X, y))


@QUIET
def test_more_than_two_branches_become_questions_of_two() -> None:
    X = pd.DataFrame({"level": list("abcde") * 8, "x": np.arange(40.0) * 7 % 20})
    y = np.array(["p", "q", "p", "r", "q"] * 8)
    multiway = TreeClassifier(categorical_split="multiway", max_depth=1).fit(X, y)
    assert multiway.tree_.n_leaves == 5
    for depth, error in [(3, 0.0), (1, 0.6)]:
        clf = OptimalTreeClassifier(max_depth=depth, start=multiway, time_limit=0).fit(X, y)
        assert clf.error_ <= error and clf.tree_.depth <= depth


@QUIET
def test_rows_that_a_start_divides_follow_its_heaviest_branch() -> None:
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [np.nan]])
    y = [0, 0, 1, 1, 1, 1]
    start = TreeClassifier(max_depth=1).fit(X, y)  # fractional
    clf = OptimalTreeClassifier(max_depth=1, start=start, time_limit=0).fit(X, y)
    assert clf.tree_.condition(0).describe(1) == "x0 > 2.5 or missing"
    assert clf.error_ == 0.0


@QUIET
def test_a_start_of_other_levels_and_orders() -> None:
    """Levels are known by their names, whatever their codes are here."""
    old = pd.DataFrame(
        {
            "level": ["b", "d", "b", "d", "z", "z"],
            "grade": pd.Categorical(["low", "high"] * 3, GRADES, ordered=True),
        }
    )
    start = OptimalTreeClassifier(max_depth=2).fit(old, [0, 1, 0, 1, 0, 1])
    new = pd.DataFrame(
        {
            "level": ["a", "b", "c", "d"] * 4,
            "grade": pd.Categorical(["low", "mid", "high", "high"] * 4, GRADES, ordered=True),
        }
    )
    y = (new["level"] >= "c").astype(int).to_numpy()
    clf = OptimalTreeClassifier(max_depth=2, start=start, time_limit=0).fit(new, y)
    assert clf.error_ == pytest.approx(error_of(start, new, y))


@QUIET
def test_regressors_begin_with_a_tree_too() -> None:
    X, _ = hard_table()
    target = X[:, 0] + X[:, 1] ** 2
    start = TreeRegressor(max_depth=3).fit(X, target)
    reg = OptimalTreeRegressor(max_depth=3, start=start.tree_, time_limit=0).fit(X, target)
    mse = float(np.mean((start.predict(X) - target) ** 2))
    assert reg.error_ == pytest.approx(mse)
    grown = OptimalTreeRegressor(
        max_depth=2, start=start, n_thresholds="grow", features="mid", time_limit=5
    ).fit(X[:300], target[:300])
    assert grown.error_ <= OptimalTreeRegressor(max_depth=0).fit(X[:300], target[:300]).error_


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (lambda X, y: TreeRegressor().fit(X, y), "a tree of regression, but this is classifica"),
        (lambda X, y: TreeClassifier().fit(X[["a"]], y), "a tree of 1 columns, but X has 2"),
        (
            lambda X, y: TreeClassifier().fit(X.rename(columns={"b": "c"}), y),
            "a column 'c' where X has 'b'",
        ),
        (
            lambda X, y: TreeClassifier(categorical_features=["b"]).fit(X, y),
            "whose column 'b' is nominal, but in X it is numeric",
        ),
    ],
)
def test_a_start_of_other_columns_is_refused(start: Any, message: str) -> None:
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 1.0, 2.0]}), [0, 1, 0]
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier(start=start(X, y)).fit(X, y)


def test_copies_keep_a_tree_and_empty_an_estimator() -> None:
    X, y = load_iris(return_X_y=True)
    fitted = TreeClassifier(max_depth=2).fit(X, y)
    grid = {"sparsity": [0.0, 0.05]}
    kept = OptimalTreeClassifier(max_depth=2, start=fitted.tree_)
    assert GridSearchCV(kept, grid, cv=2).fit(X, y).best_score_ > 0.8
    emptied = clone(OptimalTreeClassifier(max_depth=2, start=fitted))
    with pytest.raises(NotFittedError, match=r"give start=fitted\.tree_"):
        emptied.fit(X, y)
    again = pickle.loads(pickle.dumps(copy.deepcopy(kept).fit(X, y)))
    assert again.start.to_text() == fitted.tree_.to_text()


def test_a_start_of_several_trees_is_refused() -> None:
    X, y = load_iris(return_X_y=True)
    several = BoostedTreesClassifier(n_rounds=1).fit(X, y)
    with pytest.raises(ValueError, match=r"start=BoostedTreesClassifier\(\.\.\.\) is not one tree"):
        OptimalTreeClassifier(start=several).fit(X, y)


def test_model_files_keep_the_start_and_the_bound(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    fitted = TreeClassifier(max_depth=2).fit(X, y)
    for start in (fitted, fitted.tree_):
        clf = OptimalTreeClassifier(max_depth=2, start=start, upper_bound=0.5).fit(X, y)
        clf.save(tmp_path / "model.json")
        again = load(tmp_path / "model.json")
        assert again.start.to_text() == fitted.tree_.to_text()
        assert again.upper_bound == 0.5 and again.below_upper_bound_ is True
        assert again.fit(X, y).error_ == clf.error_
    document = json.loads(dumps(clf))
    document["parameters"]["start"]["tree"]["nodes"] = {}
    with pytest.raises(ValueError, match=r"parameters\.start"):
        loads(json.dumps(document))


# --- an upper bound ------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    bound=st.sampled_from([0.0, 0.05, 0.1, 0.2, 0.3, 0.7]),
    start=st.sampled_from(["greedy", None]),
    sparsity=st.sampled_from([0.0, 0.03]),
)
def test_a_bound_is_met_by_the_optimum_or_by_no_tree(
    seed: int, bound: float, start: str | None, sparsity: float
) -> None:
    X, y = mixed(seed, 20)
    parameters = {"max_depth": 2, "features": "all", "start": start, "sparsity": sparsity}
    best = OptimalTreeClassifier(**parameters).fit(X, y)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clf = OptimalTreeClassifier(upper_bound=bound, **parameters).fit(X, y)
    clf.tree_.check()
    if best.objective_ < bound - 1e-9:
        assert clf.below_upper_bound_ is True and clf.proven_optimal_
        assert clf.objective_ == pytest.approx(best.objective_)
        assert not told
    else:
        assert clf.below_upper_bound_ is False
        assert bound - 1e-9 <= clf.lower_bound_ <= best.objective_ + 1e-9 <= clf.objective_ + 2e-9
        assert clf.proven_optimal_ == (clf.gap_ < 1e-9)
        assert f"upper_bound={bound}" in str(told[0].message)


def test_the_bound_is_the_error_that_a_tree_stays_below() -> None:
    """The optimum is not below its own error, but below a slightly larger bound."""
    X, y = load_iris(return_X_y=True)
    best = OptimalTreeClassifier(max_depth=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="no tree of this depth has a "):
        equal = OptimalTreeClassifier(max_depth=2, upper_bound=best.error_, start=None).fit(X, y)
    assert equal.below_upper_bound_ is False and equal.lower_bound_ == pytest.approx(best.error_)
    assert equal.search_["stopped_by"] == "upper_bound"
    above = OptimalTreeClassifier(max_depth=2, upper_bound=best.error_ + 1e-6).fit(X, y)
    assert above.below_upper_bound_ is True and above.error_ == best.error_
    regressor = OptimalTreeRegressor(max_depth=2).fit(X, y)
    near = regressor.error_ * (1 + 1e-6)
    found = OptimalTreeRegressor(max_depth=2, upper_bound=near, start=None).fit(X, y)
    assert found.below_upper_bound_ is True and found.error_ == pytest.approx(regressor.error_)


@QUIET
def test_a_search_that_is_stopped_does_not_know() -> None:
    X, y = hard_table()
    clf = OptimalTreeClassifier(max_depth=5, upper_bound=0.05, time_limit=1e-4).fit(X, y)
    assert clf.below_upper_bound_ is None and not clf.proven_optimal_
    easy = OptimalTreeClassifier(max_depth=5, upper_bound=0.5, time_limit=0.2).fit(X, y)
    assert easy.below_upper_bound_ is True
    assert OptimalTreeClassifier(max_depth=1).fit(X, y).below_upper_bound_ is None


@QUIET
@pytest.mark.parametrize("fraction", [None, 0.3])
def test_a_bound_goes_with_more_and_more_thresholds(fraction: float | None) -> None:
    X, y = load_wine(return_X_y=True)
    parameters = {"max_depth": 2, "n_thresholds": "grow", "validation_fraction": fraction}
    free = OptimalTreeClassifier(**parameters).fit(X, y)
    found = OptimalTreeClassifier(upper_bound=free.error_ + 0.01, **parameters).fit(X, y)
    assert found.below_upper_bound_ is True and found.error_ <= free.error_ + 0.01
    none = OptimalTreeClassifier(upper_bound=0.001, **parameters).fit(X, y)
    assert none.below_upper_bound_ is False and none.lower_bound_ >= 0.001


def test_pruning_a_tree_below_the_bound_may_end_above() -> None:
    X, y = load_iris(return_X_y=True)
    clf = OptimalTreeClassifier(max_depth=2, upper_bound=0.1).fit(X, y)
    assert clf.below_upper_bound_ is True
    assert clf.prune(n_leaves=1).below_upper_bound_ is None
    assert clf.prune(n_leaves=99).below_upper_bound_ is True


# --- which thresholds ----------------------------------------------------------------------------


@pytest.mark.parametrize("impurity", ["entropy", "gini"])
@pytest.mark.parametrize("wanted", [12, "mdl"])
def test_thresholds_are_those_of_the_discretizer(impurity: str, wanted: Any) -> None:
    X, y = load_wine(return_X_y=True)
    mid = MIDDiscretizer(n_thresholds=wanted, impurity=impurity, encode="thresholds").fit(X, y)
    clf = OptimalTreeClassifier(
        max_depth=2, features="mid", n_thresholds=wanted, threshold_impurity=impurity, start=None
    ).fit(X, y)
    assert clf.search_["n_thresholds"] == len(mid.ranking_)
    ours = OptimalTreeClassifier(max_depth=2, features="binary").fit(mid.transform(X), y)
    assert clf.error_ == ours.error_
    if wanted == 12:
        names = mid.ranking_.attribute.tolist()
        other = MIDDiscretizer(n_thresholds=12).fit(X, y).ranking_.attribute.tolist()
        assert (names == other) == (impurity == "entropy")


def test_thresholds_of_numbers_by_mdl() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(250, 4))
    y = 2.0 * (X[:, 1] > 0.2) + (X[:, 3] > -0.5) + 0.3 * rng.normal(size=250)
    mid = MIDDiscretizer(n_thresholds="mdl", impurity="variance").fit(X, y)
    reg = OptimalTreeRegressor(max_depth=2, n_thresholds="mdl", start=None).fit(X, y)
    assert reg.search_["n_thresholds"] == len(mid.ranking_) > 1
    assert reg.score(X, y) > 0.8
    assert {node.condition.attribute for node in reg.tree_.nodes if not node.is_leaf} == {
        "x1",
        "x3",
    }


# --- the command line ----------------------------------------------------------------------------


def test_the_command_line_takes_them(tmp_path: Path, capsys: Any) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    table, model = tmp_path / "iris.csv", tmp_path / "greedy.json"
    X.assign(y=y).to_csv(table, index=False)
    TreeClassifier(max_depth=2).fit(X, y).save(model)
    given = ["fit", str(table), "--target", "y", "--learner", "optimal", "--max-depth", "2"]
    given += ["--folds", "0", "--json", "--start", str(model)]
    assert main([*given, "--n-thresholds", "mdl", "--upper-bound", "0.5"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["below_upper_bound"] is True
    assert summary["searched"]["features"] == "mid"
    gini = ["--threshold-impurity", "gini"]
    assert main([*given, "--n-thresholds", "7", "--features", "mid", *gini]) == 0
    assert json.loads(capsys.readouterr().out)["searched"]["n_thresholds"] == 7
    assert main(["fit", str(table), "--target", "y", "--upper-bound", "0.5"]) == 2
    assert "--upper-bound does not go with --learner greedy" in capsys.readouterr().err
