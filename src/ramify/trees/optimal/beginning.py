"""A tree whose beginning is laid down: which rows come to its branches, and the ways that are open.

A condition sends the rows to its branches. Where it does not say which branch takes the rows
without a value, each of them is a way, and the best one is wanted. Invariant: every row of a node
comes to exactly one branch of each way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ramify.learning.folds import RowIndices
from ramify.tables import Table
from ramify.tree.conditions import LEAF, THRESHOLD
from ramify.trees.optimal.features import Fixed, Splits
from ramify.trees.optimal.found import Known
from ramify.trees.optimal.search import Skeleton

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Branch:
    """A branch of the beginning that may go on: its rows, and what is known of its trees.

    Parameters
    ----------
    rows : ndarray
        Rows of the table, ascending.
    depth : int
        How many levels it may have; 0 if it is closed.
    columns : list of int or None
        The columns that it may ask; None means all.
    passed : tuple of int
        Conditions that were left out on the way to it.
    """

    rows: RowIndices
    depth: int
    columns: list[int] | None
    passed: tuple[int, ...] = ()
    start: Splits = ()
    known: Known = field(default_factory=Known)

    def branches(self) -> Iterator[Branch]:
        """Give the branches of all ways."""
        yield self

    def capacity(self, least: int) -> int:
        """Give the most leaves that the limits allow."""
        fit = max(1, len(self.rows) // max(least, 1))
        return fit if self.depth >= fit.bit_length() else min(fit, 2**self.depth)

    def fewest(self) -> int:
        """Give the number of leaves of the smallest tree."""
        return 1


@dataclass(eq=False)
class _Several:
    """What is made of parts."""

    parts: list[Part]

    def branches(self) -> Iterator[Branch]:
        """Give the branches of all ways."""
        for part in self.parts:
            yield from part.branches()


@dataclass(eq=False)
class Divided(_Several):
    """A node with a condition, and its branches that have rows.

    `fixed` is the number of the condition, with its branch for missing values; `passed` are the
    conditions that were left out on the way to it.
    """

    fixed: int
    passed: tuple[int, ...] = ()

    def capacity(self, least: int) -> int:
        """Give the most leaves that the limits allow."""
        return sum(part.capacity(least) for part in self.parts)

    def fewest(self) -> int:
        """Give the number of leaves of the smallest tree."""
        return sum(part.fewest() for part in self.parts)


@dataclass(eq=False)
class Ways(_Several):
    """A node whose rows without a value may go to one branch or another."""

    def capacity(self, least: int) -> int:
        """Give the most leaves that the limits allow."""
        return max(part.capacity(least) for part in self.parts)

    def fewest(self) -> int:
        """Give the number of leaves of the smallest tree."""
        return min(part.fewest() for part in self.parts)


Part = Branch | Divided | Ways


class Beginning:
    """The beginning of a tree on the rows of a table.

    Parameters
    ----------
    skeleton : Skeleton
    table : Table
    max_depth : int
        Largest depth of the whole tree.
    columns : list of int or None
        The columns that may be asked below it; None means all.

    Attributes
    ----------
    root : Branch, Divided or Ways
    fixed : list of tuple
        The conditions, once for each branch that takes the rows without a value.
    """

    def __init__(
        self, skeleton: Skeleton, table: Table, max_depth: int, columns: list[int] | None
    ) -> None:
        self.words = skeleton.words
        self.fixed: list[Fixed] = []
        self._nodes, self._table = skeleton.nodes, table
        self._number_of: dict[tuple[int, int], int] = {}
        self._met: dict[tuple[bytes, int, tuple[int, ...] | None, tuple[int, ...]], Branch] = {}
        self.root = self._part(0, np.arange(table.n_rows), max_depth, columns, ())

    def _part(
        self,
        place: int,
        rows: RowIndices,
        depth: int,
        columns: list[int] | None,
        passed: tuple[int, ...],
    ) -> Part:
        """Give what comes of some rows from a node of the skeleton on; -1 is a free node."""
        if place < 0:
            return self._branch(rows, depth, columns, passed)
        kind, _, _, missing_to, _, children, closed, narrowed = self._nodes[place]
        if narrowed is not None:
            columns = [j for j in narrowed if columns is None or j in columns]
        if kind == LEAF:
            return self._branch(rows, 0 if closed else depth, columns, passed)
        branch_of, missing = self._divide(place, rows)
        known = np.zeros(len(children), np.int64)
        np.add.at(known, branch_of[~missing], 1)
        if missing_to >= 0:
            known[missing_to] += missing.sum()
        kept = np.flatnonzero(known)
        if len(kept) < 2:
            after = children[kept[0]] if len(kept) else -1
            return self._part(after, rows, depth, columns, (*passed, place))

        def one_way(to: int) -> Divided:
            sent = np.where(missing, to, branch_of)
            parts = [
                self._part(children[b], rows[sent == b], max(depth - 1, 0), columns, ())
                for b in kept.tolist()
            ]
            return Divided(parts, self._number(place, to), passed)

        if missing_to >= 0 or not missing.any():
            return one_way(missing_to)
        return Ways([one_way(b) for b in kept.tolist()])

    def _branch(
        self, rows: RowIndices, depth: int, columns: list[int] | None, passed: tuple[int, ...]
    ) -> Branch:
        """Give the branch of these rows. Several ways may come to the same one."""
        named = None if columns is None else tuple(columns)
        key = rows.tobytes(), depth, named, passed
        return self._met.setdefault(key, Branch(rows, depth, columns, passed))

    def _divide(self, place: int, rows: RowIndices) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Give the branch of every row with a value, and which rows have none."""
        kind, column, threshold, _, of_level, _, _, _ = self._nodes[place]
        cells = self._table.arrays[column][rows]
        missing = self._table.missing(column)[rows]
        if kind == THRESHOLD:
            with np.errstate(invalid="ignore"):
                return np.asarray(~(cells <= threshold), dtype=np.int64), missing
        return np.array(of_level, np.int64)[np.maximum(cells, 0)], missing

    def _number(self, place: int, missing_to: int) -> int:
        """Give the number of a condition with this branch for missing values."""
        if (place, missing_to) not in self._number_of:
            self._number_of[place, missing_to] = len(self.fixed)
            kind, column, threshold, _, of_level, children, _, _ = self._nodes[place]
            self.fixed.append((kind, column, threshold, missing_to, of_level, len(children)))
        return self._number_of[place, missing_to]

    def describe(self, passed: Sequence[int]) -> list[str]:
        """Give the conditions that were left out, in words."""
        return [self.words[place] for place in sorted(set(passed))]


