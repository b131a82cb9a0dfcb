"""One walk over the rows: the sums over rows that an iteration of EM needs.

Invariant: each block of rows is worked on by one thread, and blocks are summed up in their order.
So the sums are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.trees.mixture import softmax
from ramify.trees.mixture.encoding import Design
from ramify.trees.mixture.model import Mixture, log_sum

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Derivatives:
    """Whether a walk computes the derivatives of gates and of experts. L-BFGS needs none."""

    gates: bool = True
    experts: bool = True


@dataclass(eq=False)
class Sums:
    """The sums of a walk over the rows.

    `bound` is EM's bound, one number per part, gates first: the sum of share x log-probability with
    the shares of this mixture. `bound_of_given` is the same with the shares that were given. Both
    are without the penalty.
    """

    loglik: Floats  # a single number
    bound: Floats
    bound_of_given: Floats
    gate_gradient: Floats
    gate_curvature: Floats
    expert_gradient: Floats
    expert_curvature: Floats
    weights: Floats  # of experts
    squares: Floats  # weighted squared errors of experts (regression)

    def add(self, other: Sums) -> None:
        """Add the sums of other rows."""
        for one in fields(self):
            total: Floats = getattr(self, one.name)
            total += getattr(other, one.name)


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Encoded rows with their target and weights, and the threads that work on them."""

    design: Design
    y: NDArray[Any]
    weights: Floats
    pool: ThreadPoolExecutor | None = None

    def sum_blocks(self, work: Callable[[slice], Sums], logits: int) -> Sums:
        """Add up the sums of all blocks of rows."""
        sums: Iterator[Sums]
        blocks = self.design.blocks(logits)
        sums = map(work, blocks) if self.pool is None else self.pool.map(work, blocks)
        total = next(sums)
        for more in sums:
            total.add(more)
        return total

    def walk(
        self,
        mixture: Mixture,
        *,
        derivatives: Derivatives | None,
        given: Floats | None = None,
        out: Floats | None = None,
        fixed: bool = False,
    ) -> Sums:
        """Compute the sums over all rows.

        Parameters
        ----------
        mixture : Mixture
            The mixture to evaluate.
        derivatives : Derivatives or None
            Which derivatives to compute; None computes the log-likelihood alone.
        given : ndarray of shape (experts, rows), optional
            Shares of the experts in the rows, multiplied by the weights, for `bound_of_given`.
        out : ndarray of shape (experts, rows), optional
            The shares of this mixture are written here.
        fixed : bool
            Whether to take the derivatives with the given shares instead of this mixture's.
        """

        def work(rows: slice) -> Sums:
            block, y, weights = self.design.block(rows), self.y[rows], self.weights[rows]
            gate_logs, outputs = mixture.gate_logs(block), mixture.outputs(block)
            expert_logs = mixture.expert_logs(outputs, y)
            joint = mixture.path_logs(gate_logs) + expert_logs
            total = log_sum(joint)
            loglik = np.array(float((weights * total).sum()))
            if derivatives is None:
                return _loglik_only(loglik)
            shares = np.exp(joint - total) * weights
            if out is not None:
                out[:, rows] = shares
            branches = mixture.branch_weights(shares)
            bound = _bound(branches, gate_logs, shares, expert_logs)
            bound_of_given = bound.copy()
            if given is not None:
                given_shares = given[:, rows]
                given_branches = mixture.branch_weights(given_shares)
                bound_of_given = _bound(given_branches, gate_logs, given_shares, expert_logs)
                if fixed:
                    shares, branches = given_shares, given_branches
            return Sums(
                loglik,
                bound,
                bound_of_given,
                *_gate_derivatives(branches, gate_logs, block, derivatives.gates),
                *_expert_derivatives(mixture, shares, outputs, block, y, derivatives.experts),
            )

        logits = max(mixture.gates.shape[1], mixture.experts.shape[1])
        return self.sum_blocks(work, 1 if derivatives is None else logits)


def _loglik_only(loglik: Floats) -> Sums:
    return Sums(loglik, *(np.zeros(0) for _ in range(8)))


def _bound(branches: Floats, gate_logs: Floats, shares: Floats, expert_logs: Floats) -> Floats:
    return np.concatenate(
        [_products(branches, gate_logs).sum(axis=(1, 2)), _products(shares, expert_logs).sum(1)]
    )


def _products(shares: Floats, logs: Floats) -> Floats:
    # A share of 0 times the logarithm of 0 must be 0.
    return shares * np.maximum(logs, -1e300)


def _gate_derivatives(
    branches: Floats, logs: Floats, block: Floats, wanted: bool
) -> tuple[Floats, Floats]:
    if not wanted or len(logs) == 0:
        return np.zeros(0), np.zeros(0)
    return softmax.gradient(logs, branches, block), softmax.curvature(logs, branches, block)


def _expert_derivatives(
    mixture: Mixture,
    shares: Floats,
    outputs: Floats,
    block: Floats,
    y: NDArray[Any],
    wanted: bool,
) -> tuple[Floats, Floats, Floats, Floats]:
    totals = shares.sum(axis=1)
    if mixture.n_classes:
        nothing = np.zeros(0)
        if not wanted:
            return nothing, nothing, totals, nothing
        targets = expert_targets(shares, y, mixture.n_classes)
        gradient = softmax.gradient(outputs, targets, block)
        return gradient, softmax.curvature(outputs, targets, block), totals, nothing
    errors = y - outputs[:, 0]
    weighted = shares * errors
    squares = (weighted * errors).sum(axis=1)
    if not wanted:
        return np.zeros(0), np.zeros(0), totals, squares
    curvatures = np.array([softmax.gram(block, share) for share in shares])
    return (weighted @ block)[:, None], curvatures, totals, squares


def expert_targets(shares: Floats, y: NDArray[Any], n_classes: int) -> Floats:
    """Put each share in the place of its row's class: experts x classes x rows."""
    found = np.zeros((len(shares), n_classes, shares.shape[1]))
    found[:, y, np.arange(len(y))] = shares
    return found


@contextmanager
def worker_threads(n_threads: int, n_rows: int) -> Iterator[ThreadPoolExecutor | None]:
    """Give threads for blocks of rows, and keep BLAS from using threads of its own.

    With threads in BLAS, the order of sums would depend on their number.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1, user_api="blas"):
        if n_threads == 1 or n_rows <= 256:
            yield None
            return
        pool = ThreadPoolExecutor(n_threads)
        try:
            yield pool
        finally:  # after Ctrl-C, no waiting block is begun
            pool.shutdown(cancel_futures=True)
