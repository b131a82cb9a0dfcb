"""Intervals with the same number of rows."""

from __future__ import annotations

import numpy as np

from ramify.discretize.base import Floats
from ramify.discretize.equal import EqualDiscretizer
from ramify.tree.conditions import midpoint

#: Shares of the weight nearer than this are equal.
_TIE = 1e-12
_MANY = 2**40  # intervals; no table has so many rows


class EqualFrequencyDiscretizer(EqualDiscretizer):
    """Cut every numeric column into intervals with the same number of rows.

    Equal values are never divided, so that intervals are as even as the values allow; where one
    value has more rows than an interval should, there are fewer intervals.

    Parameters
    ----------
    n_bins : int, default=5
        Intervals of a column, at most.
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
    The i-th threshold lies midway between two neighbouring values: those where the weight of the
    rows below comes nearest to i / n_bins of all, the lower ones if two places are as near (to
    1e-12 of the weight). Thresholds that fall together are one. Rows where a column is missing have
    no part in it.

    Where all values differ and their number is a multiple of n_bins, the intervals are those of
    scikit-learn's ``KBinsDiscretizer(strategy="quantile")`` with the quantile method
    "averaged_inverted_cdf"; otherwise they differ by the rows next to the edges.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds", and is in no interval with
    "onehot": all its columns are 0. So are the indicators of a level not seen in `fit`.

    Examples
    --------
    >>> from ramify.discretize import EqualFrequencyDiscretizer
    >>> cut = EqualFrequencyDiscretizer(n_bins=2).fit([[0.0], [1.0], [2.0], [8.0]])
    >>> cut.thresholds_
    [array([1.5])]
    >>> cut.fit([[0.0], [1.0], [2.0], [8.0]], sample_weight=[1, 1, 1, 3]).thresholds_
    [array([5.])]
    """

    def _thresholds(self, values: Floats, weights: Floats | None) -> Floats:
        distinct, below = _weights_below(values, weights)
        if len(distinct) < 2:
            return np.empty(0)
        places = below[:-1] / below[-1]  # there is no threshold above the last value
        # Shares up to the middle between two places are nearest to the lower one. How many of
        # 1 / n_bins, 2 / n_bins, ... are not above it tells whether any falls to the place.
        bins = min(int(self.n_bins), _MANY)
        middles = np.append((places[1:] + places[:-1]) / 2, 1.0)
        reached = np.minimum(np.floor((middles + _TIE) * bins), bins - 1)
        chosen = np.flatnonzero(np.diff(reached, prepend=0.0) > 0)
        return np.array(
            [midpoint(float(distinct[i]), float(distinct[i + 1])) for i in chosen.tolist()]
        )


def _weights_below(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Give the distinct values, and the weight of the rows up to each; in any order of the rows."""
    if weights is None:
        distinct, counts = np.unique(values, return_counts=True)
        return distinct, np.cumsum(counts).astype(np.float64)
    order = np.lexsort((weights, values))  # so that sums do not depend on the order of the rows
    ordered = values[order]
    last = np.append(ordered[1:] != ordered[:-1], True) if len(ordered) else np.empty(0, dtype=bool)
    return ordered[last], np.cumsum(weights[order])[last]
