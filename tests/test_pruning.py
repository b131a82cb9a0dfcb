"""Pruning along a sequence: against naive versions, against peers, and where data are odd."""

from __future__ import annotations

import itertools
import warnings
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import sequence_pruning as oracle
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    load_wine,
    make_classification,
    make_regression,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ramify import TreeClassifier, TreeRegressor, _core, presets
from ramify._training import Training
from ramify.pruning import BestFirst, CostComplexity, CriticalValue

PRUNINGS = (
    CostComplexity(),
    CostComplexity(risk="impurity", rule="min"),
    BestFirst(),
    BestFirst(rule="1se", error="rmse"),
    CriticalValue(),
)
SEEDS = range(12)


def table(seed: int, *, regression: bool = False) -> tuple[pd.DataFrame, np.ndarray, Any]:
    """Numbers, categories and holes, with weights for every other seed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 90))
    X = pd.DataFrame(
        {
            "number": rng.normal(size=n).round(1),
            "few": rng.integers(0, 3, n).astype(float),
            "holes": np.where(rng.random(n) < 0.25, np.nan, rng.normal(size=n).round(1)),
            "level": pd.Categorical.from_codes(rng.integers(0, 5, n), list("abcde")),
            "gap": pd.Categorical.from_codes(rng.integers(-1, 3, n), list("xyz")),
        }
    )
    signal = X["number"] + (X["level"].isin(["a", "b"])) + 0.7 * rng.normal(size=n)
    y = signal.to_numpy().round(1) if regression else np.digitize(signal, [0.2, 1.0])
    weight = rng.integers(0, 3, n).astype(float) if seed % 2 else None
    if weight is not None:
        weight[:2] = 1.0
    return X, y, weight


def estimator(seed: int, pruning: Any, *, regression: bool = False) -> Any:
    missing = ("fractional", "direction", "separate")[seed % 3]
    split = "multiway" if seed % 4 == 3 else "auto"
    growth = ("best_first", "depth_first", "best_first_unweighted")[seed % 3]
    shared = {
        "pruning": pruning,
        "missing": missing,
        "categorical_split": split,
        "growth": growth,
        "random_state": seed,
    }
    if regression:
        criterion = "absolute_error" if seed % 2 else "squared_error"
        return TreeRegressor(criterion=criterion, **shared)
    costs = [[0, 1, 4], [2, 0, 1], [1, 1, 0]] if seed % 5 == 4 else None
    return TreeClassifier(costs=costs, **shared)


def inner_in_grown(clf: Any, row: int) -> frozenset[int]:
    path = clf.pruning_path_
    keys = path.keys_of_nodes
    return frozenset(np.flatnonzero(keys > path.thresholds[row]).tolist())


# --- the sequences ------------------------------------------------------------------------------


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_sequences_are_those_of_the_definitions(seed: int, regression: bool) -> None:
    X, y, weight = table(seed, regression=regression)
    for pruning in PRUNINGS:
        clf = estimator(seed, pruning, regression=regression).fit(X, y, weight)
        tree, path = clf._grown, clf.pruning_path_
        if isinstance(pruning, CostComplexity):
            steps = oracle.cost_complexity(tree, pruning.risk)
        elif isinstance(pruning, BestFirst):
            steps = oracle.best_first(tree, clf.growth)
        else:
            steps = oracle.critical_value(tree)
        assert len(steps) == len(path)
        np.testing.assert_allclose(path.key, [key for key, _ in steps], rtol=1e-9, atol=1e-13)
        for row, (_, inner) in enumerate(steps):
            assert inner_in_grown(clf, row) == inner
            leaves = oracle.leaves_of(tree, inner, 0)
            assert path.leaves[row] == len(leaves)
            training = sum(oracle.risk(tree, leaf, "error") for leaf in leaves)
            assert path.training_error[row] == pytest.approx(training, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_cut_is_a_tree_of_the_grown_one(seed: int) -> None:
    X, y, weight = table(seed)
    clf = estimator(seed, BestFirst()).fit(X, y, weight)
    for n_leaves in range(1, clf._grown.n_leaves + 1):
        tree = clf.prune(n_leaves=n_leaves).tree_
        tree.check()
        assert tree.n_leaves <= n_leaves
        expansions = [node.expansion for node in tree.nodes if node.children]
        assert sorted(expansions) == list(range(len(expansions)))


# --- the errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_walk_gives_the_errors_of_prediction(seed: int, regression: bool) -> None:
    X, y, weight = table(seed, regression=regression)
    rows = np.arange(len(y)) if weight is None else np.flatnonzero(weight)
    weights = np.ones(len(y)) if weight is None else weight
    for pruning in PRUNINGS:
        clf = estimator(seed, pruning, regression=regression).fit(X, y, weight)
        path = clf.pruning_path_
        if len(path) == 1:
            continue
        measure = getattr(pruning, "error", "rate")
        if regression:
            measure = "absolute" if clf.criterion == "absolute_error" else "squared"
        folds = _folds(clf, y, weight, 10)
        loss = np.full((len(path), len(y)), np.nan)
        for fold in range(folds.max() + 1):
            part = clone(clf).set_params(pruning=None)
            train, test = (folds >= 0) & (folds != fold), folds == fold
            part.fit(X[train], y[train], None if weight is None else weight[train])
            keys = type(pruning)(**({"risk": pruning.risk} if hasattr(pruning, "risk") else {}))
            sequence = keys.path(part.tree_.core, part.growth, part.tree_.costs)
            for row, threshold in enumerate(_elsewhere(path)):
                at = np.flatnonzero(sequence.thresholds <= threshold)
                grown = part.tree_
                if len(at):
                    part.tree_ = grown.with_core(sequence.cut(grown.core, int(at[-1])))
                loss[row, test] = oracle.losses(_full(part, clf), X[test], y[test], measure)
                part.tree_ = grown
        mean = np.average(loss[:, rows], axis=1, weights=weights[rows])
        kish = weights.sum() ** 2 / (weights**2).sum()
        if regression or (clf.costs is not None and measure != "rmse"):
            square = np.average(loss[:, rows] ** 2, axis=1, weights=weights[rows])
            error, deviation = mean, np.sqrt(np.maximum(square - mean**2, 0) / kish)
        else:
            error = np.sqrt(mean) if measure == "rmse" else mean
            deviation = np.sqrt(error * (1 - error) / kish)
        np.testing.assert_allclose(path.error, error, atol=1e-9)
        np.testing.assert_allclose(path.standard_error, deviation, atol=1e-7)
        at = oracle.one_standard_error(error, deviation)
        if pruning.rule == "min":
            at = max(i for i in range(len(error)) if error[i] <= error.min() + 1e-12)
        assert path.selected == at
        assert clf.tree_.n_leaves == path.leaves[at]


def _elsewhere(path: Any) -> np.ndarray:
    """Where the trees of folds are judged."""
    if path.key_name == "expansions":
        return path.thresholds
    middle = np.array(path.thresholds)
    for i in range(len(middle) - 1):
        if middle[i] >= 0:
            middle[i] = np.sqrt(path.thresholds[i]) * np.sqrt(path.thresholds[i + 1])
    middle[-1] = np.inf
    return middle


def _full(part: Any, clf: Any) -> Any:
    """A fold may lack a class: its probabilities are then those of the others."""
    if not hasattr(clf, "classes_") or len(part.classes_) == len(clf.classes_):
        return part

    class Full:
        classes_ = clf.classes_
        tree_ = part.tree_

        def predict(self, X: Any) -> Any:
            return part.predict(X)

        def predict_proba(self, X: Any) -> Any:
            shares = np.zeros((len(X), len(clf.classes_)))
            shares[:, np.searchsorted(clf.classes_, part.classes_)] = part.predict_proba(X)
            return shares

    return Full()


def _folds(clf: Any, y: np.ndarray, weight: Any, n_folds: int) -> np.ndarray:
    codes = np.unique(y, return_inverse=True)[1] if hasattr(clf, "classes_") else y
    training = Training(
        problem=None,  # type: ignore[arg-type]
        task="",
        target=codes,
        n_classes=len(getattr(clf, "classes_", ())),
        weights=weight,
        costs=None,
        absolute=False,
        growth="",
        unseen="",
        seed=clf.random_state,
        verbose=False,
    )
    return training.folds(n_folds)


def test_folds_are_stratified_and_seeded() -> None:
    y = np.repeat([0, 1, 2], [50, 30, 3])
    clf = TreeClassifier(random_state=3).fit(np.arange(83.0)[:, None], y)
    folds = _folds(clf, y, None, 10)
    assert set(folds) == set(range(10))
    for label, least, most in ((0, 5, 5), (1, 3, 3), (2, 0, 1)):
        counts = np.bincount(folds[y == label], minlength=10)
        assert counts.min() >= least
        assert counts.max() <= most
    np.testing.assert_array_equal(folds, _folds(clf, y, None, 10))
    assert (folds != _folds(clf.set_params(random_state=4), y, None, 10)).any()


@pytest.mark.parametrize("pruning", PRUNINGS, ids=lambda one: type(one).__name__)
def test_the_same_for_any_number_of_threads(pruning: Any) -> None:
    X, y = make_classification(600, 8, n_informative=5, n_classes=3, random_state=0)
    one = TreeClassifier(pruning=pruning).fit(X, y)
    two = TreeClassifier(pruning=pruning, n_jobs=2).fit(X, y)
    assert one.tree_ == two.tree_
    np.testing.assert_array_equal(one.pruning_path_.error, two.pruning_path_.error)


# --- pre-pruning, and trees of few expansions ---------------------------------------------------


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


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1e60])
@pytest.mark.parametrize(
    "pruning", [CostComplexity(rule="min"), BestFirst(), BestFirst(stage="pre", rule="1se")]
)
def test_the_choice_does_not_depend_on_the_unit_of_the_target(pruning: Any, scale: float) -> None:
    X, y = load_diabetes(return_X_y=True)
    leaves = TreeRegressor(pruning=pruning).fit(X, y).tree_.n_leaves
    assert TreeRegressor(pruning=pruning).fit(X, y * scale).tree_.n_leaves == leaves


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
    folds = _folds(keep, y, None, 10)
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


# --- peers --------------------------------------------------------------------------------------


def ten_tables() -> list[tuple[Any, Any]]:
    made = [
        make_classification(300, 6, n_informative=4, n_redundant=0, n_classes=k, random_state=k)
        for k in (2, 3, 4)
    ]
    numbers = [make_regression(200, 4, noise=20.0 * (i + 1), random_state=i) for i in range(2)]
    loaded = [
        load(return_X_y=True) for load in (load_iris, load_breast_cancer, load_wine, load_diabetes)
    ]
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(60, 3)), 3, axis=0)  # with repetitions
    return [*loaded, *made, *numbers, (rows, rng.integers(0, 2, 180))]


@pytest.mark.parametrize("index", range(10))
def test_the_sequence_of_scikit_learn(index: int) -> None:
    X, y = ten_tables()[index]
    regression = y.dtype.kind == "f"
    ours = (TreeRegressor if regression else TreeClassifier)(
        pruning=CostComplexity(alpha=0.0, risk="impurity"), min_samples_leaf=5
    ).fit(X, y)
    peer = (DecisionTreeRegressor if regression else DecisionTreeClassifier)(
        min_samples_leaf=5, random_state=0
    )
    path = peer.fit(X, y).cost_complexity_pruning_path(X, y)
    scale = path.impurities[-1]
    last = np.append(np.diff(path.ccp_alphas) > 1e-11 * scale, True)
    alphas = path.ccp_alphas[last]
    np.testing.assert_allclose(ours.pruning_path_.key / scale, alphas / scale, atol=1e-12)
    for i, alpha in enumerate(alphas):
        middle = alpha * 1.5 if i + 1 == len(alphas) else (alpha + alphas[i + 1]) / 2
        cut = clone(peer).set_params(ccp_alpha=middle).fit(X, y)
        assert cut.get_n_leaves() == ours.pruning_path_.leaves[i]
        assert ours.prune(alpha=middle).tree_.n_leaves == cut.get_n_leaves()


def test_the_sequence_of_shi() -> None:
    """Shi (2007), Table 2.1: balance-scale, Gini index, at least two rows in a leaf."""
    weights = np.array(list(itertools.product(range(1, 6), repeat=4)), dtype=float)
    torque = weights[:, 0] * weights[:, 1] - weights[:, 2] * weights[:, 3]
    clf = presets.simple_cart(pruning=CostComplexity(alpha=0.0)).fit(weights, np.sign(torque))
    leaves = [61, 58, 50, 45, 17, 14, 13, 11, 10, 8, 7, 5, 4, 3, 2, 1]
    alphas = "0 .0005 .0012 .0013 .0016 .0021 .0048 .0072 .0096 .0120 .0144 .0160 .0240 .0336"
    assert clf.pruning_path_.leaves.tolist() == leaves
    printed = [*map(float, alphas.split()), 0.0496, 0.1744]
    np.testing.assert_allclose(clf.pruning_path_.key, printed, atol=0.00006)


# --- prune after fit ----------------------------------------------------------------------------


def test_prune_after_fit() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    clf = TreeClassifier(pruning=CostComplexity(rule="min")).fit(X, y)
    grown = TreeClassifier().fit(X, y).tree_
    assert clf.prune(alpha=0).tree_.n_leaves == grown.n_leaves
    simple = clf.prune(rule="1se")
    assert simple.tree_.n_leaves <= clf.tree_.n_leaves
    assert simple is not clf
    assert simple.prune(rule="min").tree_ == clf.tree_
    for row in range(len(clf.pruning_path_)):
        leaves = clf.pruning_path_.leaves[row]
        assert clf.prune(n_leaves=int(leaves)).tree_.n_leaves == leaves
        key = clf.pruning_path_["alpha"][row]
        assert clf.prune(alpha=key).tree_.n_leaves == leaves
    again = TreeClassifier(pruning=CostComplexity(rule="1se")).fit(X, y)
    assert again.tree_ == simple.tree_
    plain = TreeClassifier().fit(X, y)
    assert plain.prune(alpha=0.01).tree_.n_leaves == clf.prune(alpha=0.01).tree_.n_leaves
    assert np.isnan(plain.pruning_path_["error"]).all()
    with pytest.raises(ValueError, match=r"no cross-validated errors.*cost_complexity"):
        plain.prune(rule="1se")
    with pytest.raises(ValueError, match=r"exactly one of alpha, n_leaves and rule, not alpha"):
        clf.prune(alpha=0.1, n_leaves=3)
    with pytest.raises(ValueError, match=r"exactly one of .* not none"):
        clf.prune()
    with pytest.raises(ValueError, match=r"rule='best' is not valid; choose from min, 1se"):
        clf.prune(rule="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="n_leaves=0 must be"):
        clf.prune(n_leaves=0)


def test_the_path_is_a_table() -> None:
    X, y = load_wine(return_X_y=True)
    path = TreeClassifier(pruning="auto").fit(X, y).pruning_path_
    assert path.columns == ("alpha", "leaves", "training_error", "error", "standard_error")
    frame = path.to_frame()
    assert list(frame.columns) == list(path.columns)
    assert len(frame) == len(path)
    assert dict(path)["leaves"][-1] == 1
    assert path["key"] is path["alpha"]
    with pytest.raises(KeyError, match="choose from alpha, leaves"):
        path["size"]
    assert str(path).count("\n") == len(path)
    assert str(path).count("*") == 1


def test_the_path_is_plotted() -> None:
    plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is an extra")
    X, y = load_wine(return_X_y=True)
    clf = TreeClassifier(pruning="auto").fit(X, y)
    figure, ax = plt.subplots()
    assert clf.plot_pruning_path(ax=ax) is ax
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert f"chosen: {clf.tree_.n_leaves} leaves" in labels
    plt.close(figure)
    assert TreeClassifier().fit(X, y).plot_pruning_path() is not None
    plt.close("all")


# --- odd data and bad input ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "pruning", ["auto", "best_first", "critical_value", BestFirst(stage="pre", rule="1se")]
)
def test_little_to_prune(pruning: Any) -> None:
    one_row = TreeClassifier(pruning=pruning).fit([[1.0]], ["a"])
    assert one_row.tree_.n_leaves == 1
    constant = TreeClassifier(pruning=pruning).fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    assert constant.tree_.n_leaves == 1
    assert len(constant.pruning_path_) == 1
    two = TreeClassifier(pruning=pruning).fit([[1.0], [2.0]], ["a", "b"])  # two folds of one row
    assert two.pruning_path_.error.shape == two.pruning_path_.key.shape
    number = TreeRegressor(pruning=pruning).fit([[1.0], [2.0], [5.0]], [1.0, 1.0, 7.0])
    assert number.tree_.n_leaves in (1, 2)
    rare = TreeClassifier(pruning=pruning).fit(np.arange(30.0)[:, None], [0] * 28 + [1, 1])
    assert rare.tree_.n_leaves in (1, 2)


@pytest.mark.parametrize(
    ("pruning", "message"),
    [
        ("cart", r"pruning='cart' is not valid; choose None, one of auto, .*CostComplexity"),
        (3, r"pruning=3 is not valid"),
        (CostComplexity(alpha=-1.0), r"CostComplexity: alpha=-1.0 must be"),
        (CostComplexity(folds=1), r"CostComplexity: folds=1 must be .* at least 2"),
        (CostComplexity(folds=None), r"folds=None must be"),  # type: ignore[arg-type]
        (CostComplexity(rule="2se"), r"rule='2se' is not valid; choose from min, 1se"),  # type: ignore[arg-type]
        (CostComplexity(risk="gini"), r"risk='gini' is not valid; choose from error, impurity"),  # type: ignore[arg-type]
        (BestFirst(stage="late"), r"stage='late' is not valid; choose from post, pre"),  # type: ignore[arg-type]
        (BestFirst(error="auc"), r"error='auc' is not valid; choose from rate, rmse"),  # type: ignore[arg-type]
        (CriticalValue(threshold=-0.5), r"CriticalValue: threshold=-0.5 must be"),
        (BestFirst(finished_folds="no"), r"finished_folds='no' is not valid; choose from keep"),  # type: ignore[arg-type]
        (BestFirst(time_limit=-1), r"BestFirst: time_limit=-1 must be"),
    ],
)
def test_bad_parameters_are_named(pruning: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier(pruning=pruning).fit([[1.0], [2.0]], [0, 1])


def test_time_limit_leaves_out_folds() -> None:
    X, y = make_classification(3000, 20, n_informative=10, flip_y=0.3, random_state=0)
    with pytest.warns(RuntimeWarning, match=r"time_limit=0.0: 0 of 10 folds .* not pruned"):
        clf = TreeClassifier(pruning=CostComplexity(time_limit=0.0)).fit(X, y)
    assert clf.tree_.n_leaves == clf.prune(alpha=0).tree_.n_leaves
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TreeClassifier(pruning=CostComplexity(time_limit=600.0)).fit(X[:200], y[:200])


def test_a_time_limit_for_ever_is_none() -> None:
    X, y = load_iris(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TreeClassifier(pruning=CostComplexity(time_limit=1e300)).fit(X, y)


def test_impurity_is_no_risk_of_a_criterion_without() -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier(
        criterion=lambda counts: float(len(counts)), pruning=CostComplexity(risk="impurity")
    )
    with pytest.raises(ValueError, match="gives nodes no impurity; choose risk='error'"):
        clf.fit(X, y)


def test_what_belongs_to_the_larger_tree_is_forgotten() -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier().fit(X, y)
    clf.unbiased_importances(X, y, n_permutations=1)
    assert not hasattr(clf.prune(n_leaves=2), "unbiased_importances_")
    assert hasattr(clf, "unbiased_importances_")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_progress_raises_reaches_the_caller(n_jobs: int) -> None:
    X, y = make_classification(4000, 20, n_informative=10, flip_y=0.3, random_state=0)

    class Stop(Exception):
        pass

    def stop(done: int) -> None:
        raise Stop

    @contextmanager
    def progress(*_: Any) -> Any:
        yield stop

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Training, "progress", progress)
        with pytest.raises(Stop):
            TreeClassifier(pruning="auto", n_jobs=n_jobs).fit(X, y)


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = load_iris(return_X_y=True)
    TreeClassifier(pruning="auto", verbose=True).fit(X, y)
    shown = capsys.readouterr()
    assert "cross-validation" in shown.err
    assert shown.out == ""
    TreeClassifier(pruning=BestFirst(stage="pre"), verbose=True).fit(X, y)
    assert "expansions of the folds: " in capsys.readouterr().err
    TreeClassifier(pruning="auto").fit(X, y)
    assert capsys.readouterr().err == ""
