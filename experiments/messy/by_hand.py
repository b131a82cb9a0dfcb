"""What a tree gets from a file that was cleaned by hand, on the folds that the command uses."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import accuracy_score, r2_score

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.folds import k_fold

MANY_ROWS = 50_000  # above, the command holds out one fifth
MOST_LEVELS = 254  # that HistGradientBoosting takes


@dataclass(frozen=True)
class ByHand:
    """Held-out scores of our tree and of one tree of scikit-learn's boosting, and our leaves."""

    ours: float
    boosting: float
    leaves: int


def score_by_hand(X: pd.DataFrame, y: pd.Series, task: str) -> ByHand:
    """Score both on the same folds."""
    labels = y.to_numpy(dtype=object if task == "classification" else float)
    parts = folds(labels, task)
    shared: dict[str, Any] = {"pruning": "auto", "missing": "direction", "n_jobs": 2}
    if task == "classification":
        ours: Any = TreeClassifier(selection="beyond_chance", **shared)
    else:
        ours = TreeRegressor(min_samples_leaf=20, **shared)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        leaves = ours.fit(X, labels).tree_.n_leaves
        boosting = HistGradientBoostingRegressor
        if task == "classification":
            boosting = HistGradientBoostingClassifier
        one_tree = boosting(
            max_iter=1,
            learning_rate=1.0,
            max_leaf_nodes=max(2, leaves),
            early_stopping=False,
            categorical_features="from_dtype",
        )
        return ByHand(
            ours=score(ours, X, labels, parts, task),
            boosting=score(one_tree, with_categories(X), labels, parts, task),
            leaves=leaves,
        )


def folds(y: Any, task: str) -> list[tuple[Any, Any]]:
    """Give the folds of the command: ten, or one fifth of many rows."""
    by_class = task == "classification"
    if len(y) > MANY_ROWS:
        return k_fold(y, 5, 0, by_class=by_class)[:1]
    return k_fold(y, 10, 0, by_class=by_class)


def score(model: Any, X: pd.DataFrame, y: Any, parts: list[tuple[Any, Any]], task: str) -> float:
    """Give the mean accuracy or R2 over the folds."""
    scores = []
    for train, test in parts:
        predicted = model.fit(X.iloc[train], y[train]).predict(X.iloc[test])
        measure = accuracy_score if task == "classification" else r2_score
        scores.append(measure(y[test], predicted))
    return float(np.mean(scores))


def with_categories(X: pd.DataFrame) -> pd.DataFrame:
    """Make categories of text; the rarest are one category where there are too many."""
    made = X.copy()
    for name in X.columns:
        if pd.api.types.is_numeric_dtype(X[name]):
            continue
        kept = X[name].value_counts().index[:MOST_LEVELS]
        pooled = X[name].where(X[name].isin(kept) | X[name].isna(), "(other)")
        made[name] = pooled.astype("category")
    return made
