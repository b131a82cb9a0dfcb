"""The losses of the rows of every fold in the trees of its sequence, summed in one scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.executors import Emit
from ramify.scale.reading import MARK, Reader


@dataclass
class SummedLosses:
    """Losses of folds, summed over rows."""

    folds: list[tuple[NDArray[np.float64], NDArray[np.float64], float, float, int]]

    def __add__(self, other: SummedLosses) -> SummedLosses:
        """Give the sums over both."""
        pairs = zip(self.folds, other.folds, strict=True)
        return SummedLosses(
            [(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4]) for a, b in pairs]
        )


@dataclass(frozen=True)
class LossTask:
    """Judges the rows of every fold by the trees of its sequence."""

    reader: Reader
    trees: list[_core.Tree]
    thresholds: list[NDArray[np.float64]]
    retirement: str
    weigh_gains: bool
    costs: NDArray[np.float64] | None
    loss: str
    unseen: str

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        return [*self.reader.columns, MARK]

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> SummedLosses:
        """Judge the batches."""
        total = SummedLosses(
            [(np.zeros(len(t)), np.zeros(len(t)), 0.0, 0.0, 0) for t in self.thresholds]
        )
        for batch in batches:
            if batch.num_rows:
                total = total + self._judge(batch)
        return total

    def _judge(self, batch: pa.RecordBatch) -> SummedLosses:
        read = self.reader.read(batch)
        folds = batch.column(MARK).to_numpy(zero_copy_only=False)
        there = np.ones(read.n_rows, dtype=bool) if read.weights is None else read.weights > 0
        columns = [c.astype(np.float64) if c.dtype == np.float32 else c for c in read.columns]
        found = []
        for fold, (tree, thresholds) in enumerate(zip(self.trees, self.thresholds, strict=True)):
            rows = np.flatnonzero((folds == fold) & there).astype(np.uint32)
            found.append(
                _core.stream_losses(
                    tree,
                    self.retirement,
                    self.weigh_gains,
                    self.costs,
                    thresholds,
                    self.loss,
                    columns,
                    rows,
                    read.y,
                    read.weights,
                    self.unseen,
                )
            )
        return SummedLosses(found)
