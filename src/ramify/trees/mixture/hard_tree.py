"""A mixture as a tree that can be read: each gate becomes questions about one column.

A gate weighs all columns. Here, only the column whose part of the logits varies most over the rows
at the gate is used: a small tree on it predicts the most probable branch. That tree must avoid more
than half of the errors that the commonest branch alone would make. Otherwise one column cannot
stand for the gate, and the node stays a leaf.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.folds import RowIndices
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.tree.conditions import LEAF
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.mixture.encoding import Design, Encoding
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.softmax import gram
from ramify.trees.optimal.features import tree_of_splits

Experts = NDArray[np.intp]
_LEAST_AVOIDED = 0.5  # share of the errors of the commonest branch
_CHUNK = 8192  # rows
_LEAF = (-1, 0, -1, -1)


@dataclass(frozen=True, eq=False)
class HardTree:
    """The tree, and the share of the weight that it leads to the same expert as the gates."""

    core: _core.Tree
    agreement: float


def make_hard_tree(
    mixture: Mixture, encoding: Encoding, design: Design, table: Table, target: Target
) -> HardTree:
    """Make the tree, with the training rows of `table` in its nodes."""
    builder = _HardTreeBuilder(mixture, encoding, design, table, target)
    builder.build()
    core = tree_of_splits(builder.splits, builder.features, table, target)
    same = builder.expert_by_tree == builder.expert_by_gates
    return HardTree(core, float(np.average(same, weights=target.weights)))


class _HardTreeBuilder:
    """Collects the splits of the tree, gate by gate from the root."""

    def __init__(
        self, mixture: Mixture, encoding: Encoding, design: Design, table: Table, target: Target
    ) -> None:
        self.mixture, self.encoding, self.design = mixture, encoding, design
        self.table = table
        self.weights = target.row_weights()
        self.branches = self._most_probable_branches()
        self.expert_by_gates = self._most_probable_experts()
        self.expert_by_tree = np.zeros(table.n_rows, dtype=np.intp)
        self.features = _core.FeatureSet(table.n_rows, across_columns=False)
        self.splits: list[tuple[int, int, int, int]] = []

    def _most_probable_branches(self) -> NDArray[np.int32]:
        """Give the most probable branch of every gate for every row: gates x rows."""
        branches = np.empty((len(self.mixture.gates), self.table.n_rows), dtype=np.int32)
        for at in self.design.blocks():
            branches[:, at] = self.mixture.gate_logs(self.design.block(at)).argmax(axis=1)
        return branches

    def _most_probable_experts(self) -> Experts:
        """Give each row's expert at the end of its most probable branches."""
        rows, node = np.arange(self.table.n_rows), np.zeros(self.table.n_rows, dtype=np.intp)
        for level in self.mixture.levels:
            node = node * self.mixture.branching + self.branches[level.start + node, rows]
        return node

    def build(self) -> None:
        """Add all gates, each with the rows that the tree sends to it."""
        self._add(0, 0, np.arange(self.table.n_rows))

    def _add(self, level: int, node: int, rows: RowIndices) -> int:
        """Add the subtree of a gate or expert; give its index among the splits."""
        if level == self.mixture.depth:
            return self._add_leaf(rows)
        gate = self.mixture.levels[level].start + node
        branch = self.branches[gate, rows]
        first_child = node * self.mixture.branching
        if (branch == branch[0]).all():  # the gate sends all these rows the same way
            return self._add(level + 1, first_child + int(branch[0]), rows)
        column = self._most_varying_column(gate, rows)
        gate_tree = self._gate_tree(column, rows, branch)
        weights = self.weights[rows]
        predicted = gate_tree.branch[gate_tree.leaves]
        right = float(weights[predicted == branch].sum())
        commonest = float(np.bincount(branch, weights).max())
        if right - commonest <= _LEAST_AVOIDED * (float(weights.sum()) - commonest):
            return self._add_leaf(rows)
        positions = np.arange(len(rows))
        return self._add_gate_tree(gate_tree, 0, rows, positions, column, level + 1, first_child)

    def _add_leaf(self, rows: RowIndices) -> int:
        self.splits.append(_LEAF)
        experts = self.expert_by_gates[rows]
        self.expert_by_tree[rows] = np.bincount(experts, self.weights[rows]).argmax()
        return len(self.splits) - 1

    def _most_varying_column(self, gate: int, rows: RowIndices) -> int:
        """Give the column whose part of the gate's logits varies most over these rows."""
        products = np.zeros((self.design.width, self.design.width))
        for at in range(0, len(rows), _CHUNK):
            chunk = rows[at : at + _CHUNK]
            products += gram(self.design.block(chunk), self.weights[chunk])
        products /= products[0, 0]  # the first column is 1
        covariance = products[1:, 1:] - np.outer(products[0, 1:], products[0, 1:])
        belongs = self.encoding.source_columns == np.arange(len(self.table))[:, None]
        spread = np.zeros(len(self.table))
        for coefficients in self.mixture.gates[gate][:, 1:]:
            shared = covariance * np.outer(coefficients, coefficients)
            spread += ((belongs @ shared) * belongs).sum(axis=1)
        return int(spread.argmax())

    def _gate_tree(self, column: int, rows: RowIndices, branch: NDArray[np.int32]) -> _GateTree:
        """Grow a small tree on one column that predicts the branch of each row."""
        table = self.table.select([column]).take(rows)
        tree = TreeClassifier(
            criterion="misclassification" if self.mixture.branching == 2 else "gini",
            max_leaves=self.mixture.branching,
            growth="best_first",
            missing="direction",
        )
        tree.fit(table, branch, self.weights[rows])
        leaves = tree.tree_.core.apply(table.cells, tree.tree_.unseen, 1)
        predictions = np.array(tree.tree_.predictions, dtype=np.intp)
        return _GateTree(tree.tree_.data, np.asarray(leaves), predictions)

    def _add_gate_tree(
        self,
        tree: _GateTree,
        node: int,
        rows: RowIndices,
        positions: RowIndices,
        column: int,
        level: int,
        first_child: int,
    ) -> int:
        """Add a node of the small tree of a gate, and everything below it.

        `positions` are those of the node's rows among all rows of the gate. `level` and
        `first_child` are those of the gates or experts that the branches lead to.
        """
        if tree.data["kind"][node] == LEAF:
            return self._add(level, first_child + int(tree.branch[node]), rows)
        first = int(tree.data["first_child"][node])
        left = np.isin(tree.leaves[positions], tree.leaves_below(first))
        on_left = np.ones(self.table.n_rows, dtype=np.bool_)
        on_left[rows[~left]] = False
        feature, code, swapped = self.features.find_or_add(on_left, column)
        index = len(self.splits)
        self.splits.append(_LEAF)
        children = [
            self._add_gate_tree(
                tree, first + side, rows[mask], positions[mask], column, level, first_child
            )
            for side, mask in enumerate((left, ~left))
        ]
        self.splits[index] = (feature, code, children[swapped], children[1 - swapped])
        return index


@dataclass(frozen=True, eq=False)
class _GateTree:
    """The small tree of one gate."""

    data: Arrays
    leaves: NDArray[np.intp]  # of each row
    branch: NDArray[np.intp]  # that each node predicts

    def leaves_below(self, node: int) -> list[int]:
        """Give the leaves of a subtree."""
        if self.data["kind"][node] == LEAF:
            return [node]
        first = int(self.data["first_child"][node])
        return [*self.leaves_below(first), *self.leaves_below(first + 1)]
