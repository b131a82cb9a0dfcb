"""Nominal attributes joined into one, so that a tree can split on their combinations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import log
from numbers import Integral
from typing import Any, Literal

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.aggregate.chi2 import conditional_log_p, sums
from ramify.aggregate.means import conditional_log_p_of_means
from ramify.learning import parameters as check
from ramify.learning.labels import class_codes, numbers
from ramify.learning.weights import sample_weights
from ramify.tables import Schema, read_table
from ramify.tables.join import BETWEEN, join_cells, same_kind
from ramify.tables.levels import MISSING, short_list
from ramify.tables.source import open_table

__all__ = ["AttributeAggregator"]

TASKS = ("classification", "regression")
# Of the combination of every row and, for each combination, what the other columns have: log p.
_Test = Callable[[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]], float]


class AttributeAggregator(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Join nominal columns into one whose values are the combinations.

    A split on one attribute at a time cannot see an interaction: of ``y = a XOR b`` neither part
    tells anything. On the joined column, whose values are the combinations of values, one split
    can (Pereira 2018, section 5.1). Columns ``parents`` and ``has_nurs`` become
    ``parents|has_nurs``, with values such as ``usual|proper``.

    Parameters
    ----------
    groups : "pairs" or list of lists, default="pairs"
        The columns to join, by name or by index, two or more to a group; or "pairs", to let
        `fit` propose pairs of nominal columns from the target, or larger groups up to `max_size`
        (see Notes).
    n_groups : int, default=3
        Largest number of groups that "pairs" proposes; they may share columns.
    max_size : int, default=2
        Largest number of columns in a group that "pairs" proposes. All groups of up to so many
        nominal columns are tested: 4,060 groups of three among 30.
    alpha : float or None, default=0.05
        A group is proposed if its p-value is at most this, adjusted to 1 - (1 - p)^m for the m
        groups that were tested. None: if it tells more than expected by chance, however little.
    task : {"classification", "regression"}, default="classification"
        Whether the target that "pairs" looks at holds classes or numbers.
    keep_originals : bool, default=True
        Whether the columns that were joined stay in the table. Others always stay.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, beside those whose type says so: text, bool, a category
        without order, a polars Enum.

    Attributes
    ----------
    groups_ : list of tuple of str
        Names of the joined columns, group by group.
    log_p_values_ : ndarray
        With "pairs": log p of every proposed group, ascending and not adjusted; the more negative,
        the more the group tells beyond its parts. Else empty.
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, if they have any.

    Notes
    -----
    A cell that is missing in any part is missing in the joined column. A combination that did not
    occur in `fit` is joined like any other; a tree treats it as a level it has not seen. Within a
    part, ``|`` and ``\`` are written ``\|`` and ``\\``, so that different combinations are never
    written alike; of numbers, 2 and 2.0 are both written ``2``.

    **How pairs are proposed.** A pair (a, b) is worth joining if it tells more of the class than
    the better of its parts, that is, if b tells something where a is known *and* a tells
    something where b is known. The plain difference of chi-square statistics, joint minus larger,
    grows with the number of combinations whether they mean anything or not. So what b adds to a is
    the sum over the values of a of Pearson's statistic of b and the class among the rows with that
    value (the partition of chi-square: joint = a + b within a, exact for the likelihood-ratio
    form). Its mean and variance are known exactly if b adds nothing, for any margins (Dawson
    1954), and log p is the tail of the scaled chi-square distribution with this mean and variance:
    degrees of freedom are accounted for, and combinations of one or two rows, where the usual
    approximation fails and many-valued pairs would win by chance, count for what they are. The
    pair's log p is the larger (weaker) of the two, b within a and a within b; the pairs with the
    smallest are proposed, ties to the first columns, and a pair at log p = 0 never is. Rows where
    a or b is missing are left out of their pair's test.

    A larger group must need every one of its columns: its log p is the largest of those that each
    column has within the combinations of the others. Of a target of numbers, the statistic is the
    sum of squares between the values of b within those of a; its mean and variance over all ways of
    dealing out the targets within the values of a are exact, too. A weight counts as repeated rows,
    so that the scale of the weights matters.

    References
    ----------
    Pereira (2018), section 5.1. Dawson (1954), Biometrika 41, p. 280.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from ramify import AttributeAggregator, TreeClassifier
    >>> X = [["a", "u", 1.5], ["a", "v", 0.5], ["b", "u", 1.5], ["b", "v", 0.5]] * 5
    >>> y = ["no", "yes", "yes", "no"] * 5
    >>> both = AttributeAggregator().fit(X, y)
    >>> both.get_feature_names_out()
    array(['x0', 'x1', 'x2', 'x0|x1'], dtype=object)
    >>> both.transform(X[:2])
    array([['a', 'u', 1.5, 'a|u'],
           ['a', 'v', 0.5, 'a|v']], dtype=object)
    >>> make_pipeline(both, TreeClassifier(max_depth=1)).fit(X, y).score(X, y)
    1.0
    """

    groups_: list[tuple[str, ...]]
    log_p_values_: NDArray[np.float64]
    schema_: Schema
    n_features_in_: int

    def __init__(
        self,
        *,
        groups: str | Sequence[Sequence[str | int]] = "pairs",
        n_groups: int = 3,
        max_size: int = 2,
        alpha: float | None = 0.05,
        task: Literal["classification", "regression"] = "classification",
        keep_originals: bool = True,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.groups = groups
        self.n_groups = n_groups
        self.max_size = max_size
        self.alpha = alpha
        self.task = task
        self.keep_originals = keep_originals
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> AttributeAggregator:
        """Find the columns to join.

        Parameters
        ----------
        X : table
            Any dataframe narwhals reads (pandas, polars, pyarrow), array, list of rows, or dict of
            columns. Missing cells are welcome.
        y : array-like or None
            The target of every row; only "pairs" looks at it.
        sample_weight : array-like or None
            Weights of the rows; a weight of 2 equals a repeated row. Only "pairs" looks at them.

        Returns
        -------
        AttributeAggregator
            The transformer itself.
        """
        n_groups = check.limit("n_groups", self.n_groups, least=0)
        max_size = check.whole("max_size", self.max_size, least=2)
        if self.alpha is not None:
            check.probability("alpha", self.alpha, none="None or ")
        task = check.choice("task", self.task, TASKS)
        check.boolean("keep_originals", self.keep_originals)
        schema, columns = read_table(X, categorical_features=self.categorical_features)
        weights = sample_weights(sample_weight, columns.n_rows)
        if weights is None:
            weights = np.ones(columns.n_rows)
        log_p: list[float] = []
        if isinstance(self.groups, str):
            if self.groups != "pairs":
                raise _not_groups(self.groups)
            if task == "classification":
                owner, numeric = type(self).__name__, "task='regression'"
                classes, codes = class_codes(y, columns.n_rows, owner, for_numbers=numeric)
                test = _test_of_classes(codes, len(classes), weights)
            else:
                test = _test_of_numbers(numbers(y, columns.n_rows, type(self).__name__), weights)
            nominal = [j for j, column in enumerate(schema.columns) if column.kind != "numeric"]
            arrays = {j: columns.column(j) for j in nominal}
            found, tested = _ranked_groups(arrays, max_size, weights > 0, test)
            if self.alpha is not None:
                most = log(self.alpha)
                found = [one for one in found if _core.log_adjusted(one[0], tested) <= most]
            positions = [group for _, group in found[:n_groups]]
            log_p = [one for one, _ in found[:n_groups]]
        else:
            positions = _given_groups(self.groups, schema)
        names = _joined_names(positions, schema)
        self._positions, self._joined = positions, names
        self.groups_ = [tuple(schema.names[j] for j in group) for group in positions]
        self.log_p_values_ = np.array(log_p, dtype=np.float64)
        self.schema_ = schema
        self.n_features_in_ = len(schema)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def transform(self, X: Any) -> Any:
        """Append the joined columns.

        Parameters
        ----------
        X : table
            Columns as in `fit`.

        Returns
        -------
        table
            A dataframe of the kind of X, with its index; a dict of columns for a dict; otherwise
            an array, of objects if a column was joined. `set_output` says otherwise.
        """
        check_is_fitted(self, "schema_")
        source = open_table(X)
        self.schema_.check_names(source, type(self).__name__)
        joined = {
            name: join_cells(
                [(source.columns[j], self.schema_.columns[j]) for j in group], source.n_rows
            )
            for name, group in zip(self._joined, self._positions, strict=True)
        }
        return same_kind(X, source, self._kept(), joined, self._wanted_output())

    def _kept(self) -> list[int]:
        if check.boolean("keep_originals", self.keep_originals):
            return list(range(len(self.schema_)))
        gone = {j for group in self._positions for j in group}
        return [j for j in range(len(self.schema_)) if j not in gone]

    def _wanted_output(self) -> str:
        # What scikit-learn would turn an array into: told here, since an array of objects has
        # forgotten which of its columns were numbers.
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        return own or str(sklearn.get_config()["transform_output"])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Give the names of the columns that `transform` returns.

        Parameters
        ----------
        input_features : array-like of str or None
            Names of the columns of X, if they had none in `fit`; else they must be those.

        Returns
        -------
        ndarray of str
            Original columns that stay, then the joined ones.
        """
        check_is_fitted(self, "schema_")
        names = self.schema_.names
        if input_features is not None:
            given = [str(name) for name in input_features]
            if self.schema_.named and given != names:
                raise ValueError("input_features is not equal to feature_names_in_")
            if len(given) != len(names):
                raise ValueError(
                    f"input_features should have length equal to number of features "
                    f"({len(names)}), got {len(given)}"
                )
            names = given
        joined = [BETWEEN.join(names[j] for j in group) for group in self._positions]
        return np.array([names[j] for j in self._kept()] + joined, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "schema_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = isinstance(self.groups, str)
        tags.transformer_tags.preserves_dtype = []
        return tags


# --- which columns -------------------------------------------------------------------------------


def _not_groups(groups: Any) -> ValueError:
    return ValueError(
        f"groups={groups!r:.120} is not valid; give 'pairs', or a list of groups, each a list of "
        "two or more names or indices of columns"
    )


def _given_groups(groups: Any, schema: Schema) -> list[tuple[int, ...]]:
    if not isinstance(groups, Sequence | np.ndarray):
        raise _not_groups(groups)
    found: list[tuple[int, ...]] = []
    for group in groups:
        if isinstance(group, str) or not isinstance(group, Sequence | np.ndarray):
            raise _not_groups(groups)
        positions = tuple(_position(one, schema) for one in group)
        if len(set(positions)) < 2 or len(set(positions)) < len(positions):
            raise ValueError(
                f"groups: {list(group)!r:.120} must be two or more different columns to join"
            )
        found.append(positions)
    return found


def _position(one: Any, schema: Schema) -> int:
    if isinstance(one, str):
        if not schema.named:
            raise ValueError(f"groups: X has no column names, so {one!r} must be an index")
        if one not in schema.names:
            raise ValueError(
                f"groups: X has no column {one!r}; its columns are {short_list(schema.names, 20)}"
            )
        j = schema.names.index(one)
    elif isinstance(one, Integral) and not isinstance(one, bool) and 0 <= int(one) < len(schema):
        j = int(one)
    else:
        raise ValueError(
            f"groups: {one!r:.80} is neither a column name nor an index of 0 to {len(schema) - 1}"
        )
    if schema.columns[j].kind == "numeric":
        raise ValueError(
            f"groups: column {schema.names[j]!r} is numeric, and only nominal columns can be "
            "joined; name it in categorical_features if its numbers are categories, or cut it "
            "into intervals first"
        )
    return j


def _joined_names(positions: list[tuple[int, ...]], schema: Schema) -> list[str]:
    names = [BETWEEN.join(schema.names[j] for j in group) for group in positions]
    for i, name in enumerate(names):
        if name in schema.names or name in names[:i]:
            raise ValueError(f"groups: two columns would be named {name!r}")
    return names


def _test_of_classes(codes: NDArray[Any], n_classes: int, weights: NDArray[np.float64]) -> _Test:
    def test(rows: NDArray[np.intp], joint: NDArray[np.int64], given: NDArray[np.int64]) -> float:
        cells = joint * n_classes + codes[rows]
        counts = sums(cells, weights[rows], len(given) * n_classes)
        return conditional_log_p(counts.reshape(-1, n_classes), given)

    return test


def _test_of_numbers(target: NDArray[np.float64], weights: NDArray[np.float64]) -> _Test:
    # The test asks for neither place nor scale of the target; fourth powers must stay finite.
    target = target - target.mean()
    largest = np.abs(target).max()
    target = target / largest if largest > 0 else target

    def test(rows: NDArray[np.intp], joint: NDArray[np.int64], given: NDArray[np.int64]) -> float:
        return conditional_log_p_of_means(joint, given, target[rows], weights[rows])

    return test


def _ranked_groups(
    arrays: Mapping[int, NDArray[Any]], max_size: int, present: NDArray[np.bool_], test: _Test
) -> tuple[list[tuple[float, tuple[int, ...]]], int]:
    """All groups with log p below 0, the smallest first; and how many were tested."""
    ranked: list[tuple[float, tuple[int, ...]]] = []
    tested = 0
    for size in range(2, min(max_size, len(arrays)) + 1):
        for group in combinations(arrays, size):
            known = np.logical_and.reduce([present, *(arrays[j] != MISSING for j in group)])
            rows = np.flatnonzero(known)
            if not len(rows):
                continue
            tested += 1
            joint, values = _combined([arrays[j][rows] for j in group])
            log_p = max(
                test(rows, joint, _combined([v for i, v in enumerate(values) if i != out])[0])
                for out in range(size)
            )
            if log_p < 0.0:
                ranked.append((log_p, group))
    return sorted(ranked, key=lambda one: (one[0], len(one[1]), one[1])), tested


def _combined(
    columns: Sequence[NDArray[Any]],
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Number the combinations that occur, and give the value of every column in each of them."""
    joint = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes = _dense(column)
        joint = _dense(joint * (int(codes.max()) + 1) + codes)
    first = np.unique(joint, return_index=True)[1]
    return joint, [column[first].astype(np.int64) for column in columns]


def _dense(values: NDArray[Any]) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
