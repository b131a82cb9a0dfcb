"""Checks of single values: every error names the parameter, the value and the valid choices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

UNLIMITED = int(np.iinfo(np.int64).max)
_MOST_THREADS = 256


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Give the value if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={value!r} is not valid; choose from {', '.join(choices)}")
    return value


def limit(name: str, value: Any, *, least: int) -> int:
    """Give an upper limit; None means no limit."""
    if value is None:
        return UNLIMITED
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r} must be None or an integer of at least {least}")
    return min(int(value), UNLIMITED)


def folds(value: Any) -> int:
    """Give the number of folds of a cross-validation."""
    return whole("folds", value, least=2)


def time_limit(seconds: Any) -> float | None:
    """Give a time limit in seconds; None and infinity mean no limit."""
    if seconds is None:
        return None
    if not is_number(seconds) or not float(seconds) >= 0.0:
        raise ValueError(
            f"time_limit={seconds!r:.80} must be None (no limit) or a number of seconds, at least 0"
        )
    return None if np.isinf(float(seconds)) else float(seconds)


def whole(name: str, value: Any, *, least: int, others: str = "") -> int:
    """Give a whole number; `others` ends the error with other valid values."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r} must be an integer of at least {least}{others}")
    return int(value)


@dataclass(frozen=True)
class RowCount:
    """A number of rows, or, if `value` is below 1, a fraction of all rows but at least `least`."""

    value: float
    least: int

    def of(self, n_rows: int) -> float:
        """Give the number of rows if there are `n_rows` in all."""
        if self.value >= 1.0:
            return self.value
        return float(max(self.least, math.ceil(self.value * n_rows)))


def rows(name: str, value: Any, *, least: int) -> RowCount:
    """Give a number of rows: a whole number, or a fraction of all rows between 0 and 1."""
    if is_number(value):
        if isinstance(value, Integral) and int(value) >= least:
            return RowCount(float(value), least)
        if not isinstance(value, Integral) and 0.0 < float(value) < 1.0:
            return RowCount(float(value), least)
    raise ValueError(
        f"{name}={value!r} must be an integer of at least {least} (rows) or a float between 0 and "
        "1 (fraction of the rows)"
    )


def number(name: str, value: Any, *, least: float) -> float:
    """Give a finite number of at least `least`."""
    if not is_number(value) or not np.isfinite(float(value)) or float(value) < least:
        raise ValueError(f"{name}={value!r} must be a finite number of at least {least:g}")
    return float(value)


def probability(name: str, value: Any, *, none: str = "") -> float:
    """Give a number above 0 and at most 1; `none` begins the list of valid values."""
    if not is_number(value) or not 0.0 < float(value) <= 1.0:
        raise ValueError(f"{name}={value!r} must be {none}a number above 0 and at most 1")
    return float(value)


def part_of_rows(name: str, value: Any, *, none: str = "") -> float:
    """Give the share of rows to hold out: above 0 and below 1."""
    share = probability(name, value, none=none)
    if share == 1.0:
        raise ValueError(f"{name}=1 leaves no row to learn from")
    return share


def fraction(name: str, value: Any, *, zero: bool = False) -> float:
    """Give a number above 0 and below 1; with `zero`, 0 is allowed, too."""
    if not is_number(value) or not 0.0 <= float(value) < 1.0 or (float(value) == 0.0 and not zero):
        low = "of at least 0" if zero else "above 0"
        raise ValueError(f"{name}={value!r} must be a number {low} and below 1")
    return float(value)


def boolean(name: str, value: Any) -> bool:
    """Give True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}={value!r} must be True or False")
    return bool(value)


def threads(n_jobs: Any) -> int:
    """Give the number of threads of ``n_jobs``; None means one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} must be None, a positive integer, or -1 for all cores")
    from joblib import effective_n_jobs

    return min(int(effective_n_jobs(int(n_jobs))), _MOST_THREADS)


def seed(random_state: Any) -> int:
    """Give the seed of random draws; None means 0, so that fits can be repeated."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if (
        isinstance(random_state, (bool, np.bool_))
        or not isinstance(random_state, Integral)
        or not 0 <= int(random_state) < 2**64
    ):
        raise ValueError(
            f"random_state={random_state!r} must be None, an integer from 0 to 2**64 - 1, or a "
            "random generator of NumPy"
        )
    return int(random_state)


def is_number(value: Any) -> bool:
    """Tell whether the value is a real number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
