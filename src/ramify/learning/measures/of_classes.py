"""The measures of classification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ramify.learning.measures.answers import ABSTAINS, Answers, Floats
from ramify.learning.measures.measure import CLASSIFICATION, Measure
from ramify.learning.measures.positive import positive_class
from ramify.learning.measures.ranking import Ranking

LARGEST = "always the largest class"
CHANCE = "by chance"
SHARES = "the class shares alone"


def confusion(answers: Answers) -> Floats:
    """Give the weight of rows by true class and predicted class; abstaining is the last column."""
    n = answers.n_classes
    said = np.where(answers.labels == ABSTAINS, n, answers.labels)
    cells = answers.y.astype(np.int64) * (n + 1) + said
    found = np.bincount(cells, weights=answers.weights, minlength=n * (n + 1))
    return found.astype(np.float64).reshape(n, n + 1)


def _right(answers: Answers) -> Floats:
    return np.asarray(answers.labels == answers.y, dtype=np.float64)


def _balanced_accuracy(answers: Answers) -> float:
    _ = answers.answers  # of every row
    cells = confusion(answers)
    total = cells.sum(axis=1)
    there = total > 0
    return float((np.diagonal(cells)[there] / total[there]).mean()) if there.any() else np.nan


def _log_losses(answers: Answers) -> Floats:
    least = np.finfo(np.float64).eps
    share = answers.shares[np.arange(len(answers)), answers.y]
    return np.asarray(-np.log(np.clip(share, least, 1 - least)))


def _squares(answers: Answers) -> Floats:
    """Squared errors of the probabilities: of one of two classes, summed over more."""
    shares, y = answers.shares, answers.y
    if answers.n_classes == 2:
        return np.asarray((shares[:, 1] - y) ** 2)
    of_true = shares[np.arange(len(y)), y]
    return np.asarray((shares**2).sum(axis=1) - of_true**2 + (1 - of_true) ** 2)


def _costs(answers: Answers) -> Floats:
    if answers.costs is None:
        raise ValueError("the measure 'cost' needs the parameter costs of the learner")
    # Abstaining is -1, the last column.
    return np.asarray(answers.costs[answers.y, answers.labels])


def _over_classes(of_ranking: Callable[[Ranking], float]) -> Callable[[Answers], float]:
    """Make a measure of the positive class of two, or of the mean of each against the rest."""

    def compute(answers: Answers) -> float:
        wanted: Any = np.unique(answers.y).tolist()  # a few rows may not have all classes
        if answers.classes is not None and answers.n_classes == 2:
            wanted = [positive_class(answers.classes)]
        values = [
            of_ranking(Ranking.of(answers.shares[:, k], answers.y == k, answers.weights))
            for k in wanted
        ]
        known = [value for value in values if not np.isnan(value)]
        return float(np.mean(known)) if known else np.nan

    return compute


def _precision(cells: Floats) -> Floats:
    return _divided(np.diagonal(cells), cells.sum(axis=0)[: len(cells)])


def _recall(cells: Floats) -> Floats:
    return _divided(np.diagonal(cells), cells.sum(axis=1))


def _f1(cells: Floats) -> Floats:
    return _divided(2 * np.diagonal(cells), cells.sum(axis=0)[: len(cells)] + cells.sum(axis=1))


def _divided(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _two_or_macro(by_class: Callable[[Floats], Floats]) -> Callable[[Answers], float]:
    """Make a measure of the positive one of two classes, or of the mean over those that occur."""

    def compute(answers: Answers) -> float:
        _ = answers.answers  # of every row
        cells = confusion(answers)
        values = by_class(cells)
        if len(values) == 2 and answers.classes is not None:
            return float(values[positive_class(answers.classes)])
        there = (cells.sum(axis=1) > 0) | (cells.sum(axis=0)[: len(cells)] > 0)
        return float(values[there].mean()) if there.any() else np.nan

    return compute


def _mean_of(by_row: Callable[[Answers], Floats]) -> dict[str, Any]:
    return {"compute": lambda answers: answers.mean(by_row(answers)), "by_row": by_row}


def _measure(name: str, label: str, guess: str = LARGEST, **more: Any) -> Measure:
    return Measure(name=name, label=label, task=CLASSIFICATION, guess=guess, **more)


OF_CLASSES = (
    _measure("accuracy", "accuracy", shown_as="percent", **_mean_of(_right)),
    _measure(
        "balanced_accuracy",
        "balanced accuracy",
        shown_as="percent",
        compute=_balanced_accuracy,
    ),
    _measure(
        "roc_auc",
        "ROC AUC",
        CHANCE,
        compute=_over_classes(lambda ranking: ranking.area),
        needs="rankings",
    ),
    _measure(
        "pr_auc",
        "PR AUC",
        CHANCE,
        compute=_over_classes(lambda ranking: ranking.average_precision),
        needs="rankings",
        of_one_class=True,
    ),
    _measure(
        "log_loss",
        "log loss",
        SHARES,
        **_mean_of(_log_losses),
        needs="probabilities",
        greater_is_better=False,
    ),
    _measure(
        "brier",
        "Brier score",
        SHARES,
        **_mean_of(_squares),
        needs="probabilities",
        greater_is_better=False,
    ),
    _measure("f1", "F1", compute=_two_or_macro(_f1), of_one_class=True),
    _measure("precision", "precision", compute=_two_or_macro(_precision), of_one_class=True),
    _measure("recall", "recall", compute=_two_or_macro(_recall), of_one_class=True),
    _measure(
        "cost",
        "mean cost",
        "always the cheapest answer",
        **_mean_of(_costs),
        greater_is_better=False,
    ),
)
