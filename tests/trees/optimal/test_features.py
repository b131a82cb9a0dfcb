"""The questions that optimal trees may ask."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from ramify import OptimalTreeClassifier, OptimalTreeRegressor, _core
from ramify.discretize import MIDDiscretizer
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.optimal.features import add_features, all_features, column_facts
from ramify.trees.optimal.ranking import Ranking


def test_features_that_divide_alike_are_given_once() -> None:
    X = np.array([[0, 1, 0, 5, 1], [0, 1, 1, 5, 2], [1, 0, 2, 5, 0], [1, 0, 0, 5, 1]], dtype=float)
    table = Table.read(X)
    features = _core.FeatureSet(4)
    add_features(features, all_features(table, column_facts(table)))
    assert features.columns == [0, 2, 4]  # 1 is 0 turned round, 3 divides nothing
    assert not features.add_codes(9, as_codes([2, 1, 0, 2]))  # 2 turned round
    assert features.add_codes(9, as_codes([0, 1, 0, 1]))
    of_each = _core.FeatureSet(4, across_columns=False)
    add_features(of_each, all_features(table, column_facts(table)))
    assert of_each.columns == [0, 1, 2, 4]
    assert not of_each.add_codes(0, as_codes([1, 1, 0, 0]))


def as_codes(values: object) -> np.ndarray:
    return np.asarray(values, dtype=np.int32)


def test_a_feature_of_two_codes_takes_a_bit_a_row() -> None:
    features = _core.FeatureSet(6400)
    assert features.add_codes(0, as_codes(np.arange(6400) % 2))
    assert features.bytes == 800
    assert features.add_codes(1, as_codes(np.arange(6400) % 3))
    assert features.bytes == 800 + 4 * 6400 and not features.binary


def test_a_division_is_found_among_the_features() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, 3000)
    two, last = codes > 2, np.arange(3000) == 2999
    features = _core.FeatureSet(3000)
    for column, one in enumerate([codes, rng.permutation(codes), two, last]):
        assert features.add_codes(column, as_codes(one))
    assert features.find(codes <= 1, 0) == (0, 1, False)
    assert features.find(codes > 1, 0) == (0, 1, True)
    assert features.find(codes <= 2, 0) in [(0, 2, False), (2, 0, False)]
    assert features.find(two, 2) == (2, 0, True)
    assert features.find(~last, 3) == (3, 0, False)
    assert features.find(last, 3) == (3, 0, True)
    assert features.find(np.arange(3000) == 2998, 3) is None
    assert features.find((codes == 0) | (codes == 4), 0) is None
    assert features.find_or_add((codes == 0) | (codes == 4), 0) == (4, 0, False)
    assert features.find((codes > 0) & (codes < 4), 0) == (4, 0, True)


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


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("seed", range(4))
def test_the_nodes_of_a_tree_are_those_counted_row_by_row(task: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.where(rng.random(60) < 0.2, np.nan, rng.integers(0, 6, 60).astype(float))
    X = pd.DataFrame({"n": cells, "c": rng.choice(list("pqrs"), 60), "k": rng.normal(size=60)})
    y: np.ndarray = rng.integers(0, 3, 60) if task == "classes" else 1e6 + rng.normal(size=60)
    weights = rng.random(60) + 0.5
    kind = OptimalTreeClassifier if task == "classes" else OptimalTreeRegressor
    model = kind(max_depth=3, features="mid", n_thresholds=6).fit(X, y, sample_weight=weights)
    data, path = model.tree_.data, model.decision_path(X).toarray().astype(bool)
    for node in range(model.tree_.n_nodes):
        inside = path[:, node]
        w, total = weights[inside], weights[inside].sum()
        assert data["rows"][node] == inside.sum()
        assert data["weight"][node] == pytest.approx(total)
        if task == "classes":
            sums = np.bincount(y[inside], w, minlength=3)
            impurity = 1 - ((sums / total) ** 2).sum()
            np.testing.assert_allclose(data["value"][node], sums)
        else:
            mean = np.average(y[inside], weights=w)
            impurity = np.average((y[inside] - mean) ** 2, weights=w)
            assert data["prediction"][node] == pytest.approx(mean)
        assert data["impurity"][node] == pytest.approx(impurity, abs=1e-9)
    model.tree_.check()
