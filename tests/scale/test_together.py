"""The trees of a cross-validation grow in the same scans, and are those of a fit in memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, in_partitions, make_table

from ramify import TreeClassifier, TreeRegressor, scale
from ramify.pruning import BestFirst, CostComplexity
from ramify.scale import counting, memory, together
from ramify.scale.counting import PickedRows, ScanTask
from ramify.scale.memory import Budget
from ramify.scale.spill import RowStore


class Disk(NamedTuple):
    free: int


@pytest.fixture
def trees_of_scans(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the list to which every partition that is scanned adds the number of trees."""
    seen: list[int] = []
    count: Callable[..., Any] = ScanTask.__call__

    def counted(task: ScanTask, *given: Any) -> Any:
        seen.append(len(task.trees))
        return count(task, *given)

    monkeypatch.setattr(counting.ScanTask, "__call__", counted)
    return seen


def fit(estimator: Any, table: Any, limit: int, parts: int = 1) -> tuple[Any, list[str]]:
    scans: list[str] = []
    weight = "w" if "w" in table.column_names else None
    rows = in_partitions(table, parts)
    scale.fit(
        estimator,
        rows,
        weight=weight,
        memory_limit=limit,
        progress=lambda number, what: scans.append(what),
    )
    return estimator, scans


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_trees_that_share_scans_are_those_in_memory(
    n_jobs: int,
    numbers: bool,
    weighted: bool,
    missing: float,
    trees_of_scans: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "_ENOUGH_EDGES", 2)  # so that few rows are enough
    table = make_table(900, 8, numbers=numbers, weighted=weighted, missing=missing)
    kind = TreeRegressor if numbers else TreeClassifier
    given = {"pruning": "auto", "random_state": 1, "identifiers": "keep", "n_jobs": n_jobs}
    found, _ = fit(kind(**given), table, 100_000, 2)
    assert max(trees_of_scans) > 2
    expected = fit_in_memory(kind(**given), table)
    assert_same_tree(found.tree_.core, expected.tree_.core)
    assert found.pruning_path_.selected == expected.pruning_path_.selected
    np.testing.assert_allclose(found.pruning_path_.error, expected.pruning_path_.error, rtol=1e-6)


def test_folds_take_no_scans_of_their_own(trees_of_scans: list[int]) -> None:
    table = make_table(30_000, 9, nominal=1)
    given = {"identifiers": "keep", "max_depth": 6}
    _, alone = fit(TreeClassifier(**given), table, 1_900_000)
    assert alone.count("counts") >= 3
    trees_of_scans.clear()
    pruning = CostComplexity(folds=4)
    _, scans = fit(TreeClassifier(**given, pruning=pruning), table, 1_900_000)
    assert max(trees_of_scans) == 5
    # The target before, the losses after; the tree of a fold may go a scan deeper.
    assert len(scans) <= len(alone) + 4
    assert scans.count("the target") == scans.count("losses of the folds") == 1


def test_a_small_disk_takes_trees_in_waves(
    monkeypatch: pytest.MonkeyPatch, trees_of_scans: list[int], tmp_path: Path
) -> None:
    table = make_table(6000, 9, nominal=1)
    given = {"identifiers": "keep", "pruning": BestFirst(folds=4)}
    row = 8 * 3 + 4 + 24
    two_trees = int(6000 * row * 2 / 0.8) + 1

    def disk(folder: Path) -> Disk:
        return Disk(two_trees)

    monkeypatch.setattr(together.shutil, "disk_usage", disk)
    found, _ = fit(TreeClassifier(**given), table, 400_000)
    assert max(trees_of_scans) == 2
    expected = fit_in_memory(TreeClassifier(**given), table)
    assert_same_tree(found.tree_.core, expected.tree_.core)
    np.testing.assert_allclose(found.pruning_path_.error, expected.pruning_path_.error, rtol=1e-6)


def test_waves_are_even_and_follow_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert [len(one) for one in together.waves(11, 20, tmp_path, 1)] == [11]
    assert [len(one) for one in together.waves(11, 4, tmp_path, 1)] == [4, 4, 3]
    assert shutil.disk_usage(tmp_path).free > 0
    monkeypatch.setattr(together.shutil, "disk_usage", lambda folder: Disk(0))
    assert [len(one) for one in together.waves(3, 20, tmp_path, 1)] == [1, 1, 1]


@pytest.mark.parametrize("limit", [10**5, 10**6, 10**8, 4 * 10**9])
@pytest.mark.parametrize("folds", [1, 3, 10])
def test_shares_do_not_exceed_the_memory(limit: int, folds: int) -> None:
    main, fold, count = Budget(limit).shared(folds, 10**6, 20, 8)
    assert 1 <= count <= folds
    for share in ("cells", "values", "rows"):
        shared = getattr(main, share) + count * getattr(fold, share)
        assert shared <= getattr(Budget(limit), share)
    assert main.home_rows(20) == Budget(limit).home_rows(20)


def test_more_nodes_than_open_files_are_stored(tmp_path: Path) -> None:
    store, rng = RowStore(tmp_path / "rows", 1000), np.random.default_rng(0)
    expected: dict[int, list[Any]] = {}
    for node in [*range(1500), *range(1500), *range(0, 1500, 7)]:
        x, y = rng.normal(size=3), rng.integers(0, 2, 3, dtype=np.int32)
        store.add(node, PickedRows(0, 0, [x], y, None, None))
        expected.setdefault(node, []).append((x, y))
    store.drop(3)
    assert not (tmp_path / "rows" / "3.arrow").exists()
    for node in range(4, 1500):
        x, y = store.take(node)
        np.testing.assert_array_equal(x, np.concatenate([one[0] for one in expected[node]]))
        np.testing.assert_array_equal(y, np.concatenate([one[1] for one in expected[node]]))
