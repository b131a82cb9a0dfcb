"""Random tables and estimators for the prunings along a sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.target import Target
from ramify.learning.training import Training
from ramify.pruning import BestFirst, CostComplexity, CriticalValue

PRUNINGS = (
    CostComplexity(),
    CostComplexity(risk="impurity", rule="min"),
    BestFirst(),
    BestFirst(rule="1se", error="rmse"),
    CriticalValue(),
)
SEEDS = range(10)  # of every kind of estimator below, with weights and without


def table(seed: int, *, regression: bool = False) -> tuple[pd.DataFrame, np.ndarray, Any]:
    """Numbers, categories and holes, with weights for every other seed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 90))
    X = pd.DataFrame(
        {
            "number": rng.normal(size=n).round(1),
            "few": rng.integers(0, 3, n).astype(float),
            "holes": np.where(rng.random(n) < 0.25, np.nan, rng.normal(size=n).round(1)),
            "level": pd.Categorical.from_codes(rng.integers(0, 5, n), list("abcde")),
            "gap": pd.Categorical.from_codes(rng.integers(-1, 3, n), list("xyz")),
        }
    )
    signal = X["number"] + (X["level"].isin(["a", "b"])) + 0.7 * rng.normal(size=n)
    y = signal.to_numpy().round(1) if regression else np.digitize(signal, [0.2, 1.0])
    weight = rng.integers(0, 3, n).astype(float) if seed % 2 else None
    if weight is not None:
        weight[:2] = 1.0
    return X, y, weight


def estimator(seed: int, pruning: Any, *, regression: bool = False, criterion: Any = None) -> Any:
    missing = ("fractional", "direction", "separate")[seed % 3]
    split = "multiway" if seed % 4 == 3 else "auto"
    growth = ("best_first", "depth_first", "best_first_unweighted")[seed % 3]
    shared = {
        "pruning": pruning,
        "missing": missing,
        "categorical_split": split,
        "growth": growth,
        "random_state": seed,
    }
    if regression:
        usual = "absolute_error" if seed % 2 else "squared_error"
        return TreeRegressor(criterion=criterion or usual, quantile=0.7, **shared)
    costs = [[0, 1, 4], [2, 0, 1], [1, 1, 0]] if seed % 5 == 4 else None
    criterion = "chi2" if seed % 7 == 6 else "gini"
    return TreeClassifier(criterion=criterion, costs=costs, **shared)


def folds_of(clf: Any, y: np.ndarray, weight: Any, n_folds: int) -> np.ndarray:
    codes = np.unique(y, return_inverse=True)[1] if hasattr(clf, "classes_") else y
    training = Training(
        problem=None,  # type: ignore[arg-type]
        target=Target(codes, weight, classes=getattr(clf, "classes_", None)),
        loss="squared",
        order="",
        unseen="",
        seed=clf.random_state,
        verbose=False,
    )
    return training.folds(n_folds)


def wrong_rows(estimator: Any, X: Any, y: np.ndarray, folds: np.ndarray) -> int:
    """Count the rows that are misclassified by a tree grown on the other folds."""
    wrong = 0
    for fold in np.unique(folds):
        inside = folds != fold
        alone = clone(estimator).fit(X[inside], y[inside])
        wrong += int((alone.predict(X[~inside]) != y[~inside]).sum())
    return wrong


def judged_at(path: Any) -> np.ndarray:
    """The values of the parameter at which the trees of folds are judged."""
    if path.key_name == "expansions":
        return path.thresholds
    middle = np.array(path.thresholds)
    for i in range(len(middle) - 1):
        if middle[i] >= 0:
            middle[i] = np.sqrt(path.thresholds[i]) * np.sqrt(path.thresholds[i + 1])
    middle[-1] = np.inf
    return middle
