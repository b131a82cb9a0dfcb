"""A tree of the user as the place where a search begins.

Its questions are asked in its order, as far as the limits of the search allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from ramify.learning.clock import Clock
from ramify.learning.folds import RowIndices
from ramify.learning.model import TableModel
from ramify.learning.target import Target
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.tree.conditions import LEAF
from ramify.trees.optimal.features import FeatureSet, Mask
from ramify.trees.optimal.start import ask, branches


@dataclass
class _Place:
    """A node of the tree to begin with: a leaf, unless it asks a question."""

    rows: RowIndices
    loss: float
    column: int = -1
    left: Mask | None = None  # of all rows
    parts: tuple[_Place, ...] = ()

    def places(self) -> list[_Place]:
        """Give the node and all below it, level by level."""
        found = [self]
        for place in found:
            found += place.parts
        return found


@dataclass(frozen=True)
class GivenTree:
    """A fitted tree, from which questions are taken as far as the limits of the search allow.

    Its leaves predict what is best for the rows they get, so that on the rows it was fitted on it
    errs no more than before, if it keeps the limits and divides no row among branches.
    """

    tree: Tree

    @classmethod
    def of(cls, start: Any) -> GivenTree:
        """Read the parameter: a tree, or an estimator that has one."""
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
                f"start={type(start).__name__}(...) has no tree: fit it first. A copy of an "
                "estimator, as in a grid search, has unfitted parts: there, give start=fitted.tree_"
            )
        raise ValueError(
            f"start={start!r:.80} must be 'greedy', None, a fitted estimator of a tree, or its "
            "tree_"
        )

    def check(self, schema: Schema, task: str) -> None:
        """Raise a ValueError if the tree cannot be asked about these columns."""
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
            raise ValueError(f"start is {problem}; choose one that was fitted on such columns")

    def splits(
        self,
        features: FeatureSet,
        table: Table,
        target: Target,
        limits: dict[str, Any],
        seconds: float = np.inf,
    ) -> list[tuple[int, int, int, int]]:
        """Say the tree in terms of features; what none of them asks becomes a feature, too."""
        root = self._root(table, target, limits, Clock(seconds))
        _cut_to(root, int(limits["max_leaves"]))
        splits: list[tuple[int, int, int, int]] = []
        places = [root]
        for place in places:  # level by level
            if place.left is None:
                splits.append((-1, 0, -1, -1))
                continue
            feature, code, turned = ask(features, place.column, place.left)
            at = len(places)
            places += place.parts
            splits.append((feature, code, at + turned, at + 1 - turned))
        return splits

    def _root(self, table: Table, target: Target, limits: dict[str, Any], clock: Clock) -> _Place:
        """Make the tree, as deep and with leaves as large as it may have them."""
        data, asked = self.tree.data, _coded_as(self.tree.schema, table)
        least, depth = int(limits["min_samples_leaf"]), int(limits["max_depth"])
        known: dict[int, NDArray[np.int32]] = {}

        def branches_of(node: int) -> NDArray[np.int32]:
            if node not in known:
                first, n = int(data["first_child"][node]), int(data["n_children"][node])
                heaviest = int(np.argmax(data["proportion"][first : first + n]))
                known[node] = branches(data, node, asked, heaviest)
            return known[node]

        def make(node: int, group: tuple[int, ...], rows: RowIndices, depth: int) -> _Place:
            """Ask what tells the branches of a group apart, half of them and the others."""
            place = _Place(rows, target.leaf_loss(rows))
            while depth > 0 and len(rows) >= 2 * least and clock.left() > 0:
                if len(group) < 2:
                    node = int(data["first_child"][node]) + group[0] if group else node
                    if data["kind"][node] == LEAF:
                        break
                    group = tuple(range(int(data["n_children"][node])))
                halves = group[: len(group) // 2], group[len(group) // 2 :]
                left = np.isin(branches_of(node), halves[0])
                below = left[rows]
                parts = rows[below], rows[~below]
                if min(map(len, parts)) < least:  # a question of no use here
                    group = halves[int(len(parts[1]) > len(parts[0]))]
                    continue
                place.column, place.left = int(data["attribute"][node]), left
                place.parts = tuple(
                    make(node, half, part, depth - 1)
                    for half, part in zip(halves, parts, strict=True)
                )
                break
            return place

        return make(0, (), target.all_rows, depth)


#: What a search may begin with: a tree of the user, the limits of a greedy one, or nothing.
Beginning = GivenTree | dict[str, Any] | None


def _coded_as(schema: Schema, table: Table) -> Table:
    """Give the same cells with the codes that another schema has for their levels."""
    arrays = []
    for old, new, array in zip(schema.columns, table.schema.columns, table.arrays, strict=True):
        if old.kind == "numeric" or old.levels == new.levels:
            arrays.append(array)
            continue
        # An ordinal level that is new has no place in the order: it is as good as missing.
        unknown = -1 if old.kind == "ordinal" else len(old.levels)
        of_code = np.array([old.index.get(level, unknown) for level in new.levels], dtype=np.int32)
        recoded = of_code[np.maximum(array, 0)] if len(of_code) else array
        arrays.append(np.where(array < 0, array, recoded))
    return Table(schema, table.n_rows, None, arrays)


def _cut_to(root: _Place, max_leaves: int) -> None:
    """Take back the questions that save least, until the tree has no more leaves than it may."""
    places = root.places()
    leaves = sum(place.left is None for place in places)
    while leaves > max_leaves:
        last = [p for p in places if p.parts and all(part.left is None for part in p.parts)]
        least = min(last, key=lambda p: p.loss - sum(part.loss for part in p.parts))
        least.left, least.parts = None, ()
        leaves -= 1
