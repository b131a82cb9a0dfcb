"""Criteria of trees for numbers: quantiles, Poisson and gamma deviance, callables on moments."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.growth_data import fit, nominal_candidates, random_problem
from helpers.growth_strategies import RELAXED
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_gamma_deviance, mean_pinball_loss, mean_poisson_deviance

import ramify
from ramify import TreeRegressor
from ramify.learning.number_loss import NumberLoss
from ramify.pruning import MDL, CostComplexity

STRUCTURE = ("attribute", "threshold", "kind", "parent", "rows", "level_branch", "missing_to")


def same_structure(a: Any, b: Any) -> bool:
    return all(np.array_equal(a.data[name], b.data[name], equal_nan=True) for name in STRUCTURE)


def mixed(rows: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.normal(size=rows).round(1),
            "region": rng.choice(list("abcdef"), rows),
            "holes": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows).round(1)),
        }
    )
    rate = np.exp(0.8 * X["age"] + X["region"].isin(["b", "e"]) * 0.7 - 0.5)
    return X, rng.poisson(rate).astype(float)


# --- leaves -------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 3.0, 8.0]), min_size=1, max_size=12),
    st.sampled_from([0.05, 0.25, 0.5, 0.6, 0.9]),
    st.randoms(use_true_random=False),
)
@RELAXED
def test_a_quantile_loses_least(y: list[float], quantile: float, random: Any) -> None:
    weights = np.array([random.choice([0.5, 1.0, 2.0]) for _ in y])
    model = TreeRegressor(criterion="quantile", quantile=quantile, max_depth=0)
    leaf = model.fit([[0.0]] * len(y), y, sample_weight=weights).tree_
    losses = {
        p: mean_pinball_loss(y, [p] * len(y), sample_weight=weights, alpha=quantile) for p in y
    }
    found = losses[float(leaf.predictions[0])]
    assert found == pytest.approx(min(losses.values()), abs=1e-12)
    assert leaf.data["impurity"][0] == pytest.approx(found, abs=1e-12)
    # Of all that lose least, it is the lowest: the lower quantile.
    least = min(p for p in y if losses[p] <= min(losses.values()) + 1e-12)
    assert leaf.predictions[0] == least


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
def test_the_median_is_a_quantile(missing: str) -> None:
    for seed in range(4):
        problem = random_problem(
            seed, rows=80, classes=0, criterion="absolute_error", holes=0.15, missing=missing
        )
        absolute = fit(problem)
        half = fit(replace(problem, criterion="quantile", quantile=0.5))
        assert same_structure(absolute, half)
        np.testing.assert_allclose(half.data["gain"], absolute.data["gain"] / 2, atol=1e-12)
        np.testing.assert_allclose(half.data["impurity"], absolute.data["impurity"] / 2, atol=1e-12)


@pytest.mark.parametrize("criterion", ["poisson", "gamma"])
@pytest.mark.parametrize("factor", [1e-6, 0.25, 3.0, 1e7])
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
def test_units_do_not_matter(criterion: str, factor: float, missing: str) -> None:
    for seed in range(3):
        problem = random_problem(
            seed,
            rows=120,
            classes=0,
            criterion=criterion,
            ties=False,
            holes=0.1,
            missing=missing,
            min_samples_leaf=3,
        )
        one, other = fit(problem), fit(replace(problem, target=problem.target * factor))
        assert same_structure(one, other)
        scale = factor if criterion == "poisson" else 1.0
        for name in ("gain", "impurity"):
            expected = scale * one.data[name]
            np.testing.assert_allclose(other.data[name], expected, rtol=1e-6, atol=1e-11 * scale)
        assert other.predictions == pytest.approx(
            [float(p) * factor for p in one.predictions], rel=1e-9
        )


def test_exposure_is_a_weight() -> None:
    """A row of exposure e is e rows of exposure one, however they share its events."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3)).round(1)
    exposure = rng.integers(1, 5, 300)
    events = rng.poisson(exposure * np.exp(X[:, 0]))
    limits: dict[str, Any] = {"max_depth": 4, "min_weight_split": 40.0}
    model = TreeRegressor(criterion="poisson", **limits)
    rates = model.fit(X, events / exposure, sample_weight=exposure).tree_
    single = [[0] * (e - 1) + [n] for e, n in zip(exposure, events, strict=True)]
    repeated = TreeRegressor(criterion="poisson", **limits)
    unit = repeated.fit(np.repeat(X, exposure, axis=0), np.concatenate(single)).tree_
    np.testing.assert_array_equal(rates.data["threshold"], unit.data["threshold"])
    np.testing.assert_allclose(rates.data["gain"], unit.data["gain"], rtol=1e-9, atol=1e-12)
    assert rates.predictions == pytest.approx(unit.predictions)
    leaves = rates.data["n_children"] == 0
    counted = (np.array(rates.predictions) * rates.data["weight"])[leaves].sum()
    assert counted == pytest.approx(events.sum())


