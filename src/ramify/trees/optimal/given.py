"""A search that starts from a tree of the user.

Its questions are taken in its order, as far as the limits of the search allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from ramify import _core
from ramify.learning.clock import Clock
from ramify.learning.folds import RowIndices
from ramify.learning.model import TableModel
from ramify.learning.target import Target
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.tree.conditions import LEAF
from ramify.trees.optimal.start import DEEPEST, branch_of_rows


@dataclass
class _StartNode:
    """A node of the tree that the search starts from: a leaf, or a question with two children."""

    rows: RowIndices
    loss: float  # as a leaf
    column: int = -1
    left: NDArray[np.bool_] | None = None  # which of all rows go to the left; None for a leaf
    children: tuple[_StartNode, ...] = ()

    def nodes(self) -> list[_StartNode]:
        """Give the node and all nodes below it, level by level."""
        found = [self]
        for node in found:
            found += node.children
        return found


@dataclass(frozen=True)
class GivenTree:
    """A fitted tree whose questions are taken as far as the limits of the search allow.

    Each leaf predicts what is best for its rows. So, on the rows that the tree was fitted on, its
    error does not rise if it is within the limits and divides no row among branches.
    """

    tree: Tree

    @classmethod
    def of(cls, start: Any) -> GivenTree:
        """Read the parameter `start`: a tree, or an estimator that has one."""
        if isinstance(start, Tree):
            return cls(start)
        if isinstance(getattr(start, "tree_", None), Tree):
            return cls(start.tree_)
        if isinstance(start, BaseEstimator):
            if isinstance(start, TableModel) and start.exported_instead:
                raise ValueError(
                    f"start={type(start).__name__}(...) is not one tree; give a fitted estimator "
                    "of one tree, or its tree_"
                )
            raise NotFittedError(
                f"start={type(start).__name__}(...) has no tree: fit it first. A grid search "
                "copies estimators without what they learned: there, give start=fitted.tree_"
            )
        raise ValueError(
            f"start={start!r:.80} must be 'greedy', None, a fitted estimator of one tree, or its "
            "tree_"
        )

    def check(self, schema: Schema, task: str) -> None:
        """Raise a ValueError if the tree does not fit the columns or the task."""
        mine, problem = self.tree.schema, ""
        if self.tree.task != task:
            problem = f"a tree of {self.tree.task}, but this is {task}"
        elif len(mine) != len(schema):
            problem = f"a tree of {len(mine)} columns, but X has {len(schema)}"
        for old, new in zip(mine.columns, schema.columns, strict=False):
            if problem:
                break
            if old.name != new.name and mine.named and schema.named:
                problem = f"a tree with a column {old.name!r} where X has {new.name!r}"
            elif old.kind != new.kind:
                problem = (
                    f"a tree whose column {old.name!r} is {old.kind}, but in X it is {new.kind}"
                )
        if problem:
            raise ValueError(f"start is {problem}; choose a tree that was fitted on such columns")

    def check_columns(self, allowed: list[int] | None) -> None:
        """Raise a ValueError if the tree asks a column that is left out."""
        asked = self.tree.data["attribute"][self.tree.data["kind"] != LEAF].tolist()
        for column in asked:
            if allowed is not None and column not in allowed:
                name = self.tree.schema.columns[column].name
                raise ValueError(
                    f"start asks the column {name!r}, which exclude leaves out; choose another "
                    "start, or leave the column in"
                )

    def splits(
        self,
        features: _core.FeatureSet,
        table: Table,
        target: Target,
        limits: dict[str, Any],
        seconds: float = np.inf,
        *,
        rows: RowIndices | None = None,
        columns: list[int] | None = None,
    ) -> list[tuple[int, int, int, int]]:
        """Write the tree as splits over features. A question that is not among them is added.

        With `rows`, the tree is made for these rows alone, and with `columns` it asks these alone.
        """
        rows = target.all_rows if rows is None else rows
        root = self._root(table, target, limits, Clock(seconds), rows, columns)
        _prune(root, int(limits["max_leaves"]))
        splits: list[tuple[int, int, int, int]] = []
        nodes = [root]
        for node in nodes:  # level by level
            if node.left is None:
                splits.append((-1, 0, -1, -1))
                continue
            feature, code, swapped = features.find_or_add(node.left, node.column)
            child = len(nodes)
            nodes += node.children
            splits.append((feature, code, child + swapped, child + 1 - swapped))
        return splits

    def _root(
        self,
        table: Table,
        target: Target,
        limits: dict[str, Any],
        clock: Clock,
        rows: RowIndices,
        columns: list[int] | None,
    ) -> _StartNode:
        """Make the tree within the limits on its depth and on the rows of its leaves."""
        data, recoded = self.tree.data, recode(table, self.tree.schema)
        least, depth = int(limits["min_samples_leaf"]), min(int(limits["max_depth"]), DEEPEST)
        computed: dict[int, NDArray[np.int32]] = {}

        def branches_at(node: int) -> NDArray[np.int32]:
            if node not in computed:
                first, n = int(data["first_child"][node]), int(data["n_children"][node])
                heaviest = int(np.argmax(data["proportion"][first : first + n]))
                computed[node] = branch_of_rows(data, node, recoded, heaviest)
            return computed[node]

        def make(node: int, group: tuple[int, ...], rows: RowIndices, depth: int) -> _StartNode:
            """Make the node that separates the first half of a group of branches from the rest.

            A group of one branch means the node that it leads to, an empty one `node` itself.
            """
            made = _StartNode(rows, target.leaf_loss(rows))
            while depth > 0 and len(rows) >= 2 * least and clock.left() > 0:
                if len(group) < 2:
                    node = int(data["first_child"][node]) + group[0] if group else node
                    if data["kind"][node] == LEAF:
                        break
                    group = tuple(range(int(data["n_children"][node])))
                halves = group[: len(group) // 2], group[len(group) // 2 :]
                left = np.isin(branches_at(node), halves[0])
                goes_left = left[rows]
                parts = rows[goes_left], rows[~goes_left]
                out = columns is not None and int(data["attribute"][node]) not in columns
                if min(map(len, parts)) < least or out:
                    # Skips the question, and follows the larger part.
                    group = halves[int(len(parts[1]) > len(parts[0]))]
                    continue
                made.column, made.left = int(data["attribute"][node]), left
                made.children = tuple(
                    make(node, half, part, depth - 1)
                    for half, part in zip(halves, parts, strict=True)
                )
                break
            return made

        return make(0, (), rows, depth)


#: What a search starts from: a tree of the user, a greedy tree with these limits, or nothing.
StartFrom = GivenTree | dict[str, Any] | None


def recode(table: Table, schema: Schema) -> Table:
    """Give the same cells with the codes that another schema has for their levels."""
    arrays = []
    for old, new, array in zip(schema.columns, table.schema.columns, table.arrays, strict=True):
        if old.kind == "numeric" or old.levels == new.levels:
            arrays.append(array)
            continue
        # A new ordinal level has no place in the order, so it counts as missing.
        unknown = -1 if old.kind == "ordinal" else len(old.levels)
        of_code = np.array([old.index.get(level, unknown) for level in new.levels], dtype=np.int32)
        recoded = of_code[np.maximum(array, 0)] if len(of_code) else array
        arrays.append(np.where(array < 0, array, recoded))
    return Table(schema, table.n_rows, None, arrays)


def _prune(root: _StartNode, max_leaves: int) -> None:
    """Remove the questions that save least, until the tree has at most this many leaves."""
    nodes = root.nodes()
    leaves = sum(node.left is None for node in nodes)
    while leaves > max_leaves:
        above_leaves = [
            node
            for node in nodes
            if node.children and all(child.left is None for child in node.children)
        ]
        weakest = min(
            above_leaves, key=lambda node: node.loss - sum(child.loss for child in node.children)
        )
        weakest.left, weakest.children = None, ()
        leaves -= 1
