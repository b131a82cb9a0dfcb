"""Filling the table of a score: means, deviations, and the test of each learner."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate._paired_tests import paired_test
from ramify.evaluate._score_table import BETTER, WORSE, ScoreTable

if TYPE_CHECKING:
    from ramify.evaluate._comparison import Comparison

Floats = NDArray[np.float64]


def make_table(found: Comparison, score: str, baseline: str, test: str, alpha: float) -> ScoreTable:
    """Give the table of a score, every learner tested against the baseline."""
    greater = found.scores[score]
    base = found.learners.index(baseline)
    shape = (len(found.datasets), len(found.learners))
    mean, sd, pvalue = (np.full(shape, np.nan) for _ in range(3))
    marks = [[""] * shape[1] for _ in range(shape[0])]
    for i, dataset in enumerate(found.datasets):
        values = found.values(dataset, score)
        mean[i], sd[i] = moments(values)
        for j in range(shape[1]):
            if j == base or both_known(values, j, base) < 2:
                continue
            pvalue[i, j] = paired_test(
                test,
                values[:, j],
                values[:, base],
                test_fraction=found.test_fraction(dataset),
            ).pvalue
            if pvalue[i, j] <= alpha:
                difference = np.nanmean(values[:, j] - values[:, base])
                marks[i][j] = BETTER if (difference > 0) == greater else WORSE
    return ScoreTable(
        score=score,
        greater_is_better=greater,
        baseline=baseline,
        test=test,
        alpha=alpha,
        learners=found.learners,
        datasets=found.datasets,
        mean=mean,
        sd=sd,
        pvalue=pvalue,
        marks=tuple(tuple(row) for row in marks),
    )


def moments(values: Floats) -> tuple[Floats, Floats]:
    """Give means and standard deviations of the columns; folds that failed are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column of NaN gives NaN
        return np.nanmean(values, axis=0), np.nanstd(values, axis=0, ddof=1)


def both_known(values: Floats, i: int, j: int) -> int:
    """Give the number of folds that two learners both have a score on."""
    return int((~np.isnan(values[:, i]) & ~np.isnan(values[:, j])).sum())
