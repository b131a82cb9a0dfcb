"""The pictures of a comparison with matplotlib."""

from __future__ import annotations

from typing import Any

from ramify.evaluate.pictures.layout import (
    log_ticks,
    rank_bars,
    rank_marks,
    size_points,
    wide_range,
)
from ramify.evaluate.tables.ranks import Ranks
from ramify.evaluate.tables.score_table import ScoreTable

_BLUE, _ORANGE = "#0072B2", "#D55E00"  # told apart by everyone


def plot_critical_difference(ranks: Ranks, *, ax: Any = None) -> Any:
    """Draw the mean ranks on a line, with a bar over learners that do not differ."""
    marks, bars = rank_marks(ranks), rank_bars(ranks)
    k = len(marks)
    depth = max((bar.level for bar in bars), default=-1) + 1
    rows = (k + 1) // 2
    height = 1.0 + 0.25 * depth + 0.5 * rows
    ax = _axes(ax, (7, 0.6 + 0.42 * height))
    low = 0.5 + 0.25 * depth  # where the labels begin
    ax.plot([1, k], [0, 0], color="black", linewidth=1)
    for tick in range(1, k + 1):
        ax.plot([tick, tick], [0, -0.12], color="black", linewidth=1)
        ax.text(tick, -0.2, str(tick), ha="center", va="bottom")
    for mark in marks:
        y = low + 0.5 * mark.level
        left = mark.side == "left"
        end = 0.9 if left else k + 0.1
        ax.plot([mark.rank, mark.rank, end], [0, y, y], color="grey", linewidth=1)
        text = f"{mark.name}  {mark.rank:.2f}" if left else f"{mark.rank:.2f}  {mark.name}"
        ax.text(end, y, f" {text} ", ha="right" if left else "left", va="center")
    for bar in bars:
        y = 0.25 + 0.25 * bar.level
        ends = [bar.first - 0.03, bar.last + 0.03]
        ax.plot(ends, [y, y], color=_ORANGE, linewidth=4, solid_capstyle="round")
    width = min(ranks.critical_difference, k - 1)
    ax.plot([1, 1 + width], [-0.75, -0.75], color=_BLUE, linewidth=2, marker="|")
    ax.text(1 + width / 2, -0.85, f"CD = {ranks.critical_difference:.2f}", ha="center", va="bottom")
    ax.set_ylim(low + 0.5 * rows, -1.4)
    ax.set_axis_off()
    return ax


def plot_score_size(score: ScoreTable, size: ScoreTable, *, ax: Any = None) -> Any:
    """Draw a dot per learner: mean score against mean size."""
    ax = _axes(ax, (6, 4))
    points = size_points(score, size)
    scale = 100.0 if score.unit == "%" else 1.0
    for point in points:
        colour = _BLUE if point.best else "grey"
        ax.plot(point.size, scale * point.score, "o", color=colour)
        ax.annotate(
            point.name, (point.size, scale * point.score), (5, 4), textcoords="offset points"
        )
    best = sorted((p.size, scale * p.score) for p in points if p.best)
    if len(best) > 1:
        ax.plot(*zip(*best, strict=True), color=_BLUE, linewidth=1, linestyle=":")
    if points and wide_range(points):
        ax.set_xscale("log")
        ax.set_xticks(log_ticks([point.size for point in points]))
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.xaxis.set_minor_formatter("")
    ax.margins(0.12)  # room for the names
    ax.set_xlabel(f"mean {size.heading}")
    ax.set_ylabel(f"mean {score.heading}")
    return ax


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'ramify[plot]'") from error
    _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax
