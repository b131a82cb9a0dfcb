"""Reading the weights of rows and classes, and the costs of answers.

Every error names the parameter, the value and the valid choices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.parameters import is_number

Floats = NDArray[np.float64]
_MOST_COST = 1e140
_LEAST_TOTAL = 1e-60  # so that fourth powers of weights are neither zero nor infinite


def class_weights(
    class_weight: Any, classes: NDArray[Any], codes: NDArray[Any], weights: Floats | None
) -> Floats | None:
    """Give the weight of every class; None means that all weigh 1.

    "balanced" gives all classes the same total weight. It counts sample weights, so a row of weight
    2 counts as two rows here, too.
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
    # A fold may lack a class, so unknown names are fine if every class has a weight. Otherwise an
    # unknown name is probably misspelt.
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


def times_class_weights(
    weights: Floats | None, by_class: Floats | None, codes: NDArray[Any]
) -> Floats | None:
    """Multiply the weights of the rows by those of their classes; None means that all weigh 1."""
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
    from sklearn.utils import (
        check_array,
    )  # slow to import, and reading model files needs no weights

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
    """Give the weights back if their sum is in the range that can be computed with."""
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

    With `abstain` there may be one more column, the costs of abstaining.
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
        shown = " ".join(f"{costs!r:.80}".split())  # an array prints on several lines
        more = f", or ({n_classes}, {n_classes + 1}) with the costs of abstaining last"
        if not abstain and matrix.shape == (n_classes, n_classes + 1):
            order += "; only TreeClassifier takes one more column, for abstaining"
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
    """Give the regrets: the costs minus those of the cheapest answer to the same class.

    A cost that all answers to a class have in common changes no decision. Regrets are never
    negative, so they can be bounded, and their spread depends on the answers alone.
    """
    return np.asarray(costs - costs.min(axis=1, keepdims=True))
