"""Noise must not be preferred for having many values: selection and importances."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from ramify import OptimalTreeClassifier, TreeClassifier, TreeRegressor

#: A column of a thousand levels names most of a few hundred rows.
pytestmark = pytest.mark.filterwarnings("ignore:These columns name the rows:ramify.RamifyWarning")

LEVELS = (2, 3, 5, 10, 30, 100, 300, 1000)
ROWS, REPEATS = 2500, 300


def noise(rng: np.random.Generator, task: str, rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Levels from 2 to 1,000 and numbers, and a target that has nothing to do with them."""
    columns = {
        f"of {n}": pd.Categorical.from_codes(rng.integers(0, n, rows), [f"l{i}" for i in range(n)])
        for n in LEVELS
    }
    columns["few"] = rng.integers(0, 4, rows).astype(float)
    columns["many"] = rng.normal(size=rows)
    y = rng.integers(0, 2, rows) if task == "classification" else rng.normal(size=rows)
    return pd.DataFrame(columns), y


def roots(task: str, repeats: int, rows: int, **parameters) -> np.ndarray:
    model = TreeClassifier if task == "classification" else TreeRegressor
    rng = np.random.default_rng(0)
    chosen = np.zeros(len(LEVELS) + 2, dtype=int)
    for _ in range(repeats):
        X, y = noise(rng, task, rows)
        tree = model(max_depth=1, **parameters).fit(X, y).tree_
        chosen[tree.data["attribute"][0]] += 1
    return chosen


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_inference_chooses_among_noise_without_preference(task):
    chosen = roots(task, REPEATS, ROWS, selection="conditional_inference", alpha=1.0)
    assert chosen.sum() == REPEATS
    assert chisquare(chosen).pvalue > 1e-3, chosen


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_gain_prefers_many_levels(task):
    chosen = roots(task, 40, ROWS)
    assert chosen[LEVELS.index(1000)] == 40, chosen


def test_a_test_stops_where_gain_goes_on():
    grown = {"criterion": 0, "conditional_inference": 0}
    rng = np.random.default_rng(1)
    for _ in range(60):
        X, y = noise(rng, "classification", 300)
        for selection in grown:
            model = TreeClassifier(selection=selection, max_depth=1).fit(X, y)
            grown[selection] += model.tree_.n_leaves > 1
    assert grown["criterion"] == 60
    assert grown["conditional_inference"] <= 10  # three are expected


@pytest.mark.parametrize("max_depth", [3, None])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_importances_of_noise(task, max_depth):
    model = TreeClassifier if task == "classification" else TreeRegressor
    rng = np.random.default_rng(2)
    plain, unbiased = [], []
    for seed in range(10):
        X, y = noise(rng, task, 300)
        fitted = model(max_depth=max_depth).fit(X, y)
        with pytest.raises(AttributeError, match=r"call unbiased_importances\(X, y\) with"):
            fitted.unbiased_importances_  # noqa: B018
        plain.append(fitted.feature_importances_)
        unbiased.append(fitted.unbiased_importances(X, y, random_state=seed))
        assert fitted.unbiased_importances_ is unbiased[-1]
    favoured = list(X.columns).index("of 1000")
    assert np.mean(plain, axis=0)[favoured] > 0.6
    assert (np.mean(unbiased, axis=0) < 0.05).all(), np.mean(unbiased, axis=0)


@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "gain_ratio", "distance", "maxdif", "mpi", "chi2"]
)
def test_noise_below_a_column_that_says_something(criterion):
    rng = np.random.default_rng(6)
    unbiased = []
    for _ in range(4):
        good = rng.integers(0, 2, 1000)
        y = np.where(rng.random(1000) < 0.8, good, 1 - good)
        X = pd.DataFrame({"good": good, "id": pd.Categorical(rng.integers(0, 300, 1000))})
        fitted = TreeClassifier(criterion=criterion, max_depth=3).fit(X, y)
        unbiased.append(fitted.unbiased_importances(X, y))
        plain = fitted.feature_importances_
        assert plain[1] > 0.1
        assert unbiased[-1][0] == pytest.approx(plain[0], abs=0.05)
    assert np.mean(unbiased, axis=0)[1] < 0.03


