"""Validation of parameters: every error names the parameter, the value and the valid choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
UNLIMITED = int(np.iinfo(np.int64).max)
_MOST_THREADS = 256
_MOST_COST = 1e140
_LEAST_TOTAL = 1e-60  # fourth powers of weights are neither zero nor infinite


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Give the value if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={value!r} is not valid; choose from {', '.join(choices)}")
    return value


def limit(name: str, value: Any, *, least: int) -> int:
    """Give an upper limit; None means there is none."""
    if value is None:
        return UNLIMITED
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r} must be None or an integer of at least {least}")
    return min(int(value), UNLIMITED)


def folds(value: Any) -> int:
    """Give the number of folds of a cross-validation."""
    return whole("folds", value, least=2)


def time_limit(seconds: Any) -> float | None:
    """Give a time limit in seconds; None and infinity mean there is none."""
    if seconds is None:
        return None
    if not is_number(seconds) or not float(seconds) >= 0.0:
        raise ValueError(
            f"time_limit={seconds!r:.80} must be None (no limit) or a number of seconds, at least 0"
        )
    return None if np.isinf(float(seconds)) else float(seconds)


def whole(name: str, value: Any, *, least: int, others: str = "") -> int:
    """Give a whole number; `others` names what else is valid, which the caller looks for."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}={value!r} must be an integer of at least {least}{others}")
    return int(value)


def rows(name: str, value: Any, n_rows: int, *, least: int) -> float:
    """Give a number of rows: a whole number, or a fraction of all rows between 0 and 1."""
    if is_number(value):
        if isinstance(value, Integral) and int(value) >= least:
            return float(value)
        if not isinstance(value, Integral) and 0.0 < float(value) < 1.0:
            return float(max(least, np.ceil(float(value) * n_rows)))
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
    """Give a number above 0 and up to 1."""
    if not is_number(value) or not 0.0 < float(value) <= 1.0:
        raise ValueError(f"{name}={value!r} must be {none}a number above 0 and at most 1")
    return float(value)


def fraction(name: str, value: Any, *, zero: bool = False) -> float:
    """Give a number between 0 and 1, neither of them; 0 too if it is allowed."""
    if not is_number(value) or not 0.0 <= float(value) < 1.0 or (float(value) == 0.0 and not zero):
        low = "of at least 0" if zero else "above 0"
        raise ValueError(f"{name}={value!r} must be a number {low} and below 1")
    return float(value)


def boolean(name: str, value: Any) -> bool:
    """Give a truth value."""
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
    """Give the seed of what is drawn at random; None means 0, so that fits can be repeated."""
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


def class_weights(
    class_weight: Any, classes: NDArray[Any], codes: NDArray[Any], weights: Floats | None
) -> Floats | None:
    """Give the weight of every class; None means that all weigh the same.

    "balanced" makes the classes weigh the same in all, counting sample weights, so that a weight of
    2 equals a repeated row here too.
    """
    if class_weight is None:
        return None
    choices = "choose None, 'balanced', or a dict from class to a weight of at least 0"
    if isinstance(class_weight, str) and class_weight == "balanced":
        sums = np.bincount(codes, weights, minlength=len(classes)).astype(np.float64)
        with np.errstate(divide="ignore"):
            return np.where(sums > 0, sums.sum() / np.count_nonzero(sums) / sums, 0.0)
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight={class_weight!r:.80} is not valid; {choices}")
    labels: list[Any] = classes.tolist()
    # A fold may lack a class; a class that is misspelt leaves another without its weight.
    without = [label for label in labels if label not in class_weight]
    if without and (odd := [key for key in class_weight if key not in labels]):
        raise ValueError(
            f"class_weight={class_weight!r:.80} names {odd[0]!r}, which is not a class; "
            f"the classes are {', '.join(map(repr, labels[:20]))}"
        )
    given = [class_weight.get(label, 1.0) for label in labels]
    for label, weight in zip(labels, given, strict=True):
        if not is_number(weight) or not 0.0 <= float(weight) < np.inf:
            raise ValueError(
                f"class_weight: {weight!r} for class {label!r} is not valid; {choices}"
            )
    if not any(given):
        raise ValueError(f"class_weight={class_weight!r:.80} leaves no class a weight; {choices}")
    return np.array(given, dtype=np.float64)


