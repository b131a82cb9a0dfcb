"""The ranking of thresholds that MID learns, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.discretize.output import Cut, digits_apart, make_cuts
from ramify.tables.frame import NamedArrays


@dataclass(frozen=True, eq=False)
class _Written:
    """All thresholds of a fit, so that a part of the ranking writes them as the whole does."""

    index: NDArray[np.int64]
    threshold: NDArray[np.float64]

    @cached_property
    def digits(self) -> NDArray[np.int64]:
        """The digits of every threshold; computed when the first name is written."""
        return digits_apart(self.index, self.threshold)


@dataclass(frozen=True, eq=False)
class ThresholdRanking(NamedArrays):
    """Thresholds of all columns in one order, that of the largest gain first.

    Every column is an array with one entry per threshold. ``ranking["gain"]`` and the attributes
    give a column, ``ranking.to_frame()`` a data frame; ``print(ranking)`` prints a table.

    Attributes
    ----------
    attribute : ndarray of str
        The column that is cut.
    threshold : ndarray
        Where it is cut: ``value <= threshold``.
    gain : ndarray
        By how much the threshold lowers the impurity of its column, given those ranked before it.
    index : ndarray of int
        The position of the column that is cut.
    """

    attribute: NDArray[Any]
    threshold: NDArray[np.float64]
    gain: NDArray[np.float64]
    index: NDArray[np.int64]
    written: _Written

    @classmethod
    def of(
        cls,
        names: list[str],
        index: NDArray[np.int64],
        threshold: NDArray[np.float64],
        gain: NDArray[np.float64],
    ) -> ThresholdRanking:
        """Make the ranking from what the core has found."""
        attribute = np.array(names, dtype=object)[index]
        return cls(attribute, threshold, gain, index, _Written(index, threshold))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return ("attribute", "threshold", "gain")

    def __len__(self) -> int:
        return len(self.threshold)

    def head(self, n: int) -> ThresholdRanking:
        """Give the first n thresholds."""
        return ThresholdRanking(
            self.attribute[:n], self.threshold[:n], self.gain[:n], self.index[:n], self.written
        )

    def cuts(self) -> list[Cut]:
        """Give the thresholds as cuts, written differently where they differ."""
        return make_cuts(self.index, self.threshold, self.written.digits[: len(self)])

    def texts(self) -> list[str]:
        """Give the thresholds as they are written."""
        return [cut.text for cut in self.cuts()]

    def __str__(self) -> str:
        width = max([len(str(name)) for name in self.attribute.tolist()], default=0)
        width = max(width, len("attribute"))
        lines = [f"{'attribute':{width}} {'threshold':>14} {'gain':>14}"]
        rows = zip(self.attribute.tolist(), self.texts(), self.gain.tolist(), strict=True)
        lines += [f"{name:{width}} {text:>14} {gain:>14.6g}" for name, text, gain in rows]
        return "\n".join(lines)
