"""Layouts of entries, labels in few bits, and columns of many rows: the tree is always the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ramify import TreeClassifier, TreeRegressor, _core
from ramify.tables import Table


def parameters(model: Any, X: Any, y: Any) -> Any:
    """The problem that a fit would grow from."""
    settings = model.check_parameters()
    table = Table.read(X)
    return model.training(table, model._read_target(y, None, table.n_rows), settings).problem


def arrays(tree: Any) -> dict[str, Any]:
    return {name: np.asarray(value).tobytes() for name, value in tree.arrays().items()}


@pytest.mark.parametrize(
    ("rows", "classes", "entries"),
    [
        (2**24, 128, "compact"),
        (2**24, 129, "wide"),
        (2**24 + 1, 8, "long"),
        (2**24 + 1, 9, "wide"),
        (2**28, 8, "long"),
        (2**28, 9, "wide"),
        (2**28 + 1, 2, "wide"),
    ],
)
def test_limits(rows: int, classes: int, entries: str) -> None:
    assert _core.smallest_entries(rows, classes) == entries


def mixed(rows: int, classes: int, seed: int, *, missing: bool) -> tuple[Any, Any]:
    """Numbers, few values, a mode that most rows share, and levels."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=rows)
    few = rng.integers(0, 6, rows).astype(float)
    mode = np.where(rng.random(rows) < 0.8, 0.0, rng.normal(size=rows))
    levels = rng.integers(0, 40, rows)
    noisy = numbers + few / 3 + (levels % 5) / 2 + rng.normal(size=rows)
    cuts = np.quantile(noisy, np.arange(1, classes) / classes)
    if missing:
        numbers[rng.random(rows) < 0.2] = np.nan
    X = {
        "numbers": numbers,
        "few": few,
        "mode": mode,
        "levels": [f"l{level}" for level in levels],
    }
    return X, np.searchsorted(cuts, noisy)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 8])
@pytest.mark.parametrize("options", [{}, {"max_leaves": 12}, {"criterion": "entropy"}])
def test_layouts_grow_the_same_tree(classes: int, missing: bool, options: dict[str, Any]) -> None:
    X, y = mixed(1500, classes, classes, missing=missing)
    problem = parameters(TreeClassifier(max_depth=7, **options), X, y)
    found = [arrays(_core.grow(problem, entries=name)) for name in ("compact", "long", "wide")]
    assert len(found[0]["kind"]) > 10  # of one byte each
    assert found[0] == found[1] == found[2]


def test_a_layout_that_does_not_fit_is_refused() -> None:
    X, y = mixed(300, 9, 0, missing=False)
    problem = parameters(TreeClassifier(), X, y)
    with pytest.raises(ValueError, match="entries 'long' do not hold 300 rows of 9 classes"):
        _core.grow(problem, entries="long")
    with pytest.raises(ValueError, match="entries 'short' is not one of compact, long, wide"):
        _core.grow(problem, entries="short")


@pytest.mark.parametrize("classes", [2, 3, 4, 5, 16, 17, 256, 257])
def test_packed_labels(classes: int) -> None:
    # More rows than are looked up without packing.
    rng = np.random.default_rng(classes)
    rows = 70_001
    X = rng.random((rows, 3), dtype=np.float32)
    y = np.minimum((X[:, 0] * classes).astype(int), classes - 1)
    y = np.where(rng.random(rows) < 0.3, rng.integers(0, classes, rows), y)
    model = TreeClassifier(max_depth=4, identifiers="keep").fit(X, y)
    leaves = model.apply(X)
    for leaf in np.unique(leaves).tolist():
        counts = np.bincount(y[leaves == leaf], minlength=classes)
        np.testing.assert_array_equal(model.tree_.core.arrays()["value"][leaf], counts)


COLUMNS = {
    "even": lambda rng, n: rng.random(n),
    "skewed": lambda rng, n: np.exp(8 * rng.normal(size=n)),
    "an outlier": lambda rng, n: np.append(rng.normal(size=n - 1), 1e30),
    "ties": lambda rng, n: rng.integers(0, 50, n) / 7,
    "around zero": lambda rng, n: np.where(rng.random(n) < 0.5, -0.0, 0.0) + (rng.random(n) < 0.3),
    "tiny": lambda rng, n: rng.integers(-200, 200, n) * 1e-44,
    "infinite": lambda rng, n: np.where(rng.random(n) < 0.1, -np.inf, 1 / (rng.random(n) - 0.5)),
    "missing": lambda rng, n: np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    "all but one": lambda rng, n: np.append(np.zeros(n - 1), 0.5),
    "descending": lambda rng, n: -np.arange(n) / 3,
}


