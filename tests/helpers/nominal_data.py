"""Random contingency tables, and splits with the checks that hold for all searches."""

from __future__ import annotations

import numpy as np

from ramify.splits import NominalSplit, best_nominal_split


def tables(seed: int, count: int, most_levels: int = 9, most_classes: int = 6):
    """Random tables of all sorts: whole and real weights, equal rows, empty classes, ties."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n = int(rng.integers(2, most_levels + 1))
        k = int(rng.integers(1, most_classes + 1))
        kind = number % 6
        table = rng.integers(0, 8, (n, k)).astype(float)
        if kind == 1:
            table = rng.random((n, k)) * rng.choice([1e-3, 1.0, 1e5])
        elif kind == 2:
            table = rng.integers(0, 3, (n, k)).astype(float)
        elif kind == 3:
            table[rng.integers(n)] = 2 * table[rng.integers(n)]
        elif kind == 4:
            table[:, rng.integers(k)] = 0
        elif kind == 5:
            table *= rng.random((n, k)) < 0.5
        table = table[table.sum(axis=1) > 0]
        if len(table) > 1:
            yield table


def split(table, method: str, criterion: str = "gini", **options) -> NominalSplit:
    found = best_nominal_split(table, method=method, criterion=criterion, **options)
    assert found is not None
    assert sorted(found.left + found.right) == list(range(len(table)))
    assert found.left and found.right and 0 in found.left
    assert found.work > 0
    return found


def near(a: float, b: float, table) -> bool:
    return abs(a - b) <= 1e-9 * max(1.0, np.asarray(table).sum())
