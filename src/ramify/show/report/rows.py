"""The rows that a report tells of: read once, with their target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length

from ramify.learning.labels import class_codes, numbers
from ramify.tables import Table
from ramify.tree.words import level_text


@dataclass(frozen=True)
class ReportRows:
    """Rows with their target.

    Parameters
    ----------
    table : Table
        The encoded rows.
    target : ndarray
        Codes of the classes (-1 for a class that the tree does not know), or numbers.
    weights : ndarray or None
        Weights of the rows; None if all weigh the same.
    X : table
        The rows as they were given.
    labels : array-like
        Their classes, of the type that the tree has, or numbers.
    """

    table: Table
    target: NDArray[Any]
    weights: NDArray[np.float64] | None
    X: Any
    labels: Any


def read_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any, names: tuple[str, str]
) -> ReportRows | None:
    """Read rows with their target; None if none are given.

    `names` are those of the parameters, for messages.
    """
    if X is None and y is None:
        return None
    if X is None or y is None:
        given, other = (names[1], names[0]) if X is None else names
        raise ValueError(f"{given} was given without {other}; a report needs both or neither")
    table = estimator.read(X)
    target = _target(estimator, y, table.n_rows)
    check_consistent_length(np.empty(table.n_rows), target)
    weights = None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
        check_consistent_length(weights, target)
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
            raise ValueError("sample_weight must be finite, not negative, and not all zero")
    if table.n_rows == 0:
        raise ValueError(f"{names[0]} has no rows")
    return ReportRows(table, target, weights, X, _labels(estimator, y, target))


def _target(estimator: Any, y: Any, n_rows: int) -> NDArray[Any]:
    owner = type(estimator).__name__
    if estimator.tree_.task == "regression":
        return numbers(y, n_rows, owner)
    found, codes = class_codes(y, n_rows, owner)
    index = {label: code for code, label in enumerate(estimator.tree_.classes.tolist())}
    place = np.array([index.get(label, -1) for label in found.tolist()], dtype=np.int64)
    if (place < 0).all():
        # A file has "0" where the training data had 0, or the other way round.
        words = {level_text(label): code for label, code in index.items()}
        place = np.array([words.get(level_text(one), -1) for one in found.tolist()], dtype=np.int64)
    return np.asarray(place[codes])


def _labels(estimator: Any, y: Any, target: NDArray[Any]) -> Any:
    """The classes of rows as the tree writes them; those that it does not know as they are."""
    if estimator.tree_.task == "regression":
        return target
    classes = estimator.tree_.classes
    if (target >= 0).all():
        return classes[target]
    return y
