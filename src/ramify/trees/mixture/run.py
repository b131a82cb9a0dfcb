"""EM from one start: iterate until a stopping rule holds, and keep the best mixture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ramify.trees.mixture.em import EM, Floats
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.sums import WeightedRows


@dataclass(eq=False)
class EMRun:
    """The course of EM from one start, and the mixture that it kept."""

    mixture: Mixture
    path: list[float]  # the objective at the start and after each iteration
    score: float  # compares starts: the objective, or the held-out log-likelihood
    held_out_path: list[float] = field(default_factory=list)
    n_iter: int = 0
    converged: bool = False
    stopped_by: str = "max_iter"


@dataclass(frozen=True)
class StoppingRule:
    """When to stop. `tol` is per unit of weight."""

    max_iter: int
    tol: float
    patience: int
    out_of_time: Callable[[], bool]
    on_iteration: Callable[[int, float], None]  # iterations, objective per unit of weight


def run_em(
    em: EM,
    mixture: Mixture,
    rule: StoppingRule,
    held_out: WeightedRows | None,
    buffers: list[Floats],
) -> EMRun:
    """Iterate until a stopping rule holds. Ctrl-C keeps what was reached.

    `buffers` are two arrays for shares (experts x rows).
    """
    shares, next_shares = buffers
    state = em.evaluate(mixture, shares)
    run = EMRun(state.mixture, [state.objective], state.objective)
    validation = _Validation(held_out, rule.patience)
    validation.observe(run)
    total = float(em.rows.weights.sum())
    try:
        for iteration in range(rule.max_iter):
            if rule.out_of_time():
                run.stopped_by = "time_limit"
                break
            run.n_iter = iteration + 1
            after = em.step(state, shares, next_shares)
            if not after.objective >= state.objective:  # it fell by rounding: EM has converged
                run.converged, run.stopped_by = True, "tol"
                break
            gain, state = after.objective - state.objective, after
            shares, next_shares = next_shares, shares
            run.mixture, run.score = state.mixture, state.objective
            run.path.append(state.objective)
            rule.on_iteration(iteration + 1, state.objective / total)
            if validation.observe(run):
                run.converged, run.stopped_by = True, "held_out"
                break
            if gain <= rule.tol * total:
                run.converged, run.stopped_by = True, "tol"
                break
    except KeyboardInterrupt:
        run.stopped_by = "interrupt"
    validation.keep_best(run)
    return run


class _Validation:
    """Follows the log-likelihood of held-out rows, and remembers the best mixture."""

    def __init__(self, rows: WeightedRows | None, patience: int) -> None:
        self.rows, self.patience = rows, patience
        self.best: tuple[float, Mixture] | None = None
        self.since_best = 0  # iterations

    def observe(self, run: EMRun) -> bool:
        """Evaluate the mixture; tell whether there was no better one for too long."""
        if self.rows is None:
            return False
        loglik = float(self.rows.walk(run.mixture, derivatives=None).loglik)
        run.held_out_path.append(loglik)
        if self.best is None or loglik > self.best[0]:
            self.best, self.since_best = (loglik, run.mixture), 0
        else:
            self.since_best += 1
        return self.since_best >= self.patience

    def keep_best(self, run: EMRun) -> None:
        """Give the run the best mixture."""
        if self.best is not None:
            run.score, run.mixture = self.best
