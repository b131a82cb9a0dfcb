"""What the discretisers share that do not look at the target."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ramify.discretize.base import CutsByColumn, Discretizer, Floats
from ramify.learning import parameters as check
from ramify.learning.weights import sample_weights


class EqualDiscretizer(CutsByColumn, Discretizer):
    """One that cuts every column for itself, by its values alone."""

    def __init__(
        self,
        *,
        n_bins: int = 5,
        encode: str = "ordinal",
        nominal: str = "passthrough",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.n_bins = n_bins
        self.encode = encode
        self.nominal = nominal
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find where to cut.

        Parameters
        ----------
        X : table
            Any dataframe narwhals reads (pandas, polars, pyarrow), array, list of rows, or dict of
            columns. Missing cells are welcome.
        y : None
            Not looked at; here so that pipelines can pass it.
        sample_weight : array-like or None
            Weights of the rows; a weight of 2 counts as a repeated row, one of 0 as none.

        Returns
        -------
        object
            The transformer itself.
        """
        schema, columns, numeric, threads = self._begin(X)
        weights = sample_weights(sample_weight, columns.n_rows)

        def cut(j: int) -> Floats:
            values = np.asarray(columns.column(j), dtype=np.float64)
            there = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
            return self._thresholds(values[there], None if weights is None else weights[there])

        with ThreadPoolExecutor(threads) as pool:  # sorting needs no lock of the interpreter
            self._keep_thresholds(len(schema), numeric, list(pool.map(cut, numeric)))
        self._remember(schema)
        return self

    def _check_parameters(self) -> None:
        check.whole("n_bins", self.n_bins, least=2)

    def _thresholds(self, values: Floats, weights: Floats | None) -> Floats:
        """Give the thresholds of known values."""
        raise NotImplementedError