def test_a_leaf_may_predict_no_events() -> None:
    model = TreeRegressor(criterion="poisson").fit([[0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 3])
    assert model.predict([[0.0], [1.0]]).tolist() == [0.0, 2.0]
    assert model.tree_.data["impurity"][1] == 0.0
    # The deviance of the root, less that of the right half.
    root = mean_poisson_deviance([1e-300, 1e-300, 1, 3], [1.0] * 4) / 2
    right = mean_poisson_deviance([1, 3], [2.0] * 2) / 2
    assert model.tree_.data["gain"][0] == pytest.approx(root - right / 2)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("criterion", ["poisson", "gamma"])
def test_impurities_keep_their_digits(criterion: str, offset: float) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 4)), rng.gamma(2.0, size=500) + offset
    model = TreeRegressor(criterion=criterion, max_depth=3).fit(X, y)
    at = model.apply(X)
    for leaf in np.unique(at):
        own, mean = y[at == leaf], float(model.tree_.predictions[leaf])
        assert mean == pytest.approx(own.mean(), rel=1e-12)
        off = np.log1p((own - mean) / mean)
        exact = np.mean(own * off) if criterion == "poisson" else np.mean(-off)
        found = model.tree_.data["impurity"][leaf]
        assert found == pytest.approx(exact, rel=1e-6, abs=1e-14 * max(offset, 1.0))


# --- levels -------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["squared_error", "poisson", "gamma"])
@pytest.mark.parametrize("weights", ["none", "real"])
def test_exact_division_under_a_leaf_minimum(criterion: str, weights: str) -> None:
    for seed in range(10):
        problem = random_problem(
            seed,
            rows=40,
            kinds="nominal",
            levels=7,
            classes=0,
            criterion=criterion,
            weights=weights,
            min_samples_leaf=9,
        )
        candidates = nominal_candidates(problem, problem.root(), 0)
        exact = fit(replace(problem, categorical_split="exact"), max_depth=1)
        auto = fit(problem, max_depth=1)
        if not candidates:
            assert exact.n_nodes == 1
            continue
        best = max(one.gain for one in candidates)
        assert exact.data["gain"][0] == pytest.approx(best, rel=1e-9, abs=1e-12)
        assert auto.data["gain"][0] <= best + 1e-12


# --- callables ----------------------------------------------------------------------------------


def test_a_callable_equal_to_the_variance_grows_the_same_tree() -> None:
    def reduction(moments: np.ndarray) -> float:
        weight, total, square = moments.T
        whole = square.sum() / weight.sum() - (total.sum() / weight.sum()) ** 2
        return float(whole - (square - total**2 / weight).sum() / weight.sum())

    X, y = mixed(200)
    plain = TreeRegressor(max_depth=4).fit(X, y)
    own = TreeRegressor(criterion=reduction, max_depth=4, n_jobs=2).fit(X, y)
    assert same_structure(plain.tree_, own.tree_)
    np.testing.assert_allclose(own.tree_.data["gain"], plain.tree_.data["gain"], atol=1e-9)
    np.testing.assert_allclose(own.tree_.data["impurity"], plain.tree_.data["impurity"], atol=1e-9)
    assert own.tree_.spread == pytest.approx(plain.tree_.spread, abs=1e-9)
    pruned = TreeRegressor(criterion=reduction, pruning="auto").fit(X, y)
    assert 1 < pruned.tree_.n_leaves < own.set_params(max_depth=None).fit(X, y).tree_.n_leaves


def test_a_callable_gets_weight_sum_and_squares_as_they_are() -> None:
    seen = []

    def record(moments: np.ndarray) -> float:
        seen.append(moments.copy())
        return 1.0

    y = np.array([1e6, 1e6 + 1, 5.0])
    TreeRegressor(criterion=record, max_depth=1).fit([[0.0], [0.0], [1.0]], y, [2.0, 1.0, 1.0])
    np.testing.assert_allclose(
        seen[0], [[3.0, 3e6 + 1, 2e12 + (1e6 + 1) ** 2], [1.0, 5.0, 25.0]], rtol=1e-9
    )


