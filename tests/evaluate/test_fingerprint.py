"""Fingerprints: the same in every process, different after every change."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers.processes import run_python
from scipy.sparse import csr_matrix
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from ramify import TreeClassifier
from ramify.evaluate.fingerprint import fingerprint, table_fingerprint
from ramify.pruning import BestFirst, CostComplexity

MADE = """
import numpy as np
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from ramify import TreeClassifier
from ramify.pruning import BestFirst
from ramify.evaluate.fingerprint import fingerprint
tree = TreeClassifier(pruning=BestFirst(folds=5), class_weight={"a": 1, "b": 2})
columns = ColumnTransformer([("c", OneHotEncoder(), make_column_selector(dtype_include=object))])
made = GridSearchCV(
    make_pipeline(columns, FunctionTransformer(lambda x: x + 1), tree),
    {"treeclassifier__max_depth": [1, 2]},
    cv=StratifiedKFold(3, shuffle=True, random_state=np.random.RandomState(3)),
)
print(fingerprint([made, {"x", "y", "z"}, frozenset("abc")]))
"""


def test_the_same_in_every_process() -> None:
    said = {run_python(MADE, env={**os.environ, "PYTHONHASHSEED": seed}) for seed in ("1", "2")}
    assert len(said) == 1


def add(x: Any, y: int = 1) -> Any:
    return x + y


def other(x: Any, y: int = 1) -> Any:
    return x - y


DIFFERENT: list[Any] = [
    TreeClassifier(),
    TreeClassifier(max_depth=3),
    TreeClassifier(pruning=CostComplexity()),
    TreeClassifier(pruning=CostComplexity(folds=5)),
    TreeClassifier(pruning=BestFirst()),
    TreeClassifier(class_weight={"a": 1}),
    TreeClassifier(class_weight={"a": 2}),
    TreeClassifier(costs=np.array([[0, 1], [2, 0]])),
    TreeClassifier(costs=np.array([[0, 1], [3, 0]])),
    DecisionTreeClassifier(),
    make_pipeline(SimpleImputer(), DecisionTreeClassifier()),
    make_pipeline(SimpleImputer(strategy="median"), DecisionTreeClassifier()),
    make_pipeline(OneHotEncoder(), DecisionTreeClassifier()),
    GridSearchCV(TreeClassifier(), {"max_depth": [1, 2]}),
    GridSearchCV(TreeClassifier(), {"max_depth": [1, 3]}),
    GridSearchCV(TreeClassifier(), {"max_depth": [1, 2]}, cv=StratifiedKFold(3)),
    GridSearchCV(TreeClassifier(), {"max_depth": [1, 2]}, cv=StratifiedKFold(4)),
    ColumnTransformer([("a", OneHotEncoder(), make_column_selector("a"))]),
    ColumnTransformer([("a", OneHotEncoder(), make_column_selector("b"))]),
    FunctionTransformer(add),
    FunctionTransformer(other),
    FunctionTransformer(functools.partial(add, y=2)),
    FunctionTransformer(functools.partial(add, y=3)),
    FunctionTransformer(np.log),
    FunctionTransformer(lambda x: x + 1),
    FunctionTransformer(lambda x: x + 2),
]


def test_learners_that_differ_have_different_fingerprints() -> None:
    found = [fingerprint(learner) for learner in DIFFERENT]
    assert len(set(found)) == len(found)
    assert [fingerprint(learner) for learner in DIFFERENT] == found


def test_what_has_no_effect_is_left_out() -> None:
    assert fingerprint(TreeClassifier(n_jobs=2)) == fingerprint(TreeClassifier())
    X, y = np.eye(4), [0, 1, 0, 1]
    assert fingerprint(TreeClassifier().fit(X, y)) == fingerprint(TreeClassifier())


@pytest.mark.parametrize("kind", ["array", "object", "pandas", "polars", "dict", "sparse", "list"])
def test_every_cell_of_a_table_counts(kind: str) -> None:
    def make(cells: Any) -> Any:
        columns = {"a": cells[:, 0], "b": cells[:, 1]}
        if kind in ("pandas", "polars"):
            text = columns | {"c": [str(value) for value in cells[:, 1]]}
            return pd.DataFrame(text) if kind == "pandas" else pl.DataFrame(text)
        if kind == "object":
            return cells.astype(str).astype(object)
        return {"array": cells, "dict": columns, "sparse": csr_matrix(cells)}.get(
            kind, cells.tolist()
        )

    base = np.arange(1.0, 9.0).reshape(4, 2)
    y = np.array(["n", "y", "n", "y"])
    first = table_fingerprint(make(base), y)
    assert table_fingerprint(make(base.copy()), y.copy()) == first
    seen = {first}
    for i in range(4):
        for j in range(2):
            changed = base.copy()
            changed[i, j] = np.nextafter(changed[i, j], 99)
            seen.add(table_fingerprint(make(changed), y))
        labels = y.copy()
        labels[i] = "m"
        seen.add(table_fingerprint(make(base), labels))
    assert len(seen) == 13