def test_two_columns_that_say_the_same_keep_their_worth():
    rng = np.random.default_rng(7)
    first = rng.normal(size=800)
    second = first + 0.3 * rng.normal(size=800)
    y = first + second + 0.5 * rng.normal(size=800) > 0
    X = np.column_stack([first, second, rng.normal(size=(800, 3))])
    fitted = TreeClassifier(max_depth=2).fit(X, y)
    assert fitted.unbiased_importances(X, y)[:2].sum() > 0.9


def test_importances_of_parts_of_rows_and_of_classes_with_weights():
    rng = np.random.default_rng(8)
    X, y = noise(rng, "classification", 600)
    X["says"] = np.where(rng.random(600) < 0.7, y, 1 - y).astype(float)
    X = X.drop(columns=["of 300", "of 1000"])
    for name in X.columns:
        X.loc[rng.random(600) < 0.1, name] = None
    weight = rng.integers(0, 3, 600)
    settings = {"class_weight": "balanced", "min_samples_leaf": 0.01, "min_support": 0.01}
    fitted = TreeClassifier(max_depth=4, **settings).fit(X, y, weight)
    found = dict(zip(X.columns, fitted.unbiased_importances(X, y, weight), strict=True))
    assert max(found, key=found.get) == "says"
    assert sum(found.values()) < found["says"] + 0.2


def test_optimal_trees_have_none():
    clf = OptimalTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [0, 1])
    assert not hasattr(clf, "unbiased_importances")


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_importances_among_columns_of_which_one_says_something(task):
    model = TreeClassifier if task == "classification" else TreeRegressor
    rng = np.random.default_rng(3)
    X, y = noise(rng, task, 600)
    X = X.drop(columns=["of 300", "of 1000"])  # the tree would ask for nothing else
    y = np.where(rng.random(600) < 0.6, y, X["of 3"].cat.codes == 1)
    y = y.astype(int) if task == "classification" else y
    X.loc[rng.random(600) < 0.1, "of 3"] = None
    for missing in ("fractional", "separate", "direction"):
        fitted = model(missing=missing, max_depth=3).fit(X, y)
        plain = dict(zip(X.columns, fitted.feature_importances_, strict=True))
        found = dict(zip(X.columns, fitted.unbiased_importances(X, y), strict=True))
        assert max(plain, key=plain.get) == "of 100"  # chance is the larger part of the gain
        assert max(found, key=found.get) == "of 3"
    again = fitted.unbiased_importances(X, y)
    assert dict(zip(X.columns, again, strict=True)) == found
    for given in (0, None, 2.5):
        with pytest.raises(ValueError, match=f"n_permutations={given} must be"):
            fitted.unbiased_importances(X, y, n_permutations=given)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize(
    "parameters",
    [
        {"selection": "conditional_inference", "alpha": 0.5},
        {"significance": 0.3, "min_second_value": 5},
    ],
)
def test_same_tree_for_any_number_of_threads(task, missing, parameters):
    rng = np.random.default_rng(4)
    X, y = noise(rng, task, 6000)
    y = y + (X["many"] > 0.3) * (X["few"] + 1)
    X.loc[rng.random(6000) < 0.05, ["of 5", "many"]] = None
    model = TreeClassifier if task == "classification" else TreeRegressor
    one, two = (
        model(missing=missing, max_depth=12, n_jobs=jobs, **parameters).fit(X, y).tree_
        for jobs in (1, 2)
    )
    one.check()
    assert one.n_leaves > 5
    for name, array in one.data.items():
        np.testing.assert_array_equal(array, two.data[name], err_msg=name)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_weights_are_repeated_rows(task):
    rng = np.random.default_rng(5)
    X, y = noise(rng, task, 400)
    y = y + (X["many"] > 0.3)
    weights = rng.integers(0, 4, 400)
    rows = np.repeat(np.arange(400), weights)
    model = TreeClassifier if task == "classification" else TreeRegressor
    settings = {"selection": "conditional_inference", "alpha": 0.3, "max_depth": 3}
    weighted = model(**settings).fit(X, y, sample_weight=weights).tree_.data
    repeated = model(**settings).fit(X.iloc[rows], y[rows]).tree_.data
    np.testing.assert_array_equal(weighted["attribute"], repeated["attribute"])
    np.testing.assert_allclose(weighted["log_p"], repeated["log_p"], rtol=1e-9)
    assert (weighted["attribute"] >= 0).sum() > 2
