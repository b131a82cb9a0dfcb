"""Growth from counts: scan by scan, until every open node fits in memory.

The top of the tree is held by the core (`_core.StreamTop`), which splits a node by the same
searches as in memory. This module decides what each scan counts:

1. the counts of the nodes that are too large, and the rows of those that come home;
2. the values inside the cells that may hold the best threshold, as the bound of the core says.

Then every counted node is split, and its branches are the nodes of the next scan. At the end the
rows that came home are grown in memory, each node with the place it has in the tree, and grafted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.target import Target
from ramify.learning.training import Training
from ramify.scale.counting import Counts, PickedRows, ScanTask, Slot, Totals, Values
from ramify.scale.exact_sums import size_of
from ramify.scale.executors import Executor
from ramify.scale.memory import Budget
from ramify.scale.profiling import Learned, Profile
from ramify.scale.reading import Reader
from ramify.scale.sources import RowSource, SourceError
from ramify.scale.spill import RowStore
from ramify.tables import Table
from ramify.trees.greedy.base import GreedyTree, Whole

#: How a column is counted: its edges and whether they have cells of their own, or its levels.
ColumnForm = tuple[NDArray[np.float64], bool] | int
#: Edges for every root of the number of rows, see `Growth._shifts`.
_EDGES_PER_ROOT = 4
#: A part of a row below this fraction is not divided again, see core/node/parameters.hpp.
_LEAST_FRACTION = 1.0 / 1024.0


@dataclass(frozen=True)
class Form:
    """How rows are counted in whole numbers, and what all nodes share.

    Parameters
    ----------
    for_core : dict
        What the core reads.
    all_weight : float
        The weight of all rows.
    grain_rows : int
        The rows by which parts of rows are rounded; 0 if they are not.
    divides : bool
        Whether rows may be divided.
    """

    for_core: dict[str, Any]
    all_weight: float
    grain_rows: int
    divides: bool

    @property
    def channels(self) -> int:
        """Numbers per cell."""
        classes, weighted = self.for_core["classes"], self.for_core["weighted"]
        if classes:
            return 2 * (1 + int(classes)) if weighted else int(classes)
        return 8 if weighted else 6

    @property
    def bytes_per_cell(self) -> int:
        """Memory of a cell."""
        return (4 if self.small else 8) * self.channels

    @property
    def small(self) -> bool:
        """Whether a cell holds numbers of whole rows, which fit in four bytes."""
        core = self.for_core
        return bool(core["classes"]) and not core["weighted"] and core["unit"] == 1.0

    @classmethod
    def of(cls, learned: Learned, problem: _core.Problem, missing: str) -> Form:
        """Choose the form for a table."""
        profile = learned.profile
        divides = missing == "fractional" and learned.any_missing
        least, most = profile.weights
        present, total = profile.present, float(profile.weight)
        if learned.taken is not None:
            least, most = learned.taken.weights
            present, total = learned.taken.present, learned.taken.weight
        elif learned.class_weights is not None:
            by_class = learned.class_weights
            table = profile.labels.table()
            assert learned.codes is not None
            sums = np.bincount(learned.codes, table["weight"].to_numpy(), minlength=len(by_class))
            total = float((sums * by_class).sum())
            positive = by_class[(by_class > 0) & (sums > 0)]
            least, most = least * float(positive.min()), most * float(positive.max())
            rows = np.bincount(learned.codes, table["rows"].to_numpy(), minlength=len(by_class))
            present = min(present, int(rows[by_class > 0].sum()))
        weighted = not least == most == 1.0
        classes = 0 if learned.classes is None else len(learned.classes)
        grain_rows = present if classes and divides and least == most else 0
        grain = math.ldexp(1.0, grain_rows.bit_length() - 52) if grain_rows else 1.0
        centred, deviance = _core.stream_facts(problem)
        mean = 0.0
        low, high = profile.targets
        if learned.taken is not None:
            low, high = learned.taken.targets
            mean = learned.taken.mean
        elif not classes:
            mean = float(profile.target_sum.fraction() / profile.weight.fraction())
        centre = mean if centred else 0.0
        size = max(abs(low - centre), abs(high - centre)) if not classes else 0.0
        off = max(_core.deviance(deviance, y, mean) for y in (low, high)) if deviance else 0.0
        return cls(
            {
                "classes": classes,
                "weighted": weighted,
                "unit": 1.0 / grain,
                "weight_size": size_of(most),
                "product_size": size_of(most) + size_of(size),
                "square_size": size_of(most) + 2 * size_of(size),
                "deviance_size": size_of(most) + size_of(off) + 1,
                "centre": centre,
                "mean": mean,
                "deviance": deviance,
            },
            total,
            grain_rows,
            divides,
        )


def propose_edges(reader: Reader, learned: Learned, count: int) -> list[ColumnForm]:
    """Give the edges of every numeric column, from the sample, and the levels of the others.

    A column of few distinct values has them all as edges, with cells of their own.
    """
    parts = [reader.read_columns(part) for part in learned.profile.sample.parts if part.num_rows]
    forms: list[ColumnForm] = []
    for c, column in enumerate(reader.schema.columns):
        if column.kind != "numeric":
            forms.append(len(column.levels))
            continue
        values = np.concatenate([part[c] for part in parts]).astype(np.float64)
        known = values[~np.isnan(values)]
        edges = np.unique(known) + 0.0
        few = len(edges) <= count // 2
        if len(edges) > count:
            # By rank among all rows of the sample, so that cells have about as many rows each.
            places = np.linspace(0, len(known) - 1, count).round().astype(np.intp)
            edges = np.unique(np.sort(known)[places]) + 0.0
        forms.append((np.ascontiguousarray(edges), few))
    return forms


def coarser(cells: NDArray[np.int64], shift: int) -> NDArray[np.int64]:
    """Give the counts between every 2**shift-th edge; the last row, of missing values, stays."""
    if shift == 0:
        return cells
    step = 1 << shift
    inside = cells[:-1]
    padded = np.zeros((-(-len(inside) // step) * step, cells.shape[1]), dtype=cells.dtype)
    padded[: len(inside)] = inside
    summed = padded.reshape(-1, step, cells.shape[1]).sum(axis=1, dtype=cells.dtype)
    return np.concatenate([summed, cells[-1:]])


@dataclass
class Growth:
    """Grows a tree from a source.

    Parameters
    ----------
    estimator : GreedyTree
    settings : dict
    source : RowSource
    executor : Executor
    reader : Reader
    learned : Learned
    store : RowStore
    budget : Budget
    on_scan : callable
        Called with the number of a scan and what it reads, before it starts.
    main : Growth or None
        The growth of the whole tree, if this one is that of a fold.
    """

    estimator: GreedyTree
    settings: dict[str, Any]
    source: RowSource
    executor: Executor
    reader: Reader
    learned: Learned
    store: RowStore
    budget: Budget
    on_scan: Callable[[int, str], None] = lambda number, what: None
    main: Growth | None = None
    scans: int = field(default=1, init=False)
    values_read: int = field(default=0, init=False)
    whole: Whole = field(init=False)
    training: Training = field(init=False)
    problem: _core.Problem = field(init=False)
    forms: list[ColumnForm] = field(init=False)
    #: The counts of nodes that are not split yet; and of nodes that are, with their shifts.
    _cells: dict[int, list[NDArray[np.int64]]] = field(default_factory=dict, init=False)
    _kept: dict[int, tuple[list[NDArray[np.int64]], list[int]]] = field(
        default_factory=dict, init=False
    )
    _shift: dict[int, list[int]] = field(default_factory=dict, init=False)
    _sums: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        profile = self.learned.profile
        self.threads = check.threads(self.estimator.n_jobs)
        schema = self.reader.schema
        self.home_rows = max(1, self.budget.home_rows(len(schema)))
        if self.main is None:
            self._start(profile)
        else:
            self.whole, self.training = self.main.whole, self.main.training
            self.problem, self.forms = self.main.problem, self.main.forms
            self.form = Form.of(self.learned, self.problem, self.settings["missing"])
        self.top = _core.StreamTop(
            self.problem,
            self.form.for_core,
            self.form.all_weight,
            self.form.grain_rows,
            self.form.divides,
            self.main is None,
        )

    def _start(self, profile: Profile) -> None:
        """Make what all trees share."""
        self.whole = Whole(profile.n_rows, float(profile.weight))
        self.training = self._stand_in()
        self.form = Form.of(self.learned, self.training.problem, self.settings["missing"])
        if self.form.all_weight != self.whole.weight:  # weights of classes
            self.whole = Whole(profile.n_rows, self.form.all_weight)
            self.training = self._stand_in()
        self.problem = self.training.problem
        columns = len(self.reader.schema)
        edges = self.budget.edges(columns, self.form.bytes_per_cell)
        edges = min(edges, max(256, int(2 * _EDGES_PER_ROOT * math.sqrt(profile.n_rows))))
        self.forms = propose_edges(self.reader, self.learned, edges)
        profile.sample.parts.clear()  # no longer needed

    def tell(self, what: str) -> None:
        """Say that a scan begins. The scans of all trees are numbered together."""
        if self.main is not None:
            self.main.tell(what)
            return
        self.scans += 1
        self.on_scan(self.scans, what)

    def target(self, y: NDArray[Any], weights: NDArray[np.float64] | None) -> Target:
        """Give the target of some rows."""
        learned = self.learned
        costs = self.costs if learned.classes is not None else None
        return Target(y, weights, learned.classes, costs, learned.class_weights, self.reader.target)

    @property
    def costs(self) -> Any:
        """The costs, checked with the classes."""
        from ramify.learning.weights import cost_matrix

        assert self.learned.classes is not None
        return cost_matrix(self.estimator.costs, self.learned.classes, abstain=True)

    def _stand_in(self) -> Training:
        """Give a problem of one row, for all that does not depend on the rows."""
        arrays = [
            np.zeros(1) if column.kind == "numeric" else np.full(1, -1, dtype=np.int32)
            for column in self.reader.schema.columns
        ]
        table = Table(self.reader.schema, 1, None, arrays)
        classes = self.learned.classes is not None
        y = np.zeros(1, dtype=np.int32) if classes else np.array([self.learned.profile.targets[1]])
        target = self.target(y, None)
        return self.estimator.training(table, target, self.settings, self.whole)

    # --- the loop --------------------------------------------------------------------------

    def grow(self) -> _core.Tree:
        """Grow the tree."""
        home: list[int] = []
        while wanted := self._wanted(home):
            for group in self._groups(wanted):
                home += self._count(group)
                self._split(list(self._cells))
        # The largest first: then the most memory is asked for at the beginning.
        for node in home:
            if self.top.info(node)[0] == "open":
                self.top.graft(node, self._grow_home(node))
            else:
                self.store.drop(node)
        return self.top.finish()

    def _wanted(self, home: list[int]) -> list[int]:
        """Give the nodes that the next scan looks at."""
        taken = set(home)
        states = ((node, self.top.info(node)[0]) for node in range(len(self.top)))
        return [n for n, state in states if state in ("counted", "open") and n not in taken]

    def _rows_at_most(self, node: int) -> int:
        return min(self.learned.profile.n_rows, self.top.info(node)[2])

    def _groups(self, wanted: list[int]) -> list[list[int]]:
        """Divide nodes among scans, so that their counts fit in memory."""
        groups = [[node for node in wanted if self._rows_at_most(node) <= self.home_rows]]
        room = self.budget.cells
        for node in wanted:
            if self._rows_at_most(node) <= self.home_rows:
                continue
            size = self._bytes_of(node)
            if size > room and room < self.budget.cells:
                groups.append([])
                room = self.budget.cells
            groups[-1].append(node)
            room -= size
        return groups

    def _bytes_of(self, node: int) -> int:
        """Give the memory of the counts of a node."""
        cells = 0
        for form, shift in zip(self.forms, self._shifts(node), strict=True):
            edges = 0 if isinstance(form, int) else len(form[0]) >> shift
            cells += form if isinstance(form, int) else 2 * edges if form[1] else edges
        return cells * self.form.bytes_per_cell

    def _shifts(self, node: int) -> list[int]:
        """Give how many of the edges count for each column: every second, every fourth, ...

        Between the edges of a node of n rows lie few of them if there are many times the root of n
        edges: chance alone moves a gain by as much as that many rows do.
        """
        needed = _EDGES_PER_ROOT * math.sqrt(self._rows_at_most(node))
        shifts = []
        for form in self.forms:
            shift = 0
            while not isinstance(form, int) and not form[1] and len(form[0]) >> shift > 2 * needed:
                shift += 1
            shifts.append(shift)
        return shifts

    def _count(self, group: list[int]) -> list[int]:
        """Count some nodes; give those whose rows came home."""
        home = [node for node in group if self._rows_at_most(node) <= self.home_rows]
        at_home = set(home)
        derived = self._derived(group)
        for node in group:
            self._shift[node] = self._shifts(node)
        counted = set(group) - at_home - derived.keys()
        for node, (_, others) in derived.items():
            counted.update(others)
            for other in others:
                self._shift[other] = self._shift[node]
        nodes = group + sorted(counted - set(group))
        slots = [
            Slot(cells=node in counted, rows=node in at_home, shifts=self._shift[node])
            for node in nodes
        ]
        found = self._scan("counts", nodes, slots)
        cells = {
            node: [found.cells[s, c] for c in range(len(self.forms))]
            for s, node in enumerate(nodes)
            if node in counted
        }
        for node, (parent, others) in derived.items():
            cells[node] = self._difference(parent, node, [cells[other] for other in others])
        self._kept.clear()
        for s, node in enumerate(nodes):
            if self.top.info(node)[0] == "counted":
                self._give(node, found.totals[s])
        large = (node for node in group if node not in at_home)
        self._cells = {node: cells[node] for node in large if self.top.info(node)[0] == "open"}
        return home

    def _derived(self, group: list[int]) -> dict[int, tuple[int, list[int]]]:
        """Give the nodes whose counts are those of their parent less those of their siblings.

        These are the largest of all branches of a node, each with its parent and its siblings.
        Parts of rows that were divided are rounded, so their counts do not add up to the parent's.
        """
        found: dict[int, tuple[int, list[int]]] = {}
        for parent in () if self.form.divides else self._kept:
            children = self.top.info(parent)[4]
            rows = {child: self._rows_at_most(child) for child in children}
            largest = max(children, key=rows.__getitem__, default=-1)
            others = [child for child in children if child != largest]
            few = sum(rows[child] for child in others) < rows.get(largest, 0)
            if largest in group and rows[largest] > self.home_rows and few:
                found[largest] = (parent, others)
        return found

    def _difference(
        self, parent: int, node: int, others: list[list[NDArray[np.int64]]]
    ) -> list[NDArray[np.int64]]:
        """Subtract the counts of siblings from those of their parent."""
        found = []
        cells, shifts = self._kept[parent]
        for c, (of_parent, before, now) in enumerate(
            zip(cells, shifts, self._shift[node], strict=True)
        ):
            left = coarser(of_parent, now - before)
            for other in others:
                left = left - other[c]
            found.append(left)
        return found

    def _give(self, node: int, totals: Totals) -> None:
        self.top.count(node, totals.rows, totals.channels, totals.low, totals.high, totals.deviance)

    def _scan(self, what: str, nodes: list[int], slots: list[Slot]) -> Counts:
        self.tell(what)
        places = [-1] * len(self.top)
        for slot, node in enumerate(nodes):
            places[node] = slot

        came = [0] * len(slots)

        def keep(rows: PickedRows) -> None:
            came[rows.slot] += len(rows.y)
            self.store.add(nodes[rows.slot], rows)

        task = ScanTask(
            self.reader,
            self.form.for_core,
            self.top.routes(places),
            self.form.grain_rows,
            _LEAST_FRACTION,
            self.forms,
            slots,
            summed=self.source.stamps is None,
        )
        found = self.executor.run(self.source, task, keep)
        expected = self.learned.profile.n_rows
        if found.n_rows != expected:
            raise SourceError(
                f"source: {self.source.name} had {expected} rows in the first scan and has "
                f"{found.n_rows} now: it changed between scans"
            )
        self.source.check_unchanged()
        self._sums = self._sums or found.sums
        for name, total in found.sums.items():
            if total != self._sums[name]:
                raise SourceError(
                    f"source: the cells of column {name!r} of {self.source.name} are not those of "
                    "an earlier scan: it changed between scans"
                )
        for slot, rows in enumerate(came):
            if slots[slot].rows and rows != found.totals[slot].rows:
                raise SourceError(
                    f"source: {self.source.name} gave {rows} rows of a node that has "
                    f"{found.totals[slot].rows}: it changed between scans"
                )
        return found

    # --- splits ----------------------------------------------------------------------------

    def _split(self, nodes: list[int]) -> None:
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
                    shifts=self._shift[n],
                )
                for n in which
            ]
            found = self._scan("values", which, slots)
            for (s, c), one in found.values.items():
                values[which[s], c] = one
                self.values_read += len(one.values)
        for node in nodes:
            of_node = {c: one for (n, c), one in values.items() if n == node}
            self.top.decide(node, self._given(node, opened[node], of_node), self.threads)
            cells = self._cells.pop(node)
            if self.top.info(node)[4]:
                self._kept[node] = (cells, self._shift[node])

    def _parts(self, opened: dict[int, dict[int, NDArray[np.uint8]]]) -> list[set[tuple[int, int]]]:
        """Divide opened columns among scans, so that their values fit in memory."""
        parts: list[set[tuple[int, int]]] = []
        room = 0
        channels = self.form.channels
        # While rows of whole classes are read, a value takes 12 bytes.
        per_value = max(12, 8 + 8 * channels) + 4 if self.form.small else 16 * (1 + channels)
        for node, columns in opened.items():
            for c, marks in columns.items():
                rows = self._rows_in(self._cells[node][c], marks)
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
        shifts = self._shift[node]
        for c, form in enumerate(self.forms):
            cells = self._cells[node][c].astype(np.int64, copy=False)
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

    # --- small nodes come home -------------------------------------------------------------

    def _grow_home(self, node: int) -> _core.Tree:
        """Grow what lies below a node in memory."""
        arrays = self.store.take(node)
        width = len(self.forms)
        columns = [a.astype(np.float64) if a.dtype == np.float32 else a for a in arrays[:width]]
        y, parts = arrays[width], arrays[width + 1]
        weights = arrays[width + 2] if len(arrays) > width + 2 else None
        divided = self.top.info(node)[3]
        if divided:
            weights = parts if weights is None else weights * parts
        table = Table(self.reader.schema, len(y), None, columns)
        problem = self.estimator.constrained_problem(
            table, self.target(y, weights), self.settings, self.whole
        )
        return _core.grow_below(problem, self.top, node, parts if divided else None)
