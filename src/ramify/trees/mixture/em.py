"""One iteration of generalised EM for a mixture of experts: every part takes one step.

The objective is the penalised log-likelihood

    sum_i w_i log sum_k pi_k(x_i) p_k(y_i | x_i) - price of the coefficients.

The shares say with which probability each expert made each row. Given the shares, the objective has
a lower bound that is a sum of concave problems, one per part: each gate and each expert (Jordan and
Jacobs 1994). Each part takes a step of IRLS, or some steps of L-BFGS. A step that would lower its
own part of the bound is shortened, so the objective cannot fall.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.trees.mixture import softmax
from ramify.trees.mixture.lbfgs import improve
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.sums import Derivatives, Sums, WeightedRows

Floats = NDArray[np.float64]
_SLACK = 1e-13  # a part may fall by this share of itself, by rounding
_SHORTER = (0.5, 0.25, 0.1, 0.01, 1e-3, 0.0)  # lengths to try for a step that falls; 0 is no step
#: With up to this many coefficients, the second derivatives of a part are cheap. They pay for more
#: coefficients in a linear expert, because a Newton step solves it exactly.
_MOST_FOR_NEWTON, _MOST_FOR_NEWTON_LINEAR = 200, 1000


@dataclass(frozen=True)
class Prices:
    """The prices of squared coefficients, and the least variance of an expert."""

    gates: float
    experts: float
    least_variance: float

    def of_parts(self, mixture: Mixture) -> Floats:
        """Give the price of every part, gates first."""
        gates = self.gates * _squares(mixture.gates)
        experts = self.experts * _squares(mixture.experts)
        if mixture.variances is not None:
            experts = experts / mixture.variances  # makes the price independent of y's unit
        return 0.5 * np.concatenate([gates, experts])


def _squares(weights: Floats) -> Floats:
    found: Floats = (weights[:, :, 1:] ** 2).sum(axis=(1, 2))
    return found


def newton_parts(solver: str, mixture: Mixture) -> Derivatives:
    """Tell whether gates and experts take Newton steps (IRLS), which need second derivatives."""
    if solver != "auto":
        return Derivatives(solver == "newton", solver == "newton")
    sizes = [part.shape[1] * part.shape[2] for part in (mixture.gates, mixture.experts)]
    most = _MOST_FOR_NEWTON if mixture.n_classes else _MOST_FOR_NEWTON_LINEAR
    return Derivatives(sizes[0] <= _MOST_FOR_NEWTON, sizes[1] <= most)


@dataclass(eq=False)
class State:
    """A mixture, the sums of a walk over the rows with it, and its objective."""

    mixture: Mixture
    sums: Sums
    objective: float


@dataclass(eq=False)
class EM:
    """EM on some rows. No step lowers the objective."""

    rows: WeightedRows
    prices: Prices
    newton: Derivatives  # the parts that take Newton steps; the others use L-BFGS

    def evaluate(self, mixture: Mixture, out: Floats) -> State:
        """Evaluate a mixture, and write its shares to `out`."""
        return self._state(mixture, self.rows.walk(mixture, derivatives=self.newton, out=out))

    def _state(self, mixture: Mixture, sums: Sums) -> State:
        return State(mixture, sums, float(sums.loglik) - float(self.prices.of_parts(mixture).sum()))

    def fit_shares(self, mixture: Mixture, shares: Floats, steps: int) -> Mixture:
        """Take some steps towards the mixture that fits given shares best."""
        sums = self.rows.walk(mixture, derivatives=self.newton, given=shares, fixed=True)
        for _ in range(steps):
            bound = sums.bound_of_given - self.prices.of_parts(mixture)
            mixture, sums = self._advance(mixture, sums, bound, shares, None)
        return mixture

    def step(self, state: State, shares: Floats, out: Floats) -> State:
        """Do one iteration: improve the mixture for its shares; write the new shares to `out`."""
        bound = state.sums.bound - self.prices.of_parts(state.mixture)
        return self._state(*self._advance(state.mixture, state.sums, bound, shares, out))

    def _advance(
        self, mixture: Mixture, sums: Sums, bound: Floats, shares: Floats, out: Floats | None
    ) -> tuple[Mixture, Sums]:
        """Take a step with every part; shorten the steps of parts whose bound would fall."""
        target = self._full_step(mixture, sums, shares)
        length = np.ones(len(bound))
        for shorter in (*_SHORTER, 0.0):  # in the last walk, no step falls
            candidate = _towards(mixture, target, length)
            sums = self.rows.walk(
                candidate, derivatives=self.newton, given=shares, out=out, fixed=out is None
            )
            now = sums.bound_of_given - self.prices.of_parts(candidate)
            falls = ~(now >= bound - _SLACK * np.abs(bound)) & (length > 0)
            if not falls.any():
                break
            length[falls] = shorter
        return candidate, sums

    def _full_step(self, mixture: Mixture, sums: Sums, shares: Floats) -> Mixture:
        """Give the mixture after a full step of every part."""
        gates = self._full_steps(mixture, sums, shares, gate=True)
        experts = self._full_steps(mixture, sums, shares, gate=False)
        if mixture.variances is None:
            return mixture.replace(gates, experts)
        return mixture.replace(gates, experts, self._variances(mixture, experts, sums, shares))

    def _full_steps(self, mixture: Mixture, sums: Sums, shares: Floats, *, gate: bool) -> Floats:
        """Give the coefficients of all gates, or of all experts, after a full step."""
        before = mixture.gates if gate else mixture.experts
        gradient = sums.gate_gradient if gate else sums.expert_gradient
        curvature = sums.gate_curvature if gate else sums.expert_curvature
        newton = self.newton.gates if gate else self.newton.experts
        price = self.prices.gates if gate else self.prices.experts
        after = before.copy()
        for i, weights in enumerate(before):
            if newton:
                after[i] += softmax.newton_step(weights, gradient[i], curvature[i], price)
            else:
                after[i] = improve(self.rows, mixture, i, shares, price, gate=gate)
        return after

    def _variances(self, mixture: Mixture, experts: Floats, sums: Sums, shares: Floats) -> Floats:
        """Give the variances that fit the new linear functions best."""
        if self.newton.experts:
            steps = experts - mixture.experts
            squares = (
                sums.squares
                - 2 * (steps * sums.expert_gradient).sum(axis=(1, 2))
                + np.einsum("kj,kjl,kl->k", steps[:, 0], sums.expert_curvature, steps[:, 0])
            )
        else:
            moved = mixture.replace(experts=experts)
            squares = self.rows.walk(
                moved, derivatives=Derivatives(False, False), given=shares, fixed=True
            ).squares
        squares = np.maximum(squares, 0.0) + self.prices.experts * _squares(experts)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = squares / sums.weights
        found = np.where(np.isfinite(found), found, 1.0)  # for an expert without rows
        return np.maximum(found, self.prices.least_variance)


def _towards(mixture: Mixture, target: Mixture, length: Floats) -> Mixture:
    """Move each part towards the target by its length: 0 stays, 1 reaches the target."""
    n_gates = len(mixture.gates)
    gates, experts = length[:n_gates, None, None], length[n_gates:, None, None]
    variances = None
    if mixture.variances is not None and target.variances is not None:
        variances = _between(mixture.variances, target.variances, length[n_gates:])
    return mixture.replace(
        _between(mixture.gates, target.gates, gates),
        _between(mixture.experts, target.experts, experts),
        variances,
    )


def _between(here: Floats, there: Floats, length: Floats) -> Floats:
    return np.where(length == 1.0, there, here + length * (there - here))
