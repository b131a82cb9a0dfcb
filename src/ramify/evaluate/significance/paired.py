"""Tests of two learners by their paired scores: statistic and p-value.

Invariant: pairs with a NaN are dropped; if all differences are zero, p is 1; if they are one
constant other than zero, the statistic is infinite and p is 0 in its direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check

Floats = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


class PairedTest(NamedTuple):
    """The outcome of a test: its statistic and the p-value."""

    statistic: float
    pvalue: float


def corrected_ttest(
    a: Any, b: Any, test_fraction: float, *, alternative: Alternative = "two-sided"
) -> PairedTest:
    """Corrected resampled t-test of Nadeau and Bengio (2003).

    The folds of a (repeated) cross-validation share most of their training rows, so their scores
    are not independent, and the plain t-test finds differences where there are none. Here the
    variance of the mean of J differences is taken as ``(1 / J + n_test / n_train)`` times their
    variance instead of ``1 / J`` times.

    Parameters
    ----------
    a, b : array-like
        Scores of two learners on the same folds.
    test_fraction : float
        Rows of a test fold over rows of a training fold: 1 / 9 in ten-fold cross-validation.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What is looked for: any difference, or the mean of `a` above or below that of `b`.

    Returns
    -------
    PairedTest
        Statistic and p-value, from Student's t with J - 1 degrees of freedom.

    Examples
    --------
    >>> from ramify.evaluate import corrected_ttest
    >>> a = [0.90, 0.85, 0.91, 0.88, 0.92]
    >>> b = [0.86, 0.84, 0.90, 0.83, 0.89]
    >>> statistic, pvalue = corrected_ttest(a, b, test_fraction=1 / 4)
    >>> round(statistic, 3), round(pvalue, 3)
    (2.333, 0.08)
    """
    return _ttest(a, b, check.number("test_fraction", test_fraction, least=0.0), alternative)


def paired_ttest(a: Any, b: Any, *, alternative: Alternative = "two-sided") -> PairedTest:
    """Paired t-test: valid for independent pairs, too optimistic for folds of one data set.

    Parameters
    ----------
    a, b : array-like
        Scores of two learners on the same folds or data sets.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What is looked for: any difference, or the mean of `a` above or below that of `b`.

    Returns
    -------
    PairedTest
        Statistic and p-value.

    Examples
    --------
    >>> from ramify.evaluate import paired_ttest
    >>> round(paired_ttest([3.0, 4.0, 6.0], [2.0, 2.0, 5.0], alternative="greater").pvalue, 4)
    0.0286
    """
    return _ttest(a, b, 0.0, alternative)


def wilcoxon(a: Any, b: Any, *, alternative: Alternative = "two-sided") -> PairedTest:
    """Wilcoxon's signed-rank test: two learners over several data sets (Demšar 2006).

    The ranks of zero differences are shared by both sides, as Demšar advises.

    Parameters
    ----------
    a, b : array-like
        Scores of two learners on the same data sets, one per data set.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What is looked for: any difference, or `a` above or below `b`.

    Returns
    -------
    PairedTest
        The statistic of ``scipy.stats.wilcoxon`` and the p-value.

    Examples
    --------
    >>> from ramify.evaluate import wilcoxon
    >>> wilcoxon([5.0, 6.0, 7.0, 8.0, 9.5], [4.0, 4.5, 5.0, 5.5, 6.0]).pvalue
    0.0625
    """
    from scipy import stats

    x, y = _pairs(a, b, alternative)
    difference = x - y
    difference[np.abs(difference) <= _noise(x, y)] = 0.0
    if not difference.any():
        return PairedTest(0.0, 1.0)
    found = stats.wilcoxon(difference, zero_method="zsplit", alternative=alternative)
    return PairedTest(float(found.statistic), float(found.pvalue))


def _ttest(a: Any, b: Any, test_fraction: float, alternative: Alternative) -> PairedTest:
    from scipy.special import stdtr  # many times as fast as stats.t

    x, y = _pairs(a, b, alternative)
    difference = x - y
    n = len(difference)
    mean = float(difference.mean())
    noise = _noise(x, y)
    if np.ptp(difference) <= noise:
        return _constant(mean if abs(mean) > noise else 0.0, alternative)
    variance = float(difference.var(ddof=1))
    statistic = mean / np.sqrt((1 / n + test_fraction) * variance)
    if alternative == "two-sided":
        pvalue = 2 * stdtr(n - 1, -abs(statistic))
    else:
        pvalue = stdtr(n - 1, -statistic if alternative == "greater" else statistic)
    return PairedTest(float(statistic), float(pvalue))


def _constant(mean: float, alternative: Alternative) -> PairedTest:
    """Give the outcome where all differences are the same."""
    if mean == 0.0:
        return PairedTest(0.0, 1.0)
    against = {"two-sided": False, "greater": mean < 0, "less": mean > 0}[alternative]
    return PairedTest(float(np.copysign(np.inf, mean)), 1.0 if against else 0.0)


def _noise(x: Floats, y: Floats) -> float:
    """Give the size up to which a difference is rounding: 0.9 - 0.8 is not 0.8 - 0.7."""
    return float(8 * np.finfo(np.float64).eps * max(np.abs(x).max(), np.abs(y).max()))


def _pairs(a: Any, b: Any, alternative: Any) -> tuple[Floats, Floats]:
    """Give both sides as arrays, without the pairs that hold a NaN."""
    check.choice("alternative", alternative, ALTERNATIVES)
    x, y = (np.asarray(side, dtype=np.float64) for side in (a, b))
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"a and b must be paired scores: their shapes are {x.shape}, {y.shape}")
    if np.isinf(x).any() or np.isinf(y).any():
        raise ValueError("a and b must be finite, or NaN where a fold failed")
    known = ~(np.isnan(x) | np.isnan(y))
    if known.sum() < 2:
        raise ValueError(
            f"a test needs at least 2 pairs of scores; there are {int(known.sum())} of "
            f"{len(x)} without NaN. Use more folds or repeats"
        )
    return x[known], y[known]


@dataclass(frozen=True)
class FoldTest:
    """A test of two learners on the folds of one data set, as it is called and introduced."""

    title: str
    about: str
    compute: Callable[[Any, Any, float, Alternative], PairedTest]


_TAKES_FOLDS_FOR_INDEPENDENT = (
    "It takes the folds for independent, which they are not: it finds differences too often. The "
    "corrected resampled t-test does not."
)
#: The tests of one data set by name; "corrected_t" is for the folds of a cross-validation.
TESTS = {
    "corrected_t": FoldTest(
        "corrected resampled t-test",
        "It allows for the rows that the training folds share (Nadeau and Bengio 2003).",
        lambda a, b, share, side: corrected_ttest(a, b, share, alternative=side),
    ),
    "paired_t": FoldTest(
        "paired t-test",
        _TAKES_FOLDS_FOR_INDEPENDENT,
        lambda a, b, _, side: paired_ttest(a, b, alternative=side),
    ),
    "wilcoxon": FoldTest(
        "Wilcoxon's signed-rank test",
        _TAKES_FOLDS_FOR_INDEPENDENT,
        lambda a, b, _, side: wilcoxon(a, b, alternative=side),
    ),
}


def check_test(test: Any) -> str:
    """Give the name of a test if it is one."""
    return check.choice("test", test, tuple(TESTS))


def fold_pvalue(
    test: str, pair: Floats, *, test_fraction: float, alternative: Alternative = "two-sided"
) -> float:
    """Give the p-value of a test of two columns of scores."""
    return TESTS[test].compute(pair[:, 0], pair[:, 1], test_fraction, alternative).pvalue


def known_pair(values: Floats, i: int, j: int) -> Floats:
    """Give two columns of scores, the rows where both are finite."""
    pair = values[:, [i, j]]
    return np.asarray(pair[np.isfinite(pair).all(axis=1)])
