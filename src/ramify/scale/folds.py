"""Cross-validation out of core: the folds of a fit in memory, each with a tree grown from counts.

The fold of a row is a column that is added to the batches, so rows must come in the same order in
every scan. A row that a fold leaves out has no weight. The losses of all folds take one scan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.training import FoldLosses, Training
from ramify.scale.common import Common
from ramify.scale.exact_sums import ExactSum
from ramify.scale.executors import Emit
from ramify.scale.growth import Growth
from ramify.scale.profiling import Learned, Taken
from ramify.scale.reading import FOLD, Reader
from ramify.scale.scans import Scans
from ramify.scale.sources import Partition, RowSource
from ramify.tree.arrays import flat

Folds = NDArray[np.int32]


@dataclass(frozen=True)
class FoldedPartition:
    """A partition with the fold of every row as one more column."""

    inner: Partition
    folds: Folds

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read the rows, with their folds if these are wanted."""
        row = 0
        for batch in self.inner.batches([name for name in columns if name != FOLD]):
            folds = self.folds[row : row + batch.num_rows]
            row += batch.num_rows
            if len(folds) < batch.num_rows:  # the number of rows changed, which the scan will say
                folds = (
                    np.resize(folds, batch.num_rows)
                    if len(folds)
                    else np.full(batch.num_rows, -1, dtype=np.int32)
                )
            arrays = [*batch.columns, pa.array(folds)]
            yield pa.RecordBatch.from_arrays(arrays, [*batch.schema.names, FOLD])


@dataclass
class Targets:
    """The targets of rows, and their weights, in the order of the rows."""

    y: list[NDArray[Any]]
    weights: list[NDArray[np.float64]]

    def __add__(self, other: Targets) -> Targets:
        """Give those of both, one after the other."""
        return Targets(self.y + other.y, self.weights + other.weights)


@dataclass(frozen=True)
class TargetTask:
    """Reads nothing but the target and the weights."""

    reader: Reader

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        weight = self.reader.weight
        return [self.reader.target] if weight is None else [self.reader.target, weight]

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Targets:
        """Read the batches."""
        found = Targets([], [])
        for batch in batches:
            y, weights = self.reader.read_target(batch)
            found.y.append(y)
            if weights is not None:
                found.weights.append(weights)
        return found


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
        return [*self.reader.columns, FOLD]

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
        folds = batch.column(FOLD).to_numpy(zero_copy_only=False)
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


@dataclass(frozen=True, eq=False)
class ScaledTraining(Training):
    """What a pruning gets from a fit out of core.

    Parameters
    ----------
    common : Common
        What all trees share.
    source : RowSource
    scans : Scans
    tree : _core.Tree
        The whole tree.
    fresh_growth : callable
        Makes the growth of a fold from its reader and what is learned of its rows.
    """

    common: Common
    source: RowSource
    scans: Scans
    tree: _core.Tree
    fresh_growth: Callable[[Reader, Learned], Growth]

    def grow(self, included: Any = None, *, max_expansions: int | None = None) -> _core.Tree:
        """Give the whole tree."""
        assert included is None
        assert max_expansions is None
        return self.tree

    def fold_losses(
        self,
        retirement: str,
        n_folds: int,
        thresholds: NDArray[np.float64],
        loss: str,
        time_limit: float | None,
    ) -> FoldLosses:
        """Grow a tree without each fold, and sum the fold's losses in every tree of a sequence."""
        common = self.common
        y, weights, sizes = self._read_targets()
        target = replace(self.target, y=y, weights=weights)
        folds = replace(self, target=target).folds(n_folds)
        count = int(folds.max()) + 1
        source = _folded(self.source, folds, sizes)
        trees = []
        for fold in range(count):
            included = (folds >= 0) & (folds != fold)
            learned = replace(common.learned, taken=_taken(y, weights, included))
            growth = self.fresh_growth(replace(common.reader, fold=fold), learned)
            trees.append(growth.grow(source, self.scans))
        costs, weigh_gains = flat(target.regrets), self.order == "best_first"
        own = [
            _core.thresholds_of_fold(tree, retirement, weigh_gains, costs, thresholds)
            for tree in trees
        ]
        self.scans.tell("losses of the folds")
        task = LossTask(
            common.reader, trees, own, retirement, weigh_gains, costs, loss, self.unseen
        )
        found = self.scans.executor.run(source, task, lambda _: None).folds
        longest = max(len(thresholds), *(len(one[0]) for one in found))

        def lengthened(sums: NDArray[np.float64]) -> NDArray[np.float64]:
            # For sizes beyond its own, the whole tree of a fold counts.
            return np.concatenate([np.repeat(sums[:1], longest - len(sums)), sums])

        return (
            np.array([lengthened(one[0]) for one in found]),
            np.array([lengthened(one[1]) for one in found]),
            np.array([one[2] for one in found]),
            np.array([one[3] for one in found]),
            np.array([_expansions(tree) for tree in trees], dtype=np.int64),
        )

    def _read_targets(self) -> tuple[NDArray[Any], NDArray[np.float64] | None, list[int]]:
        scans = self.scans
        scans.tell("the target")
        parts = []
        for partition in self.source.partitions:
            one = replace(self.source, partitions=[partition])
            parts.append(scans.executor.run(one, TargetTask(self.common.reader), lambda _: None))
        sizes = [sum(map(len, part.y)) for part in parts]
        y = np.concatenate([array for part in parts for array in part.y])
        found = [array for part in parts for array in part.weights]
        return y, np.concatenate(found) if found else None, sizes


def _expansions(tree: _core.Tree) -> int:
    return int((tree.arrays()["expansion"] >= 0).sum())


def _folded(source: RowSource, folds: Folds, sizes: list[int]) -> RowSource:
    starts = np.cumsum([0, *sizes])
    partitions: list[Partition] = [
        FoldedPartition(one, folds[begin:end])
        for one, begin, end in zip(source.partitions, starts, starts[1:], strict=False)
    ]
    return replace(source, partitions=partitions)


def _taken(
    y: NDArray[Any], weights: NDArray[np.float64] | None, included: NDArray[np.bool_]
) -> Taken:
    taken = np.ones(int(included.sum())) if weights is None else weights[included]
    numbers = y.dtype == np.float64
    own = y[included] if numbers else np.zeros(1)
    there = taken > 0
    sum_of_targets = ExactSum.of(taken * own) if numbers else ExactSum()
    weight = ExactSum.of(taken)
    present = own[there] if numbers else own
    return Taken(
        present=int(there.sum()),
        weight=float(weight),
        weights=(float(taken[there].min()), float(taken[there].max())),
        targets=(float(present.min()), float(present.max())),
        mean=float(sum_of_targets.fraction() / weight.fraction()) if numbers else 0.0,
    )
