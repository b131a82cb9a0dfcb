"""Rounding decides nothing: a search that leaves out what cannot win finds the same trees."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from ramify import TreeClassifier, TreeRegressor


@pytest.mark.parametrize("seed", [2, 4, 5, 7])
@pytest.mark.parametrize("far", [1e5, 1e6])
def test_targets_of_very_different_sizes(seed: int, far: float) -> None:
    # One thread leaves out columns that cannot reach the best so far; two look at all of them.
    rng = np.random.default_rng(seed)
    group = np.zeros(4000)
    group[:120] = np.repeat(np.arange(1, 13), 10)  # twelve groups of ten rows, far away
    columns = {"group": group}
    y = far * 2.0**group * (group > 0)
    for c in range(6):  # the same two halves, as numbers and as categories
        half = rng.integers(0, 2, 4000)
        columns |= {f"n{c}": half.astype(float), f"c{c}": np.array(["a", "b"])[half]}
        y = y + half / (1 + c)
    y = y + rng.random(4000)
    one, two = (TreeRegressor(min_samples_leaf=10, n_jobs=jobs).fit(columns, y) for jobs in (1, 2))
    assert one.tree_ == two.tree_


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("light", [1.0, 1e-6])
def test_skipped_blocks_leave_the_same_sums_for_any_number_of_threads(weighted, light):
    rng = np.random.default_rng(0)
    half = rng.normal(size=(5000, 5))
    X = np.column_stack([half, -half])
    y, target = rng.integers(0, 2, 5000), rng.normal(size=5000)
    weight = None
    if weighted:
        weight = np.where((y == 0) | (rng.random(5000) < 0.5), light, 1.0)
        weight *= rng.random(5000) + 0.5
    for model, goal in ((TreeClassifier(), y), (TreeRegressor(min_samples_leaf=5), target)):
        one, two = (
            clone(model).set_params(n_jobs=jobs).fit(X, goal, sample_weight=weight).tree_
            for jobs in (1, 2)
        )
        assert one == two


@pytest.mark.parametrize("bulk", [10, 30, 60, 200, 300])
def test_three_thirds_are_a_row(bulk):
    """The first column splits the bulk off; the second divides three rows 1/3 : 2/3."""
    first = np.r_[np.ones(6), np.zeros(bulk)]
    second = np.r_[0.0, 1, 1, [np.nan] * 3, np.ones(bulk)]
    X = np.column_stack([first, second])
    target = np.r_[0.0, 100, 100, 10, 10, 10, np.full(bulk, -1e3)]
    reg = TreeRegressor(criterion="absolute_error").fit(X, target)
    assert reg.predict([[1.0, 0.0]]) == [5.0]  # the middle of 0 and 10
