"""Trees as the place where a search begins: it never ends worse than they are.

The first is a greedy tree. It is grown on all rows if a share of the time is enough for that, and
otherwise on a sample of them; rows of the sample that fill a leaf are rows of the table, so that
the limits hold all the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify._conditions import LEAF, THRESHOLD
from ramify._optimal_clock import Clock, on_rows_that_fit
from ramify._optimal_features import Cells, FeatureSet, Mask
from ramify._optimal_target import Rows, Target
from ramify._tree_arrays import Arrays
from ramify.trees._importance import ReadTable
from ramify.trees.classifier import TreeClassifier
from ramify.trees.regressor import TreeRegressor

_SHARE = 0.25  # of the time that is left


def greedy_tree(
    cells: Cells, target: Target, limits: dict[str, Any], sparsity: float, clock: Clock
) -> Arrays:
    """Grow a tree of the same limits; it loses the branches that the price of leaves forbids."""

    def grow(rows: Rows | None) -> Arrays:
        if rows is None:
            return _greedy_tree(cells, target, limits, sparsity)
        return _greedy_tree(cells.take(rows), target.take(rows), limits, sparsity)

    return on_rows_that_fit(grow, cells.n_rows, len(cells), clock.share(_SHARE))


def _greedy_tree(cells: Cells, target: Target, limits: dict[str, Any], sparsity: float) -> Arrays:
    greedy: Any
    if target.n_classes:
        # A class without weight has no row here.
        present, labels = np.unique(target.y, return_inverse=True)
        costs = None if target.costs is None else target.costs[np.ix_(present, present)]
        greedy = TreeClassifier(missing="direction", costs=costs, **limits)
    else:
        labels = target.y
        greedy = TreeRegressor(missing="direction", **limits)
    greedy.fit(ReadTable(cells.schema, cells.columns), labels, target.weights)
    data: Arrays = greedy.prune(alpha=sparsity * target.unit / target.total).tree_.data
    return data


def as_splits(
    data: Arrays, features: FeatureSet, cells: Cells, seconds: float = np.inf
) -> list[tuple[int, int, int, int]]:
    """Say a tree in terms of features; what none of them asks becomes a feature, too.

    When the seconds have passed, branches that were not reached become leaves.
    """
    clock = Clock(seconds)
    splits: list[tuple[int, int, int, int]] = []
    nodes = [0]
    for node in nodes:  # level by level
        if data["kind"][node] == LEAF or clock.left() <= 0:
            splits.append((-1, 0, -1, -1))
            continue
        column, first = int(data["attribute"][node]), int(data["first_child"][node])
        left = _left(data, node, cells)
        found = features.find(left, column)
        if found is None:
            features.add(column, ~left)
            found = len(features) - 1, 0, False
        feature, code, turned = found
        at = len(nodes)
        nodes += [first, first + 1]
        splits.append((feature, code, at + turned, at + 1 - turned))
    return splits


def _left(data: Arrays, node: int, cells: Cells) -> Mask:
    """Tell which of all rows would go to the left at a node."""
    column = int(data["attribute"][node])
    cell, missing = cells.arrays[column], cells.missing(column)
    if data["kind"][node] == THRESHOLD:
        threshold = float(data["threshold"][node])
        left = ~missing if threshold == np.inf else cell <= threshold
    else:
        span = slice(*data["level_start"][node : node + 2].tolist())
        chosen = data["level_code"][span][data["level_branch"][span] == 0]
        left = np.isin(cell, chosen)
    return np.asarray(np.where(missing, data["missing_to"][node] == 0, left), dtype=bool)
