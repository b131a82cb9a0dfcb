"""The tree of a fold in a cross-validation is the tree that its rows alone give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.sequence_pruning_data import folds_of, judged_at, wrong_rows

from ramify import TreeClassifier
from ramify.pruning import BestFirst, CostComplexity


def genes(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Sixty columns of four levels and a rare fifth: many nodes have a pure split."""
    rng = np.random.default_rng(seed)
    y = rng.choice(3, rows, p=[0.24, 0.24, 0.52])
    told = rng.random((rows, 60)) < 0.7 * np.exp(-np.abs(np.arange(60) - 30) / 1.5)
    X = np.where(told, (y[:, None] + np.arange(60)) % 4, rng.integers(0, 4, (rows, 60)))
    X[rng.random((rows, 60)) < 1e-3] = 4
    return X.astype(float), y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("growth", ["best_first", "depth_first"])
def test_the_errors_of_the_folds_are_those_of_trees_grown_on_their_rows(
    seed: int, growth: Any
) -> None:
    X, y = genes(2000, seed)
    nominal = list(range(60))
    clf = TreeClassifier(
        growth="best_first",
        categorical_features=nominal,
        pruning=BestFirst(folds=5, rule="min"),
        random_state=seed,
    )
    path = clf.fit(X, y).pruning_path_
    # Unpruned trees do not depend on the order of growth.
    alone = TreeClassifier(growth=growth, categorical_features=nominal)
    wrong = wrong_rows(alone, X, y, folds_of(clf, y, None, 5))
    assert path.error[np.argmax(path.leaves)] == pytest.approx(wrong / len(y), abs=1e-12)


def skewed(seed: int, rows: int = 700) -> tuple[pd.DataFrame, np.ndarray]:
    """Rare classes, so that large nodes have a handful of rows of them; some cells are missing."""
    rng = np.random.default_rng(seed)
    number = rng.normal(size=rows).round(1)
    level = rng.integers(0, 6, rows)
    level[rng.random(rows) < 0.1] = -1
    X = pd.DataFrame(
        {
            "number": number,
            "holes": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows).round(2)),
            "level": pd.Categorical.from_codes(level, list("abcdef")),
            "noise": pd.Categorical.from_codes(rng.integers(0, 4, rows), list("wxyz")),
        }
    )
    y = np.digitize(number + 0.5 * (level < 2) + 0.4 * rng.normal(size=rows), [1.2, 1.9])
    return X, y


def told_by_a_rare_level() -> tuple[pd.DataFrame, np.ndarray]:
    """A number tells two classes apart; in each half, a level of three rows marks a third class."""
    number, level = np.arange(400.0), np.arange(400) % 4
    level[[50, 100, 150, 250, 300, 350]] = 4
    X = pd.DataFrame({"number": number, "level": pd.Categorical.from_codes(level, list("abcde"))})
    return X, np.where(level == 4, 2, number >= 200)


@pytest.mark.parametrize("missing", ["fractional", "direction", "separate"])
@pytest.mark.parametrize(
    "options",
    [
        {"min_samples_leaf": 3},
        {"min_samples_leaf": 9},
        {"min_samples_leaf": 9, "max_leaves": 16},
        {"min_samples_leaf": 9, "categorical_split": "multiway"},
        {"min_samples_leaf": 9, "categorical_split": "multiway", "small_branches": True},
        {"min_samples_leaf": 9, "class_weight": {0: 0.05, 1: 0.1, 2: 0.1}},
        {"min_samples_leaf": 9, "costs": [[0, 1, 1], [9, 0, 1], [9, 1, 0]]},
        {"criterion": "entropy"},
        {"criterion": "misclassification"},
        {"criterion": "twoing"},
        {"criterion": "gain_ratio"},
        {"criterion": "squared_gini"},
        {"categorical_split": "pc"},
    ],
    ids=str,
)
def test_what_the_trees_of_folds_do_without_changes_no_error(
    missing: Any, options: dict[str, Any]
) -> None:
    rare = options.get("small_branches", False)
    X, y = told_by_a_rare_level() if rare else skewed(len(missing) + len(str(options)))
    options = {"identifiers": "keep", **options}
    clf = TreeClassifier(missing=missing, pruning=CostComplexity(), random_state=1, **options)
    path = clf.fit(X, y).pruning_path_
    folds = folds_of(clf, y, None, 10)
    paid = np.ones((3, 3)) - np.eye(3) if clf.costs is None else np.array(clf.costs)
    weight = np.ones(3) if clf.class_weight is None else np.array([0.05, 0.1, 0.1])
    loss = np.zeros(len(path))
    for fold in range(10):
        inside = folds != fold
        alone = TreeClassifier(missing=missing, **options).fit(X[inside], y[inside])
        for row, alpha in enumerate(judged_at(path)):
            pruned = alone.prune(alpha=min(alpha, 1e9))
            found = paid[y[~inside], pruned.predict(X[~inside])]
            loss[row] += (found * weight[y[~inside]]).sum()
    np.testing.assert_allclose(path.error, loss / weight[y].sum(), atol=1e-12)
