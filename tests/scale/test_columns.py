"""Columns are looked at one after the other, and in parts if their values do not fit in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.scale_data import compare, fit_in_memory, in_partitions, make_table
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor, scale
from ramify.scale.counts import Found, Values
from ramify.scale.executors import Threads
from ramify.scale.memory import Budget
from ramify.scale.openings import Opening, shared_scans

#: Criteria without a bound: all values of a column are read.
UNBOUNDED = ("distance", "squared_gini", "chi2_cut")


def gini(partition: Any) -> float:
    """Give the Gini gain, as a user would write it."""
    partition = np.asarray(partition, dtype=float)
    sizes = partition.sum(axis=1)
    total = partition.sum(axis=0)
    inside = sum(s - (row**2).sum() / s for s, row in zip(sizes, partition, strict=True) if s)
    return float((total.sum() - (total**2).sum() / total.sum() - inside) / total.sum())


class Watching(Threads):
    """Remembers how many values each scan gave."""

    def __init__(self) -> None:
        super().__init__(1)
        self.values: list[int] = []

    def run(self, *given: Any) -> Any:
        found = super().run(*given)
        if isinstance(found, Found):
            trees = found.trees
            self.values.append(sum(len(v.values) for tree in trees for v in tree.values.values()))
        return found


@pytest.mark.parametrize("criterion", UNBOUNDED)
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
def test_values_that_a_scan_reads_fit_in_memory(criterion: str, missing: Any) -> None:
    table = make_table(800, 1, classes=2 if criterion == "chi2_cut" else 3, missing=0.05)
    limit, watching = 20_000, Watching()
    clf = TreeClassifier(criterion=criterion, missing=missing, identifiers="keep")
    scale.fit(clf, in_partitions(table, 2), memory_limit=limit, executor=watching)
    # A cell is read at once; there are at least 8 of them.
    room = Budget(limit).values / 16 + 800 / 8
    assert max(watching.values) <= room < 800
    assert sum(watching.values) >= 3 * 700  # all values of the root at least
    compare(TreeClassifier(criterion=criterion, missing=missing, identifiers="keep"), table, limit)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    criterion=st.sampled_from([*UNBOUNDED, gini]),
    limit=st.sampled_from([6_000, 12_000, 30_000]),
    distinct=st.sampled_from([None, 12, 40]),
    missing=st.sampled_from([0.0, 0.2]),
    weighted=st.booleans(),
    ties=st.sampled_from(["first", "balanced"]),
)
def test_columns_in_parts(
    seed: int, criterion: Any, limit: int, ties: Any, missing: float, **made: Any
) -> None:
    table = make_table(300, seed, missing=missing, nominal=1, **made)
    clf = TreeClassifier(criterion=criterion, ties=ties, identifiers="keep", max_depth=4)
    compare(clf, table, limit, 2)


@given(
    rows=st.lists(st.integers(0, 50), min_size=1, max_size=30),
    most=st.integers(1, 100),
    data=st.data(),
)
def test_parts_cover_the_cells(rows: list[int], most: int, data: Any) -> None:
    marks = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows))))
    opening = Opening(
        0,
        0,
        marks.astype(np.uint8),
        np.array(rows, dtype=float),
        np.arange(1.0, len(rows)),
        edge_cells=False,
    )
    parts = list(opening.parts(most))
    np.testing.assert_array_equal(sum(part.marks.astype(int) for part in parts), marks)
    for part in parts:
        assert part.size <= most or part.size < most + max(rows)
    values = Values(np.arange(len(rows)) + 0.5, np.ones((len(rows), 1), dtype=np.int64))
    found = [part.inside(values).values for part in parts]
    np.testing.assert_array_equal(np.concatenate(found), np.flatnonzero(marks) + 0.5)
    for scan in shared_scans(iter(parts), most):
        assert len({(one.node, one.column) for one in scan}) == len(scan)


# --- tests of columns -----------------------------------------------------------------------------

TESTS: tuple[dict[str, Any], ...] = (
    {"selection": "conditional_inference", "alpha": 0.3},
    {"selection": "conditional_inference", "bonferroni": False},
    {"significance": 0.2},
    {"significance": 0.7, "selection": "conditional_inference", "alpha": 0.9},
    {"selection": "chaid", "categorical_split": "merge", "alpha": 0.4},
)


@pytest.mark.parametrize("tests", TESTS, ids=str)
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(
    ("missing", "weighted"), [("fractional", True), ("separate", False), ("direction", True)]
)
def test_tests_of_columns(
    tests: dict[str, Any], numbers: bool, missing: Any, weighted: bool
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    table = make_table(500, 3, numbers=numbers, missing=0.1, weighted=weighted)
    compare(kind(missing=missing, identifiers="keep", **tests), table, 30_000, 2)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    tests=st.sampled_from(TESTS),
    numbers=st.booleans(),
    classes=st.sampled_from([2, 4]),
    distinct=st.sampled_from([None, 6, 40]),
    weighted=st.booleans(),
    missing=st.sampled_from([0.0, 0.2]),
    limit=st.sampled_from([8_000, 20_000]),
    infinite=st.booleans(),
)
def test_any_test(
    seed: int, tests: dict[str, Any], numbers: bool, limit: int, infinite: bool, **made: Any
) -> None:
    table = make_table(300, seed, numbers=numbers, nominal=1, **made)
    if infinite:
        x = table["x0"].to_pandas().to_numpy(dtype=float, copy=True)
        x[::17], x[5::19] = np.inf, -np.inf
        table = table.set_column(0, "x0", [x])
    kind = TreeRegressor if numbers else TreeClassifier
    compare(kind(identifiers="keep", max_depth=5, **tests), table, limit, 2)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    distinct=st.sampled_from([None, 6, 40]),
    weighted=st.booleans(),
    missing=st.sampled_from([0.0, 0.2]),
    rule=st.sampled_from(["fractional", "separate", "direction"]),
    leaf=st.sampled_from([1, 4, 20]),
    limit=st.sampled_from([8_000, 20_000]),
)
def test_the_price_of_a_threshold(seed: int, rule: Any, leaf: int, limit: int, **made: Any) -> None:
    table = make_table(300, seed, nominal=1, classes=3, **made)
    clf = TreeClassifier(
        criterion="gain_ratio",
        numeric_penalty=True,
        missing=rule,
        min_samples_leaf=leaf,
        identifiers="keep",
    )
    compare(clf, table, limit, 2)


# --- skeletons ------------------------------------------------------------------------------------

WRITTEN: dict[str, Any] = {
    "column": "x1",
    "threshold": 0.1,
    "left": {"column": "n0", "levels": [["level 0"], ["level 1", "level 2"]]},
    "right": {
        "column": "x0",
        "threshold": 99.0,  # divides no rows
        "left": {"column": "x2", "threshold": -0.5, "left": {"closed": True}},
    },
}


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.filterwarnings("ignore:skeleton:ramify.RamifyWarning")
def test_skeletons(numbers: bool, weighted: bool, missing: Any) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    table = make_table(600, 4, numbers=numbers, weighted=weighted, missing=0.1)
    given = {"identifiers": "keep", "missing": missing}
    with pytest.warns(match="do not divide the rows"):
        compare(kind(skeleton=WRITTEN, max_depth=5, **given), table, 25_000, 2)
    # That of other rows: its thresholds lie anywhere.
    other = fit_in_memory(kind(max_depth=3, **given), make_table(600, 5, numbers=numbers))
    compare(kind(skeleton=other.tree_, max_depth=5, **given), table, 25_000, 2)
    compare(kind(skeleton=other.tree_.skeleton(closed=True), **given), table, 12_000, 2)


def test_conditions_that_divide_no_rows_are_warned_of() -> None:
    table = make_table(600, 4)
    clf = TreeClassifier(skeleton=WRITTEN, identifiers="keep", max_depth=4)
    with pytest.warns(match=r"x0 <= 99"):
        scale.fit(clf, in_partitions(table, 2), memory_limit=25_000)
