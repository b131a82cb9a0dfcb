"""MDLP, the discretiser of Fayyad and Irani."""

from __future__ import annotations

from typing import Any

from ramify import _core
from ramify.discretize.base import ColumnwiseDiscretizer, Floats, Learning


class MDLPDiscretizer(ColumnwiseDiscretizer):
    """Cut every numeric column where that shortens the description of the classes (MDLP).

    A column is cut at the boundary point that lowers the class entropy most, and its parts
    likewise, as long as the minimum description length principle accepts the cut (Fayyad and Irani
    1993). There is nothing to tune, and a column that tells nothing is not cut at all.

    Parameters
    ----------
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
    A cut of N rows with k classes into parts with k1 and k2 is accepted if its information gain
    exceeds (log2(N - 1) + delta) / N, where delta = log2(3^k - 2) - (k H - k1 H1 - k2 H2).
    A threshold lies midway between two neighbouring values whose rows are not all of one class.
    Of equal gains (to 1e-12 of the total weight) the lowest threshold wins. Rows where a column is
    missing have no part in its cuts; N is the weight of the others.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds", and is in no interval with
    "onehot": all its columns are 0. So are the indicators of a level not seen in `fit`.

    References
    ----------
    Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for
    classification learning. IJCAI, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify.discretize import MDLPDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> mdlp = MDLPDiscretizer().fit(X, y)
    >>> [cuts.tolist() for cuts in mdlp.thresholds_[2:]]
    [[2.45, 4.75], [0.8, 1.75]]
    >>> mdlp.transform(X[[0, 50, 100]])
    array([[0., 2., 0., 0.],
           [2., 1., 1., 1.],
           [2., 1., 2., 2.]])
    """

    def __init__(
        self,
        *,
        encode: str = "ordinal",
        nominal: str = "passthrough",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.encode = encode
        self.nominal = nominal
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _search(self, data: Learning, threads: int) -> list[Floats]:
        return _core.mdlp_cuts(*data.labelled, threads)
