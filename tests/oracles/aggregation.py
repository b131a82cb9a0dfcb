"""What a column adds to others, slow and obvious: all permutations within their values."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

Floats = NDArray[np.float64]


def between(groups: NDArray[Any], y: Floats) -> float:
    """The sum of squares between the groups."""
    mean = y.mean()
    return float(
        sum((groups == g).sum() * (y[groups == g].mean() - mean) ** 2 for g in np.unique(groups))
    )


def log_p_of_means(joint: NDArray[Any], given: NDArray[Any], y: Floats) -> float:
    """By the mean and variance over all orders of the targets within every value of `given`."""
    mean = variance = total = 0.0
    for value in np.unique(given):
        rows, targets = joint[given == value], y[given == value]
        if len(rows) < 2 or len(np.unique(rows)) < 2 or np.ptp(targets) == 0:
            continue
        every = [between(rows, np.array(order)) for order in permutations(targets)]
        mean, variance = mean + float(np.mean(every)), variance + float(np.var(every))
        total += between(rows, targets)
    if total <= mean * (1 + 1e-12) or variance <= 1e-9 * mean**2:
        return 0.0
    return float(chi2.logsf(total * 2 * mean / variance, 2 * mean**2 / variance))
