"""Mean ranks over data sets, with Friedman's test and Nemenyi's critical difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ramify.evaluate.measures import label_of
from ramify.evaluate.results import Results
from ramify.evaluate.significance.friedman import FriedmanResult, friedman, nemenyi
from ramify.evaluate.tables.score_table import moments
from ramify.evaluate.tables.text import ShownTable


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(ShownTable):
    """Mean ranks of learners over data sets; 1 is the best.

    Parameters
    ----------
    score : str
        What the data sets were ranked by.
    alpha : float
        The level of the critical difference.
    mean_ranks : dict of str to float
        By learner, the best first.
    friedman : FriedmanResult
        The test of whether the learners differ at all.
    critical_difference : float
        Mean ranks further apart than this differ significantly (Nemenyi).
    datasets, dropped : tuple of str
        Data sets that were ranked, and those left out because a learner has no score there.
    """

    score: str
    alpha: float
    mean_ranks: dict[str, float]
    friedman: FriedmanResult
    critical_difference: float
    datasets: tuple[str, ...]
    dropped: tuple[str, ...]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The largest groups of two or more learners that do not differ, the best first."""
        names, ranks = list(self.mean_ranks), list(self.mean_ranks.values())
        found: list[tuple[int, int]] = []
        for i in range(len(ranks)):
            end = i
            while end + 1 < len(ranks) and ranks[end + 1] - ranks[i] <= self.critical_difference:
                end += 1
            if end > i and (not found or end > found[-1][1]):
                found.append((i, end))
        return [tuple(names[i : end + 1]) for i, end in found]

    @property
    def caption(self) -> str:
        """The tests, in a sentence."""
        test = self.friedman
        k, n = len(self.mean_ranks), len(self.datasets)
        left = f"; left out: {', '.join(self.dropped)}" if self.dropped else ""
        return (
            f"Mean ranks by {label_of(self.score)} over {n} data sets{left}. "
            f"Friedman chi-square {test.statistic:.2f}, {k - 1} df, p = {test.pvalue:.2g}; "
            f"Iman-Davenport F {test.f_statistic:.2f}, {k - 1} and {(k - 1) * (n - 1)} df, "
            f"p = {test.f_pvalue:.2g}. Nemenyi critical difference "
            f"{self.critical_difference:.2f} at {100 * self.alpha:g} %"
        )

    def header(self) -> list[str]:
        """Give the names of the columns."""
        return ["", "mean rank"]

    def cells(self) -> list[list[str]]:
        """Give the rows of the table as text."""
        return [[name, f"{rank:.2f}"] for name, rank in self.mean_ranks.items()]

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give a data frame with a row per learner, of the library that is installed."""
        from ramify.tables.frame import make_frame

        names, ranks = list(self.mean_ranks), list(self.mean_ranks.values())
        return make_frame({"learner": names, "mean_rank": ranks}, backend=backend)


def rank_learners(found: Results, score: str, alpha: float) -> Ranks:
    """Rank the learners on every data set by their mean score."""
    means = np.array([moments(found.values(name, score))[0] for name in found.datasets])
    known = ~np.isnan(means).any(axis=1)
    kept = tuple(name for name, ok in zip(found.datasets, known, strict=True) if ok)
    if len(kept) < 2 or len(found.learners) < 2:
        raise ValueError(
            f"ranks need at least 2 learners and 2 data sets with {score} of all of them; there "
            f"are {len(found.learners)} learners and {len(kept)} such data sets"
        )
    # Scores that differ by rounding alone are ties.
    test = friedman(np.round(means[known], 12), greater_is_better=found.scores[score])
    order = np.argsort(test.mean_ranks, kind="stable")
    return Ranks(
        score=score,
        alpha=alpha,
        mean_ranks={found.learners[j]: float(test.mean_ranks[j]) for j in order},
        friedman=test,
        critical_difference=nemenyi(len(order), len(kept), alpha=alpha),
        datasets=kept,
        dropped=tuple(name for name in found.datasets if name not in kept),
    )
