"""The counts of open nodes; those of a node that was split stay until its branches have theirs.

Invariant: the counts of a node lie between every 2**shift-th edge; nodes of fewer rows have larger
shifts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.counting import Slot
from ramify.scale.counts import Counts
from ramify.scale.edges import ColumnForm, cells_of, coarser, shifts_for
from ramify.scale.whole_numbers import Form

Cells = list[NDArray[np.int64]]


class NodeCounts:
    """The counts of the open nodes of a tree.

    Parameters
    ----------
    top : _core.StreamTop
    form : Form
    forms : list
        Per column, its edges or its number of levels.
    n_rows : int
        The rows of the source.
    home_rows : int
        The rows with which a node comes home.
    most_edges : int
        The edges that a column has at most.
    """

    def __init__(
        self,
        top: _core.StreamTop,
        form: Form,
        forms: list[ColumnForm],
        n_rows: int,
        home_rows: int,
        most_edges: int,
    ) -> None:
        self._top, self._form, self._forms = top, form, forms
        self._n_rows, self._home_rows = n_rows, home_rows
        self._most_edges = most_edges
        self.cells: dict[int, Cells] = {}
        self.shifts: dict[int, list[int]] = {}
        #: The counts of nodes that were split, with their shifts.
        self._kept: dict[int, tuple[Cells, list[int]]] = {}

    def rows_at_most(self, node: int) -> int:
        """Give the number of rows that a node has at most."""
        return min(self._n_rows, self._top.info(node)[2])

    def comes_home(self, node: int) -> bool:
        """Tell whether a node's subtree is grown in memory."""
        return self.rows_at_most(node) <= self._home_rows

    def bytes_of(self, node: int) -> int:
        """Give the memory of the counts of a node."""
        return cells_of(self._forms, self._shifts_of(node)) * self._form.bytes_per_cell

    def _shifts_of(self, node: int) -> list[int]:
        return shifts_for(self._forms, self.rows_at_most(node), self._most_edges)

    def slots(self, group: list[int]) -> tuple[list[int], list[Slot]]:
        """Give the nodes that a scan counts so that the counts of a group are known.

        These are the group, where what can be derived is not counted, and the siblings of what is
        derived.
        """
        home = {node for node in group if self.comes_home(node)}
        derived = self._derived(group)
        for node in group:
            self.shifts[node] = self._shifts_of(node)
        counted = set(group) - home - derived.keys()
        for node, (_, others) in derived.items():
            counted.update(others)
            for other in others:
                self.shifts[other] = self.shifts[node]
        nodes = group + sorted(counted - set(group))
        slots = [
            Slot(
                cells=node in counted,
                rows=node in home,
                targets=self._form.quantile is not None,
                shifts=self.shifts[node],
            )
            for node in nodes
        ]
        return nodes, slots

    def take(self, group: list[int], nodes: list[int], slots: list[Slot], found: Counts) -> None:
        """Keep what a scan counted, and derive the rest; the counts of parents are given up."""
        cells = {
            node: [found.cells[s, c] for c in range(len(self._forms))]
            for s, node in enumerate(nodes)
            if slots[s].cells
        }
        for node, (parent, others) in self._derived(group).items():
            cells[node] = self._difference(parent, node, [cells[other] for other in others])
        self._kept.clear()
        self.cells = {node: cells[node] for node in group if not self.comes_home(node)}

    def forget_closed(self) -> None:
        """Forget the counts of nodes that are leaves already."""
        self.cells = {n: found for n, found in self.cells.items() if self._top.info(n)[0] == "open"}

    def close(self, node: int) -> None:
        """Put away the counts of a node; those of a split one serve its branches."""
        cells = self.cells.pop(node)
        if self._top.info(node)[4]:
            self._kept[node] = (cells, self.shifts[node])

    def clear(self) -> None:
        """Forget all counts."""
        self.cells.clear()
        self._kept.clear()

    def _derived(self, group: list[int]) -> dict[int, tuple[int, list[int]]]:
        """Give the nodes whose counts are those of their parent less those of their siblings.

        These are the largest of all branches of a node, each with its parent and its siblings.
        Parts of rows that were divided are rounded, so their counts do not add up to the parent's.
        """
        found: dict[int, tuple[int, list[int]]] = {}
        for parent in () if self._form.divides else self._kept:
            children = self._top.info(parent)[4]
            rows = {child: self.rows_at_most(child) for child in children}
            largest = max(children, key=rows.__getitem__, default=-1)
            others = [child for child in children if child != largest]
            few = sum(rows[child] for child in others) < rows.get(largest, 0)
            if largest in group and rows[largest] > self._home_rows and few:
                found[largest] = (parent, others)
        return found

    def _difference(self, parent: int, node: int, others: list[Cells]) -> Cells:
        """Subtract the counts of siblings from those of their parent."""
        found = []
        cells, shifts = self._kept[parent]
        for c, (of_parent, before, now) in enumerate(
            zip(cells, shifts, self.shifts[node], strict=True)
        ):
            left = coarser(of_parent, now - before)
            for other in others:
                left = left - other[c]
            found.append(left)
        return found
