"""Columns whose missing cells tell something: that a cell is missing says what the target is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables.profiling.association import Target, association
from ramify.tables.profiling.findings import Finding
from ramify.tables.profiling.words import percent

#: The missing cells, and the others, are at least so many rows.
_ENOUGH = 20
#: They explain at least this share of the target, in rows that are left out.
_SHARE = 0.02


def missing_tells(
    name: str, missing: NDArray[np.bool_], target: Target, *, target_name: str
) -> Finding | None:
    """Say that the missing cells of a column tell something of the target; None if they do not."""
    gaps = int(missing.sum())
    if min(gaps, len(missing) - gaps) < _ENOUGH:
        return None
    groups: NDArray[Any] = missing.astype(np.intp)
    share = association(groups, target).unseen
    if share < _SHARE:
        return None
    return Finding(
        name,
        "missing_tells",
        f"{name} is missing in {percent(gaps / len(missing))} of the rows, and that alone explains "
        f"{percent(share)} of {target_name}.",
        "a split sends missing cells to one side",
        "--missing fractional divides such rows",
        "missing='direction' does the same",
    )
