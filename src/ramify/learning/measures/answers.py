"""What was predicted of some rows, and what is true of them: all that a measure looks at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: The code of a prediction that gives no answer.
ABSTAINS = -1


@dataclass(frozen=True, eq=False)
class Answers:
    """Predictions beside the truth.

    Parameters
    ----------
    y : ndarray
        The code of every row's class, or its number.
    predicted : ndarray or None
        The predicted code, -1 where a learner abstains, or the predicted number.
    probabilities : ndarray of shape (rows, classes) or None
        Probabilities of the classes, or whatever else ranks the rows.
    classes : ndarray or None
        The labels, sorted; None if the target is a number.
    weights : ndarray or None
        Weights of the rows; None means that all weigh 1.
    costs : ndarray or None
        True class by answer. One more column is for abstaining.
    """

    y: NDArray[Any]
    predicted: NDArray[Any] | None = None
    probabilities: Floats | None = None
    classes: NDArray[Any] | None = None
    weights: Floats | None = None
    costs: Floats | None = None

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 if the target is a number."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def answers(self) -> NDArray[Any]:
        """The predictions, for a measure that needs one of every row."""
        found = self.labels
        without = int((found == ABSTAINS).sum()) if self.n_classes else 0
        if without:
            raise ValueError(
                f"this measure needs an answer to every row, and {without:,} of {len(self):,} have "
                "none: the learner abstains; choose 'accuracy' or 'cost'"
            )
        return found

    @property
    def labels(self) -> NDArray[Any]:
        """The predictions, -1 where a learner abstains."""
        assert self.predicted is not None
        return self.predicted

    @property
    def shares(self) -> Floats:
        """The probabilities, for a measure that needs them."""
        if self.probabilities is None:
            raise ValueError("this measure needs probabilities, which the learner does not give")
        return self.probabilities

    @property
    def row_weights(self) -> Floats:
        """The weights of the rows as an array."""
        return np.ones(len(self)) if self.weights is None else self.weights

    def take(self, rows: NDArray[Any]) -> Answers:
        """Give some of the rows."""
        return replace(
            self,
            y=self.y[rows],
            predicted=None if self.predicted is None else self.predicted[rows],
            probabilities=None if self.probabilities is None else self.probabilities[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def mean(self, values: NDArray[Any]) -> float:
        """Give the weighted mean over the rows; NaN if there is none."""
        if not len(values) or (self.weights is not None and not self.weights.any()):
            return float("nan")
        return float(np.average(np.asarray(values, dtype=np.float64), weights=self.weights))

    def constant(self, guess: Any, *, cheapest: bool = False) -> Answers:
        """Give the same answer to all rows: what is known without looking at any column.

        Parameters
        ----------
        guess : ndarray or float
            The shares of the classes in training, or the mean of the numbers.
        cheapest : bool
            Whether the answer is the one that costs least, not the largest class.
        """
        n = len(self)
        if not self.n_classes:
            return replace(self, predicted=np.full(n, float(guess)))
        shares = np.asarray(guess, dtype=np.float64)
        answer = int(np.argmax(shares))
        if cheapest and self.costs is not None:
            answer = int(np.argmin(shares @ self.costs))
            answer = ABSTAINS if answer == self.n_classes else answer
        return replace(
            self,
            predicted=np.full(n, answer, dtype=np.int64),
            probabilities=np.broadcast_to(shares, (n, len(shares))),
        )
