"""One state of an editor: a version of the tree, and what was set by hand in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tree import Tree
from ramify.tree.by_hand import ByHand

#: The key of a node that no pruning cuts off.
NEVER_PRUNED = np.inf


@dataclass(frozen=True, eq=False)
class State:
    """A version of the tree with its marks.

    Parameters
    ----------
    version : _core.EditedTree
        Nodes with their rows.
    marks : mapping from int to ByHand
        What was set by hand, by the tags that nodes have in the version.
    template : Tree
        A tree with the columns, classes and costs.
    """

    version: _core.EditedTree
    marks: Mapping[int, ByHand]
    template: Tree

    @cached_property
    def tags(self) -> NDArray[np.int64]:
        """The tag of every node; -1 for none."""
        return self.version.tags()

    @cached_property
    def by_hand(self) -> dict[int, ByHand]:
        """The marks by the numbers of the nodes."""
        return {
            int(node): self.marks[int(self.tags[node])]
            for node in np.flatnonzero(self.tags >= 0)
            if int(self.tags[node]) in self.marks
        }

    @cached_property
    def tree(self) -> Tree:
        """The tree as estimators have it."""
        core = self.version.tree
        arrays = core.arrays()
        locked = [node for node, mark in self.by_hand.items() if mark.locked]
        numbers = {
            node: mark.label
            for node, mark in self.by_hand.items()
            if mark.labelled and self.template.task == "regression"
        }
        if locked or numbers:
            arrays = dict(arrays)
            arrays["key"] = np.array(arrays["key"])
            arrays["prediction"] = np.array(arrays["prediction"])
            for node in locked:
                at = node
                while at >= 0:
                    if arrays["n_children"][at]:
                        arrays["key"][at] = NEVER_PRUNED
                    at = int(arrays["parent"][at])
            for node, number in numbers.items():
                arrays["prediction"][node] = float(number)
            core = _core.Tree(core.task, core.n_columns, core.n_outputs, arrays)
        return self.template.with_core(core)

    def path(self, node: int) -> list[int]:
        """The branches to take from the root to a node."""
        data, path = self.tree.data, []
        while (parent := int(data["parent"][node])) >= 0:
            path.append(node - int(data["first_child"][parent]))
            node = parent
        return path[::-1]

    def at(self, path: list[int]) -> int:
        """The node at the end of a path."""
        node = 0
        for branch in path:
            node = int(self.tree.data["first_child"][node]) + branch
        return node

    def above(self, node: int) -> list[int]:
        """The nodes from a node up to the root, without the node."""
        parent, found = self.tree.data["parent"], []
        while (node := int(parent[node])) >= 0:
            found.append(node)
        return found

    def below(self, node: int) -> list[int]:
        """A node and all nodes below it, from the top down."""
        data, found = self.tree.data, [node]
        for at in found:
            first, count = int(data["first_child"][at]), int(data["n_children"][at])
            found += range(first, first + count)
        return found
