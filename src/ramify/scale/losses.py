"""Rows that trees were not grown on judge them, in one scan: their losses are summed.

The rows of a fold judge the trees of its sequence; rows held out judge every node of one tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.executors import Emit
from ramify.scale.marks import Part
from ramify.scale.reading import MARK, Encoded, Reader

#: Losses and squared losses of the trees of a sequence, and of the rows the weight, the squared
#: weights and the expansions of the tree.
LossesOfFold = tuple[NDArray[np.float64], NDArray[np.float64], float, float, int]


@dataclass
class SummedLosses:
    """Losses in the trees of sequences, summed over rows."""

    folds: list[LossesOfFold]

    def __add__(self, other: SummedLosses) -> SummedLosses:
        """Give the sums over both."""
        pairs = zip(self.folds, other.folds, strict=True)
        return SummedLosses(
            [(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4]) for a, b in pairs]
        )


@dataclass(frozen=True)
class LossTask:
    """Judges rows by the trees of sequences: of each tree, the rows of one part."""

    reader: Reader
    trees: list[_core.Tree]
    parts: list[Part]
    thresholds: list[NDArray[np.float64]]
    retirement: str
    weigh_gains: bool
    costs: NDArray[np.float64] | None
    loss: str
    unseen: str
    quantile: float

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
        marks = batch.column(MARK).to_numpy(zero_copy_only=False)
        there = np.ones(read.n_rows, dtype=bool) if read.weights is None else read.weights > 0
        columns = _for_prediction(read)
        found = []
        for tree, part, thresholds in zip(self.trees, self.parts, self.thresholds, strict=True):
            rows = np.flatnonzero(part.of(marks) & there).astype(np.uint32)
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
                    self.quantile,
                )
            )
        return SummedLosses(found)


@dataclass
class NodeSums:
    """Sums over held-out rows, per node: their loss if it were a leaf, and their targets."""

    loss: NDArray[np.float64]
    counts: NDArray[np.float64]


@dataclass
class SummedNodes:
    """The sums of the nodes of some trees."""

    trees: list[NodeSums]

    def __add__(self, other: SummedNodes) -> SummedNodes:
        """Give the sums over both."""
        pairs = zip(self.trees, other.trees, strict=True)
        return SummedNodes([NodeSums(a.loss + b.loss, a.counts + b.counts) for a, b in pairs])


@dataclass(frozen=True)
class HeldOutTask:
    """Judges every node of some trees by the rows that were held out of each.

    Parameters
    ----------
    reader : Reader
    trees : list of _core.Tree
    parts : list of Part
        The rows that were held out, tree by tree.
    costs : ndarray or None
    loss : str
        By the core's name.
    centre : float
        About which targets are squared.
    unseen : str
    quantile : float
        Of the pinball loss.
    """

    reader: Reader
    trees: list[_core.Tree]
    parts: list[Part]
    costs: NDArray[np.float64] | None
    loss: str
    centre: float
    unseen: str
    quantile: float

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        return [*self.reader.columns, MARK]

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> SummedNodes:
        """Judge the batches."""
        classes = 0 if self.reader.codes is None else int(self.reader.codes.max()) + 1
        nodes = [len(tree.arrays()["parent"]) for tree in self.trees]
        total = SummedNodes(
            [NodeSums(np.zeros(count), np.zeros(count * (classes or 3))) for count in nodes]
        )
        for batch in batches:
            if batch.num_rows:
                total = total + self._judge(batch)
        return total

    def _judge(self, batch: pa.RecordBatch) -> SummedNodes:
        read = self.reader.read(batch)
        marks = batch.column(MARK).to_numpy()
        columns = _for_prediction(read)
        found = []
        for tree, part in zip(self.trees, self.parts, strict=True):
            sums = _core.held_out_sums(
                tree,
                self.loss,
                self.costs,
                self.centre,
                columns,
                np.flatnonzero(part.of(marks)).astype(np.uint32),
                read.y,
                read.weights,
                self.unseen,
                self.quantile,
            )
            found.append(NodeSums(*sums))
        return SummedNodes(found)


def _for_prediction(read: Encoded[NDArray[Any]]) -> list[NDArray[Any]]:
    return [c.astype(np.float64) if c.dtype == np.float32 else c for c in read.columns]
