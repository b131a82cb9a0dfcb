"""`HeldOut`: what was predicted of rows that a learner has not seen, with scores and curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.held_out import curves
from ramify.learning.held_out.curves import Calibration, Curve, short
from ramify.learning.measures.answers import ABSTAINS, Answers, Floats
from ramify.learning.measures.measure import CLASSIFICATION, Measure
from ramify.learning.measures.of_classes import confusion
from ramify.learning.measures.ranking import Ranking
from ramify.learning.measures.registry import find_measure, measure_names
from ramify.learning.measures.words import write_score

_MOST_CURVES = 12  # more classes than this: curves of the most frequent ones
_MOST_CLASSES = 60  # more classes than this: no confusion matrix in a file
_POINTS = 400


@dataclass(frozen=True)
class ScoreValue:
    """A score on rows that the learner has not seen, with its spread and its baseline.

    Parameters
    ----------
    name, label : str
        The name of the measure, and its name in words.
    mean : float
        The mean over the folds, or the score of the one held-out part.
    spread : float
        The standard deviation over the folds; of one part, the standard error.
    baseline : float
        The score of a constant answer, learned from the same training rows.
    guess : str
        What that constant answer is, in words.
    percent : bool
        Whether it is written in per cent.
    greater_is_better : bool
        Which end wins.
    folds : tuple of float
        The score of each fold.
    """

    name: str
    label: str
    mean: float
    spread: float
    baseline: float
    guess: str
    percent: bool
    greater_is_better: bool
    folds: tuple[float, ...]

    @property
    def text(self) -> str:
        """The score and its spread: "78.8 % ± 1.3"."""
        return write_score(self.mean, self.spread, percent=self.percent)

    @property
    def baseline_text(self) -> str:
        """The baseline: "always the largest class: 61.6 %"."""
        return f"{self.guess}: {write_score(self.baseline, percent=self.percent)}"

    def __str__(self) -> str:
        return f"{self.text} ({self.baseline_text})"

    def to_dict(self) -> dict[str, Any]:
        """Give the score as JSON."""
        return {
            "name": self.name,
            "label": self.label,
            "mean": short(self.mean),
            "spread": short(self.spread),
            "baseline": short(self.baseline),
            "guess": self.guess,
            "percent": self.percent,
            "greater_is_better": self.greater_is_better,
            "text": str(self),
        }


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut:
    """Predictions of rows that a learner has not seen.

    Parameters
    ----------
    task : {"classification", "regression"}
        What was predicted.
    how : str
        Which rows these are: "10-fold cross-validation", "a fifth of the rows, held out", or the
        name of a file.
    y : ndarray
        The code of every row's class, a place in `classes`, or its number.
    predicted : ndarray
        The predicted code, -1 where the learner abstains, or the predicted number.
    fold : ndarray of int
        The fold in which each row was held out; all 0 if there is one part.
    guesses : ndarray
        For each fold the constant answer: shares of the classes, or the mean, in training.
    classes : ndarray or None
        The labels, sorted; None if the target is a number.
    probabilities : ndarray of shape (rows, classes) or None
        Those of a class without training rows are 0. None if the learner gives none.
    weights : ndarray or None
        Weights of the rows; None means that all weigh 1.
    costs : ndarray or None
        True class by answer. One more column is for abstaining.
    index : ndarray or None
        The places of the rows in the table; None if they are all rows in order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier
    >>> from ramify.learning.held_out import cross_predict
    >>> X, y = load_iris(return_X_y=True)
    >>> found = cross_predict(TreeClassifier(max_depth=2), X, y)
    >>> found
    <HeldOut: 150 rows, 10-fold cross-validation, accuracy 92.0 % ± 6.9>
    >>> str(found.score("accuracy"))
    '92.0 % ± 6.9 (always the largest class: 33.3 %)'
    >>> found.confusion().astype(int).tolist()
    [[50, 0, 0], [0, 44, 6], [0, 6, 44]]
    """

    task: str
    how: str
    y: NDArray[Any]
    predicted: NDArray[Any]
    fold: NDArray[np.int32]
    guesses: Floats
    classes: NDArray[Any] | None = None
    probabilities: Floats | None = None
    weights: Floats | None = None
    costs: Floats | None = None
    index: NDArray[np.intp] | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def n_folds(self) -> int:
        """Number of folds; 1 if there is one held-out part."""
        return len(self.guesses)

    @property
    def leading(self) -> ScoreValue:
        """The score that leads: accuracy, the cost if costs are given, or R2."""
        return self.score(self.names()[0])

    def __repr__(self) -> str:
        lead = self.leading
        return f"<HeldOut: {self.rows:,} rows, {self.how}, {lead.label} {lead.text}>"

    # --- scores -------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Give the names of the measures that these rows have, the one that leads first."""
        without = set()
        if self.costs is None:
            without.add("cost")
        if self.task == CLASSIFICATION and (self.predicted == ABSTAINS).any():
            without |= {"balanced_accuracy", "f1", "precision", "recall"}
        if self.probabilities is None:
            without |= {"roc_auc", "pr_auc", "log_loss", "brier"}
        found = [name for name in measure_names(self.task) if name not in without]
        # What the tree was grown for leads.
        return sorted(found, key=lambda name: name != "cost")

    def score(self, name: str) -> ScoreValue:
        """Give a score by the name of its measure.

        Parameters
        ----------
        name : str
            "accuracy", "balanced_accuracy", "roc_auc", "pr_auc", "log_loss", "brier", "f1",
            "precision", "recall" or "cost"; for numbers "r2", "rmse" or "mae".
        """
        known = self._scores.get(name)
        if known is None:
            known = self._scores[name] = self._score(find_measure(name, self.task))
        return known

    def mean(self, name: str) -> float:
        """Give a score of all rows at once, without spread and baseline."""
        return find_measure(name, self.task).compute(self.answers)

    def scores(self) -> list[ScoreValue]:
        """Give all scores that these rows have, the usual ones first."""
        return [self.score(name) for name in self.names()]

    @cached_property
    def _scores(self) -> dict[str, ScoreValue]:
        return {}

    @cached_property
    def answers(self) -> Answers:
        """Predictions and truth of all rows, as the measures take them."""
        return Answers(
            y=self.y,
            predicted=self.predicted,
            probabilities=self.probabilities,
            classes=self.classes,
            weights=self.weights,
            costs=self.costs,
        )

    @cached_property
    def _parts(self) -> list[Answers]:
        if self.n_folds == 1:
            return [self.answers]
        return [self.answers.take(self.fold == i) for i in range(self.n_folds)]

    def _score(self, measure: Measure) -> ScoreValue:
        pairs = list(zip(self._parts, self.guesses, strict=True))
        values = np.array([measure.compute(part) for part, _ in pairs])
        bases = np.array([measure.baseline(part, guess) for part, guess in pairs])
        known = values[np.isfinite(values)]
        if self.n_folds == 1:
            spread = measure.standard_error(self.answers)
        else:
            spread = float(np.std(known, ddof=1)) if len(known) > 1 else np.nan
        bases = bases[np.isfinite(bases)]
        return ScoreValue(
            name=measure.name,
            label=measure.label_for(self.classes),
            mean=float(known.mean()) if len(known) else np.nan,
            spread=spread,
            baseline=float(bases.mean()) if len(bases) else np.nan,
            guess=measure.guess,
            percent=measure.shown_as == "percent",
            greater_is_better=measure.greater_is_better,
            folds=tuple(values.tolist()),
        )

    def confusion(self) -> Floats:
        """Give the weight of rows by true and predicted class, over all folds.

        If the learner abstains somewhere, that is one more column.
        """
        self._check_classes()
        found = confusion(self.answers)
        return found if found[:, -1].any() else found[:, :-1]

    # --- curves -------------------------------------------------------------------------------

    def roc(self, k: int = -1) -> Curve:
        """Give the ROC curve of a class: x the share of others taken for it, y the share found."""
        return curves.roc(self._ranking(k))

    def precision_recall(self, k: int = -1) -> Curve:
        """Give precision (y) by recall (x) of a class, by its place in `classes`."""
        return curves.precision_recall(self._ranking(k))

    def gain(self, k: int = -1) -> Curve:
        """Give the share of a class that is found (y) by the share of rows that is taken (x)."""
        return curves.gain(self._ranking(k))

    def lift(self, k: int = -1) -> Curve:
        """Give how many times as frequent a class is (y) in the share of rows taken (x)."""
        return curves.lift(self._ranking(k))

    def calibration(self, k: int = -1) -> Calibration:
        """Give probabilities beside true shares of a class, in about ten groups of rows."""
        shares = self._shares(k)
        return curves.calibration(shares, self.y == self._place(k), self.weights)

    def points(self, most: int = _POINTS) -> tuple[Floats, Floats]:
        """Give predicted and true numbers of some rows, evenly spread (regression)."""
        rows = np.linspace(0, self.rows - 1, min(most, self.rows)).astype(int)
        return self.predicted[rows], self.y[rows]

    def _ranking(self, k: int) -> Ranking:
        return Ranking.of(self._shares(k), self.y == self._place(k), self.weights)

    def _shares(self, k: int) -> Floats:
        self._check_classes()
        return np.asarray(self.answers.shares[:, self._place(k)])

    def _place(self, k: int) -> int:
        assert self.classes is not None
        n = len(self.classes)
        if not -n <= k < n:
            raise ValueError(f"k={k} must be the place of one of the {n} classes")
        return k % n

    def _check_classes(self) -> None:
        if self.classes is None:
            raise ValueError("curves and confusion matrices are for classes; these are numbers")

    # --- as JSON ------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Give scores, confusion matrix and curves as JSON.

        With many classes, only the most frequent have curves, and there is no matrix.
        """
        found: dict[str, Any] = {
            "task": self.task,
            "how": self.how,
            "rows": self.rows,
            "folds": self.n_folds,
            "weighted": self.weights is not None,
            "scores": [score.to_dict() for score in self.scores()],
        }
        if self.classes is None:
            predicted, true = self.points()
            found["points"] = [curves.shorts(predicted), curves.shorts(true)]
            return found
        found["classes"] = self.classes.tolist()
        weight = np.bincount(self.y, weights=self.weights, minlength=len(self.classes))
        found["class_weight"] = curves.shorts(weight)
        if len(self.classes) <= _MOST_CLASSES:
            found["confusion"] = [curves.shorts(row) for row in self.confusion()]
        found["curves"] = []
        if self.probabilities is None:
            return found
        wanted = np.sort(np.argsort(-weight, kind="stable")[:_MOST_CURVES]).tolist()
        for k in wanted:
            ranking = self._ranking(k)
            if not (ranking.positives > 0 and ranking.negatives > 0):
                continue
            found["curves"].append(
                {
                    "class": k,
                    "positive": short(ranking.positives),
                    "negative": short(ranking.negatives),
                    "roc_auc": short(ranking.area),
                    "pr_auc": short(ranking.average_precision),
                    "roc": curves.roc(ranking).to_dict(),
                    "precision_recall": curves.precision_recall(ranking).to_dict(),
                    "gain": curves.gain(ranking).to_dict(),
                    "lift": curves.lift(ranking).to_dict(),
                    "calibration": self.calibration(k).to_dict(),
                }
            )
        return found
