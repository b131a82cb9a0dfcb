"""Where things stand in the pictures: the same for matplotlib and for the SVG of the page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate.tables.ranks import Ranks
from ramify.evaluate.tables.score_table import ScoreTable


@dataclass(frozen=True)
class RankMark:
    """A learner in the critical-difference diagram: its rank, and where its label stands."""

    name: str
    rank: float
    side: Literal["left", "right"]
    level: int


@dataclass(frozen=True)
class RankBar:
    """A bar over learners that do not differ."""

    first: float
    last: float
    level: int


def rank_marks(ranks: Ranks) -> list[RankMark]:
    """Put the better half to the left and the others to the right; no lines cross."""
    names = list(ranks.mean_ranks.items())
    half = (len(names) + 1) // 2
    left = [RankMark(name, rank, "left", i) for i, (name, rank) in enumerate(names[:half])]
    others = names[half:]
    right = [
        RankMark(name, rank, "right", len(others) - 1 - i) for i, (name, rank) in enumerate(others)
    ]
    return left + right


def rank_bars(ranks: Ranks) -> list[RankBar]:
    """Stack the bars as low as they go without touching."""
    ends: list[float] = []
    found = []
    for group in ranks.groups:
        first, last = ranks.mean_ranks[group[0]], ranks.mean_ranks[group[-1]]
        level = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[level : level + 1] = [last]
        found.append(RankBar(first, last, level))
    return found


@dataclass(frozen=True)
class SizePoint:
    """A learner in the picture of score against size."""

    name: str
    size: float
    score: float
    best: bool  # no learner is both smaller and better


def size_points(score: ScoreTable, size: ScoreTable) -> list[SizePoint]:
    """Give the mean score and size of the learners, over the data sets where all have both.

    Learners without a size are left out.
    """
    known = ~np.isnan(score.mean) & ~np.isnan(size.mean)
    has_size = np.asarray(known.any(axis=0))
    rows = np.asarray(known[:, has_size].all(axis=1))
    if not rows.any() or not has_size.any():
        return []
    means = np.column_stack([size.mean[rows].mean(axis=0), score.mean[rows].mean(axis=0)])
    sign = 1.0 if score.greater_is_better else -1.0
    return [
        SizePoint(name, float(means[j, 0]), float(means[j, 1]), _undominated(means, j, sign))
        for j, name in enumerate(score.learners)
        if has_size[j]
    ]


def _undominated(means: NDArray[np.float64], j: int, sign: float) -> bool:
    smaller, better = means[:, 0] <= means[j, 0], sign * means[:, 1] >= sign * means[j, 1]
    either = (means[:, 0] < means[j, 0]) | (sign * means[:, 1] > sign * means[j, 1])
    return not bool((smaller & better & either).any())


def wide_range(points: list[SizePoint]) -> bool:
    """Tell whether the sizes need a logarithmic axis."""
    sizes = [point.size for point in points]
    return min(sizes) > 0 and max(sizes) > 8 * min(sizes)


def ticks(values: list[float]) -> list[float]:
    """Give about five round numbers in the range of the values."""
    low, high = min(values), max(values)
    if high - low <= 1e-12 * abs(high):
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (f * step) <= 6)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(np.round(i * step, 12)) for i in range(first, last + 1)] or [low]


def log_ticks(values: list[float]) -> list[float]:
    """Give 1, 2 or 5 times a power of ten in the range of the values."""
    powers = range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
    ticks = [m * 10.0**power for power in powers for m in (1, 2, 5)]
    return [t for t in ticks if min(values) <= t <= max(values)] or [min(values)]
