"""Rows that a missing value divides among branches: their parts add up, whatever they weigh."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ramify import TreeClassifier


def holey(seed: int, rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns of few values, nominal and numeric, and enough rows for the core to count them."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 6, rows)
    b = rng.integers(0, 9, rows)
    c = rng.integers(0, 12, rows)
    y = (a * 2 + b + c // 3 + rng.integers(0, 8, rows)) // 7 % 3
    names = np.array([f"l{i}" for i in range(9)], dtype=object)
    X = pd.DataFrame({"a": names[a], "b": names[b], "c": c.astype(float)})
    X["d"] = rng.normal(size=rows)
    for column in ("a", "b"):
        X.loc[rng.random(rows) < 0.15, column] = None
    return X, y


def children(tree: Any) -> Any:
    """Every inner node with its children."""
    data = tree.data
    for node in np.flatnonzero(data["n_children"]):
        first = data["first_child"][node]
        yield node, np.arange(first, first + data["n_children"][node])


@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize("growth", ["depth_first", "best_first"])
@pytest.mark.parametrize("seed", range(4))
def test_parts_add_up_exactly(seed: int, growth: str, split: str) -> None:
    X, y = holey(seed, [150, 700, 3000, 6000][seed])
    tree = TreeClassifier(growth=growth, categorical_split=split, max_depth=7).fit(X, y).tree_
    weight, value = tree.data["weight"], tree.data["value"]
    assert weight[0] == len(y)
    assert np.any(weight != np.floor(weight))  # some rows were divided
    for node, below in children(tree):
        assert weight[below].sum() == weight[node]
        np.testing.assert_array_equal(value[below].sum(axis=0), value[node])


@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize("seed", range(3))
def test_equal_weights_change_nothing(seed: int, split: str) -> None:
    X, y = holey(seed, 900)
    model = TreeClassifier(categorical_split=split, max_depth=6)
    plain = model.fit(X, y).tree_.data
    weighed = model.fit(X, y, sample_weight=np.full(len(y), 0.5)).tree_.data
    for name in ("first_child", "attribute", "rows", "level_branch"):
        np.testing.assert_array_equal(plain[name], weighed[name])
    np.testing.assert_allclose(plain["value"], 2 * weighed["value"], rtol=1e-12)


@pytest.mark.parametrize("light", [1e-8, 1e-12, 1e-15])
@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_a_branch_of_light_rows_gets_light_parts(light: float, split: str) -> None:
    rng = np.random.default_rng(0)
    y = np.r_[rng.integers(0, 2, 150), np.zeros(150, dtype=int)]
    a = np.array(["a"] * 150 + ["h"] * 100 + ["i"] * 50, dtype=object)
    b = np.array(["p", "q", "r"], dtype=object)[rng.integers(0, 3, 300)]
    a[290:] = b[290:] = None
    weight = np.where(np.arange(300) < 150, light, 1.0)
    X = pd.DataFrame({"a": a, "b": b, "c": rng.integers(0, 5, 300).astype(float)})
    model = TreeClassifier(categorical_split=split, max_depth=12).fit(X, y, sample_weight=weight)
    data = model.tree_.data
    for node, below in children(model.tree_):
        assert data["rows"][below].sum() >= data["rows"][node]
        assert np.all(data["weight"][below] > 0)
    # The first split separates the light rows from the others and divides ten rows.
    first = data["first_child"][0]
    known = weight[:290]
    whole = known[a[:290] == "a"].sum()
    expected = whole + 10.0 * whole / known.sum()
    assert data["weight"][first] == pytest.approx(expected, rel=1e-9)
