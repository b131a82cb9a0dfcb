"""The same numbers decide ``predict`` and the largest of ``predict_proba``, to the last bit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.export_runners import EXACT, expected
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import (
    BoostedTreesClassifier,
    MixtureOfExpertsClassifier,
    OptimalTreeClassifier,
    TreeClassifier,
)

#: The second number is larger than the first, but not once both are divided by the sum.
NEARLY = [1.55, float(np.nextafter(1.55, 2.0)), 1.5]
LEVELS = np.array(["red", "green", "blue", None], dtype=object)


@st.composite
def problems(draw: st.DrawFn) -> tuple[pd.DataFrame, Any, Any, pd.DataFrame]:
    """A table where many leaves have equal shares of all classes, once classes are balanced."""
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    classes = draw(st.integers(2, 4))
    often = draw(st.lists(st.integers(1, 12), min_size=classes, max_size=classes))
    copies = draw(st.integers(1, 4))
    y = np.tile(np.repeat(np.arange(classes), often), copies)
    own = np.repeat(np.arange(copies), sum(often))
    X = pd.DataFrame({"copy": own.astype(float), "level": LEVELS[own % 3]})
    X["noise"] = rng.integers(0, 2, len(y)).astype(float)
    if draw(st.booleans()):
        X = X.mask(rng.random(X.shape) < 0.1)
    weight = draw(st.sampled_from([None, "tenths", "any"]))
    if weight == "tenths":
        weight = rng.integers(1, 10, len(y)) / 10
    elif weight == "any":
        weight = rng.random(len(y)) + 1e-3
    new = pd.concat([X, X.mask(rng.random(X.shape) < 0.5)], ignore_index=True)
    return X, np.array(["a", "b", "c", "d"])[y], weight, new


def same(model: Any, X: Any) -> None:
    shares = model.predict_proba(X)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))


@settings(max_examples=300, deadline=None)
@given(
    problems(),
    st.sampled_from([None, "balanced"]),
    st.sampled_from([0, 1, 2, None]),
    st.sampled_from(["fractional", "separate", "direction"]),
    st.sampled_from([None, "cost_complexity", "reduced_error", "error_based"]),
)
def test_greedy_trees(
    problem: Any, class_weight: Any, max_depth: Any, missing: str, pruning: Any
) -> None:
    X, y, weight, new = problem
    model = TreeClassifier(
        class_weight=class_weight, max_depth=max_depth, missing=missing, pruning=pruning
    )
    if pruning is not None and len(y) < 20:
        return  # too few rows to hold any out
    model.fit(X, y, weight)
    same(model, new)
    shares = model.tree_.data["value"] / model.tree_.data["weight"][:, np.newaxis]
    np.testing.assert_array_equal(model.tree_.label_codes, shares.argmax(axis=1))


def test_shares_decide_where_weights_differ_by_rounding() -> None:
    """The second class is heavier by the last bit; as shares of the sum both are equal."""
    model = TreeClassifier(max_depth=0).fit([[0.0]] * 3, ["a", "b", "c"], NEARLY)
    assert model.tree_.data["value"][0].tolist() == NEARLY
    assert model.predict_proba([[0.0]])[0, 0] == model.predict_proba([[0.0]])[0, 1]
    assert model.predict([[0.0]]).tolist() == model.tree_.predictions == ["a"]


@settings(max_examples=150, deadline=None)
@given(problems(), st.integers(0, 1000))
def test_the_class_of_least_expected_cost_by_the_shares(problem: Any, seed: int) -> None:
    X, y, weight, new = problem
    classes = np.unique(y)
    costs = np.random.default_rng(seed).integers(0, 4, (len(classes), len(classes))) / 4
    np.fill_diagonal(costs, 0.0)
    model = TreeClassifier(costs=costs, class_weight="balanced").fit(X, y, weight)
    exact = [[Fraction(c) for c in row] for row in costs.tolist()]
    for row, label in zip(model.predict_proba(new), model.predict(new), strict=True):
        shares = [Fraction(float(share)) for share in row]
        expected = [
            float(sum(s * c[j] for s, c in zip(shares, exact, strict=True)))
            for j in range(len(classes))
        ]
        chosen = expected[classes.tolist().index(label)]
        assert chosen <= min(expected) + 1e-15


@settings(max_examples=40, deadline=None)
@given(problems(), st.sampled_from([None, "balanced"]))
def test_optimal_trees(problem: Any, class_weight: Any) -> None:
    X, y, weight, new = problem
    model = OptimalTreeClassifier(max_depth=2, class_weight=class_weight)
    same(model.fit(X, y, weight), new)


@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from(["discrete", "real", "gentle", "logit"]))
def test_boosted_trees(problem: Any, algorithm: str) -> None:
    X, y, weight, new = problem
    model = BoostedTreesClassifier(n_rounds=7, algorithm=algorithm, max_leaves=3)
    model.fit(X, y, weight)
    same(model, new)
    for labels, shares in zip(
        model.staged_predict(new), model.staged_predict_proba(new), strict=True
    ):
        np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], labels)
    scores = model.decision_function(new)
    chosen = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    np.testing.assert_array_equal(model.classes_[chosen], model.predict(new))


def test_boosted_scores_too_large_for_their_probabilities() -> None:
    """Two probabilities are one half to the last bit; the larger score still has the larger."""
    X = [[0.0, 0.0]] * 3 + [[0.0, 2.0]] * 3 + [[0.0, 1.0]] * 5 + [[1.0, 0.0]] * 7
    y = [0] * 6 + [1] * 5 + [2] * 7
    model = BoostedTreesClassifier(n_rounds=200, algorithm="gentle", max_leaves=2).fit(X, y)
    scores = model.decision_function([[1.0, 1.0]])[0]
    assert scores[2] > scores[1] + 30 > 45
    assert model.predict([[1.0, 1.0]]).tolist() == [2]
    same(model, [[1.0, 1.0]])
    np.testing.assert_allclose(model.predict_proba([[1.0, 1.0]]).sum(), 1.0, rtol=1e-15)


@pytest.mark.filterwarnings("ignore:EM did not converge")
@settings(max_examples=10, deadline=None)
@given(problems())
def test_mixtures(problem: Any) -> None:
    X, y, weight, new = problem
    same(MixtureOfExpertsClassifier(depth=1, max_iter=5).fit(X, y, weight), new)


@pytest.mark.parametrize("export", EXACT)
def test_exports_decide_by_the_shares_too(export: str) -> None:
    X = pd.DataFrame({"a": [0.0, 0.0, 0.0, 1.0, 1.0]})
    model = TreeClassifier(max_depth=1).fit(X, ["a", "b", "c", "c", "c"], [*NEARLY, 1.0, 3.0])
    X.loc[5] = np.nan
    labels, shares, _ = expected(model, X)
    assert shares[0, 0] == shares[0, 1]
    assert labels.tolist() == ["a", "a", "a", "c", "c", "c"]
    found = EXACT[export](model, X)
    assert list(found[0]) == labels.tolist()
    assert np.array_equal(np.array(found[1], dtype=float), shares)
