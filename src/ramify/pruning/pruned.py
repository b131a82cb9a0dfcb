"""What a pruning made of a problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.pruning.path import PruningPath


@dataclass(frozen=True)
class Pruned:
    """What a pruning made of a problem."""

    tree: _core.Tree
    grown: _core.Tree
    path: PruningPath | None = None
    included: NDArray[np.uint8] | None = None  # marks of the rows that it grew on; None: all
