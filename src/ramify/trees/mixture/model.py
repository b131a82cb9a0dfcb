"""A hierarchical mixture of experts: its parameters, and what it predicts for encoded rows.

Invariant: gates are listed level by level. The children of node i of a level are the nodes
i x branching, i x branching + 1, ... of the next level. Experts are the last level.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.trees.mixture.softmax import log_probabilities, n_logits

Floats = NDArray[np.float64]
_LOG_2_PI = float(np.log(2 * np.pi))
#: More experts could not be fitted.
MOST_EXPERTS = 4096


@dataclass(frozen=True, eq=False)
class Mixture:
    """The parameters of a mixture. The first encoded column, of the constants, is 1.

    Parameters
    ----------
    depth, branching : int
        Levels of gates, and branches of each gate.
    n_classes : int
        0 in regression.
    gates, experts : ndarray of shape (parts, logits, columns)
        Coefficients of the encoded columns. A regression expert has one linear function.
    variances : ndarray of shape (experts,) or None
        Variances of regression experts around their linear functions.
    """

    depth: int
    branching: int
    n_classes: int
    gates: Floats
    experts: Floats
    variances: Floats | None = None

    @classmethod
    def zeros(cls, depth: int, branching: int, n_classes: int, width: int) -> Mixture:
        """Make a mixture with all coefficients 0: all branches are equally likely."""
        n_gates = sum(branching**level for level in range(depth))
        n_experts = branching**depth
        outputs = n_logits(n_classes) if n_classes else 1
        return cls(
            depth,
            branching,
            n_classes,
            np.zeros((n_gates, n_logits(branching), width)),
            np.zeros((n_experts, outputs, width)),
            None if n_classes else np.ones(n_experts),
        )

    @property
    def n_experts(self) -> int:
        """Number of experts."""
        return len(self.experts)

    @cached_property
    def levels(self) -> list[slice]:
        """The gates of every level."""
        starts = np.cumsum([0] + [self.branching**level for level in range(self.depth)]).tolist()
        return [slice(a, b) for a, b in pairwise(starts)]

    def replace(
        self,
        gates: Floats | None = None,
        experts: Floats | None = None,
        variances: Floats | None = None,
    ) -> Mixture:
        """Give a copy with some parameters replaced."""
        return replace(
            self,
            gates=self.gates if gates is None else gates,
            experts=self.experts if experts is None else experts,
            variances=self.variances if variances is None else variances,
        )

    def gate_logs(self, block: Floats) -> Floats:
        """Give the logarithm of every branch's probability: gates x branches x rows."""
        logits = _apply(self.gates, block)
        return log_probabilities(logits, self.branching)

    def path_logs(self, gate_logs: Floats) -> Floats:
        """Give the logarithm of every expert's probability: experts x rows."""
        rows = gate_logs.shape[2]
        logs = np.zeros((1, rows))
        for level in self.levels:
            logs = (logs[:, None] + gate_logs[level]).reshape(-1, rows)
        return logs

    def branch_weights(self, shares: Floats) -> Floats:
        """Sum the shares of the experts below each branch: gates x branches x rows."""
        found = np.empty((len(self.gates), self.branching, shares.shape[1]))
        for level in reversed(self.levels):
            found[level] = shares.reshape(-1, self.branching, shares.shape[1])
            shares = found[level].sum(axis=1)
        return found

    def outputs(self, block: Floats) -> Floats:
        """Give means (experts x 1 x rows) or log-probabilities (experts x classes x rows)."""
        outputs = _apply(self.experts, block)
        return log_probabilities(outputs, self.n_classes) if self.n_classes else outputs

    def expert_logs(self, outputs: Floats, y: NDArray[Any]) -> Floats:
        """Give the log-likelihood of every row under every expert: experts x rows."""
        if self.variances is not None:
            squares = (y - outputs[:, 0]) ** 2
            spread = self.variances[:, None]
            logs: Floats = -0.5 * (_LOG_2_PI + np.log(spread) + squares / spread)
            return logs
        if self.n_classes == 2:
            return np.where(y == 1, outputs[:, 1], outputs[:, 0])
        found: Floats = outputs[:, y, np.arange(len(y))]
        return found

    def gate_probabilities(self, block: Floats) -> Floats:
        """Give every expert's probability: rows x experts."""
        return np.exp(self.path_logs(self.gate_logs(block))).T

    def mean(self, block: Floats) -> Floats:
        """Give the mean of a regression mixture for every row."""
        shares = np.exp(self.path_logs(self.gate_logs(block)))
        found: Floats = (shares * self.outputs(block)[:, 0]).sum(axis=0)
        return found

    def variance(self, block: Floats, mean: Floats) -> Floats:
        """Give the variance of the mixture: within the experts, and between them."""
        assert self.variances is not None
        shares = np.exp(self.path_logs(self.gate_logs(block)))
        between = (self.outputs(block)[:, 0] - mean) ** 2
        found: Floats = (shares * (self.variances[:, None] + between)).sum(axis=0)
        return found

    def class_probabilities(self, block: Floats) -> Floats:
        """Give the probability of every class: rows x classes."""
        logs = self.path_logs(self.gate_logs(block))[:, None] + self.outputs(block)
        found = np.exp(logs).sum(axis=0).T
        shares: Floats = found / found.sum(axis=1, keepdims=True)
        return shares


def _apply(weights: Floats, block: Floats) -> Floats:
    parts, logits, width = weights.shape
    return (weights.reshape(-1, width) @ block.T).reshape(parts, logits, len(block))


def log_sum(logs: Floats) -> Floats:
    """Give the logarithm of the sum over the first axis."""
    top = logs.max(axis=0)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=0)))
