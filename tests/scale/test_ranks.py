"""Criteria of ranks: the tree from boxes of counts is the tree in memory, node by node."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import (
    assert_same_tree,
    compare,
    fit_in_memory,
    in_partitions,
    make_table,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeRegressor, scale
from ramify.pruning import CostComplexity, ReducedError
from ramify.scale import rank_splitting
from ramify.scale.boxes import Boxes, quantile_cells


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts be read that are larger than the limit, so that small tables have many parts."""
    monkeypatch.setattr(rank_splitting, "has_room", lambda rows, most: True)


def with_target(table: pa.Table, y: Any) -> pa.Table:
    return table.set_column(table.column_names.index("y"), "y", pa.array(y))


RANKS: tuple[dict[str, Any], ...] = (
    {"criterion": "absolute_error"},
    {"criterion": "quantile", "quantile": 0.2},
    {"criterion": "quantile", "quantile": 0.5},
)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("criterion", RANKS[:2], ids=str)
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"missing": "separate"},
        {"missing": "direction"},
        {"missing_gain": "divided"},
        {"missing_count": "pieces", "min_samples_leaf": 10},
        {"categorical_split": "multiway"},
        {"categorical_split": "multiway", "missing": "direction"},
        {"categorical_split": "multiway", "missing_gain": "divided"},
        {"growth": "best_first", "max_leaves": 9, "min_samples_leaf": 20},
        {"min_weight_fraction_leaf": 0.05},
        {"ties": "balanced"},
        {"min_samples_leaf": 30, "abandon_small": True},
        {"selection": "conditional_inference"},
        {"significance": 0.05, "min_second_value": 3},
        {"interactions": [["x0", "n0"], ["x1", "n1"]], "exclude": ["x2"]},
        {"min_gain": 0.01},
    ],
    ids=str,
)
def test_parameters(criterion: dict[str, Any], parameters: dict[str, Any]) -> None:
    weighted = criterion["criterion"] == "quantile"
    table = make_table(500, 21, numbers=True, missing=0.12, weighted=weighted)
    tree = TreeRegressor(**criterion, **parameters, max_depth=6, identifiers="keep")
    compare(tree, table, 30_000 if weighted else 12_000, 2)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("rule", ["fractional", "separate", "direction"])
def test_ordinal_columns(rule: Any) -> None:
    table = make_table(500, 27, numbers=True, missing=0.1)
    codes = np.random.default_rng(27).integers(0, 40, 500)
    levels = pa.array([f"{level:02}" for level in range(40)])
    places = pa.array(codes, mask=codes == 7, type=pa.int8())
    ordered = pa.DictionaryArray.from_arrays(places, levels, ordered=True)
    y = table["y"].to_numpy() + np.abs(codes - 25) / 10
    table = with_target(table, y).append_column("o", ordered)
    tree = TreeRegressor(criterion="absolute_error", missing=rule, max_depth=5, identifiers="keep")
    compare(tree, table, 12_000, 2)


@pytest.mark.usefixtures("narrow")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numeric=st.integers(1, 3),
    nominal=st.integers(0, 2),
    missing=st.sampled_from([0.0, 0.1, 0.3]),
    rule=st.sampled_from(["fractional", "separate", "direction"]),
    divided=st.booleans(),
    distinct=st.sampled_from([None, 4, 40]),
    targets=st.sampled_from([None, "few", "many ties", "far", "one"]),
    weighted=st.booleans(),
    criterion=st.sampled_from(RANKS),
    limit=st.sampled_from([6_000, 12_000]),
    parts=st.sampled_from([1, 2, 7]),
    depth=st.sampled_from([None, 3]),
    leaf=st.sampled_from([1, 5]),
)
def test_any_table(
    seed: int,
    targets: str | None,
    criterion: dict[str, Any],
    limit: int,
    parts: int,
    rule: Any,
    divided: bool,
    depth: int | None,
    leaf: int,
    **made: Any,
) -> None:
    table = make_table(300, seed, numbers=True, **made)
    if made["weighted"]:  # sums of thirds are rounded, and rounding would decide between ties
        weights = np.round(table["w"].to_numpy() * 3)
        table = table.set_column(table.column_names.index("w"), "w", pa.array(weights))
    y = table["y"].to_numpy()
    if targets == "few":
        y = np.round(y)
    elif targets == "many ties":
        y = np.where(np.random.default_rng(seed).random(len(y)) < 0.6, 0.0, np.round(y * 8) / 8)
    elif targets == "far":
        y = np.round(y * 64) / 64 + 1024.0
    elif targets == "one":
        y = np.full(len(y), 0.25)
    tree = TreeRegressor(
        **criterion,
        missing=rule,
        missing_gain="divided" if divided and rule == "fractional" else "known",
        max_depth=depth,
        min_samples_leaf=leaf,
        identifiers="keep",
    )
    compare(tree, with_target(table, y), limit, parts, seed=seed)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_how_rows_are_dealt_changes_no_bit(parts: int) -> None:
    table = make_table(500, 23, numbers=True, weighted=True, missing=0.1)
    first = None
    for seed in (None, 1, 2):
        rows = in_partitions(table, parts, seed=seed)
        tree = TreeRegressor(criterion="absolute_error", max_depth=3, identifiers="keep")
        top = scale.fit(tree, rows, weight="w", memory_limit=20_000)
        found = top.tree_.core.arrays()
        first = found if first is None else first
        for name in ("threshold", "level_code", "level_branch", "attribute", "rows"):
            np.testing.assert_array_equal(found[name], first[name])
        assert found["impurity"][0] == first["impurity"][0]
        assert found["gain"][0] == first["gain"][0]


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_a_limit_with_room_for_parts(missing: float) -> None:
    table = make_table(20_000, 24, numbers=True, numeric=2, nominal=1, missing=missing)
    tree = TreeRegressor(criterion="absolute_error", max_depth=2, identifiers="keep")
    scans: list[str] = []
    expected = fit_in_memory(TreeRegressor(**tree.get_params()), table)
    found = scale.fit(
        tree,
        in_partitions(table, 2),
        memory_limit=2_200_000,
        progress=lambda number, what: scans.append(what),
    )
    assert_same_tree(found.tree_.core, expected.tree_.core)
    assert scans.count("values") > 4  # columns are read in parts


