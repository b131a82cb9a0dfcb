"""How fitted trees answer: with classes or with numbers, whoever grew them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check
from ramify.learning.model import ClassProbabilities
from ramify.tables.core import as_core
from ramify.tables.levels import as_level

if TYPE_CHECKING:
    from ramify.tables import Columns
    from ramify.tree import Tree


class Predicts:
    """What an answer needs of its estimator."""

    tree_: Tree
    n_jobs: Any

    if TYPE_CHECKING:

        def _encode(self, X: Any) -> Columns: ...

    def _values(self, table: Any) -> NDArray[np.float64]:
        values: NDArray[np.float64] = self.tree_.core.predict(
            table, self.tree_.unseen, check.threads(self.n_jobs)
        )
        return values


class PredictsClasses(ClassProbabilities, Predicts):
    """Prediction of classes and their shares."""

    classes_: NDArray[Any]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray
            Labels as given to :meth:`fit`. If `costs` has a column for it, None where it is
            cheapest to abstain; the array is then one of objects.
        """
        return self._labels(as_core(self._encode(X)))

    def _labels(self, table: Any) -> NDArray[Any]:
        costs = self.tree_.costs
        codes = self.tree_.core.predict_class(
            table,
            self.tree_.unseen,
            check.threads(self.n_jobs),
            None if costs is None else np.ascontiguousarray(costs).ravel(),
        )
        return self.tree_.answers[codes]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the class shares of every row.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray of shape (rows, classes)
            Shares in the leaf, or mixed over leaves where values are missing; columns in the order
            of ``classes_``.
        """
        return self._values(as_core(self._encode(X)))

    def _answer(self, table: Any) -> tuple[Any, float | None]:
        label = self._labels(table)[0]
        share = self._values(table)[0]
        if label is None:  # it abstains
            return None, float(share.max())
        return as_level(label), float(share[np.flatnonzero(self.classes_ == label)[0]])


class PredictsNumbers(Predicts):
    """Prediction of numbers."""

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the target of every row.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray
            The value of the leaf, or mixed over leaves where values are missing.
        """
        return self._values(as_core(self._encode(X)))[:, 0]

    def _answer(self, table: Any) -> tuple[Any, float | None]:
        return float(self._values(table)[0, 0]), None
