"""The time of a fit: what is left of it, and how many rows some work may see in a part of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ramify.learning.parameters import time_limit

Result = TypeVar("Result")
_FEW_CELLS = 100_000  # so many are worked on to learn how long a row takes
_MARGIN = 1.5  # a row of many takes longer than one of few
_MOMENT = 0.1  # seconds that work may take even if there is no time


class Clock:
    """The time since a fit began, and what is left of its limit.

    `reserved` are the seconds that are needed at the end, to make a tree of what was found.
    """

    def __init__(self, limit: float | None) -> None:
        self.began = time.perf_counter()
        self.limit = np.inf if limit is None else limit
        self.reserved = 0.0

    def elapsed(self) -> float:
        """Give the seconds since the beginning."""
        return time.perf_counter() - self.began

    def left(self) -> float:
        """Give the seconds for what is not the end; 0 if there are none."""
        return float(max(0.0, self.limit - self.reserved - self.elapsed()))

    def share(self, part: float) -> float:
        """Give a part of the seconds left, but always a moment."""
        return max(_MOMENT, part * self.left())


def clock_of(seconds: Any) -> Clock:
    """Read a time limit; its time runs from here."""
    return Clock(time_limit(seconds))


def on_rows_that_fit(
    work: Callable[[NDArray[np.intp] | None], Result], n_rows: int, n_columns: int, seconds: float
) -> Result:
    """Do some work on all rows (None) if there is time, else on as many as there is time for.

    How long it takes is measured on few rows, drawn at random.
    """
    few = max(_FEW_CELLS // max(n_columns, 1), 500)
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
