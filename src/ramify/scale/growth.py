"""Growth from counts: scan by scan, until every open node fits in memory.

The top of the tree is held by the core (`_core.StreamTop`), which splits a node by the same
searches as in memory. A growth says what each scan is to read:

1. the counts of the nodes that are too large, and the rows of those that come home;
2. the values inside the cells that may hold the best threshold (`splitting.py`).

Then every counted node is split, and its branches are the nodes of the next scan. At the end the
rows that came home are grown in memory, each node with the place it has in the tree, and grafted.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any

from ramify import _core
from ramify.learning import parameters as check
from ramify.scale.common import Common
from ramify.scale.counting import TreeScan
from ramify.scale.counts import Counts
from ramify.scale.marks import Part
from ramify.scale.memory import Budget, give_back_free_memory
from ramify.scale.node_counts import NodeCounts
from ramify.scale.profiling import Learned
from ramify.scale.rank_splitting import RankSplitting
from ramify.scale.spill import RowStore
from ramify.scale.splitting import Splitting, Wish
from ramify.scale.whole_numbers import Form


@dataclass
class Growth:
    """Grows a tree.

    Parameters
    ----------
    common : Common
        What all trees of the fit share.
    learned : Learned
        What is known of the rows of this tree.
    store : RowStore
        Keeps the rows that come home.
    budget : Budget
    part : Part or None
        The rows of this tree; None for all.
    competitors : bool
        Whether the splits of other columns are remembered.
    """

    common: Common
    learned: Learned
    store: RowStore
    budget: Budget
    part: Part | None = None
    competitors: bool = True
    form: Form = field(init=False)
    top: _core.StreamTop = field(init=False)
    counts: NodeCounts = field(init=False)
    splitting: Splitting = field(init=False)
    _home: list[int] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        common, n_rows = self.common, self.learned.profile.n_rows
        form = Form.of(self.learned, common.problem, common.settings)
        form = replace(form, targets=common.form.targets)
        self.form = form
        self.top = _core.StreamTop(
            common.problem,
            form.for_core,
            form.all_weight,
            form.grain_rows,
            form.divides,
            self.competitors,
            form.targets,
        )
        columns = len(common.reader.schema)
        home_rows = max(1, self.budget.home_rows(columns))
        most_edges = self.budget.edges(columns, form.bytes_per_cell, form.nodes_at_once)
        self.counts = NodeCounts(self.top, form, common.forms, n_rows, home_rows, most_edges)
        threads = check.threads(common.estimator.n_jobs)
        given = self.top, self.counts, form, common.forms, self.budget, threads
        if form.quantile is None:
            self.splitting = Splitting(*given)
        else:
            self.splitting = RankSplitting(
                *given, common.settings, common.reader.schema, self.budget.needed(n_rows, columns)
            )

    def steps(self) -> Generator[Wish, Counts, None]:
        """Do all that takes scans; yield what a scan is to read, and take what it found."""
        while wanted := self._wanted():
            for group in self._groups(wanted):
                yield from self._count(group)
                yield from self.splitting.split(list(self.counts.cells))
        self.counts.clear()

    def grow_home(self) -> None:
        """Grow what came home, when there are no more scans."""
        self.store.clear_memory()
        for node in self._home:
            if self.top.info(node)[0] == "open":
                give_back_free_memory()
                self.top.graft(node, self._grow_home(node))
            else:
                self.store.drop(node)
        self._home.clear()

    def finish(self, max_expansions: int | None = None) -> _core.Tree:
        """Give the tree, or what best-first growth makes of it in so many expansions."""
        self.grow_home()
        return self.top.finish(max_expansions)

    def _wanted(self) -> list[int]:
        """Give the nodes that the next scan looks at."""
        taken = set(self._home)
        states = ((node, self.top.info(node)[0]) for node in range(len(self.top)))
        return [n for n, state in states if state in ("counted", "open") and n not in taken]

    def _groups(self, wanted: list[int]) -> list[list[int]]:
        """Divide nodes among scans, so that their counts fit in memory."""
        groups = [[node for node in wanted if self.counts.comes_home(node)]]
        room = self.budget.cells
        for node in wanted:
            if self.counts.comes_home(node):
                continue
            size = self.counts.bytes_of(node)
            if size > room and room < self.budget.cells:
                groups.append([])
                room = self.budget.cells
            groups[-1].append(node)
            room -= size
        return groups

    def _count(self, group: list[int]) -> Generator[Wish, Counts, None]:
        """Count some nodes, and collect the rows of those that come home."""
        home = [node for node in group if self.counts.comes_home(node)]
        nodes, slots = self.counts.slots(group)
        found = yield "counts", nodes, slots
        self.counts.take(group, nodes, slots, found)
        new = [(s, node) for s, node in enumerate(nodes) if self.top.info(node)[0] == "counted"]
        targets: dict[int, Any] = {}
        if isinstance(self.splitting, RankSplitting):
            of_target = {node: found.cells[s, len(self.common.forms)] for s, node in new}
            targets = yield from self.splitting.read_targets(of_target)
        for s, node in new:
            sums = found.totals[s]
            self.top.count(
                node,
                sums.rows,
                sums.channels,
                sums.low,
                sums.high,
                sums.deviance,
                targets.get(node),
            )
        self.counts.forget_closed()
        self._home += home

    def scan(self, wish: Wish) -> TreeScan:
        """Give a wish as the kernel takes it."""
        _, nodes, slots = wish
        places = [-1] * len(self.top)
        for slot, node in enumerate(nodes):
            places[node] = slot
        return TreeScan(
            self.form.for_core,
            self.top.routes(places),
            self.form.grain_rows,
            self.form.least_fraction,
            slots,
            self.part,
            self.form.divides,
        )

    def _grow_home(self, node: int) -> _core.Tree:
        """Grow what lies below a node in memory."""
        arrays = self.store.take(node)
        columns, y, parts, weights = self.common.unpacked(arrays, divides=self.form.divides)
        if not self.top.info(node)[3]:
            parts = None
        if parts is not None:
            weights = parts if weights is None else weights * parts
        problem = self.common.problem_of(columns, y, weights)
        return _core.grow_below(problem, self.top, node, parts)
