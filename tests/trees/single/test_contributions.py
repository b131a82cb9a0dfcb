"""What each column adds to a prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.export_data import disturb, mixed, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import OptimalTreeClassifier, TreeClassifier, TreeRegressor

TABLES = tables()


def slow(model: Any, X: pd.DataFrame) -> np.ndarray:
    """Row by row and node by node, from what the tree says of itself."""
    tree = model.tree_
    data = tree.data
    if tree.classes is None:
        answers = np.array(tree.predictions)[:, None]
    else:
        answers = data["value"] / data["weight"][:, None]
    visits = model.decision_path(X)
    found = np.zeros((len(X), len(tree.schema), answers.shape[1]))
    for i in range(len(X)):
        seen = set(visits.indices[visits.indptr[i] : visits.indptr[i + 1]].tolist())
        share = {0: 1.0}
        for node in sorted(seen):
            first, count = int(data["first_child"][node]), int(data["n_children"][node])
            below = [child for child in range(first, first + count) if child in seen]
            for child in below:
                part = data["proportion"][child] if len(below) > 1 else 1.0
                share[child] = share[node] * part
                change = answers[child] - answers[node]
                found[i, data["attribute"][node]] += share[child] * change
    return found


@pytest.mark.parametrize("data", TABLES)
@pytest.mark.parametrize("missing", ["fractional", "direction", "separate"])
def test_they_add_up_and_equal_the_slow_way(data: str, missing: Any) -> None:
    X, y, rows = TABLES[data]
    kind = TreeRegressor if data == "numbers" else TreeClassifier
    model = kind(missing=missing, max_leaves=30).fit(X, y)
    found = model.contributions(rows)
    if data == "numbers":
        assert found.values.shape == (len(rows), X.shape[1])
        np.testing.assert_allclose(found.prediction, model.predict(rows), rtol=0, atol=1e-12)
        wanted = slow(model, rows)[:, :, 0]
    else:
        assert found.values.shape == (len(rows), X.shape[1], len(model.classes_))
        np.testing.assert_allclose(found.prediction, model.predict_proba(rows), rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.values.sum(axis=2), 0, atol=1e-12)
        wanted = slow(model, rows)
    np.testing.assert_allclose(found.values, wanted, rtol=0, atol=1e-12)


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    classes=st.sampled_from([0, 2, 4]),
    split=st.sampled_from(["auto", "multiway"]),
    unseen=st.sampled_from(["missing", "majority"]),
)
def test_random_tables(seed: int, classes: int, split: Any, unseen: Any) -> None:
    X, y = mixed(seed, 60, classes=classes)
    kind = TreeClassifier if classes else TreeRegressor
    model = kind(categorical_split=split, unseen=unseen).fit(X, y)
    rows = disturb(X, seed, 0.5)
    wanted = model.predict_proba(rows) if classes else model.predict(rows)
    np.testing.assert_allclose(model.contributions(rows).prediction, wanted, rtol=0, atol=1e-12)


def test_a_column_that_is_not_asked_for_adds_nothing() -> None:
    X, y, rows = TABLES["titanic"]
    model = OptimalTreeClassifier(max_depth=1).fit(X, y)
    values = model.contributions(rows).values
    used = set(model.tree_.data["attribute"].tolist()) - {-1}
    for j in range(X.shape[1]):
        assert values[:, j].any() == (j in used)
    assert not TreeClassifier(max_depth=0).fit(X, y).contributions(rows).values.any()


def test_absolute_error_explains_medians() -> None:
    X, y, rows = TABLES["numbers"]
    model = TreeRegressor(criterion="absolute_error", max_leaves=10).fit(X, y)
    found = model.contributions(rows)
    np.testing.assert_allclose(found.prediction, model.predict(rows), rtol=0, atol=1e-12)
    assert found.bias == model.tree_.predictions[0]


def test_frames() -> None:
    X, y, rows = TABLES["weather"]
    model = TreeClassifier().fit(X, y)
    found = model.contributions(rows)
    frame = found.to_frame(label="yes", backend="pandas")
    assert list(frame.columns) == ["bias", *X.columns]
    np.testing.assert_allclose(frame.sum(axis=1), model.predict_proba(rows)[:, 1], atol=1e-12)
    every = found.to_frame(backend="pandas")
    assert list(every.columns)[:2] == ["bias: no", "outlook: no"] and every.shape[1] == 10
    with pytest.raises(ValueError, match="label='maybe' is not a class; choose from 'no', 'yes'"):
        found.to_frame(label="maybe")
    number = TreeRegressor().fit(X, np.arange(14.0)).contributions(rows)
    assert list(number.to_frame(backend="pandas").columns) == ["bias", *X.columns]
    with pytest.raises(ValueError, match="needs a classifier"):
        number.to_frame(label="yes")
