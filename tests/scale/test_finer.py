"""Where too many values lie in opened cells, rows are counted once more between finer edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import compare, in_partitions
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor, scale
from ramify.scale import splitting
from ramify.scale.finer import finer_edges
from ramify.scale.openings import Opening


def noise(rows: int, columns: int, seed: int, missing: float = 0.0) -> pa.Table:
    """Columns that say nothing: the best cut of each may lie in many cells."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(columns, rows))
    X[rng.random(X.shape) < missing] = np.nan
    y = rng.integers(2, size=rows)
    return pa.table({**{f"x{j}": column for j, column in enumerate(X)}, "y": y})


def scans_of(estimator: Any, table: pa.Table, limit: int) -> list[str]:
    scans: list[str] = []
    source = in_partitions(table, 2)
    scale.fit(estimator, source, memory_limit=limit, progress=lambda _, what: scans.append(what))
    return scans


def test_fewer_scans_find_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    table, limit = noise(40_000, 6, 0), 200_000
    clf = TreeClassifier(max_depth=3, identifiers="keep")
    compare(clf, table, limit)
    with_finer_edges = scans_of(TreeClassifier(max_depth=3, identifiers="keep"), table, limit)
    monkeypatch.setattr(splitting, "finer_edges", lambda *given: {})
    without = scans_of(TreeClassifier(max_depth=3, identifiers="keep"), table, limit)
    assert 2 * len(with_finer_edges) < len(without)


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("task", ["classes", "numbers", "price"])
def test_missing_values_and_numbers(task: str, missing: Any, monkeypatch: Any) -> None:
    table = noise(16_000, 3, 1, missing=0.1)
    asked = []

    def watched(*given: Any) -> Any:
        found = finer_edges(*given)
        asked.append(bool(found))
        return found

    monkeypatch.setattr(splitting, "finer_edges", watched)
    estimators = {
        "classes": TreeClassifier(max_depth=2, missing=missing, identifiers="keep"),
        "numbers": TreeRegressor(max_depth=2, missing=missing, identifiers="keep"),
        "price": TreeClassifier(max_depth=2, missing=missing, identifiers="keep", pruning="auto"),
    }
    compare(estimators[task], table, 300_000 if task == "numbers" else 100_000)
    assert any(asked)


@given(
    rows=st.lists(st.integers(0, 50), min_size=2, max_size=30),
    data=st.data(),
    read=st.integers(1, 40),
    most=st.integers(1, 500),
)
@settings(deadline=None, max_examples=100)
def test_new_edges_divide_opened_cells_alone(
    rows: list[int], data: Any, read: int, most: int
) -> None:
    marked = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    edges = np.arange(1.0, len(rows))
    opening = Opening(0, 0, np.array(marked, np.uint8), np.array(rows, float), edges, False)
    found = finer_edges([opening], read, most)
    if opening.size <= 2 * read:
        assert not found
    for finer in found.values():
        after = finer.after
        assert np.isin(edges, after).all()
        assert (np.diff(after) > 0).all()
        assert len(after) < most
        new = np.setdiff1d(after, edges)
        assert len(new)
        assert np.array(marked)[np.searchsorted(edges, new, side="right")].all()
        # Counts of all rows between the old edges, and of those within between the new ones.
        values = np.concatenate(
            [np.random.default_rng(read).uniform(-1, len(rows) + 1, 200), after]
        )
        known = counted(edges, values)
        found_within = counted(finer.edges, values) * np.append(finer.within, 0)[:, None]
        assert (finer.counts(known, found_within) == counted(after, values)).all()


def counted(edges: Any, values: Any) -> Any:
    """Count values between edges; the last row is that of missing values."""
    cells = np.searchsorted(edges, values, side="right")
    return np.bincount(cells, minlength=len(edges) + 2)[:, None]


def test_cells_that_are_all_open_stay_as_they_are() -> None:
    opening = Opening(0, 0, np.ones(9, np.uint8), np.full(9, 50.0), np.arange(8.0), False)
    assert finer_edges([opening], 10, 1000) == {}
