"""Amounts of memory: as users write them, and as a fit divides them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from ramify import _core
from ramify.learning.parameters import is_number
from ramify.scale.sources import BATCH_ROWS

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNITS |= {f"{unit}I": 1024 ** (i + 1) for i, unit in enumerate("KMGT")}
_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*([KMGT]?I?)B?\s*", re.IGNORECASE)


def read_memory(name: str, value: Any) -> int:
    """Give a number of bytes, from a number or a text such as "4GB", "512 MB" or "1.5GiB".

    Examples
    --------
    >>> read_memory("memory_limit", "1.5 GB")
    1500000000
    """
    if is_number(value) and value > 0:
        return int(value)
    if isinstance(value, str) and (found := _WRITTEN.fullmatch(value)):
        unit = found[2].upper()
        if unit in _UNITS and (size := int(float(found[1]) * _UNITS[unit])) > 0:
            return size
    raise ValueError(
        f"{name}={value!r:.80} is no amount of memory; give a number of bytes, or a text such as "
        "'4GB', '512MB' or '1.5GiB'"
    )


def give_back_free_memory() -> None:
    """Give back to the system what was freed: both heaps keep it otherwise, that of Arrow too."""
    pa.default_memory_pool().release_unused()
    _core.give_back_free_memory()


@dataclass(frozen=True)
class Budget:
    """How a fit divides the memory that it may use.

    Parameters
    ----------
    limit : int
        Bytes.
    part : float
        The part of what scans collect that a tree may have, if several are grown in the same scans.
        Small nodes are grown one after the other, so each has all the memory for them.
    """

    limit: int
    part: float = 1.0

    #: Growth in memory takes 8 bytes per cell for its value and 6 for its place in the order; while
    #: rows are read from a file, their cells are there twice.
    _CELL, _ROW, _SHARE = 17, 64, 0.7
    _VALUES = 0.17

    def home_rows(self, n_columns: int) -> int:
        """Give the number of rows that a subtree may have to be grown in memory."""
        return int(self._SHARE * self.limit) // (self._CELL * n_columns + self._ROW)

    def needed(self, n_rows: int, n_columns: int) -> int:
        """Give the limit with which all rows are in memory."""
        return int(n_rows * (self._CELL * n_columns + self._ROW) / self._SHARE) + 1

    def sample_rows(self, n_columns: int) -> int:
        """Give the number of rows of the sample that proposes edges; it may have twice as many."""
        fitting = int(0.1 * self.limit) // (16 * max(1, n_columns))
        return max(_LEAST_SAMPLE, min(_MOST_SAMPLE, fitting))

    def batch_rows(self, n_columns: int) -> int:
        """Give the number of rows of a batch: a few batches are in memory at a time."""
        fitting = int(0.05 * self.limit) // (8 * max(1, n_columns))
        return max(_LEAST_BATCH, min(BATCH_ROWS, fitting))

    @property
    def cells(self) -> int:
        """Bytes for the contingency tables of open nodes; as much again is kept of parents."""
        return int(0.2 * self.limit * self.part)

    @property
    def values(self) -> int:
        """Bytes for the values of opened cells that a scan reads."""
        return int(self._VALUES * self.limit * self.part)

    @property
    def search(self) -> int:
        """Bytes for the search among such values."""
        return int(self._VALUES * self.limit)

    @property
    def rows(self) -> int:
        """Bytes for collected rows that are not yet written to disk."""
        return int(0.15 * self.limit * self.part)

    def edges(self, n_columns: int, bytes_per_cell: int, nodes: int = 4) -> int:
        """Give the number of edges per column with which so many nodes can be counted at once."""
        cells = self.cells // (nodes * max(1, n_columns) * bytes_per_cell)
        return max(2, min(_MOST_EDGES, cells))

    def shared(
        self, folds: int, n_rows: int, n_columns: int, bytes_per_cell: int
    ) -> tuple[Budget, Budget, int]:
        """Give the budgets of the whole tree and of a fold, and how many folds it is for.

        The whole tree gets half, for it remembers the best splits of all columns. The other half is
        for as many folds as can have enough edges: between too few of them lie so many values that
        scans are divided, which costs as many scans as were saved.
        """
        if not folds:
            return self, self, 0
        enough = min(_ENOUGH_EDGES, 2 * math.isqrt(n_rows))
        together = folds
        while together > 1 and self._fold(together).edges(n_columns, bytes_per_cell) < enough:
            together -= 1
        return replace(self, part=0.5), self._fold(together), together

    def _fold(self, together: int) -> Budget:
        return replace(self, part=0.5 / together)


#: Shorter batches take longer; their columns have a few dozen kilobytes each.
_LEAST_BATCH = 4_096
#: Edges that come from fewer rows lie anywhere; more rows do not place them better.
_LEAST_SAMPLE, _MOST_SAMPLE = 20_000, 100_000
#: More edges would not leave out more: the rows between two of them are few already.
_MOST_EDGES = 65_000
#: Edges with which the values in opened cells are some hundredths of the rows.
_ENOUGH_EDGES = 512
