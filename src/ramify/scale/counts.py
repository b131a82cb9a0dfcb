"""What a scan finds: whole numbers and values, which add up to the same whatever the partitions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Totals:
    """The sums over the rows of a node."""

    rows: int
    channels: Whole
    low: float
    high: float
    deviance: Whole

    def __add__(self, other: Totals) -> Totals:
        """Give the sums over both."""
        return Totals(
            self.rows + other.rows,
            self.channels + other.channels,
            min(self.low, other.low),
            max(self.high, other.high),
            self.deviance + other.deviance,
        )


class Values(NamedTuple):
    """Distinct values in ascending order, and what was counted of each.

    Where ranks of targets count, they are distinct pairs of a value and a target; missing values
    come last, as NaN.
    """

    values: NDArray[np.float64]
    channels: Whole
    targets: NDArray[np.float64] | None = None

    def plus(self, other: Values) -> Values:
        """Give those of both."""
        if not len(self.values) or not len(other.values):
            return self if len(self.values) else other
        values = np.concatenate([self.values, other.values])
        channels = np.concatenate([self.channels, other.channels]).astype(np.int64, copy=False)
        if self.targets is None or other.targets is None:
            order = np.argsort(values, kind="stable")  # two runs in order: they are merged
            return _summed(values[order], channels[order])
        targets = np.concatenate([self.targets, other.targets])
        order = np.lexsort((targets, values))
        return _summed(values[order], channels[order], targets[order])

    def of_all_targets(self) -> Values:
        """Give the values alone."""
        return _summed(self.values, self.channels) if len(self.values) else self


def _summed(
    values: NDArray[np.float64], channels: Whole, targets: NDArray[np.float64] | None = None
) -> Values:
    """Add up what is the same, and lies one after the other."""
    new = (values[1:] != values[:-1]) & ~(np.isnan(values[1:]) & np.isnan(values[:-1]))
    if targets is not None:
        new |= targets[1:] != targets[:-1]
    first = np.flatnonzero(np.append(True, new))
    sums = np.add.reduceat(channels, first, axis=0)
    return Values(values[first], sums, None if targets is None else targets[first])


@dataclass
class Counts:
    """What a scan finds of a tree, slot by slot and column by column."""

    totals: list[Totals]
    cells: dict[tuple[int, int], Whole] = field(default_factory=dict)
    values: dict[tuple[int, int], Values] = field(default_factory=dict)

    def __add__(self, other: Counts) -> Counts:
        """Give the counts of both parts."""
        totals = [a + b for a, b in zip(self.totals, other.totals, strict=True)]
        small = [one.rows < 2**32 for one in totals]
        return Counts(
            totals,
            {
                key: _sum(cells, other.cells[key], small[key[0]])
                for key, cells in self.cells.items()
            },
            {key: values.plus(other.values[key]) for key, values in self.values.items()},
        )


@dataclass
class Found:
    """What a scan finds: the counts of every tree, and what shows whether the rows are the same."""

    n_rows: int
    trees: list[Counts]
    sums: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: Found) -> Found:
        """Give what both parts found."""
        return Found(
            self.n_rows + other.n_rows,
            [a + b for a, b in zip(self.trees, other.trees, strict=True)],
            {key: self.sums.get(key, 0) + other.sums.get(key, 0) for key in self.sums | other.sums},
        )


def _sum(one: Whole, two: Whole, fits: bool) -> Whole:
    """Add counts; small ones stay small if the rows of all fit."""
    if one.dtype == two.dtype == np.uint32 and fits:
        return one + two
    return one.astype(np.int64) + two.astype(np.int64)
