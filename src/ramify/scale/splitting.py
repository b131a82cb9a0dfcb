"""Counted nodes are split, once the values of cells that may hold the best threshold are read."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.counting import Slot
from ramify.scale.counts import Counts, Values
from ramify.scale.edges import ColumnForm
from ramify.scale.memory import Budget
from ramify.scale.node_counts import NodeCounts
from ramify.scale.whole_numbers import Form

#: What a scan reads, the nodes that it looks at, and what it wants of each.
Wish = tuple[str, list[int], list[Slot]]


class Splitting:
    """Splits counted nodes.

    Parameters
    ----------
    top : _core.StreamTop
    counts : NodeCounts
    form : Form
    forms : list
        Per column, its edges or its number of levels.
    budget : Budget
    threads : int
    """

    def __init__(
        self,
        top: _core.StreamTop,
        counts: NodeCounts,
        form: Form,
        forms: list[ColumnForm],
        budget: Budget,
        threads: int,
    ) -> None:
        self.top, self.counts, self.form, self.forms = top, counts, form, forms
        self.budget, self.threads = budget, threads

    def split(self, nodes: list[int]) -> Generator[Wish, Counts, None]:
        """Split nodes; yield what the scans for that are to read."""
        opened = {}
        for node in nodes:
            marks = self.top.open_cells(node, self._given(node, {}, {}), self.threads)
            opened[node] = {c: m for c, m in enumerate(marks) if len(m) and m.any()}
        values: dict[tuple[int, int], Values] = {}
        columns = range(len(self.forms))
        for part in self._parts(opened):
            which = sorted({node for node, _ in part})
            slots = [
                Slot(
                    opened=[opened[n].get(c) if (n, c) in part else None for c in columns],
                    shifts=self.counts.shifts[n],
                )
                for n in which
            ]
            found = yield "values", which, slots
            for (s, c), one in found.values.items():
                values[which[s], c] = one
        for node in nodes:
            of_node = {c: one for (n, c), one in values.items() if n == node}
            self.top.decide(node, self._given(node, opened[node], of_node), self.threads)
            self.counts.close(node)

    def _parts(self, opened: dict[int, dict[int, NDArray[np.uint8]]]) -> list[set[tuple[int, int]]]:
        """Divide opened columns among scans, so that their values fit in memory."""
        parts: list[set[tuple[int, int]]] = []
        room = 0
        channels = self.form.channels
        # While rows of whole classes are read, a value takes 12 bytes.
        per_value = max(12, 8 + 8 * channels) + 4 if self.form.small else 16 * (1 + channels)
        for node, columns in opened.items():
            for c, marks in columns.items():
                rows = self._rows_in(self.counts.cells[node][c], marks)
                size = rows * per_value
                if not parts or size > room:
                    parts.append(set())
                    room = self.budget.values
                parts[-1].add((node, c))
                room -= size
        return parts

    def _rows_in(self, cells: NDArray[np.int64], marks: NDArray[np.uint8]) -> int:
        """Give about how many rows opened cells have."""
        inside = cells[:-1][marks > 0]
        if self.form.for_core["classes"] and not self.form.for_core["weighted"]:
            return int(inside.sum() / self.form.for_core["unit"])
        return int(inside[:, 0].sum() / 2**30)  # of the first limb of parts

    def _given(
        self, node: int, opened: dict[int, NDArray[np.uint8]], values: dict[int, Values]
    ) -> list[Any]:
        """Give the counts of all columns as the core takes them."""
        given = []
        shifts = self.counts.shifts[node]
        for c, form in enumerate(self.forms):
            cells = self.counts.cells[node][c].astype(np.int64, copy=False)
            step = 1 << shifts[c]
            edges = None
            if not isinstance(form, int):
                edges = np.ascontiguousarray(form[0][step - 1 :: step])
            of_column = values.get(c)
            given.append(
                (
                    cells,
                    edges,
                    opened.get(c),
                    None if of_column is None else of_column.values,
                    None if of_column is None else of_column.channels,
                )
            )
        return given
