"""From the splits that a search found to the arrays of a tree.

Invariant: the conditions divide the training rows exactly as the splits do. They are read off the
rows on the two sides: a threshold lies halfway between the values that are neighbours at its node,
and a missing value has a side only where the node has seen some.
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

#: Nodes as the core gives them: feature, code, left, right; the feature of a leaf is -1.
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
    """Build the tree with all that its nodes know of the training rows.

    Parameters
    ----------
    splits : sequence of (int, int, int, int)
        Feature, code, left and right node; the first is the root.
    features : FeatureSet
        What the splits ask for.
    table : Table
        The training table.
    target : Target
        Its classes or numbers.
    rows : ndarray, optional
        Those that the tree knows; None is all.
    """
    nodes = _Nodes(table, target)
    nodes.add(-1, target.all_rows if rows is None else rows)
    places = [0]  # of the nodes among the splits
    for node, at in enumerate(places):  # level by level, so that siblings are neighbours
        feature, code, left, right = splits[at]
        if feature < 0:
            continue
        inside = nodes.rows[node]
        below = features.split(feature, code, inside)
        parts = inside[below], inside[~below]
        condition, turned = _condition(table, features.columns[feature], *parts)
        nodes.split(node, condition, parts[::-1] if turned else parts)
        places += (right, left) if turned else (left, right)
    columns = len(table.schema.columns)
    return _core.Tree(target.task, columns, target.n_classes or 1, nodes.arrays())


def _condition(
    table: Table, column: int, left: RowIndices, right: RowIndices
) -> tuple[_Condition, bool]:
    """Read the condition off the rows; also whether its branches are the other way round."""
    cell, side = table.arrays[column], -1
    here, there = cell[left], cell[right]
    if table.any_missing(column):
        unknown_here, unknown_there = table.missing(column)[left], table.missing(column)[right]
        here, there = here[~unknown_here], there[~unknown_there]
        if not (len(here) and len(there)):  # known values on one side, missing ones on the other
            return _Condition(THRESHOLD, column, np.inf, missing_to=1), not len(here)
        side = 0 if unknown_here.any() else 1 if unknown_there.any() else -1
    if table.schema.columns[column].kind != "nominal":
        threshold = midpoint(float(here.max()), float(there.min()))
        return _Condition(THRESHOLD, column, threshold, side), False
    chosen, others = np.unique(here).tolist(), np.unique(there).tolist()
    branch = dict.fromkeys(chosen, 0) | dict.fromkeys(others, 1)
    levels = sorted(branch)
    branches = [branch[level] for level in levels]
    return _Condition(SUBSET, column, np.nan, side, levels, branches), False


class _Nodes:
    """The nodes of a tree under construction, as lists."""

    def __init__(self, table: Table, target: Target) -> None:
        self.table = table
        self.target = target
        self.conditions: list[_Condition] = []
        self.parent: list[int] = []
        self.first_child: list[int] = []
        self.rows: list[RowIndices] = []
        self.known: list[RowIndices] = []  # the rows that shares are made of

    def add(self, parent: int, rows: RowIndices, known: RowIndices | None = None) -> None:
        self.conditions.append(_LEAF)
        self.parent.append(parent)
        self.first_child.append(-1)
        self.rows.append(rows)
        self.known.append(rows if known is None else known)

    def split(self, node: int, condition: _Condition, parts: tuple[RowIndices, RowIndices]) -> None:
        self.conditions[node] = condition
        self.first_child[node] = len(self.conditions)
        # Shares are those of the known values, unless that is what is asked.
        some_missing = condition.missing_to >= 0 and condition.threshold != np.inf
        for part in parts:
            known = part[~self.table.missing(condition.column)[part]] if some_missing else None
            self.add(node, part, known)

    def arrays(self) -> Arrays:
        """Give the arrays, with all that follows from these lists."""
        conditions, target = self.conditions, self.target
        value, summaries = target.values(self.rows), [target.summary(rows) for rows in self.rows]
        weight = target.weight(value)
        impurity = target.impurities(value, [loss for _, loss in summaries])
        first = np.array(self.first_child)
        inner = first >= 0
        # The children of the inner nodes, in their order, are the pairs of all nodes but the root.
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
