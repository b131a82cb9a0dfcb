"""L-BFGS steps of one gate or expert, for parts with too many coefficients for IRLS."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ramify.trees.mixture import softmax
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.sums import WeightedRows, expert_targets

Floats = NDArray[np.float64]
_STEPS = 10


def improve(
    rows: WeightedRows, mixture: Mixture, part: int, shares: Floats, price: float, *, gate: bool
) -> Floats:
    """Improve the coefficients of a part for given shares of the experts."""
    start: Floats = mixture.gates[part] if gate else mixture.experts[part]
    if start.size == 0:
        return start
    covered = _experts_below(mixture, part) if gate else slice(part, part + 1)
    outcomes = mixture.branching if gate else mixture.n_classes
    prices = softmax.penalties(price, start.shape[1])
    unit = max(float(shares[covered].sum()), np.finfo(float).tiny)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(start.shape)
        value = 0.5 * float((prices * weights**2).sum())
        gradient = prices * weights
        for at in rows.design.blocks(len(start)):
            block, here = rows.design.block(at), shares[covered, at]
            outputs = (weights @ block.T)[None]
            if outcomes == 0:
                errors = rows.y[at] - outputs[0]
                value += 0.5 * float((here * errors**2).sum())
                gradient = gradient - (here * errors) @ block
                continue
            if gate:
                targets = here.reshape(outcomes, -1, here.shape[1]).sum(axis=1)[None]
            else:
                targets = expert_targets(here, rows.y[at], outcomes)
            logs = softmax.log_probabilities(outputs, outcomes)
            value -= float((targets * logs).sum())
            gradient = gradient - softmax.gradient(logs, targets, block)[0]
        return value / unit, (gradient / unit).ravel()

    options = {"maxiter": _STEPS, "gtol": 1e-12, "ftol": 1e-15}
    found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options=options)
    better: Floats = found.x.reshape(start.shape)
    return better if np.isfinite(better).all() else start


def _experts_below(mixture: Mixture, gate: int) -> slice:
    """Give the experts that a gate leads to."""
    for number, level in enumerate(mixture.levels):
        if gate < level.stop:
            width = mixture.branching ** (mixture.depth - number)
            first = (gate - level.start) * width
            return slice(first, first + width)
    raise IndexError(gate)
