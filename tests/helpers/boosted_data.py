"""Tables for the tests of boosted trees, and the names of the algorithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.trees.boosted.algorithms import ALGORITHMS

NAMES = tuple(ALGORITHMS)


def table(seed: int, k: int, n: int = 150, *, holes: bool = False) -> tuple[Any, Any, Any]:
    """Make numbers and levels that say something about k overlapping classes, and weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    level = np.array([f"l{v}" for v in range(6)], dtype=object)[(y + rng.integers(0, 4, n)) % 6]
    x = y + 1.5 * rng.standard_normal(n)
    coarse = np.round(y - 2.0 * rng.random(n), 0)
    if holes:
        x[rng.random(n) < 0.2] = np.nan
        level[rng.random(n) < 0.2] = None
    return {"x": x, "level": level, "coarse": coarse}, y, rng.uniform(0.5, 2.0, n)
