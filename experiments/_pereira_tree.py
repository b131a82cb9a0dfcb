"""Trees by the rules of Pereira's program, where they differ from the library: grown in Python.

Four things differ. Only nominal attributes are filtered by their chi-square, never numeric ones.
Conditional inference takes the attribute with the largest 1 - p as a rounded number, so that all p
below 1e-16 are equal and the first attribute wins. The scan of a numeric attribute for the
chi-square cut moves its last left value on only when a cut is better than all before, so that it
also scores cuts between rows of equal value, sorted by class. The maximum cut visits the levels
once, in the order of the file (`greedy_cut_once` on codes in that order). Every split itself is the
library's: a `TreeClassifier` of depth 1 on the rows of the node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chdtrc
from sklearn.base import BaseEstimator, ClassifierMixin

from ramify import TreeClassifier
from ramify.tree import Threshold

Codes = NDArray[np.int64]


@dataclass
class Leaf:
    """A leaf: the class code that it predicts."""

    label: int


@dataclass
class Fork:
    """A split: rows with a value of at most `at`, or a code in `left`, go to the first child."""

    column: int
    at: float | None
    left: NDArray[np.float64]
    heavier: int  # child of codes that the node has not seen
    seen: NDArray[np.float64]
    children: tuple[Any, Any] = (None, None)

    def goes_left(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say for every value whether it goes to the first child."""
        if self.at is not None:
            return values <= self.at
        left = np.isin(values, self.left)
        return left | ~np.isin(values, self.seen) if self.heavier == 0 else left


def numbers(X: Any) -> NDArray[np.float64]:
    """Give a table as numbers, categories by their codes."""
    columns = [X[c].cat.codes if X[c].dtype == "category" else X[c] for c in X.columns]
    return np.column_stack([np.asarray(column, float) for column in columns])


def chi_square(codes: Codes, labels: Codes, n_classes: int) -> tuple[float, int, int]:
    """Give Pearson's statistic, its degrees of freedom and the rows of the second value."""
    top = int(codes.max()) + 1
    table = np.bincount(codes * n_classes + labels, minlength=top * n_classes)
    table = table.reshape(top, n_classes).astype(float)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    table = table[np.ix_(rows > 0, columns > 0)]
    rows, columns = rows[rows > 0], columns[columns > 0]
    second = int(np.sort(rows)[-2]) if len(rows) > 1 else 0
    expected = np.outer(rows, columns) / len(codes)
    statistic = float(((table - expected) ** 2 / expected).sum())
    return statistic, (len(rows) - 1) * (len(columns) - 1), second


def printed_cut(values: NDArray[np.float64], labels: Codes, k: int) -> tuple[float, float]:
    """Give the chi-square and the threshold that the program's scan ends with."""
    order = np.lexsort((labels, values))
    values, labels = values[order], labels[order]
    n = len(values)
    total = np.bincount(labels, minlength=k).astype(float)
    left = np.cumsum(labels[:, None] == np.arange(k), axis=0)[:-1][:, total > 0]
    total = total[total > 0]
    size = np.arange(1, n)[:, None]
    apart = (left - size * total / n) ** 2 / (total / n)
    scores = (apart * (1 / size + 1 / (n - size))).sum(axis=1)
    best, last, at = -np.inf, values[0], values[0]
    for score, value in zip(scores.tolist(), values[1:].tolist(), strict=True):
        if score > best and value != last:
            best, at, last = score, (last + value) / 2, value
    return best, float(at)


