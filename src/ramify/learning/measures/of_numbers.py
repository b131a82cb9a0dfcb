"""The measures of regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.learning.measures.answers import Answers, Floats
from ramify.learning.measures.measure import REGRESSION, Measure

MEAN = "the mean alone"


def _squares(answers: Answers) -> Floats:
    return np.asarray((answers.answers - answers.y) ** 2)


def _distances(answers: Answers) -> Floats:
    return np.asarray(np.abs(answers.answers - answers.y))


def _r2(answers: Answers) -> float:
    """Give the share of the variance that is explained; of a constant target 1 or 0."""
    if len(answers) < 2:
        return float("nan")
    error = answers.mean(_squares(answers))
    spread = answers.mean((answers.y - answers.mean(answers.y)) ** 2)
    return 1 - error / spread if spread > 0 else float(error == 0)


def _measure(name: str, label: str, *, greater_is_better: bool, **more: Any) -> Measure:
    return Measure(name, label, REGRESSION, guess=MEAN, greater_is_better=greater_is_better, **more)


OF_NUMBERS = (
    _measure("r2", "R2", greater_is_better=True, compute=_r2),
    _measure(
        "rmse",
        "RMSE",
        greater_is_better=False,
        compute=lambda answers: float(np.sqrt(answers.mean(_squares(answers)))),
    ),
    _measure(
        "mae",
        "mean absolute error",
        greater_is_better=False,
        compute=lambda answers: answers.mean(_distances(answers)),
        by_row=_distances,
    ),
)
