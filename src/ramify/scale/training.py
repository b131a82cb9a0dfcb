"""What a pruning gets from a fit out of core: trees grown from scans, in place of a table.

The tree of all rows and those of the folds are grown in the same scans: thresholds come from the
whole tree only when the folds are judged, in one scan at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.training import FoldLosses, Training
from ramify.scale.common import Common
from ramify.scale.growth import Growth
from ramify.scale.losses import HeldOutTask, LossTask
from ramify.scale.marks import marked, read_targets, take
from ramify.scale.memory import Budget
from ramify.scale.profiling import Taken
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource
from ramify.scale.spill import RowStore
from ramify.scale.together import bytes_spilled, grow_together, waves
from ramify.tree.arrays import flat


@dataclass(frozen=True, eq=False)
class ScaledTraining(Training):
    """What a pruning gets from a fit out of core.

    Parameters
    ----------
    common : Common
        What all trees share.
    source : RowSource
    scans : Scans
    budgets : tuple of Budget
        The memory for the whole tree, and for that of a fold.
    together : int
        The number of folds for which there is memory in the same scans.
    folder : Path
        For temporary files.
    n_folds : int
        The folds that the pruning will ask for; 0 if it asks for none.
    """

    common: Common
    source: RowSource
    scans: Scans
    budgets: tuple[Budget, Budget]
    together: int
    folder: Path
    n_folds: int
    #: The rows of the partitions, if the targets were read.
    sizes: list[int] = field(default_factory=list)
    _folds: list[_core.Tree] = field(default_factory=list, init=False)
    _marked: list[RowSource] = field(default_factory=list, init=False)
    #: Which conditions of the skeleton were left out of the whole tree.
    passed_over: list[int] = field(default_factory=list, init=False)

    @classmethod
    def of(
        cls,
        common: Common,
        source: RowSource,
        scans: Scans,
        budget: Budget,
        folder: Path,
        folds: int,
    ) -> ScaledTraining:
        """Make it after the first scan."""
        n_rows, columns = common.learned.profile.n_rows, len(common.reader.schema)
        main, fold, together = budget.shared(folds, n_rows, columns, common.form.bytes_per_cell)
        base = common.training
        return cls(
            problem=base.problem,
            target=common.target(np.empty(0), None),
            loss=base.loss,
            order=base.order,
            unseen=base.unseen,
            seed=base.seed,
            verbose=False,
            common=common.with_edges(main),
            source=source,
            scans=scans,
            budgets=(main, fold),
            together=together,
            folder=folder,
            n_folds=folds,
        )

    def with_targets(self) -> ScaledTraining:
        """Give it with the targets and the weights of all rows, which are read."""
        y, weights, sizes = self._read_targets()
        return replace(self, target=replace(self.target, y=y, weights=weights), sizes=sizes)

    def grow(
        self, included: NDArray[np.uint8] | None = None, *, max_expansions: int | None = None
    ) -> _core.Tree:
        """Grow the whole tree, and those of the folds with it; or a tree on marked rows."""
        assert max_expansions is None
        if included is not None:
            return self._grow_on(included)
        source, rows = self.source, list[Taken | None]([None])
        if self.n_folds:
            source, of_folds = self._deal()
            self._marked[:] = [source]
            rows += of_folds
        trees: list[_core.Tree] = []
        size = bytes_spilled(self.common)
        for wave in waves(len(rows), 1 + self.together, self.folder, size):
            growths = [
                self._growth(tree, rows[tree], left_out=tree - 1 if tree else None) for tree in wave
            ]
            trees += grow_together(growths, source, self.scans)
            if 0 in wave:
                self.passed_over[:] = growths[0].top.passed_over
        self._folds[:] = trees[1:]
        return trees[0]

    def _grow_on(self, included: NDArray[np.uint8]) -> _core.Tree:
        target = self.target
        taken = take(target.y, target.weights, included > 0)
        source = marked(self.source, included.astype(np.int8), self.sizes)
        growth = self._growth(0, taken, left_out=0)
        return grow_together([growth], source, self.scans)[0]

    def reduced_error(
        self, grown: _core.Tree, held_out: NDArray[np.uint8], significance: float | None
    ) -> _core.Tree:
        """Cut a tree back by the rows that `held_out` marks, which it was not grown on."""
        self.scans.tell("rows held out")
        classes = self.target.n_classes > 0
        task = HeldOutTask(
            self.common.reader,
            grown,
            flat(self.target.regrets),
            "cost" if classes else self.loss,
            0.0 if classes else float(self.target.y[0]),
            self.unseen,
            self._quantile,
        )
        source = marked(self.source, held_out.astype(np.int8), self.sizes)
        sums = self.scans.executor.run(source, task, lambda _: None)
        return _core.reduced_error_by_sums(grown, sums.loss, sums.counts, significance)

    @property
    def _quantile(self) -> float:
        """The quantile of the pinball loss."""
        return float(self.common.settings.get("quantile", 0.5))

    def _growth(self, tree: int, taken: Taken | None, *, left_out: int | None) -> Growth:
        """Begin the first tree, or that of a fold, which remembers no competitors."""
        budget = self.budgets[0 if tree == 0 else 1]
        return Growth(
            self.common,
            replace(self.common.learned, taken=taken),
            RowStore(self.folder / str(tree), budget.rows),
            budget,
            left_out=left_out,
            competitors=tree == 0,
        )

    def _deal(self) -> tuple[RowSource, list[Taken]]:
        """Deal the rows to folds; give the source with their folds, and what the trees learn of."""
        y, weights, sizes = self._read_targets()
        target = replace(self.target, y=y, weights=weights)
        folds = replace(self, target=target).folds(self.n_folds)
        count = int(folds.max()) + 1
        taken = [take(y, weights, (folds >= 0) & (folds != fold)) for fold in range(count)]
        return marked(self.source, folds, sizes), taken

    def _read_targets(self) -> tuple[NDArray[Any], NDArray[np.float64] | None, list[int]]:
        self.scans.tell("the target")
        return read_targets(self.source, self.scans.executor, self.common.reader)

    def fold_losses(
        self,
        retirement: str,
        n_folds: int,
        thresholds: NDArray[np.float64],
        loss: str,
        time_limit: float | None,
    ) -> FoldLosses:
        """Sum the losses of every fold in the trees of a sequence that was grown without it."""
        assert n_folds == self.n_folds
        trees = self._folds
        costs, weigh_gains = flat(self.target.regrets), self.order == "best_first"
        own = [
            _core.thresholds_of_fold(tree, retirement, weigh_gains, costs, thresholds)
            for tree in trees
        ]
        self.scans.tell("losses of the folds")
        task = LossTask(
            self.common.reader,
            trees,
            own,
            retirement,
            weigh_gains,
            costs,
            loss,
            self.unseen,
            self._quantile,
        )
        (source,) = self._marked
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


def _expansions(tree: _core.Tree) -> int:
    return int((tree.arrays()["expansion"] >= 0).sum())
