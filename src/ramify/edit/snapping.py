"""Round thresholds: numbers that people remember."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check

Floats = NDArray[np.float64]
_MOST_DIGITS = 17


def snapped(value: float, snap: Any, values: Floats) -> float:
    """Give a threshold that is rounded.

    Parameters
    ----------
    value : float
        The threshold.
    snap : int or "round"
        A number of significant digits; or "round": the fewest digits at which no row takes another
        branch.
    values : ndarray
        The values of the column at the node.

    Examples
    --------
    >>> ages = np.array([20.0, 35.5, 44.25])
    >>> snapped(39.875, 1, ages), snapped(39.875, "round", ages), snapped(44.2, "round", ages)
    (40.0, 40.0, 40.0)
    >>> snapped(35.2, "round", ages), snapped(36.9, 2, ages)
    (30.0, 37.0)
    """
    if not math.isfinite(value):
        return value
    if snap != "round":
        if isinstance(snap, str):
            raise ValueError(f"snap={snap!r} must be 'round' or a number of significant digits")
        return _rounded(value, check.whole("snap", snap, least=1, others=", or 'round'"))
    known = values[~np.isnan(values)]
    below, above = known[known <= value], known[known > value]
    low = float(below.max()) if len(below) else -math.inf
    high = float(above.min()) if len(above) else math.inf
    for digits in range(1, _MOST_DIGITS):
        # The nearest number of so many digits may lie beside the gap, and its neighbour in it.
        step = 10.0 ** (_magnitude(value) - digits + 1)
        near = _rounded(value, digits)
        inside = [
            found
            for found in (near, _rounded(near - step, digits), _rounded(near + step, digits))
            if low <= found < high
        ]
        if inside:
            return min(inside, key=lambda found: abs(found - value))
    return value


def _magnitude(value: float) -> int:
    return math.floor(math.log10(abs(value))) if value else 0


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{min(digits, _MOST_DIGITS) - 1}e}")
