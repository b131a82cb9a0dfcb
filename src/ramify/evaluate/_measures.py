"""What is measured of a fitted learner on held-out rows: scores by name, sizes and times.

Invariant: a measure is a function of an `Outcome`; `greater_is_better` tells which end wins.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate._fingerprint import fingerprint

DEFAULT_SCORES = ("accuracy", "n_leaves", "fit_time")
CLASSIFICATION, REGRESSION = "classification", "regression"


@dataclass
class Outcome:
    """A fitted learner and the rows it has not seen; predictions are made once, when asked for."""

    estimator: Any
    X: Any
    y: NDArray[Any]
    classes: NDArray[Any] | None
    fit_time: float

    @cached_property
    def _timed(self) -> tuple[NDArray[Any], float]:
        start = time.perf_counter()
        predicted = self.estimator.predict(self.X)
        return np.asarray(predicted), time.perf_counter() - start

    @property
    def predicted(self) -> NDArray[Any]:
        """The predictions."""
        return self._timed[0]

    @property
    def predict_time(self) -> float:
        """Seconds that the predictions took."""
        return self._timed[1]

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Probabilities of all classes of the data set; one not seen in training has none."""
        assert self.classes is not None
        found = np.asarray(self.estimator.predict_proba(self.X), dtype=np.float64)
        table = np.zeros((len(self.y), len(self.classes)))
        table[:, np.searchsorted(self.classes, self.estimator.classes_)] = found
        return table

    @property
    def rankings(self) -> NDArray[np.float64]:
        """What orders the rows for each class: probabilities, or the decision function."""
        if hasattr(self.estimator, "predict_proba"):
            return self.probabilities
        assert self.classes is not None
        found = np.asarray(self.estimator.decision_function(self.X), dtype=np.float64)
        if found.ndim == 1:
            found = np.column_stack([-found, found])
        table = np.full((len(self.y), len(self.classes)), found.min())
        table[:, np.searchsorted(self.classes, self.estimator.classes_)] = found
        return table


@dataclass(frozen=True)
class Measure:
    """A measure by name: what computes it, and which end wins."""

    name: str
    compute: Callable[[Outcome], float]
    greater_is_better: bool = True
    task: str | None = None  # None: both
    id: str = ""  # of a user's function: its fingerprint


def _log_loss(seen: Outcome) -> float:
    from sklearn.metrics import log_loss

    return float(log_loss(seen.y, seen.probabilities, labels=seen.classes))


def _roc_auc(seen: Outcome) -> float:
    from sklearn.metrics import roc_auc_score

    assert seen.classes is not None
    if len(np.unique(seen.y)) < 2:
        return math.nan
    if len(seen.classes) == 2:
        return float(roc_auc_score(seen.y == seen.classes[1], seen.rankings[:, 1]))
    # one class against the rest, over the classes that the fold has
    present = [i for i, label in enumerate(seen.classes) if (seen.y == label).any()]
    areas = [roc_auc_score(seen.y == seen.classes[i], seen.rankings[:, i]) for i in present]
    return float(np.mean(areas))


def _two_or_macro(name: str) -> Callable[[Outcome], float]:
    """Give a score of the second class of two, or the mean over three and more classes."""

    def compute(seen: Outcome) -> float:
        from sklearn import metrics

        assert seen.classes is not None
        options: dict[str, Any] = {"average": "macro"}
        if len(seen.classes) == 2:
            options = {"average": "binary", "pos_label": seen.classes[1]}
        score = getattr(metrics, f"{name}_score")
        return float(score(seen.y, _answers(seen, name), zero_division=0.0, **options))

    return compute


def _metric(name: str) -> Callable[[Outcome], float]:
    def compute(seen: Outcome) -> float:
        from sklearn import metrics

        return float(getattr(metrics, name)(seen.y, _answers(seen, name)))

    return compute


def _accuracy(seen: Outcome) -> float:
    """Give the share of right answers; to abstain is not right."""
    return float(np.mean(np.asarray(seen.predicted == seen.y, dtype=np.float64)))


def _answers(seen: Outcome, name: str) -> NDArray[Any]:
    """Give the predictions to a measure that wants one for every row."""
    without = sum(one is None for one in seen.predicted) if seen.predicted.dtype == object else 0
    if without:
        raise ValueError(
            f"{name} needs an answer to every row, and {type(seen.estimator).__name__} abstains on "
            f"{without} of {len(seen.predicted)}; choose 'accuracy', or costs that do not abstain"
        )
    return seen.predicted