def row_weights(
    sample_weight: Any, class_weight: Any, classes: NDArray[Any], codes: NDArray[Any]
) -> Floats | None:
    """Give the weights of the rows, those of their classes included; None means all weigh 1."""
    weights = sample_weights(sample_weight, len(codes))
    return times_class_weights(weights, class_weights(class_weight, classes, codes, weights), codes)


def times_class_weights(
    weights: Floats | None, by_class: Floats | None, codes: NDArray[Any]
) -> Floats | None:
    """Give the weights of the rows times those of their classes; None means all weigh 1."""
    if by_class is None:
        return weights
    by_row = by_class[codes]
    return check_total(by_row if weights is None else weights * by_row)


def sample_weights(sample_weight: Any, n_rows: int) -> Floats | None:
    """Give the weights of the rows; None means that all weigh 1."""
    if sample_weight is None:
        return None
    if is_number(sample_weight):
        sample_weight = np.full(n_rows, float(sample_weight))
    from sklearn.utils import check_array  # slow to load, and reading a file needs none of it

    try:
        weights = check_array(
            sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
        )
    except ValueError as error:
        if "sample_weight" in str(error):
            raise
        raise ValueError(f"sample_weight must be numbers, one per row: {error}") from error
    if weights.ndim != 1:
        raise ValueError("sample_weight must be 1D: Sample weights must be 1D array or scalar")
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}: one weight per row"
        )
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise ValueError(
            f"sample_weight must not be negative, but row {row} has {float(weights[row])!r}"
        )
    return np.ascontiguousarray(check_total(weights))


def check_total(weights: Floats) -> Floats:
    """Give the weights back if they add up to something that can be computed with."""
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if total == 0.0:
        raise ValueError("sample_weight must not be all zero: no row would take part")
    if not _LEAST_TOTAL <= total <= 1 / _LEAST_TOTAL:
        raise ValueError(
            f"the weights add up to {total!r}, out of the range of {_LEAST_TOTAL:g} to "
            f"{1 / _LEAST_TOTAL:g} that can be computed with; scale sample_weight"
        )
    return weights


def cost_matrix(costs: Any, classes: NDArray[Any], *, abstain: bool = False) -> Floats | None:
    """Give the costs as a matrix, true class by predicted class.

    With `abstain` there may be one more column, the costs of giving no answer.
    """
    if costs is None:
        return None
    n_classes = len(classes)
    order = f"true class by predicted class, in the order {', '.join(map(str, classes[:10]))}"
    try:
        matrix = np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"costs={costs!r:.80} must be None or a matrix of numbers, {order}"
        ) from None
    widths = (n_classes, n_classes + 1) if abstain else (n_classes,)
    if matrix.ndim != 2 or len(matrix) != n_classes or matrix.shape[1] not in widths:
        shown = " ".join(f"{costs!r:.80}".split())  # an array has lines
        more = f", or ({n_classes}, {n_classes + 1}) with the costs of abstaining last"
        if not abstain and matrix.shape == (n_classes, n_classes + 1):
            order += "; a column more, for abstaining, is for TreeClassifier alone"
        raise ValueError(
            f"costs={shown} has shape {matrix.shape}; {n_classes} classes need "
            f"({n_classes}, {n_classes}){more if abstain else ''}, {order}"
        )
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise ValueError(f"costs[{i}][{j}]={float(matrix[i, j])} must be finite")
    if (large := np.abs(matrix) > _MOST_COST).any():
        i, j = np.argwhere(large)[0]
        raise ValueError(
            f"costs[{i}][{j}]={float(matrix[i, j])!r} is beyond {_MOST_COST:g}, and squares of "
            "such costs cannot be summed; scale the costs, which changes no answer"
        )
    return matrix


def above_the_cheapest(costs: Floats) -> Floats:
    """Give what every answer costs above the cheapest one to the same class.

    No decision depends on what all answers to a class cost in common; errors that are never
    negative can be bounded, and their spread says something of the answers.
    """
    return np.asarray(costs - costs.min(axis=1, keepdims=True))


def is_number(value: Any) -> bool:
    """Tell whether the value is a real number; truth values are not."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