def test_a_split_needs_a_score_above_zero() -> None:
    X, y = mixed(60)
    for score in (0.0, -1.0, -math.inf, math.nan):
        model = TreeRegressor(criterion=lambda moments, score=score: score).fit(X, y)
        assert model.tree_.n_nodes == 1
    with pytest.raises(TypeError, match="the callable must return one number"):
        TreeRegressor(criterion=lambda moments: "much").fit(X, y)


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("criterion", "y", "message"),
    [
        (
            "poisson",
            [1.0, -2.0, 3.0],
            r"criterion='poisson' needs targets of at least 0, and y\[1\] is -2.0",
        ),
        ("poisson", [0.0, 0.0, 0.0], "criterion='poisson' needs a target above 0"),
        ("gamma", [1.0, 2.0, 0.0], r"criterion='gamma' needs targets above 0, and y\[2\] is 0.0"),
    ],
)
def test_targets_that_do_not_fit(criterion: str, y: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeRegressor(criterion=criterion).fit([[0.0], [1.0], [2.0]], y)
    # A row of weight zero takes no part.
    weight = [float(value > 0) for value in y]
    if any(weight):
        TreeRegressor(criterion=criterion).fit([[0.0], [1.0], [2.0]], y, weight)


@pytest.mark.parametrize("split", ["exact", "merge"])
def test_divisions_that_do_not_fit(split: str) -> None:
    X, y = mixed(50)
    message = f"categorical_split='{split}' does not fit criterion='quantile'"
    with pytest.raises(ValueError, match=message):
        TreeRegressor(criterion="quantile", categorical_split=split).fit(X, y)
    if split == "exact":
        with pytest.raises(ValueError, match="does not fit a callable criterion"):
            TreeRegressor(criterion=np.sum, categorical_split=split).fit(X, y)


@pytest.mark.parametrize("criterion", ["quantile", "poisson"])
def test_description_length_has_no_code_for_them(criterion: str) -> None:
    X, y = mixed(50)
    with pytest.raises(
        ValueError, match=r"pruning=MDL\(\) has no code for numbers that are judged"
    ):
        TreeRegressor(criterion=criterion, pruning=MDL()).fit(X, y)


# --- all that belongs to a tree -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("criterion", "label"),
    [
        ("quantile", "mean pinball loss of quantile 0.8"),
        ("poisson", "half the mean Poisson deviance"),
        ("gamma", "half the mean gamma deviance"),
    ],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_files_reports_and_explanations(
    criterion: str, label: str, n_jobs: int, tmp_path: Any
) -> None:
    X, y = mixed()
    y = y + 0.5 if criterion == "gamma" else y
    model = TreeRegressor(criterion=criterion, quantile=0.8, pruning="auto", n_jobs=n_jobs)
    model.fit(X, y)
    assert model.tree_.n_leaves > 2
    model.save(tmp_path / "model.json")
    again = ramify.load(tmp_path / "model.json")
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.tree_.spread, model.tree_.spread)
    model.report(tmp_path / "report.html", X, y)
    assert label in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "±" in str(model.explain(X[:1]))
    smaller = model.prune(n_leaves=2)
    assert smaller.tree_.n_leaves == 2
    assert model.score(X, y) > -0.5
    one = TreeRegressor(criterion=criterion, quantile=0.8, pruning="auto").fit(X, y)
    assert same_structure(one.tree_, model.tree_)


@pytest.mark.parametrize("criterion", ["quantile", "poisson", "gamma"])
def test_the_path_of_pruning_measures_the_loss(criterion: str) -> None:
    X, y = mixed()
    y = y + 0.5 if criterion == "gamma" else y
    model = TreeRegressor(criterion=criterion, quantile=0.8, pruning=CostComplexity()).fit(X, y)
    path = model.pruning_path_
    assert np.isfinite(path.error).all()
    assert path.error[-1] > path.error.min()  # a leaf alone is not the best
    X = X.drop(columns="holes")  # rows that are divided would have mixed predictions
    model.fit(X, y)
    predicted = model.predict(X)
    loss = model.number_loss.of(y, predicted)
    assert model.pruning_path_["training_error"][model.pruning_path_.selected] == pytest.approx(
        loss.mean()
    )


def test_losses_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    y, predicted = rng.gamma(2.0, size=50), rng.gamma(2.0, size=50)
    expected = {
        "poisson": mean_poisson_deviance(y, predicted) / 2,
        "gamma": mean_gamma_deviance(y, predicted) / 2,
        "pinball": mean_pinball_loss(y, predicted, alpha=0.7),
    }
    for name, value in expected.items():
        assert NumberLoss(name, 0.7).of(y, predicted).mean() == pytest.approx(value)
    zero = np.zeros(2)
    assert NumberLoss("poisson").of(np.array([0.0, 1.0]), zero).tolist() == [0.0, math.inf]
    assert np.isinf(NumberLoss("gamma").of(zero, zero)).all()


@pytest.mark.parametrize("criterion", ["poisson", "gamma"])
@pytest.mark.parametrize("rows", [400, 6000, 40_000])
def test_weights_that_change_nothing(criterion: str, rows: int) -> None:
    """Without weights, large nodes skip blocks of rows and small ones bound their cuts first."""
    rng = np.random.default_rng(rows)
    X = rng.normal(size=(rows, 4))
    X[:, 3] = X[:, 3].round(1)
    mean = np.exp(0.4 * X[:, 0] - 0.3 * X[:, 3])
    y = rng.poisson(mean).astype(float) if criterion == "poisson" else rng.gamma(2.0, mean)
    limits: dict[str, Any] = {"min_samples_leaf": 2, "max_depth": 8 if rows > 6000 else None}
    plain = TreeRegressor(criterion=criterion, **limits).fit(X, y).tree_
    for factor in (0.5, 2.0):
        other = TreeRegressor(criterion=criterion, **limits)
        weighted = other.fit(X, y, sample_weight=np.full(rows, factor)).tree_
        assert same_structure(plain, weighted)
        np.testing.assert_allclose(weighted.data["gain"], plain.data["gain"], rtol=1e-7, atol=1e-12)
