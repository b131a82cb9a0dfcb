"""A mixture as a tree to read: at each gate the most probable branch, by one column.

A gate weighs all columns. The one whose part of the logits varies most over the rows at the gate is
asked alone: a small tree on it says which branch is most probable. If that tree is right on less
than half of the rows on which the commonest branch alone is wrong, the gate does not lean on one
column, and the node stays a leaf.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import Arrays
from ramify.tree.conditions import LEAF
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.mixture.encoding import Design
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.softmax import gram
from ramify.trees.optimal.features import FeatureSet
from ramify.trees.optimal.result import make_tree

Places = NDArray[np.intp]
_LEANS = 0.5
_CHUNK = 8192
_LEAF = (-1, 0, -1, -1)


@dataclass(frozen=True, eq=False)
class Hard:
    """The tree, and the share of the weight that it leads where the gates lead it."""

    core: _core.Tree
    agreement: float


def make_hard_tree(
    mixture: Mixture, owners: Places, design: Design, table: Table, target: Target
) -> Hard:
    """Make the tree with all that its nodes know of the training rows."""
    maker = _Maker(mixture, owners, design, table, target)
    maker.make()
    core = make_tree(maker.splits, maker.features, table, target)
    same = maker.reached == maker.wanted
    return Hard(core, float(np.average(same, weights=target.weights)))


class _Maker:
    def __init__(
        self, mixture: Mixture, owners: Places, design: Design, table: Table, target: Target
    ) -> None:
        self.mixture, self.owners, self.design = mixture, owners, design
        self.table, self.target = table, target
        self.weights = target.row_weights()
        self.choices = self._choices()
        self.wanted = self._experts()
        self.reached = np.zeros(table.n_rows, dtype=np.intp)
        self.features = FeatureSet()
        self.splits: list[tuple[int, int, int, int]] = []

    def _choices(self) -> NDArray[np.int32]:
        """Give the most probable branch of every gate for every row."""
        choices = np.empty((len(self.mixture.gates), self.table.n_rows), dtype=np.int32)
        for at in self.design.blocks():
            choices[:, at] = self.mixture.gate_logs(self.design.block(at)).argmax(axis=1)
        return choices

    def _experts(self) -> Places:
        """Give the expert at the end of the most probable branches."""
        rows, node = np.arange(self.table.n_rows), np.zeros(self.table.n_rows, dtype=np.intp)
        for level in self.mixture.levels:
            node = node * self.mixture.branching + self.choices[level.start + node, rows]
        return node

    def make(self) -> None:
        """Go through the gates from the root, with the rows that the tree sends there."""
        self._add(0, 0, np.arange(self.table.n_rows))

    def _add(self, level: int, node: int, rows: Places) -> int:
        """Add the subtree of a gate or expert; give its place."""
        if level == self.mixture.depth:
            return self._add_leaf(rows)
        gate = self.mixture.levels[level].start + node
        choice = self.choices[gate, rows]
        below = node * self.mixture.branching
        if (choice == choice[0]).all():  # here the gate sends all rows the same way
            return self._add(level + 1, below + int(choice[0]), rows)
        column = self._leader(gate, rows)
        small = self._small_tree(column, rows, choice)
        weights = self.weights[rows]
        predicted = small.branch[small.leaves]
        right = float(weights[predicted == choice].sum())
        common = float(np.bincount(choice, weights).max())
        if right - common <= _LEANS * (float(weights.sum()) - common):
            return self._add_leaf(rows)
        return self._add_small(small, 0, rows, np.arange(len(rows)), column, level + 1, below)

    def _add_leaf(self, rows: Places) -> int:
        self.splits.append(_LEAF)
        self.reached[rows] = np.bincount(self.wanted[rows], self.weights[rows]).argmax()
        return len(self.splits) - 1

    def _leader(self, gate: int, rows: Places) -> int:
        """Give the column whose part of the logits varies most, over some rows."""
        products = np.zeros((self.design.width, self.design.width))
        for at in range(0, len(rows), _CHUNK):
            chunk = rows[at : at + _CHUNK]
            products += gram(self.design.block(chunk), self.weights[chunk])
        products /= products[0, 0]  # the first column is 1
        covariance = products[1:, 1:] - np.outer(products[0, 1:], products[0, 1:])
        belongs = self.owners == np.arange(len(self.table))[:, None]
        spread = np.zeros(len(self.table))
        for coefficients in self.mixture.gates[gate][:, 1:]:
            shared = covariance * np.outer(coefficients, coefficients)
            spread += ((belongs @ shared) * belongs).sum(axis=1)
        return int(spread.argmax())

    def _small_tree(self, column: int, rows: Places, choice: NDArray[np.int32]) -> _SmallTree:
        table = self.table.select([column]).take(rows)
        tree = TreeClassifier(
            criterion="misclassification" if self.mixture.branching == 2 else "gini",
            max_leaves=self.mixture.branching,
            growth="best_first",
            missing="direction",
        )
        tree.fit(table, choice, self.weights[rows])
        leaves = tree.tree_.core.apply(table.cells, tree.tree_.unseen, 1)
        branch = np.array(tree.tree_.predictions, dtype=np.intp)
        return _SmallTree(tree.tree_.data, np.asarray(leaves), branch)

    def _add_small(
        self,
        small: _SmallTree,
        at: int,
        rows: Places,
        inside: Places,
        column: int,
        level: int,
        below: int,
    ) -> int:
        """Add a node of the small tree of a gate, and what comes after it.

        `inside` are the positions of the node's rows among all rows of the gate.
        """
        if small.data["kind"][at] == LEAF:
            return self._add(level, below + int(small.branch[at]), rows)
        first = int(small.data["first_child"][at])
        left = np.isin(small.leaves[inside], small.below(first))
        codes = np.zeros(self.table.n_rows, dtype=np.int32)
        codes[rows[~left]] = 1
        self.features.columns.append(column)
        self.features.codes.append(codes)
        feature, place = len(self.features) - 1, len(self.splits)
        self.splits.append(_LEAF)
        ends = [
            self._add_small(small, first + side, rows[mask], inside[mask], column, level, below)
            for side, mask in enumerate((left, ~left))
        ]
        self.splits[place] = (feature, 0, ends[0], ends[1])
        return place


@dataclass(frozen=True, eq=False)
class _SmallTree:
    """The tree of one gate: its nodes, the leaf of every row, the branch that a node means."""

    data: Arrays
    leaves: Places
    branch: Places

    def below(self, node: int) -> list[int]:
        """Give the leaves of a subtree."""
        if self.data["kind"][node] == LEAF:
            return [node]
        first = int(self.data["first_child"][node])
        return [*self.below(first), *self.below(first + 1)]
