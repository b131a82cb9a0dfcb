"""Tables for the tests of optimal trees."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ramify import (
    OptimalTreeClassifier,
)

GRADES = ["low", "mid", "high"]


def mixed(seed: int, n: int = 30, *, holes: bool = True) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, levels, an order and holes; classes that depend on all of them."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n).astype(object)
    city = rng.choice(list("ABCDEFG"), n).astype(object)
    size = rng.integers(0, 6, n) / 2.0
    grade = rng.choice(GRADES, n).astype(object)
    good = (colour == "red") ^ (size > 1.2) | (grade == "high") & (city == "C")
    y = np.where(good ^ (rng.random(n) < 0.1), "yes", "no")
    if holes:
        colour[rng.random(n) < 0.15] = None
        size[rng.random(n) < 0.15] = np.nan
        grade[rng.random(n) < 0.1] = None
    X = pd.DataFrame(
        {
            "colour": colour,
            "size": size,
            "grade": pd.Categorical(grade, GRADES, ordered=True),
            "city": city,
        }
    )
    return X, y


def questions(X: pd.DataFrame) -> list[np.ndarray]:
    """Every question about a table, each as the rows that answer no; none is left out."""
    found = []
    for name in X:
        column = X[name]
        missing = column.isna().to_numpy()
        if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
            column = column.cat.codes.astype(float).where(column.notna(), np.nan)
        values = sorted(set(column[~missing]))
        if column.dtype.kind == "f":
            sets = [set(values[:i]) for i in range(1, len(values))]
        elif len(values) <= 5:
            sets = [set(c) for k in range(1, len(values)) for c in combinations(values, k)]
        else:
            sets = [{value} for value in values]
        for chosen in sets:
            inside = column.isin(chosen).to_numpy()
            found += [~(inside & ~missing), ~(inside | missing)]
        found.append(missing)
    return [no.astype(np.int32) for no in found]


def hard_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 30))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=2000) > 0).astype(int)


def loss_of(model: Any, X: Any, y: np.ndarray) -> float:
    predicted = model.predict(X)
    wrong = predicted != y if isinstance(model, OptimalTreeClassifier) else (predicted - y) ** 2
    return float(np.mean(wrong))
