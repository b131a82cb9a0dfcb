"""EM for a mixture of experts, in its generalised form: each part takes one step, and never falls.

The objective is the penalised log-likelihood

    sum_i w_i log sum_k pi_k(x_i) p_k(y_i | x_i) - price of the coefficients.

Given how likely each expert made each row (the shares), it splits into one concave problem per gate
and per expert (Jordan and Jacobs 1994). Each takes a step of IRLS, or some of L-BFGS; a step that
would lower its own part of the bound is shortened, and so the objective cannot fall.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ramify.trees.mixture import softmax
from ramify.trees.mixture.lbfgs import improve
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.sums import Parts, Sums, WeighedRows

Floats = NDArray[np.float64]
_SLACK = 1e-13  # of a part, by which it may seem to fall because of rounding
_SHORTER = (0.5, 0.25, 0.1, 0.01, 1e-3, 0.0)  # of a step; in the end none is taken
#: Up to so many coefficients of a part, its matrix of second derivatives is cheap; of a linear
#: expert, which is then solved exactly, it pays for more.
_LARGEST, _LARGEST_LINEAR = 200, 1000


@dataclass(frozen=True)
class Prices:
    """What coefficients cost, and the least variance of an expert."""

    gates: float
    experts: float
    least_variance: float

    def of_parts(self, mixture: Mixture) -> Floats:
        """Give the price of every part, gates first."""
        gates = self.gates * _squares(mixture.gates)
        experts = self.experts * _squares(mixture.experts)
        if mixture.variances is not None:
            experts = experts / mixture.variances  # so that a price does not hang on y's unit
        return 0.5 * np.concatenate([gates, experts])


def _squares(weights: Floats) -> Floats:
    found: Floats = (weights[:, :, 1:] ** 2).sum(axis=(1, 2))
    return found


def use_newton(solver: str, mixture: Mixture) -> Parts:
    """Tell for gates and experts whether IRLS solves them."""
    if solver != "auto":
        return Parts(solver == "newton", solver == "newton")
    sizes = [part.shape[1] * part.shape[2] for part in (mixture.gates, mixture.experts)]
    return Parts(
        sizes[0] <= _LARGEST, sizes[1] <= (_LARGEST if mixture.n_classes else _LARGEST_LINEAR)
    )


@dataclass(eq=False)
class State:
    """A mixture and what a walk over the rows found with it."""

    mixture: Mixture
    sums: Sums
    objective: float


@dataclass(eq=False)
class Climber:
    """Raises the objective step by step on some rows."""

    rows: WeighedRows
    prices: Prices
    parts: Parts

    def look(self, mixture: Mixture, out: Floats) -> State:
        """Begin with a mixture; its shares are written to `out`."""
        return self._state(mixture, self.rows.walk(mixture, parts=self.parts, out=out))

    def _state(self, mixture: Mixture, sums: Sums) -> State:
        return State(mixture, sums, float(sums.loglik) - float(self.prices.of_parts(mixture).sum()))

    def fit_shares(self, mixture: Mixture, shares: Floats, steps: int) -> Mixture:
        """Take some steps towards the mixture that explains given shares best."""
        sums = self.rows.walk(mixture, parts=self.parts, given=shares, fixed=True)
        for _ in range(steps):
            bound = sums.kept - self.prices.of_parts(mixture)
            mixture, sums = self._advance(mixture, sums, bound, shares, None)
        return mixture

    def step(self, state: State, shares: Floats, out: Floats) -> State:
        """Do one iteration: from the shares of a mixture to a better one, and its shares."""
        bound = state.sums.gains - self.prices.of_parts(state.mixture)
        return self._state(*self._advance(state.mixture, state.sums, bound, shares, out))

    def _advance(
        self, mixture: Mixture, sums: Sums, bound: Floats, shares: Floats, out: Floats | None
    ) -> tuple[Mixture, Sums]:
        target = self._target(mixture, sums, shares)
        length = np.ones(len(bound))
        for shorter in (*_SHORTER, 0.0):  # the last walk is without the steps that fall
            candidate = _towards(mixture, target, length)
            found = self.rows.walk(
                candidate, parts=self.parts, given=shares, out=out, fixed=out is None
            )
            now = found.kept - self.prices.of_parts(candidate)
            falls = ~(now >= bound - _SLACK * np.abs(bound)) & (length > 0)
            if not falls.any():
                break
            length[falls] = shorter
        return candidate, found

    def _target(self, mixture: Mixture, sums: Sums, shares: Floats) -> Mixture:
        """Give the mixture where full steps lead."""
        gates, experts = mixture.gates.copy(), mixture.experts.copy()
        for i, weights in enumerate(mixture.gates):
            if self.parts.gates:
                gates[i] += softmax.newton_step(
                    weights, sums.gate_slope[i], sums.gate_bend[i], self.prices.gates
                )
            else:
                gates[i] = improve(self.rows, mixture, i, shares, self.prices.gates, gate=True)
        for k, weights in enumerate(mixture.experts):
            if self.parts.experts:
                experts[k] += softmax.newton_step(
                    weights, sums.expert_slope[k], sums.expert_bend[k], self.prices.experts
                )
            else:
                experts[k] = improve(self.rows, mixture, k, shares, self.prices.experts, gate=False)
        if mixture.variances is None:
            return mixture.replace(gates, experts)
        return mixture.replace(gates, experts, self._variances(mixture, experts, sums, shares))

    def _variances(self, mixture: Mixture, experts: Floats, sums: Sums, shares: Floats) -> Floats:
        """Give the variances that fit best with the new linear functions."""
        if self.parts.experts:
            steps = experts - mixture.experts
            squares = (
                sums.squares
                - 2 * (steps * sums.expert_slope).sum(axis=(1, 2))
                + np.einsum("kj,kjl,kl->k", steps[:, 0], sums.expert_bend, steps[:, 0])
            )
        else:
            moved = mixture.replace(experts=experts)
            squares = self.rows.walk(
                moved, parts=Parts(False, False), given=shares, fixed=True
            ).squares
        squares = np.maximum(squares, 0.0) + self.prices.experts * _squares(experts)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = squares / sums.weights
        found = np.where(np.isfinite(found), found, 1.0)  # an expert without any row
        return np.maximum(found, self.prices.least_variance)


def _towards(mixture: Mixture, target: Mixture, length: Floats) -> Mixture:
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


@dataclass(eq=False)
class Climb:
    """How one start went."""

    mixture: Mixture
    path: list[float]
    score: float  # by which starts are compared: the objective, or the held-out log-likelihood
    held_out_path: list[float] = field(default_factory=list)
    n_iter: int = 0
    converged: bool = False
    stopped_by: str = "max_iter"


@dataclass(frozen=True)
class Ending:
    """When to stop: gains are per unit of weight."""

    max_iter: int
    tol: float
    patience: int
    out_of_time: Callable[[], bool]
    tell: Callable[[int, float], None]


def climb(
    climber: Climber,
    mixture: Mixture,
    ending: Ending,
    held_out: WeighedRows | None,
    memory: list[Floats],
) -> Climb:
    """Iterate until the objective no longer rises; Ctrl-C keeps what was reached.

    `memory` are two arrays for shares.
    """
    shares, other = memory
    state = climber.look(mixture, shares)
    found = Climb(state.mixture, [state.objective], state.objective)
    validation = _Validation(held_out, ending.patience)
    validation.see(found)
    total = float(climber.rows.weights.sum())
    try:
        for iteration in range(ending.max_iter):
            if ending.out_of_time():
                found.stopped_by = "time_limit"
                break
            found.n_iter = iteration + 1
            after = climber.step(state, shares, other)
            if not after.objective >= state.objective:  # by rounding: there is nothing to gain
                found.converged, found.stopped_by = True, "tol"
                break
            gain, state = after.objective - state.objective, after
            shares, other = other, shares
            found.mixture, found.score = state.mixture, state.objective
            found.path.append(state.objective)
            ending.tell(iteration + 1, state.objective / total)
            if validation.see(found):
                found.converged, found.stopped_by = True, "held_out"
                break
            if gain <= ending.tol * total:
                found.converged, found.stopped_by = True, "tol"
                break
    except KeyboardInterrupt:
        found.stopped_by = "interrupt"
    validation.settle(found)
    return found


class _Validation:
    """Watches the log-likelihood of held-out rows, and remembers the best mixture."""

    def __init__(self, rows: WeighedRows | None, patience: int) -> None:
        self.rows, self.patience = rows, patience
        self.best: tuple[float, Mixture] | None = None
        self.stale = 0

    def see(self, found: Climb) -> bool:
        """Look at the mixture; tells whether there was nothing better for too long."""
        if self.rows is None:
            return False
        loglik = float(self.rows.walk(found.mixture, parts=None).loglik)
        found.held_out_path.append(loglik)
        if self.best is None or loglik > self.best[0]:
            self.best, self.stale = (loglik, found.mixture), 0
        else:
            self.stale += 1
        return self.stale >= self.patience

    def settle(self, found: Climb) -> None:
        """Take the best mixture."""
        if self.best is not None:
            found.score, found.mixture = self.best
