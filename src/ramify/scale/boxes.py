"""Which rows must be read so that a search by ranks is exact: boxes of values and targets.

The loss of some rows about a quantile follows from their sums, except for the rows in the cell of
targets that the quantile lies in. So a cut needs the rows of two cells of targets: that of the
quantile on its left, among the rows on the left, and likewise on its right. Invariant: the boxes
of a plan hold every row that may be in such a cell, for each cut of the plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: By how much of all weight a quantile may miss the end of a cell by rounding.
_SLACK = 1e-8


def quantile_cells(low: Floats, high: Floats, quantile: float) -> Mask:
    """Mark the cells of targets in which a quantile may lie.

    Parameters
    ----------
    low, high : ndarray
        The weights of the cells (last axis), at least and at most.
    quantile : float
    """
    least, most = low.sum(axis=-1), high.sum(axis=-1)
    below = np.cumsum(low, axis=-1) - low
    up_to = np.cumsum(high, axis=-1)
    slack = _SLACK * most
    begins = below <= (quantile * most + slack)[..., None]
    ends = up_to >= (quantile * least - slack)[..., None]
    marks: Mask = begins & ends & (high > 0)
    return marks


def sums_of_cells(known: Floats) -> tuple[Floats, Floats, Floats]:
    """Give, for every cell, the sums before it, up to its end, and after it."""
    after = np.cumsum(known, axis=0)
    nothing = np.zeros_like(known[:1])
    rest = np.concatenate([np.cumsum(known[::-1], axis=0)[::-1][1:], nothing])
    return np.concatenate([nothing, after[:-1]]), after, rest


@dataclass(frozen=True)
class Plan:
    """Boxes to be read, and the cuts for which they suffice.

    Parameters
    ----------
    opened : ndarray
        Marks the boxes: cells of values, with the rows that lack a value last, by cells of targets.
    whole : ndarray
        Marks the cells of values between whose rows cuts are tried.
    first, last : int
        The cells with cuts; `last` is None if all have.
    size : int
        About how many rows there are in the boxes.
    """

    opened: Mask
    whole: Mask
    first: int
    last: int | None
    size: int

    @property
    def marks(self) -> NDArray[np.uint8] | None:
        """The marks as a scan takes them; None if nothing is to be read."""
        return self.opened.astype(np.uint8).ravel() if self.opened.any() else None


@dataclass(frozen=True)
class Boxes:
    """A column of a node, counted by cells of values and of targets.

    Parameters
    ----------
    weights, rows : ndarray
        Of every box; the rows that lack a value come last.
    known_targets : ndarray
        Marks the cells of targets that hold one target, which is known.
    quantile : float
    divides : bool
        Whether rows that lack a value are divided in proportion to the others when a cut is scored.
    sides : bool
        Whether they are tried on either side of a cut. If neither, they are left out.
    """

    weights: Floats
    rows: Floats
    known_targets: Mask
    quantile: float
    divides: bool
    sides: bool

    @property
    def missing(self) -> bool:
        """Whether some rows lack a value."""
        return bool(self.rows[-1].any())

    @property
    def tries_sides(self) -> bool:
        """Whether rows that lack a value are tried on either side of a cut."""
        return self.missing and self.sides

    def of_columns(
        self, openable: Mask, most: int, candidates: Mask | None = None
    ) -> Iterator[Plan]:
        """Plan the cuts of values in order, in parts of at most so many rows if that is possible.

        Parameters
        ----------
        openable : ndarray
            Marks the cells of several values.
        most : int
        candidates : ndarray or None
            Marks the cells in which, or next to which, the best cut may be; None: any.
        """
        there = np.flatnonzero(self.rows[:-1].any(axis=1))
        kept = np.ones(len(there), dtype=bool) if candidates is None else candidates[there]
        if kept.all():
            plan = self.of_cuts(there, openable, None)
            if plan.size <= most or len(there) < 2:
                yield plan
                return
        ends = np.flatnonzero(np.diff(np.concatenate([[0], kept.astype(np.int8), [0]])))
        for begin, end in zip(ends[::2], ends[1::2], strict=True):
            yield from self._parts(openable, most, there[begin:end])

    def _parts(self, openable: Mask, most: int, cells: NDArray[np.intp]) -> Iterator[Plan]:
        """Divide cells that lie one after the other."""
        plan = self.of_cuts(cells, openable, (int(cells[0]), int(cells[-1])))
        if plan.size <= most or len(cells) <= 2:
            yield plan
            return
        middle = len(cells) // 2
        # Parts share a cell, so that the cut between any two values is in one of them.
        yield from self._parts(openable, most, cells[: middle + 1])
        yield from self._parts(openable, most, cells[middle:])

    def of_cuts(
        self, cells: NDArray[np.intp], openable: Mask, within: tuple[int, int] | None
    ) -> Plan:
        """Plan the cuts inside and after some cells of values, which are in order."""
        known = self.weights[:-1]
        whole = np.zeros(len(known), dtype=bool)
        there = np.asarray((self.rows[:-1] > 0).any(axis=1))
        whole[cells] = openable[cells] & there[cells]
        before, after, rest = sums_of_cells(known)
        cut_inside = whole[:, None]
        left = np.where(cut_inside, before, after), after
        right = rest, np.where(cut_inside, rest + known, rest)
        cuts = np.zeros(len(known), dtype=bool)
        cuts[cells] = True
        opened = self._around(left, right, cuts)
        opened |= self._always()
        opened &= (self.rows > 0) & ~self.known_targets
        opened[:-1][whole] = self.rows[:-1][whole] > 0
        first, last = (0, None) if within is None else within
        return Plan(opened, whole, first, last, int(np.ceil(self.rows[opened].sum())))

    def of_levels(self, order: list[int] | None, *, multiway: bool, separate: bool) -> Plan:
        """Plan the cuts of levels, or only what tells their order.

        Parameters
        ----------
        order : list or None
            The levels in the order in which they are cut, if that is known. The number after the
            last level stands for the rows that lack a value.
        multiway : bool
            Whether every level is a branch.
        separate : bool
            Whether rows that lack a value are a level.
        """
        opened: Mask = quantile_cells(self.weights, self.weights, self.quantile)
        if self.tries_sides:
            for level in range(len(self.weights) - 1):
                both = self.weights[level] + self.weights[-1]
                opened[[level, -1]] |= quantile_cells(both, both, self.quantile)
        if order is not None and not multiway:
            ordered = self.weights[order]
            after = np.cumsum(ordered, axis=0)
            rest = np.concatenate([np.cumsum(ordered[::-1], axis=0)[::-1][1:], 0 * after[:1]])
            others = self if not separate else self._without_missing()
            bands = others._around((after, after), (rest, rest), np.ones(len(order), dtype=bool))
            opened[order] |= bands[:-1]
            opened[-1] |= bands[-1]
        if multiway and self.divides and self.missing:
            share = self.weights[:-1].sum(axis=1) / self.weights[:-1].sum()
            both = self.weights[:-1] + share[:, None] * self.weights[-1]
            bands = quantile_cells(both, both, self.quantile)
            opened[:-1] |= bands
            opened[-1] |= bands.any(axis=0)
        opened |= self._always()
        opened &= (self.rows > 0) & ~self.known_targets
        whole = np.zeros(len(self.weights) - 1, dtype=bool)
        return Plan(opened, whole, 0, None, int(np.ceil(self.rows[opened].sum())))

    def of_all(self) -> Plan:
        """Plan to read all targets."""
        opened = (self.rows > 0) & ~self.known_targets
        whole = np.zeros(len(self.weights) - 1, dtype=bool)
        return Plan(opened, whole, 0, None, int(np.ceil(self.rows[opened].sum())))

    def _without_missing(self) -> Boxes:
        nothing = np.concatenate([self.rows[:-1], np.zeros_like(self.rows[-1:])])
        return replace(self, rows=nothing)

    def _always(self) -> Mask:
        """Mark what the known rows need as a whole, and the others as a whole."""
        opened = np.zeros(self.rows.shape, dtype=bool)
        if not self.missing:
            return opened
        known = self.weights[:-1].sum(axis=0)
        opened[:-1] = quantile_cells(known, known, self.quantile)
        opened[-1] = quantile_cells(self.weights[-1], self.weights[-1], self.quantile)
        return opened

    def _around(
        self, left: tuple[Floats, Floats], right: tuple[Floats, Floats], cuts: Mask
    ) -> Mask:
        """Mark what lies in the cell of a quantile on either side of some cuts."""
        opened = np.zeros((len(cuts) + 1, self.rows.shape[1]), dtype=bool)
        for side, (low, high) in enumerate((left, right)):
            for more_low, more_high in self._with_missing(low, high):
                band = quantile_cells(low + more_low, high + more_high, self.quantile)
                band &= cuts[:, None]
                if side == 0:  # rows up to a cut
                    opened[:-1] |= np.logical_or.accumulate(band[::-1])[::-1]
                else:  # and after it
                    opened[1:-1] |= np.logical_or.accumulate(band)[:-1]
                if np.any(more_high):
                    opened[-1] |= band.any(axis=0)
        return opened

    def _with_missing(self, low: Floats, high: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Give what rows without a value add to one side of cuts, in every way that is tried."""
        holes = self.weights[-1]
        nothing = np.zeros_like(holes)
        yield nothing, nothing
        if self.tries_sides:
            yield holes, holes
        if self.missing and self.divides:
            all_known = self.weights[:-1].sum()
            yield (
                low.sum(axis=1)[:, None] / all_known * holes,
                high.sum(axis=1)[:, None] / all_known * holes,
            )
