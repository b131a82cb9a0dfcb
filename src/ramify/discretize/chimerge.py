"""ChiMerge, the discretiser of Kerber."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtri

from ramify import _core
from ramify.discretize.base import CutsByColumn, FitData, Floats, SupervisedDiscretizer
from ramify.learning import parameters as check


class ChiMergeDiscretizer(CutsByColumn, SupervisedDiscretizer):
    """Merge neighbouring values of a column whose classes do not differ significantly (ChiMerge).

    At first every value is an interval of its own. The two neighbours whose class counts differ
    least by the chi-square statistic are merged. This is repeated until all neighbours differ by
    more than a threshold (Kerber 1992).

    Parameters
    ----------
    significance : float, default=0.05
        Neighbours are merged as long as they do not differ at this level. The threshold is the
        value that chi-square exceeds with this probability; its degrees of freedom are the number
        of classes minus one. Kerber advises 0.1 to 0.01 (he calls them the .90 and .99 level).
    threshold : float or None, default=None
        The threshold on the statistic itself, in place of `significance`.
    min_intervals : int, default=1
        Merging ends when so many intervals are left, whatever the threshold says. Neighbouring
        values of one and the same class are merged even then: no threshold lies between them.
    max_intervals : int or None, default=15
        Merging goes on until at most so many intervals are left. None means no limit.
    encode : {"ordinal", "thresholds", "onehot"}, default="ordinal"
        "ordinal": the number of the interval, from 0. "thresholds": one column ``x <= t`` of 0 and
        1 per threshold, column by column; nominal and ordinal columns come last. "onehot": one
        column of 0 and 1 per interval. A numeric column without a threshold is left out, except
        with "ordinal".
    nominal : {"passthrough", "indicators", "drop"}, default="passthrough"
        Nominal and ordinal columns are kept as they are, become one column ``x = level`` of 0 and
        1 per level, or are left out.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, besides those whose type says so: text, bool, a category
        without order, a polars Enum.
    n_jobs : int or None, default=None
        Threads over the columns: None means one, -1 all cores. The result is always the same.

    Attributes
    ----------
    thresholds_ : list of ndarray
        The thresholds by column of X, ascending; empty for columns that are not numeric.
    classes_ : ndarray
        The classes.
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Their number, and their names if they have any.

    Notes
    -----
    The statistic is Pearson's, over the classes that the two intervals have: cells whose expected
    count is zero contribute nothing. Where statistics agree to 40 bits, the lowest neighbours are
    merged first. A threshold lies midway between the two values that it separates. Rows where a
    column is missing do not count in it.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds". With "onehot" it is in no
    interval: all its columns are 0. The indicators of a level not seen in `fit` are 0 too.

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
        super().__init__(
            encode=encode, nominal=nominal, categorical_features=categorical_features, n_jobs=n_jobs
        )
        self.significance = significance
        self.threshold = threshold
        self.min_intervals = min_intervals
        self.max_intervals = max_intervals

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

    def _thresholds(self, data: FitData) -> list[Floats]:
        table, codes, n_classes, weights = data.by_class()
        threshold = self.threshold
        if threshold is None:
            present = len(np.unique(codes if weights is None else codes[weights > 0]))
            threshold = chdtri(max(1, present - 1), self.significance)
        limits = float(threshold), int(self.min_intervals), self.max_intervals
        return _core.chimerge_cuts(table, codes, n_classes, weights, *limits, data.threads)
