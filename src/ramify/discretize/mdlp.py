"""MDLP, the discretiser of Fayyad and Irani."""

from __future__ import annotations

from ramify import _core
from ramify.discretize.base import CutsByColumn, FitData, Floats, SupervisedDiscretizer


class MDLPDiscretizer(CutsByColumn, SupervisedDiscretizer):
    """Cut every numeric column where that shortens the description of the classes (MDLP).

    A column is cut at the boundary point that lowers the class entropy most. Its parts are cut in
    the same way, as long as the minimum description length principle accepts the cut (Fayyad and
    Irani 1993). There is nothing to tune. A column that says nothing about the class is not cut.

    Parameters
    ----------
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
    A cut of N rows with k classes into parts with k1 and k2 is accepted if its information gain
    exceeds (log2(N - 1) + delta) / N, where delta = log2(3^k - 2) - (k H - k1 H1 - k2 H2). A
    threshold lies midway between two neighbouring values whose rows are not all of one class. If
    gains are equal (to 1e-12 of the total weight), the lowest threshold wins. Rows where a column
    is missing do not count in its cuts; N is the weight of the others.

    A missing cell stays missing (NaN) with "ordinal" and "thresholds". With "onehot" it is in no
    interval: all its columns are 0. The indicators of a level not seen in `fit` are 0 too.

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

    def _thresholds(self, data: FitData) -> list[Floats]:
        return _core.mdlp_cuts(*data.by_class(), data.threads)
