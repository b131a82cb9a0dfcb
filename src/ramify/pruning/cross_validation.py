"""The cross-validated errors of the trees of a sequence, from sums over the folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ramify.learning.training import Training
from ramify.pruning.path import Floats


def loss_of(training: Training, measure: str) -> str:
    """Give the core's name of the loss that is summed over held-out rows."""
    if training.target.task == "regression":
        return training.loss
    return "brier" if measure == "rmse" else "cost"


def errors(
    sums: Floats,
    squares: Floats,
    weights: Floats,
    weight_squares: Floats,
    counted: NDArray[np.bool_] | None,
    *,
    training: Training,
    measure: str,
) -> tuple[Floats, Floats]:
    """Give the error of every tree over the folds, and its standard error.

    Parameters
    ----------
    sums, squares : ndarray of shape (folds, trees)
        Losses, and their squares, summed over the held-out rows of each fold.
    weights, weight_squares : ndarray of shape (folds,)
        Weights, and their squares, summed over the held-out rows of each fold.
    counted : ndarray of shape (folds, trees) or None
        The folds that count for each tree; None means all.

    Notes
    -----
    The standard error of a share R of wrong rows is sqrt(R (1 - R) / N). Shi (2007, section 3.4.3)
    takes the same for a root mean squared error. For other losses it is that of a mean. N is the
    number of rows in all folds; with unequal weights, the effective number (Kish 1965).
    """
    root = measure == "rmse" and training.target.task == "classification"
    share = training.target.task == "classification" and training.target.costs is None
    rows = weights.sum() ** 2 / weight_squares.sum()
    part = np.ones(sums.shape) if counted is None else counted.astype(np.float64)
    total = (weights[:, None] * part).sum(axis=0)
    total[total == 0] = np.nan
    mean = np.maximum((sums * part).sum(axis=0) / total, 0.0)
    if not root and not share:
        with np.errstate(over="ignore", invalid="ignore"):
            variance = (squares * part).sum(axis=0) / total - mean * mean
        return mean, np.sqrt(np.where(variance > 0, variance, 0.0) / rows)
    error = np.sqrt(mean) if root else mean
    return error, np.sqrt(np.maximum(error * (1.0 - error), 0.0) / rows)
