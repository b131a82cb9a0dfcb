"""Where the nodes of a tree are drawn: one tidy layout for all drawings.

Nodes of one depth stand in a row. None overlap. Children keep their order, a parent stands in the
middle between its first and its last child, and a mirrored tree is drawn mirrored. Subtrees are
pushed together along their contours (Reingold and Tilford 1981). Nodes may be of any size (van der
Ploeg 2014 does more). The inner ones of three or more children stand in the middle between their
leftmost and their rightmost possible places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Distance between neighbours of one depth, and between a parent and its children.
GAP = 14.0
LEVEL_GAP = 44.0


@dataclass(frozen=True)
class Layout:
    """The upper left corners of nodes, and the size of the whole."""

    x: list[float]
    y: list[float]
    width: float
    height: float


def layout(
    children: Sequence[Sequence[int]],
    widths: Sequence[float],
    heights: Sequence[float],
    *,
    sideways: bool = False,
    gap: float = GAP,
    level_gap: float = LEVEL_GAP,
) -> Layout:
    """Place the nodes of a tree.

    Parameters
    ----------
    children : sequence of sequences of int
        Per node, its children from first to last; node 0 is the root, and children have larger
        numbers than their parents.
    widths, heights : sequences of float
        Sizes of the nodes.
    sideways : bool, default=False
        Whether the tree grows to the right instead of downwards.
    gap, level_gap : float
        Least distance between nodes of one depth, and distance between two depths.

    Examples
    --------
    >>> layout([[1, 2], [], []], [10, 30, 10], [5, 5, 5], gap=2, level_gap=8)
    Layout(x=[21.0, 0.0, 32.0], y=[0.0, 13.0, 13.0], width=42.0, height=18.0)
    """
    across, along = (heights, widths) if sideways else (widths, heights)
    centre = tidy(children, across, gap=gap)
    starts = [c - size / 2 for c, size in zip(centre, across, strict=True)]
    first = min(starts)
    starts = [start - first for start in starts]
    breadth = max(start + size for start, size in zip(starts, across, strict=True))
    depth = _depths(children)
    thickness = [0.0] * (max(depth) + 1)
    for at, size in zip(depth, along, strict=True):
        thickness[at] = max(thickness[at], size)
    offset = [0.0]
    for size in thickness:
        offset.append(offset[-1] + size + level_gap)
    levels = [offset[at] for at in depth]
    length = offset[-1] - level_gap
    if sideways:
        return Layout(levels, starts, length, breadth)
    return Layout(starts, levels, breadth, length)


def tidy(
    children: Sequence[Sequence[int]], sizes: Sequence[float], *, gap: float = GAP
) -> list[float]:
    """Give the centre of every node across the direction of growth; the root is at 0."""
    offset = [0.0] * len(children)  # from the parent
    contours: dict[int, _Contour] = {}
    for node in range(len(children) - 1, -1, -1):
        below = [contours.pop(child) for child in children[node]]
        half = sizes[node] / 2
        if not below:
            contours[node] = _Contour([-half], [half])
            continue
        places = _pack(below, gap)
        middle = (places[0] + places[-1]) / 2
        merged = below[0].move(places[0] - middle)
        for child, place, contour in zip(children[node], places, below, strict=True):
            offset[child] = place - middle
            if contour is not merged:
                merged = merged.join(contour.move(place - middle))
        contours[node] = merged.crown(-half, half)
    for node, below_node in enumerate(children):
        for child in below_node:
            offset[child] += offset[node]
    return offset


def _depths(children: Sequence[Sequence[int]]) -> list[int]:
    depth = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            depth[child] = depth[node] + 1
    return depth


def _pack(contours: list[_Contour], gap: float) -> list[float]:
    """Places of siblings, as close together as possible."""
    if len(contours) == 2:
        return [0.0, contours[0].distance(contours[1]) + gap]
    left = _push(contours, gap)
    right = _push([contour.mirrored() for contour in reversed(contours)], gap)
    # Both are tight, so they are equally wide, and the middle between two solutions is a solution.
    return [(one + right[-1] - other) / 2 for one, other in zip(left, reversed(right), strict=True)]


def _push(contours: list[_Contour], gap: float) -> list[float]:
    """Places of siblings pushed against the first."""
    places = [0.0]
    merged = contours[0].copy()
    for contour in contours[1:]:
        places.append(merged.distance(contour) + gap)
        merged = merged.join(contour.copy().move(places[-1]))
    return places


class _Contour:
    """The outline of a subtree: its leftmost and rightmost extent at every depth.

    Lists run from the deepest level up, so that a parent is added at the end. A shift is kept
    beside the entries, so that moving costs nothing. Joining two takes the time of the shallower.
    """

    def __init__(
        self,
        left: list[float],
        right: list[float],
        left_shift: float = 0.0,
        right_shift: float = 0.0,
    ) -> None:
        self.left, self.right = left, right
        self.left_shift, self.right_shift = left_shift, right_shift

    def copy(self) -> _Contour:
        return _Contour([*self.left], [*self.right], self.left_shift, self.right_shift)

    def mirrored(self) -> _Contour:
        left, right = [-x for x in self.right], [-x for x in self.left]
        return _Contour(left, right, -self.right_shift, -self.left_shift)

    def move(self, by: float) -> _Contour:
        self.left_shift += by
        self.right_shift += by
        return self

    def crown(self, left: float, right: float) -> _Contour:
        self.left.append(left - self.left_shift)
        self.right.append(right - self.right_shift)
        return self

    def distance(self, other: _Contour) -> float:
        """The distance by which the other must be moved to touch this one."""
        shift = self.right_shift - other.left_shift
        return shift + max(
            mine - theirs
            for mine, theirs in zip(reversed(self.right), reversed(other.left), strict=False)
        )

    def join(self, other: _Contour) -> _Contour:
        """Give the outline of this one and the other, which stands to its right."""
        if len(self.left) >= len(other.left):
            keep, shift = len(self.right) - len(other.right), other.right_shift - self.right_shift
            self.right[keep:] = [x + shift for x in other.right]
            return self
        keep, shift = len(other.left) - len(self.left), self.left_shift - other.left_shift
        other.left[keep:] = [x + shift for x in self.left]
        return other
