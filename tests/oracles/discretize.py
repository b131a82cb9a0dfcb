"""The discretisers, slow and obvious: every candidate is counted anew from the rows.

The rules, as documented: thresholds lie midway between neighbouring values whose rows are not all
of one class. Weights are shares of the power of two above their sum; weight times impurity is
rounded to 2^-56 and gains are compared in steps of 2^-40, chi-square statistics by 40 bits. Among
equals the first column wins, then the lowest threshold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bound = float | None


@dataclass(frozen=True)
class Rows:
    """One column without its missing cells and rows of weight zero."""

    values: Floats
    labels: Ints
    weights: Floats
    classes: int
    total: float  # weight of all rows, those with missing cells included

    @classmethod
    def of(cls, x: Floats, y: Ints, weights: Floats | None, classes: int) -> Rows:
        w = np.ones(len(x)) if weights is None else weights
        there = ~np.isnan(x) & (w > 0)
        return cls(x[there], y[there], w[there], classes, float(w.sum()))

    @property
    def scale(self) -> float:
        return 2.0 ** math.frexp(self.total)[1]

    def counts(self, low: Bound, high: Bound) -> Floats:
        """Class weights of low < value <= high."""
        inside = np.ones(len(self.values), dtype=bool)
        if low is not None:
            inside &= self.values > low
        if high is not None:
            inside &= self.values <= high
        return np.bincount(self.labels[inside], self.weights[inside], minlength=self.classes)


def boundary_points(rows: Rows) -> list[float]:
    found = []
    for low, high in pairwise(np.unique(rows.values).tolist()):
        at = (rows.values == low) | (rows.values == high)
        if len(set(rows.labels[at].tolist())) > 1:
            middle = low / 2 + high / 2
            found.append(middle if low <= middle < high else low)
    return found


def columns(X: Floats, y: Ints, weights: Floats | None) -> list[Rows]:
    return [Rows.of(column, y, weights, int(y.max()) + 1) for column in X.T]


# --- gains


def entropy(counts: Floats) -> float:
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def gini(counts: Floats) -> float:
    return float(1 - ((counts / counts.sum()) ** 2).sum())


IMPURITIES = {"entropy": entropy, "gini": gini}


def plain_gain(left: Floats, right: Floats, impurity: str) -> float:
    """Weight times impurity that a cut takes away, from the definition."""
    measure, whole = IMPURITIES[impurity], left + right
    parts = sum(float(part.sum()) * measure(part) for part in (left, right))
    return float(whole.sum()) * measure(whole) - parts


def fixed(value: float) -> int:
    large = abs(value) * 2.0**56
    rounded = int(large) if large >= 2.0**52 else math.floor(large + 0.5)
    return rounded if value >= 0 else -rounded


def compared_gain(left: Floats, right: Floats, impurity: str, scale: float) -> int:
    """The same, rounded as it is when compared."""
    parts = [counts / scale for counts in (left + right, left, right)]
    if impurity == "entropy":

        def cost(shares: Floats) -> int:
            def term(p: float) -> int:
                return fixed(p * math.log2(p)) if p > 0 else 0

            return term(float(shares.sum())) - sum(term(p) for p in shares.tolist())

        whole, low, high = map(cost, parts)
        gain = whole - low - high
    else:
        whole_, low_, high_ = (float(p.sum() - (p**2).sum() / p.sum()) for p in parts)
        gain = fixed(whole_ - low_ - high_)
    return (gain + 2**15) >> 16


# --- MID: Algorithm 4 of Dal Maso (2024)


@dataclass(frozen=True)
class Ranked:
    threshold: float
    gain: float
    key: int


def ranked_column(rows: Rows, impurity: str, mdl: bool = False) -> list[Ranked]:
    """All boundary points in order; every candidate is tried in every round."""
    points = boundary_points(rows)
    taken: list[float] = []
    ranked: list[Ranked] = []
    while points:
        best: Ranked | None = None
        sides: tuple[Floats, Floats] | None = None
        for point in points:
            low = max([t for t in taken if t < point], default=None)
            high = min([t for t in taken if t > point], default=None)
            left, right = rows.counts(low, point), rows.counts(point, high)
            key = compared_gain(left, right, impurity, rows.scale)
            if best is None or key > best.key:
                best = Ranked(point, plain_gain(left, right, impurity) / rows.total, key)
                sides = left, right
        assert best is not None and sides is not None
        if mdl and not accepted(*sides):
            break
        ranked.append(best)
        taken.append(best.threshold)
        points.remove(best.threshold)
    return ranked


def mid(
    X: Floats,
    y: Ints,
    weights: Floats | None = None,
    impurity: str = "entropy",
    mdl: bool = False,
) -> list[tuple[int, float, float]]:
    """Column, threshold and gain: the heads of the lists, the largest gain first."""
    lists = [ranked_column(rows, impurity, mdl) for rows in columns(X, y, weights)]
    found = []
    while any(lists):
        heads = [(-one[0].key, j) for j, one in enumerate(lists) if one]
        j = min(heads)[1]
        head = lists[j].pop(0)
        found.append((j, head.threshold, head.gain))
    return found


# --- MID of a numeric target: the variance in place of the impurity, in exact fractions


def fractions(values: Floats) -> list[Fraction]:
    return [Fraction(value) for value in values.tolist()]


@dataclass(frozen=True)
class NumberRows:
    """One column without its missing cells and rows of weight zero; the target is numbers."""

    values: Floats
    target: list[Fraction]
    weights: list[Fraction]
    total: Fraction  # weight of all rows, those with missing cells included
    spread: Fraction  # weighted squared error of all rows

    @classmethod
    def of(cls, x: Floats, y: Floats, weights: Floats | None) -> NumberRows:
        w = np.ones(len(x)) if weights is None else weights
        there = ~np.isnan(x) & (w > 0)
        everything = squared_error(fractions(y), fractions(w))
        known = fractions(y[there]), fractions(w[there])
        return cls(x[there], *known, sum(fractions(w), Fraction(0)), everything)

    def inside(self, low: Bound, high: Bound) -> tuple[list[Fraction], list[Fraction]]:
        """Target and weight of low < value <= high."""
        chosen = [
            i
            for i, value in enumerate(self.values.tolist())
            if (low is None or value > low) and (high is None or value <= high)
        ]
        return [self.target[i] for i in chosen], [self.weights[i] for i in chosen]

    def error(self, low: Bound, high: Bound) -> Fraction:
        return squared_error(*self.inside(low, high))


def squared_error(y: list[Fraction], w: list[Fraction]) -> Fraction:
    if not y:
        return Fraction(0)
    total = sum(w, Fraction(0))
    mean = sum((a * b for a, b in zip(w, y, strict=True)), Fraction(0)) / total
    return sum((a * (b - mean) ** 2 for a, b in zip(w, y, strict=True)), Fraction(0))


def number_boundary_points(rows: NumberRows) -> list[float]:
    found = []
    for low, high in pairwise(np.unique(rows.values).tolist()):
        at = (rows.values == low) | (rows.values == high)
        if len({rows.target[i] for i in np.flatnonzero(at)}) > 1:
            middle = low / 2 + high / 2
            found.append(middle if low <= middle < high else low)
    return found


def worth_two_means(rows: NumberRows, low: Bound, point: float, high: Bound) -> bool:
    """The MDL rule for numbers, as it is documented."""
    n = float(sum(rows.inside(low, high)[1], Fraction(0)))
    if n <= 2:
        return False
    one = rows.error(low, high)
    two = rows.error(low, point) + rows.error(point, high)
    if two == 0:
        return True
    saved = n / 2 * math.log2(float(one / two) * (n - 2) / (n - 1))
    return saved > math.log2(n - 1) + math.log2(n) / 2


def number_mid(
    X: Floats, y: Floats, weights: Floats | None = None, mdl: bool = False
) -> list[tuple[int, float, float]]:
    """Column, threshold and gain; gains nearer than 2^-40 of the spread are equal."""
    lists: list[list[tuple[Fraction, float]]] = []
    total = spread = Fraction(0)
    for column in X.T:
        rows = NumberRows.of(column, y, weights)
        total, spread = rows.total, rows.spread
        points, taken, ranked = number_boundary_points(rows), [], []
        while points:
            best: tuple[Fraction, float] | None = None
            sides: tuple[Bound, Bound] = None, None
            for point in points:
                low = max([t for t in taken if t < point], default=None)
                high = min([t for t in taken if t > point], default=None)
                after = rows.error(low, point) + rows.error(point, high)
                gain = rows.error(low, high) - after
                if best is None or gain > best[0] + spread / 2**40:
                    best, sides = (gain, point), (low, high)
            assert best is not None
            if mdl and not worth_two_means(rows, sides[0], best[1], sides[1]):
                break
            ranked.append(best)
            taken.append(best[1])
            points.remove(best[1])
        lists.append(ranked)
    found = []
    while any(lists):
        most = max(one[0][0] for one in lists if one)
        j = next(j for j, one in enumerate(lists) if one and one[0][0] >= most - spread / 2**40)
        gain, threshold = lists[j].pop(0)
        found.append((j, threshold, float(gain / total)))
    return found


# --- equal width and equal frequency


def equal_width_column(x: Floats, w: Floats, n_bins: int) -> list[float]:
    known = sorted({v for v, a in zip(x.tolist(), w.tolist(), strict=True) if a > 0 and v == v})
    known = [v for v in known if math.isfinite(v)]
    if len(known) < 2:
        return []
    low, high = Fraction(known[0]), Fraction(known[-1])
    edges = (float(low + (high - low) * i / n_bins) for i in range(1, n_bins))
    return sorted({edge for edge in edges if known[0] <= edge < known[-1]})


def equal_frequency_column(x: Floats, w: Floats, n_bins: int) -> list[float]:
    """Every place between two values is tried for every threshold."""
    rows = [(v, Fraction(a)) for v, a in zip(x.tolist(), w.tolist(), strict=True) if a > 0]
    rows = [(v, a) for v, a in rows if v == v]
    distinct = sorted({v for v, _ in rows})
    total = sum((a for _, a in rows), Fraction(0))
    found = set()
    for i in range(1, n_bins):
        best: tuple[Fraction, float] | None = None
        for low, high in pairwise(distinct):
            below = sum((a for v, a in rows if v <= low), Fraction(0))
            distance = abs(below - total * i / n_bins)
            if best is None or distance < best[0]:
                middle = low / 2 + high / 2
                best = distance, middle if low <= middle < high else low
        if best is not None:
            found.add(best[1])
    return sorted(found)


# --- MDLP: Fayyad and Irani (1993)


def accepted(left: Floats, right: Floats) -> bool:
    whole = left + right
    n = float(whole.sum())
    k, k1, k2 = (int((part > 0).sum()) for part in (whole, left, right))
    e, e1, e2 = (entropy(part) for part in (whole, left, right))
    gain = e - left.sum() / n * e1 - right.sum() / n * e2
    delta = math.log2(3**k - 2) - (k * e - k1 * e1 - k2 * e2)
    return bool(gain > (math.log2(max(1.0, n - 1)) + delta) / n)


def mdlp_column(rows: Rows, low: Bound = None, high: Bound = None) -> list[float]:
    points = [
        point
        for point in boundary_points(rows)
        if (low is None or point > low) and (high is None or point < high)
    ]
    if not points:
        return []
    keys = [
        compared_gain(rows.counts(low, point), rows.counts(point, high), "entropy", rows.scale)
        for point in points
    ]
    point = points[int(np.argmax(keys))]
    if not accepted(rows.counts(low, point), rows.counts(point, high)):
        return []
    return [*mdlp_column(rows, low, point), point, *mdlp_column(rows, point, high)]


def mdlp(X: Floats, y: Ints, weights: Floats | None = None) -> list[list[float]]:
    return [mdlp_column(rows) for rows in columns(X, y, weights)]


# --- ChiMerge: Kerber (1992)


def chi_square(low: Floats, high: Floats) -> float:
    """Pearson's statistic of two rows, the two cells of a class together."""
    r1, r2, total = float(low.sum()), float(high.sum()), 0.0
    for a, b in zip(low.tolist(), high.tolist(), strict=True):
        if a + b > 0:
            difference = a * r2 - b * r1
            total += difference / r1 * (difference / r2) / (a + b)
    return total


def compared_statistic(value: float) -> float:
    fraction, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(fraction, 40)), exponent - 40)


def chimerge_column(
    rows: Rows, threshold: float, min_intervals: int, max_intervals: int | None
) -> list[float]:
    """Merge by looking at all neighbours in every round."""
    edges = boundary_points(rows)
    most = math.inf if max_intervals is None else max_intervals
    while edges and len(edges) + 1 > min_intervals:
        bounds = [None, *edges, None]
        found = [
            compared_statistic(
                chi_square(rows.counts(bounds[i], edge), rows.counts(edge, bounds[i + 2]))
            )
            for i, edge in enumerate(edges)
        ]
        at = int(np.argmin(found))
        if found[at] >= threshold and len(edges) + 1 <= most:
            break
        edges.pop(at)
    return edges


def chimerge(
    X: Floats,
    y: Ints,
    weights: Floats | None,
    threshold: float,
    min_intervals: int = 1,
    max_intervals: int | None = None,
) -> list[list[float]]:
    return [
        chimerge_column(rows, threshold, min_intervals, max_intervals)
        for rows in columns(X, y, weights)
    ]
