"""Nominal attributes joined into one, so that a tree can split on their combinations."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.aggregate.groups import (
    conditional_test_of_classes,
    conditional_test_of_numbers,
    given_groups,
    joined_names,
    not_groups,
    ranked_groups,
)
from ramify.learning import parameters as check
from ramify.learning.labels import class_codes, numbers
from ramify.learning.transformer import TableTransformer, output_library
from ramify.learning.weights import sample_weights
from ramify.tables import Table
from ramify.tables.join import BETWEEN, join_cells, same_kind
from ramify.tables.source import open_table

_TASKS = ("classification", "regression")


class AttributeAggregator(TableTransformer):
    r"""Join nominal columns into one whose values are the combinations.

    A split on one attribute cannot see an interaction: if ``y = a XOR b``, neither `a` nor `b`
    alone says anything about `y`. A split on the joined column, whose values are the combinations
    of values, can see it (Pereira 2018, section 5.1). Columns ``parents`` and ``has_nurs`` become
    ``parents|has_nurs``, with values such as ``usual|proper``.

    Parameters
    ----------
    groups : "pairs" or list of lists, default="pairs"
        The columns to join, by name or by index, two or more to a group; or "pairs", to let
        `fit` propose pairs of nominal columns by the target, or larger groups of up to `max_size`
        columns (see Notes).
    n_groups : int, default=3
        Largest number of groups that "pairs" proposes; they may share columns.
    max_size : int, default=2
        Largest number of columns in a group that "pairs" proposes. All groups of up to so many
        nominal columns are tested: 4,060 groups of three among 30.
    alpha : float or None, default=0.05
        A group is proposed if its p-value is at most this, adjusted to 1 - (1 - p)^m for the m
        groups that were tested. None proposes every group that explains more than expected by
        chance, however little.
    task : {"classification", "regression"}, default="classification"
        Whether the target that "pairs" looks at holds classes or numbers.
    keep_originals : bool, default=True
        Whether the columns that were joined stay in the table. Others always stay.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, besides those whose type says so: text, bool, a category
        without order, a polars Enum.

    Attributes
    ----------
    schema_ : Schema
        The columns seen in `fit`, with their kinds and levels.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Their number, and their names if they have any.
    groups_ : list of tuple of str
        Names of the joined columns, group by group.
    log_p_values_ : ndarray
        With "pairs": log p of every proposed group, ascending and not adjusted. The more negative
        it is, the more the group says beyond its parts. Otherwise empty.

    Notes
    -----
    A row with a missing value in any part is missing in the joined column. A combination that did
    not occur in `fit` is joined like any other; a tree treats it as a level it has not seen. Within
    a part, ``|`` and ``\`` are written ``\|`` and ``\\``, so that different combinations are always
    written differently. The numbers 2 and 2.0 are both written ``2``.

    **How pairs are proposed.** A pair (a, b) is worth joining if it explains the class better than
    either part alone: b must add something where a is known, *and* a where b is known. The
    difference of chi-square statistics, joint minus larger, does not show this: it grows with the
    number of combinations, whatever they mean. Instead, what b adds to a is measured within the
    values of a: Pearson's statistic of b and the class among the rows with that value, summed over
    the values (the partition of chi-square: joint = a + b within a, exact for the likelihood-ratio
    form). If b adds nothing, mean and variance of this sum are known exactly, for any margins
    (Dawson 1954). log p is the tail of the scaled chi-square distribution with this mean and
    variance. It accounts for the degrees of freedom, and for combinations of one or two rows, where
    the usual approximation fails and pairs of many values would win by chance. The log p of the
    pair is the larger (weaker) of the two, b within a and a within b. The pairs with the smallest
    log p are proposed; ties go to the first columns, and a pair at log p = 0 is never proposed.
    Rows where a or b is missing are left out of the test of the pair.

    A larger group must need every one of its columns: its log p is the largest of those that each
    column has within the combinations of the others. For a target of numbers, the statistic is the
    sum of squares between the values of b within those of a. Its mean and variance over all
    permutations of the target within the values of a are exact too. A weight counts as repeated
    rows, so that the scale of the weights matters.

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
            The columns to join and others: any dataframe narwhals reads (pandas, polars, pyarrow),
            array, list of rows, or dict of columns. Missing cells are welcome.
        y : array-like or None
            The target of every row; only "pairs" uses it.
        sample_weight : array-like or None
            Weights of the rows; a weight of 2 equals a repeated row. Only "pairs" uses them.

        Returns
        -------
        AttributeAggregator
            The transformer itself.
        """
        self._check_parameters()
        table = Table.read(X, categorical_features=self.categorical_features)
        schema = table.schema
        given = sample_weights(sample_weight, table.n_rows)
        weights = np.ones(table.n_rows) if given is None else given
        log_p: list[float] = []
        if isinstance(self.groups, str):
            if self.groups != "pairs":
                raise not_groups(self.groups)
            log_p, positions = self._propose(table, y, weights)
        else:
            positions = given_groups(self.groups, schema)
        names = joined_names(positions, schema)
        self._positions, self._joined = positions, names
        self.groups_ = [tuple(schema.names[j] for j in group) for group in positions]
        self.log_p_values_ = np.array(log_p, dtype=np.float64)
        self.schema_ = schema
        return self

    def _check_parameters(self) -> None:
        check.limit("n_groups", self.n_groups, least=0)
        check.whole("max_size", self.max_size, least=2)
        if self.alpha is not None:
            check.probability("alpha", self.alpha, none="None or ")
        check.choice("task", self.task, _TASKS)
        check.boolean("keep_originals", self.keep_originals)

    def _propose(
        self, table: Table, y: Any, weights: NDArray[np.float64]
    ) -> tuple[list[float], list[tuple[int, ...]]]:
        """Give log p and the columns of the groups that the target asks for, the best first."""
        owner = type(self).__name__
        if self.task == "classification":
            numeric = "task='regression'"
            classes, codes = class_codes(y, table.n_rows, owner, for_numbers=numeric)
            test = conditional_test_of_classes(codes, len(classes), weights)
        else:
            test = conditional_test_of_numbers(numbers(y, table.n_rows, owner), weights)
        kinds = [column.kind for column in table.schema.columns]
        arrays = {j: table.column(j) for j, kind in enumerate(kinds) if kind != "numeric"}
        found, tested = ranked_groups(arrays, self.max_size, weights > 0, test)
        if self.alpha is not None:
            most = log(self.alpha)
            found = [one for one in found if _core.log_adjusted(one[0], tested) <= most]
        best = found[: self.n_groups]
        return [log_p for log_p, _ in best], [group for _, group in best]

    def transform(self, X: Any) -> Any:
        """Append the joined columns.

        Parameters
        ----------
        X : table
            Columns as in `fit`. Their values may form combinations that `fit` has not seen.

        Returns
        -------
        table
            The columns of X that stay, then the joined ones. For a dataframe it is one of the same
            library, with its index; for a dict of columns a dict; otherwise an array, of objects if
            a column was joined. `set_output` says otherwise.
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
        return same_kind(X, source, self._kept(), joined, output_library(self))

    def _kept(self) -> list[int]:
        if check.boolean("keep_originals", self.keep_originals):
            return list(range(len(self.schema_)))
        gone = {j for group in self._positions for j in group}
        return [j for j in range(len(self.schema_)) if j not in gone]

    def _names_out(self, names: list[str]) -> list[str]:
        joined = [BETWEEN.join(names[j] for j in group) for group in self._positions]
        return [names[j] for j in self._kept()] + joined

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = isinstance(self.groups, str)
        return tags
