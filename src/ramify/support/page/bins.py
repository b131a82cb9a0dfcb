"""Numbers counted in bins of equal width, for the small pictures of a page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def in_bins(above: NDArray[Any], span: float, count: int) -> list[int]:
    """Count numbers from 0 to `span` in so many bins.

    A power of two brings them near 1 first, which rounds nothing. Otherwise there would be no edges
    of bins between numbers that are next to each other, or next to 0.
    """
    share, exponent = math.frexp(span)
    near_one = np.ldexp(above, -exponent)
    counts: list[int] = np.histogram(near_one, bins=count, range=(0.0, share))[0].tolist()
    return counts
