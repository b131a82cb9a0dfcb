"""Estimators whose reports are tested: all kinds of splits, tasks and prunings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ramify import OptimalTreeClassifier, TreeClassifier, TreeRegressor

EVIL = "</script><script>window.broken=1</script>"


def mixed(n: int = 600, seed: int = 0) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Numbers, an ordinal and two nominal columns with holes; classes and numbers to predict."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.normal(50, 20, n).round(3),
            "grade": pd.Categorical(rng.choice(list("SMLX"), n), list("SMLX"), ordered=True),
            "town": rng.choice([f"town {i}" for i in range(30)], n),
            EVIL: rng.choice(["<b>bold</b>", "a, b", "", " x ", '"q"', "ünï"], n),
        }
    )
    score = X["size"] / 20 + X["town"].str[-1].map(ord) % 4 + X["grade"].cat.codes
    score += (X[EVIL] == "a, b") * 2 + rng.normal(0, 0.7, n)
    y = pd.Series(np.digitize(score, [4.5, 6, 8]), name="what <i>")
    labels = pd.Series(np.array(["low", "mid & co", EVIL, "top"], dtype=object)[y], name=y.name)
    for column, part in zip(X.columns, (0.1, 0.08, 0.15, 0.1), strict=True):
        X.loc[rng.random(n) < part, column] = None
    return X, labels, pd.Series(score, name="score")


def estimators() -> dict[str, tuple[Any, bool]]:
    """By name, with whether they predict numbers."""
    costs = np.array([[0, 1, 2, 5], [1, 0, 1, 1], [4, 1, 0, 1], [9, 1, 1, 0]])
    return {
        "pruned": (TreeClassifier(pruning="auto"), False),
        "grown": (TreeClassifier(missing="direction"), False),
        "multiway": (TreeClassifier(categorical_split="multiway", missing="separate"), False),
        "error_based": (
            TreeClassifier(categorical_split="multiway", pruning="error_based", unseen="majority"),
            False,
        ),
        "best_first": (TreeClassifier(growth="best_first", pruning="best_first"), False),
        "critical": (TreeClassifier(criterion="chi2", pruning="critical_value"), False),
        "costs": (TreeClassifier(costs=costs, max_leaves=20), False),
        "leaf": (TreeClassifier(max_depth=0), False),
        "inference": (TreeClassifier(selection="conditional_inference"), False),
        "regression": (TreeRegressor(pruning="auto"), True),
        "absolute": (TreeRegressor(criterion="absolute_error", max_leaves=12), True),
        "quantile": (TreeRegressor(criterion="quantile", quantile=0.9, pruning="auto"), True),
        "many": (TreeClassifier(max_leaves=40), False),
        "optimal": (OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=8), False),
    }


def fitted(name: str) -> tuple[Any, pd.DataFrame, pd.Series]:
    """A fitted estimator, and rows it has not seen."""
    X, labels, numbers = mixed()
    estimator, regression = estimators()[name]
    y = numbers if regression else labels
    if name == "many":
        y = (numbers.rank(pct=True) * 13).astype(int)
    return estimator.fit(X[:400], y[:400]), X[400:], y[400:]


def data_of(path: Path) -> dict[str, Any]:
    """What a report holds as JSON."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', text)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data
