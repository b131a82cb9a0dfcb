"""The Minimum Impurity Discretizer."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.discretize.base import CutsColumns, Learning, SupervisedDiscretizer
from ramify.discretize.output import Cut
from ramify.discretize.ranking import ThresholdRanking
from ramify.learning import parameters as check
from ramify.learning.labels import class_codes, numbers
from ramify.tables import Schema

_IMPURITIES = ("entropy", "gini", "variance")


class _CutsByRanking(CutsColumns):
    """`transform` by any number of the thresholds that are ranked."""

    ranking_: ThresholdRanking
    _limit: int | None  # as many as were asked for; None if as many as there are

    def _cuts(self, n_thresholds: int | None = None) -> list[Cut]:
        ranking = self.ranking_ if n_thresholds is None else self.ranking_.head(n_thresholds)
        return list(map(Cut, ranking.index.tolist(), ranking.threshold.tolist(), ranking.texts()))

    def transform(self, X: Any, n_thresholds: int | None = None) -> Any:
        """Cut the columns of a table.

        Parameters
        ----------
        X : table
            Columns as in `fit`.
        n_thresholds : int or None
            Cut at so many of the ranked thresholds, the first; None takes all of `ranking_`.

        Returns
        -------
        table
            A dataframe of the kind of X, with its index; a dict of columns for a dict; otherwise
            an array, of objects if nominal columns pass through. `set_output` says otherwise.
        """
        check_is_fitted(self, "schema_")
        if n_thresholds is not None:
            n_thresholds = self._ranked(n_thresholds)
        return self._transform(X, self._cuts(n_thresholds))

    def _ranked(self, n_thresholds: Any) -> int:
        """Validate a number of thresholds against what was ranked."""
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
    cuts made, until no boundary point is left; the lists of the columns are merged by gain into one
    ranking. Any prefix of it is a set of binary features, and a longer prefix contains a shorter
    one, so that an optimal tree on it is never worse (Dal Maso 2024).

    Parameters
    ----------
    n_thresholds : int, "all" or "mdl", default=45
        How many thresholds to rank, over all columns. "all": every boundary point. "mdl": a column
        ends at the first of its thresholds that an MDL criterion rejects: that of Fayyad and Irani
        for classes, one of means and variances for numbers (see Notes).
    impurity : {"entropy", "gini", "variance"}, default="entropy"
        What a threshold lowers. "entropy" and "gini" take y as classes, "variance" as numbers.
        "mdl" judges classes by entropy whatever ranks.
    encode : {"ordinal", "thresholds", "onehot"}, default="ordinal"
        "ordinal": the number of the interval of a column, from 0. "thresholds": one column
        ``x <= t`` of 0 and 1 per threshold, in the order of the ranking, the columns that are not
        cut behind them. "onehot": one column of 0 and 1 per interval; a column that is not cut at
        all is left out.
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
    ranking_ : ThresholdRanking
        The thresholds in order, with the columns attribute, threshold and gain.
    thresholds_ : list of ndarray
        The same by column of X, ascending; empty for columns that are not numeric.
    classes_ : ndarray
        The classes, unless the target is numeric.
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, if they have any.

    Notes
    -----
    A threshold lies midway between two neighbouring values whose rows are not all of one class, or
    of one number. Gains that agree to 1e-12 of the total weight, or to about 1e-12 of the variance
    of all rows, are equal; ties go to the first column, then to
    the lowest threshold. Rows where a column is missing have no part in its cuts, and count in its
    gains as rows that gained nothing.

    "mdl" of numbers: a cut of N rows is accepted if two means tell the target in fewer bits than
    one, N/2 log2(V / V') > log2(N - 1) + log2(N) / 2, where V and V' are the variances that one and
    two means leave, by N - 1 and N - 2 degrees of freedom. Two rows are never cut.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds", and is in no interval with
    "onehot": all its columns are 0. So are the indicators of a level not seen in `fit`.

    The ranking comes from a heap of the best cut of every interval, and an interval is looked at
    again only when it is cut: of B boundary points near O(B log B), against O(B\ :sup:`2`) of the
    published algorithm, with the same result.

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
        self.n_thresholds = n_thresholds
        self.impurity = impurity
        self.encode = encode
        self.nominal = nominal
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check.choice("impurity", self.impurity, _IMPURITIES)
        self._asked()

    def _asked(self) -> int | None:
        if isinstance(self.n_thresholds, str) and self.n_thresholds in ("all", "mdl"):
            return None
        return check.whole("n_thresholds", self.n_thresholds, least=0, others=", 'all' or 'mdl'")

    def _target(self, y: Any, n_rows: int) -> tuple[NDArray[Any] | None, NDArray[Any]]:
        if self.impurity == "variance":
            return None, numbers(y, n_rows, type(self).__name__)
        return class_codes(y, n_rows, type(self).__name__, for_numbers="impurity='variance'")

    def _learn(self, schema: Schema, numeric: list[int], data: Learning, threads: int) -> None:
        limit = self._asked()
        mdl = limit is None and self.n_thresholds == "mdl"
        if data.classes is None:
            attribute, threshold, gain = _core.rank_cuts_of_numbers(
                data.table, data.target, data.weights, limit, mdl, threads
            )
        else:
            attribute, threshold, gain = _core.rank_cuts(
                *data.labelled, self.impurity, limit, mdl, threads
            )
        index = np.array(numeric, dtype=np.int64)[attribute]
        self.ranking_ = ThresholdRanking.of(schema.names, index, threshold, gain)
        self._limit = limit

    @property
    def thresholds_(self) -> Sequence[NDArray[np.float64]]:
        """The thresholds by column of X, ascending."""
        check_is_fitted(self, "schema_")
        ranking = self.ranking_
        return [np.sort(ranking.threshold[ranking.index == j]) for j in range(self.n_features_in_)]

    def prefix(self, n_thresholds: int) -> MIDDiscretizer:
        """Give a fitted discretiser of the first thresholds alone; nothing is fitted again.

        Parameters
        ----------
        n_thresholds : int
            How many of the ranked thresholds it has.

        Returns
        -------
        MIDDiscretizer
            As if fitted with this number, on the same data.
        """
        check_is_fitted(self, "schema_")
        n = self._ranked(n_thresholds)
        shorter = copy.copy(self)
        shorter.n_thresholds = int(n_thresholds)
        shorter.ranking_ = self.ranking_.head(n)
        shorter._limit = int(n_thresholds)
        return shorter
