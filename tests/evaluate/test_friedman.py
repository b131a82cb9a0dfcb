"""Several learners over several data sets: Demšar's worked example, and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ramify.evaluate import friedman, nemenyi

# Demšar (2006), Table 6: AUC of C4.5, and with tuned m, cf, and both. On voting the last two are
# printed alike but ranked 2 and 3.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
]


def test_the_example_of_demsar() -> None:
    found = friedman(DEMSAR)
    assert found.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert found.statistic == pytest.approx(9.28, abs=0.005)
    assert found.f_statistic == pytest.approx(3.69, abs=0.005)
    assert stats.f.isf(0.05, 3, 39) < found.f_statistic  # 2.85 in the text: rejected
    assert found.f_pvalue < 0.05
    assert nemenyi(4, 14) == pytest.approx(1.25, abs=0.005)
    assert nemenyi(4, 14, alpha=0.1) == pytest.approx(1.12, abs=0.005)


# Demšar (2006), Table 5(a): q at 0.05 and 0.10 for 2 to 10 learners.
PRINTED = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}


@pytest.mark.parametrize("alpha", PRINTED)
def test_the_critical_values_of_demsar(alpha: float) -> None:
    for k, printed in enumerate(PRINTED[alpha], start=2):
        q = nemenyi(k, 1, alpha=alpha) / math.sqrt(k * (k + 1) / 6)
        assert q == pytest.approx(printed, abs=0.0012), k


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 6), st.integers(2, 12), st.integers(0, 2**32 - 1), st.booleans())
def test_equals_scipy(k: int, n: int, seed: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 3, (n, k)).astype(float) if ties else rng.normal(size=(n, k))
    if ties and (np.ptp(scores, axis=1) == 0).all():
        return
    theirs = stats.friedmanchisquare(*scores.T)
    ours = friedman(scores, correct_ties=True)
    assert ours.statistic == pytest.approx(theirs.statistic, abs=1e-9)
    assert ours.pvalue == pytest.approx(theirs.pvalue, abs=1e-9)
    assert friedman(scores).pvalue >= ours.pvalue - 1e-12
    less = friedman(-scores, greater_is_better=False)
    assert less.mean_ranks.tolist() == ours.mean_ranks.tolist()


@pytest.mark.parametrize("correct_ties", [False, True])
def test_the_ends(correct_ties: bool) -> None:
    same = friedman([[1.0, 1.0, 1.0]] * 4, correct_ties=correct_ties)
    assert (same.statistic, same.pvalue, same.f_pvalue) == (0.0, 1.0, 1.0)
    agreed = friedman([[3.0, 2.0, 1.0]] * 4, correct_ties=correct_ties)
    assert agreed.f_statistic == math.inf and agreed.f_pvalue == 0.0


def test_errors_name_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"at least 2 rows .* its shape is \(1, 3\)"):
        friedman([[1, 2, 3]])
    with pytest.raises(ValueError, match="NaN"):
        friedman([[1, 2], [math.nan, 1]])
    with pytest.raises(ValueError, match="n_learners=1 must be an integer of at least 2"):
        nemenyi(1, 10)
    with pytest.raises(ValueError, match="alpha=0 must be"):
        nemenyi(3, 10, alpha=0)
