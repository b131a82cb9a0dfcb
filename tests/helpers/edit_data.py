"""Small tables of all kinds of columns, for editors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

SIZES = ["S", "M", "L", "XL"]


@dataclass(frozen=True)
class Rows:
    """A table, with its cells as lists for the oracle."""

    X: pd.DataFrame
    y: np.ndarray
    weights: np.ndarray | None

    @property
    def cells(self) -> dict[str, list[Any]]:
        return {
            name: [None if pd.isna(cell) else cell for cell in self.X[name].tolist()]
            for name in self.X
        }

    def take(self, rows: slice) -> Rows:
        weights = None if self.weights is None else self.weights[rows]
        return Rows(self.X.iloc[rows].reset_index(drop=True), self.y[rows], weights)


def make_rows(
    n: int = 160,
    *,
    seed: int = 0,
    holes: bool = True,
    weighted: bool = False,
    numbers: bool = False,
) -> Rows:
    """A numeric, a whole-numbered, an ordinal and two nominal columns, and a target."""
    rng = np.random.default_rng(seed)
    age = rng.normal(40, 12, n).round(1)
    score = rng.integers(0, 9, n).astype(float)
    job = rng.choice(["clerk", "cook", "nurse", "pilot"], n).astype(object)
    town = rng.choice(["a, b", 'c "d"', "e"], n).astype(object)
    size = rng.choice(SIZES, n).astype(object)
    signal = (age > 38) * 1.0 + (job == "cook") * 1.5 - (score > 5) + rng.normal(0, 0.7, n)
    if holes:
        age[rng.random(n) < 0.12] = np.nan
        job[rng.random(n) < 0.12] = None
    X = pd.DataFrame(
        {
            "age": age,
            "score": score,
            "job": job,
            "town": town,
            "size": pd.Categorical(size, SIZES, ordered=True),
        }
    )
    y = signal if numbers else np.where(signal > 1, "yes", np.where(signal > 0, "perhaps", "no"))
    weights = rng.integers(1, 4, n).astype(float) if weighted else None
    return Rows(X, y, weights)


def hand_edited(estimator: Any, X: Any, y: Any, *, lock: bool = True) -> Any:
    """A fitted estimator that a person has changed: marks of all kinds, and records."""
    editor = estimator.edit(X, y, author="a person")
    editor.split(0, "humidity <= 75", reason="a round number")
    if lock:
        editor.lock(0)
    editor.exclude("temperature", 1)
    leaf = next(node.id for node in editor.tree.nodes if node.is_leaf)
    editor.label(leaf, editor.tree.nodes[leaf].prediction, reason="the law")
    if not editor.tree.nodes[2].is_leaf:
        editor.collapse(2)
    return editor.estimator
