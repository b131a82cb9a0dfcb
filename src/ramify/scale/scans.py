"""The scans of a fit, numbered, each with the proof that it read the rows of the first one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ramify.scale.counting import PickedRows, ScanTask
from ramify.scale.counts import Counts
from ramify.scale.executors import Executor, Result, Task
from ramify.scale.memory import give_back_free_memory
from ramify.scale.sources import RowSource, SourceError


@dataclass
class Scans:
    """Runs scans.

    Parameters
    ----------
    executor : Executor
    n_rows : int
        The rows of the source.
    on_scan : callable
        Called with the number of a scan and what it reads, before it starts.
    """

    executor: Executor
    n_rows: int
    on_scan: Callable[[int, str], None] = lambda number, what: None
    number: int = field(default=1, init=False)
    _sums: dict[str, int] = field(default_factory=dict, init=False)

    def tell(self, what: str) -> None:
        """Say that a scan begins."""
        give_back_free_memory()
        self.number += 1
        self.on_scan(self.number, what)

    def add_up(self, source: RowSource, what: str, task: Task[Result]) -> Result:
        """Run a scan that counts no nodes."""
        self.tell(what)
        found = self.executor.run(source, task, lambda _: None)
        source.check_unchanged()
        return found

    def run(
        self, source: RowSource, what: str, task: ScanTask, keep: Callable[[PickedRows], None]
    ) -> list[Counts]:
        """Run a scan, and give the counts of all trees; `keep` gets the rows that come home."""
        self.tell(what)
        came = {
            (t, s): 0
            for t, tree in enumerate(task.trees)
            for s, slot in enumerate(tree.slots)
            if slot.rows
        }

        def keep_and_count(rows: PickedRows) -> None:
            came[rows.tree, rows.slot] += len(rows.y)
            keep(rows)

        found = self.executor.run(source, task, keep_and_count)
        give_back_free_memory()
        if found.n_rows != self.n_rows:
            raise SourceError(
                f"source: {source.name} had {self.n_rows} rows in the first scan and has "
                f"{found.n_rows} now: it changed between scans"
            )
        source.check_unchanged()
        for name, total in found.sums.items():
            if total != self._sums.setdefault(name, total):
                raise SourceError(
                    f"source: the cells of column {name!r} of {source.name} are not those of "
                    "an earlier scan: it changed between scans"
                )
        for (t, slot), rows in came.items():
            expected = found.trees[t].totals[slot].rows
            if rows != expected:
                raise SourceError(
                    f"source: {source.name} gave {rows} rows of a node that has {expected}: it "
                    "changed between scans"
                )
        return found.trees
