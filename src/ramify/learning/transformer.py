"""The base class of the transformers: names of the resulting columns, and scikit-learn's rules.

Used by the discretisers and by `AttributeAggregator`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ramify.learning.model import ReadsColumns


class TableTransformer(ReadsColumns, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that turns a table into one of the same kind; not for direct use."""

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Give the names of the columns that `transform` returns.

        Parameters
        ----------
        input_features : array-like of str or None
            Names of the columns of X, if they had none in `fit`. If they had names, give the same
            names or None.

        Returns
        -------
        ndarray of str
            One name per column, such as ``"petal width (cm) <= 0.8"`` or ``"parents|has_nurs"``.
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
        return np.array(self._names_out(names), dtype=object)

    def _names_out(self, names: list[str]) -> list[str]:
        """Give the names of the resulting columns, from those of X."""
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "schema_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def output_library(transformer: Any) -> str:
    """Give the library that `set_output` asks for, or "default".

    `transform` makes that table itself. scikit-learn could convert an array of objects, but such an
    array does not say which of its columns were numbers.
    """
    own = getattr(transformer, "_sklearn_output_config", {}).get("transform")
    return own or str(sklearn.get_config()["transform_output"])
