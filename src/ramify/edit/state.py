"""One state of an editor: a version of the tree, and what was set by hand in it.

Invariant: a state never changes; nodes are addressed by their numbers in its tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tree import Tree
from ramify.tree.by_hand import ByHand, EditRecord

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
    history : tuple of EditRecord
        The edits that led here.
    """

    version: _core.EditedTree
    marks: Mapping[int, ByHand]
    template: Tree
    history: tuple[EditRecord, ...] = field(default=())

    @cached_property
    def tags(self) -> NDArray[np.int64]:
        """The tag of every node; -1 for none."""
        return self.version.tags()

    @cached_property
    def by_hand(self) -> dict[int, ByHand]:
        """The marks by the numbers of the nodes."""
        nodes = np.flatnonzero(self.tags >= 0)
        pairs = zip(nodes.tolist(), self.tags[nodes].tolist(), strict=True)
        return {node: self.marks[tag] for node, tag in pairs if tag in self.marks}

    @cached_property
    def tree(self) -> Tree:
        """The tree as estimators have it."""
        core = self.version.tree
        locked = [node for node, mark in self.by_hand.items() if mark.locked]
        numbers = {
            node: float(mark.label)
            for node, mark in self.by_hand.items()
            if mark.labelled and self.template.task == "regression"
        }
        if locked or numbers:
            arrays = core.arrays()
            for node in locked:
                at = node
                while at >= 0:
                    if arrays["n_children"][at]:
                        arrays["key"][at] = NEVER_PRUNED
                    at = int(arrays["parent"][at])
            for node, number in numbers.items():
                arrays["prediction"][node] = number
            core = _core.Tree(core.task, core.n_columns, core.n_outputs, arrays)
        return self.template.edited(core, self.by_hand, self.history)

    def with_history(self, history: tuple[EditRecord, ...]) -> State:
        """Give the same state with other records; what is known of its tree stays known."""
        other = replace(self, history=history)
        other.__dict__["tree"] = self.tree.with_history(history)
        return other

    def path(self, node: int) -> list[int]:
        """Give the branches to take from the root to a node."""
        data, path = self.tree.data, []
        while (parent := int(data["parent"][node])) >= 0:
            path.append(node - int(data["first_child"][parent]))
            node = parent
        return path[::-1]

    def at(self, path: list[int]) -> int:
        """Give the node at the end of a path."""
        node = 0
        for branch in path:
            node = int(self.tree.data["first_child"][node]) + branch
        return node

    def above(self, node: int) -> list[int]:
        """Give the nodes from the parent of a node up to the root."""
        parent, found = self.tree.data["parent"], []
        while (node := int(parent[node])) >= 0:
            found.append(node)
        return found

    def below(self, node: int) -> list[int]:
        """Give a node and all nodes below it, from the top down."""
        data, found = self.tree.data, [node]
        for at in found:
            first, count = int(data["first_child"][at]), int(data["n_children"][at])
            found += range(first, first + count)
        return found
