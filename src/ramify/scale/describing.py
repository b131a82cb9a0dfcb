"""Pruning by description length, with rows that are read in scans.

The price of a question depends on the number of distinct values that its column has among the rows
of the node. The subtrees whose rows fit in memory are collected and counted there. The nodes above
are counted in scans: nodes of one depth have different rows, and all depths share a scan.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.common import Common
from ramify.scale.counting import PickedRows, ScanTask, Slot
from ramify.scale.distinct import BYTES_PER_VALUE, LAST, DistinctTask
from ramify.scale.forks import THRESHOLD, Fork, Key, scan_of
from ramify.scale.memory import Budget
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource
from ramify.scale.spill import RowStore


class Describing:
    """Counts the values that the questions of a tree choose from.

    Parameters
    ----------
    common : Common
    budget : Budget
    folder : Path
        For the rows of subtrees that are counted in memory.
    grown : _core.Tree
    unseen : str
    """

    def __init__(
        self, common: Common, budget: Budget, folder: Path, grown: _core.Tree, unseen: str
    ) -> None:
        self._common, self._budget, self._unseen = common, budget, unseen
        self._tree = grown
        self._arrays: dict[str, NDArray[Any]] = grown.arrays()
        self._store = RowStore(folder / "described", budget.rows)
        inner = self._arrays["first_child"] >= 0
        home_rows = max(1, budget.home_rows(len(common.reader.schema)))
        small = self._arrays["rows"] <= home_rows
        parents = self._arrays["parent"]
        below_large = np.append(~small, True)[parents]  # -1 is the place after the last
        #: The nodes that scans count, and the uppermost that are counted in memory.
        self._large = np.flatnonzero(inner & ~small)
        self._homes = set(np.flatnonzero(inner & small & below_large).tolist())
        self.distinct = np.zeros(len(parents), dtype=np.int64)
        self.holes = np.zeros(len(parents), dtype=np.uint8)
        #: The columns that tell some of all rows apart.
        self.varying = 0

    def run(self, source: RowSource, scans: Scans) -> None:
        """Count the values, scan by scan."""
        if len(self.distinct) == 1:
            return
        self._count_large(source, scans)
        if self._homes:
            self._collect(source, scans)
            for node in sorted(self._homes):
                self._count_home(node)

    def _count_large(self, source: RowSource, scans: Scans) -> None:
        depths = self._arrays["depth"][self._large]
        levels = [self._large[depths == depth].tolist() for depth in np.unique(depths)]
        found = [scan_of(self._common.form, 0, self._reaching(set(nodes))) for nodes in levels]
        nodes: list[list[Any]] = [keys for _, keys in found]
        attributes = [[int(self._arrays["attribute"][node]) for node in own] for own in nodes]
        first = 0
        while first <= LAST:
            task = DistinctTask(
                self._common.reader,
                self._common.columns,
                [scan for scan, _ in found],
                attributes,
                first,
                max(1, self._budget.values // BYTES_PER_VALUE),
                spans=first == 0,
            )
            seen = scans.add_up(source, "distinct values", task)
            for (s, slot), values in seen.values.items():
                self.distinct[nodes[s][slot]] += len(values)
            for s, slot in seen.holes:
                self.holes[nodes[s][slot]] = 1
            if first == 0:
                spans = seen.spans.values()
                self.varying = sum(
                    low < high or (missing and low == high) for low, high, missing in spans
                )
            first = seen.last + 1

    def _reaching(self, nodes: set[int]) -> Any:
        """Give where rows go until they come to some nodes, which are of one depth."""
        above: set[int] = set()
        for node in nodes:
            parent = int(self._arrays["parent"][node])
            while parent >= 0 and parent not in above:
                above.add(parent)
                parent = int(self._arrays["parent"][parent])

        def look(node: Key) -> Fork | Slot | None:
            assert isinstance(node, int)
            if node in nodes:
                return Slot(rows=True)
            return self._fork(node) if node in above else None

        return look

    def _fork(self, node: int) -> Fork:
        """Give the condition of a node."""
        a = self._arrays
        first, kind = int(a["first_child"][node]), int(a["kind"][node])
        children = list(range(first, first + int(a["n_children"][node])))
        form = self._common.forms[int(a["attribute"][node])]
        branches: list[int] = []
        if isinstance(form, int) and kind != THRESHOLD:
            branches = [-1] * form
            for at in range(a["level_start"][node], a["level_start"][node + 1]):
                branches[int(a["level_code"][at])] = int(a["level_branch"][at])
        return Fork(
            kind,
            int(a["attribute"][node]),
            float(a["threshold"][node]),
            int(a["missing_to"][node]),
            branches,
            children,
            [float(a["proportion"][child]) for child in children],
        )

    def _collect(self, source: RowSource, scans: Scans) -> None:
        """Collect the rows of subtrees that fit in memory, which are all disjoint."""
        scan, keys = scan_of(self._common.form, 0, self._reaching(self._homes))
        task = ScanTask(
            self._common.reader, self._common.columns, [scan], summed=source.stamps is None
        )

        def keep(rows: PickedRows) -> None:
            node = keys[rows.slot]
            assert isinstance(node, int)
            self._store.add(node, rows)

        scans.run(source, "rows of nodes", task, keep)

    def _count_home(self, node: int) -> None:
        divides = self._common.form.divides
        columns, y, parts, weights = self._common.unpacked(self._store.take(node), divides=divides)
        problem = self._common.problem_of(columns, y, weights)
        distinct, holes = _core.values_below(problem, self._tree, node, parts, self._unseen)
        self.distinct += distinct
        self.holes |= holes
