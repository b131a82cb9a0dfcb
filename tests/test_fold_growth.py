"""Trees grown for the folds of a cross-validation are those that their rows alone give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ramify import TreeClassifier
from ramify._training import Training
from ramify.pruning import BestFirst


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
    seed: int, growth: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = genes(2000, seed)
    given: list[np.ndarray] = []
    folds_of = Training.folds

    def folds(self: Training, *arguments: Any) -> np.ndarray:
        given.append(folds_of(self, *arguments))
        return given[-1]

    monkeypatch.setattr(Training, "folds", folds)
    nominal = list(range(60))
    pruning = BestFirst(folds=5, rule="min")
    clf = TreeClassifier(growth="best_first", categorical_features=nominal, pruning=pruning)
    path = clf.fit(X, y).pruning_path_
    (of_row,) = given
    errors = []
    for fold in range(5):
        inside = of_row != fold
        alone = TreeClassifier(growth=growth, categorical_features=nominal)
        alone.fit(X[inside], y[inside])
        errors.append((alone.predict(X[~inside]) != y[~inside]).mean())
    # Unpruned trees do not depend on the order of growth.
    assert path.error[np.argmax(path.leaves)] == pytest.approx(np.mean(errors), abs=1e-12)
