"""The chi-square tail in logarithms, against SciPy and against its asymptotic expansion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2

from ramify import _core

DF = (0.5, 1, 2, 3, 5, 10, 22, 23, 24, 25, 50, 100, 1000, 12345, 100_000)


@pytest.mark.parametrize("df", DF)
def test_against_scipy(df):
    for ratio in (1e-3, 0.1, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 1.5, 2, 5, 10, 50):
        expected = float(chi2.logsf(ratio * df, df))
        if -600 < expected < 0:  # beyond, SciPy's tail has underflowed
            found = _core.log_chi_square_tail(ratio * df, df)
            assert found == pytest.approx(expected, rel=1e-10), (df, ratio)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 12, 40])
@pytest.mark.parametrize("statistic", [2e3, 2e5, 3.7e7])
def test_far_below_underflow(df, statistic):
    # Q(a, x) ~ x^(a-1) e^-x / Gamma(a) (1 + (a-1)/x + (a-1)(a-2)/x^2 + ...)
    a, x = df / 2, statistic / 2
    series, term = 0.0, 1.0
    for k in range(1, 12):
        series += term
        term *= (a - k) / x
    expected = (a - 1) * math.log(x) - x - math.lgamma(a) + math.log(series)
    assert _core.log_chi_square_tail(statistic, df) == pytest.approx(expected, rel=1e-12)


def test_ends():
    assert _core.log_chi_square_tail(0.0, 3) == 0.0
    assert _core.log_chi_square_tail(math.inf, 3) == -math.inf
    # Two degrees of freedom are an exponential distribution.
    for statistic in (1e-12, 0.3, 7.0, 1e6):
        assert _core.log_chi_square_tail(statistic, 2) == pytest.approx(-statistic / 2, rel=1e-13)


def test_falls_with_the_statistic():
    for df in (1, 7, 60, 3001):
        tails = [_core.log_chi_square_tail(s, df) for s in np.geomspace(df / 2, 1e5 * df, 400)]
        assert (np.diff(tails) < 0).all()


def test_adjustment():
    for p in (1e-12, 1e-3, 0.2, 0.999):
        for count in (1, 2, 14, 1000):
            expected = -math.expm1(count * math.log1p(-p))
            assert _core.log_adjusted(math.log(p), count) == pytest.approx(math.log(expected))
    assert _core.log_adjusted(-1e5, 20) == pytest.approx(-1e5 + math.log(20), rel=1e-15)
    assert _core.log_adjusted(0.0, 5) == 0.0
