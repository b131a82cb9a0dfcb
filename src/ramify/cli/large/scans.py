"""The progress of scans: which of how many, how many rows a second, what is left."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ramify.cli import output as out
from ramify.scale.memory import Budget

_TERMINATED = 143  # 128 and the number of the signal, as shells have it


class Scans:
    """Shows which scan runs. A scan is told by `begin`, its rows by `rows`.

    The number of scans is not known before a tree is grown. It is estimated: one that learns the
    levels, two for every level of the tree whose nodes do not fit in memory, and one that collects
    the rows of those that do. Trees of folds grow in the same scans as the whole tree, or in as
    many waves as the memory asks for; two more scans read the targets and sum the losses.

    Parameters
    ----------
    expected_rows : int or None
        The number of rows of a scan, if it is known.
    memory : int
        Bytes that the fit may use.
    n_columns : int
    max_depth : int or None
        The depth of the tree, if it is limited.
    folds : int
        The folds that a pruning cross-validates with.
    """

    def __init__(
        self,
        expected_rows: int | None,
        memory: int,
        n_columns: int,
        max_depth: int | None,
        folds: int = 0,
    ) -> None:
        self.number = 0
        self.n_rows = expected_rows
        self._budget, self._n_columns, self._folds = Budget(memory), n_columns, folds
        self._home = max(1, self._budget.home_rows(n_columns))
        self._max_depth = max_depth
        self._what = "opening"
        self._done = 0
        self._started = time.perf_counter()
        self._bar: Any = None

    def begin(self, number: int, what: str) -> None:
        """Begin a scan."""
        if number > 1 and self._done:
            self.n_rows = self._done  # now it is known
        self.number, self._what, self._done = number, what, 0
        self._started = time.perf_counter()
        self._show()

    def restart(self) -> None:
        """Read from the first row on."""
        self._done = 0

    def rows(self, count: int) -> None:
        """Add to the rows that were read."""
        self._done += count
        self._show()

    def text(self) -> str:
        """Say what is going on."""
        found = f"scan {self.number}{self._of()}, {self._what}"
        if not self._done:
            return found
        seconds = time.perf_counter() - self._started
        speed = self._done / seconds if seconds > 0 else math.inf
        of = "" if self.n_rows is None else f" of {count_text(self.n_rows)}"
        if self.n_rows is not None and self._done >= self.n_rows and self.number > 1:
            return f"{found}: {count_text(self.n_rows)} rows read, growing"
        return f"{found}: {count_text(self._done)}{of} rows, {count_text(speed)} rows/s"

    def part(self) -> float:
        """Give the part of all scans that is done, as far as it can be told."""
        if not self.number or self.n_rows is None:
            return 0.0
        here = min(1.0, self._done / max(1, self.n_rows))
        return min(1.0, (self.number - 1 + here) / self._expected())

    def _of(self) -> str:
        if self.n_rows is None:
            return ""
        expected = self._expected()
        about = f"about {expected}" if self.number < expected else f"{self.number} or more"
        return f" of {about}"

    def _expected(self) -> int:
        assert self.n_rows is not None
        if self.n_rows <= self._home:
            return max(2, self.number)
        levels = math.ceil(math.log2(self.n_rows / self._home))
        if self._max_depth is not None:
            levels = min(levels, self._max_depth)
        if not self._folds:
            return max(2 + 2 * levels, self.number)
        # Counts of two classes take 8 bytes.
        together = self._budget.shared(self._folds, self.n_rows, self._n_columns, 8)[2]
        waves = math.ceil((1 + self._folds) / (1 + together))
        return max(3 + (1 + 2 * levels) * waves, self.number)

    def _show(self) -> None:
        if self._bar is not None:
            self._bar(self.part(), self.text())

    @contextmanager
    def shown(self) -> Iterator[Scans]:
        """Show a bar while a tree is grown, if someone is looking."""
        with out.bar("opening") as self._bar:
            yield self
        self._bar = None


def count_text(count: float) -> str:
    """Give a number of rows in few letters.

    Examples
    --------
    >>> count_text(20_000_000), count_text(12_345)
    ('20.0 million', '12,345')
    """
    return f"{count / 1e6:.1f} million" if count >= 1e6 else f"{count:,.0f}"


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the process as an error would: what was begun is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: Any) -> None:
        raise SystemExit(_TERMINATED)

    former = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)
