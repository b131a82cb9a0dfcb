"""The discretisers equal their slow and obvious references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles import discretize as naive
from scipy.stats import chi2, chi2_contingency
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import KBinsDiscretizer

from ramify.discretize import (
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    MIDDiscretizer,
)

Data = tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]
SETS = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer}


@st.composite
def tables(draw: Any, most_rows: int = 40) -> Data:
    """Few or many values, ties, holes, constants, many classes; weights whose sums are exact."""
    n = draw(st.integers(1, most_rows))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    n_values = draw(st.sampled_from([1, 2, 3, 8, 1000]))
    X = rng.integers(0, n_values, (n, draw(st.integers(1, 3)))) / draw(st.sampled_from([1, 7, 10]))
    classes = draw(st.sampled_from([1, 2, 2, 3, 9]))
    y = rng.integers(0, classes, n)
    if draw(st.booleans()):  # a class that goes with the first column
        y = np.minimum(classes - 1, np.argsort(np.argsort(X[:, 0])) * classes // n)
        y = np.where(rng.random(n) < 0.2, rng.integers(0, classes, n), y)
    if draw(st.booleans()):
        X[rng.random(X.shape) < draw(st.sampled_from([0.1, 0.6, 1.0]))] = np.nan
    weights = None
    if draw(st.booleans()):
        weights = rng.choice([0.0, 0.25, 0.5, 1.0, 2.0, 8.0], n)
        weights[0] = 1.0
    return X, np.unique(y, return_inverse=True)[1], weights


def listed(thresholds: Any) -> list[list[float]]:
    return [one.tolist() for one in thresholds]


# --- MID


@pytest.mark.parametrize("impurity", ["entropy", "gini"])
@pytest.mark.parametrize("mdl", [False, True])
@settings(max_examples=25, deadline=None)
@given(data=tables())
def test_ranking_equals_the_algorithm_of_the_thesis(data: Data, impurity: str, mdl: bool) -> None:
    X, y, weights = data
    wanted = naive.mid(X, y, weights, impurity, mdl)
    ranking = MIDDiscretizer(n_thresholds="mdl" if mdl else "all", impurity=impurity)
    found = ranking.fit(X, y, weights).ranking_
    assert found.index.tolist() == [one[0] for one in wanted]
    assert found.threshold.tolist() == [one[1] for one in wanted]
    np.testing.assert_allclose(found.gain, [one[2] for one in wanted], atol=1e-12)


@pytest.mark.parametrize("impurity", ["entropy", "gini"])
@settings(max_examples=25, deadline=None)
@given(data=tables())
def test_every_threshold_is_the_best_of_its_turn(data: Data, impurity: str) -> None:
    """From the definition of the impurities alone, up to the rounding that the tie rule allows."""
    X, y, weights = data
    mid = MIDDiscretizer(n_thresholds="all", impurity=impurity).fit(X, y, weights)
    for j, rows in enumerate(naive.columns(X, y, weights)):
        mine = mid.ranking_.threshold[mid.ranking_.index == j].tolist()
        points = naive.boundary_points(rows)
        assert sorted(mine) == points
        for i, chosen in enumerate(mine):
            gains = {}
            for point in mine[i:]:
                low = max([t for t in mine[:i] if t < point], default=None)
                high = min([t for t in mine[:i] if t > point], default=None)
                sides = rows.counts(low, point), rows.counts(point, high)
                gains[point] = naive.plain_gain(*sides, impurity) / rows.total
            assert gains[chosen] >= max(gains.values()) - 1e-11


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("impurity", ["entropy", "gini"])
def test_ranking_of_real_data(name: str, impurity: str) -> None:
    X, y = SETS[name](return_X_y=True)
    X = X[:, :6]
    wanted = naive.mid(X[::2], y[::2], None, impurity)
    found = MIDDiscretizer(n_thresholds="all", impurity=impurity).fit(X[::2], y[::2]).ranking_
    assert found.index.tolist() == [one[0] for one in wanted]
    assert found.threshold.tolist() == [one[1] for one in wanted]
    np.testing.assert_allclose(found.gain, [one[2] for one in wanted], atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(data=tables(), n=st.integers(0, 60), m=st.integers(0, 60))
def test_prefixes_are_nested_and_equal_shorter_fits(data: Data, n: int, m: int) -> None:
    X, y, weights = data
    n, m = sorted((n, m))
    long = MIDDiscretizer(n_thresholds=m, encode="thresholds").fit(X, y, weights)
    short = MIDDiscretizer(n_thresholds=n, encode="thresholds").fit(X, y, weights)
    cut = long.prefix(n)
    for one in (cut, long):
        assert one.ranking_.index[:n].tolist() == short.ranking_.index.tolist()
        assert one.ranking_.threshold[:n].tolist() == short.ranking_.threshold.tolist()
        assert one.ranking_.gain[:n].tolist() == short.ranking_.gain.tolist()
    assert len(cut.ranking_) == len(short.ranking_) <= n
    assert cut.get_params() == short.get_params()
    whole = long.transform(X)
    for part in (cut.transform(X), long.transform(X, n_thresholds=n), short.transform(X)):
        np.testing.assert_array_equal(part, whole[:, : len(short.ranking_)])


def test_gain_counts_rows_with_missing_cells() -> None:
    """A column known in few rows cannot beat one that tells as much about all rows."""
    X = np.array([[0, 0], [1, 1], [np.nan, 0], [np.nan, 1.0]])
    ranking = MIDDiscretizer().fit(X, [0, 1, 0, 1]).ranking_
    assert ranking.attribute.tolist() == ["x1", "x0"]
    assert ranking.gain.tolist() == [1.0, 0.5]


# --- MID of numbers


@st.composite
def numbered(draw: Any, most_rows: int = 30) -> Data:
    """The same tables with a numeric target: steps, noise, ties, an outlier, a constant."""
    X, codes, weights = draw(tables(most_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = codes * draw(st.sampled_from([0.0, 1.0, 4.0])) + rng.integers(0, 3, len(codes)) / 4
    if draw(st.booleans()):
        y[rng.integers(len(y))] = draw(st.sampled_from([100.0, -50.5]))
    return X, y + draw(st.sampled_from([0.0, 0.0, 2.0**20])), weights


@pytest.mark.parametrize("mdl", [False, True])
@settings(max_examples=40, deadline=None)
@given(data=numbered())
def test_ranking_by_variance_equals_exact_fractions(data: Data, mdl: bool) -> None:
    X, y, weights = data
    wanted = naive.number_mid(X, y, weights, mdl)
    ranking = MIDDiscretizer(n_thresholds="mdl" if mdl else "all", impurity="variance")
    found = ranking.fit(X, y, weights).ranking_
    assert found.index.tolist() == [one[0] for one in wanted]
    assert found.threshold.tolist() == [one[1] for one in wanted]
    np.testing.assert_allclose(found.gain, [one[2] for one in wanted], rtol=1e-9, atol=1e-9)
    assert not hasattr(ranking, "classes_")


def test_mdl_of_numbers_leaves_noise_alone_and_keeps_steps() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((400, 6))
    y = 3.0 * (X[:, 2] > 0.5) + rng.normal(size=400)
    mid = MIDDiscretizer(n_thresholds="mdl", impurity="variance").fit(X, y)
    assert set(mid.ranking_.attribute) == {"x2"}
    assert mid.ranking_.threshold[0] == pytest.approx(0.5, abs=0.02)


def test_variance_ranks_two_classes_as_the_gini_index_does() -> None:
    """For two classes the Gini index is twice the variance."""
    X, y = load_breast_cancer(return_X_y=True)
    gini = MIDDiscretizer(n_thresholds=60, impurity="gini").fit(X, y).ranking_
    variance = MIDDiscretizer(n_thresholds=60, impurity="variance").fit(X, y * 1.0).ranking_
    assert variance.threshold.tolist() == gini.threshold.tolist()
    np.testing.assert_allclose(2 * variance.gain, gini.gain, rtol=1e-9)


# --- equal width, equal frequency


@settings(max_examples=60, deadline=None)
@given(data=tables(), n_bins=st.integers(2, 12))
def test_equal_width_and_frequency_equal_their_definitions(data: Data, n_bins: int) -> None:
    X, _, weights = data
    w = np.ones(len(X)) if weights is None else weights
    wide = EqualWidthDiscretizer(n_bins=n_bins).fit(X, sample_weight=weights).thresholds_
    for cuts, column in zip(wide, X.T, strict=True):
        wanted = naive.equal_width_column(column, w, n_bins)
        np.testing.assert_allclose(cuts, wanted, rtol=1e-12, atol=1e-12)
    even = EqualFrequencyDiscretizer(n_bins=n_bins).fit(X, sample_weight=weights).thresholds_
    wanted = [naive.equal_frequency_column(column, w, n_bins) for column in X.T]
    assert listed(even) == wanted


@pytest.mark.parametrize("n_bins", [2, 3, 7])
def test_equal_width_is_uniform_of_scikit_learn(n_bins: int) -> None:
    X = load_wine().data
    bins = KBinsDiscretizer(n_bins=n_bins, strategy="uniform", encode="ordinal").fit(X)
    mine = EqualWidthDiscretizer(n_bins=n_bins).fit(X)
    for cuts, edges in zip(mine.thresholds_, bins.bin_edges_, strict=True):
        assert cuts.tolist() == edges[1:-1].tolist()
    on_edge = np.array([np.isin(X[:, j], mine.thresholds_[j]) for j in range(X.shape[1])]).T
    np.testing.assert_array_equal(mine.transform(X)[~on_edge], bins.transform(X)[~on_edge])


@pytest.mark.parametrize("n_bins", [2, 3, 5, 10])
def test_equal_frequency_is_quantile_of_scikit_learn(n_bins: int) -> None:
    rng = np.random.default_rng(n_bins)
    X = rng.normal(size=(30 * n_bins, 3))
    bins = KBinsDiscretizer(
        n_bins=n_bins,
        strategy="quantile",
        encode="ordinal",
        quantile_method="averaged_inverted_cdf",
        subsample=None,
    ).fit(X)
    mine = EqualFrequencyDiscretizer(n_bins=n_bins).fit(X)
    for cuts, edges in zip(mine.thresholds_, bins.bin_edges_, strict=True):
        if n_bins != 3:  # there, a third of 90 rows is a little more than 30: the next value
            np.testing.assert_allclose(cuts, edges[1:-1], rtol=1e-12)
    np.testing.assert_array_equal(mine.transform(X), bins.transform(X))
    odd = X[:-1]  # no longer a multiple: intervals of nearly the same size
    sizes = np.bincount(mine.fit(odd).transform(odd)[:, 0].astype(int))
    theirs = np.bincount(bins.fit(odd).transform(odd)[:, 0].astype(int))
    assert abs(sizes - theirs).max() <= 1 and sizes.max() - sizes.min() <= 1


# --- MDLP


@settings(max_examples=50, deadline=None)
@given(data=tables(60))
def test_mdlp_equals_the_recursion(data: Data) -> None:
    X, y, weights = data
    found = MDLPDiscretizer().fit(X, y, weights).thresholds_
    assert listed(found) == naive.mdlp(X, y, weights)


@pytest.mark.parametrize("name", SETS)
def test_mdlp_of_real_data(name: str) -> None:
    X, y = SETS[name](return_X_y=True)
    assert listed(MDLPDiscretizer().fit(X, y).thresholds_) == naive.mdlp(X, y)


def test_mdl_of_mid_is_within_mdlp() -> None:
    for load in SETS.values():
        X, y = load(return_X_y=True)
        mid = MIDDiscretizer(n_thresholds="mdl").fit(X, y).thresholds_
        mdlp = MDLPDiscretizer().fit(X, y).thresholds_
        assert all(set(a) <= set(b) for a, b in zip(listed(mid), listed(mdlp), strict=True))
        assert [bool(len(a)) for a in mid] == [bool(len(b)) for b in mdlp]


def test_many_classes_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(2000), 3)
    X = (y + rng.random(len(y)) * 0.1)[:, None]
    found = MDLPDiscretizer().fit(X, y)
    assert np.isfinite(found.thresholds_[0]).all()
    assert len(MIDDiscretizer(n_thresholds="all").fit(X, y).ranking_) == 1999


# --- ChiMerge


@settings(max_examples=50, deadline=None)
@given(
    data=tables(),
    threshold=st.sampled_from([0.0, 0.5, 2.7, 4.61, 1e9]),
    fewest=st.integers(1, 6),
    more=st.sampled_from([0, 3, None]),
)
def test_chimerge_equals_merging_one_by_one(
    data: Data, threshold: float, fewest: int, more: int | None
) -> None:
    X, y, weights = data
    most = None if more is None else fewest + more
    merger = ChiMergeDiscretizer(threshold=threshold, min_intervals=fewest, max_intervals=most)
    found = merger.fit(X, y, weights).thresholds_
    assert listed(found) == naive.chimerge(X, y, weights, threshold, fewest, most)


@pytest.mark.parametrize("significance", [0.1, 0.01])
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_chimerge_of_real_data(name: str, significance: float) -> None:
    X, y = SETS[name](return_X_y=True)
    found = ChiMergeDiscretizer(significance=significance, max_intervals=None).fit(X, y)
    threshold = float(chi2.isf(significance, len(set(y)) - 1))
    assert listed(found.thresholds_) == naive.chimerge(X, y, None, threshold)
    for rows, edges in zip(naive.columns(X, y, None), listed(found.thresholds_), strict=True):
        bounds = [None, *edges, None]
        for low, edge, high in zip(bounds, edges, bounds[2:], strict=False):
            sides = np.array([rows.counts(low, edge), rows.counts(edge, high)])
            sides = sides[:, sides.sum(axis=0) > 0]
            assert chi2_contingency(sides, correction=False).statistic >= threshold * (1 - 1e-9)


# --- what all have in common

ALL = [
    MIDDiscretizer(n_thresholds="all"),
    MIDDiscretizer(n_thresholds="mdl", impurity="gini"),
    MIDDiscretizer(n_thresholds="all", impurity="variance"),
    MDLPDiscretizer(),
    ChiMergeDiscretizer(),
]
FEW = [  # it need not cut wherever the target changes
    MIDDiscretizer(n_thresholds="mdl", impurity="variance"),
    EqualWidthDiscretizer(n_bins=4),
    EqualFrequencyDiscretizer(n_bins=4),
]


@pytest.mark.parametrize("discretizer", ALL + FEW, ids=str)
@settings(max_examples=25, deadline=None)
@given(data=tables(25))
def test_weights_are_repeated_rows(data: Data, discretizer: Any) -> None:
    X, y, weights = data
    times = np.ones(len(y), int) if weights is None else np.ceil(weights).astype(int)
    weighted = listed(discretizer.fit(X, y, sample_weight=times).thresholds_)
    many = listed(discretizer.fit(X.repeat(times, axis=0), y.repeat(times)).thresholds_)
    assert weighted == many


@pytest.mark.parametrize("discretizer", ALL + FEW, ids=str)
@settings(max_examples=20, deadline=None)
@given(data=tables())
def test_threads_and_order_of_rows_change_nothing(data: Data, discretizer: Any) -> None:
    X, y, weights = data
    once = listed(discretizer.fit(X, y, weights).thresholds_)
    turned = None if weights is None else weights[::-1]
    discretizer.n_jobs = 2
    assert listed(discretizer.fit(X, y, weights).thresholds_) == once
    assert listed(discretizer.fit(X[::-1], y[::-1], turned).thresholds_) == once
    discretizer.n_jobs = None


@pytest.mark.parametrize("discretizer", ALL + FEW, ids=str)
def test_odd_weights_are_as_good_as_even_ones(discretizer: Any) -> None:
    """Sums of weights are exact: neither their scale nor the order of the rows matters."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 30, (300, 2)) * 1.0
    y = rng.integers(0, 3, 300)
    weights = rng.random(300)
    order = rng.permutation(300)
    once = listed(discretizer.fit(X, y, weights).thresholds_)
    assert listed(discretizer.fit(X[order], y[order], weights[order]).thresholds_) == once


@pytest.mark.parametrize("discretizer", ALL, ids=str)
def test_infinities_and_neighbouring_floats_are_told_apart(discretizer: Any) -> None:
    one = np.nextafter(1.0, 2.0)
    values = np.array([-np.inf, 1.0, one, 1e308, np.inf])
    y = np.array([0, 1, 0, 1, 0]).repeat(12)
    X = values.repeat(12)[:, None]
    found = discretizer.fit(X, y)
    assert found.thresholds_[0].tolist() == [-np.inf, 1.0, found.thresholds_[0][2], 1e308]
    assert one < found.thresholds_[0][2] < 1e308
    assert found.transform(values[:, None]).ravel().tolist() == [0, 1, 2, 3, 4]
    onehot = clone(discretizer).set_params(encode="onehot").fit(X, y)
    np.testing.assert_array_equal(onehot.transform(values[:, None]), np.eye(5))
    assert onehot.get_feature_names_out()[0] == "x0 <= -inf"
