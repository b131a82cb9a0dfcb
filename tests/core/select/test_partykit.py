"""Conditional inference against partykit: the p-value of every attribute, roots and a tree.

The fixture holds data and results; ``tests/fixtures/partykit.R`` wrote it: the quadratic test
statistic of ``ctree``, univariate and with Bonferroni's correction, without Monte Carlo, and the
logarithm of the p-value by libcoin, on which ``ctree`` rests.
"""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from helpers.paths import ROOT, fixture
from sklearn.datasets import load_iris

from ramify import TreeClassifier, TreeRegressor
from ramify.datasets import read_table_file

FIXTURE = fixture("partykit.json")
ADULT = ROOT.parent / "shared" / "datasets" / "adult.csv.gz"
CASES = [
    pytest.param(case, id=case["name"])
    for case in FIXTURE["data"]
    if "columns" in case or ADULT.exists()
]


def series(column: dict[str, Any]) -> pd.Series:
    if column["kind"] == "numeric":
        return pd.Series(column["cells"], dtype=float)
    if column["kind"] == "ordinal":
        kind = pd.CategoricalDtype(column["levels"], ordered=True)
        return pd.Series(column["cells"], dtype=object).astype(kind)
    return pd.Series(column["cells"], dtype=object)


def table_of(case: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    if "columns" not in case:
        table = read_table_file(ADULT, target="income")
        return TreeClassifier, table.to_frame("pandas"), table.y, None
    X = pd.DataFrame({name: series(column) for name, column in case["columns"].items()})
    model = TreeRegressor if case["target"]["kind"] == "numeric" else TreeClassifier
    return model, X, series(case["target"]).to_numpy(), case["weights"]


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("case", CASES)
def test_p_values(case, missing):
    model, X, y, weights = table_of(case)
    if case["name"] == "adult" and missing != "fractional":
        pytest.skip("one run of the large table is enough")
    parameters = {
        "selection": "conditional_inference",
        "alpha": 1.0,
        "max_depth": 1,
        "missing": missing,
    }
    for name, expected in case["log_p"].items():
        alone = model(**parameters).fit(X[[name]], y, sample_weight=weights).tree_
        assert alone.data["log_p"][0] == pytest.approx(expected, rel=1e-6), name
    assert len(case["log_p"]) > 2
    for bonferroni in (True, False):
        tree = model(bonferroni=bonferroni, **parameters).fit(X, y, sample_weight=weights).tree_
        tree.check()
        assert tree.schema.names[tree.data["attribute"][0]] == case["root"]
        found = tree.data["log_p"][0]
        if bonferroni and case["bonferroni"][case["root"]] > 0:
            expected = math.log(case["bonferroni"][case["root"]])
        elif not bonferroni:
            expected = case["log_p"][case["root"]]
        else:
            continue  # it has underflowed in R
        assert found == pytest.approx(expected, rel=1e-6)


def test_the_tree_of_iris():
    X, y = load_iris(return_X_y=True)
    # As partykit has them: nodes of 20 rows are split, into nodes of at least 7.
    clf = TreeClassifier(
        selection="conditional_inference",
        max_depth=3,
        min_samples_split=20,
        min_samples_leaf=7,
    ).fit(X, y)
    inner = [node for node in clf.tree_.nodes if not node.is_leaf]
    found = [(clf.tree_.data["attribute"][n.id], n.p_value, n.rows) for n in inner]
    expected = FIXTURE["iris_tree"]
    assert [f[0] for f in found] == [e[0] for e in expected]
    assert [f[1] for f in found] == pytest.approx([e[1] for e in expected], rel=1e-6)
    assert [f[2] for f in found] == [e[2] for e in expected]
