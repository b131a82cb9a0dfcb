"""Where EM begins: how likely each expert made each row, by a hard tree or by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor
from ramify.trees.mixture.em import Climber
from ramify.trees.mixture.model import Mixture

Floats = NDArray[np.float64]
STARTS = ("tree", "random")
_SOFT = 0.1  # share of a row that goes to all experts alike
_STEPS = 4  # of the gates towards a division: more of them make them hard
_STEEPNESS = 2.0  # standard deviation of the logits of gates drawn at random


def tree_regions(table: Table, target: Target, depth: int, branching: int) -> NDArray[np.intp]:
    """Divide the rows by trees of one split per gate (of `branching` leaves); give the experts."""
    regions = np.zeros(table.n_rows, dtype=np.intp)
    for level in range(depth):
        before = regions
        regions = before * branching
        for node in range(branching**level):
            rows = np.flatnonzero(before == node)
            if len(rows) > 1:
                regions[rows] += _leaves(table, target, rows, branching)
    return regions


def _leaves(
    table: Table, target: Target, rows: NDArray[np.intp], branching: int
) -> NDArray[np.intp]:
    here, about = table.take(rows), target.take(rows)
    kind = TreeClassifier if target.n_classes else TreeRegressor
    tree = kind(max_leaves=branching, growth="best_first", missing="direction")
    tree.fit(here, about.y, about.weights)
    leaves = tree.tree_.core.apply(here.cells, tree.tree_.unseen, 1)
    return np.asarray(np.unique(leaves, return_inverse=True)[1], dtype=np.intp)


def start_from_regions(climber: Climber, mixture: Mixture, regions: NDArray[np.intp]) -> Mixture:
    """Fit gates and experts to a hard division of the rows, softened."""
    weights = climber.rows.weights
    shares = np.tile(weights * (_SOFT / mixture.n_experts), (mixture.n_experts, 1))
    shares[regions, np.arange(len(regions))] += (1 - _SOFT) * weights
    return climber.fit_shares(mixture, shares, _STEPS)


def start_at_random(climber: Climber, mixture: Mixture, rng: np.random.Generator) -> Mixture:
    """Draw gates, and fit the experts to the rows that these send them.

    What is drawn hangs on the number of columns, not of rows, so that a weight of 2 equals a
    repeated row.
    """
    gates = rng.normal(size=mixture.gates.shape)
    gates[:, :, 1:] *= _STEEPNESS / np.sqrt(max(gates.shape[2] - 1, 1))
    if gates.shape[1] > 1:
        gates -= gates.mean(axis=1, keepdims=True)
    mixture = mixture.replace(gates=gates)
    rows = climber.rows
    shares = np.empty((mixture.n_experts, rows.design.n_rows))
    for at in rows.design.blocks():
        shares[:, at] = mixture.gate_probabilities(rows.design.block(at)).T * rows.weights[at]
    return climber.fit_shares(mixture, shares, _STEPS)
