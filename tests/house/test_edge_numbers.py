"""Numbers at the edge of floats: exact arithmetic decides, or an error says why not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ramify import OptimalTreeRegressor, TreeClassifier, TreeRegressor

X = np.arange(8.0)[:, None]
SHAPE = np.array([0, 1, 0, 3, 2, 7, 5, 6])


def losses(y: Any, weights: Any) -> list[Fraction]:
    """The sum of squares within the two sides, for each of the seven cuts."""

    def within(part: slice) -> Fraction:
        w, t = [Fraction(v) for v in weights[part]], [Fraction(v) for v in y[part]]
        mean = sum((a * b for a, b in zip(w, t, strict=True)), Fraction(0)) / sum(w)
        return sum((a * (b - mean) ** 2 for a, b in zip(w, t, strict=True)), Fraction(0))

    return [within(slice(0, c)) + within(slice(c, None)) for c in range(1, len(y))]


def assert_best_cut(model: Any, y: Any, weights: Any) -> None:
    """The cut is the best by exact arithmetic; all figures of the root are right."""
    model.tree_.check()
    exact = losses(y.tolist(), weights.tolist())
    at = int(model.arrays_.threshold[0])
    assert exact[at] == min(exact)
    w, t = [Fraction(v) for v in weights.tolist()], [Fraction(v) for v in y.tolist()]
    mean = sum((a * b for a, b in zip(w, t, strict=True)), Fraction(0)) / sum(w)
    assert model.tree_.predictions[0] == pytest.approx(float(mean), rel=1e-15, abs=0)
    variance = sum((a * (b - mean) ** 2 for a, b in zip(w, t, strict=True)), Fraction(0)) / sum(w)
    unit = Fraction(np.abs(y).max())
    spread = float(variance / unit**2) ** 0.5 * float(unit)
    assert model.tree_.spread[0] == pytest.approx(spread, rel=1e-6, abs=0)
    assert y.min() <= model.predict(X).min() and model.predict(X).max() <= y.max()


@pytest.mark.parametrize("kind", [TreeRegressor, OptimalTreeRegressor])
@pytest.mark.parametrize("base", [1e15, 2.0**53, 1e16, 1e100, 1e130])
def test_targets_with_tiny_differences(kind: Any, base: float) -> None:
    y = base * (1 + SHAPE * 2.0**-52)
    assert_best_cut(kind(max_depth=1).fit(X, y), y, np.ones(8))


@pytest.mark.parametrize("unit", [1e-140, 1e-100, 1e-20, 1e20, 1e100, 1e139])
def test_units_of_the_target(unit: float) -> None:
    y = SHAPE * unit
    assert_best_cut(TreeRegressor(max_depth=1).fit(X, y), y, np.ones(8))


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize(
    ("unit", "weight", "word"),
    [(1e-165, 1.0, "small"), (5e-324, 1.0, "small"), (1e-120, 1e-50, "small"),
     (1e139, 1e50, "large"), (1e130, 1e55, "large")],
)  # fmt: skip
def test_squares_that_cannot_be_summed(
    criterion: str, unit: float, weight: float, word: str
) -> None:
    model = TreeRegressor(criterion=criterion)
    with pytest.raises(ValueError, match=rf"y holds .* too {word} to be summed\. Scale the target"):
        model.fit(X, SHAPE * unit, sample_weight=np.full(8, weight))
    model.fit(X, np.full(8, 1e-300))  # nothing is lost where nothing differs


@pytest.mark.parametrize("power", range(-300, 301, 20))
def test_weights_of_any_size(power: int) -> None:
    """The tree of plain weights, or an error that says why not."""
    weights = np.array([1, 2, 1, 3, 1, 1, 2, 1]) * 10.0**power
    y = SHAPE % 3
    plain = TreeClassifier().fit(X, y, sample_weight=weights / 10.0**power)
    numbers = TreeRegressor(max_depth=1)
    if not 1e-60 <= weights.sum() <= 1e60:
        for model in (TreeClassifier(), numbers):
            with pytest.raises(ValueError, match=r"the weights add up to .*; scale sample_weight"):
                model.fit(X, y, sample_weight=weights)
        return
    model = TreeClassifier().fit(X, y, sample_weight=weights)
    for name in ("attribute", "threshold", "first_child"):
        np.testing.assert_array_equal(model.tree_.data[name], plain.tree_.data[name])
    assert (model.predict(X) == y).all()
    assert_best_cut(numbers.fit(X, SHAPE * 1.0, sample_weight=weights), SHAPE * 1.0, weights)


def test_weights_of_very_different_sizes() -> None:
    weights = np.array([1e-30, 1e30, 1e-30, 1.0, 1e30, 1e-10, 1e10, 1.0])
    y = SHAPE * 1.0
    model = TreeRegressor(max_depth=1).fit(X, y, sample_weight=weights)
    model.tree_.check()
    exact = losses(y.tolist(), weights.tolist())
    total = float(max(exact) + sum(Fraction(w) for w in weights.tolist()))
    assert float(exact[int(model.arrays_.threshold[0])] - min(exact)) <= 1e-11 * total


def test_class_labels_beyond_two_to_the_53() -> None:
    y = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3] * 2)
    assert TreeClassifier().fit(X, y).predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_what_is_no_number_is_refused_by_name(bad: float) -> None:
    values = np.array([1.0] * 7 + [bad])
    with pytest.raises(ValueError, match="y contains"):
        TreeRegressor().fit(X, values)
    with pytest.raises(ValueError, match=r"sample_weight (contains|must not be negative)"):
        TreeClassifier().fit(X, SHAPE % 2, sample_weight=values)


def test_denormals_are_told_apart() -> None:
    column = np.array([0.0, 5e-324, 1e-323, -5e-324, 2e-308, 1e-310, -1e-310, 1e-300])[:, None]
    model = TreeClassifier().fit(column, np.arange(8))
    assert (model.predict(column) == np.arange(8)).all()
