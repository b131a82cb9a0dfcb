"""The table of a score: a row per data set, a column per learner, marks against a baseline."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate.measures import format_score, label_of, unit_of
from ramify.evaluate.results import Results
from ramify.evaluate.significance.paired import TESTS, fold_pvalue, known_pair
from ramify.evaluate.tables.text import ShownTable

Floats = NDArray[np.float64]
#: Marks as in Weka: significantly better and worse than the baseline.
BETTER, WORSE = "v", "*"


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(ShownTable):
    """Mean and standard deviation of a score over the folds, and who differs from the baseline.

    Parameters
    ----------
    score : str
        What was measured.
    greater_is_better : bool
        Which end wins.
    baseline : str
        The learner that the others are tested against.
    test : str
        The test, two-tailed.
    alpha : float
        Its level.
    learners, datasets : tuple of str
        The columns and the rows.
    mean, sd, pvalue : ndarray of shape (data sets, learners)
        Over the folds; NaN where there are none, and for the p-values of the baseline.
    marks : tuple of tuple of str
        "v" better, "*" worse than the baseline, "" otherwise.
    """

    score: str
    greater_is_better: bool
    baseline: str
    test: str
    alpha: float
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    mean: Floats
    sd: Floats
    pvalue: Floats
    marks: tuple[tuple[str, ...], ...]

    @property
    def shared(self) -> NDArray[np.bool_]:
        """The data sets on which every learner has the score, of those that have it at all."""
        known = ~np.isnan(self.mean)
        has_any = known.any(axis=0)
        return np.asarray(known[:, has_any].all(axis=1))

    @property
    def average(self) -> Floats:
        """The mean over the data sets that all learners have in common, for each learner."""
        rows = self.mean[self.shared]
        return rows.mean(axis=0) if len(rows) else np.full(len(self.learners), np.nan)

    @property
    def mean_label(self) -> str:
        """The name of the row of means, which tells if data sets are left out."""
        kept, all_ = int(self.shared.sum()), len(self.datasets)
        return "mean" if kept == all_ else f"mean of {kept} in common"

    @property
    def wins(self) -> dict[str, tuple[int, int, int]]:
        """Data sets where a learner is better than the baseline, as good, and worse."""
        found = {}
        for j, learner in enumerate(self.learners):
            if learner == self.baseline:
                continue
            better = sum(row[j] == BETTER for row in self.marks)
            worse = sum(row[j] == WORSE for row in self.marks)
            tested = int((~np.isnan(self.pvalue[:, j])).sum())
            found[learner] = (better, tested - better - worse, worse)
        return found

    @property
    def caption(self) -> str:
        """What the table shows, in a sentence."""
        way = "" if self.greater_is_better else ", less is better,"
        return f"Mean ± standard deviation of {self.heading}{way} over the folds{self._marked}"

    @property
    def legend(self) -> str:
        """The sentence below tables of several scores."""
        return f"Mean ± standard deviation over the folds{self._marked}"

    @property
    def _marked(self) -> str:
        return (
            f"; {BETTER} better, {WORSE} worse than {self.baseline} "
            f"({TESTS[self.test].title}, two-tailed, {100 * self.alpha:g} %)"
        )

    @property
    def label(self) -> str:
        """The score in words."""
        return label_of(self.score)

    @property
    def heading(self) -> str:
        """The score in words with its unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def unit(self) -> str:
        """The unit of what `format` writes: percent, seconds, or none."""
        return unit_of(self.score)

    def format(self, value: float) -> str:
        """Write a value as the table does."""
        return format_score(self.score, value)

    @property
    def n_body_rows(self) -> int:
        """The rows of the data sets, before mean and win/tie/loss."""
        return len(self.datasets)

    def header(self) -> list[str]:
        """Give the names of the columns, with room for the marks."""
        return ["", *(f"{name}  " for name in self.learners)]

    def cells(self) -> list[list[str]]:
        """Give the rows as text: data sets, and if there are several, mean and win/tie/loss."""
        rows = []
        for i, dataset in enumerate(self.datasets):
            row = [dataset]
            for j in range(len(self.learners)):
                text = self.format(float(self.mean[i, j]))
                if not np.isnan(self.sd[i, j]):
                    text += f" ± {self.format(float(self.sd[i, j]))}"
                row.append(f"{text} {self.marks[i][j] or ' '}")
            rows.append(row)
        if len(self.datasets) > 1:
            rows.append(
                [self.mean_label, *(f"{self.format(float(value))}  " for value in self.average)]
            )
        if len(self.datasets) > 1 and self.wins:
            rows.append(["win/tie/loss", *(f"{text}  " for text in self.wins_cells())])
        return rows

    def wins_cells(self) -> list[str]:
        """Give "win/tie/loss" of each learner; nothing for one that was not tested."""
        wins = self.wins
        return ["/".join(map(str, wins[n])) if any(wins.get(n, ())) else "" for n in self.learners]

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give a data frame with a row per data set and learner, of the installed library."""
        from ramify.tables.frame import make_frame

        n = len(self.learners)
        columns = {
            "dataset": [name for name in self.datasets for _ in range(n)],
            "learner": list(self.learners) * len(self.datasets),
            "mean": self.mean.ravel().tolist(),
            "sd": self.sd.ravel().tolist(),
            "pvalue": self.pvalue.ravel().tolist(),
            "mark": [mark for row in self.marks for mark in row],
        }
        return make_frame(columns, backend=backend)


def make_table(
    found: Results, score: str, baseline: str | None, test: str, alpha: float
) -> ScoreTable:
    """Give the table of a score; every learner is tested against the baseline, or the first."""
    greater = found.scores[score]
    baseline = found.learners[0] if baseline is None else baseline
    base = found.learners.index(baseline)
    shape = (len(found.datasets), len(found.learners))
    mean, sd, pvalue = (np.full(shape, np.nan) for _ in range(3))
    marks = [[""] * shape[1] for _ in range(shape[0])]
    for i, dataset in enumerate(found.datasets):
        values, share = found.values(dataset, score), found.test_fraction(dataset)
        mean[i], sd[i] = moments(values)
        for j in range(shape[1]):
            pair = known_pair(values, j, base)
            if j == base or len(pair) < 2:
                continue
            pvalue[i, j] = fold_pvalue(test, pair, test_fraction=share)
            if pvalue[i, j] <= alpha:
                difference = np.mean(pair[:, 0] - pair[:, 1])
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
