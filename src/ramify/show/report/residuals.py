"""Predicted and true numbers of held-out rows: points to draw, and how far apart they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.learning.held_out import HeldOut
from ramify.support.page.json_numbers import short_number

_POINTS = 400  # the most points of a scatter plot
_BINS = 24


def scattered(held: HeldOut) -> list[tuple[Any, Any]]:
    """Pairs of predicted and true numbers of some rows."""
    predicted, true = held.points(_POINTS)
    return [
        (short_number(p), short_number(t))
        for p, t in zip(predicted.tolist(), true.tolist(), strict=True)
    ]


def residuals(held: HeldOut) -> dict[str, Any] | None:
    """The distribution of true minus predicted numbers; None if there is no range to draw.

    The middle 98 % of the rows have bars of equal width; the few beyond are in the outermost.
    """
    off = held.y - held.predicted
    w = np.ones(len(off)) if held.weights is None else held.weights
    low, high = (float(x) for x in np.quantile(off, [0.01, 0.99]))
    if short_number(low) == short_number(high):  # the page would show no range
        beside = max(0.5, 1e-5 * abs(low))
        low, high = low - beside, high + beside
    if not np.isfinite(high - low):
        return None
    counts = np.histogram(np.clip(off, low, high), bins=_BINS, range=(low, high), weights=w)[0]
    far = np.sort(np.abs(off))
    return {
        "low": short_number(low),
        "high": short_number(high),
        "bins": [short_number(x) for x in counts.tolist()],
        "beyond": int(((off < low) | (off > high)).sum()),
        "median": short_number(float(np.quantile(far, 0.5))),
        "p90": short_number(float(np.quantile(far, 0.9))),
    }
