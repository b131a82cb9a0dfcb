"""What a pruning gets from a fit out of core: trees grown from scans, in place of a table.

The tree of all rows and those of the folds are grown in the same scans: thresholds come from the
whole tree only when the folds are judged, in one scan at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.training import FoldLosses, Training
from ramify.scale.common import Common
from ramify.scale.describing import Describing
from ramify.scale.growth import Growth
from ramify.scale.losses import HeldOutTask, LossesOfFold, LossTask, NodeSums
from ramify.scale.marks import MOST_BITS, Part, marked, packed, read_targets, take
from ramify.scale.memory import Budget
from ramify.scale.profiling import Taken
from ramify.scale.raising import Raising
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource
from ramify.scale.spill import RowStore
from ramify.scale.steps import GrownSteps, expansions_of
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
    #: The rows of the whole tree, if it was grown with others before it is asked for.
    _ahead: list[NDArray[np.uint8]] = field(default_factory=list, init=False)
    #: The whole tree, until it is known how much of it is wanted.
    _whole: list[Growth] = field(default_factory=list, init=False)
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
        """Grow the whole tree, and those of the folds with it; or a tree on marked rows.

        With a number of expansions, the tree that was grown with those of the folds is cut.
        """
        if included is not None:
            if not any(one is included for one in self._ahead):
                self._grow_on([included > 0])
        elif max_expansions is None:
            self._grow_with_folds()
        return self._whole.pop().finish(max_expansions)

    def _grow_with_folds(self) -> None:
        """Grow the whole tree and one without each fold."""
        source, rows, parts = self.source, list[Taken | None]([None]), list[Part | None]([None])
        if self.n_folds:
            source, of_folds = self._deal()
            self._marked[:] = [source]
            rows += of_folds
            parts += [Part(fold=fold, others=True) for fold in range(len(of_folds))]
        self._grow_in_waves(rows, lambda wave: (source, [parts[tree] for tree in wave]))

    def _grow_on(self, trees: list[NDArray[np.bool_]]) -> None:
        """Grow the whole tree and others, each on marked rows."""
        y, weights = self.target.y, self.target.weights
        rows: list[Taken | None] = [take(y, weights, included) for included in trees]
        self._grow_in_waves(rows, lambda wave: self._mark([trees[tree] for tree in wave]))

    def _grow_in_waves(
        self,
        rows: list[Taken | None],
        mark: Callable[[range], tuple[RowSource, Sequence[Part | None]]],
    ) -> None:
        """Grow trees, of which the first is the whole tree, in as few waves as possible."""
        self._folds.clear()
        size = bytes_spilled(self.common)
        most = min(1 + self.together, MOST_BITS)
        for wave in waves(len(rows), most, self.folder, size):
            source, parts = mark(wave)
            pairs = zip(wave, parts, strict=True)
            growths = [self._growth(tree, rows[tree], part) for tree, part in pairs]
            grow_together(growths, source, self.scans)
            if 0 in wave:
                self._whole[:] = [growths.pop(0)]
                self.passed_over[:] = self._whole[0].top.passed_over
            self._folds.extend(growth.finish() for growth in growths)

    @property
    def _quantile(self) -> float:
        """The quantile of the pinball loss."""
        return float(self.common.settings.get("quantile", 0.5))

    def _growth(self, tree: int, taken: Taken | None, part: Part | None) -> Growth:
        """Begin the whole tree, or that of a fold, which remembers no competitors."""
        budget = self.budgets[0 if tree == 0 else 1]
        return Growth(
            self.common,
            replace(self.common.learned, taken=taken),
            RowStore(self.folder / str(tree), budget.rows),
            budget,
            part=part,
            competitors=tree == 0,
        )

    def _mark(self, rows: Sequence[NDArray[np.bool_]]) -> tuple[RowSource, list[Part]]:
        """Give the source with a bit for each of some sets of rows."""
        source = marked(self.source, packed(rows), self.sizes)
        return source, [Part(bit=bit) for bit in range(len(rows))]

    def _deal(self) -> tuple[RowSource, list[Taken]]:
        """Deal the rows to folds; give the source with their folds, and what the trees learn of."""
        known = self if self.sizes else self.with_targets()
        y, weights, sizes = known.target.y, known.target.weights, known.sizes
        folds = known.folds(self.n_folds)
        count = int(folds.max()) + 1
        taken = [take(y, weights, (folds >= 0) & (folds != fold)) for fold in range(count)]
        return marked(self.source, folds, sizes), taken

    def _read_targets(self) -> tuple[NDArray[Any], NDArray[np.float64] | None, list[int]]:
        self.scans.tell("the target")
        found = read_targets(self.source, self.scans.executor, self.common.reader)
        self.source.check_unchanged()
        return found

    def error_based(self, grown: _core.Tree, confidence: float, raising: bool) -> _core.Tree:
        """Prune a tree by its own counts, or with scans if branches may be raised."""
        if not raising:
            return super().error_based(grown, confidence, raising)
        pruned = Raising(self.common, self.budgets[0], self.folder, grown, confidence, self.unseen)
        return pruned.run(self.source, self.scans)

    def description_length(
        self, grown: _core.Tree, code: str, structure: float, precision: float, span: float
    ) -> _core.Tree:
        """Cut a tree back to the shortest description, with scans that count distinct values."""
        found = Describing(self.common, self.budgets[0], self.folder, grown, self.unseen)
        found.run(self.source, self.scans)
        values = found.distinct, found.holes, found.varying
        given = (self.problem, grown, code, structure, precision, span)
        return _core.description_length_by_values(*given, *values)

    def reduced_error(
        self, grown: _core.Tree, held_out: NDArray[np.uint8], significance: float | None
    ) -> _core.Tree:
        """Cut a tree back by the rows that `held_out` marks, which it was not grown on."""
        (sums,) = self._sums_of_nodes([grown], [held_out > 0])
        return _core.reduced_error_by_sums(grown, sums.loss, sums.counts, significance)

    def level_losses(
        self,
        roles: list[NDArray[np.uint8]],
        levels: Sequence[float | None],
        time_limit: float | None,
        whole: NDArray[np.uint8],
    ) -> NDArray[np.float64]:
        """Give the losses of the folds at levels of significance, from trees that share scans."""
        self._grow_on([whole > 0, *(role == 1 for role in roles)])
        self._ahead[:] = [whole]
        sums = self._sums_of_nodes(self._folds, [role == 2 for role in roles])
        pruned = [
            [_core.reduced_error_by_sums(tree, own.loss, own.counts, level) for level in levels]
            for tree, own in zip(self._folds, sums, strict=True)
        ]
        losses = []
        for begin in range(0, len(roles), MOST_BITS):
            chosen = slice(begin, begin + MOST_BITS)
            source, parts = self._mark([role == 3 for role in roles[chosen]])
            trees = [tree for of_fold in pruned[chosen] for tree in of_fold]
            of_trees = [part for part in parts for _ in levels]
            # The keys of best-first growth, none of which is cut.
            uncut = [np.array([-np.inf])] * len(trees)
            loss = "cost" if self.target.n_classes else self.loss
            found = self._losses(source, trees, of_trees, "best_first", uncut, loss)
            losses += [one[0][0] for one in found]
        return np.array(losses).reshape(len(roles), len(levels))

    def _sums_of_nodes(
        self, trees: list[_core.Tree], held_out: list[NDArray[np.bool_]]
    ) -> list[NodeSums]:
        """Judge the nodes of trees by rows that were held out of each."""
        classes = self.target.n_classes > 0
        found: list[NodeSums] = []
        for begin in range(0, len(trees), MOST_BITS):
            chosen = slice(begin, begin + MOST_BITS)
            source, parts = self._mark(held_out[chosen])
            task = HeldOutTask(
                self.common.reader,
                trees[chosen],
                parts,
                flat(self.target.regrets),
                "cost" if classes else self.loss,
                0.0 if classes else float(self.target.y[0]),
                self.unseen,
                self._quantile,
            )
            found += self.scans.add_up(source, "rows held out", task).trees
        return found

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
        costs, weigh_gains = flat(self.target.regrets), self.order == "best_first"
        own = [
            _core.thresholds_of_fold(tree, retirement, weigh_gains, costs, thresholds)
            for tree in self._folds
        ]
        found = self._losses_of_folds(retirement, own, loss)
        longest = max(len(thresholds), *(len(one[0]) for one in found))

        def lengthened(sums: NDArray[np.float64]) -> NDArray[np.float64]:
            # For sizes beyond its own, the whole tree of a fold counts.
            return np.concatenate([np.repeat(sums[:1], longest - len(sums)), sums])

        return (
            np.array([lengthened(one[0]) for one in found]),
            np.array([lengthened(one[1]) for one in found]),
            np.array([one[2] for one in found]),
            np.array([one[3] for one in found]),
            np.array([expansions_of(tree) for tree in self._folds], dtype=np.int64),
        )

    def step_folds(self, n_folds: int, loss: str, time_limit: float | None) -> GrownSteps:
        """Grow the trees of the folds to the end, and judge all their sizes in one scan."""
        assert n_folds == self.n_folds
        self._grow_with_folds()
        sizes = [-np.arange(expansions_of(tree), -1.0, -1.0) for tree in self._folds]
        return GrownSteps.of(self._folds, self._losses_of_folds("best_first", sizes, loss))

    def _losses_of_folds(
        self, retirement: str, thresholds: list[NDArray[np.float64]], loss: str
    ) -> list[LossesOfFold]:
        (source,) = self._marked
        parts = [Part(fold=fold) for fold in range(len(self._folds))]
        return self._losses(source, self._folds, parts, retirement, thresholds, loss)

    def _losses(
        self,
        source: RowSource,
        trees: list[_core.Tree],
        parts: list[Part],
        retirement: str,
        thresholds: list[NDArray[np.float64]],
        loss: str,
    ) -> list[LossesOfFold]:
        """Judge parts of the rows by the trees of sequences, in one scan."""
        task = LossTask(
            self.common.reader,
            trees,
            parts,
            thresholds,
            retirement,
            self.order == "best_first",
            flat(self.target.regrets),
            loss,
            self.unseen,
            self._quantile,
        )
        return self.scans.add_up(source, "losses of the folds", task).folds
