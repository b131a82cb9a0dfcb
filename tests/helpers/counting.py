"""A learner that counts its fits in a file, so that fits in other processes count too."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier


class CountingTree(ClassifierMixin, BaseEstimator):
    """A tree of scikit-learn that notes each fit, slowly if asked to, or fails."""

    def __init__(
        self,
        log: str = "",
        max_depth: int | None = None,
        seconds: float = 0.0,
        fail_with: str = "",
        random_state: int | None = None,
    ) -> None:
        self.log = log
        self.max_depth = max_depth
        self.seconds = seconds
        self.fail_with = fail_with
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> CountingTree:
        if self.log:
            file = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(file, b"fit\n")
            os.close(file)
        time.sleep(self.seconds)
        if self.fail_with:
            raise RuntimeError(self.fail_with)
        self.inner_ = DecisionTreeClassifier(
            max_depth=self.max_depth, max_features=1, random_state=self.random_state
        ).fit(X, y)
        self.tree_ = self.inner_.tree_
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X: Any) -> Any:
        return self.inner_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        return self.inner_.predict_proba(X)


DATA = {"iris": load_iris, "wine": load_wine}


def learners(log: Path | str, **options: Any) -> dict[str, CountingTree]:
    """Two learners that count their fits."""
    return {f"depth {d}": CountingTree(str(log), max_depth=d, **options) for d in (1, 3)}


def fits(log: Path | str) -> int:
    """How many fits there were."""
    path = Path(log)
    return path.read_text().count("fit") if path.exists() else 0


def without_times(found: Any) -> dict[str, list[Any]]:
    """The results without the times, which differ from run to run; NaN as text."""
    return {k: [repr(v) for v in c] for k, c in found.results.items() if "time" not in k}
