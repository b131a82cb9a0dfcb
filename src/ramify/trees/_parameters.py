"""Validation of parameters: every error names the parameter, the value and the valid choices."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

UNLIMITED = np.iinfo(np.int64).max


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Give the value if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={value!r} is not valid; choose from {', '.join(choices)}")
    return value


def limit(name: str, value: Any, *, least: int) -> int:
    """Give an upper limit; None means there is none."""
    if value is None:
        return int(UNLIMITED)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r} must be None or an integer of at least {least}")
    return int(value)


def rows(name: str, value: Any, n_rows: int, *, least: int) -> float:
    """Give a number of rows: a whole number, or a fraction of all rows between 0 and 1."""
    if not isinstance(value, (bool, np.bool_)) and isinstance(value, Real):
        if isinstance(value, Integral) and value >= least:
            return float(value)
        if not isinstance(value, Integral) and 0.0 < float(value) < 1.0:
            return float(max(least, np.ceil(float(value) * n_rows)))
    raise ValueError(
        f"{name}={value!r} must be an integer of at least {least} (rows) or a float between 0 and "
        "1 (fraction of the rows)"
    )


def number(name: str, value: Any, *, least: float) -> float:
    """Give a finite number of at least `least`."""
    good = not isinstance(value, (bool, np.bool_)) and isinstance(value, Real)
    if not good or not np.isfinite(float(value)) or float(value) < least:
        raise ValueError(f"{name}={value!r} must be a finite number of at least {least:g}")
    return float(value)


def threads(n_jobs: Any) -> int:
    """Give the number of threads of ``n_jobs``; None means one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} must be None, a positive integer, or -1 for all cores")
    from joblib import effective_n_jobs

    return int(effective_n_jobs(int(n_jobs)))


def cost_matrix(costs: Any, classes: Any) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """Give the costs as a matrix, true class by predicted class."""
    if costs is None:
        return None
    n_classes = len(classes)
    try:
        matrix = np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("costs must be a matrix of numbers, true class by predicted class") from None
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"costs has shape {matrix.shape}; {n_classes} classes need ({n_classes}, {n_classes}), "
            f"rows and columns in the order {', '.join(map(str, classes[:10]))}"
        )
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError("costs must be finite and not negative")
    if np.diagonal(matrix).any():
        raise ValueError("costs must be zero on the diagonal: a right answer costs nothing")
    return matrix
