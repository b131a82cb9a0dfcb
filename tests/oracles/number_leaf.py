"""The least loss of numbers that get one prediction, straight from the definitions."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def loss_of_number(y: float, predicted: float, loss: str, quantile: float = 0.5) -> float:
    """The loss of one number; infinite where it is not defined."""
    if loss == "squared":
        return (y - predicted) ** 2
    if loss == "absolute":
        return abs(y - predicted)
    if loss == "pinball":
        return quantile * (y - predicted) if y >= predicted else (1 - quantile) * (predicted - y)
    if predicted <= 0:
        return 0.0 if y == predicted and loss == "poisson" else math.inf
    if loss == "poisson":
        return (y * math.log(y / predicted) if y > 0 else 0.0) - y + predicted
    return math.log(predicted / y) + y / predicted - 1.0


def least_loss(y: Floats, weights: Floats, loss: str, quantile: float = 0.5) -> float:
    """By ranks every number is tried; the others are least at the mean."""
    if len(y) == 0:
        return 0.0
    by_ranks = loss in ("absolute", "pinball")
    tried = np.unique(y) if by_ranks else [float((weights * y).sum() / weights.sum())]
    return min(
        math.fsum(
            w * loss_of_number(float(one), float(m), loss, quantile)
            for one, w in zip(y, weights, strict=True)
        )
        for m in tried
    )
