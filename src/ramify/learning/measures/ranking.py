"""Rows ranked by a number: how many of a class stand above each threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.learning.measures.answers import Floats


@dataclass(frozen=True, eq=False)
class Ranking:
    """Weights of the rows at or above each threshold, from the highest threshold down.

    Rows of equal rank share a threshold, so the order of rows does not matter.

    Parameters
    ----------
    threshold : ndarray
        The different ranks, falling.
    found, wrong : ndarray
        Weight of the rows of the class, and of the others, at or above the threshold.
    """

    threshold: Floats
    found: Floats
    wrong: Floats

    @classmethod
    def of(cls, rank: Floats, positive: NDArray[np.bool_], weights: Floats | None) -> Ranking:
        """Rank some rows."""
        order = np.argsort(-rank, kind="stable")
        ranks = rank[order]
        last = np.append(np.flatnonzero(ranks[1:] != ranks[:-1]), len(ranks) - 1)
        w = np.ones(len(rank)) if weights is None else weights[order]
        here = positive[order]
        found, wrong = np.cumsum(w * here)[last], np.cumsum(w * ~here)[last]
        return cls(ranks[last], found, wrong)

    @property
    def positives(self) -> float:
        """Weight of the rows of the class."""
        return float(self.found[-1])

    @property
    def negatives(self) -> float:
        """Weight of the other rows."""
        return float(self.wrong[-1])

    @property
    def area(self) -> float:
        """The area under the ROC curve; NaN if all rows or none are of the class."""
        if not (self.positives > 0 and self.negatives > 0):
            return float("nan")
        found, wrong = np.append(0.0, self.found), np.append(0.0, self.wrong)
        area = float(((found[1:] + found[:-1]) / 2 * np.diff(wrong)).sum())
        return area / (self.positives * self.negatives)

    @property
    def average_precision(self) -> float:
        """The mean precision over the rows of the class; NaN if there is none."""
        if not self.positives > 0:
            return float("nan")
        precision = self.found / np.maximum(self.found + self.wrong, np.finfo(np.float64).tiny)
        return float((np.diff(self.found, prepend=0.0) * precision).sum() / self.positives)
