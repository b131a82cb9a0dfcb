"""Several learners over several data sets: Friedman's test and the Nemenyi critical difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check


@dataclass(frozen=True)
class FriedmanResult:
    """Friedman's test and its sharper form by Iman and Davenport.

    Parameters
    ----------
    statistic, pvalue : float
        Chi-square with k - 1 degrees of freedom.
    f_statistic, f_pvalue : float
        Iman and Davenport's F with k - 1 and (k - 1)(N - 1) degrees of freedom.
    mean_ranks : ndarray
        One per learner; 1 is the best.
    """

    statistic: float
    pvalue: float
    f_statistic: float
    f_pvalue: float
    mean_ranks: NDArray[np.float64]


def friedman(
    scores: Any, *, greater_is_better: bool = True, correct_ties: bool = False
) -> FriedmanResult:
    """Friedman's test of whether learners rank the same over data sets (Demšar 2006).

    Parameters
    ----------
    scores : array-like of shape (N data sets, k learners)
        One score each.
    greater_is_better : bool, default=True
        False for errors, sizes and times.
    correct_ties : bool, default=False
        Divide by the correction for ties, as ``scipy.stats.friedmanchisquare`` does. Demšar does
        not, which is more cautious.

    Returns
    -------
    FriedmanResult

    Examples
    --------
    >>> from ramify.evaluate import friedman
    >>> found = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.95, 0.9, 0.6]])
    >>> found.mean_ranks.tolist()
    [1.0, 2.3333333333333335, 2.6666666666666665]
    >>> round(found.statistic, 3), round(found.f_statistic, 3)
    (4.667, 7.0)
    """
    from scipy import stats

    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(
            "scores must have at least 2 rows (data sets) and 2 columns (learners); "
            f"its shape is {table.shape}"
        )
    if np.isnan(table).any():
        raise ValueError("scores must not hold NaN: leave out data sets where a learner failed")
    n, k = table.shape
    ranks = stats.rankdata(-table if greater_is_better else table, axis=1)
    mean_ranks = ranks.mean(axis=0)
    chi2 = 12 * n / (k * (k + 1)) * float(((mean_ranks - (k + 1) / 2) ** 2).sum())
    if correct_ties:
        repeats = [np.unique(row, return_counts=True)[1] for row in ranks]
        ties = sum(float((count**3 - count).sum()) for count in repeats)
        kept = 1 - ties / (n * (k**3 - k))
        chi2 = chi2 / kept if kept > 0 else 0.0
    rest = n * (k - 1) - chi2
    # If all data sets give the same order, the divisor is zero.
    f = (n - 1) * chi2 / rest if rest > 1e-9 * chi2 else np.inf
    return FriedmanResult(
        statistic=chi2,
        pvalue=float(stats.chi2.sf(chi2, k - 1)),
        f_statistic=float(f),
        f_pvalue=float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
        mean_ranks=mean_ranks,
    )


def nemenyi(n_learners: int, n_datasets: int, *, alpha: float = 0.05) -> float:
    """Critical difference of Nemenyi: two mean ranks further apart differ significantly.

    Parameters
    ----------
    n_learners : int
        Learners that are compared, all with all.
    n_datasets : int
        Data sets that the ranks are means of.
    alpha : float, default=0.05
        The level, for all pairs together.

    Returns
    -------
    float
        ``q * sqrt(k (k + 1) / (6 N))``, q from the studentized range divided by sqrt(2).

    Examples
    --------
    >>> from ramify.evaluate import nemenyi
    >>> round(nemenyi(4, 14), 2)
    1.25
    """
    from scipy import stats

    k = check.whole("n_learners", n_learners, least=2)
    n = check.whole("n_datasets", n_datasets, least=1)
    level = check.probability("alpha", alpha)
    if k == 2:  # the range of two values is normally distributed
        q = float(stats.norm.isf(level / 2))
    else:
        q = float(stats.studentized_range.isf(level, k, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(k * (k + 1) / (6 * n)))
