"""Full trees and their cost-complexity sequences against rpart's, kept in fixtures/rpart.json."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.rpart_data import sequences, table

from ramify import TreeClassifier, TreeRegressor
from ramify.pruning import CostComplexity


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in sequences()])
def test_full_tree_is_that_of_rpart(case: dict[str, Any]) -> None:
    X, y = table(case["name"])
    kind = TreeRegressor if case["name"] == "diabetes" else TreeClassifier
    model = kind(min_samples_split=case["minsplit"], min_samples_leaf=case["minbucket"]).fit(X, y)
    assert model.tree_.n_leaves == case["leaves"] == case["nsplit"][-1] + 1
    if kind is TreeClassifier:
        root = len(y) - np.bincount(y).max()
        error = np.count_nonzero(model.predict(X) != y)
    else:
        root = ((y - y.mean()) ** 2).sum()
        error = ((y - model.predict(X)) ** 2).sum()
    assert case["root_error"] == pytest.approx(root)
    assert case["error"][-1] == pytest.approx(error / root, rel=1e-9, abs=1e-12)


# On the other two, ties are broken differently: as many leaves, but not the same ones.
SAME_TREE = ("iris", "wine", "breast_cancer")


@pytest.mark.parametrize("name", SAME_TREE)
def test_cost_complexity_sequence_is_that_of_rpart(name: str) -> None:
    case = next(case for case in sequences() if case["name"] == name)
    X, y = table(name)
    model = TreeClassifier(
        min_samples_split=case["minsplit"],
        min_samples_leaf=case["minbucket"],
        pruning=CostComplexity(alpha=0.0),
    )
    path = model.fit(X, y).pruning_path_
    root = case["root_error"] / len(y)  # rpart gives prices and errors as shares of this
    assert path.leaves[::-1].tolist() == [splits + 1 for splits in case["nsplit"]]
    np.testing.assert_allclose(path.key[::-1], np.array(case["CP"]) * root, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        path.training_error[::-1], np.array(case["error"]) * root, rtol=1e-9, atol=1e-12
    )