class ProgramTree(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A tree grown by the rules of the program.

    `X` is a pandas table whose nominal columns are categories, in the order in which the program
    visits them. `select`: "criterion", or "rounded_inference". `scan`: "right", or "printed" (for
    "chi2_cut").
    """

    def __init__(
        self, *, criterion: str = "gini", categorical_split: str = "pc_ext", max_depth: int = 5,
        select: str = "criterion", scan: str = "right", significance: float = 0.1,
        min_second_value: int = 15,
    ) -> None:  # fmt: skip
        self.criterion = criterion
        self.categorical_split = categorical_split
        self.max_depth = max_depth
        self.select = select
        self.scan = scan
        self.significance = significance
        self.min_second_value = min_second_value

    def fit(self, X: Any, y: NDArray[Any]) -> ProgramTree:
        """Grow the tree."""
        self.nominal_ = {i for i, c in enumerate(X.columns) if X[c].dtype == "category"}
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.n_leaves_ = 0
        self.root_ = self._grow(numbers(X), labels.astype(np.int64), 0)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Give the class of every row."""
        X = numbers(X)
        labels = np.empty(len(X), np.int64)
        todo = [(self.root_, np.arange(len(X)))]
        while todo:
            node, rows = todo.pop()
            if isinstance(node, Leaf):
                labels[rows] = node.label
                continue
            left = node.goes_left(X[rows, node.column])
            todo += [(node.children[0], rows[left]), (node.children[1], rows[~left])]
        return self.classes_[labels]

    def _grow(self, X: NDArray[np.float64], y: Codes, depth: int) -> Leaf | Fork:
        counts = np.bincount(y, minlength=len(self.classes_))
        fork = None
        if depth < self.max_depth and counts.max() < len(y):
            columns = self._columns(X, y)
            fork = self._split(X, y, columns) if columns else None
        if fork is None:
            self.n_leaves_ += 1
            return Leaf(int(counts.argmax()))
        left = fork.goes_left(X[:, fork.column])
        below = [self._grow(X[side], y[side], depth + 1) for side in (left, ~left)]
        fork.children = (below[0], below[1])
        return fork

    def _columns(self, X: NDArray[np.float64], y: Codes) -> list[int]:
        """Give the attributes that may be split: one if conditional inference chooses it."""
        kept, best = [], (-1.0, -1)
        for column in range(X.shape[1]):
            if column not in self.nominal_:
                kept.append(column)
                continue
            found = chi_square(X[:, column].astype(np.int64), y, len(self.classes_))
            statistic, df, second = found
            if df == 0 or second < self.min_second_value:
                continue
            if chdtrc(df, statistic) > self.significance:
                continue
            kept.append(column)
            rounded = float(chdtr(df, statistic * (len(y) - 1) / len(y)))
            if rounded > best[0]:
                best = rounded, column
        if self.select == "criterion":
            return kept
        return [best[1]] if best[1] >= 0 else []

    def _split(self, X: NDArray[np.float64], y: Codes, columns: list[int]) -> Fork | None:
        scanned = [c for c in columns if self.scan == "printed" and c not in self.nominal_]
        others = [c for c in columns if c not in scanned]
        fork, gain = self._library_split(X, y, others) if others else (None, -np.inf)
        for column in scanned:
            if X[:, column].min() == X[:, column].max():
                continue
            score, at = printed_cut(X[:, column], y, len(self.classes_))
            # both are sums over rows, so they can be compared
            if score > gain:
                fork, gain = Fork(column, at, np.empty(0), 0, np.empty(0)), score
        return fork

    def _library_split(
        self, X: NDArray[np.float64], y: Codes, columns: list[int]
    ) -> tuple[Fork | None, float]:
        tree = TreeClassifier(
            criterion=self.criterion,
            categorical_split=self.categorical_split,
            max_depth=1,
            categorical_features=[i for i, c in enumerate(columns) if c in self.nominal_],
        )
        root = tree.fit(X[:, columns], y).tree_.nodes[0]
        if root.condition is None:
            return None, -np.inf
        asked = root.condition
        column = columns[asked.column]
        if isinstance(asked, Threshold):
            return Fork(column, asked.value, np.empty(0), 0, np.empty(0)), root.gain
        left, right = (np.array(levels, float) for levels in asked.branches)
        weights = [np.isin(X[:, column], side).sum() for side in (left, right)]
        seen = np.concatenate([left, right])
        return Fork(column, None, left, int(np.argmax(weights)), seen), root.gain
