"""Who wins on a data set, and whether that is sure: the best mean against all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ramify.evaluate.results import Results
from ramify.evaluate.significance.paired import fold_pvalue, known_pair
from ramify.evaluate.tables.score_table import moments


@dataclass(frozen=True)
class Verdict:
    """The best learner on a data set, and which others are surely worse.

    Parameters
    ----------
    best : str
        The learner with the best mean.
    pvalues : dict of str to float
        For every other learner, the best mean first, the p-value of the difference: two-tailed,
        corrected for the number of learners by Holm's method. NaN if there are too few folds.
    alpha : float
        The level below which a difference is sure.
    """

    best: str
    pvalues: dict[str, float]
    alpha: float

    @property
    def worse(self) -> list[str]:
        """The learners that the best is surely better than."""
        return [name for name, p in self.pvalues.items() if p <= self.alpha]

    @property
    def ties(self) -> list[str]:
        """The learners that may be as good as the best."""
        return [name for name in self.pvalues if name not in self.worse]

    def __str__(self) -> str:
        worse, ties = self.worse, self.ties
        sure = f"({write_p(max((self.pvalues[name] for name in worse), default=0.0))})"
        if not self.pvalues:
            return f"{self.best} stands alone."
        if not ties:
            return f"{self.best} wins, surely {sure}."
        equal = f"{join_names([self.best, *ties])} are as good as each other"
        if not worse:
            return f"{equal}; nobody is surely better."
        return f"{equal}; {self.best} is surely better than {join_names(worse)} {sure}."


def decide(
    found: Results,
    dataset: str,
    *,
    score: str | None = None,
    learners: Sequence[str] | None = None,
) -> Verdict | None:
    """Find the best learner on a data set and test all others against it.

    Parameters
    ----------
    found : Results
        The comparison.
    dataset : str
        The data set.
    score : str or None
        None takes the first score.
    learners : sequence of str or None
        Who takes part; None means all.

    Returns
    -------
    Verdict or None
        None if no learner has the score.
    """
    name = found.check_score(score)
    values = found.values(dataset, name)
    sign = 1.0 if found.scores[name] else -1.0
    mean = sign * moments(values)[0]
    places = [found.learners.index(one) for one in (learners or found.learners)]
    places = [j for j in places if not np.isnan(mean[j])]
    if not places:
        return None
    # Means that differ by rounding alone are equal; the first in the given order is named first.
    first, *others = sorted(places, key=lambda j: -round(float(mean[j]), 12))
    share = found.test_fraction(dataset)
    raw = {}
    for j in others:
        pair = known_pair(values, first, j)
        enough = len(pair) > 1
        raw[found.learners[j]] = (
            fold_pvalue(found.test, pair, test_fraction=share) if enough else np.nan
        )
    return Verdict(found.learners[first], _holm(raw), found.alpha)


def _holm(pvalues: dict[str, float]) -> dict[str, float]:
    """Correct p-values for their number (Holm 1979): the smallest times k, the next times k - 1."""
    known = sorted((p, name) for name, p in pvalues.items() if not np.isnan(p))
    corrected, so_far = dict(pvalues), 0.0
    for i, (p, name) in enumerate(known):
        so_far = max(so_far, min(1.0, p * (len(known) - i)))
        corrected[name] = so_far
    return corrected


def write_p(p: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> write_p(0.0312), write_p(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return f"p = {p:.2g}" if p >= 0.001 else "p < 0.001"


def join_names(names: Sequence[str]) -> str:
    """Join names with commas and "and"; of many, the first four.

    Examples
    --------
    >>> join_names(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) > 5:
        return f"{', '.join(names[:4])} and {len(names) - 4} others"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
