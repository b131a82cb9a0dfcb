"""Searches of large tables end after a number of steps: how much they did, not how long it took."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.nominal_data import split

from ramify import TreeClassifier, presets

STEPS = 1 << 29


def dense(levels: int, classes: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 8, (levels, classes)).astype(float)


def planted(size: int) -> np.ndarray:
    """Two groups of levels, each with classes of its own, and noise."""
    rng = np.random.default_rng(1)
    rates = np.full((size, size), 0.02)
    rates[: size // 3, : size // 2] = rates[size // 3 :, size // 2 :] = 0.3
    table = rng.poisson(rates).astype(float)
    return table[table.sum(axis=1) > 0]


def best_prefix(table: np.ndarray) -> float:
    """The best cut of the order of the first principal component, with NumPy's decomposition."""
    weight = table.sum(axis=1)
    share = table.sum(axis=0) / table.sum()
    centred = np.sqrt(weight)[:, None] * (table / weight[:, None] - share)
    score = np.linalg.svd(centred, full_matrices=False)[0][:, 0] / np.sqrt(weight)
    left = np.cumsum(table[np.argsort(score, kind="stable")], axis=0)[:-1]
    right = table.sum(axis=0) - left
    sides = [(side**2).sum(axis=1) / side.sum(axis=1) for side in (left, right)]
    return float((sides[0] + sides[1]).max() / table.sum() - (share**2).sum())


def test_a_large_principal_component_is_found_without_decomposing_the_table() -> None:
    table = planted(300)
    assert split(table, "pc").score == pytest.approx(best_prefix(table), rel=1e-9)
    flat = dense(270, 420)  # the largest eigenvalues lie close together
    assert split(flat, "pc").score > 0.97 * best_prefix(flat)


@pytest.mark.parametrize("method", ["auto", "pc_ext", "flip_flop", "sliq_ext"])
def test_unique_levels_of_as_many_classes(method: str) -> None:
    """All partitions are equally good: no search may try them all."""
    found = split(np.eye(700), method)
    assert not found.proven
    assert found.score == pytest.approx(1 / 700)
    assert found.work <= 2 * STEPS // 700 + 700


@pytest.mark.parametrize(
    ("method", "levels", "classes", "steps"),
    [
        ("exact", 300, 400, STEPS // 2),
        ("sliq_ext", 1500, 1000, STEPS // 4),
        ("hypercube_cover", 2000, 20, 2 * STEPS),
        ("twoing", 2000, 20, 2 * STEPS),
    ],
)
def test_the_number_of_partitions_is_limited(
    method: str, levels: int, classes: int, steps: int
) -> None:
    table = dense(levels, classes)
    found = split(table, method)
    assert not found.proven
    assert found.work <= steps // classes + levels
    if method != "sliq_ext":  # which ends among its first moves
        criterion = "twoing" if method == "twoing" else "gini"
        scored = split(table, method, criterion)
        assert scored.score >= split(table, "largest_class_alone", criterion).score


@pytest.mark.parametrize("method", ["greedy_cut", "gw_cut"])
def test_of_too_many_levels_the_lightest_stay_together_in_a_graph(method: str) -> None:
    table = dense(400, 3200)
    table[1::2] *= 1 / 64
    found = split(table, method, "gini")
    assert not found.proven
    side = np.zeros(400)
    side[list(found.right)] = 1
    kept = int(np.sqrt(STEPS // (2 * 3200 + 32))) - 1
    lightest = np.argsort(-table.sum(axis=1), kind="stable")[kept:]
    assert 100 < len(lightest) < 200 and len(set(side[lightest])) == 1
    assert 0 < side.sum() < 400


def test_of_too_many_levels_the_lightest_merge_first() -> None:
    rng = np.random.default_rng(0)
    levels = np.concatenate(
        [np.repeat(["a", "b", "c"], 5000), [f"rare {i:04d}" for i in range(1600)]]
    )
    rate = np.where(levels == "a", 0.9, np.where(levels == "b", 0.1, 0.5))
    y = np.where(rng.random(len(levels)) < rate, "yes", "no")
    X = {"x": levels.astype(object)}
    leaves = presets.chaid(max_depth=1).fit(X, y).apply(X)
    branch = dict(zip(levels, leaves, strict=True))
    assert len({branch["a"], branch["b"], branch["c"]}) == 3
    rare = [branch[f"rare {i:04d}"] for i in range(1600)]
    # Rows alone go where their class is frequent; those that began as one level stay together.
    assert len(set(rare[:1400])) > 1
    assert len(set(rare[1430:])) == 1


def test_a_tree_of_unique_levels_and_classes() -> None:
    names = np.array([f"id {i}" for i in range(300)], dtype=object)
    clf = TreeClassifier().fit({"id": names}, np.random.default_rng(0).permutation(names))
    assert clf.tree_.n_leaves == 300
