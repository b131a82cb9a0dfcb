"""A measure: its name, what computes it, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.learning.measures.answers import Answers, Floats
from ramify.learning.measures.positive import positive_class

CLASSIFICATION, REGRESSION = "classification", "regression"
#: Groups of rows from which the standard error of a score is estimated.
_GROUPS = 20
# Groups of this many rows are scored each by itself; smaller ones are left out in turn.
_LARGE_GROUP = 1000


@dataclass(frozen=True)
class Measure:
    """How good predictions are, as one number.

    Parameters
    ----------
    name : str
        The name that users give it.
    label : str
        The name in words.
    task : {"classification", "regression"}
        What it is for.
    compute : callable
        Gives the score of some answers; NaN where it is not defined.
    guess : str
        What the baseline does, in words.
    greater_is_better : bool
        Which end wins.
    shown_as : {"number", "percent"}
        How it is written.
    needs : {"predicted", "probabilities", "rankings"}
        What it looks at. Rankings are probabilities or decision values.
    of_one_class : bool
        Whether it is about the positive one of two classes; with more, it is the mean over all.
    by_row : callable or None
        What every row brings to the score, if it is a mean over rows.
    """

    name: str
    label: str
    task: str
    compute: Callable[[Answers], float]
    guess: str
    greater_is_better: bool = True
    shown_as: Literal["number", "percent"] = "number"
    needs: Literal["predicted", "probabilities", "rankings"] = "predicted"
    of_one_class: bool = False
    by_row: Callable[[Answers], Floats] | None = None

    def label_for(self, classes: NDArray[Any] | None) -> str:
        """Give the name in words, with the class that it is about.

        Examples
        --------
        >>> from ramify.learning.measures import MEASURES
        >>> MEASURES["f1"].label_for(np.array(["no", "yes"]))
        'F1 of yes'
        >>> MEASURES["f1"].label_for(np.array(["a", "b", "c"]))
        'F1, mean of 3 classes'
        """
        if not self.of_one_class or classes is None:
            return self.label
        if len(classes) == 2:
            label = str(classes.tolist()[positive_class(classes)])
            return f"{self.label} of {'class ' if label[:1].isdigit() else ''}{label}"
        return f"{self.label}, mean of {len(classes)} classes"

    def baseline(self, answers: Answers, guess: Any) -> float:
        """Give the score of a constant answer: class shares or mean of the training rows."""
        if self.name == "r2":
            return 0.0  # by definition: it compares with the mean
        return self.compute(answers.constant(guess, cheapest=self.name == "cost"))

    def standard_error(self, answers: Answers) -> float:
        """Give the standard error of the score, from the rows.

        That of a mean if the score is one. Otherwise rows are dealt to groups: large groups are
        scored each by itself, small ones are left out in turn (the jackknife).
        """
        n = len(answers)
        if n < 2:
            return float("nan")
        if self.by_row is not None:
            values, w = self.by_row(answers), answers.row_weights
            mean = answers.mean(values)
            return float(np.sqrt((w**2 * (values - mean) ** 2).sum()) / w.sum())
        groups = min(_GROUPS, n)
        group = np.arange(n) % groups
        alone = n // groups >= _LARGE_GROUP
        parts = [group == i if alone else group != i for i in range(groups)]
        scores = np.array([self.compute(answers.take(part)) for part in parts])
        scores = scores[np.isfinite(scores)]
        if len(scores) < 2:
            return float("nan")
        spread = float(((scores - scores.mean()) ** 2).sum())
        k = len(scores)
        return float(np.sqrt(spread / k / (k - 1)) if alone else np.sqrt(spread * (k - 1) / k))
