"""From the splits that a search found to the arrays of a tree.

Invariant: the conditions divide the training rows exactly as the splits do. They are read off the
rows on the two sides: a threshold lies halfway between the values that are neighbours at its node,
and a missing value has a side only where the node has seen some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._conditions import LEAF, SUBSET, THRESHOLD
from ramify._optimal_features import Cells, FeatureSet, Mask
from ramify._optimal_target import Rows, Target
from ramify._threshold_ranking import midpoint
from ramify._tree_arrays import Arrays, without_competitors

#: Nodes as the core gives them: feature, code, left, right; the feature of a leaf is -1.
Splits = Sequence[tuple[int, int, int, int]]


@dataclass
class _Condition:
    kind: int = LEAF
    column: int = -1
    threshold: float = np.nan
    missing_to: int = -1
    levels: list[int] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)


def make_tree(
    splits: Splits,
    features: FeatureSet,
    cells: Cells,
    target: Target,
    rows: Rows | None = None,
) -> _core.Tree:
    """Build the tree with all that its nodes know of the training rows.

    Parameters
    ----------
    splits : sequence of (int, int, int, int)
        Feature, code, left and right node; the first is the root.
    features : FeatureSet
        What the splits ask for.
    cells : Cells
        The training table.
    target : Target
        Its classes or numbers.
    rows : ndarray, optional
        Those that the tree knows; None is all.
    """
    nodes = _Nodes(cells, target)
    rows = target.all_rows if rows is None else rows
    pending: list[tuple[int, Rows]] = [(0, rows)]
    nodes.add(-1, rows)
    node = 0
    while node < len(pending):  # level by level, so that siblings are neighbours
        at, rows = pending[node]
        feature, code, left, right = splits[at]
        if feature >= 0:
            below = features.split(feature, code, rows)
            above = ~below
            parts = [(left, rows[below]), (right, rows[above])]
            condition, turned = _condition(cells, features.columns[feature], rows, below, above)
            if turned:
                parts.reverse()
            nodes.split(node, condition, [part for _, part in parts])
            pending += parts
        node += 1
    columns = len(cells.schema.columns)
    return _core.Tree(target.task, columns, target.n_classes or 1, nodes.arrays())


def _condition(
    cells: Cells, column: int, rows: Rows, left: Mask, right: Mask
) -> tuple[_Condition, bool]:
    """Read the condition off the rows; also whether its branches are the other way round."""
    cell, side = cells.arrays[column][rows], -1
    here, there = cell[left], cell[right]
    if cells.any_missing(column):
        missing = cells.missing(column)[rows]
        here, there = cell[left & ~missing], cell[right & ~missing]
        if not (len(here) and len(there)):  # known values on one side, missing ones on the other
            return _Condition(THRESHOLD, column, np.inf, missing_to=1), not len(here)
        if missing.any():
            side = 0 if left[missing][0] else 1
    if cells.schema.columns[column].kind != "nominal":
        threshold = midpoint(float(here.max()), float(there.min()))
        return _Condition(THRESHOLD, column, threshold, side), False
    chosen, others = np.unique(here).tolist(), np.unique(there).tolist()
    branch = dict.fromkeys(chosen, 0) | dict.fromkeys(others, 1)
    levels = sorted(branch)
    branches = [branch[level] for level in levels]
    return _Condition(SUBSET, column, np.nan, side, levels, branches), False


class _Nodes:
    """The nodes of a tree under construction, as lists."""

    def __init__(self, cells: Cells, target: Target) -> None:
        self.cells = cells
        self.target = target
        self.conditions: list[_Condition] = []
        self.parent: list[int] = []
        self.first_child: list[int] = []
        self.rows: list[int] = []
        self.value: list[NDArray[np.float64]] = []
        self.known: list[NDArray[np.float64]] = []  # of the rows that shares are made of
        self.summary: list[tuple[float, float]] = []

    def add(self, parent: int, rows: Rows, known: Rows | None = None) -> None:
        value = self.target.value(rows)
        self.conditions.append(_Condition())
        self.parent.append(parent)
        self.first_child.append(-1)
        self.rows.append(len(rows))
        self.value.append(value)
        self.known.append(value if known is None else self.target.value(known))
        self.summary.append(self.target.summary(rows))

    def split(self, node: int, condition: _Condition, parts: list[Rows]) -> None:
        self.conditions[node] = condition
        self.first_child[node] = len(self.conditions)
        # Shares are those of the known values, unless that is what is asked.
        some_missing = condition.missing_to >= 0 and condition.threshold != np.inf
        for part in parts:
            known = part[~self.cells.missing(condition.column)[part]] if some_missing else None
            self.add(node, part, known)

    def arrays(self) -> Arrays:
        """Give the arrays, with all that follows from these lists."""
        conditions, target = self.conditions, self.target
        value, prediction = np.array(self.value), [mean for mean, _ in self.summary]
        weight = target.weight(value)
        impurity = target.impurities(value, [loss for _, loss in self.summary])
        first = np.array(self.first_child)
        inner = first >= 0
        below = np.zeros(len(weight))
        np.add.at(below, self.parent[1:], (weight * impurity)[1:])
        pairs = target.weight(np.array(self.known))[1:].reshape(-1, 2)
        nodes = {
            "parent": self.parent,
            "first_child": first,
            "n_children": np.where(inner, 2, 0),
            "kind": [one.kind for one in conditions],
            "attribute": [one.column for one in conditions],
            "threshold": [one.threshold for one in conditions],
            "missing_to": [one.missing_to for one in conditions],
            "proportion": np.append(1.0, pairs / pairs.sum(axis=1, keepdims=True)),
            "rows": self.rows,
            "weight": weight,
            "impurity": impurity,
            "gain": np.where(inner, np.maximum(impurity - below / weight, 0.0), 0.0),
            "expansion": np.where(inner, np.cumsum(inner) - 1, -1),
            "prediction": prediction,
        }
        levels = {
            "start": np.cumsum([0, *(len(one.levels) for one in conditions)]),
            "code": [level for one in conditions for level in one.levels],
            "branch": [branch for one in conditions for branch in one.branches],
        }
        return without_competitors(nodes, value, levels)
