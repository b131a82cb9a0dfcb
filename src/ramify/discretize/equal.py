"""Discretisers that do not look at the target: intervals of equal width, or of equal weight."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ramify.discretize.base import CutsByColumn, Discretizer, FitData, Floats
from ramify.learning import parameters as check
from ramify.tree.conditions import midpoint

_TIE = 1e-12  # shares of the weight that differ by less are equal
_MANY = 2**40  # intervals; no table has so many rows


class EqualDiscretizer(CutsByColumn, Discretizer):
    """A discretiser that cuts each column by its values alone."""

    def __init__(
        self,
        *,
        n_bins: int = 5,
        encode: str = "ordinal",
        nominal: str = "passthrough",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            encode=encode, nominal=nominal, categorical_features=categorical_features, n_jobs=n_jobs
        )
        self.n_bins = n_bins

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find where to cut, by the values alone; give the discretiser itself.

        Parameters
        ----------
        X : table
            The columns to cut: a dataframe, array, list of rows, or dict of columns.
        y : None
            Not used. It is here so that pipelines can pass it.
        sample_weight : array-like or None
            Weights of the rows. Rows of weight 0 do not count.
        """
        self._fit(X, None, sample_weight)
        return self

    def _check_parameters(self) -> None:
        check.whole("n_bins", self.n_bins, least=2)

    def _thresholds(self, data: FitData) -> list[Floats]:
        weights = data.weights

        def cut(j: int) -> Floats:
            values = np.asarray(data.table.column(j), dtype=np.float64)
            there = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
            return self._divide(values[there], None if weights is None else weights[there])

        with ThreadPoolExecutor(data.threads) as pool:  # sorting releases the interpreter lock
            return list(pool.map(cut, data.numeric))

    def _divide(self, values: Floats, weights: Floats | None) -> Floats:
        """Give the thresholds of the known values of a column."""
        raise NotImplementedError


class EqualWidthDiscretizer(EqualDiscretizer):
    """Cut every numeric column into intervals of the same width.

    The range of the values seen in `fit` is divided evenly. This is the simplest way to cut, and
    others are compared with it. An outlier makes most intervals empty.

    Parameters
    ----------
    n_bins : int, default=5
        Intervals of a column.
    encode, nominal, categorical_features, n_jobs
        What `transform` gives, which columns are nominal, and threads: as in
        :class:`MDLPDiscretizer`.

    Attributes
    ----------
    thresholds_ : list of ndarray
        The thresholds by column of X, ascending; empty for columns that are not numeric.

    Notes
    -----
    The thresholds are the inner edges of ``KBinsDiscretizer(strategy="uniform")`` of scikit-learn.
    A value that equals an edge is below it here, ``x <= t`` as in all trees, and above it there.
    A constant column is not cut. Infinite values are left out of the range, and are in the first
    or the last interval. Weights matter only where they are 0.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds". With "onehot" it is in no
    interval: all its columns are 0. The indicators of a level not seen in `fit` are 0 too.

    Examples
    --------
    >>> from ramify.discretize import EqualWidthDiscretizer
    >>> cut = EqualWidthDiscretizer(n_bins=4).fit([[0.0], [1.0], [2.0], [8.0]])
    >>> cut.thresholds_
    [array([2., 4., 6.])]
    >>> cut.transform([[2.0], [2.5], [100.0]]).ravel()
    array([0., 1., 3.])
    """

    def _divide(self, values: Floats, weights: Floats | None) -> Floats:
        finite = values[np.isfinite(values)]
        if len(finite) == 0:
            return np.empty(0)
        low, high = float(finite.min()), float(finite.max())
        if np.isfinite(high - low):
            edges = np.linspace(low, high, int(self.n_bins) + 1)[1:-1]
        else:  # the range is infinite, half of it is not
            edges = 2 * np.linspace(low / 2, high / 2, int(self.n_bins) + 1)[1:-1]
        # Between values that are next to each other, edges may coincide or lie beyond both.
        return np.unique(edges[(edges >= low) & (edges < high)])


class EqualFrequencyDiscretizer(EqualDiscretizer):
    """Cut every numeric column into intervals with the same number of rows.

    Equal values stay together, so the intervals are only as even as the values allow. If one
    value has more rows than an interval should have, there are fewer intervals.

    Parameters
    ----------
    n_bins : int, default=5
        Intervals of a column, at most.
    encode, nominal, categorical_features, n_jobs
        As in :class:`EqualWidthDiscretizer`, whose attributes this has, too.

    Notes
    -----
    The i-th threshold lies midway between two neighbouring values. They are chosen so that the
    share of the weight below comes nearest to i / n_bins; the lower ones, if two places are
    equally near (to 1e-12 of the weight). Equal thresholds count once. Rows where a column is
    missing do not count in it.

    If all values differ and their number is a multiple of n_bins, the intervals are those of
    scikit-learn's ``KBinsDiscretizer(strategy="quantile")`` with the quantile method
    "averaged_inverted_cdf". Otherwise they differ by the rows next to the edges.

    Missing cells and levels not seen in `fit` are treated as in :class:`EqualWidthDiscretizer`.

    Examples
    --------
    >>> from ramify.discretize import EqualFrequencyDiscretizer
    >>> cut = EqualFrequencyDiscretizer(n_bins=2).fit([[0.0], [1.0], [2.0], [8.0]])
    >>> cut.thresholds_
    [array([1.5])]
    >>> cut.fit([[0.0], [1.0], [2.0], [8.0]], sample_weight=[1, 1, 1, 3]).thresholds_
    [array([5.])]
    """

    def _divide(self, values: Floats, weights: Floats | None) -> Floats:
        distinct, below = _weights_up_to(values, weights)
        if len(distinct) < 2:
            return np.empty(0)
        places = below[:-1] / below[-1]  # there is no threshold above the last value
        # A share is nearest to a place if it lies between the middles on either side of it. Count
        # the shares 1 / n_bins, 2 / n_bins, ... up to each middle: where the count grows, the place
        # is chosen.
        bins = min(int(self.n_bins), _MANY)
        middles = np.append((places[1:] + places[:-1]) / 2, 1.0)
        reached = np.minimum(np.floor((middles + _TIE) * bins), bins - 1)
        chosen = np.flatnonzero(np.diff(reached, prepend=0.0) > 0)
        return np.array(
            [midpoint(float(distinct[i]), float(distinct[i + 1])) for i in chosen.tolist()]
        )


def _weights_up_to(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Give the distinct values, and the weight of the rows up to each of them."""
    if weights is None:
        distinct, counts = np.unique(values, return_counts=True)
        return distinct, np.cumsum(counts).astype(np.float64)
    order = np.lexsort((weights, values))  # so that sums do not depend on the order of the rows
    ordered = values[order]
    last = np.append(ordered[1:] != ordered[:-1], True) if len(ordered) else np.empty(0, dtype=bool)
    return ordered[last], np.cumsum(weights[order])[last]
