"""Cells of a column that may hold its best cut by a criterion of ranks, from counts alone.

The loss of some rows is the least that one answer can have. It is no less than that of the same
rows with the mean of each cell of targets in place of these, and no less than that of some of the
rows. It is at most the loss of an answer that is an edge, which follows from sums. Invariant: the
best cut, and every one that ties with it, lies in or next to a cell that is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ramify.scale.boxes import Boxes, Floats, Mask, sums_of_cells

#: By how much of the loss of all rows bounds may be off by rounding, and ties may differ.
_SLACK = 1e-8


class Sums(NamedTuple):
    """The weights and the sums of the targets of some rows, by cells of targets (last axis)."""

    weight: Floats
    moment: Floats

    def plus(self, share: Floats | float, other: Sums) -> Sums:
        """Add a share of others."""
        return Sums(self.weight + share * other.weight, self.moment + share * other.moment)


@dataclass(frozen=True)
class RankBounds:
    """Bounds of the losses of cuts.

    Parameters
    ----------
    boxes : Boxes
    moments : ndarray
        The sums of the targets of every box.
    edges : ndarray
        Between the cells of the target.
    edge_cells : bool
        Whether the edges have cells of their own.
    least : tuple of float
        The rows and the weight that a side of a cut needs.
    """

    boxes: Boxes
    moments: Floats
    edges: Floats
    edge_cells: bool
    least: tuple[float, float]

    def candidates(self, openable: Mask) -> Mask:
        """Mark the cells in which, or next to which, the best cut may be.

        Parameters
        ----------
        openable : ndarray
            Marks the cells of several values.
        """
        of_weight = sums_of_cells(self.boxes.weights[:-1])
        of_moment = sums_of_cells(self.moments[:-1])
        before, after, rest = (Sums(*pair) for pair in zip(of_weight, of_moment, strict=True))
        inside = openable[:, None]
        # A cut inside a cell has all rows before it on its left, and all after it on its right.
        left = Sums(*(np.where(inside, a, b) for a, b in zip(before, after, strict=True)))
        allowed = self._allowed()
        bound, reached = np.full(len(openable), np.inf), np.inf
        for on_left, on_right in self._ways():
            bound = np.minimum(
                bound, self.least_loss(on_left(left)) + self.least_loss(on_right(rest))
            )
            if allowed.any():
                cuts = self.most_loss(on_left(after)) + self.most_loss(on_right(rest))
                reached = min(reached, float(cuts[allowed].min()))
        of_all = Sums(self.boxes.weights.sum(axis=0), self.moments.sum(axis=0))
        marks: Mask = bound <= reached + _SLACK * float(self.most_loss(of_all))
        return marks

    def _allowed(self) -> Mask:
        """Mark the cells after which a cut leaves enough rows on both sides."""
        known = self.boxes.rows[:-1].sum(axis=1), self.boxes.weights[:-1].sum(axis=1)
        allowed = np.ones(len(known[0]), dtype=bool)
        for counts, least in zip(known, self.least, strict=True):
            up_to = np.cumsum(counts)
            allowed &= np.minimum(up_to, up_to[-1] - up_to) >= max(least, 1e-6 * up_to[-1])
        return allowed

    def _ways(self) -> Iterator[tuple[Callable[[Sums], Sums], Callable[[Sums], Sums]]]:
        """Give what rows without a value add to both sides of cuts, in every way that is tried."""
        boxes = self.boxes
        holes = Sums(boxes.weights[-1], self.moments[-1])
        all_known = boxes.weights[:-1].sum()

        def nothing(sums: Sums) -> Sums:
            return sums

        def all_of_them(sums: Sums) -> Sums:
            return sums.plus(1.0, holes)

        def a_share(sums: Sums) -> Sums:
            return sums.plus(sums.weight.sum(axis=1)[:, None] / all_known, holes)

        if boxes.missing and boxes.divides:
            yield a_share, a_share
        elif boxes.tries_sides:
            yield all_of_them, nothing
            yield nothing, all_of_them
        else:
            yield nothing, nothing

    def least_loss(self, sums: Sums) -> Floats:
        """Give the loss of rows that have the mean of their cell, about their quantile."""
        quantile = self.boxes.quantile
        up_to = np.cumsum(sums.weight, axis=-1)
        place = np.argmax(up_to >= quantile * up_to[..., -1:], axis=-1)[..., None]
        mean = np.divide(
            sums.moment, sums.weight, out=np.zeros_like(sums.moment), where=sums.weight > 0
        )
        answer = np.take_along_axis(mean, place, axis=-1)
        off = sums.moment - answer * sums.weight
        loss: Floats = np.where(off > 0, quantile * off, (quantile - 1.0) * off).sum(axis=-1)
        return loss

    def most_loss(self, sums: Sums) -> Floats:
        """Give the least loss about an edge."""
        quantile = self.boxes.quantile
        step = 2 if self.edge_cells else 1
        below = Sums(*(np.cumsum(one, axis=-1)[..., :-1:step] for one in sums))
        total = Sums(*(one.sum(axis=-1)[..., None] for one in sums))
        above = total.plus(-1.0, below)
        losses = (1.0 - quantile) * (self.edges * below.weight - below.moment) + quantile * (
            above.moment - self.edges * above.weight
        )
        least: Floats = losses.min(axis=-1)
        return least
