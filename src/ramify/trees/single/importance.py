"""The importances of columns: what their splits gain, and what they gain beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.training import Training
from ramify.tree import Tree

Floats = NDArray[np.float64]
_MOST_SEARCHES = 2**31
_COUNT_ROWS = frozenset(one.name for one in _core.criteria() if one.counts_rows)


def counts_rows(criterion: Any) -> bool:
    """Tell whether a criterion grows with the number of rows, like the statistic of a test."""
    return isinstance(criterion, str) and criterion in _COUNT_ROWS


def gains_of_arrays(
    arrays: Mapping[str, NDArray[Any]],
    n_columns: int,
    *,
    gain: Floats | None = None,
    by_row: bool = True,
) -> Floats:
    """Give the gain of every column, summed over its splits.

    `gain` takes the place of the tree's own gains. With `by_row`, gains are per row and are
    multiplied by the weight of their node.
    """
    inner = arrays["kind"] > 0
    gain = arrays["gain"] if gain is None else gain
    return np.bincount(
        arrays["attribute"][inner],
        weights=(arrays["weight"] * gain if by_row else gain)[inner],
        minlength=n_columns,
    ).astype(np.float64)


def shares(gained: Floats, total: float) -> Floats:
    """Divide gains by a total; if it is 0, give the gains as they are."""
    return gained / total if total > 0 else gained


def beyond_chance(
    tree: Tree,
    training: Training,
    searches: int,
    *,
    by_row: bool,
    included: NDArray[np.uint8] | None = None,
) -> Floats:
    """Subtract from each column's gain what its splits gain by chance; as shares of all gain.

    Parameters
    ----------
    tree : Tree
        A tree that grew on these data.
    training : Training
        The data.
    searches : int
        How often every split is searched for on shuffled targets.
    by_row : bool
        Whether gains are per row.
    included : ndarray, optional
        Marks of the rows that the tree grew on; None means all.
    """
    by_chance = _core.chance_gains(
        training.problem,
        tree.core,
        min(searches, _MOST_SEARCHES),
        training.seed,
        training.target.class_weights,
        tree.unseen,
        included,
    )
    gained = gains_of_arrays(tree.data, len(tree.schema), by_row=by_row)
    chance = gains_of_arrays(tree.data, len(tree.schema), gain=by_chance, by_row=by_row)
    return tree.schema.by_input(shares(np.maximum(gained - chance, 0.0), float(gained.sum())))


def require_same_data(tree: Tree, training: Training) -> None:
    """Refuse data whose classes or number of rows differ from those the tree was grown on."""
    fitted, found = (
        [] if classes is None else classes.tolist()
        for classes in (tree.classes, training.target.classes)
    )
    if fitted != found:
        raise ValueError(
            "unbiased_importances needs the y that fit had: its classes were "
            f"{', '.join(map(repr, fitted[:20]))}, not {', '.join(map(repr, found[:20]))}"
        )
    rows, given = int(tree.data["rows"][0]), len(training.target.rows)
    if rows != given:
        raise ValueError(
            f"unbiased_importances needs the {rows} rows that the tree was grown on, but {given} "
            "were given; pruning='reduced_error' grows on a part of the rows, and only fit knows "
            "which: set n_permutations there"
        )
