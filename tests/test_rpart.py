"""Full trees against rpart's, whose cost-complexity sequences are kept in fixtures/rpart.json."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rpart_data import sequences, table

from ramify import TreeClassifier, TreeRegressor


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