def write(part: Part, chosen: Callable[[Ways], Part], tree: Callable[[Branch], Splits]) -> Splits:
    """Write a tree, level by level, as splits. `chosen` gives a way, `tree` that of a branch.

    A condition that is laid down has the feature -2 minus its number, its first child and the
    number of its children.
    """
    nodes: list[tuple[int, int, int, int]] = [(-1, 0, -1, -1)]
    queue: list[tuple[int, Part | tuple[Splits, int]]] = [(0, part)]
    for at, of_node in queue:
        item = of_node
        while isinstance(item, Ways):
            item = chosen(item)
        if isinstance(item, Branch):
            item = tree(item), 0
        below: list[Part | tuple[Splits, int]]
        first = len(nodes)
        if isinstance(item, Divided):
            below = [*item.parts]
            nodes[at] = -2 - item.fixed, 0, first, len(below)
        else:
            splits, own = item
            feature, code, left, right = splits[own]
            if feature < 0:
                continue
            below = [(splits, left), (splits, right)]
            nodes[at] = feature, code, first, first + 1
        nodes += [(-1, 0, -1, -1)] * len(below)
        queue += [(first + b, one) for b, one in enumerate(below)]
    return nodes


def passed_over(part: Part, chosen: Callable[[Ways], Part]) -> list[int]:
    """Give the conditions that are left out of a tree."""
    while isinstance(part, Ways):
        part = chosen(part)
    found = list(part.passed)
    if isinstance(part, Divided):
        for one in part.parts:
            found += passed_over(one, chosen)
    return found
