"""Counted nodes are split, once the values of cells that may hold the best threshold are read.

Where too many values lie in such cells, their rows are first counted between finer edges. The
columns of a node are looked at one after the other: the core keeps the best split of each, and the
values are given up. A column whose values do not fit in memory is searched in parts. Of each
part only the cells next to the best cut are kept; the best of all lies in one of them.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.counting import Slot
from ramify.scale.counts import Counts, Values
from ramify.scale.edges import ColumnForm
from ramify.scale.finer import Finer, finer_edges
from ramify.scale.memory import Budget
from ramify.scale.node_counts import NodeCounts
from ramify.scale.openings import Opening, shared_scans
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
        self.threads = threads
        #: How many values a scan reads, and how many are searched at a time.
        self._read_at_once = max(1, budget.values // form.bytes_per_value)
        self._search_at_once = max(1, budget.search // form.bytes_of_search)
        self._most_cells = budget.cells // form.bytes_per_cell
        #: Of columns that were counted once more: their edges, and the counts between them.
        self._finer: dict[tuple[int, int], tuple[NDArray[np.float64], NDArray[np.int64]]] = {}
        #: Of columns that are searched in parts: what is kept.
        self._finalists: dict[tuple[int, int], list[tuple[Opening, Values]]] = {}

    def split(self, nodes: list[int]) -> Generator[Wish, Counts, None]:
        """Split nodes; yield what the scans for that are to read."""
        waiting = list(nodes)
        while waiting:
            if self.top.surveys:
                yield from self._survey(waiting)
            yield from self._look(waiting)
            for node in waiting:
                self.top.decide(node)
            # A condition that was laid down and divides no rows is passed over.
            waiting = [node for node in waiting if self.top.info(node)[0] == "open"]
        for node in nodes:
            self.counts.close(node)

    def _look(self, nodes: list[int]) -> Generator[Wish, Counts, None]:
        """Find the best split of every column of some nodes."""
        openings = yield from self._opened(nodes)
        for node in nodes:
            opened = {one.column for one in openings if one.node == node}
            closed = [c for c in range(len(self.forms)) if c not in opened]
            given = [self._given(node, c) for c in closed]
            self.top.look(node, closed, given, self.threads)
        for scan in self._scans(openings):
            found = yield "values", *self._slots(scan)
            nodes_of_scan = sorted({one.node for one in scan})
            for opening in scan:
                key = nodes_of_scan.index(opening.node), opening.column
                if not self._fits(opening):
                    self._search_in_parts(opening, found.values.pop(key))
            self._search([one for one in scan if self._fits(one)], nodes_of_scan, found)
        for opening in openings:
            self._decide_between_parts(opening)
        self._finer.clear()

    def _opened(self, nodes: list[int]) -> Generator[Wish, Counts, list[Opening]]:
        """Give the cells that may hold the best split of a column, small enough to be read."""
        before = math.inf
        while True:
            openings: list[Opening] = []
            for node in nodes:
                marked = self.top.open_cells(node, self._all_given(node), self.threads)
                openings += self._openings(node, marked)
            size = sum(opening.size for opening in openings)
            finer = finer_edges(openings, self._read_at_once, self._most_cells)
            if not finer or size > before / 2:  # values that many rows share stay in one cell
                return openings
            before = size
            yield from self._count_finer(finer)

    def _count_finer(self, finer: dict[tuple[int, int], Finer]) -> Generator[Wish, Counts, None]:
        """Count the rows of divided cells."""
        nodes = sorted({node for node, _ in finer})
        slots = []
        for node in nodes:
            of_node = [finer.get((node, c)) for c in range(len(self.forms))]
            slots.append(
                Slot(
                    cells=True,
                    edges=[None if one is None else one.edges for one in of_node],
                    within=[None if one is None else one.within for one in of_node],
                )
            )
        found = yield "counts", nodes, slots
        for (node, column), one in finer.items():
            inside = found.cells.pop((nodes.index(node), column))
            self._finer[node, column] = one.after, one.counts(self._cells(node, column), inside)

    def _fits(self, opening: Opening) -> bool:
        return not opening.part and opening.size <= self._search_at_once

    def _survey(self, nodes: list[int]) -> Generator[Wish, Counts, None]:
        """Add up what tests of columns read of all their values."""
        openings: list[Opening] = []
        for node in nodes:
            marked = self.top.survey_cells(node, self._all_given(node))
            openings += self._openings(node, marked)
        for scan in self._scans(openings):
            which, slots = self._slots(scan)
            found = yield "values", which, slots
            for opening in scan:
                node, column = opening.node, opening.column
                values = found.values.pop((which.index(node), column))
                self.top.survey(node, column, self._given(node, column, opening, values))

    def _openings(self, node: int, marked: list[NDArray[np.uint8]]) -> list[Opening]:
        """Give the cells of a node whose values are wanted."""
        openings = []
        for c, marks in enumerate(marked):
            form = self.forms[c]
            if isinstance(form, int) or not marks.any():
                continue
            rows = self._rows_of(self._cells(node, c))
            openings.append(Opening(node, c, marks, rows, self._edges(node, c), form[1]))
        return openings

    def _scans(self, openings: list[Opening]) -> Iterator[list[Opening]]:
        """Divide openings among scans, so that the values of each fit in memory."""
        parts = (part for one in openings for part in one.parts(self._read_at_once))
        return shared_scans(parts, self._read_at_once)

    def _slots(self, scan: list[Opening]) -> tuple[list[int], list[Slot]]:
        """Give what a scan is to read, each node with the marks and the edges of its columns."""
        nodes = sorted({one.node for one in scan})
        columns = len(self.forms)
        marks: list[list[Any]] = [[None] * columns for _ in nodes]
        edges: list[list[Any]] = [[None] * columns for _ in nodes]
        for one in scan:
            node, c = nodes.index(one.node), one.column
            if one.edge_cells:
                marks[node][c] = one.marks
            else:  # a few edges in place of all: scans hold them twice, with tables to find them
                edges[node][c], marks[node][c] = one.runs()
        slots = [
            Slot(opened=marks[k], edges=edges[k], shifts=self.counts.shifts[node])
            for k, node in enumerate(nodes)
        ]
        return nodes, slots

    def _search(self, openings: list[Opening], nodes: list[int], found: Counts) -> None:
        """Search columns whose values are there, as many at a time as fit in memory."""
        for batch in shared_scans(iter(openings), self._search_at_once):
            for node, of_node in groupby(batch, key=lambda one: one.node):
                columns = list(of_node)
                slot = nodes.index(node)
                given = [
                    self._given(node, one.column, one, found.values.pop((slot, one.column)))
                    for one in columns
                ]
                self.top.look(node, [one.column for one in columns], given, self.threads)

    def _search_in_parts(self, opening: Opening, values: Values) -> None:
        """Keep of every part of a column the values next to its best cut."""
        node, column = opening.node, opening.column
        kept = self._finalists.setdefault((node, column), [])
        for part in opening.parts(self._search_at_once):
            inside = part.inside(values)
            given = self._given(node, column, part, inside)
            cells = np.unique(self.top.cells_of_best(node, column, given)).astype(np.int64)
            best = part.narrowed(cells)
            if best.marks.any():  # its rows may be parts of rows, less than one together
                kept.append((best, best.inside(inside)))

    def _decide_between_parts(self, opening: Opening) -> None:
        kept = self._finalists.pop((opening.node, opening.column), None)
        if kept is None:
            return
        marks = np.zeros_like(opening.marks)
        for part, _ in kept:
            marks |= part.marks
        values = None
        if kept:
            values = Values(
                np.concatenate([found.values for _, found in kept]),
                np.concatenate([found.channels for _, found in kept]),
            )
        best = opening.narrowed(np.flatnonzero(marks))
        given = self._given(opening.node, opening.column, best, values)
        self.top.look(opening.node, [opening.column], [given], self.threads)

    def _rows_of(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give about how many rows cells have."""
        inside = cells[:-1]
        if self.form.for_core["classes"] and not self.form.for_core["weighted"]:
            rows: NDArray[np.float64] = inside.sum(axis=1) / self.form.for_core["unit"]
            return rows
        of_parts: NDArray[np.float64] = inside[:, 0] / 2**30  # the first limb
        return of_parts

    def _edges(self, node: int, column: int) -> NDArray[np.float64]:
        """Give the edges between which a column is counted at a node."""
        if (node, column) in self._finer:
            return self._finer[node, column][0]
        form = self.forms[column]
        assert not isinstance(form, int)
        step = 1 << self.counts.shifts[node][column]
        return np.ascontiguousarray(form[0][step - 1 :: step])

    def _cells(self, node: int, column: int) -> NDArray[np.int64]:
        """Give the counts of a column of a node between its edges."""
        if (node, column) in self._finer:
            return self._finer[node, column][1]
        return self.counts.cells[node][column]

    def _all_given(self, node: int) -> list[Any]:
        return [self._given(node, c) for c in range(len(self.forms))]

    def _given(
        self,
        node: int,
        column: int,
        opening: Opening | None = None,
        values: Values | None = None,
    ) -> Sequence[Any]:
        """Give the counts of a column as the core takes them."""
        numeric = not isinstance(self.forms[column], int)
        return (
            self._cells(node, column).astype(np.int64, copy=False),
            self._edges(node, column) if numeric else None,
            None if opening is None or values is None else opening.marks,
            None if values is None else values.values,
            None if values is None else values.channels,
            None,  # boxes
        )
