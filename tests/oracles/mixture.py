"""The objective of a mixture of experts, row by row and path by path."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities of outcomes; a single logit is that of the second of two."""
    if len(logits) == 0:
        return np.ones(1)
    if len(logits) == 1:
        logits = np.array([0.0, logits[0]])
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


def row_likelihood(mixture: Any, x: np.ndarray, y: Any) -> float:
    """Sum over all paths of the product of gates times what the expert says of y."""
    total = 0.0
    paths = itertools.product(range(mixture.branching), repeat=mixture.depth)
    for expert, path in enumerate(paths):
        share, gate, first = 1.0, 0, 0
        for level, branch in enumerate(path):
            share *= softmax(mixture.gates[first + gate] @ x)[branch]
            first += mixture.branching**level
            gate = gate * mixture.branching + branch
        said = mixture.experts[expert] @ x
        if mixture.n_classes:
            share *= softmax(said)[y]
        else:
            variance = mixture.variances[expert]
            share *= math.exp(-0.5 * (y - said[0]) ** 2 / variance)
            share /= math.sqrt(2 * math.pi * variance)
        total += share
    return total


def objective(
    mixture: Any, rows: np.ndarray, y: Any, weights: np.ndarray, penalty: float, gate_penalty: float
) -> float:
    """The penalised log-likelihood."""
    total = sum(
        weight * math.log(row_likelihood(mixture, x, one))
        for x, one, weight in zip(rows, y, weights, strict=True)
    )
    total -= gate_penalty / 2 * float((mixture.gates[:, :, 1:] ** 2).sum())
    for k, expert in enumerate(mixture.experts):
        unit = 1.0 if mixture.variances is None else mixture.variances[k]
        total -= penalty / (2 * unit) * float((expert[:, 1:] ** 2).sum())
    return total
