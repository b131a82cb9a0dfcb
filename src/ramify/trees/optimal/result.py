"""Turns the splits that a search found into a tree.

Invariant: the conditions divide the training rows exactly as the splits do. They are read off the
rows on the two sides. A threshold lies halfway between neighbouring values at its node. A missing
value has a side only if the node has seen missing values.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ramify import _core
from ramify.learning.folds import RowIndices
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import Arrays, without_competitors
from ramify.tree.conditions import LEAF, SUBSET, THRESHOLD, midpoint
from ramify.trees.optimal.features import FeatureSet

#: Nodes as the core gives them: feature, code, left node, right node. A leaf has feature -1.
Splits = Sequence[tuple[int, int, int, int]]


class _Condition(NamedTuple):
    kind: int = LEAF
    column: int = -1
    threshold: float = np.nan
    missing_to: int = -1
    levels: Sequence[int] = ()
    branches: Sequence[int] = ()


_LEAF = _Condition()


def make_tree(
    splits: Splits,
    features: FeatureSet,
    table: Table,
    target: Target,
    rows: RowIndices | None = None,
) -> _core.Tree:
    """Build the tree, with the training rows in its nodes.

    Parameters
    ----------
    splits : sequence of (int, int, int, int)
        Feature, code, left and right node. The first is the root.
    features : FeatureSet
        The features of the splits.
    table : Table
        The training table.
    target : Target
        Its classes or numbers.
    rows : ndarray, optional
        The rows to put in the tree; None is all.
    """
    nodes = _Nodes(table, target)
    nodes.add(-1, target.all_rows if rows is None else rows)
    order = [0]  # the splits of the nodes
    for node, split in enumerate(order):  # level by level, so that siblings are neighbours
        feature, code, left, right = splits[split]
        if feature < 0:
            continue
        inside = nodes.rows[node]
        goes_left = features.split(feature, code, inside)
        parts = inside[goes_left], inside[~goes_left]
        condition, swapped = _condition(table, features.columns[feature], *parts)
        nodes.split(node, condition, parts[::-1] if swapped else parts)
        order += (right, left) if swapped else (left, right)
    columns = len(table.schema.columns)
    return _core.Tree(target.task, columns, target.n_classes or 1, nodes.arrays())


def _condition(
    table: Table, column: int, left: RowIndices, right: RowIndices
) -> tuple[_Condition, bool]:
    """Read the condition off the rows; tell also whether its branches are swapped."""
    cells, missing_to = table.arrays[column], -1
    on_left, on_right = cells[left], cells[right]
    if table.any_missing(column):
        missing_left, missing_right = table.missing(column)[left], table.missing(column)[right]
        on_left, on_right = on_left[~missing_left], on_right[~missing_right]
        if not (len(on_left) and len(on_right)):  # known on one side, missing on the other
            return _Condition(THRESHOLD, column, np.inf, missing_to=1), not len(on_left)
        missing_to = 0 if missing_left.any() else 1 if missing_right.any() else -1
    if table.schema.columns[column].kind != "nominal":
        threshold = midpoint(float(on_left.max()), float(on_right.min()))
        return _Condition(THRESHOLD, column, threshold, missing_to), False
    levels_left, levels_right = np.unique(on_left).tolist(), np.unique(on_right).tolist()
    branch = dict.fromkeys(levels_left, 0) | dict.fromkeys(levels_right, 1)
    levels = sorted(branch)
    branches = [branch[level] for level in levels]
    return _Condition(SUBSET, column, np.nan, missing_to, levels, branches), False


class _Nodes:
    """The nodes of a tree under construction, as lists."""

    def __init__(self, table: Table, target: Target) -> None:
        self.table = table
        self.target = target
        self.conditions: list[_Condition] = []
        self.parent: list[int] = []
        self.first_child: list[int] = []
        self.rows: list[RowIndices] = []
        self.known: list[RowIndices] = []  # the rows that give the proportions

    def add(self, parent: int, rows: RowIndices, known: RowIndices | None = None) -> None:
        self.conditions.append(_LEAF)
        self.parent.append(parent)
        self.first_child.append(-1)
        self.rows.append(rows)
        self.known.append(rows if known is None else known)

    def split(self, node: int, condition: _Condition, parts: tuple[RowIndices, RowIndices]) -> None:
        self.conditions[node] = condition
        self.first_child[node] = len(self.conditions)
        # Proportions count known values only, unless the node asks whether a value is missing.
        some_missing = condition.missing_to >= 0 and condition.threshold != np.inf
        for part in parts:
            known = part[~self.table.missing(condition.column)[part]] if some_missing else None
            self.add(node, part, known)

    def arrays(self) -> Arrays:
        """Compute the arrays of the tree."""
        conditions, target = self.conditions, self.target
        value, summaries = target.values(self.rows), [target.summary(rows) for rows in self.rows]
        weight = target.weight(value)
        impurity = target.impurities(value, [loss for _, loss in summaries])
        first = np.array(self.first_child)
        inner = first >= 0
        # All nodes but the root are pairs of siblings, in the order of their parents.
        gain = np.zeros(len(weight))
        below = (weight * impurity)[1:].reshape(-1, 2).sum(axis=1)
        gain[inner] = np.maximum(impurity[inner] - below / weight[inner], 0.0)
        all_known = all(map(operator.is_, self.known, self.rows))
        known = weight if all_known else target.weight(target.values(self.known))
        pairs = known[1:].reshape(-1, 2)
        nodes = {
            "parent": self.parent,
            "first_child": first,
            "n_children": np.where(inner, 2, 0),
            "kind": [one.kind for one in conditions],
            "attribute": [one.column for one in conditions],
            "threshold": [one.threshold for one in conditions],
            "missing_to": [one.missing_to for one in conditions],
            "proportion": np.append(1.0, pairs / pairs.sum(axis=1, keepdims=True)),
            "rows": [len(rows) for rows in self.rows],
            "weight": weight,
            "impurity": impurity,
            "gain": gain,
            "expansion": np.where(inner, np.cumsum(inner) - 1, -1),
            "prediction": [mean for mean, _ in summaries],
        }
        levels = {
            "start": np.cumsum([0, *(len(one.levels) for one in conditions)]),
            "code": [level for one in conditions for level in one.levels],
            "branch": [branch for one in conditions for branch in one.branches],
        }
        return without_competitors(nodes, value, levels)
