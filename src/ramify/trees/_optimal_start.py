"""The greedy tree as the place where a search begins: the optimal tree is never worse than it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify._conditions import LEAF, THRESHOLD
from ramify._optimal_features import Cells, FeatureSet, Mask
from ramify._optimal_target import Target
from ramify.tree import Tree
from ramify.trees._importance import ReadTable
from ramify.trees.classifier import TreeClassifier
from ramify.trees.regressor import TreeRegressor


def greedy_tree(cells: Cells, target: Target, limits: dict[str, Any], sparsity: float) -> Tree:
    """Grow a tree of the same limits; it loses the branches that the price of leaves forbids."""
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
    tree: Tree = greedy.prune(alpha=sparsity * target.unit / target.total).tree_
    return tree


def as_splits(tree: Tree, features: FeatureSet, cells: Cells) -> list[tuple[int, int, int, int]]:
    """Say a tree in terms of features; what none of them asks becomes a feature, too."""
    data = tree.data
    splits = []
    for node in range(tree.n_nodes):
        if data["kind"][node] == LEAF:
            splits.append((-1, 0, -1, -1))
            continue
        column, first = int(data["attribute"][node]), int(data["first_child"][node])
        left = _left(tree, node, cells)
        found = features.find(left, column)
        if found is None:
            features.add(column, ~left)
            found = len(features) - 1, 0, False
        feature, code, turned = found
        splits.append((feature, code, first + turned, first + 1 - turned))
    return splits


def _left(tree: Tree, node: int, cells: Cells) -> Mask:
    """Tell which of all rows would go to the left at a node."""
    data = tree.data
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
