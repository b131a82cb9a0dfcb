"""The data whose optimal errors other programs have found; see benchmarks/optimal_fixtures.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

#: Depths to compare, by whether the features are binary.
DEPTHS = {True: (2, 3, 4), False: (2, 3)}


@dataclass(frozen=True)
class Data:
    name: str
    X: np.ndarray
    y: np.ndarray
    binary: bool


def binarised(X: np.ndarray, levels: tuple[float, ...]) -> np.ndarray:
    """Whether a value is above these quantiles of its column; halfway to the next value up."""
    columns = []
    for column in X.T:
        ordered = np.sort(column)
        for level in levels:
            below = ordered[int(level * (len(ordered) - 1))]
            if (column > below).any():
                columns.append(column > below)
    return np.array(columns).T.astype(np.int64)


def made(seed: int, rows: int, columns: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Bits, and classes that follow four of them, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rows, columns))
    y = (X[:, 0] ^ X[:, 1]) + (X[:, 2] & X[:, 3]) * (classes > 2)
    noise = rng.random(rows) < 0.15
    return X, np.where(noise, rng.integers(0, classes, rows), y)


def tables() -> Iterator[Data]:
    sets: list[tuple[str, Any]] = [
        ("iris", load_iris),
        ("wine", load_wine),
        ("breast_cancer", load_breast_cancer),
    ]
    for name, load in sets:
        X, y = load(return_X_y=True)
        levels = (0.25, 0.5, 0.75) if name != "breast_cancer" else (0.5,)
        yield Data(f"{name} binary", binarised(X, levels), y, binary=True)
    X, y = load_digits(return_X_y=True)
    yield Data("digits binary", binarised(X[:, 16:48:2], (0.5,)), (y % 3), binary=True)
    for seed, rows, columns, classes in ((0, 200, 12, 2), (1, 500, 20, 3), (2, 97, 30, 2)):
        X, y = made(seed, rows, columns, classes)
        yield Data(f"made {seed}", X, y, binary=True)
    for name, load in sets[:2]:
        X, y = load(return_X_y=True)
        yield Data(name, X, y, binary=False)
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(150, 4)), 2)
    y = ((X[:, 0] * X[:, 1] > 0) ^ (X[:, 2] > 0.5)).astype(np.int64)
    yield Data("made normal", X, y, binary=False)
