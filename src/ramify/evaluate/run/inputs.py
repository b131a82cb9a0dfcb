"""Learners and data sets as `compare` takes them: checked, named, and loaded when needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets import Dataset
from ramify.evaluate.fingerprint import table_fingerprint
from ramify.learning.labels import unboxed_labels
from ramify.learning.measures import CLASSIFICATION, REGRESSION
from ramify.tables.levels import is_missing
from ramify.tables.rows import n_rows_of

_FORMS = "an (X, y) pair, a ramify.datasets.Dataset, or a function that gives one"


@dataclass(frozen=True)
class LoadedDataset:
    """A data set in memory: predictors of any kind, target, and a fingerprint of both."""

    name: str
    X: Any
    y: NDArray[Any]
    classes: NDArray[Any] | None
    id: str

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of rows, columns and classes, and the share of the most frequent class."""
        shape = getattr(self.X, "shape", None)
        width = shape[1] if shape is not None and len(shape) > 1 else len(_first(self.X))
        found: dict[str, Any] = {"n_rows": len(self.y), "n_features": int(width)}
        if self.classes is None:
            return found | {"n_classes": None, "largest_class": None}
        largest = np.unique(self.y, return_counts=True)[1].max() / len(self.y)
        return found | {"n_classes": len(self.classes), "largest_class": round(float(largest), 6)}


def _first(X: Any) -> Any:
    return X if isinstance(X, dict) else X[0]


def name_learners(learners: Any) -> dict[str, Any]:
    """Give learners by name; those of a list have the name of their class."""
    if isinstance(learners, Mapping):
        named = {str(name): estimator for name, estimator in learners.items()}
    elif isinstance(learners, Sequence) and not isinstance(learners, str):
        named = {}
        for estimator in learners:
            name = base = type(estimator).__name__
            count = 1
            while name in named:
                count += 1
                name = f"{base} {count}"
            named[name] = estimator
    else:
        named = {type(learners).__name__: learners}
    if not named:
        raise ValueError("learners is empty: give a mapping from name to estimator, or a list")
    for name, estimator in named.items():
        missing = [m for m in ("fit", "predict", "get_params") if not hasattr(estimator, m)]
        if missing or isinstance(estimator, type):
            what = f"has no {missing[0]}" if missing else "is a class, not an object"
            raise ValueError(
                f"learners: {name!r} must be a scikit-learn estimator, but it {what}: "
                f"{estimator!r:.80}"
            )
    return named


def find_task(learners: Mapping[str, Any]) -> str:
    """Tell whether all learners are classifiers or all regressors."""
    kinds = {name: _is_regressor(estimator) for name, estimator in learners.items()}
    if len(set(kinds.values())) > 1:
        groups = [", ".join(repr(n) for n in kinds if kinds[n] == kind) for kind in (False, True)]
        raise ValueError(
            f"learners: {groups[0]} cannot be compared with the regressors {groups[1]}; "
            "give classifiers or regressors"
        )
    return REGRESSION if all(kinds.values()) else CLASSIFICATION


def _is_regressor(estimator: Any) -> bool:
    from sklearn.base import is_regressor

    try:
        return bool(is_regressor(estimator))
    except (AttributeError, TypeError):  # it has the methods, but not the base class
        return getattr(estimator, "_estimator_type", None) == "regressor"


def name_datasets(datasets: Any) -> dict[str, Any]:
    """Give data sets by name; a single one is called "data"."""
    pair = isinstance(datasets, tuple) and len(datasets) == 2
    if pair or isinstance(datasets, Dataset) or callable(datasets) or _is_bunch(datasets):
        datasets = {"data": datasets}
    if not isinstance(datasets, Mapping) or not datasets:
        raise ValueError(
            f"datasets={datasets!r:.80} must be a mapping from name to {_FORMS}, with at least one"
        )
    return {str(name): source for name, source in datasets.items()}


def load(name: str, source: Any, task: str) -> LoadedDataset:
    """Load a data set and check its target."""
    given = source() if callable(source) else source
    X: Any
    if isinstance(given, Dataset):
        X, y = given.X, np.asarray(given.y)
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        X, y = given[0], np.asarray(given[1])
    elif _is_bunch(given):
        X, y = given["data"], np.asarray(given["target"])
    else:
        raise ValueError(f"data set {name!r} must be {_FORMS}; it is {given!r:.80}")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.dtype == object:
        y = unboxed_labels(y)
    rows = n_rows_of(X)
    if y.ndim != 1 or rows != len(y):
        raise ValueError(
            f"data set {name!r}: X has {rows} rows and the target has the shape {y.shape}"
        )
    missing = np.array([is_missing(value) for value in y]) if y.dtype.kind in "Of" else np.zeros(0)
    if missing.any():
        raise ValueError(
            f"data set {name!r}: the target is missing in {int(missing.sum())} of {rows} rows, "
            f"first in row {int(np.argmax(missing))}; leave them out"
        )
    # The columns of a Dataset: its frame depends on which library is installed.
    cells = given.data if isinstance(given, Dataset) else X
    return LoadedDataset(name, X, y, _classes(name, y, task), table_fingerprint(cells, y))


def _classes(name: str, y: NDArray[Any], task: str) -> NDArray[Any] | None:
    if task == REGRESSION:
        return None
    try:
        classes = np.unique(y)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in y})
        raise ValueError(
            f"data set {name!r}: classes of several types, {', '.join(kinds)}; make them one"
        ) from None
    if len(classes) < 2:
        raise ValueError(f"data set {name!r}: the target has one class only, {classes.tolist()}")
    return classes


def _is_bunch(given: Any) -> bool:
    """Tell whether this is what the loaders of scikit-learn return."""
    return isinstance(given, dict) and {"data", "target", "DESCR"} <= given.keys()