def test_too_little_memory_is_refused_by_name() -> None:
    table = make_table(20_000, 25, numbers=True, numeric=2, nominal=1)
    tree = TreeRegressor(criterion="quantile", quantile=0.9, max_depth=2, identifiers="keep")
    with pytest.raises(ValueError, match=r"criterion='quantile'.*column 'x0'.*memory_limit") as e:
        scale.fit(tree, in_partitions(table, 1), memory_limit=800_000)
    enough = float(re.findall(r"memory_limit of ([0-9.]+) MB", str(e.value))[-1])
    compare(tree, table, int(enough * 1e6))


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("pruning", ["auto", CostComplexity(rule="min", folds=4), ReducedError()])
@pytest.mark.parametrize("criterion", RANKS[:2], ids=str)
def test_pruning(pruning: Any, criterion: dict[str, Any]) -> None:
    table = make_table(500, 26, numbers=True, missing=0.1)
    given = {**criterion, "pruning": pruning, "random_state": 1, "identifiers": "keep"}
    expected = fit_in_memory(TreeRegressor(**given), table)
    found = scale.fit(TreeRegressor(**given), in_partitions(table, 2), memory_limit=40_000)
    assert_same_tree(found.tree_.core, expected.tree_.core)
    assert_same_tree(found.fitted_.grown.core, expected.fitted_.grown.core)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), cells=st.integers(1, 6), quantile=st.sampled_from([0.1, 0.5, 0.9]))
def test_a_quantile_lies_in_a_marked_cell(data: Any, cells: int, quantile: float) -> None:
    """Whatever rows between the two measures are there."""
    weights = st.lists(st.integers(0, 9), min_size=cells, max_size=cells)
    low = np.array(data.draw(weights), float)
    high = low + np.array(data.draw(weights), float)
    there = low + np.round((high - low) * data.draw(st.floats(0, 1)))
    if there.sum() == 0:
        return
    cell = int(np.flatnonzero(np.cumsum(there) >= quantile * there.sum() - 1e-12)[0])
    assert quantile_cells(low, high, quantile)[cell]


@settings(max_examples=100, deadline=None)
@given(data=st.data(), most=st.integers(1, 60))
def test_every_cut_is_in_a_part(data: Any, most: int) -> None:
    rows = np.array(data.draw(st.lists(st.integers(0, 9), min_size=2, max_size=12)), float)
    targets = np.array([0.3, 0.4, 0.3])
    weights = np.concatenate([np.outer(rows, targets), np.zeros((1, 3))])
    boxes = Boxes(weights, np.ceil(weights), np.zeros(3, bool), 0.5, divides=False, sides=True)
    plans = list(boxes.of_columns(np.ones(len(rows), bool), most))
    there = np.flatnonzero(rows)
    covered = set()
    for plan in plans:
        last = len(rows) if plan.last is None else plan.last
        inside = [c for c in there if plan.first <= c <= last]
        assert plan.whole[inside].all()
        covered |= set(pairwise(inside)) | {(c, c) for c in inside}
        assert plan.size == boxes.rows[plan.opened].sum()
        assert plan.size <= most or len(inside) <= 2
    assert covered == set(pairwise(there)) | {(c, c) for c in there}
