"""ChiMerge, the discretiser of Kerber."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtri

from ramify import _core
from ramify.discretize.base import ColumnwiseDiscretizer, Floats, Learning
from ramify.learning import parameters as check


class ChiMergeDiscretizer(ColumnwiseDiscretizer):
    """Merge neighbouring values of a column whose classes do not differ significantly (ChiMerge).

    Every value is an interval of its own at first. The two neighbours whose class counts differ
    least by the chi-square statistic are merged, again and again, until all neighbours that are
    left differ by more than a threshold (Kerber 1992).

    Parameters
    ----------
    significance : float, default=0.05
        Neighbours are merged as long as they do not differ at this level: the threshold is the
        value that chi-square with one degree of freedom less than there are classes exceeds with
        this probability. Kerber advises 0.1 to 0.01 (which he calls the .90 and .99 level).
    threshold : float or None, default=None
        The threshold on the statistic itself, in place of `significance`.
    min_intervals : int, default=1
        Merging ends when so many intervals are left, whatever the threshold says. Neighbouring
        values that are all of one class are merged nevertheless: no threshold lies between them.
    max_intervals : int or None, default=15
        Merging goes on until no more than so many intervals are left; None: no limit.
    encode : {"ordinal", "thresholds", "onehot"}, default="ordinal"
        "ordinal": the number of the interval of a column, from 0. "thresholds": one column
        ``x <= t`` of 0 and 1 per threshold, column by column, the columns that are not cut behind
        them. "onehot": one column of 0 and 1 per interval; a column that is not cut at all is left
        out.
    nominal : {"passthrough", "indicators", "drop"}, default="passthrough"
        Nominal and ordinal columns are kept as they are, become one column ``x = level`` of 0 and
        1 per level, or are left out.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, beside those whose type says so: text, bool, a category
        without order, a polars Enum.
    n_jobs : int or None, default=None
        Threads over the columns; None is one, -1 all cores. The result is the same.

    Attributes
    ----------
    thresholds_ : list of ndarray
        The thresholds by column of X, ascending; empty for columns that are not numeric.
    classes_ : ndarray
        The classes.
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, if they have any.

    Notes
    -----
    The statistic is Pearson's, over the classes that the two intervals have: cells whose expected
    count is zero contribute nothing. Of statistics that agree to 40 bits the lowest neighbours are
    merged first. A threshold lies midway between the two values that it keeps apart. Rows where a
    column is missing have no part in it.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds", and is in no interval with
    "onehot": all its columns are 0. So are the indicators of a level not seen in `fit`.

    References
    ----------
    Kerber (1992), ChiMerge: discretization of numeric attributes. AAAI, 123-128.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify.discretize import ChiMergeDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> merged = ChiMergeDiscretizer(max_intervals=4, encode="thresholds").fit(X[:, 2:], y)
    >>> merged.get_feature_names_out()
    array(['x0 <= 2.45', 'x0 <= 4.75', 'x0 <= 5.15', 'x1 <= 0.8',
           'x1 <= 1.75'], dtype=object)
    """

    def __init__(
        self,
        *,
        significance: float = 0.05,
        threshold: float | None = None,
        min_intervals: int = 1,
        max_intervals: int | None = 15,
        encode: str = "ordinal",
        nominal: str = "passthrough",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.significance = significance
        self.threshold = threshold
        self.min_intervals = min_intervals
        self.max_intervals = max_intervals
        self.encode = encode
        self.nominal = nominal
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check.probability("significance", self.significance)
        if self.threshold is not None:
            check.number("threshold", self.threshold, least=0.0)
        least = check.whole("min_intervals", self.min_intervals, least=1)
        if check.limit("max_intervals", self.max_intervals, least=1) < least:
            raise ValueError(
                f"max_intervals={self.max_intervals!r} must be None or at least "
                f"min_intervals={self.min_intervals!r}"
            )

    def _search(self, data: Learning, threads: int) -> list[Floats]:
        threshold = self.threshold
        if threshold is None:
            codes = data.target if data.weights is None else data.target[data.weights > 0]
            present = len(np.unique(codes))
            threshold = chdtri(max(1, present - 1), self.significance)
        return _core.chimerge_cuts(
            *data.labelled, float(threshold), int(self.min_intervals), self.max_intervals, threads
        )
