"""Tables of so many rows that the sides of the rows are packed in bits."""

from __future__ import annotations

import numpy as np
import pytest

from ramify import TreeClassifier


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_go_where_the_conditions_say(jobs):
    rows = 2**21 + 4099
    rng = np.random.default_rng(1)
    X = rng.random((rows, 3), dtype=np.float32)
    X[:, 2] = np.floor(1000 * X[:, 2])  # many rows share a value
    y = ((X[:, 0] > 0.3) ^ (X[:, 1] > 0.6) ^ (X[:, 2] > 500) ^ (rng.random(rows) < 0.1)).astype(int)
    tree = TreeClassifier(max_depth=4, n_jobs=jobs, identifiers="keep").fit(X, y).tree_
    tree.check()
    data = tree.data
    members = {0: np.arange(rows)}
    for node in range(len(data["kind"])):
        here = members.pop(node)
        np.testing.assert_array_equal(data["value"][node], np.bincount(y[here], minlength=2))
        if data["n_children"][node]:
            left = X[here, data["attribute"][node]] <= data["threshold"][node]
            first = int(data["first_child"][node])
            members[first], members[first + 1] = here[left], here[~left]
    assert tree.n_leaves == 16
