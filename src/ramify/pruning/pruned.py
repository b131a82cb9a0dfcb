"""The result of a pruning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.pruning.path import PruningPath


@dataclass(frozen=True)
class Pruned:
    """The result of a pruning.

    Parameters
    ----------
    tree : _core.Tree
        The pruned tree.
    grown : _core.Tree
        The tree before pruning.
    path : PruningPath or None
        The trees that the pruning chose from; None if it has no sequence.
    included : ndarray or None
        Marks of the rows that the tree grew on; None means all.
    """

    tree: _core.Tree
    grown: _core.Tree
    path: PruningPath | None = None
    included: NDArray[np.uint8] | None = None
