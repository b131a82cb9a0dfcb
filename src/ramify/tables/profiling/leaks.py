"""Leaks: columns that equal the target or nearly determine it.

Such a column mostly is the target in another form, or is known only afterwards. It is reported, not
left out, because now and then it is what one looks for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables.profiling.association import Association, Classes, Numbers, Target
from ramify.tables.profiling.findings import Finding, dropped, option
from ramify.tables.profiling.words import percent

#: Fewer rows tell nothing; nor do fewer rows outside of the largest class.
_LEAST_ROWS, _LEAST_OTHERS = 30, 10
_CLASSES, _NUMBERS, _NUMBERS_OF_LEVELS = 0.99, 0.95, 0.995
#: Rank correlation of numbers, and the different values that both must have.
_RANKS, _DISTINCT = 0.99, 20


def find_leak(
    name: str,
    values: NDArray[Any],
    share: Association,
    target: Target,
    *,
    target_name: str,
) -> Finding | None:
    """Say that a column nearly determines the target; None if it does not."""
    if len(values) < _LEAST_ROWS:
        return None
    if isinstance(target, Classes):
        others = len(values) * (1.0 - float(target.shares.max()))
        leaks, how = share.unseen >= _CLASSES and others >= _LEAST_OTHERS, ""
    else:
        is_number = values.dtype.kind == "f"
        leaks = share.unseen >= (_NUMBERS if is_number else _NUMBERS_OF_LEVELS)
        how = ""
        if not leaks and is_number and share.unseen >= 0.5:
            ranks = rank_correlation(values, target)
            leaks = abs(ranks) >= _RANKS
            how = f" (their rank correlation is {ranks:.3f})"
    if not leaks:
        return None
    text = (
        f"{name} nearly determines {target_name}: alone it explains {percent(share.unseen)} of "
        f"it{how}. Is {name} known before {target_name} is?"
    )
    return Finding(name, "leak", text, "kept", option("--ignore", name), dropped(name), loud=True)


def rank_correlation(values: NDArray[Any], target: Numbers) -> float:
    """Give Spearman's correlation of the rows that have a value; 0 if there are few values.

    Examples
    --------
    >>> x = np.arange(100.0)
    >>> rank_correlation(x, Numbers(-np.exp(x / 10)))
    -1.0
    """
    known = ~np.isnan(values)
    one, other = _ranks(values[known]), _ranks(target.values[known])
    if len(one) < _LEAST_ROWS or min(len(np.unique(one)), len(np.unique(other))) <= _DISTINCT:
        return 0.0
    one, other = one - one.mean(), other - other.mean()
    return round(float(one @ other / np.sqrt((one @ one) * (other @ other))), 6)


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Give the mean rank of equal values."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = (ends - (counts + 1) / 2.0)[codes]
    return ranks
