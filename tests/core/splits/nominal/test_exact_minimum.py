"""``categorical_split="exact"`` where a minimum leaf size rules out the best cut of an order."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.minimum_leaf import best_drop_of_gini, best_drop_of_variance

from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor
from ramify.splits import best_nominal_split

NAMES = np.array(list("abcdefghijklmnopqrstuvwxyz"), dtype=object)


def column(levels: Any) -> pd.DataFrame:
    return pd.DataFrame({"x": NAMES[np.asarray(levels)]})


def dense(levels: Any) -> list[int]:
    return np.unique(levels, return_inverse=True)[1].tolist()


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 1_000_000),
    st.integers(2, 8),
    st.integers(4, 40),
    st.integers(1, 8),
    st.sampled_from(["ones", "whole", "any"]),
    st.sampled_from([0.0, 1e6]),
)
def test_regression_equals_all_divisions(
    seed: int, n_levels: int, rows: int, least: int, weights: str, offset: float
) -> None:
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, n_levels, rows)
    y = offset + rng.normal(size=rows).round(rng.integers(0, 4))
    weight = {
        "ones": np.ones(rows),
        "whole": rng.integers(1, 4, rows).astype(float),
        "any": rng.random(rows) + 0.01,
    }[weights]
    given_weight = None if weights == "ones" else weight
    reg = TreeRegressor(categorical_split="exact", min_samples_leaf=least, max_depth=1)
    tree = reg.fit(column(levels), y, given_weight).tree_
    expected = None
    if max(dense(levels)) > 0:
        expected = best_drop_of_variance(dense(levels), y.tolist(), weight.tolist(), least)
    scale = float(np.average((y - np.average(y, weights=weight)) ** 2, weights=weight))
    if tree.n_leaves == 1:
        assert expected is None or float(expected) <= 1e-9 * scale
        return
    assert expected is not None
    assert tree.data["gain"][0] == pytest.approx(float(expected), rel=1e-7, abs=1e-9 * scale)
    assert tree.data["rows"][1:].min() >= least


def test_the_order_of_the_means_is_not_enough() -> None:
    """One large level in the middle: no cut of the order leaves two rows on both sides."""
    X = column([0, 1, 1, 1, 1, 1, 2])
    y = [0.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0]
    exact = TreeRegressor(categorical_split="exact", min_samples_leaf=2).fit(X, y)
    assert exact.tree_.n_leaves == 2
    assert exact.predict(X).tolist() == [4.5, 5.0, 5.0, 5.0, 5.0, 5.0, 4.5]
    assert TreeRegressor(min_samples_leaf=2).fit(X, y).tree_.n_leaves == 1


def test_the_missing_level_counts_as_one() -> None:
    X = pd.DataFrame({"x": ["a", "b", "b", "b", "b", "b", None]})
    y = [0.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0]
    reg = TreeRegressor(categorical_split="exact", min_samples_leaf=2, missing="separate")
    assert reg.fit(X, y).predict(X).tolist() == [4.5, 5.0, 5.0, 5.0, 5.0, 5.0, 4.5]


def test_divided_rows_have_weights() -> None:
    """Below a split that divides rows, they count by their parts; all divisions are tried there."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = pd.DataFrame({"a": rng.normal(size=60), "x": NAMES[rng.integers(0, 6, 60)]})
        X.loc[rng.random(60) < 0.2, "a"] = np.nan
        y = np.nan_to_num(X["a"]) * 5 + rng.normal(size=60)
        found = [
            TreeRegressor(categorical_split=split, min_samples_leaf=5).fit(X, y)
            for split in ("exact", "auto")
        ]
        for model in found:
            model.tree_.check()
        # At the same node, exact gains at least as much.
        data, other = (model.tree_.data for model in found)
        if data["attribute"][0] == other["attribute"][0]:
            assert data["gain"][0] >= other["gain"][0] * (1 - 1e-9)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any), min_size=2, max_size=11),
    st.integers(1, 20),
)
def test_two_classes_equal_all_divisions(counts: list[tuple[int, int]], least: int) -> None:
    split = best_nominal_split(counts, method="exact", min_samples_leaf=least)
    expected = best_drop_of_gini(counts, least)
    if expected is None:
        assert split is None
        return
    assert split is not None
    assert split.proven
    assert split.score == pytest.approx(float(expected), abs=1e-12)
    if 0 not in np.sum(counts, axis=0):
        levels = np.repeat(np.arange(len(counts)), np.sum(counts, axis=1))
        y = np.concatenate([np.repeat([0, 1], row) for row in counts])
        tree = TreeClassifier(categorical_split="exact", min_samples_leaf=least, max_depth=1)
        data = tree.fit(column(levels), y).tree_.data
        assert data["gain"][0] == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
@pytest.mark.parametrize("seed", range(5))
def test_many_levels_of_two_classes(criterion: str, seed: int) -> None:
    """So many levels that no enumeration ends: still proven, and no heuristic is better."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, (60, 2)).astype(float)
    counts[0] = [400, 380]
    counts[1:, 0] += 1
    least = float(counts[1:].sum() // 2 + seed * 20)
    exact = best_nominal_split(counts, method="exact", criterion=criterion, min_samples_leaf=least)
    assert exact is not None
    assert exact.proven
    left = counts[list(exact.left)].sum()
    assert min(left, counts.sum() - left) >= least
    for method in ("two_class", "sliq", "sliq_ext", "auto"):
        other = best_nominal_split(
            counts, method=method, criterion=criterion, min_samples_leaf=least
        )
        assert other is None or other.score <= exact.score + 1e-12


def test_many_levels_beside_enumeration() -> None:
    """Twelve levels: the search by sizes equals a trial of all divisions."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        counts = rng.integers(0, 7, (12, 2))
        counts[:, 0] += 1
        least = int(rng.integers(1, counts.sum() // 2))
        split = best_nominal_split(counts, method="exact", min_samples_leaf=least)
        expected = best_drop_of_gini(counts.tolist(), least)
        assert (split is None) == (expected is None)
        if split is not None:
            assert split.score == pytest.approx(float(expected), abs=1e-12)


def test_sizes_that_no_division_has() -> None:
    assert best_nominal_split([[5, 5]] * 3, method="exact", min_samples_leaf=11) is None
    sides = best_nominal_split([[50, 5], [3, 3], [2, 4]], method="exact", min_samples_leaf=12)
    assert sides is not None
    assert (sides.left, sides.right) == ((0,), (1, 2))


def test_boosted_trees_of_numbers_know_exact() -> None:
    X = column(list(itertools.chain(*([i] * size for i, size in enumerate((1, 5, 1))))))
    y = [0, 1, 0, 1, 1, 0, 1]
    model = BoostedTreesClassifier(
        n_rounds=1, algorithm="gentle", categorical_split="exact", min_samples_leaf=2
    ).fit(X, y)
    assert model.estimators_[0].n_leaves == 2
