"""The curves of one class against the others, as small arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.measures.answers import Floats
from ramify.learning.measures.ranking import Ranking

MOST_POINTS = 200
_BINS = 10


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve over the thresholds of a probability, from the highest threshold down.

    Parameters
    ----------
    x, y : ndarray
        The points. Which shares they are depends on the curve.
    threshold : ndarray
        A row is said to be of the class if its probability is at least this. The first one is
        infinite: no row is.
    """

    x: Floats
    y: Floats
    threshold: Floats

    def to_dict(self) -> dict[str, list[float | None]]:
        """Give the points as JSON; a threshold that no probability reaches is null."""
        threshold = [None if np.isinf(t) else short(t) for t in self.threshold.tolist()]
        return {"x": shorts(self.x), "y": shorts(self.y), "threshold": threshold}


@dataclass(frozen=True, eq=False)
class Calibration:
    """What was said and what was true, in groups of rows with like probabilities.

    Parameters
    ----------
    predicted, observed : ndarray
        The mean probability of a group, and the share of its rows that are of the class.
    rows : ndarray
        Number of rows of a group.
    weight : ndarray
        Their weight.
    """

    predicted: Floats
    observed: Floats
    rows: NDArray[np.int64]
    weight: Floats

    def to_dict(self) -> dict[str, Any]:
        """Give the groups as JSON."""
        return {
            "predicted": shorts(self.predicted),
            "observed": shorts(self.observed),
            "rows": self.rows.tolist(),
            "weight": shorts(self.weight),
        }


def roc(ranking: Ranking) -> Curve:
    """Give the share of the class that is found by the share of the others taken for it."""
    ranking, threshold = _thinned(ranking)
    return Curve(_share(ranking.wrong), _share(ranking.found), threshold)


def precision_recall(ranking: Ranking) -> Curve:
    """Give precision by recall; where no row is said to be of the class, precision is 1."""
    ranking, threshold = _thinned(ranking)
    said = ranking.found + ranking.wrong
    precision = np.divide(ranking.found, said, out=np.ones(len(said)), where=said > 0)
    return Curve(_share(ranking.found), precision, threshold)


def gain(ranking: Ranking) -> Curve:
    """Give the share of the class that is found by the share of all rows that are taken."""
    ranking, threshold = _thinned(ranking)
    return Curve(_share(ranking.found + ranking.wrong), _share(ranking.found), threshold)


def lift(ranking: Ranking) -> Curve:
    """Give how much more frequent the class is in the rows taken than in all, by their share."""
    curve = gain(ranking)
    x, y = curve.x[1:], curve.y[1:]
    return Curve(x, np.divide(y, x, out=np.ones(len(x)), where=x > 0), curve.threshold[1:])


def calibration(share: Floats, positive: NDArray[np.bool_], weights: Floats | None) -> Calibration:
    """Group rows by probability: one group per probability if they are few, or equal groups."""
    values, place, count = np.unique(share, return_inverse=True, return_counts=True)
    if len(values) > _BINS:
        # Rows of the same probability stay together.
        middle = np.cumsum(count) - count / 2
        place = np.minimum(middle * _BINS / len(share), _BINS - 1).astype(np.int64)[place]
        place = np.unique(place, return_inverse=True)[1]
    w = np.ones(len(share)) if weights is None else weights
    total = np.asarray(np.bincount(place, weights=w), dtype=np.float64)
    kept = total > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        predicted = np.bincount(place, weights=w * share) / total
        observed = np.bincount(place, weights=w * positive) / total
    rows = np.bincount(place)
    return Calibration(predicted[kept], observed[kept], rows[kept], total[kept])


def _thinned(ranking: Ranking) -> tuple[Ranking, Floats]:
    """Begin with no row, and keep few points, evenly along the curve."""
    threshold = np.append(np.inf, ranking.threshold)
    found, wrong = np.append(0.0, ranking.found), np.append(0.0, ranking.wrong)
    if len(threshold) > MOST_POINTS:
        way = _share(found) + _share(wrong)
        kept = np.unique(np.searchsorted(way, np.linspace(0, way[-1], MOST_POINTS)))
        kept = np.minimum(kept, len(way) - 1)
        kept[-1] = len(way) - 1
        threshold, found, wrong = threshold[kept], found[kept], wrong[kept]
    return Ranking(threshold, found, wrong), threshold


def _share(part: Floats) -> Floats:
    return part / part[-1] if part[-1] > 0 else np.zeros(len(part))


def short(value: float) -> float | None:
    """Round a number for a file; null if there is none."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def shorts(values: NDArray[Any]) -> list[float | None]:
    """Round numbers for a file."""
    return [short(value) for value in values.tolist()]
