"""The questions that optimal trees may ask."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from ramify import (
    OptimalTreeClassifier,
)
from ramify.discretize import MIDDiscretizer
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.optimal.features import FeatureSet, all_features
from ramify.trees.optimal.ranking import Ranking


def test_features_that_divide_alike_are_given_once() -> None:
    X = np.array([[0, 1, 0, 5, 1], [0, 1, 1, 5, 2], [1, 0, 2, 5, 0], [1, 0, 0, 5, 1]], dtype=float)
    features = FeatureSet()
    features.add_all(all_features(Table.read(X).take(np.arange(4))))
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


def all_ranked(columns: list[np.ndarray], target: Target) -> list[tuple[int, float]]:
    table = Table.read(np.column_stack(columns))
    return Ranking(table, target, None).first(1000, np.inf)


@pytest.mark.parametrize("seed", range(5))
def test_thresholds_for_numbers_are_ranked_as_by_the_naive_algorithm(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, 60).astype(float)
    y = x // 4 + rng.normal(size=60).round(1)
    ranked = [threshold for _, threshold in all_ranked([x], Target(y))]
    assert ranked == naive_ranking(x, y)
    other = rng.normal(size=60)
    merged = all_ranked([x, other], Target(y))
    assert [threshold for j, threshold in merged if j == 0] == ranked


def test_thresholds_for_classes_are_those_of_the_discretizer() -> None:
    X, y = load_iris(return_X_y=True)
    ranking = MIDDiscretizer(n_thresholds=20).fit(X, y).ranking_
    target = Target(y.astype(np.int32), classes=np.arange(3))
    ranked = Ranking(Table.read(X), target, 20).first(20, np.inf)
    assert ranked == list(zip(ranking.index.tolist(), ranking.threshold.tolist(), strict=True))
