"""Learners that look at no column: what every other one must beat."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from ramify.learning.labels import class_codes, numbers
from ramify.learning.weights import cost_matrix
from ramify.tables.rows import n_rows_of


class LargestClass(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Answers the largest class of the training rows, with the shares of all classes.

    Unlike scikit-learn's DummyClassifier it takes any table, also a dict of columns.

    Parameters
    ----------
    costs : array-like of shape (classes, classes) or None, default=None
        Costs of the answers, true class by predicted class. The answer is then the cheapest class.

    Examples
    --------
    >>> from ramify.evaluate.constant import LargestClass
    >>> LargestClass().fit({"x": [1, 2, 3]}, ["a", "b", "b"]).predict({"x": [7]}).tolist()
    ['b']
    """

    def __init__(self, *, costs: Any = None) -> None:
        self.costs = costs

    def fit(self, X: Any, y: Any) -> Self:
        """Count the classes."""
        self.classes_, codes = class_codes(y, n_rows_of(X), type(self).__name__)
        self.shares_ = np.bincount(codes) / len(codes)
        costs = cost_matrix(self.costs, self.classes_)
        merit = self.shares_ if costs is None else -(self.shares_ @ costs)
        self.answer_ = self.classes_[np.argmax(merit)]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Give the largest class for every row, or the cheapest."""
        return np.full(n_rows_of(X), self.answer_, self.classes_.dtype)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the shares of the classes for every row."""
        return np.tile(self.shares_, (n_rows_of(X), 1))


class Mean(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Answers the mean of the training rows."""

    def fit(self, X: Any, y: Any) -> Self:
        """Compute the mean."""
        self.mean_ = float(numbers(y, n_rows_of(X), type(self).__name__).mean())
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Give the mean for every row."""
        return np.full(n_rows_of(X), self.mean_)
