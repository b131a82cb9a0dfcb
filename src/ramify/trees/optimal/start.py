"""Trees as the place where a search begins: it never ends worse than they are.

The first is one that the user gives (`given`), or a greedy tree. A greedy one is grown on
all rows if a share of the time is enough for that, and otherwise on a sample of them; rows of the
sample that fill a leaf are rows of the table, so that the limits hold all the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.clock import Clock, on_rows_that_fit
from ramify.learning.folds import RowIndices
from ramify.learning.target import Target
from ramify.pruning.path import sequence
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.tree.conditions import LEAF, THRESHOLD, ConditionReader
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor
from ramify.trees.optimal.features import FeatureSet, Mask

_SHARE = 0.25  # of the time that is left


def greedy_tree(
    table: Table, target: Target, limits: dict[str, Any], sparsity: float, clock: Clock
) -> Arrays:
    """Grow a tree of the same limits; it loses the branches that the price of leaves forbids."""

    def grow(rows: RowIndices | None) -> Arrays:
        if rows is None:
            return _greedy_tree(table, target, limits, sparsity)
        return _greedy_tree(table.take(rows), target.take(rows), limits, sparsity)

    return on_rows_that_fit(grow, table.n_rows, len(table), clock.share(_SHARE))


def _greedy_tree(table: Table, target: Target, limits: dict[str, Any], sparsity: float) -> Arrays:
    kind = TreeClassifier if target.n_classes else TreeRegressor
    learner, target = kind(missing="direction", **limits), target.of_present_classes()
    problem = learner.problem(table, target, learner.check_parameters())
    grown = _core.grow(problem, consume=True)
    path = sequence(grown, "cost_complexity", "depth_first", target.costs)
    row = path.at_price(sparsity * target.unit / target.total)
    return path.cut(grown, row).arrays()


def as_splits(
    data: Arrays, features: FeatureSet, table: Table, seconds: float = np.inf
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
        feature, code, turned = ask(features, column, _left(data, node, table))
        at = len(nodes)
        nodes += [first, first + 1]
        splits.append((feature, code, at + turned, at + 1 - turned))
    return splits


def ask(features: FeatureSet, column: int, left: Mask) -> tuple[int, int, bool]:
    """Find the split that divides the rows so, or make it; tells also whether turned round."""
    if (found := features.find(left, column)) is not None:
        return found
    features.add(column, ~left)
    return len(features) - 1, 0, False


def _left(data: Arrays, node: int, table: Table) -> Mask:
    """Tell which of all rows would go to the left at a node of two branches."""
    return np.asarray(branches(data, node, table, stray=1) == 0)


def branches(data: Arrays, node: int, table: Table, stray: int) -> NDArray[np.int32]:
    """Tell the branch of every row; `stray` is for levels and holes that the node has none for."""
    asked = ConditionReader(data, table.schema).coded(node)
    cell = table.arrays[asked.column]
    if asked.kind == THRESHOLD:
        known = asked.threshold == np.inf  # that is what is asked
        above = np.zeros(len(cell), np.bool_) if known else cell > asked.threshold
        branch = above.astype(np.int32)
    else:
        codes, to = asked.codes, asked.branch_of
        of_code = np.full(max(int(cell.max(initial=0)), int(codes.max(initial=0))) + 1, stray)
        of_code[codes] = to
        branch = of_code[np.maximum(cell, 0)].astype(np.int32)
    if table.any_missing(asked.column):
        missing_to = stray if asked.missing_to is None else asked.missing_to
        branch[table.missing(asked.column)] = missing_to
    return branch
