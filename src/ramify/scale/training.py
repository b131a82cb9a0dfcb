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
from ramify.scale.losses import LossTask
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

    def grow(self, included: Any = None, *, max_expansions: int | None = None) -> _core.Tree:
        """Grow the whole tree, and those of the folds with it."""
        assert included is None
        assert max_expansions is None
        source, rows = self.source, list[Taken | None]([None])
        if self.n_folds:
            source, of_folds = self._deal()
            self._marked[:] = [source]
            rows += of_folds
        trees: list[_core.Tree] = []
        size = bytes_spilled(self.common)
        for wave in waves(len(rows), 1 + self.together, self.folder, size):
            growths = [self._growth(tree, rows[tree]) for tree in wave]
            trees += grow_together(growths, source, self.scans)
            if 0 in wave:
                self.passed_over[:] = growths[0].top.passed_over
        self._folds[:] = trees[1:]
        return trees[0]

    def _growth(self, tree: int, taken: Taken | None) -> Growth:
        """Begin the tree of all rows, or that of a fold."""
        budget = self.budgets[0 if taken is None else 1]
        return Growth(
            self.common,
            replace(self.common.learned, taken=taken),
            RowStore(self.folder / str(tree), budget.rows),
            budget,
            left_out=None if taken is None else tree - 1,
            competitors=taken is None,
        )

    def _deal(self) -> tuple[RowSource, list[Taken]]:
        """Deal the rows to folds; give the source with their folds, and what the trees learn of."""
        self.scans.tell("the target")
        y, weights, sizes = read_targets(self.source, self.scans.executor, self.common.reader)
        target = replace(self.target, y=y, weights=weights)
        folds = replace(self, target=target).folds(self.n_folds)
        count = int(folds.max()) + 1
        taken = [take(y, weights, (folds >= 0) & (folds != fold)) for fold in range(count)]
        return marked(self.source, folds, sizes), taken

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
            self.common.reader, trees, own, retirement, weigh_gains, costs, loss, self.unseen
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
