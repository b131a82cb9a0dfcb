"""The Minimum Impurity Discretizer."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.discretize.base import CutsColumns, FitData, SupervisedDiscretizer
from ramify.discretize.output import Cut
from ramify.discretize.ranking import ThresholdRanking
from ramify.learning import parameters as check
from ramify.learning.labels import class_codes, numbers

_IMPURITIES = ("entropy", "gini", "variance")


class _CutsByRanking(CutsColumns):
    """`transform` by the first thresholds of a ranking."""

    ranking_: ThresholdRanking
    _limit: int | None  # the number of thresholds that was asked for; None means all

    def _cuts(self) -> list[Cut]:
        return self.ranking_.cuts()

    def transform(self, X: Any, n_thresholds: int | None = None) -> Any:
        """Cut the columns of a table.

        Parameters
        ----------
        X : table
            Columns as in `fit`.
        n_thresholds : int or None
            Cut at this number of thresholds, the first of `ranking_`; None takes all of them.

        Returns
        -------
        table
            Of the kind of X, unless `set_output` says otherwise: a dataframe with the index of X, a
            dict of columns, or an array (of objects if nominal columns pass through).
        """
        check_is_fitted(self, "schema_")
        if n_thresholds is None:
            return self._transform(X, self._cuts())
        return self._transform(X, self.ranking_.head(self._ranked(n_thresholds)).cuts())

    def _ranked(self, n_thresholds: Any) -> int:
        """Check a number of thresholds against the number that was ranked."""
        n = check.whole("n_thresholds", n_thresholds, least=0)
        if self._limit is not None and n > self._limit:
            raise ValueError(
                f"n_thresholds={n} is more than the {self._limit} that were ranked; fit with "
                f"n_thresholds={n} or 'all'"
            )
        return min(n, len(self.ranking_))


class MIDDiscretizer(_CutsByRanking, SupervisedDiscretizer):
    r"""Rank the thresholds of all numeric columns by how much they lower the impurity (MID).

    Every column is cut where that lowers the impurity of the target most, then again, given the
    cuts made, until no boundary point is left. The lists of the columns are merged by gain into one
    ranking. Its first thresholds, however many, are a set of binary features. A longer set contains
    the shorter ones, so that an optimal tree on it is never worse (Dal Maso 2024).

    Parameters
    ----------
    n_thresholds : int, "all" or "mdl", default=45
        How many thresholds to rank, over all columns. "all": every boundary point. "mdl": the list
        of a column ends at the first threshold that an MDL criterion rejects: that of Fayyad and
        Irani for classes, one of means and variances for numbers (see Notes).
    impurity : {"entropy", "gini", "variance"}, default="entropy"
        What a threshold lowers. "entropy" and "gini" take y as classes, "variance" as numbers.
        "mdl" always judges classes by entropy.
    encode : {"ordinal", "thresholds", "onehot"}, default="ordinal"
        "ordinal": the number of the interval, from 0. "thresholds": one column ``x <= t`` of 0 and
        1 per threshold, in the order of the ranking; nominal and ordinal columns come last.
        "onehot": one column of 0 and 1 per interval. A numeric column without a threshold is left
        out, except with "ordinal".
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
    ranking_ : ThresholdRanking
        The thresholds in order, with the columns attribute, threshold and gain.
    thresholds_ : list of ndarray
        The same by column of X, ascending; empty for columns that are not numeric.
    classes_ : ndarray
        The classes, unless the target is numeric.
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Their number, and their names if they have any.

    Notes
    -----
    A threshold lies midway between two neighbouring values whose rows are not all of one class, or
    of one number. Gains that agree to 1e-12 of the total weight, or to about 1e-12 of the variance
    of all rows, are equal. Ties go to the first column, then to the lowest threshold. Rows where a
    column is missing do not count in its cuts, and count in its gains as rows that gained nothing.

    "mdl" of numbers: a cut of N rows is accepted if two means describe the target in fewer bits
    than one, N/2 log2(V / V') > log2(N - 1) + log2(N) / 2. V and V' are the variances about one and
    about two means, by N - 1 and N - 2 degrees of freedom. Two rows are never cut.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds". With "onehot" it is in no
    interval: all its columns are 0. The indicators of a level not seen in `fit` are 0 too.

    A heap holds the best cut of every interval, and an interval is searched again only when it is
    cut. For B boundary points this takes close to O(B log B); the published algorithm takes
    O(B\ :sup:`2`) and gives the same result.

    References
    ----------
    Dal Maso (2024), chapter 2, Algorithm 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify.discretize import MIDDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> mid = MIDDiscretizer(n_thresholds=4, encode="thresholds").fit(X, y)
    >>> print(mid.ranking_)
    attribute      threshold           gain
    x2                  2.45       0.918296
    x3                   0.8       0.918296
    x0                  5.55       0.557233
    x3                  1.75       0.460107
    >>> mid.transform(X[:2], n_thresholds=3)
    array([[1., 1., 1.],
           [1., 1., 1.]])
    >>> mid.prefix(2).get_feature_names_out()
    array(['x2 <= 2.45', 'x3 <= 0.8'], dtype=object)
    """

    def __init__(
        self,
        *,
        n_thresholds: int | str = 45,
        impurity: str = "entropy",
        encode: str = "ordinal",
        nominal: str = "passthrough",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            encode=encode, nominal=nominal, categorical_features=categorical_features, n_jobs=n_jobs
        )
        self.n_thresholds = n_thresholds
        self.impurity = impurity

    def _check_parameters(self) -> None:
        check.choice("impurity", self.impurity, _IMPURITIES)
        self._number_of_thresholds()

    def _number_of_thresholds(self) -> int | None:
        """Give the number of thresholds to rank; None means as many as there are."""
        if isinstance(self.n_thresholds, str) and self.n_thresholds in ("all", "mdl"):
            return None
        return check.whole("n_thresholds", self.n_thresholds, least=0, others=", 'all' or 'mdl'")

    def _read_target(self, y: Any, n_rows: int) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        if self.impurity == "variance":
            return None, numbers(y, n_rows, type(self).__name__)
        return class_codes(y, n_rows, type(self).__name__, for_numbers="impurity='variance'")

    def _learn(self, data: FitData) -> None:
        limit = self._number_of_thresholds()
        extent = limit, limit is None and self.n_thresholds == "mdl", data.threads
        if data.classes is None:
            assert data.target is not None
            found = _core.rank_cuts_of_numbers(
                data.core_table(), data.target, data.weights, *extent
            )
        else:
            found = _core.rank_cuts(*data.by_class(), self.impurity, *extent)
        attribute, threshold, gain = found
        index = np.array(data.numeric, dtype=np.int64)[attribute]
        self.ranking_ = ThresholdRanking.of(data.table.schema.names, index, threshold, gain)
        self._limit = limit

    @property
    def thresholds_(self) -> Sequence[NDArray[np.float64]]:
        """The thresholds by column of X, ascending."""
        check_is_fitted(self, "schema_")
        ranking = self.ranking_
        return [np.sort(ranking.threshold[ranking.index == j]) for j in range(self.n_features_in_)]

    def prefix(self, n_thresholds: int) -> MIDDiscretizer:
        """Give a fitted discretiser of the first thresholds; nothing is fitted again.

        Parameters
        ----------
        n_thresholds : int
            How many of the ranked thresholds to take.

        Returns
        -------
        MIDDiscretizer
            The same as one that is fitted with this number on the same data.
        """
        check_is_fitted(self, "schema_")
        n = self._ranked(n_thresholds)
        shorter = copy.copy(self)
        shorter.n_thresholds = int(n_thresholds)
        shorter.ranking_ = self.ranking_.head(n)
        shorter._limit = int(n_thresholds)
        return shorter
