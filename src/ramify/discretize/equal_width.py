"""Intervals of the same width."""

from __future__ import annotations

import numpy as np

from ramify.discretize.base import Floats
from ramify.discretize.equal import EqualDiscretizer


class EqualWidthDiscretizer(EqualDiscretizer):
    """Cut every numeric column into intervals of the same width.

    The range of the values seen in `fit` is divided evenly. It is the plainest of all ways to cut,
    and what others are compared with; an outlier makes most intervals empty.

    Parameters
    ----------
    n_bins : int, default=5
        Intervals of a column.
    encode : {"ordinal", "thresholds", "onehot"}, default="ordinal"
        "ordinal": the number of the interval of a column, from 0. "thresholds": one column
        ``x <= t`` of 0 and 1 per threshold, column by column, the columns that are not cut behind
        them. "onehot": one column of 0 and 1 per interval; a column that is not cut at all is left
        out.
    nominal : {"passthrough", "indicators", "drop"}, default="passthrough"
        Nominal and ordinal columns are kept as they are, become one column ``x = level`` of 0 and
        1 per level, or are left out.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, beside those whose type says so.
    n_jobs : int or None, default=None
        Threads over the columns; None is one, -1 all cores. The result is the same.

    Attributes
    ----------
    thresholds_ : list of ndarray
        The thresholds by column of X, ascending; empty for columns that are not numeric.
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, if they have any.

    Notes
    -----
    The thresholds are the inner edges of ``KBinsDiscretizer(strategy="uniform")`` of scikit-learn.
    A value that is equal to an edge is below it here, ``x <= t`` as in all trees, and above it
    there. A constant column is not cut. Infinite values have no part in the range; they are in the
    first or the last interval. Weights matter only where they are 0.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds", and is in no interval with
    "onehot": all its columns are 0. So are the indicators of a level not seen in `fit`.

    Examples
    --------
    >>> from ramify.discretize import EqualWidthDiscretizer
    >>> cut = EqualWidthDiscretizer(n_bins=4).fit([[0.0], [1.0], [2.0], [8.0]])
    >>> cut.thresholds_
    [array([2., 4., 6.])]
    >>> cut.transform([[2.0], [2.5], [100.0]]).ravel()
    array([0., 1., 3.])
    """

    def _thresholds(self, values: Floats, weights: Floats | None) -> Floats:
        finite = values[np.isfinite(values)]
        if len(finite) == 0:
            return np.empty(0)
        low, high = float(finite.min()), float(finite.max())
        if np.isfinite(high - low):
            edges = np.linspace(low, high, int(self.n_bins) + 1)[1:-1]
        else:  # the range is, its half is not infinite
            edges = 2 * np.linspace(low / 2, high / 2, int(self.n_bins) + 1)[1:-1]
        # Of values that are next to one another, some edges are the same, or beyond all of them.
        return np.unique(edges[(edges >= low) & (edges < high)])
