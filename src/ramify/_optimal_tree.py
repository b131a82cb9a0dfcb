"""From the splits that a search found to the arrays of a tree.

Invariant: the conditions divide the training rows exactly as the splits do. They are read off the
rows on the two sides: a threshold lies halfway between the values that are neighbours at its node,
and a missing value has a side only where the node has seen some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._conditions import LEAF, SUBSET, THRESHOLD
from ramify._optimal_features import Cells, FeatureSet, Mask
from ramify._optimal_target import Rows, Target
from ramify._threshold_ranking import midpoint
from ramify._tree_arrays import Arrays, from_tables, to_list

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
    tables = _Tables(cells, target)
    rows = target.all_rows if rows is None else rows
    pending: list[tuple[int, Rows]] = [(0, rows)]
    tables.add_node(-1, rows, target.value(rows), 1.0)
    node = 0
    while node < len(pending):  # level by level, so that siblings are neighbours
        at, rows = pending[node]
        feature, code, left, right = splits[at]
        if feature >= 0:
            below = features.split(feature, code, rows)
            parts = [(left, rows[below]), (right, rows[~below])]
            column = features.columns[feature]
            condition, turned = _condition(cells, column, rows, below)
            if turned:
                parts.reverse()
            tables.split(node, condition, rows, [part for _, part in parts])
            pending += parts
        node += 1
    columns = len(cells.schema.columns)
    return _core.Tree(target.task, columns, target.n_classes or 1, tables.arrays())


def _condition(cells: Cells, column: int, rows: Rows, left: Mask) -> tuple[_Condition, bool]:
    """Read the condition off the rows; also whether its branches are the other way round."""
    missing = cells.missing(column)[rows]
    known = ~missing
    here, there = left & known, ~left & known
    if not (here.any() and there.any()):  # known values on one side, missing ones on the other
        return _Condition(THRESHOLD, column, np.inf, missing_to=1), not here.any()
    side = -1 if not missing.any() else 0 if left[missing][0] else 1
    cell = cells.arrays[column][rows]
    if cells.kinds[column] != "nominal":
        threshold = midpoint(float(cell[here].max()), float(cell[there].min()))
        return _Condition(THRESHOLD, column, threshold, side), False
    levels, first = np.unique(cell[~missing], return_index=True)
    branches = (~left[~missing])[first].astype(int)
    return (
        _Condition(SUBSET, column, np.nan, side, levels.tolist(), branches.tolist()),
        False,
    )


class _Tables:
    """The tables of a tree under construction, as lists."""

    def __init__(self, cells: Cells, target: Target) -> None:
        self.cells = cells
        self.target = target
        self.conditions: list[_Condition] = []
        self.value: list[NDArray[np.float64]] = []
        names = ("first_child", "n_children", "rows", "proportion", "prediction", "expansion")
        self.nodes: dict[str, list[Any]] = {name: [] for name in names}
        self.parent: list[int] = []
        self.losses: list[float] = []

    def add_node(self, parent: int, rows: Rows, value: NDArray[np.float64], share: float) -> None:
        prediction, loss = self.target.summary(rows)
        row = (-1, 0, len(rows), share, prediction, -1)
        for column, cell in zip(self.nodes.values(), row, strict=True):
            column.append(cell)
        self.parent.append(parent)
        self.losses.append(loss)
        self.value.append(value)
        self.conditions.append(_Condition())

    def split(self, node: int, condition: _Condition, rows: Rows, parts: list[Rows]) -> None:
        nodes = self.nodes
        self.conditions[node] = condition
        nodes["first_child"][node] = len(self.conditions)
        nodes["n_children"][node] = len(parts)
        nodes["expansion"][node] = max(nodes["expansion"]) + 1
        values = known = [self.target.value(part) for part in parts]
        # Shares are those of the known values, unless that is what is asked.
        if condition.missing_to >= 0 and condition.threshold != np.inf:
            missing = self.cells.missing(condition.column)
            known = [self.target.value(part[~missing[part]]) for part in parts]
        weights = self.target.weight(np.array(known))
        shares = (weights / weights.sum()).tolist()
        for part, value, share in zip(parts, values, shares, strict=True):
            self.add_node(node, part, value, share)

    def arrays(self) -> Arrays:
        """Give the arrays, with all that follows from these lists."""
        conditions = self.conditions
        starts: NDArray[np.int64] = np.cumsum([0, *(len(one.levels) for one in conditions)])
        value = np.array(self.value)
        weight, impurity = self.target.weight(value), self.target.impurities(value, self.losses)
        inner = np.array([one.kind != LEAF for one in conditions])
        below = np.zeros(len(weight))
        np.add.at(below, self.parent[1:], (weight * impurity)[1:])
        gain = np.where(inner, np.maximum(impurity - below / weight, 0.0), 0.0)
        nodes = self.nodes | {
            "kind": [one.kind for one in conditions],
            "attribute": [one.column for one in conditions],
            "missing_to": [one.missing_to for one in conditions],
            "threshold": to_list(np.array([one.threshold for one in conditions])),
            "prediction": to_list(np.array(self.nodes["prediction"])),
            "weight": weight.tolist(),
            "impurity": impurity.tolist(),
            "gain": gain.tolist(),
            "value": to_list(value),
        }
        levels = {
            "start": starts.tolist(),
            "code": [level for one in conditions for level in one.levels],
            "branch": [branch for one in conditions for branch in one.branches],
        }
        return from_tables({"nodes": nodes, "levels": levels}, value.shape[1])
