"""How boosted trees predict: sums of trees become scores, probabilities and classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.model import ClassModel
from ramify.tables import Schema, Table, Unseen
from ramify.tree import Tree
from ramify.trees.boosted.algorithms import ALGORITHMS, Algorithm, Floats, equalise_ties
from ramify.trees.boosted.leaves import Size
from ramify.trees.boosted.rounds import Term, empty_sums, terms_of
from ramify.trees.single.importance import counts_rows, gains_of_arrays, shares


class BoostedModel(ClassModel):
    """Predicts with a sum of trees; not for direct use."""

    criterion: Any
    n_jobs: Any
    estimators_: list[Tree]
    estimator_weights_: Floats
    _algorithm: Algorithm | None  # None if there is only one class
    _terms: list[Term]

    def take_over(
        self,
        trees: list[Tree],
        weights: Floats,
        schema: Schema,
        classes: NDArray[Any],
        *,
        algorithm: str,
        z_max: float,
        unseen: str,
    ) -> None:
        """Set what was learned, all at once, so that a fit that fails changes nothing."""
        chosen = ALGORITHMS[algorithm](len(classes), z_max) if len(classes) > 1 else None
        self._terms = (
            [] if chosen is None else terms_of(chosen, [t.core for t in trees], weights.tolist())
        )
        self._algorithm = chosen
        self._fitted_with = {"algorithm": algorithm, "z_max": z_max, "unseen": unseen}
        self.estimators_ = trees
        self.estimator_weights_ = weights
        self.n_rounds_ = 0 if chosen is None else len(trees) // chosen.n_trees
        self.classes_ = classes
        self.schema_ = schema

    def take_over_size(self, max_leaves: Size, path: dict[str, Any] | None) -> None:
        """Set the size of the trees, and the errors by which it was chosen."""
        self.max_leaves_ = max_leaves
        if path is not None:
            self.max_leaves_path_ = path
        elif hasattr(self, "max_leaves_path_"):
            del self.max_leaves_path_

    @property
    def _unseen(self) -> Unseen:
        return self._fitted_with["unseen"]  # type: ignore[return-value]

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        """Give the scores after every round. An error in X is raised at once, not later."""
        table, algorithm = self.read(X), self._algorithm
        if algorithm is None:
            return iter(())
        sums = empty_sums(table.n_rows, algorithm.n_sums)
        return (
            equalise_ties(algorithm.scores(sums))
            for number, _ in enumerate(self._add_terms(sums, table), start=1)
            if number % algorithm.n_trees == 0
        )

    def _scores(self, table: Table) -> Floats:
        """Give the scores of all classes."""
        algorithm = self._algorithm
        if algorithm is None:
            return np.zeros((table.n_rows, 1))
        sums = empty_sums(table.n_rows, algorithm.n_sums)
        for _ in self._add_terms(sums, table):
            pass
        return equalise_ties(algorithm.scores(sums))

    def _add_terms(self, sums: Floats, table: Table) -> Iterator[Term]:
        """Add the terms to the sums one by one; give each after it was added."""
        cells, threads = table.cells, check.threads(self.n_jobs)
        for term in self._terms:
            term.add_to(sums, cells, self._unseen, threads)
            yield term

    def _labels(self, table: Table) -> NDArray[Any]:
        return self._labels_of_scores(self._scores(table))

    def _shares(self, table: Table) -> Floats:
        return self._probabilities(self._scores(table))

    def _labels_of_scores(self, scores: Floats) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return labels

    def _probabilities(self, scores: Floats) -> Floats:
        if self._algorithm is None:
            return np.ones_like(scores)
        found = self._algorithm.probabilities(scores)
        # Rounding may give two different scores the same probability. The best must stay largest.
        best = scores.argmax(axis=1)
        tied = np.flatnonzero(found.argmax(axis=1) != best)
        found[tied, best[tied]] = np.nextafter(found[tied].max(axis=1), np.inf)
        return found

    def _decision(self, scores: Floats) -> Floats:
        return scores[:, -1].copy() if scores.shape[1] <= 2 else scores

    @property
    def feature_importances_(self) -> Floats:
        """Each column's share of the weighted gains of all trees."""
        check_is_fitted(self, "estimators_")
        gained = np.zeros(len(self.schema_))
        by_row = not counts_rows(self.criterion)
        for tree in self.estimators_:
            gained += gains_of_arrays(tree.core.arrays(), len(gained), by_row=by_row)
        return self.schema_.by_input(shares(gained, float(gained.sum())))

    def decision_function(self, X: Any) -> Floats:
        """Give the scores of every row of a table.

        With two classes, one number a row: half the log-odds of the second class. Otherwise a
        score for every class, of shape (rows, classes).
        """
        return self._decision(self._scores(self.read(X)))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the answer of :meth:`predict` after every round."""
        return map(self._labels_of_scores, self._staged_scores(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the answer of :meth:`predict_proba` after every round."""
        return map(self._probabilities, self._staged_scores(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the answer of :meth:`decision_function` after every round."""
        return map(self._decision, self._staged_scores(X))
