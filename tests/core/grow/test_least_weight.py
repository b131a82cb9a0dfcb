"""A least weight of leaves in the divisions of levels, by trying all of them."""

from __future__ import annotations

import numpy as np
import pytest

from ramify import TreeClassifier, TreeRegressor


def best_gain(levels, target, weights, share, impurity) -> float | None:
    """The most that any division of the levels gains whose sides weigh enough."""
    n, total = levels.max() + 1, weights.sum()
    found = None
    for code in range(1, 2 ** (n - 1)):
        right = ((code << 1) >> levels) & 1 == 1
        sides = [(target[side], weights[side]) for side in (~right, right)]
        if min(w.sum() for _, w in sides) < share * total * (1 - 1e-9):
            continue
        after = sum(w.sum() / total * impurity(t, w) for t, w in sides)
        gain = impurity(target, weights) - after
        found = gain if found is None else max(found, gain)
    return found


def gini(target, weights) -> float:
    shares = np.bincount(target, weights) / weights.sum()
    return float(1 - shares @ shares)


def variance(target, weights) -> float:
    mean = np.average(target, weights=weights)
    return float(np.average((target - mean) ** 2, weights=weights))


@pytest.mark.parametrize("estimator", [TreeClassifier, TreeRegressor])
def test_the_best_division_that_weighs_enough_is_found(estimator) -> None:
    split = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, classes = int(rng.integers(2, 8)), int(rng.integers(2, 5))
        levels = np.concatenate([np.arange(n), rng.integers(0, n, 30)])
        levels = np.unique(levels, return_inverse=True)[1]
        target = rng.integers(0, classes, len(levels))
        weights = rng.choice([0.5, 1.0, 2.0, 9.0], len(levels))
        weights *= np.where(rng.random(n) < 0.4, 20.0, 1.0)[levels]
        share = float(rng.choice([0.05, 0.2, 0.4, 0.5]))
        impurity = gini if estimator is TreeClassifier else variance
        expected = best_gain(levels, target, weights, share, impurity)
        model = estimator(
            categorical_split="exact", categorical_features=[0], max_depth=1, pruning=None,
            min_weight_fraction_leaf=share, identifiers="keep", n_jobs=1,
        ).fit(levels[:, None], target, sample_weight=weights)  # fmt: skip
        tree = model.tree_.data
        if expected is None or expected < 1e-9:
            assert model.tree_.n_leaves == 1
            continue
        split += 1
        assert model.tree_.n_leaves == 2, (seed, expected)
        leaves = tree["weight"][1:]
        assert leaves.min() >= share * weights.sum() * (1 - 1e-9)
        after = (leaves @ tree["impurity"][1:]) / weights.sum()
        assert tree["impurity"][0] - after == pytest.approx(expected, rel=1e-9)
    assert split > 60
