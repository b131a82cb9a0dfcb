"""The pictures of a comparison as SVG text for the page: no library, colours by CSS classes."""

from __future__ import annotations

import math
from html import escape

from ramify.evaluate.pictures.layout import (
    SizePoint,
    log_ticks,
    rank_bars,
    rank_marks,
    size_points,
    ticks,
    wide_range,
)
from ramify.evaluate.tables.ranks import Ranks
from ramify.evaluate.tables.score_table import ScoreTable

_LETTER = 6.9  # mean width of a letter at the size of the labels
_LONGEST = 26
_AXIS = 460.0  # length of the axis of ranks


def rank_diagram(ranks: Ranks) -> str:
    """Draw the critical-difference diagram."""
    marks, bars = rank_marks(ranks), rank_bars(ranks)
    k = len(marks)
    margin = 60 + _LETTER * max(min(len(mark.name), _LONGEST) for mark in marks)
    width = 2 * margin + _AXIS
    depth = max((bar.level for bar in bars), default=-1) + 1
    axis, low = 62.0, 62.0 + 26 + 11 * depth
    height = low + 24 * ((k + 1) // 2)

    def x(rank: float) -> float:
        return margin + _AXIS * (rank - 1) / (k - 1)

    parts = [_line([(x(1), axis), (x(k), axis)], "axis")]
    for tick in range(1, k + 1):
        parts.append(_line([(x(tick), axis), (x(tick), axis - 6)], "axis"))
        parts.append(_text(x(tick), axis - 11, str(tick), "middle", "tick"))
    for mark in marks:
        y = low + 24 * mark.level
        left = mark.side == "left"
        end = margin - 12 if left else width - margin + 12
        parts.append(_line([(x(mark.rank), axis), (x(mark.rank), y), (end, y)], "stem"))
        name, rank = _short(mark.name), f"{mark.rank:.2f}"
        label = f"{name}  {rank}" if left else f"{rank}  {name}"
        anchor = "end" if left else "start"
        shown = _text(end + (-6 if left else 6), y + 4, label, anchor, "label", full=mark.name)
        parts.append(shown)
    for bar in bars:
        y = axis + 14 + 11 * bar.level
        parts.append(_line([(x(bar.first) - 4, y), (x(bar.last) + 4, y)], "same"))
    end = min(1 + ranks.critical_difference, k)
    parts.append(_line([(x(1), 20), (x(end), 20)], "cd"))
    parts += [_line([(x(at), 15), (x(at), 25)], "cd") for at in (1, end)]
    label = f"critical difference {ranks.critical_difference:.2f}"
    parts.append(_text(x(end) + 8, 24, label, "start", "tick"))
    return _svg(width, height, parts, "Mean ranks with the critical difference")


def size_picture(score: ScoreTable, size: ScoreTable) -> str:
    """Draw mean score against mean size; nothing if no learner has a size."""
    points = size_points(score, size)
    if not points:
        return ""
    frame = _Frame(points)
    parts = []
    for value in frame.x_ticks:
        x = frame.x(value)
        parts.append(_line([(x, frame.top), (x, frame.bottom)], "grid"))
        parts.append(_text(x, frame.bottom + 18, f"{value:,.6g}", "middle", "tick"))
    for value in frame.y_ticks:
        y = frame.y(value)
        parts.append(_line([(frame.left, y), (frame.right, y)], "grid"))
        parts.append(_text(frame.left - 8, y + 4, score.format(value), "end", "tick"))
    best = sorted((point for point in points if point.best), key=lambda point: point.size)
    if len(best) > 1:
        parts.append(_line([(frame.x(p.size), frame.y(p.score)) for p in best], "front"))
    for point in points:
        x, y = frame.x(point.size), frame.y(point.score)
        what = f"{point.name}: {score.format(point.score)}, {size.format(point.size)} {size.score}"
        kind = "best" if point.best else "dot"
        parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="5">')
        parts.append(f"<title>{escape(what)}</title></circle>")
    for x, y, anchor, point in frame.labels(points):
        parts.append(_text(x, y, _short(point.name), anchor, "label", full=point.name))
    middle = (frame.left + frame.right) / 2
    parts.append(_text(middle, frame.bottom + 40, f"mean {size.heading}", "middle", "tick"))
    parts.append(_text(frame.left - 46, 16, f"mean {score.heading}", "start", "tick"))
    return _svg(720, frame.bottom + 50, parts, f"{score.score} against {size.score}")


class _Frame:
    """The axes of the picture of score against size."""

    left, right, top, bottom = 70.0, 700.0, 30.0, 330.0

    def __init__(self, points: list[SizePoint]) -> None:
        sizes, scores = [p.size for p in points], [p.score for p in points]
        self.log = wide_range(points)
        self.x_ticks = log_ticks(sizes) if self.log else ticks(sizes)
        self.y_ticks = ticks(scores)
        self.x_ends = self._ends([*sizes, *self.x_ticks], self.log)
        self.y_ends = self._ends([*scores, *self.y_ticks], False)

    @staticmethod
    def _ends(values: list[float], log: bool) -> tuple[float, float]:
        low, high = min(values), max(values)
        if log:
            low, high = math.log(low), math.log(high)
        room = 0.06 * (high - low) or 0.5
        return low - room, high + room

    def x(self, size: float) -> float:
        low, high = self.x_ends
        at = math.log(size) if self.log else size
        return self.left + (self.right - self.left) * (at - low) / (high - low)

    def y(self, score: float) -> float:
        low, high = self.y_ends
        return self.bottom - (self.bottom - self.top) * (score - low) / (high - low)

    def labels(self, points: list[SizePoint]) -> list[tuple[float, float, str, SizePoint]]:
        """Put each name beside its dot where it covers no other name or dot, if there is room."""
        dots = [(self.x(p.size), self.y(p.score)) for p in points]
        taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in dots]
        found = []
        for point, (x, y) in zip(points, dots, strict=True):
            wide = _LETTER * len(_short(point.name))
            places = [
                (x + 9 + dx, y + 4 + dy, anchor)
                for dx, dy, anchor in (
                    (0, 0, "start"), (-18, 0, "end"), (-9, -14, "middle"), (-9, 16, "middle"),
                    (0, 14, "start"), (0, -12, "start"), (-18, 14, "end"), (-18, -12, "end"),
                )
            ]  # fmt: skip
            boxes = [_box(place, wide) for place in places]
            free = [
                i
                for i, box in enumerate(boxes)
                if self._inside(box) and not any(_touch(box, other) for other in taken)
            ]
            at = free[0] if free else 0
            taken.append(boxes[at])
            found.append((*places[at], point))
        return found

    def _inside(self, box: tuple[float, float, float, float]) -> bool:
        return box[0] > self.left and box[2] < self.right + 15


def _box(place: tuple[float, float, str], wide: float) -> tuple[float, float, float, float]:
    x, y, anchor = place
    start = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return start, y - 11, start + wide, y + 3


def _touch(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _line(points: list[tuple[float, float]], kind: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="{kind}" points="{path}"/>'


def _text(x: float, y: float, text: str, anchor: str, kind: str, *, full: str = "") -> str:
    title = f"<title>{escape(full)}</title>" if full else ""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{title}'
        f"{escape(text)}</text>"
    )


def _svg(width: float, height: float, parts: list[str], what: str) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" style="max-width:{width:.0f}px" '
        f'role="img" aria-label="{escape(what)}">{"".join(parts)}</svg>'
    )
