"""The time limit of a fit: how much is left, and how many rows can be worked on in that time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ramify.learning.parameters import time_limit

Result = TypeVar("Result")
_TRIAL_CELLS = 100_000  # the size of the trial that measures the time per row
_MARGIN = 1.5  # rows take longer in a large table than in the trial
_MOMENT = 0.1  # seconds that work gets even if no time is left


class Clock:
    """The time since a fit began, and what is left of its limit.

    `reserved` is the number of seconds to keep for the end, when the tree is made.
    """

    def __init__(self, limit: float | None) -> None:
        self.began = time.perf_counter()
        self.limit = np.inf if limit is None else limit
        self.reserved = 0.0

    def elapsed(self) -> float:
        """Give the seconds since the fit began."""
        return time.perf_counter() - self.began

    def left(self) -> float:
        """Give the seconds that are left, without those reserved; 0 if there are none."""
        return float(max(0.0, self.limit - self.reserved - self.elapsed()))

    def share(self, part: float) -> float:
        """Give a part of the seconds left, but at least a tenth of a second."""
        return max(_MOMENT, part * self.left())


def clock_of(seconds: Any) -> Clock:
    """Check a time limit and start its clock."""
    return Clock(time_limit(seconds))


def on_rows_that_fit(
    work: Callable[[NDArray[np.intp] | None], Result], n_rows: int, n_columns: int, seconds: float
) -> Result:
    """Do some work on all rows if there is time, otherwise on a random part of them.

    A trial on few rows measures how long the work takes. `work` gets the rows, or None for all.
    """
    few = max(_TRIAL_CELLS // max(n_columns, 1), 500)
    if seconds == np.inf or n_rows <= 2 * few:
        return work(None)
    order = np.random.default_rng(0).permutation(n_rows)
    began = time.perf_counter()
    result = work(np.sort(order[:few]))
    taken = time.perf_counter() - began
    fitting = int(few * min((seconds - taken) / (taken * _MARGIN), n_rows))
    if fitting >= n_rows:
        return work(None)
    return work(np.sort(order[:fitting])) if fitting >= 2 * few else result
