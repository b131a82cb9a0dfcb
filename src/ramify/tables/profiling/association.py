"""How much a column alone says of the target, without learning rows by heart.

Every row is predicted from the other rows of its group, a group being a level, a range of numbers,
or the missing cells. The share of the squared error (Brier score of classes, variance of numbers)
that this removes is the association: 0 for a column of noise, however many levels it has.

Leaving out one row needs no loop: its group's sums without it follow from the sums with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: The whole table counts like this many rows in each group; the best of these is taken. These are
#: m-estimates (Cestnik 1990); large numbers are for groups of a few rows.
_PRIOR_ROWS = (0.5, 2.0, 8.0, 32.0)
#: Numbers of ranges of equal frequency that are tried, and the rows that one should have then.
_RANGES = ((8, 8), (64, 8), (256, 3))
#: A dense table of counts up to this size; sorting is better for a larger one.
_DENSE = 4_000_000


@dataclass(frozen=True)
class Classes:
    """A target of classes: the code of every row."""

    codes: NDArray[np.intp]
    n_classes: int

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of every class."""
        return np.bincount(self.codes, minlength=self.n_classes) / max(len(self.codes), 1)

    @property
    def error(self) -> float:
        """The Brier score of the shares: the Gini impurity."""
        return 1.0 - float(np.sum(self.shares**2))

    def within(self, groups: NDArray[np.intp]) -> ClassGroups:
        """Count the classes of every group."""
        n_groups = int(groups.max()) + 1
        keys = groups * self.n_classes + self.codes
        if n_groups * self.n_classes <= _DENSE:
            dense = np.bincount(keys, minlength=n_groups * self.n_classes)
            cells = np.flatnonzero(dense)
            counts = dense[cells]
        else:
            cells, counts = np.unique(keys, return_counts=True)
        group, kind = np.divmod(cells, self.n_classes)
        return ClassGroups(group, kind, counts.astype(float), n_groups, self.shares)


@dataclass(frozen=True)
class ClassGroups:
    """The classes of groups: one entry for each that occurs in a group."""

    group: NDArray[np.intp]
    kind: NDArray[np.intp]
    counts: NDArray[np.float64]
    n_groups: int
    shares: NDArray[np.float64]

    def error(self) -> float:
        """The mean error of rows that are predicted from their group, themselves included."""
        rows = np.bincount(self.group, self.counts, self.n_groups)
        return 1.0 - float(np.sum(self.counts**2 / rows[self.group]) / self.counts.sum())

    def left_out_error(self, prior: float) -> float:
        """The mean error of rows that are predicted from the others of their group."""
        rows = np.bincount(self.group, self.counts, self.n_groups)
        added = prior * self.shares
        own = self.counts + added[self.kind]  # for its class, before the row is left out
        more = np.bincount(self.group, own**2 - added[self.kind] ** 2, self.n_groups)
        squares = more + float(np.sum(added**2))
        weight = rows[self.group] - 1.0 + prior
        brier = 1.0 - 2.0 * (own - 1.0) / weight
        brier += (squares[self.group] - 2.0 * own + 1.0) / weight**2
        return float(np.sum(self.counts * brier) / self.counts.sum())


@dataclass(frozen=True)
class Numbers:
    """A target of numbers, which have the mean 0 and the variance 1."""

    values: NDArray[np.float64]

    @property
    def error(self) -> float:
        """The variance."""
        return float(np.mean(self.values**2)) if len(self.values) else 0.0

    def within(self, groups: NDArray[np.intp]) -> NumberGroups:
        """Sum up the numbers of every group."""
        rows = np.bincount(groups)
        there = rows > 0
        sums: NDArray[Any] = np.bincount(groups, self.values)
        squares: NDArray[Any] = np.bincount(groups, self.values**2)
        return NumberGroups(rows[there].astype(float), sums[there], squares[there])


