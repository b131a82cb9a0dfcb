"""A search of some rows over some features finds the tree of a table that has no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.optimal import Oracle

from ramify import _core


@pytest.mark.parametrize("seed", range(12))
def test_rows_and_features_that_take_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 70  # more than one word of bits
    features = _core.FeatureSet(n)
    columns = [rng.integers(0, 2 + 3 * (seed % 2), n).astype(np.int32) for _ in range(6)]
    for j, codes in enumerate(columns):
        features.add_codes(j, codes)
    rows = np.flatnonzero(rng.random(n) < 0.3).astype(np.int32)
    wanted = rng.random(len(features)) < 0.6
    weights = rng.random(n) + 0.1 if seed % 3 else None
    target: dict[str, Any] = (
        {"target": rng.normal(size=n)}
        if seed % 4 == 3
        else {"labels": rng.integers(0, 3, n).astype(np.int32), "classes": 3}
    )
    found = _core.optimal_tree(
        features,
        **target,
        weights=weights,
        limits={"max_depth": 2, "sparsity": 0.1},
        rows=rows,
        wanted=wanted,
    )
    own = {name: value[rows] if name != "classes" else value for name, value in target.items()}
    chosen = [codes[rows] for codes, use in zip(columns, wanted, strict=True) if use]
    oracle = Oracle(chosen, weights=None if weights is None else weights[rows], **own)
    assert found["proven"]
    assert found["objective"] == pytest.approx(oracle.objective(2, sparsity=0.1))
    assert all(node[0] < 0 or wanted[node[0]] for node in found["nodes"])


def test_what_does_not_fit_is_refused() -> None:
    features = _core.FeatureSet(4)
    features.add_codes(0, np.array([0, 1, 0, 1], np.int32))
    target: dict[str, Any] = {"labels": np.array([0, 1, 1, 0], np.int32), "classes": 2}
    for rows in ([2, 1], [0, 4], [-1, 2]):
        with pytest.raises(ValueError, match="rows must ascend"):
            _core.optimal_tree(features, **target, rows=np.array(rows, np.int32))
    with pytest.raises(ValueError, match="one entry a column"):
        _core.optimal_tree(features, **target, wanted=np.array([True, False]))
    with pytest.raises(ValueError, match="needs features"):
        _core.optimal_tree(features, **target, monotone=[1], monotone_class=[1])
