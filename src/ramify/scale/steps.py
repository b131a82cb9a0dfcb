"""Trees of folds that grow in step, answered from trees that were grown to the end.

Invariant: what is told of k expansions is what growth in step would tell. Best-first growth makes
the best split that is left, and does not look ahead. So the tree of k expansions is what the keys
of the whole tree leave of it when they are cut at -k, and its losses are those of this cut. A
pruning looks at 0, 1, ..., k expansions at a time. It is told no more than that, so it stops where
it would stop in memory; that trees were grown further costs only time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.training import FoldLosses
from ramify.scale.losses import LossesOfFold


@dataclass
class GrownSteps:
    """The losses of all sizes of the trees of folds, looked at from the smallest on.

    Parameters
    ----------
    sums, squares : list of ndarray
        Per fold, the losses of 0, 1, ... expansions, up to the whole tree.
    weights, weight_squares : ndarray
        Of the rows of each fold.
    demanded : ndarray
        The expansions that a skeleton demands of each tree: they are made at once.
    """

    sums: list[NDArray[np.float64]]
    squares: list[NDArray[np.float64]]
    weights: NDArray[np.float64]
    weight_squares: NDArray[np.float64]
    demanded: NDArray[np.int64]
    _seen: int = field(default=0, init=False)

    @classmethod
    def of(cls, trees: list[_core.Tree], losses: list[LossesOfFold]) -> GrownSteps:
        """Make it of trees, and what their rows lost, from the largest size to the root alone."""
        return cls(
            [one[0][::-1] for one in losses],
            [one[1][::-1] for one in losses],
            np.array([one[2] for one in losses]),
            np.array([one[3] for one in losses]),
            np.array([int(np.isposinf(tree.arrays()["key"]).sum()) for tree in trees]),
        )

    @property
    def finished(self) -> bool:
        """Whether no tree has more expansions than were looked at."""
        return all(len(sums) - 1 <= self._seen for sums in self.sums)

    def advance(self, expansions: int) -> FoldLosses:
        """Give the losses of 0, 1, ... expansions; beyond a tree, those of the whole tree."""
        self._seen = expansions
        most = np.array([len(sums) - 1 for sums in self.sums])
        at = np.minimum(np.arange(expansions + 1), most[:, None])
        return (
            np.array([sums[k] for sums, k in zip(self.sums, at, strict=True)]),
            np.array([squares[k] for squares, k in zip(self.squares, at, strict=True)]),
            self.weights,
            self.weight_squares,
            np.minimum(most, np.maximum(self.demanded, expansions)),
        )


def expansions_of(tree: _core.Tree) -> int:
    """Give the number of splits of a tree."""
    return int((tree.arrays()["expansion"] >= 0).sum())
