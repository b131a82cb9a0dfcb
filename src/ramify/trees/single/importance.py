"""Importances by gain, and what is left of them beyond chance."""

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
    """Whether a criterion grows with the number of rows, as a test does."""
    return isinstance(criterion, str) and criterion in _COUNT_ROWS


def gains_of_arrays(
    arrays: Mapping[str, NDArray[Any]],
    n_columns: int,
    *,
    gain: Floats | None = None,
    by_row: bool = True,
) -> Floats:
    """Give the gain of every column, summed over the splits that ask for it.

    Gains are those of the tree, or others; `by_row` says that they count for every row.
    """
    inner = arrays["kind"] > 0
    gain = arrays["gain"] if gain is None else gain
    return np.bincount(
        arrays["attribute"][inner],
        weights=(arrays["weight"] * gain if by_row else gain)[inner],
        minlength=n_columns,
    ).astype(np.float64)


def shares(gained: Floats, total: float) -> Floats:
    """Give gains as shares of a total; as they are if nothing was gained."""
    return gained / total if total > 0 else gained


def beyond_chance(
    tree: Tree,
    training: Training,
    searches: int,
    *,
    by_row: bool,
    included: NDArray[np.uint8] | None = None,
) -> Floats:
    """Take off every column's gain what its splits gain by chance; in shares of all gain.

    Parameters
    ----------
    tree : Tree
        A tree that grew on these data.
    training : Training
        The data.
    searches : int
        How often every split is searched for on shuffled targets.
    by_row : bool
        Whether gains count for every row.
    included : ndarray, optional
        Marks of the rows that the tree grew on; None: all.
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
    lucky = gains_of_arrays(tree.data, len(tree.schema), gain=by_chance, by_row=by_row)
    return shares(np.maximum(gained - lucky, 0.0), float(gained.sum()))


def require_same_data(tree: Tree, training: Training) -> None:
    """Refuse data that the tree was not grown on, as far as their numbers tell."""
    fitted, found = (
        [] if classes is None else classes.tolist()
        for classes in (tree.classes, training.target.classes)
    )
    if fitted != found:
        raise ValueError(
            "unbiased_importances needs the y that was given to fit: its classes were "
            f"{', '.join(map(repr, fitted[:20]))}, not {', '.join(map(repr, found[:20]))}"
        )
    rows, given = int(tree.data["rows"][0]), len(training.target.rows)
    if rows != given:
        raise ValueError(
            f"unbiased_importances needs the rows that the tree was grown on, which were {rows}"
            f", and {given} were given; of pruning='reduced_error', which grows on a part of "
            "them, fit knows which if n_permutations asks for these importances"
        )
