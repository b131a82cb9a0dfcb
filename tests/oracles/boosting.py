"""Boosting as the papers print it, round by round, with a weak learner that is given.

Weights are carried from round to round and multiplied, as in Friedman, Hastie and Tibshirani (2000,
algorithms 1 to 4 and 6) and Zhu, Zou, Rosset and Hastie (2009, algorithms 2 and 4); every function
gives the scores of the classes, which add up to zero where the papers' do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
#: weights -> class shares of every row, of a tree that was fitted with these weights
Classes = Callable[[Floats], Floats]
#: target, weights -> the prediction for every row
Numbers = Callable[[Floats, Floats], Floats]


def discrete(y: Codes, k: int, w: Floats, rounds: int, rate: float, fit: Classes) -> Floats:
    w = w / w.sum()
    scores = np.zeros((len(y), k))
    for _ in range(rounds):
        said = fit(w).argmax(axis=1)
        wrong = said != y
        error = w[wrong].sum()
        c = rate * (np.log((1 - error) / error) + np.log(k - 1))
        w = w * np.exp(c * wrong)
        w = w / w.sum()
        for i, j in enumerate(said):
            scores[i, j] += c
    return scores - scores.mean(axis=1, keepdims=True)


def real_two_classes(y: Codes, w: Floats, rounds: int, rate: float, fit: Classes) -> Floats:
    sign = np.where(y == 1, 1.0, -1.0)
    w = w / w.sum()
    total = np.zeros(len(y))
    for _ in range(rounds):
        p = fit(w)
        f = 0.5 * np.log(p[:, 1] / p[:, 0])
        w = w * np.exp(-sign * rate * f)
        w = w / w.sum()
        total += rate * f
    return np.column_stack([-total, total])


def real(y: Codes, k: int, w: Floats, rounds: int, rate: float, fit: Classes) -> Floats:
    """Boost by SAMME.R; its scores are k - 1 times ours."""
    coded = np.where(y[:, None] == np.arange(k), 1.0, -1.0 / (k - 1))
    w = w / w.sum()
    scores = np.zeros((len(y), k))
    for _ in range(rounds):
        logs = np.log(fit(w))
        scores += rate * (k - 1) * (logs - logs.mean(axis=1, keepdims=True))
        w = w * np.exp(-rate * (k - 1) / k * (coded * logs).sum(axis=1))
        w = w / w.sum()
    return scores / (k - 1)


def gentle(y: Codes, of: int, w: Floats, rounds: int, rate: float, fit: Numbers) -> Floats:
    """Give the score of one class against the others."""
    sign = np.where(y == of, 1.0, -1.0)
    w = w / w.sum()
    total = np.zeros(len(y))
    for _ in range(rounds):
        f = fit(sign, w)
        w = w * np.exp(-sign * rate * f)
        w = w / w.sum()
        total += rate * f
    return total


def logit_two_classes(
    y: Codes, w: Floats, rounds: int, rate: float, z_max: float, fit: Numbers
) -> Floats:
    total = np.zeros(len(y))
    for _ in range(rounds):
        p = np.exp(total) / (np.exp(total) + np.exp(-total))
        z = np.minimum(np.maximum((y - p) / (p * (1 - p)), -z_max), z_max)
        total = total + rate * 0.5 * fit(z, w * p * (1 - p))
    return np.column_stack([-total, total])


def logit(
    y: Codes, k: int, w: Floats, rounds: int, rate: float, z_max: float, fit: Numbers
) -> Floats:
    scores = np.zeros((len(y), k))
    for _ in range(rounds):
        p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        f = np.zeros_like(scores)
        for j in range(k):
            z = np.clip(((y == j) - p[:, j]) / (p[:, j] * (1 - p[:, j])), -z_max, z_max)
            f[:, j] = fit(z, w * p[:, j] * (1 - p[:, j]))
        scores = scores + rate * (k - 1) / k * (f - f.mean(axis=1, keepdims=True))
    return scores


def trimmed(w: Floats, share: float) -> Floats:
    """Leave out the lightest rows, one after another, as long as they weigh up to this share."""
    kept = w.copy()
    gone = 0.0
    for value in sorted(set(w.tolist())):
        weight = w[w == value].sum()
        if gone + weight > share * w.sum():
            # Some of these rows must stay; equal rows stay together.
            break
        gone += weight
        kept[w == value] = 0.0
    return kept


def errors_of_sizes(
    make: Any, X: Any, y: Any, w: Any, sizes: Any, folds: Any, judged: Any = None
) -> list[float]:
    """The wrong share of the weight, with boosting fitted anew for every size and every fold.

    `judged`: weights to count wrong rows with, if they differ.
    """
    judged = w if judged is None else judged

    def part(rows: Any) -> Any:
        return {name: np.asarray(column)[rows] for name, column in X.items()}

    found = []
    for size in sizes:
        wrong = 0.0
        for fold in range(folds.max() + 1):
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            predicted = make(size).fit(part(train), y[train], w[train]).predict(part(test))
            wrong += judged[test][predicted != y[test]].sum()
        found.append(wrong / judged.sum())
    return found