def _size(name: str) -> Callable[[Outcome], float]:
    return lambda seen: tree_size(seen.estimator, name)


_BUILT_IN = {
    measure.name: measure
    for measure in (
        Measure("accuracy", _accuracy, task=CLASSIFICATION),
        Measure("balanced_accuracy", _metric("balanced_accuracy_score"), task=CLASSIFICATION),
        Measure("log_loss", _log_loss, False, CLASSIFICATION),
        Measure("roc_auc", _roc_auc, task=CLASSIFICATION),
        Measure("f1", _two_or_macro("f1"), task=CLASSIFICATION),
        Measure("precision", _two_or_macro("precision"), task=CLASSIFICATION),
        Measure("recall", _two_or_macro("recall"), task=CLASSIFICATION),
        Measure("r2", _metric("r2_score"), task=REGRESSION),
        Measure("rmse", _metric("root_mean_squared_error"), False, REGRESSION),
        Measure("mae", _metric("mean_absolute_error"), False, REGRESSION),
        Measure("n_leaves", _size("n_leaves"), False),
        Measure("n_nodes", _size("n_nodes"), False),
        Measure("depth", _size("depth"), False),
        Measure("fit_time", lambda seen: seen.fit_time, False),
        Measure("predict_time", lambda seen: seen.predict_time, False),
    )
}
TIMES = ("fit_time", "predict_time")
SIZES = ("n_leaves", "n_nodes", "depth")
# What scikit-learn's trees call the same.
_SKLEARN_NAMES = {"n_leaves": "n_leaves", "n_nodes": "node_count", "depth": "max_depth"}


def tree_size(estimator: Any, name: str) -> float:
    """Give leaves, nodes or depth of a tree, also at the end of a pipeline or search; else NaN."""
    while True:
        if getattr(estimator, "steps", None):
            estimator = estimator.steps[-1][1]
        elif hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "regressor_"):
            estimator = estimator.regressor_
        else:
            break
    tree = getattr(estimator, "tree_", None)
    for attribute in dict.fromkeys((name, _SKLEARN_NAMES[name])):
        value = getattr(tree, attribute, None)
        if value is not None and not callable(value):
            return float(value)
    return math.nan


def find_measures(scores: Any, task: str) -> list[Measure]:
    """Give the measures of names, functions or a mapping of both."""
    if scores is DEFAULT_SCORES and task == REGRESSION:
        scores = ("r2", *DEFAULT_SCORES[1:])
    if isinstance(scores, (str, bytes)) or callable(scores):
        scores = (scores,)
    if isinstance(scores, Mapping):
        found = [_measure(score, task, str(name)) for name, score in scores.items()]
    elif isinstance(scores, Sequence):
        found = [_measure(score, task, None) for score in scores]
    else:
        raise ValueError(f"scores={scores!r:.80} must be names or functions (estimator, X, y)")
    names = [measure.name for measure in found]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"scores must be at least one, with different names; they are {names}")
    return found


def _measure(score: Any, task: str, name: str | None) -> Measure:
    if callable(score):
        known_as = str(name or getattr(score, "__name__", type(score).__name__))
        greater = bool(getattr(score, "greater_is_better", True))
        return Measure(known_as, _user(score), greater, id=fingerprint(score))
    if isinstance(score, str) and score in _BUILT_IN:
        known = _BUILT_IN[score]
        if known.task not in (None, task):
            raise ValueError(f"scores: {score!r} is for {known.task}; {_choices(task)}")
        return Measure(name or score, known.compute, known.greater_is_better)
    from sklearn.metrics import get_scorer, get_scorer_names

    if not isinstance(score, str) or score not in get_scorer_names():
        raise ValueError(f"scores: {score!r:.80} is not valid; {_choices(task)}")
    return Measure(name or score, _user(get_scorer(score)))


def _user(score: Callable[[Any, Any, Any], Any]) -> Callable[[Outcome], float]:
    return lambda seen: float(score(seen.estimator, seen.X, seen.y))


def _choices(task: str) -> str:
    names = [name for name, measure in _BUILT_IN.items() if measure.task in (None, task)]
    return (
        f"for {task} choose from {', '.join(names)}, the name of any scorer of scikit-learn, or "
        "give a function (estimator, X, y) -> float"
    )
