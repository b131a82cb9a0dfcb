"""Rows that lack most values, where every part counts as a row: memory is bounded."""

from __future__ import annotations

import numpy as np
import pytest

from ramify import TreeClassifier


def test_too_many_parts_are_refused_with_the_way_out() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 7))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=400) > 0).astype(int)
    X[rng.random(X.shape) < 0.5] = np.nan
    pieces = TreeClassifier(missing_count="pieces", pruning=None, n_jobs=2)
    with pytest.raises(ValueError, match=r"missing_count='pieces'.*8388608 parts; choose") as error:
        pieces.fit(X, y)
    for way_out in (
        {"missing_count": "parts"},
        {"min_weight_split": 1},
        {"max_depth": 6},
    ):
        assert next(iter(way_out)) in str(error.value)
        pieces = TreeClassifier(**{"missing_count": "pieces", "pruning": None} | way_out)
        assert pieces.fit(X, y).tree_.n_leaves < 50_000
