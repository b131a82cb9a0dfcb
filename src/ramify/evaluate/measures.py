"""What is measured of a fitted learner on rows it has not seen: scores by name, sizes and times.

Measures of predictions are those of `learning.measures`; sizes and times are here.

Invariant: a measure is a function of a `TestedLearner`, and knows whether greater is better and how
its values are written.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate.fingerprint import fingerprint
from ramify.learning.measures import (
    ABSTAINS,
    MEASURES,
    REGRESSION,
    Answers,
)
from ramify.learning.measures import Measure as PredictionMeasure
from ramify.learning.weights import cost_matrix

DEFAULT_SCORES = ("accuracy", "n_leaves", "fit_time")


@dataclass
class TestedLearner:
    """A fitted learner and the rows it is tested on; it predicts them once, when needed."""

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

    def answers(self, needs: str) -> Answers:
        """Give the predictions beside the truth, with the probabilities or rankings if needed."""
        if self.classes is None:
            return Answers(self.y, self.predicted)
        place = {label: code for code, label in enumerate(self.classes.tolist())}
        predicted = probabilities = None
        if needs == "predicted":
            predicted = np.array([place.get(label, ABSTAINS) for label in self.predicted.tolist()])
        elif needs == "probabilities" or hasattr(self.estimator, "predict_proba"):
            probabilities = self._by_class(self.estimator.predict_proba(self.X), place, 0.0)
        else:
            found = np.asarray(self.estimator.decision_function(self.X), dtype=np.float64)
            if found.ndim == 1:
                found = np.column_stack([-found, found])
            probabilities = self._by_class(found, place, float(found.min()))
        costs = getattr(self.estimator, "costs", None)
        return Answers(
            y=np.array([place[label] for label in self.y.tolist()]),
            predicted=predicted,
            probabilities=probabilities,
            classes=self.classes,
            costs=cost_matrix(costs, self.classes, abstain=True),
        )

    def _by_class(self, found: Any, place: dict[Any, int], absent: float) -> NDArray[np.float64]:
        """Give a column per class of the data set, also for those that training had no row of."""
        table = np.full((len(self.y), len(place)), absent)
        known = [place[label] for label in np.asarray(self.estimator.classes_).tolist()]
        table[:, known] = np.asarray(found, dtype=np.float64)
        return table


@dataclass(frozen=True)
class Measure:
    """A measure: its name, what computes it, and how it is shown."""

    name: str
    compute: Callable[[TestedLearner], float]
    greater_is_better: bool = True
    task: str | None = None  # None: both
    label: str = ""  # in words, if the name is not the word
    shown_as: Literal["number", "percent", "size", "seconds"] = "number"
    id: str = ""  # of a user's function: its fingerprint


def _built_in(known: PredictionMeasure) -> Measure:
    """Make a measure of a tested learner from one of its predictions alone."""

    def compute(tested: TestedLearner) -> float:
        return known.compute(tested.answers(known.needs))

    return Measure(
        known.name,
        compute,
        greater_is_better=known.greater_is_better,
        task=known.task,
        label=known.label,
        shown_as=known.shown_as,
    )


def _size(name: str, label: str = "") -> Measure:
    def compute(tested: TestedLearner) -> float:
        return tree_size(tested.estimator, name)

    return Measure(name, compute, greater_is_better=False, label=label, shown_as="size")


def _seconds(name: str, label: str) -> Measure:
    def compute(tested: TestedLearner) -> float:
        return float(getattr(tested, name))

    return Measure(name, compute, greater_is_better=False, label=label, shown_as="seconds")


_BUILT_IN = {
    measure.name: measure
    for measure in (
        *map(_built_in, MEASURES.values()),
        _size("n_leaves", "leaves"),
        _size("n_nodes", "nodes"),
        _size("depth"),
        _seconds("fit_time", "fit time"),
        _seconds("predict_time", "predict time"),
    )
}
TIMES = tuple(name for name, one in _BUILT_IN.items() if one.shown_as == "seconds")
SIZES = tuple(name for name, one in _BUILT_IN.items() if one.shown_as == "size")
# What scikit-learn's trees call the same.
_SKLEARN_NAMES = {"n_leaves": "n_leaves", "n_nodes": "node_count", "depth": "max_depth"}


def label_of(score: str) -> str:
    """Give a score in words."""
    known = _BUILT_IN.get(score)
    return score if known is None or not known.label else known.label


def unit_of(score: str) -> str:
    """Give the unit of what `format_score` writes: percent, seconds, or none."""
    return {"percent": "%", "seconds": "s"}.get(_shown_as(score), "")


def format_score(score: str, value: float) -> str:
    """Write a score: percent, seconds, whole sizes or four digits."""
    if np.isnan(value):
        return "–"
    kind = _shown_as(score)
    if kind == "percent":
        return f"{100 * value:.2f}"
    if kind == "size":
        return f"{value:,.1f}"
    if kind == "seconds":
        return f"{value:.4f}" if value < 1 else f"{value:,.2f}"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:,.1f}"


def _shown_as(score: str) -> str:
    return _BUILT_IN[score].shown_as if score in _BUILT_IN else "number"


def tree_size(estimator: Any, name: str) -> float:
    """Give leaves, nodes or depth of a tree, also one in a pipeline or a search; otherwise NaN."""
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
    """Give the measures for names, functions, or a mapping of them."""
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


def _user(score: Callable[[Any, Any, Any], Any]) -> Callable[[TestedLearner], float]:
    return lambda tested: float(score(tested.estimator, tested.X, tested.y))


def _choices(task: str) -> str:
    names = [name for name, measure in _BUILT_IN.items() if measure.task in (None, task)]
    return (
        f"for {task} choose from {', '.join(names)}, the name of any scorer of scikit-learn, or "
        "give a function (estimator, X, y) -> float"
    )
