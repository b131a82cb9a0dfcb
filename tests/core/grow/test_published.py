"""Worked examples of the papers: weather data, the artificial attribute, parity."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ramify import TreeClassifier
from ramify.datasets import load_weather

# Shi 2007, sections 3.1 to 3.2.3 and appendix A: the best split of every attribute.
WEATHER = {
    "entropy": {
        "outlook": 0.226000,
        "temperature": 0.113401,
        "humidity": 0.151836,
        "windy": 0.048127,
    },
    "gini": {"outlook": 0.102041, "temperature": 0.063579, "humidity": 0.091837, "windy": 0.030612},
}
TEMPERATURE = {  # all splits of temperature: information gain, Gini gain
    64.5: (0.047709, 0.019623),
    66.5: (0.010318, 0.006803),
    68.5: (0.000489, 0.000309),
    69.5: (0.014956, 0.009184),
    70.5: (0.045334, 0.027438),
    71.5: (0.001340, 0.000850),
    73.5: (0.001340, 0.000850),
    77.5: (0.025078, 0.016327),
    80.5: (0.000489, 0.000309),
    82.0: (0.010318, 0.006803),
    84.0: (0.113401, 0.063579),
}
ARTIFICIAL = [[40, 10, 10], [10, 40, 10], [20, 30, 10], [20, 15, 25], [10, 5, 45]]  # table 3.2


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_weather(criterion):
    weather = load_weather()
    clf = TreeClassifier(criterion=criterion, max_depth=1).fit(weather.X, weather.y)
    root = clf.tree_.nodes[0]
    gains = {root.condition.attribute: root.gain}
    gains |= {c.condition.attribute: c.gain for c in root.competitors}
    assert gains == pytest.approx(WEATHER[criterion], abs=5e-7)
    assert root.condition.attribute == "outlook"
    assert sorted(root.condition.branches, key=len) == [("overcast",), ("rainy", "sunny")]
    # Competitors come in the order of their gain, with the thresholds of the appendix.
    assert [c.condition.attribute for c in root.competitors] == ["humidity", "temperature", "windy"]
    assert root.competitors[0].condition.value == 82.5
    assert root.competitors[1].condition.value == 84.0
    assert root.impurity == pytest.approx({"gini": 0.459184, "entropy": 0.940286}[criterion])


@pytest.mark.parametrize(("which", "criterion"), [(0, "entropy"), (1, "gini")])
@pytest.mark.parametrize("threshold", TEMPERATURE)
def test_every_split_of_temperature(which, criterion, threshold):
    weather = load_weather()
    values = np.asarray(weather.data["temperature"], dtype=float)
    # Only one cut is left if the values on each side are made equal.
    X = np.where(values < threshold, threshold - 1.0, threshold + 1.0)[:, None]
    clf = TreeClassifier(criterion=criterion, max_depth=1).fit(X, weather.y)
    root = clf.tree_.nodes[0]
    assert root.condition.value == threshold
    assert root.gain == pytest.approx(TEMPERATURE[threshold][which], abs=5e-7)


@pytest.mark.parametrize("method", ["exact", "pc", "auto"])
@pytest.mark.parametrize(
    ("criterion", "gain", "best"),
    [
        ("gini", 0.065972, [{"a5"}]),
        ("entropy", 0.142781, [{"a2", "a3"}, {"a4", "a5"}]),
    ],
)
def test_artificial_attribute(method, criterion, gain, best):
    levels = [f"a{i}" for i in range(1, 6)]
    cells = [(level, c) for level in range(5) for c in range(3)]
    X = pd.DataFrame({"A": [levels[level] for level, _ in cells]})
    y = [c for _, c in cells]
    weights = [ARTIFICIAL[level][c] for level, c in cells]
    clf = TreeClassifier(criterion=criterion, categorical_split=method, max_depth=1)
    root = clf.fit(X, y, sample_weight=weights).tree_.nodes[0]
    assert root.gain == pytest.approx(gain, abs=5e-7)
    assert any(set(branch) in best for branch in root.condition.branches)


@pytest.mark.parametrize("dtype", [float, bool, str])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
def test_parity(dtype, criterion, missing):
    # Neither attribute gains anything alone; together they separate the classes (Shi, 2.2.2).
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).astype(dtype)
    y = ["odd" if a != b else "even" for a, b in [(0, 0), (0, 1), (1, 0), (1, 1)]]
    clf = TreeClassifier(criterion=criterion, missing=missing).fit(X, y)
    assert clf.tree_.nodes[0].gain == pytest.approx(0.0, abs=1e-12)
    assert clf.tree_.nodes[0].condition.column == 0  # a tie goes to the lower index
    assert (clf.get_depth(), clf.get_n_leaves()) == (2, 4)
    assert clf.predict(X).tolist() == y


def test_parity_needs_a_strictly_concave_criterion_or_leave_to_gain_nothing():
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    for criterion in ("misclassification", "maxdif"):
        assert TreeClassifier(criterion=criterion).fit(X, y).get_n_leaves() == 1
        assert TreeClassifier(criterion=criterion, min_gain=-1.0).fit(X, y).get_n_leaves() == 4
    assert TreeClassifier(min_gain=1e-6).fit(X, y).get_n_leaves() == 1
