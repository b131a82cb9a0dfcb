"""Tests of two learners: against scipy, a naive formula, published values, and chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ramify.evaluate import corrected_ttest, paired_ttest, wilcoxon
from ramify.evaluate.significance.paired import ALTERNATIVES

SCORES = st.lists(
    st.tuples(st.floats(0, 1, width=16), st.floats(0, 1, width=16)), min_size=2, max_size=30
).filter(lambda pairs: np.ptp([a - b for a, b in pairs]) > 1e-6)


@settings(max_examples=50, deadline=None)
@given(SCORES, st.sampled_from(ALTERNATIVES))
def test_paired_ttest_equals_scipy(pairs: list[tuple[float, float]], alternative: Any) -> None:
    a, b = np.array(pairs).T
    ours = paired_ttest(a, b, alternative=alternative)
    theirs = stats.ttest_rel(a, b, alternative=alternative)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-7, abs=1e-12)


def naive_corrected(a: list[float], b: list[float], n_train: int, n_test: int) -> float:
    """Nadeau and Bengio (2003), equation of the corrected resampled t statistic, term by term."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    j = len(differences)
    mean = sum(differences) / j
    variance = sum((d - mean) ** 2 for d in differences) / (j - 1)
    return mean / math.sqrt((1 / j + n_test / n_train) * variance)


@settings(max_examples=50, deadline=None)
@given(SCORES, st.integers(1, 50), st.integers(1, 50))
def test_corrected_ttest_equals_its_formula(
    pairs: list[tuple[float, float]], n_train: int, n_test: int
) -> None:
    a, b = (list(side) for side in zip(*pairs, strict=True))
    statistic = naive_corrected(a, b, n_train, n_test)
    ours = corrected_ttest(a, b, test_fraction=n_test / n_train)
    assert ours.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-12)
    two = 2 * stats.t.cdf(-abs(statistic), len(a) - 1)
    assert ours.pvalue == pytest.approx(two, rel=1e-7)
    greater = corrected_ttest(a, b, n_test / n_train, alternative="greater").pvalue
    less = corrected_ttest(a, b, n_test / n_train, alternative="less").pvalue
    assert greater + less == pytest.approx(1)
    assert 2 * min(greater, less) == pytest.approx(two)


def test_without_test_rows_the_correction_is_none() -> None:
    a, b = [0.9, 0.8, 0.85, 0.7], [0.8, 0.82, 0.8, 0.6]
    assert corrected_ttest(a, b, 0.0) == paired_ttest(a, b)
    assert corrected_ttest(a, b, 1 / 9).pvalue > paired_ttest(a, b).pvalue


def test_wilcoxon_of_demsar() -> None:
    """Demšar (2006), Table 2: T = 12 for C4.5 with and without a tuned m, two zeros shared."""
    plain = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.940, 0.619]
    tuned = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666]
    plain, tuned = [*plain, 0.972, 0.957], [*tuned, 0.981, 0.978]
    # printed to three digits, so the differences are whole thousandths
    found = wilcoxon(np.round(np.array(tuned) * 1000), np.round(np.array(plain) * 1000))
    assert found.statistic == 12
    assert found.pvalue < 0.05
    assert wilcoxon(tuned, plain, alternative="greater").pvalue < 0.05
    assert wilcoxon(tuned, plain, alternative="less").pvalue > 0.9


TESTS = [paired_ttest, wilcoxon, lambda a, b, **k: corrected_ttest(a, b, 1 / 9, **k)]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_scores_are_no_difference(test: Any, alternative: str) -> None:
    assert test([0.1, 0.2, 0.7], [0.1, 0.2, 0.7], alternative=alternative) == (0.0, 1.0)


@pytest.mark.parametrize("test", [TESTS[0], TESTS[2]])
def test_a_constant_difference_is_certain(test: Any) -> None:
    high, low = [0.9, 0.8, 0.7], [0.8, 0.7, 0.6]  # not quite constant in binary
    assert test(high, low) == (math.inf, 0.0)
    assert test(low, high) == (-math.inf, 0.0)
    assert test(high, low, alternative="greater").pvalue == 0.0
    assert test(high, low, alternative="less").pvalue == 1.0


@pytest.mark.parametrize("test", TESTS)
def test_folds_that_failed_are_dropped_in_pairs(test: Any) -> None:
    nan = math.nan
    a, b = [0.9, nan, 0.8, 0.7, 0.75], [0.8, 0.7, nan, 0.65, 0.74]
    assert test(a, b) == test([0.9, 0.7, 0.75], [0.8, 0.65, 0.74])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("pair", [([0.5], [0.4]), ([0.5, math.nan], [0.4, 0.3]), ([], [])])
def test_one_fold_is_an_error(test: Any, pair: Any) -> None:
    with pytest.raises(ValueError, match="at least 2 pairs of scores; there are"):
        test(*pair)


def test_errors_name_the_parameter() -> None:
    with pytest.raises(ValueError, match=r"a and b must be paired.*\(2,\), \(3,\)"):
        paired_ttest([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="alternative='more' is not valid; choose from two-sided"):
        paired_ttest([1, 2], [1, 3], alternative="more")
    with pytest.raises(ValueError, match="test_fraction=-1 must be"):
        corrected_ttest([1, 2], [1, 3], -1)
    with pytest.raises(ValueError, match="finite"):
        paired_ttest([1, math.inf], [1, 3])
