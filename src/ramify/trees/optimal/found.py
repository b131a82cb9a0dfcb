"""What is known of the trees of a branch: the best for each number of leaves, and bounds.

Invariant: a tree of at most so many leaves is never better than `lower` of that number, and the
tree of `upper` is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ramify.trees.optimal.features import Splits


@dataclass(frozen=True)
class Result:
    """The outcome of one search: a tree, and a bound on all trees of at most `limit` leaves."""

    limit: int
    bound: float
    value: float
    leaves: int
    splits: Splits


@dataclass
class Known:
    """What the searches of a branch have found."""

    results: list[Result] = field(default_factory=list)
    searched: set[int] = field(default_factory=set)  # limits that had their time
    through: set[int] = field(default_factory=set)  # limits that more time would not help

    def upper(self, leaves: int) -> float:
        """Give the value of the best tree of at most so many leaves."""
        return min((one.value for one in self.results if one.leaves <= leaves), default=np.inf)

    def lower(self, leaves: int) -> float:
        """Give a bound on the trees of at most so many leaves."""
        return max((one.bound for one in self.results if one.limit >= leaves), default=0.0)

    def exact(self, leaves: int) -> bool:
        """Tell whether the best tree of at most so many leaves is known."""
        return self.upper(leaves) <= self.lower(leaves)

    def tree(self, leaves: int) -> Splits:
        """Give the best tree of at most so many leaves."""
        fitting = (one for one in self.results if one.leaves <= leaves)
        return min(fitting, key=lambda one: (one.value, one.leaves)).splits

    def curve(self, bounds: bool, most: int) -> NDArray[np.float64]:
        """Give the values, or the bounds, of at most 1, 2, ... leaves."""
        of = self.lower if bounds else self.upper
        return np.array([of(leaves) for leaves in range(1, most + 1)])
