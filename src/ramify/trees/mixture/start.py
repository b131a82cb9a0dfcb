"""Where EM starts: shares of the experts in the rows, from a hard tree or from random gates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor
from ramify.trees.mixture.em import EM
from ramify.trees.mixture.model import Mixture

Floats = NDArray[np.float64]
STARTS = ("tree", "random")
_SOFT = 0.1  # share of a row that is divided evenly among all experts
_STEPS = 4  # of gates and experts towards the shares; more would make the gates hard
_STEEPNESS = 2.0  # standard deviation of the logits of gates drawn at random


def tree_regions(table: Table, target: Target, depth: int, branching: int) -> NDArray[np.intp]:
    """Give each row an expert. At each gate, a tree of `branching` leaves divides the rows."""
    regions = np.zeros(table.n_rows, dtype=np.intp)
    for level in range(depth):
        before = regions
        regions = before * branching
        for node in range(branching**level):
            rows = np.flatnonzero(before == node)
            if len(rows) > 1:
                regions[rows] += _branches(table, target, rows, branching)
    return regions


def _branches(
    table: Table, target: Target, rows: NDArray[np.intp], branching: int
) -> NDArray[np.intp]:
    """Grow a tree on some rows, and give the number of each row's leaf: its branch."""
    table, target = table.take(rows), target.take(rows)
    learner = TreeClassifier if target.n_classes else TreeRegressor
    tree = learner(max_leaves=branching, growth="best_first", missing="direction")
    tree.fit(table, target.y, target.weights)
    leaves = tree.tree_.core.apply(table.cells, tree.tree_.unseen, 1)
    return np.asarray(np.unique(leaves, return_inverse=True)[1], dtype=np.intp)


def start_from_regions(em: EM, mixture: Mixture, regions: NDArray[np.intp]) -> Mixture:
    """Fit gates and experts to a softened division of the rows."""
    weights = em.rows.weights
    shares = np.tile(weights * (_SOFT / mixture.n_experts), (mixture.n_experts, 1))
    shares[regions, np.arange(len(regions))] += (1 - _SOFT) * weights
    return em.fit_shares(mixture, shares, _STEPS)


def start_at_random(em: EM, mixture: Mixture, rng: np.random.Generator) -> Mixture:
    """Draw gates at random, and fit the mixture to the shares that they give.

    The draws do not depend on the number of rows, so that a weight of 2 equals a repeated row.
    """
    gates = rng.normal(size=mixture.gates.shape)
    gates[:, :, 1:] *= _STEEPNESS / np.sqrt(max(gates.shape[2] - 1, 1))
    if gates.shape[1] > 1:
        gates -= gates.mean(axis=1, keepdims=True)
    mixture = mixture.replace(gates=gates)
    rows = em.rows
    shares = np.empty((mixture.n_experts, rows.design.n_rows))
    for at in rows.design.blocks():
        shares[:, at] = mixture.gate_probabilities(rows.design.block(at)).T * rows.weights[at]
    return em.fit_shares(mixture, shares, _STEPS)
