"""Choose the number of leaves of boosted trees by cross-validation (Shi 2007, section 2.3).

All rounds use the same size of trees, so the size is a parameter of boosting itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.trees.boosted.algorithms import Codes, Floats

#: The sizes that "cv" chooses from.
SIZES: tuple[int | None, ...] = (2, 4, 8, 16, 32)

Size = int | None  # None: no limit
#: Takes a mask of training rows, a size and a clock; gives the class predicted for every row.
Predict = Callable[[NDArray[np.bool_], Size, Clock], Codes]


def read_sizes(max_leaves: Any) -> tuple[Size, ...]:
    """Give the sizes that the parameter allows, ascending; None (no limit) comes last."""
    if isinstance(max_leaves, str) and max_leaves == "cv":
        return SIZES
    if not isinstance(max_leaves, (list, tuple, range, np.ndarray)):
        if isinstance(max_leaves, str):
            raise ValueError(
                f"max_leaves={max_leaves!r:.80} must be None, an integer of at least 2, 'cv', or a "
                "list of sizes to choose from by cross-validation"
            )
        check.limit("max_leaves", max_leaves, least=2)
        return (max_leaves if max_leaves is None else int(max_leaves),)
    if not len(max_leaves):
        raise ValueError("max_leaves=[] must be a list of sizes with at least one size")
    for size in max_leaves:
        check.limit("max_leaves", size, least=2)
    sizes = sorted({int(size) for size in max_leaves if size is not None})
    return (*sizes, None) if any(size is None for size in max_leaves) else (*sizes,)


@dataclass(frozen=True, eq=False)
class SizeErrors:
    """The cross-validated error of boosting for each size of trees."""

    sizes: tuple[Size, ...]
    error: Floats
    standard_error: Floats

    def best(self) -> Size:
        """Give the size of least error; of equals, the smallest."""
        equal = self.error <= self.error.min() + 1e-12
        return self.sizes[int(np.argmax(equal))]

    def to_dict(self) -> dict[str, Any]:
        """Give the columns by name."""
        return {
            "max_leaves": list(self.sizes),
            "error": self.error,
            "standard_error": self.standard_error,
        }


def cross_validate(
    sizes: tuple[Size, ...],
    folds: NDArray[np.int32],
    codes: Codes,
    weights: Floats,
    predict: Predict,
    *,
    time_limit: float | None,
    on_progress: Callable[[int], None] | None,
) -> SizeErrors | None:
    """Give the share of held-out weight that each size gets wrong; None if there was no time.

    Only folds that were finished for all sizes count.
    """
    clock = Clock(time_limit)
    n_folds = int(folds.max()) + 1
    wrong = np.zeros((n_folds, len(sizes)))
    held_out = np.zeros((n_folds, 2))  # sums of weights, and of squared weights
    finished = 0
    for fold in range(n_folds):
        test = folds == fold
        for i, size in enumerate(sizes):
            predicted = predict((folds >= 0) & ~test, size, clock)
            if clock.left() <= 0:
                break
            wrong[fold, i] = weights[test & (predicted != codes)].sum()
            if on_progress is not None:
                on_progress(fold * len(sizes) + i + 1)
        else:
            held_out[fold] = weights[test].sum(), (weights[test] ** 2).sum()
            finished += 1
            continue
        break
    if finished < n_folds:
        warnings.warn(
            f"time_limit={2 * clock.limit!r}: half of it was for choosing max_leaves, and only "
            f"{finished} of {n_folds} folds were finished; "
            + ("the errors are from these folds" if finished else "the smallest number is used"),
            RuntimeWarning,
            stacklevel=4,
        )
    if not finished:
        return None
    total, squares = held_out.sum(axis=0)
    error = wrong[:finished].sum(axis=0) / total
    rows = total**2 / squares  # effective number of rows of unequal weight (Kish 1965)
    return SizeErrors(sizes, error, np.sqrt(np.maximum(error * (1 - error), 0.0) / rows))
