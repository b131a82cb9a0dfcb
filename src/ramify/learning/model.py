"""What all estimators share, whatever they fit: being saved, and what scikit-learn asks of them."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ramify.tree.doors import door


class TableModel(BaseEstimator):  # type: ignore[misc]
    """An estimator that takes any table and can be written to a file; not for direct use."""

    _fitted: ClassVar[str]  # the attribute that a fit leaves

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file that :func:`ramify.load` reads.

        Parameters that JSON cannot hold, such as callables (a criterion, `on_progress`) and
        random generators, are not written: they have their defaults when the model is loaded.

        Parameters
        ----------
        path : str or path
            The file; it is replaced if it is there.
        """
        check_is_fitted(self, self._fitted)
        door("save")(self, path)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._fitted)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class ClassProbabilities:
    """Logarithms for those who give class probabilities; not for direct use."""

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the class probabilities of every row."""
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the logarithms of the class probabilities.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray of shape (rows, classes)
            Minus infinity where a probability is zero.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
