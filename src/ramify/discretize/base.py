"""What the discretisers share: reading a table in `fit`, and cutting one in `transform`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.discretize.output import (
    ENCODINGS,
    NOMINAL,
    Cut,
    as_table,
    digits_apart,
    fill_cells,
    make_cuts,
    output_columns,
    output_names,
)
from ramify.learning import parameters as check
from ramify.learning.labels import class_codes
from ramify.learning.transformer import TableTransformer, output_library
from ramify.learning.weights import sample_weights
from ramify.tables import Schema, Table
from ramify.tables.source import open_table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FitData:
    """What a fit has read: the table, the target, the weights."""

    table: Table
    numeric: list[int]  # positions of the numeric columns
    classes: NDArray[Any] | None  # None if the target is numbers, or not used
    target: NDArray[Any] | None  # a code or a number per row; None if it is not used
    weights: Floats | None
    threads: int

    def core_table(self) -> _core.Table:
        """Give the numeric columns as the core takes them."""
        every = len(self.numeric) == len(self.table)
        table = self.table if every else self.table.select(self.numeric)
        return table.core(self.threads)

    def by_class(self) -> tuple[_core.Table, NDArray[np.int32], int, Floats | None]:
        """Give the first arguments of every search of the core that cuts by classes."""
        assert self.classes is not None
        assert self.target is not None
        return self.core_table(), self.target, len(self.classes), self.weights


class CutsColumns:
    """`transform` and the names of its result, by the cuts that `_cuts` gives.

    This is not a scikit-learn class, so that scikit-learn does not wrap `transform`. `transform`
    does itself what `set_output` asks for: only here is it known which columns are numbers, and
    which names a part of a ranking has.
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
        outputs = output_columns(self.schema_, cuts, self.encode, self.nominal)
        names = output_names(outputs, self.schema_.names, self.schema_)
        missing = 0.0 if self.encode == "onehot" else np.nan
        cells = fill_cells(source, self.schema_, outputs, cuts, missing=missing)
        kept = {i: output.column for i, output in enumerate(outputs) if output.kind == "keep"}
        return as_table(X, source, names, kept, cells, output_library(self))

    def _names_out(self, names: list[str]) -> list[str]:
        outputs = output_columns(self.schema_, self._cuts(), self.encode, self.nominal)
        return output_names(outputs, names, self.schema_)


class Discretizer(TableTransformer):
    """A transformer that learns where to cut numeric columns."""

    classes_: NDArray[Any]

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

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        check.choice("encode", self.encode, ENCODINGS)
        check.choice("nominal", self.nominal, NOMINAL)
        threads = check.threads(self.n_jobs)
        self._check_parameters()
        table = Table.read(X, categorical_features=self.categorical_features)
        kinds = [column.kind for column in table.schema.columns]
        numeric = [j for j, kind in enumerate(kinds) if kind == "numeric"]
        classes, target = self._read_target(y, table.n_rows)
        weights = sample_weights(sample_weight, table.n_rows)
        self._learn(FitData(table, numeric, classes, target, weights, threads))
        self.schema_ = table.schema
        if classes is not None:
            self.classes_ = classes
        elif hasattr(self, "classes_"):
            del self.classes_

    def _check_parameters(self) -> None:
        """Check the parameters of the class itself, as far as that needs no data."""

    def _read_target(self, y: Any, n_rows: int) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        """Give the classes, and a code or a number per row; None for what there is not."""
        return None, None

    def _learn(self, data: FitData) -> None:
        """Find the cuts of the numeric columns."""
        raise NotImplementedError


class CutsByColumn(CutsColumns):
    """Cuts each column by thresholds of its own, which `_thresholds` finds."""

    thresholds_: list[Floats]

    def _thresholds(self, data: FitData) -> list[Floats]:
        """Find the thresholds of every numeric column, ascending."""
        raise NotImplementedError

    def _learn(self, data: FitData) -> None:
        found = dict(zip(data.numeric, self._thresholds(data), strict=True))
        self.thresholds_ = [found.get(j, np.empty(0)) for j in range(len(data.table))]

    def _cuts(self) -> list[Cut]:
        index = np.repeat(np.arange(len(self.thresholds_)), list(map(len, self.thresholds_)))
        values = np.concatenate(self.thresholds_)
        return make_cuts(index, values, digits_apart(index, values))


class SupervisedDiscretizer(Discretizer):
    """A discretiser that cuts where the target changes."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Find where to cut.

        Parameters
        ----------
        X : table
            The columns to cut: any dataframe narwhals reads (pandas, polars, pyarrow), array, list
            of rows, or dict of columns. Missing cells are welcome.
        y : array-like
            The target of every row: its class, or a number where the discretiser cuts by numbers.
        sample_weight : array-like or None
            Weights of the rows. A weight of 2 counts as a repeated row, a weight of 0 as no row.

        Returns
        -------
        object
            The discretiser itself.
        """
        self._fit(X, y, sample_weight)
        return self

    def _read_target(self, y: Any, n_rows: int) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        return class_codes(y, n_rows, type(self).__name__)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
