"""Importances by gain, and what is left of them beyond chance.

Columns with many values gain much by chance, so the gain is compared with what the same column
gains, with the same parameters, where nothing can be gained: on shuffled targets (Altmann et al.
2010). If no column says anything, a column's gain and its mean over shuffles are equal on average,
whatever its number of values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ramify.tables import Columns, Schema
from ramify.tree import Tree


class ReadTable(NamedTuple):
    """A table that has been read already; the estimators take it in place of one that has not."""

    schema: Schema
    columns: Columns


def gains(tree: Tree) -> NDArray[np.float64]:
    """Give the weighted gain of every column, summed over the splits that ask for it."""
    inner = tree.data["kind"] > 0
    return np.bincount(
        tree.data["attribute"][inner],
        weights=(tree.data["weight"] * tree.data["gain"])[inner],
        minlength=len(tree.schema),
    ).astype(np.float64)


def gains_beyond_chance(
    estimator: Any,
    table: ReadTable,
    y: Any,
    sample_weight: Any,
    n_permutations: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Give each column's gain in the fitted tree less that by chance, as a share of all gains."""
    gained = gains(estimator.tree_)
    target = np.asarray(y)
    by_chance = np.zeros_like(gained)
    for _ in range(n_permutations):
        shuffled = target[rng.permutation(len(target))]
        by_chance += gains(clone(estimator).fit(table, shuffled, sample_weight).tree_)
    beyond = np.maximum(gained - by_chance / n_permutations, 0.0)
    total = float(gained.sum())
    return beyond / total if total > 0 else beyond
