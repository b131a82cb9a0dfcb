"""Where rounding decides, a tree from counts may differ from that in memory; nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.rounded_ties import assert_same_but_for_ties
from helpers.scale_data import assert_same_tree, fit_in_memory, in_partitions, make_table
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor, scale


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    weighted=st.booleans(),
    growth=st.sampled_from(["depth_first", "best_first", "best_first_unweighted"]),
    max_leaves=st.sampled_from([None, 5, 12]),
    sign=st.sampled_from([-1, 0, 1]),
    missing=st.sampled_from([0.0, 0.15]),
    rule=st.sampled_from(["fractional", "separate", "direction"]),
    distinct=st.sampled_from([None, 4, 12]),
    few_targets=st.booleans(),
    n_rows=st.integers(60, 300),
    limit=st.sampled_from([6_000, 12_000]),
)
def test_only_ties_differ(
    seed: int,
    numbers: bool,
    weighted: bool,
    growth: Any,
    max_leaves: int | None,
    sign: int,
    missing: float,
    rule: Any,
    distinct: int | None,
    few_targets: bool,
    n_rows: int,
    limit: int,
) -> None:
    table = make_table(
        n_rows, seed, numbers=numbers, weighted=weighted, missing=missing, distinct=distinct
    )
    # Many means are equal. Under a constraint, splits that meet a bound exactly would then be
    # refused by one tree alone, and neither tree shows them.
    if numbers and few_targets and not sign:
        halves = np.round(table["y"].to_numpy() * 2) / 2
        table = table.set_column(table.column_names.index("y"), "y", pa.array(halves))
    given: dict[str, Any] = {
        "identifiers": "keep",
        "growth": growth,
        "max_leaves": max_leaves,
        "missing": rule,
        "monotone": {"x0": sign} if sign else None,
    }
    kind = TreeRegressor if numbers else TreeClassifier
    expected = fit_in_memory(kind(**given), table)
    weight = "w" if weighted else None
    found = scale.fit(kind(**given), in_partitions(table, 2), weight=weight, memory_limit=limit)
    ties = assert_same_but_for_ties(
        found.tree_.core,
        expected.tree_.core,
        monotone={0: sign} if sign else None,
        weigh_gains=growth == "best_first",
        limited=max_leaves is not None,
    )
    if not sign and not weighted and not numbers:
        assert ties == 0
        assert_same_tree(found.tree_.core, expected.tree_.core)


@pytest.mark.parametrize("other", [{"max_depth": 3}, {"criterion": "entropy"}, {"exclude": ["x0"]}])
def test_the_rule_tells_trees_apart(other: dict[str, Any]) -> None:
    table = make_table(200, 1)
    one = fit_in_memory(TreeClassifier(identifiers="keep"), table)
    two = fit_in_memory(TreeClassifier(identifiers="keep", **other), table)
    with pytest.raises(AssertionError):
        assert_same_but_for_ties(two.tree_.core, one.tree_.core)
