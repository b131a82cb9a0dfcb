"""One walk over the rows: all that an iteration of EM asks of them, as sums.

Invariant: blocks are summed up in their order, and each is worked on by one thread, so that the
sums are the same for any number of threads.
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
class Parts:
    """Whose derivatives a walk takes; what L-BFGS solves needs none."""

    gates: bool = True
    experts: bool = True


@dataclass(eq=False)
class Sums:
    """What a walk over the rows found.

    `gains` are the parts of EM's bound, sum of share x log, gates first, with the shares that this
    mixture gives; `kept` the same with shares that were given. The penalty is in neither.
    """

    loglik: Floats  # a single number
    gains: Floats
    kept: Floats
    gate_slope: Floats
    gate_bend: Floats
    expert_slope: Floats
    expert_bend: Floats
    weights: Floats  # of experts
    squares: Floats  # weighted squared errors of experts (regression)

    def add(self, other: Sums) -> None:
        """Add the sums of other rows."""
        for one in fields(self):
            total: Floats = getattr(self, one.name)
            total += getattr(other, one.name)


@dataclass(frozen=True, eq=False)
class WeighedRows:
    """Encoded rows with their target and weights, and the threads that work on them."""

    design: Design
    y: NDArray[Any]
    weights: Floats
    pool: ThreadPoolExecutor | None = None

    def each(self, work: Callable[[slice], Sums], logits: int) -> Sums:
        """Sum up what is found in the blocks."""
        found: Iterator[Sums]
        blocks = self.design.blocks(logits)
        found = map(work, blocks) if self.pool is None else self.pool.map(work, blocks)
        total = next(found)
        for one in found:
            total.add(one)
        return total

    def walk(
        self,
        mixture: Mixture,
        *,
        parts: Parts | None,
        given: Floats | None = None,
        out: Floats | None = None,
        fixed: bool = False,
    ) -> Sums:
        """Sum up.

        Parameters
        ----------
        mixture : Mixture
            The parameters.
        parts : Parts or None
            Whose derivatives are taken; None is the log-likelihood alone.
        given : ndarray of shape (experts, rows), optional
            Shares of the experts in the rows, weights included, for which `kept` is computed.
        out : ndarray of shape (experts, rows), optional
            Where the shares are written that this mixture gives.
        fixed : bool
            Whether derivatives are those for the given shares, not for this mixture's.
        """

        def work(rows: slice) -> Sums:
            block, y, weights = self.design.block(rows), self.y[rows], self.weights[rows]
            gate_logs, outputs = mixture.gate_logs(block), mixture.outputs(block)
            expert_logs = mixture.expert_logs(outputs, y)
            joint = mixture.path_logs(gate_logs) + expert_logs
            total = log_sum(joint)
            loglik = np.array(float((weights * total).sum()))
            if parts is None:
                return _nothing_else(loglik)
            shares = np.exp(joint - total) * weights
            kept = shares if given is None else given[:, rows]
            if out is not None:
                out[:, rows] = shares
            branches = mixture.branch_weights(shares)
            kept_branches = branches if given is None else mixture.branch_weights(kept)
            gains = _gains(branches, gate_logs, shares, expert_logs)
            again = gains if given is None else _gains(kept_branches, gate_logs, kept, expert_logs)
            if fixed:
                shares, branches = kept, kept_branches
            return Sums(
                loglik,
                gains.copy(),
                again.copy(),
                *_gate_derivatives(branches, gate_logs, block, parts.gates),
                *_expert_derivatives(mixture, shares, outputs, block, y, parts.experts),
            )

        logits = max(mixture.gates.shape[1], mixture.experts.shape[1])
        return self.each(work, 1 if parts is None else logits)


def _nothing_else(loglik: Floats) -> Sums:
    return Sums(loglik, *(np.zeros(0) for _ in range(8)))


def _gains(branches: Floats, gate_logs: Floats, shares: Floats, expert_logs: Floats) -> Floats:
    return np.concatenate(
        [_products(branches, gate_logs).sum(axis=(1, 2)), _products(shares, expert_logs).sum(1)]
    )


def _products(shares: Floats, logs: Floats) -> Floats:
    # A share of zero times a probability of zero counts nothing.
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
        slope = softmax.gradient(outputs, targets, block)
        return slope, softmax.curvature(outputs, targets, block), totals, nothing
    errors = y - outputs[:, 0]
    weighted = shares * errors
    squares = (weighted * errors).sum(axis=1)
    if not wanted:
        return np.zeros(0), np.zeros(0), totals, squares
    bends = np.array([softmax.gram(block, share) for share in shares])
    return (weighted @ block)[:, None], bends, totals, squares


def expert_targets(shares: Floats, y: NDArray[Any], n_classes: int) -> Floats:
    """Give the shares of experts in the classes of rows: experts x classes x rows."""
    found = np.zeros((len(shares), n_classes, shares.shape[1]))
    found[:, y, np.arange(len(y))] = shares
    return found


@contextmanager
def worker_threads(n_threads: int, n_rows: int) -> Iterator[ThreadPoolExecutor | None]:
    """Give threads for blocks of rows, and keep BLAS from making threads of its own.

    Its own threads would sum up in an order that hangs on their number.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1, user_api="blas"):
        if n_threads == 1 or n_rows <= 256:
            yield None
            return
        pool = ThreadPoolExecutor(n_threads)
        try:
            yield pool
        finally:  # on Ctrl-C, blocks that wait are not begun
            pool.shutdown(cancel_futures=True)
