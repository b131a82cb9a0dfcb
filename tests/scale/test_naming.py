"""Columns that name the rows are left out as in memory, or are refused by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, in_partitions, make_table
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, scale
from ramify.scale.sources import RowSource


def compare(table: pa.Table, parts: int = 2, **parameters: Any) -> list[str]:
    """Fit in memory and out of core without columns that name the rows; give what is left."""
    given: Any = {"identifiers": "drop", "max_depth": 4, **parameters}
    expected = fit_in_memory(TreeClassifier(**given), table)
    found = TreeClassifier(**given)
    scans: list[str] = []
    scale.fit(
        found,
        in_partitions(table, parts),
        memory_limit=15_000,
        progress=lambda number, what: scans.append(what),
    )
    assert "counts" in scans
    assert found.schema_ == expected.schema_
    assert_same_tree(found.tree_.core, expected.tree_.core)
    X = table.drop_columns(["y"])
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    return [column.name for column in found.schema_.columns]


def texts(n: int, *, distinct: int) -> list[str]:
    return [f"text {i % distinct}" for i in range(n)]


@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.parametrize(
    ("name", "values", "gone"),
    [
        ("who", texts(500, distinct=500), True),
        ("who", texts(500, distinct=400), True),
        ("who", texts(500, distinct=100), False),
        ("a", np.arange(500.0), True),
        ("a", np.arange(500) + 1, True),
        ("a", np.arange(500) + 2, False),
        ("a", np.arange(500)[::-1].copy(), False),
        ("a", np.r_[0:250, 251:501], False),
        ("time", np.arange(500), False),
        ("id", np.random.default_rng(1).permutation(500) * 3, True),
        ("id", np.random.default_rng(1).permutation(500) % 400, False),
        ("id", np.random.default_rng(1).normal(size=500), False),
        ("id", np.where(np.arange(500) % 9 == 2, np.nan, np.arange(500) * 7.0), True),
        ("customer_no", np.random.default_rng(1).permutation(9999)[:500], True),
    ],
)
def test_columns_are_left_out(name: str, values: Any, gone: bool, parts: int) -> None:
    table = make_table(500, 1, nominal=1).append_column(name, pa.array(values))
    assert (name not in compare(table, parts)) == gone


def test_levels_that_are_pooled_are_one() -> None:
    table = make_table(500, 2).append_column("who", pa.array(texts(500, distinct=450)))
    assert "who" in compare(table, min_level_count=2)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    name=st.sampled_from(["id", "a", "row", "customer_no", "year", "x_id"]),
    most=st.sampled_from([300, 500, 20_000]),
    order=st.sampled_from(["drawn", "sorted", "counted"]),
    missing=st.booleans(),
    parts=st.sampled_from([1, 2, 7]),
)
def test_any_numbers(
    seed: int, name: str, most: int, order: str, missing: bool, parts: int
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, most, 400).astype(np.float64)
    if order == "counted":
        values = np.arange(400.0) + rng.integers(0, 2)
    elif order == "sorted":
        values.sort()
    table = make_table(400, seed, nominal=0)
    cells = pa.array(values, mask=(rng.random(400) < 0.1) & missing)
    compare(table.append_column(name, cells), parts)


def test_some_column_must_be_left() -> None:
    table = pa.table({"id": np.arange(500), "y": np.arange(500) % 2})
    with pytest.raises(ValueError, match=r"identifiers='drop' would leave no column.*'id'"):
        scale.fit(TreeClassifier(identifiers="drop"), in_partitions(table, 1), memory_limit=5_000)


def test_rows_must_come_in_order() -> None:
    class Anyhow:
        in_order = False

        def __init__(self, inner: Any) -> None:
            self.batches = inner.batches

    source: RowSource = in_partitions(make_table(500, 1), 2)
    source = replace(source, partitions=[Anyhow(part) for part in source.partitions])
    with pytest.raises(ValueError, match=r"identifiers='drop' cannot be had.*order"):
        scale.fit(TreeClassifier(identifiers="drop"), source, memory_limit=15_000)
