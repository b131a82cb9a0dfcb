"""The greedy tree that a search starts from, and trees as splits over features.

A search never ends with a worse tree than its start. The greedy tree is grown on all rows if a
share of the time is enough, and otherwise on a sample. Limits on the rows of a leaf still hold,
because the rows of the sample are rows of the table. For a tree of the user, see `given`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.clock import Clock, on_rows_that_fit
from ramify.learning.folds import RowIndices
from ramify.learning.number_loss import LOSSES
from ramify.learning.target import Target
from ramify.pruning.path import PruningPath, sequence
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.tree.conditions import LEAF, THRESHOLD, ConditionReader
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor

#: No search goes deeper than this, so a start is no deeper.
DEEPEST: int = _core.deepest_search()
_SHARE = 0.25  # of the time left, for growing the greedy tree


def greedy_tree(
    table: Table, target: Target, limits: dict[str, Any], sparsity: float, clock: Clock
) -> Arrays:
    """Grow a tree under the same limits, and prune branches that are not worth their leaves."""
    return greedy_core(table, target, limits, sparsity, clock).arrays()


def greedy_core(
    table: Table, target: Target, limits: dict[str, Any], sparsity: float, clock: Clock
) -> _core.Tree:
    """Give the greedy tree as the core has it, for the classes that are present."""

    def grow(rows: RowIndices | None) -> _core.Tree:
        if rows is None:
            return _greedy_tree(table.encoded(), target, limits, sparsity)
        return _greedy_tree(table.take(rows), target.take(rows), limits, sparsity)

    return on_rows_that_fit(grow, table.n_rows, len(table), clock.share(_SHARE))


def _greedy_tree(
    table: Table, target: Target, limits: dict[str, Any], sparsity: float
) -> _core.Tree:
    grown, path = greedy_sequence(table, target, limits)
    row = path.at_price(sparsity * target.unit / target.total)
    return path.cut(grown, row)


def greedy_sequence(
    table: Table, target: Target, limits: dict[str, Any]
) -> tuple[_core.Tree, PruningPath]:
    """Grow a tree under the same limits; give it with its cost-complexity sequence."""
    if target.n_classes:
        learner: TreeClassifier | TreeRegressor = TreeClassifier(missing="direction", **limits)
    else:
        measure = target.measure
        criterion = {loss: criterion for criterion, loss in LOSSES.items()}[measure.name]
        learner = TreeRegressor(
            criterion=criterion, quantile=measure.quantile, missing="direction", **limits
        )
    target = target.of_present_classes()
    problem = learner.constrained_problem(table, target, learner.check_parameters())
    grown = _core.grow(problem, consume=not table.is_encoded)
    return grown, sequence(grown, "cost_complexity", "depth_first", target.costs)


def as_splits(
    data: Arrays, features: _core.FeatureSet, table: Table, seconds: float = np.inf
) -> list[tuple[int, int, int, int]]:
    """Write a tree as splits over features. A question that is not among them is added.

    Once the seconds have passed, the nodes that were not reached become leaves.
    """
    clock = Clock(seconds)
    splits: list[tuple[int, int, int, int]] = []
    nodes = [0]
    for node in nodes:  # level by level
        if data["kind"][node] == LEAF or clock.left() <= 0:
            splits.append((-1, 0, -1, -1))
            continue
        column, first = int(data["attribute"][node]), int(data["first_child"][node])
        left = np.asarray(branch_of_rows(data, node, table, default=1) == 0)
        feature, code, swapped = features.find_or_add(left, column)
        child = len(nodes)
        nodes += [first, first + 1]
        splits.append((feature, code, child + swapped, child + 1 - swapped))
    return splits


def branch_of_rows(data: Arrays, node: int, table: Table, default: int) -> NDArray[np.int32]:
    """Give the branch of every row at a node.

    `default` is the branch of levels, and of missing values, that the node says nothing about.
    """
    condition = ConditionReader(data, table.schema).coded(node)
    cells = table.arrays[condition.column]
    if condition.kind == THRESHOLD:
        asks_missing = condition.threshold == np.inf  # all known values go to the left
        above = np.zeros(len(cells), np.bool_) if asks_missing else cells > condition.threshold
        branch = above.astype(np.int32)
    else:
        codes = condition.codes
        of_code = np.full(max(int(cells.max(initial=0)), int(codes.max(initial=0))) + 1, default)
        of_code[codes] = condition.branch_of
        branch = of_code[np.maximum(cells, 0)].astype(np.int32)
    if table.any_missing(condition.column):
        missing_to = default if condition.missing_to is None else condition.missing_to
        branch[table.missing(condition.column)] = missing_to
    return branch