@pytest.mark.parametrize("rows", [300, 16_384, 50_000])
@pytest.mark.parametrize("name", COLUMNS)
def test_floats_grow_the_tree_of_the_same_doubles(name: str, rows: int) -> None:
    # Floats are sorted by all their bits, doubles by some of them and then by value.
    rng = np.random.default_rng(rows)
    column = COLUMNS[name](rng, rows).astype(np.float32)
    X = np.column_stack([column, rng.random(rows, dtype=np.float32)])
    y = (np.nan_to_num(column) > np.nanmedian(column)) ^ (rng.random(rows) < 0.3)
    options = {"max_depth": 8, "identifiers": "keep", "missing": "direction"}
    from_floats = TreeClassifier(**options).fit(X, y)
    from_doubles = TreeClassifier(**options).fit(X.astype(np.float64), y)
    assert arrays(from_floats.tree_.core) == arrays(from_doubles.tree_.core)
    # Where every row has a threshold of its own, the order must be right everywhere.
    np.testing.assert_array_equal(from_floats.predict(X), from_doubles.predict(X.astype(float)))
    in_columns = TreeClassifier(**options).fit(np.asfortranarray(X), y)
    assert arrays(in_columns.tree_.core) == arrays(from_doubles.tree_.core)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_order_of_a_column(name: str, dtype: Any) -> None:
    # A target that rises with the column: a full tree has a leaf per value, if rows are in order.
    rng = np.random.default_rng(1)
    column = COLUMNS[name](rng, 40_000).astype(dtype)
    _, ranks = np.unique(column, return_inverse=True)
    target = np.where(np.isnan(column), -1.0, ranks.astype(float))
    model = TreeRegressor(identifiers="keep", missing="direction", min_samples_leaf=1)
    found = model.fit(column[:, None], target).predict(column[:, None])
    np.testing.assert_array_equal(found, target)


def test_float32_is_not_copied_and_predicts_in_place() -> None:
    X = np.random.default_rng(0).random((1000, 3), dtype=np.float32)
    table = Table.read(X)
    assert table.matrix is X
    assert table.column(0).dtype == np.float64
    assert table.take(np.arange(5)).column(1).dtype == np.float64
    y = X[:, 0] > X[:, 1]
    model = TreeClassifier().fit(X, y)
    doubles = X.astype(np.float64)
    np.testing.assert_array_equal(model.apply(X), model.apply(doubles))
    np.testing.assert_array_equal(model.predict_proba(X[::3]), model.predict_proba(doubles[::3]))
    pruned = TreeClassifier(pruning="cost_complexity").fit(X, y)
    same = TreeClassifier(pruning="cost_complexity").fit(doubles, y)
    assert arrays(pruned.tree_.core) == arrays(same.tree_.core)


@pytest.mark.parametrize("classes", [2, 3])
def test_columns_of_very_many_levels(classes: int) -> None:
    # More levels than are counted by code; the levels are ordered by counting, not comparing.
    rng = np.random.default_rng(classes)
    levels = rng.integers(0, 9000, 20_000)
    y = (levels % classes + (rng.random(20_000) < 0.2)) % classes
    X = {"level": [f"l{level}" for level in levels]}
    model = TreeClassifier(max_depth=1, identifiers="keep").fit(X, y)
    if classes == 2:
        # Breiman: some prefix of the levels by their share of a class is best.
        counts = np.zeros((9000, 2))
        np.add.at(counts, (levels, y), 1)
        counts = counts[counts.sum(axis=1) > 0]
        left = np.cumsum(counts[np.argsort(counts[:, 1] / counts.sum(axis=1))], axis=0)[:-1]
        right = counts.sum(axis=0) - left
        gini = sum(2 * s[:, 0] * s[:, 1] / s.sum(axis=1) for s in (left, right))
        value = model.tree_.core.arrays()["value"]
        found = sum(2 * v[0] * v[1] / v.sum() for v in value[1:3])
        assert found == pytest.approx(gini.min(), rel=1e-12)
