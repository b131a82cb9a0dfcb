"""Multinomial-logistic functions of encoded rows: gates, and experts for classes.

Arrays hold parts x outcomes x rows. Rows come last, so that the inner loops are long. Two outcomes
have one logit, that of the second. More outcomes have one logit each, and their coefficients add up
to zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

Floats = NDArray[np.float64]
_JITTERS = (0.0, 1e-12, 1e-9, 1e-6)  # added to the diagonal, relative to its largest entry


def n_logits(outcomes: int) -> int:
    """Give the number of linear functions that this many outcomes need."""
    return {1: 0, 2: 1}.get(outcomes, outcomes)


def log_probabilities(logits: Floats, outcomes: int) -> Floats:
    """Turn logits (parts x logits x rows) into log-probabilities (parts x outcomes x rows)."""
    parts, _, rows = logits.shape
    if outcomes == 1:
        return np.zeros((parts, 1, rows))
    if outcomes > 2:
        found: Floats = logits - logits.max(axis=1, keepdims=True)
        found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
        return found
    logit = logits[:, 0]
    rest = np.log1p(np.exp(-np.abs(logit)))
    found = np.empty((parts, 2, rows))
    found[:, 0] = np.minimum(-logit, 0.0) - rest
    found[:, 1] = np.minimum(logit, 0.0) - rest
    return found


def gram(block: Floats, weights: Floats) -> Floats:
    """Give the sum over rows of weight x row x row', for weights of at least 0."""
    scaled = block * np.sqrt(weights)[:, None]
    # BLAS needs half the work for the product of an array with itself.
    product: Floats = scaled.T @ scaled
    return product


def gradient(logs: Floats, targets: Floats, block: Floats) -> Floats:
    """Differentiate the sum of targets x logs: parts x logits x columns."""
    outcomes = logs.shape[1]
    totals = targets.sum(axis=1)
    if outcomes == 2:
        found: Floats = ((targets[:, 1] - totals * np.exp(logs[:, 1])) @ block)[:, None]
        return found
    found = (targets - totals[:, None] * np.exp(logs)) @ block
    return found[:, : n_logits(outcomes)]


def curvature(logs: Floats, targets: Floats, block: Floats) -> Floats:
    """Give minus the second derivatives: parts x (logits x columns) squared."""
    parts, outcomes, rows = logs.shape
    width = block.shape[1]
    size = n_logits(outcomes) * width
    found = np.empty((parts, size, size))
    totals = targets.sum(axis=1)
    shares = np.exp(logs)
    for i in range(parts if size else 0):
        if outcomes == 2:
            found[i] = gram(block, totals[i] * shares[i, 0] * shares[i, 1])
            continue
        scaled = np.empty((rows, outcomes, width))
        for j, share in enumerate(np.sqrt(totals[i]) * shares[i]):
            np.multiply(block, share[:, None], out=scaled[:, j])
        flat = scaled.reshape(rows, size)
        found[i] = -(flat.T @ flat)
        for j in range(outcomes):
            own = slice(j * width, (j + 1) * width)
            found[i, own, own] += gram(block, totals[i] * shares[i, j])
    return found


def penalties(penalty: float, width: int) -> Floats:
    """Give the price of every squared coefficient. The constant, which comes first, is free."""
    found = np.full(width, penalty)
    found[0] = 0.0
    return found


def newton_step(weights: Floats, gradient: Floats, curvature: Floats, penalty: float) -> Floats:
    """Give the IRLS step of one part: logits x columns.

    `gradient` and `curvature` are those of the log-likelihood. The penalty is added here.
    """
    logits, width = weights.shape
    price = penalties(penalty, width)
    matrix = curvature + np.diag(np.tile(price, logits))
    if logits > 1:
        # Adding the same to all logits changes nothing, so the matrix is singular in that
        # direction. This adds curvature there alone. The gradient is 0 in that direction.
        added = np.diagonal(matrix).reshape(logits, width).mean(axis=0)
        matrix += np.kron(np.ones((logits, logits)), np.diag(added))
    return solve(matrix, (gradient - price * weights).ravel()).reshape(logits, width)


def solve(matrix: Floats, right: Floats) -> Floats:
    """Solve a system with a positive semidefinite matrix, which may be singular."""
    largest = float(np.diagonal(matrix).max(initial=0.0))
    if largest > 0 and np.isfinite(matrix).all():
        for jitter in _JITTERS:
            try:
                shifted = matrix + np.diag(np.full(len(matrix), jitter * largest))
                found: Floats = cho_solve(cho_factor(shifted), right)
            except LinAlgError:
                continue
            if np.isfinite(found).all():
                return found
    return np.zeros_like(right)
