"""The best division of levels in two with enough rows on both sides: all are tried, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product


def divisions(levels: int) -> Iterator[tuple[bool, ...]]:
    """Which levels go right; the first never does, and some do."""
    for others in product((False, True), repeat=levels - 1):
        if any(others):
            yield (False, *others)


def best_drop_of_variance(
    levels: Sequence[int], y: Sequence[float], weight: Sequence[float], least: float
) -> Fraction | None:
    """The largest drop of the variance; None if no division has `least` rows on both sides."""
    n = max(levels) + 1
    rows, w, wy = [0] * n, [Fraction(0)] * n, [Fraction(0)] * n
    for level, target, one in zip(levels, y, weight, strict=True):
        rows[level] += 1
        w[level] += Fraction(one)
        wy[level] += Fraction(one) * Fraction(target)
    best = None
    for right in divisions(n):
        if not least <= sum(r for r, side in zip(rows, right, strict=True) if side):
            continue
        if not least <= sum(r for r, side in zip(rows, right, strict=True) if not side):
            continue
        inside = sum((one for one, side in zip(w, right, strict=True) if side), Fraction(0))
        total = sum((one for one, side in zip(wy, right, strict=True) if side), Fraction(0))
        off = total - inside * sum(wy) / sum(w)
        gain = off * off / (inside * (sum(w) - inside))
        best = gain if best is None else max(best, gain)
    return best


def best_drop_of_gini(counts: Sequence[Sequence[int]], least: float) -> Fraction | None:
    """The largest drop of the Gini index of a table of whole numbers."""
    best = None
    node = [sum(column) for column in zip(*counts, strict=True)]
    for right in divisions(len(counts)):
        drop, fits = _impurity(node), True
        for side in (False, True):
            inside = [row for row, goes in zip(counts, right, strict=True) if goes == side]
            total = [sum(column) for column in zip(*inside, strict=True)]
            fits = fits and sum(total) >= least
            drop -= _impurity(total) * sum(total) / sum(node)
        if fits:
            best = drop if best is None else max(best, drop)
    return best


def _impurity(weights: Sequence[int]) -> Fraction:
    total = sum(weights)
    return 1 - sum(Fraction(one, total) ** 2 for one in weights) if total else Fraction(0)
