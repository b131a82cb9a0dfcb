"""Counted nodes are split by a criterion of ranks, such as the absolute error.

Quantiles do not add up, so cells are counted by the target as well: `boxes.py` says which rows a
search needs beside these counts. A column that needs too many of them is searched in parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.boxes import Boxes, Plan, quantile_cells
from ramify.scale.counting import Slot
from ramify.scale.counts import Counts, Values
from ramify.scale.edges import ColumnForm
from ramify.scale.memory import Budget
from ramify.scale.node_counts import NodeCounts
from ramify.scale.openings import Opening
from ramify.scale.rank_bounds import RankBounds
from ramify.scale.splitting import Splitting, Wish
from ramify.scale.whole_numbers import Form
from ramify.tables import Schema

#: The sides of a cut on which rows without a value are tried, see MissingSide in node/view.hpp.
_LEFT, _RIGHT, _APART, _ANY = range(4)
_NO_END = 2**64 - 1


@dataclass(frozen=True)
class Reading:
    """What is read of a column of a node.

    Parameters
    ----------
    node, column : int
    plan : Plan
    part : bool
        Whether the column is searched in parts.
    last : bool
        Whether this is the last of them.
    """

    node: int
    column: int
    plan: Plan
    part: bool = False
    last: bool = True


class RankSplitting(Splitting):
    """Splits counted nodes by a criterion of ranks.

    Parameters
    ----------
    top, counts, form, forms, budget, threads
        As those of `Splitting`.
    settings : dict
        The settings of the fit.
    schema : Schema
    needed : int
        Bytes with which all rows would be in memory.
    """

    def __init__(
        self,
        top: _core.StreamTop,
        counts: NodeCounts,
        form: Form,
        forms: list[ColumnForm],
        budget: Budget,
        threads: int,
        settings: dict[str, Any],
        schema: Schema,
        needed: int,
    ) -> None:
        super().__init__(top, counts, form, forms, budget, threads)
        assert form.targets is not None
        assert form.quantile is not None
        self._budget, self._settings, self._schema = budget, settings, schema
        self._needed = needed
        self._most = min(self._read_at_once, self._search_at_once)
        edges, edge_cells = form.targets
        self._quantile, self._edges_of_target = form.quantile, edges
        self._known_targets = np.zeros(form.target_cells, dtype=bool)
        if edge_cells:
            self._known_targets[1::2] = True

    def read_targets(self, cells: dict[int, NDArray[np.int64]]) -> Generator[Wish, Counts, Any]:
        """Read the targets that tell the quantile of some nodes, given the counts of the target."""
        target = len(self.forms)
        marks, sizes = {}, {}
        for node, counted in cells.items():
            weights, rows = self._decoded(counted[:-1])
            wanted = quantile_cells(weights, weights, self._quantile) & ~self._known_targets
            if (wanted & (rows > 0)).any():
                marks[node] = wanted
                sizes[node] = rows[wanted].sum()
        found: dict[int, Values] = {}
        for nodes in _groups(sizes, self._read_at_once):
            slots = [
                Slot(opened=[*([None] * target), marks[node].astype(np.uint8)]) for node in nodes
            ]
            values = (yield "values", nodes, slots).values
            found |= {node: values[s, target] for s, node in enumerate(nodes)}
        return {
            node: (
                counted,
                self._edges_of_target,
                marks[node].astype(np.uint8) if node in marks else None,
                found[node].values if node in marks else None,
                found[node].channels if node in marks else None,
                None,
            )
            for node, counted in cells.items()
        }

    def _look(self, nodes: list[int]) -> Generator[Wish, Counts, None]:
        """Find the best split of every column of some nodes."""
        levels: list[tuple[int, int]] = []
        readings = self._planned(nodes, levels)  # one by one: a plan marks all boxes of a column
        yield from self._read(map(self._require_room, readings), self._search_boxes)
        yield from self._look_at_levels(levels)

    def _planned(self, nodes: list[int], levels: list[tuple[int, int]]) -> Iterator[Reading]:
        """Give what is read of the columns in order; the nominal ones are added to `levels`."""
        for node in nodes:
            asked, threshold = self.top.asked(node)
            for c in range(len(self.forms)):
                if asked >= 0:
                    plan = self._plan_asked(node, c, threshold if asked == c else None)
                    yield Reading(node, c, plan)
                elif self._schema.columns[c].kind == "nominal":
                    levels.append((node, c))
                else:
                    yield from self._of_values(node, c)

    def _of_values(self, node: int, column: int) -> Iterator[Reading]:
        boxes = self._boxes(node, column)
        openable = self._openable(column, boxes)
        bounds = RankBounds(
            boxes,
            self._moments(node, column),
            self._edges_of_target - self.form.for_core["centre"],
            bool(self._known_targets.any()),
            self.top.least_side,
        )
        candidates = bounds.candidates(openable)
        plans = list(boxes.of_columns(openable, self._most, candidates))
        for place, plan in enumerate(plans):
            yield Reading(node, column, plan, len(plans) > 1, place == len(plans) - 1)

    def _look_at_levels(self, columns: list[tuple[int, int]]) -> Generator[Wish, Counts, None]:
        """Find the best division of levels: first their order, then the cut."""
        multiway = self._settings["categorical_split"][0] == "multiway"
        separate = self._settings["missing"] == "separate"
        orders: dict[tuple[int, int], list[int] | None] = dict.fromkeys(columns)

        def planned() -> Iterator[Reading]:
            for node, c in columns:
                order = orders[node, c]
                plan = self._boxes(node, c).of_levels(order, multiway=multiway, separate=separate)
                yield self._require_room(Reading(node, c, plan))

        def keep_order(reading: Reading, values: Values | None) -> None:
            given = self._given_boxes(reading, values, _ANY)
            order = self.top.order_of_levels(reading.node, reading.column, given)
            orders[reading.node, reading.column] = order

        if not multiway:
            yield from self._read(planned(), keep_order)
        yield from self._read(planned(), self._search_boxes)

    def _plan_asked(self, node: int, column: int, threshold: float | None) -> Plan:
        """Plan the split that a skeleton demands; None: it demands none of this column."""
        boxes = self._boxes(node, column, asked=True)
        openable = np.zeros(len(boxes.rows) - 1, dtype=bool)
        if threshold is None:
            return boxes.of_cuts(np.arange(0), openable, None)
        form = self.forms[column]
        if isinstance(form, int):
            if np.isnan(threshold):  # levels
                return boxes.of_all()
            cell = int(np.clip(np.floor(threshold), 0, form - 1))
            return boxes.of_cuts(np.array([cell]), openable, None)
        not_above = int(np.searchsorted(self._edges(node, column), threshold, side="right"))
        cell = 2 * not_above if form[1] else not_above
        openable[cell] = True
        return boxes.of_cuts(np.array([cell]), openable, None)

    def _read(
        self, readings: Iterable[Reading], search: Callable[[Reading, Values | None], None]
    ) -> Generator[Wish, Counts, None]:
        """Read boxes, as many in a scan as fit in memory, and search them in order."""
        scan: list[Reading] = []
        room = self._read_at_once
        for reading in readings:
            again = any((r.node, r.column) == (reading.node, reading.column) for r in scan)
            if scan and (again or reading.plan.size > room):
                yield from self._read_together(scan, search)
                scan, room = [], self._read_at_once
            scan.append(reading)
            room -= reading.plan.size
        if scan:
            yield from self._read_together(scan, search)

    def _read_together(
        self, scan: list[Reading], search: Callable[[Reading, Values | None], None]
    ) -> Generator[Wish, Counts, None]:
        marks = {(r.node, r.column): r.plan.marks for r in scan if r.plan.marks is not None}
        nodes = sorted({node for node, _ in marks})
        columns = range(len(self.forms))
        found: dict[tuple[int, int], Values] = {}
        if nodes:
            slots = [
                Slot(opened=[marks.get((n, c)) for c in columns], shifts=self.counts.shifts[n])
                for n in nodes
            ]
            found = (yield "values", nodes, slots).values
        for reading in scan:
            values = None
            if (reading.node, reading.column) in marks:
                values = found.pop((nodes.index(reading.node), reading.column))
            search(reading, values)

    def _search_boxes(self, reading: Reading, values: Values | None) -> None:
        """Find the best split of a column, or of a part of it."""
        node, column = reading.node, reading.column
        if not reading.part:
            given = self._given_boxes(reading, values, _ANY)
            self.top.look(node, [column], [given], self.threads)
            return
        sides = [_ANY]
        if self._boxes(node, column).tries_sides:
            sides = [_LEFT, _RIGHT, _APART] if reading.last else [_LEFT, _RIGHT]
        for side in sides:
            self.top.look_at_part(node, column, self._given_boxes(reading, values, side))

    def _require_room(self, reading: Reading) -> Reading:
        """Raise a ValueError if the boxes of a column do not fit in memory."""
        if has_room(reading.plan.size, self._most):
            return reading
        limit = self._budget.limit
        # With more memory there are more boxes, which have fewer rows.
        needed = 1.25 * limit * (reading.plan.size / self._most) ** (2 / 3)
        needed = min(needed, self._needed)
        criterion = self._settings["criterion"]
        raise ValueError(
            f"criterion={criterion!r} cannot be had out of core with this memory_limit: it needs "
            f"the targets of some {reading.plan.size:,} rows of a node at once to split it by "
            f"column {self._schema.columns[reading.column].name!r}, and "
            f"memory_limit={limit / 1e6:.3g} MB has room for {self._most:,}. Choose a "
            f"memory_limit of {math.ceil(needed / 1e4) / 100:.6g} MB, or criterion='squared_error'"
        )

    def _openable(self, column: int, boxes: Boxes) -> NDArray[np.bool_]:
        """Mark the cells of several values."""
        form = self.forms[column]
        openable = np.ones(len(boxes.rows) - 1, dtype=bool)
        if isinstance(form, int):
            openable[:] = False
        elif form[1]:
            openable[1::2] = False
        return openable

    def _boxes(self, node: int, column: int, *, asked: bool = False) -> Boxes:
        """Give the boxes of a column; `asked`: whatever is done with rows that lack a value."""
        fractional = self._settings["missing"] == "fractional"
        divided = fractional and self._settings["missing_gain"] == "divided"
        weights, rows = self._decoded(self.counts.cells[node][column])
        return Boxes(
            weights,
            rows,
            self._known_targets,
            self._quantile,
            divides=divided or asked,
            sides=not fractional or asked,
        )

    def _decoded(self, cells: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give the weights of boxes, and about how many rows they have."""
        channels = cells.reshape(len(cells), -1, self.form.channels)
        if channels.shape[1] == 1:
            channels = channels[:, 0]
        rows = _value(channels[..., 0:2], 1)
        if not self.form.for_core["weighted"]:
            return rows, rows
        return _value(channels[..., 2:4], self.form.for_core["weight_size"]), rows

    def _moments(self, node: int, column: int) -> NDArray[np.float64]:
        """Give the sums of the targets of boxes, minus the centre."""
        cells = self.counts.cells[node][column]
        core = self.form.for_core
        first = 4 if core["weighted"] else 2
        channels = cells.reshape(len(cells), -1, self.form.channels)
        return _value(channels[..., first : first + 2], core["product_size"])

    def _given_boxes(self, reading: Reading, values: Values | None, side: int) -> Sequence[Any]:
        """Give the boxes of a column as the core takes them."""
        node, column, plan = reading.node, reading.column, reading.plan
        numeric = not isinstance(self.forms[column], int)
        return (
            self.counts.cells[node][column],
            self._edges(node, column) if numeric else None,
            None if values is None else plan.marks,
            None if values is None else values.values,
            None if values is None else values.channels,
            (
                None if values is None else values.targets,
                plan.whole.astype(np.uint8),
                plan.first,
                _NO_END if plan.last is None else plan.last,
                side,
            ),
        )

    # What tests of columns read does not depend on ranks.

    def _cells(self, node: int, column: int) -> NDArray[np.int64]:
        cells = self.counts.cells[node][column]
        sums: NDArray[np.int64] = cells.reshape(len(cells), -1, self.form.channels).sum(axis=1)
        return sums

    def _slots(self, scan: list[Opening]) -> tuple[list[int], list[Slot]]:
        nodes, slots = super()._slots(scan)
        boxes = self.form.target_cells

        def of_boxes(marks: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
            return None if marks is None else np.repeat(np.append(marks, np.uint8(0)), boxes)

        return nodes, [
            slot._replace(opened=[of_boxes(marks) for marks in slot.opened]) for slot in slots
        ]

    def _given(
        self,
        node: int,
        column: int,
        opening: Opening | None = None,
        values: Values | None = None,
    ) -> Sequence[Any]:
        values = None if values is None else values.of_all_targets()
        return super()._given(node, column, opening, values)


def has_room(rows: int, most: int) -> bool:
    """Tell whether so many rows can be read and searched at once."""
    return rows <= most


def _value(limbs: NDArray[np.int64], exponent: int) -> NDArray[np.float64]:
    """Give the numbers that limbs hold, see core/stream/fixed.hpp."""
    high, low = limbs[..., 0].astype(np.float64), limbs[..., 1].astype(np.float64)
    found: NDArray[np.float64] = np.ldexp(high * 2.0**31 + low, exponent - 62)
    return found


def _groups(sizes: dict[int, float], most: int) -> Iterator[list[int]]:
    """Divide nodes among scans that read so many rows each, but those of one node at least."""
    group: list[int] = []
    room = float(most)
    for node, size in sizes.items():
        if group and size > room:
            yield group
            group, room = [], float(most)
        group.append(node)
        room -= size
    if group:
        yield group