@dataclass(frozen=True)
class NumberGroups:
    """The numbers of groups: how many, their sum, and the sum of their squares."""

    rows: NDArray[np.float64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]

    def error(self) -> float:
        """The mean error of rows that are predicted from their group, themselves included."""
        return float(np.sum(self.squares - self.sums**2 / self.rows) / self.rows.sum())

    def left_out_error(self, prior: float) -> float:
        """The mean error of rows that are predicted from the others of their group."""
        full, weight = self.rows + prior, self.rows - 1.0 + prior
        errors = full**2 * self.squares - 2.0 * full * self.sums**2 + self.rows * self.sums**2
        return float(np.sum(errors / weight**2) / self.rows.sum())


Target = Classes | Numbers


def numbers_of(values: NDArray[Any]) -> Numbers:
    """Give a target of numbers; infinities become the largest and the smallest number."""
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    if not len(finite):
        return Numbers(np.zeros(len(values)))
    low, high = float(finite.min()), float(finite.max())
    size = max(abs(low), abs(high)) or 1.0  # so that no square is beyond float64
    scaled = np.clip(values, low, high) / size
    centred = scaled - scaled.mean()
    spread = centred.std()
    return Numbers(centred / spread if spread > 1e-12 else np.zeros(len(values)))


class Association(NamedTuple):
    """The share of a target's error that groups explain, from 0 to 1."""

    unseen: float
    """In rows that are left out."""
    seen: float
    """In the rows that the groups were learned from."""


def association(groups: NDArray[np.intp], target: Target) -> Association:
    """Give the share of the target's error that the groups explain.

    Examples
    --------
    >>> target = Classes(np.array([0, 0, 0, 0, 1, 1, 1, 1] * 5), 2)
    >>> same, noise = np.array([0, 0, 0, 0, 1, 1, 1, 1] * 5), np.arange(40)
    >>> round(association(same, target).unseen, 2), association(noise, target)
    (1.0, Association(unseen=0.0, seen=1.0))
    """
    if target.error <= 0.0 or not len(groups):
        return Association(0.0, 0.0)
    within = target.within(groups)
    best = min(within.left_out_error(prior) for prior in _PRIOR_ROWS)
    unseen, seen = 1.0 - best / target.error, 1.0 - within.error() / target.error
    return Association(min(max(unseen, 0.0), 1.0), min(max(seen, 0.0), 1.0))


def best_association(values: NDArray[Any], target: Target) -> Association:
    """Give the share that numbers explain, in coarse or in fine ranges, whichever explain most."""
    missing = np.isnan(values)
    known = np.sort(values[~missing])
    tried = {max(min(n_ranges, len(known) // rows), 2) for n_ranges, rows in _RANGES}
    found = [association(ranges_of(values, missing, known, n), target) for n in sorted(tried)]
    return max(found, key=lambda one: one.unseen)


def ranges_of(
    values: NDArray[Any], missing: NDArray[np.bool_], ordered: NDArray[Any], n_ranges: int
) -> NDArray[np.intp]:
    """Put numbers into ranges of about as many rows each; missing ones get a range of their own.

    Examples
    --------
    >>> x = np.array([5.0, 1.0, np.nan, 1.0, 7.0])
    >>> ranges_of(x, np.isnan(x), np.sort(x[~np.isnan(x)]), 2)
    array([1, 0, 2, 0, 1])
    """
    if not len(ordered):
        return np.zeros(len(values), dtype=np.intp)
    edges = np.unique(ordered[np.arange(n_ranges) * len(ordered) // n_ranges])
    found = np.searchsorted(edges, values, side="right") - 1
    found[missing] = len(edges)
    return found.astype(np.intp)


def levels_of(codes: NDArray[Any], n_levels: int) -> NDArray[np.intp]:
    """Give the codes of levels as groups, with one more for missing cells."""
    found: NDArray[np.intp] = np.where(codes < 0, n_levels, codes).astype(np.intp)
    return found
