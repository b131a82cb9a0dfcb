"""How many other learners a learner beats on a data set: the counts of Pereira's tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate.measures import label_of
from ramify.evaluate.results import Results
from ramify.evaluate.significance.paired import TESTS, Alternative, fold_pvalue, known_pair
from ramify.evaluate.tables.text import ShownTable


@dataclass(frozen=True, eq=False, repr=False)
class Beats(ShownTable):
    """Counts of learners beaten, by a one-tailed test.

    Parameters
    ----------
    score, test, alpha : str, str, float
        What was measured, and how it was tested.
    learners, datasets : tuple of str
        The columns and rows.
    counts : ndarray of int, shape (data sets, learners)
        Learners that this one beats on the data set.
    against : ndarray of int, shape (learners, learners)
        Data sets where the learner of the row beats that of the column.
    """

    score: str
    test: str
    alpha: float
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    counts: NDArray[np.int64]
    against: NDArray[np.int64]

    @property
    def total(self) -> dict[str, int]:
        """The sums over the data sets."""
        return dict(zip(self.learners, self.counts.sum(axis=0).tolist(), strict=True))

    @property
    def caption(self) -> str:
        """What the table shows, in a sentence."""
        return (
            f"Learners that the one of the column beats in {label_of(self.score)} "
            f"({TESTS[self.test].title}, one-tailed, {100 * self.alpha:g} %)"
        )

    @property
    def n_body_rows(self) -> int:
        """The rows of the data sets, before their sum."""
        return len(self.datasets)

    def header(self) -> list[str]:
        """Give the names of the columns."""
        return ["", *self.learners]

    def cells(self) -> list[list[str]]:
        """Give the rows of the table as text; the last is the sum."""
        pairs = zip(self.datasets, self.counts.tolist(), strict=True)
        rows = [[name, *map(str, counts)] for name, counts in pairs]
        return [*rows, ["sum", *map(str, self.total.values())]]

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give a data frame with a row per data set, of the library that is installed."""
        from ramify.tables.frame import make_frame

        columns: dict[str, Any] = {"dataset": list(self.datasets)}
        columns |= {n: self.counts[:, j].tolist() for j, n in enumerate(self.learners)}
        return make_frame(columns, backend=backend)


def count_beats(found: Results, score: str, test: str, alpha: float) -> Beats:
    """Test every ordered pair of learners on every data set, one-tailed."""
    side: Alternative = "greater" if found.scores[score] else "less"
    n = len(found.learners)
    counts = np.zeros((len(found.datasets), n), dtype=np.int64)
    against = np.zeros((n, n), dtype=np.int64)
    for i, dataset in enumerate(found.datasets):
        values, share = found.values(dataset, score), found.test_fraction(dataset)
        for j in range(n):
            for k in range(n):
                pair = known_pair(values, j, k)
                if j == k or len(pair) < 2:
                    continue
                if fold_pvalue(test, pair, test_fraction=share, alternative=side) <= alpha:
                    counts[i, j] += 1
                    against[j, k] += 1
    return Beats(score, test, alpha, found.learners, found.datasets, counts, against)
