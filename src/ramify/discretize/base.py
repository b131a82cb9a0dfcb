"""What the discretisers share: reading the table, and giving it back cut."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.discretize.output import (
    ENCODINGS,
    NOMINAL,
    Cut,
    as_table,
    fill,
    names_of,
    plan,
)
from ramify.learning import parameters as check
from ramify.learning.labels import class_codes
from ramify.learning.weights import sample_weights
from ramify.tables import Columns, Schema, read_table
from ramify.tables.source import open_table
from ramify.tree.words import format_number, threshold_digits

Floats = NDArray[np.float64]
_PRECISION = 6


class Learning(NamedTuple):
    """The numeric columns of a table, what they are to tell, and the weights of the rows."""

    table: _core.Table
    target: NDArray[Any]  # codes of classes, or numbers
    classes: NDArray[Any] | None  # None if the target is numbers
    weights: Floats | None

    @property
    def labelled(self) -> tuple[_core.Table, NDArray[np.int32], int, Floats | None]:
        """What a search by classes takes first."""
        assert self.classes is not None
        return self.table, self.target, len(self.classes), self.weights


class CutsColumns:
    """`transform` and the names of what it gives, by the cuts that `_cuts` names.

    Not a scikit-learn class on purpose: it makes what `set_output` asks for itself, since only here
    is it known which columns are numbers, and which names a shorter ranking has.
    """

    schema_: Schema
    encode: Any
    nominal: Any

    def _cuts(self) -> list[Cut]:
        raise NotImplementedError

    def transform(self, X: Any) -> Any:
        """Cut the columns of a table.

        Parameters
        ----------
        X : table
            Columns as in `fit`.

        Returns
        -------
        table
            A dataframe of the kind of X, with its index; a dict of columns for a dict; otherwise
            an array, of objects if nominal columns pass through. `set_output` says otherwise.
        """
        check_is_fitted(self, "schema_")
        return self._transform(X, self._cuts())

    def _transform(self, X: Any, cuts: list[Cut]) -> Any:
        source = open_table(X)
        self.schema_.check_names(source, type(self).__name__)
        outputs = plan(self.schema_, cuts, self.encode, self.nominal)
        names = names_of(outputs, self.schema_.names, self.schema_)
        missing = 0.0 if self.encode == "onehot" else np.nan
        cells = fill(source, self.schema_, outputs, cuts, missing=missing)
        kept = {i: output.column for i, output in enumerate(outputs) if output.kind == "keep"}
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        wanted = own or str(sklearn.get_config()["transform_output"])
        return as_table(X, source, names, kept, cells, wanted)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Give the names of the columns that `transform` returns.

        Parameters
        ----------
        input_features : array-like of str or None
            Names of the columns of X, if they had none in `fit`; else they must be those.

        Returns
        -------
        ndarray of str
            Such as ``"petal width (cm) <= 0.8"``.
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
        outputs = plan(self.schema_, self._cuts(), self.encode, self.nominal)
        return np.array(names_of(outputs, names, self.schema_), dtype=object)


class CutsByColumn(CutsColumns):
    """`transform` by thresholds that every column has for itself."""

    thresholds_: list[Floats]

    def _cuts(self) -> list[Cut]:
        cuts = []
        for j, values in enumerate(self.thresholds_):
            digits = threshold_digits(np.full(len(values), j, np.int32), values, _PRECISION)
            pairs = zip(values.tolist(), digits.tolist(), strict=True)
            cuts += [Cut(j, value, format_number(value, places)) for value, places in pairs]
        return cuts

    def _keep_thresholds(self, n_columns: int, numeric: list[int], found: list[Floats]) -> None:
        by_column = dict(zip(numeric, found, strict=True))
        self.thresholds_ = [by_column.get(j, np.empty(0)) for j in range(n_columns)]


class Discretizer(CutsColumns, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that learns where to cut numeric columns."""

    n_features_in_: int
    categorical_features: Any
    n_jobs: Any

    def _begin(self, X: Any) -> tuple[Schema, Columns, list[int], int]:
        """Validate the parameters and read the table: also the numeric columns, and threads."""
        check.choice("encode", self.encode, ENCODINGS)
        check.choice("nominal", self.nominal, NOMINAL)
        threads = check.threads(self.n_jobs)
        self._check_parameters()
        schema, columns = read_table(X, categorical_features=self.categorical_features)
        numeric = [j for j, column in enumerate(schema.columns) if column.kind == "numeric"]
        return schema, columns, numeric, threads

    def _check_parameters(self) -> None:
        """Validate what can be validated without data."""

    def _remember(self, schema: Schema) -> None:
        self.schema_ = schema
        self.n_features_in_ = len(schema)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "schema_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags


class SupervisedDiscretizer(Discretizer):
    """One that cuts by what a target says."""

    classes_: NDArray[Any]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Find where to cut.

        Parameters
        ----------
        X : table
            Any dataframe narwhals reads (pandas, polars, pyarrow), array, list of rows, or dict of
            columns. Missing cells are welcome.
        y : array-like
            The target of every row: its class, or a number where the discretiser cuts by numbers.
        sample_weight : array-like or None
            Weights of the rows; a weight of 2 counts as a repeated row, one of 0 as none.

        Returns
        -------
        object
            The transformer itself.
        """
        schema, columns, numeric, threads = self._begin(X)
        classes, target = self._target(y, columns.n_rows)
        weights = sample_weights(sample_weight, columns.n_rows)
        table = _numeric_table(columns, numeric, threads)
        data = Learning(table, target, classes, weights)
        self._learn(schema, numeric, data, threads)
        self._remember(schema)
        if classes is not None:
            self.classes_ = classes
        elif hasattr(self, "classes_"):
            del self.classes_
        return self

    def _target(self, y: Any, n_rows: int) -> tuple[NDArray[Any] | None, NDArray[Any]]:
        """Give the classes and the code of every row; or None, and the number of every row."""
        return class_codes(y, n_rows, type(self).__name__)

    def _learn(self, schema: Schema, numeric: list[int], data: Learning, threads: int) -> None:
        """Find the cuts of the numeric columns."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class ColumnwiseDiscretizer(CutsByColumn, SupervisedDiscretizer):
    """One that cuts every column for itself, by the classes."""

    def _search(self, data: Learning, threads: int) -> list[Floats]:
        raise NotImplementedError

    def _learn(self, schema: Schema, numeric: list[int], data: Learning, threads: int) -> None:
        self._keep_thresholds(len(schema), numeric, self._search(data, threads))


def _numeric_table(columns: Columns, numeric: list[int], threads: int) -> _core.Table:
    table = _core.Table(columns.n_rows)
    if columns.matrix is not None:
        table.add_matrix(columns.matrix, threads)
    elif numeric:
        table.add_numeric([columns.arrays[j] for j in numeric], threads)
    return table
