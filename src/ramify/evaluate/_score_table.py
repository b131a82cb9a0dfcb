"""The table of a score: a row per data set, a column per learner, marks against a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate._measures import TIMES
from ramify.evaluate._text_table import escape_markdown, markdown_table, plain_table

Floats = NDArray[np.float64]
#: Marks as in Weka: significantly better and worse than the baseline.
BETTER, WORSE = "v", "*"
TEST_NAMES = {
    "corrected_t": "corrected resampled t-test",
    "paired_t": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
}
LABELS = {
    "balanced_accuracy": "balanced accuracy",
    "log_loss": "log loss",
    "roc_auc": "ROC AUC",
    "f1": "F1",
    "r2": "R²",
    "rmse": "RMSE",
    "mae": "mean absolute error",
    "n_leaves": "leaves",
    "n_nodes": "nodes",
    "fit_time": "fit time",
    "predict_time": "predict time",
}
_PERCENT = ("accuracy", "balanced_accuracy")


@dataclass(frozen=True, eq=False)
class ScoreTable:
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
        By which test, two-tailed.
    alpha : float
        At which level.
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
        """The data sets that every learner with this score has one on."""
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
        """What the row of means is called: it tells if data sets are left out."""
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
            f"({TEST_NAMES[self.test]}, two-tailed, {100 * self.alpha:g} %)"
        )

    @property
    def label(self) -> str:
        """The score in words."""
        return LABELS.get(self.score, self.score)

    @property
    def heading(self) -> str:
        """The score in words with its unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def unit(self) -> str:
        """The unit of what `format` writes: percent, seconds, or none."""
        if self.score in _PERCENT:
            return "%"
        return "s" if self.score in TIMES else ""

    def format(self, value: float) -> str:
        """Write a value as the table does."""
        return format_score(self.score, value)

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

    def to_markdown(self) -> str:
        """Give the table as Markdown."""
        rows = [[cell.rstrip() for cell in row] for row in self.cells()]
        return f"{markdown_table(['', *self.learners], rows)}\n\n{escape_markdown(self.caption)}.\n"

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give a data frame with a row per data set and learner, of the library that is there."""
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

    def __str__(self) -> str:
        header = ["", *(f"{name}  " for name in self.learners)]
        table = plain_table(header, self.cells(), rules=(len(self.datasets),))
        return f"{table}\n\n{self.caption}."

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def percent(score: str) -> bool:
    """Tell whether a score is shown in percent."""
    return score in _PERCENT


def format_score(score: str, value: float) -> str:
    """Write a score: percent, seconds, whole sizes or four digits."""
    if np.isnan(value):
        return "–"
    if score in _PERCENT:
        return f"{100 * value:.2f}"
    if score in ("n_leaves", "n_nodes", "depth"):
        return f"{value:,.1f}"
    if score in TIMES:
        return f"{value:.4f}" if value < 1 else f"{value:,.2f}"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:,.1f}"
