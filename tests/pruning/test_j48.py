"""C4.5's growing and pruning together give trees of the size that Weka's J48 recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.paths import fixture

from ramify import _core

RECORDS = fixture("j48.json")["problems"]


def problem_of(record: dict[str, Any]) -> _core.Problem:
    target = np.array([int(c) for c in record["target"]], dtype=np.int32)
    table = _core.Table(len(target))
    for column, levels in zip(record["columns"], record["levels"], strict=True):
        codes = np.array([-1 if c == "?" else int(c) for c in column], dtype=np.int32)
        table.add_codes("nominal", codes, levels)
    parameters = {
        "growth": "depth_first",
        "missing": "fractional",
        "min_samples_leaf": 2.0,
        "small_branches": True,
        "numeric_penalty": True,
    }
    return _core.classification_problem(
        table, target, record["classes"], None, "gain_ratio", "multiway", 0.0, None, parameters
    )


def size_in_weka(tree: _core.Tree, levels: list[int]) -> list[int]:
    """Leaves and nodes, with an empty leaf for every level that is absent from a split."""
    arrays = tree.arrays()
    inner = np.flatnonzero(arrays["kind"])
    empty = sum(levels[arrays["attribute"][i]] - arrays["n_children"][i] for i in inner)
    return [int(tree.n_nodes - len(inner) + empty), int(tree.n_nodes + empty)]


@pytest.mark.parametrize(
    ("name", "confidence", "raising"),
    [("raising", 0.25, True), ("no_raising", 0.25, False), ("strict", 0.05, True)],
)
def test_sizes_of_j48(name: str, confidence: float, raising: bool) -> None:
    for record in RECORDS:
        problem = problem_of(record)
        tree = _core.error_based(problem, _core.grow(problem), confidence, raising)
        tree.check()
        assert size_in_weka(tree, record["levels"]) == record[name]


def test_raising_matters_in_the_records() -> None:
    assert sum(r["raising"] != r["no_raising"] for r in RECORDS) >= 3
