"""A tree as exports need it: which branch each value takes at each node, and what leaves answer.

Invariant: a cell of a column with levels is a code, `MISSING` or `UNSEEN`. At a split each of these
goes to one branch, or to None: then it spreads over all branches in proportion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ramify.export.refusals import tree_of
from ramify.tables import ColumnSchema
from ramify.tables.levels import MISSING, UNSEEN
from ramify.tree import Tree
from ramify.tree.conditions import CodedCondition, ConditionReader


@dataclass(frozen=True)
class Split:
    """What an inner node does with every value of its column.

    Parameters
    ----------
    node : int
        The number of the node.
    column : int
        The column that it asks about.
    threshold : float or None
        For a numeric column: branch 0 is ``x <= threshold``. None for other columns.
    levels : tuple of tuple of int
        For a column with levels: the codes of each branch. Empty for a numeric column.
    missing_to, unknown_to : int or None
        The branch of a missing value, and of a level that the node does not list (unseen in
        training, or absent at the node). None spreads the row over all branches.
    children : tuple of int
        The nodes below, one per branch.
    shares : tuple of float
        The proportion of each branch.
    """

    node: int
    column: int
    threshold: float | None
    levels: tuple[tuple[int, ...], ...]
    missing_to: int | None
    unknown_to: int | None
    children: tuple[int, ...]
    shares: tuple[float, ...]

    @property
    def spreads(self) -> bool:
        """Whether any value spreads."""
        return self.missing_to is None or (self.threshold is None and self.unknown_to is None)

    @cached_property
    def listed(self) -> frozenset[int]:
        """The codes that have a branch."""
        return frozenset(code for codes in self.levels for code in codes)

    def unlisted(self, can_be: frozenset[int]) -> frozenset[int]:
        """The levels that the node does not list, among those that the column can have here."""
        return frozenset() if self.threshold is not None else can_be - self.listed - {MISSING}

    def after(self, branch: int, can_be: frozenset[int]) -> frozenset[int]:
        """What the column can be below this branch; a known number is code 0."""
        stays = {0} if self.threshold is not None else set(self.levels[branch])
        if self.missing_to == branch:
            stays.add(MISSING)
        if self.unknown_to == branch:
            stays |= self.unlisted(can_be)
        return can_be & stays


@dataclass(frozen=True, eq=False)
class RoutedTree:
    """A tree with the split of each inner node.

    Parameters
    ----------
    tree : Tree
        The tree.
    splits : dict from int to Split
        The split of each inner node, parents before children.
    leaves : tuple of int
        The leaves in the order in which the core adds them up. This order fixes the last bit of an
        answer that is mixed from several leaves.
    """

    tree: Tree
    splits: dict[int, Split]
    leaves: tuple[int, ...]

    @property
    def classify(self) -> bool:
        """Whether classes are predicted."""
        return self.tree.task == "classification"

    @property
    def spreads(self) -> bool:
        """Whether any row may end in several leaves."""
        return any(split.spreads for split in self.splits.values())

    @cached_property
    def columns(self) -> list[int]:
        """The columns that the tree asks about."""
        return sorted({split.column for split in self.splits.values()})

    def schema(self, column: int) -> ColumnSchema:
        """What is known of a column."""
        return self.tree.schema.columns[column]

    def all_values(self, column: int) -> frozenset[int]:
        """All that a column can be: codes, `MISSING` and `UNSEEN`; a known number is code 0."""
        about = self.schema(column)
        if about.kind == "numeric":
            return frozenset({MISSING, 0})
        return frozenset({MISSING, UNSEEN, *range(len(about.levels))})

    @cached_property
    def classes(self) -> list[Any]:
        """The class labels."""
        assert self.tree.classes is not None
        labels: list[Any] = self.tree.classes.tolist()
        return labels

    @cached_property
    def costs(self) -> list[list[float]] | None:
        """Costs, true class by predicted class."""
        return None if self.tree.costs is None else self.tree.costs.tolist()

    @cached_property
    def values(self) -> dict[int, list[float]]:
        """Per leaf the shares of the classes, divided as in the core, or the one number."""
        data, found = self.tree.data, {}
        for leaf in self.leaves:
            if not self.classify:
                found[leaf] = [float(data["prediction"][leaf])]
                continue
            weight, value = float(data["weight"][leaf]), data["value"][leaf].tolist()
            even = [1.0 / len(value)] * len(value)
            found[leaf] = [one / weight for one in value] if weight > 0 else even
        return found

    @cached_property
    def labels(self) -> dict[int, int]:
        """Per leaf the position of the class that it predicts."""
        codes = self.tree.label_codes
        return {leaf: int(codes[leaf]) for leaf in self.leaves}

    @cached_property
    def n_leaves_below(self) -> dict[int, int]:
        """Per node, the number of leaves below it."""
        count = dict.fromkeys(self.leaves, 1)
        for split in reversed(self.splits.values()):
            count[split.node] = sum(count[child] for child in split.children)
        return count

    def heavy_first(self, split: Split) -> tuple[int, list[int]]:
        """The branch with the most leaves, and the others.

        If the others are written inside a nested text and the heaviest after it, a text of n leaves
        nests at most log2(n) deep, however deep the tree is.
        """
        order = range(len(split.children))
        heavy = max(order, key=lambda b: (self.n_leaves_below[split.children[b]], -b))
        return heavy, [b for b in order if b != heavy]

    def describe(self, split: Split) -> str:
        """The condition in words, on one line."""
        return self.tree.condition(split.node).describe(0, max_levels=3)


def route(model: Any) -> RoutedTree:
    """Read a fitted estimator, or a tree, that a form is to express."""
    tree = tree_of(model)
    conditions = ConditionReader(tree.data, tree.schema)
    inner = np.flatnonzero(tree.data["n_children"]).tolist()
    splits = {node: _split(tree, node, conditions.coded(node)) for node in inner}
    return RoutedTree(tree, splits, tuple(_leaves(tree)))


def _leaves(tree: Tree) -> Iterator[int]:
    first, count = tree.data["first_child"].tolist(), tree.data["n_children"].tolist()
    stack = [0]
    while stack:
        node = stack.pop()
        if not count[node]:
            yield node
        stack += range(first[node] + count[node] - 1, first[node] - 1, -1)


def _split(tree: Tree, node: int, asked: CodedCondition) -> Split:
    first, count = tree.data["first_child"].item(node), asked.n_branches
    about = tree.schema.columns[asked.column]
    numeric = about.kind == "numeric"
    shares = tree.data["proportion"][first : first + count].tolist()
    majority = shares.index(max(shares))
    return Split(
        node=node,
        column=asked.column,
        threshold=asked.threshold if numeric else None,
        levels=() if numeric else tuple(map(tuple, asked.codes_by_branch(len(about.levels)))),
        missing_to=asked.missing_to,
        unknown_to=majority if tree.unseen == "majority" else asked.missing_to,
        children=tuple(range(first, first + count)),
        shares=tuple(shares),
    )
