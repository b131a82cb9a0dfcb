"""Sums of floats that do not depend on the order of addition: every digit is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

_PIECE = 18  # bits; 2**34 pieces add up exactly in a float64


@dataclass
class ExactSum:
    """A sum of float64 numbers, exact.

    Examples
    --------
    >>> float(ExactSum.of(np.array([1e100, 1.0, -1e100])))
    1.0
    """

    #: Whole multiples of 2**exponent.
    by_exponent: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> ExactSum:
        """Give the sum of some finite numbers."""
        total = cls()
        mantissas, exponents = np.frexp(values)
        whole = np.ldexp(mantissas, 53).astype(np.int64)
        kinds, place = np.unique(exponents, return_inverse=True)
        for shift in range(0, 3 * _PIECE, _PIECE):
            # The last piece keeps the sign.
            pieces = whole >> shift
            if shift < 2 * _PIECE:
                pieces = pieces & ((1 << _PIECE) - 1)
            sums = np.bincount(place, pieces.astype(np.float64), minlength=len(kinds))
            for exponent, piece in zip(kinds.tolist(), sums.tolist(), strict=True):
                at = exponent - 53
                total.by_exponent[at] = total.by_exponent.get(at, 0) + (int(piece) << shift)
        return total

    def __add__(self, other: ExactSum) -> ExactSum:
        """Give the sum of both."""
        found = dict(self.by_exponent)
        for exponent, whole in other.by_exponent.items():
            found[exponent] = found.get(exponent, 0) + whole
        return ExactSum(found)

    def fraction(self) -> Fraction:
        """Give the sum as a fraction."""
        if not self.by_exponent:
            return Fraction(0)
        least = min(self.by_exponent)
        whole = sum(n << (exponent - least) for exponent, n in self.by_exponent.items())
        return Fraction(whole) * Fraction(2) ** least

    def __float__(self) -> float:
        """Give the sum, rounded once."""
        return float(self.fraction())


def size_of(largest: float) -> int:
    """Give the least exponent of two that a number stays below, within the range of limbs.

    Examples
    --------
    >>> size_of(1.0), size_of(0.3)
    (1, -1)
    """
    return max(-900, math.frexp(largest)[1]) if largest > 0 else -900
