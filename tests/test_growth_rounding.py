"""Rounding decides nothing: a search that leaves out what cannot win finds the same trees."""

from __future__ import annotations

import numpy as np
import pytest

from ramify import TreeRegressor


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
