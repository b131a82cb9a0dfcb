"""What is measured of a fitted learner on rows it has not seen: scores by name, sizes and times.

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

DEFAULT_SCORES = ("accuracy", "n_leaves", "fit_time")
CLASSIFICATION, REGRESSION = "classification", "regression"


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

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Probabilities of all classes of the data set; 0 for one that training had no row of."""
        assert self.classes is not None
        found = np.asarray(self.estimator.predict_proba(self.X), dtype=np.float64)
        table = np.zeros((len(self.y), len(self.classes)))
        table[:, np.searchsorted(self.classes, self.estimator.classes_)] = found
        return table

    @property
    def rankings(self) -> NDArray[np.float64]:
        """The numbers that rank the rows for each class: probabilities, or decision values."""
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
    """A measure: its name, what computes it, and how it is shown."""

    name: str
    compute: Callable[[TestedLearner], float]
    greater_is_better: bool = True
    task: str | None = None  # None: both
    label: str = ""  # in words, if the name is not the word
    shown_as: Literal["number", "percent", "size", "seconds"] = "number"
    id: str = ""  # of a user's function: its fingerprint


def _log_loss(tested: TestedLearner) -> float:
    from sklearn.metrics import log_loss

    return float(log_loss(tested.y, tested.probabilities, labels=tested.classes))


def _roc_auc(tested: TestedLearner) -> float:
    from sklearn.metrics import roc_auc_score

    assert tested.classes is not None
    if len(np.unique(tested.y)) < 2:
        return math.nan
    if len(tested.classes) == 2:
        return float(roc_auc_score(tested.y == tested.classes[1], tested.rankings[:, 1]))
    # one class against the rest, over the classes that the fold has
    present = [i for i, label in enumerate(tested.classes) if (tested.y == label).any()]
    areas = [roc_auc_score(tested.y == tested.classes[i], tested.rankings[:, i]) for i in present]
    return float(np.mean(areas))


def _two_or_macro(name: str) -> Callable[[TestedLearner], float]:
    """Make a measure of the second of two classes, or of the mean over more classes."""

    def compute(tested: TestedLearner) -> float:
        from sklearn import metrics

        assert tested.classes is not None
        options: dict[str, Any] = {"average": "macro"}
        if len(tested.classes) == 2:
            options = {"average": "binary", "pos_label": tested.classes[1]}
        score = getattr(metrics, f"{name}_score")
        return float(score(tested.y, _answers(tested, name), zero_division=0.0, **options))

    return compute


def _metric(name: str) -> Callable[[TestedLearner], float]:
    def compute(tested: TestedLearner) -> float:
        from sklearn import metrics

        return float(getattr(metrics, name)(tested.y, _answers(tested, name)))

    return compute


def _accuracy(tested: TestedLearner) -> float:
    """Give the share of right answers; a learner that abstains is not right."""
    return float(np.mean(np.asarray(tested.predicted == tested.y, dtype=np.float64)))


def _answers(tested: TestedLearner, name: str) -> NDArray[Any]:
    """Give the predictions, for a measure that needs one of every row."""
    without = (
        sum(one is None for one in tested.predicted) if tested.predicted.dtype == object else 0
    )
    if without:
        raise ValueError(
            f"{name} needs an answer to every row, and {type(tested.estimator).__name__} abstains "
            f"on {without} of {len(tested.predicted)}; choose 'accuracy', or costs that do not "
            "abstain"
        )
    return tested.predicted


def _size(name: str, label: str = "") -> Measure:
    def compute(tested: TestedLearner) -> float:
        return tree_size(tested.estimator, name)

    return Measure(name, compute, greater_is_better=False, label=label, shown_as="size")


def _time(name: str, compute: Callable[[TestedLearner], float], label: str) -> Measure:
    return Measure(name, compute, greater_is_better=False, label=label, shown_as="seconds")


def _of_classes(
    name: str, compute: Callable[[TestedLearner], float], label: str = "", **more: Any
) -> Measure:
    return Measure(name, compute, task=CLASSIFICATION, label=label, **more)


def _of_numbers(name: str, metric: str, label: str, *, greater_is_better: bool) -> Measure:
    return Measure(name, _metric(metric), greater_is_better, REGRESSION, label)


_BUILT_IN = {
    measure.name: measure
    for measure in (
        _of_classes("accuracy", _accuracy, shown_as="percent"),
        _of_classes(
            "balanced_accuracy",
            _metric("balanced_accuracy_score"),
            "balanced accuracy",
            shown_as="percent",
        ),
        _of_classes("log_loss", _log_loss, "log loss", greater_is_better=False),
        _of_classes("roc_auc", _roc_auc, "ROC AUC"),
        _of_classes("f1", _two_or_macro("f1"), "F1"),
        _of_classes("precision", _two_or_macro("precision")),
        _of_classes("recall", _two_or_macro("recall")),
        _of_numbers("r2", "r2_score", "R²", greater_is_better=True),
        _of_numbers("rmse", "root_mean_squared_error", "RMSE", greater_is_better=False),
        _of_numbers("mae", "mean_absolute_error", "mean absolute error", greater_is_better=False),
        _size("n_leaves", "leaves"),
        _size("n_nodes", "nodes"),
        _size("depth"),
        Measure("fit_time", lambda t: t.fit_time, False, label="fit time", shown_as="seconds"),
        Measure(
            "predict_time",
            lambda t: t.predict_time,
            False,
            label="predict time",
            shown_as="seconds",
        ),
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
