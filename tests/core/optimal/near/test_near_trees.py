"""All near-best trees are those of the enumeration, with their ties."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.near_trees import NearOracle, Tree

from ramify import _core

FREE = 10**9


def problem(seed: int, kind: str) -> tuple[_core.FeatureSet, dict[str, Any], dict[str, Any]]:
    """Features, arguments of the core, and those of the oracle."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 13))
    owner = [0, 0, 1, 2]
    columns = [rng.integers(0, values, n).astype(np.int32) for values in (2, 2, 3, 2)]
    if seed % 3 == 0:  # a column that divides the rows as another does
        columns[3] = columns[0].copy()
    features = _core.FeatureSet(n, across_columns=False)
    for column, codes in zip(owner, columns, strict=True):
        features.add_codes(column, codes)
    weights = None
    if kind in ("weights", "numbers"):
        weights = rng.integers(1, 4, n) / 2 if seed % 2 else rng.random(n) + 0.5
    if kind == "numbers":
        y = rng.normal(size=n).round(1)
        return (
            features,
            {"target": y, "weights": weights},
            {"columns": columns, "owner": owner, "y": y, "weights": weights},
        )
    classes = int(rng.integers(2, 4))
    labels = rng.integers(0, classes, n).astype(np.int32)
    costs = None
    if kind == "costs":
        costs = rng.integers(0, 4, (classes, classes)).astype(float)
        np.fill_diagonal(costs, 0.0)
    flat = None if costs is None else costs.ravel()
    core = {"labels": labels, "classes": classes, "weights": weights, "costs": flat}
    oracle = {"columns": columns, "owner": owner, "y": labels, "classes": classes}
    return features, core, oracle | {"weights": weights, "costs": costs}


def as_tree(splits: Any, features: _core.FeatureSet, oracle: NearOracle) -> Tree:
    """The tree of the oracle that some splits are."""
    codes_of = kept_codes(oracle)

    def make(node: int, rows: int) -> Tree:
        feature, code, left, right = splits[node]
        if feature < 0:
            return None
        below = rows & sum(1 << int(r) for r in np.flatnonzero(codes_of[feature] <= code))
        return (features.columns[feature], below, make(left, below), make(right, rows & ~below))

    return make(0, oracle.all)


def kept_codes(oracle: NearOracle) -> list[np.ndarray]:
    """The codes of each feature, as the set kept them."""
    again = _core.FeatureSet(len(oracle.y), across_columns=False)
    return [
        (codes > 0).astype(np.int32) if codes.max() == 1 else codes
        for column, codes in zip(oracle.owner, oracle.columns, strict=True)
        if again.add_codes(column, codes)
    ]


def normal(tree: Tree, rows: int) -> Any:
    """The same for trees that are the same: sides in a fixed order."""
    if tree is None:
        return None
    column, left, one, other = tree
    right = rows & ~left
    sides = sorted([(left, normal(one, left)), (right, normal(other, right))], key=lambda s: s[0])
    return (column, tuple(sides))


def number(halves: tuple[int, int]) -> int:
    return halves[0] << 64 | halves[1]


def everything(view: _core.NearView) -> list[tuple[float, Any]]:
    total = sum(number(count) for _, _, count in view.buckets())
    return [view.tree(i >> 64, i & (2**64 - 1)) for i in range(total)]


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["plain", "weights", "costs", "numbers"]),
    depth=st.integers(0, 3),
    epsilon=st.sampled_from([0.0, 0.5, 1.0, 2.0, 100.0]),
    sparsity=st.sampled_from([0.0, 0.3, 1.0]),
    max_leaves=st.sampled_from([FREE, 3, 4]),
    min_samples_leaf=st.sampled_from([1, 2]),
    idle=st.booleans(),
)
def test_the_set_is_that_of_the_enumeration(
    seed: int,
    kind: str,
    depth: int,
    epsilon: float,
    sparsity: float,
    max_leaves: int,
    min_samples_leaf: int,
    idle: bool,
) -> None:
    if depth == 3 and epsilon > 1:
        epsilon = 1.0
    features, core, rest = problem(seed, kind)
    oracle = NearOracle(**rest, min_samples_leaf=min_samples_leaf, idle=idle)
    wanted = oracle.near(depth, epsilon, sparsity=sparsity, max_leaves=max_leaves)
    limits = {
        "max_depth": depth,
        "max_leaves": max_leaves,
        "min_samples_leaf": min_samples_leaf,
        "sparsity": sparsity,
    }
    near = _core.near_trees(
        features, **core, limits=limits, epsilon=epsilon, max_trees=np.inf, idle=idle
    )
    assert near.found and near.stopped_by == ""
    view = near.view([False] * 3, -1, FREE, np.inf)
    for leaves in range(1, 9):
        counted = sorted(objective for objective, n, _ in wanted if n == leaves)
        found = [[b[0]] * number(b[2]) for b in view.buckets() if b[1] == leaves]
        assert sum(map(len, found)) == len(counted)
        np.testing.assert_allclose(functools.reduce(operator.iadd, found, []), counted, atol=1e-7)
    if len(wanted) > 3000:
        return
    listed = everything(view)
    objectives = [round(objective, 6) for objective, _ in listed]
    assert objectives == sorted(objectives)
    trees = [normal(as_tree(splits, features, oracle), oracle.all) for _, splits in listed]
    assert len(set(trees)) == len(trees)
    assert set(trees) == {normal(tree, oracle.all) for _, _, tree in wanted}
    check_questions(view, near, features, oracle, wanted)


def check_questions(
    view: _core.NearView,
    near: _core.NearTrees,
    features: _core.FeatureSet,
    oracle: NearOracle,
    wanted: list[tuple[float, int, Tree]],
) -> None:
    """Filters, importances, answers and distances."""
    for column in range(3):
        without = [one for one in wanted if column not in oracle.used(one[2])]
        part = near.view([j == column for j in range(3)], -1, FREE, np.inf)
        assert sum(number(count) for *_, count in part.buckets()) == len(without)
        root = [one for one in wanted if one[2] is not None and one[2][0] == column]
        part = near.view([False] * 3, column, FREE, np.inf)
        assert sum(number(count) for *_, count in part.buckets()) == len(root)
        if oracle.impurity(oracle.all) > 1e-12:
            values = [oracle.importance(tree, column, oracle.all) for *_, tree in wanted]
            assert view.importance(column) == pytest.approx((min(values), max(values)), abs=1e-8)
    small = near.view([False] * 3, -1, 2, np.inf)
    assert sum(number(count) for *_, count in small.buckets()) == sum(n <= 2 for _, n, _ in wanted)
    best = wanted[0][0]
    half = near.view([False] * 3, -1, FREE, best + 0.25)
    assert sum(number(count) for *_, count in half.buckets()) == sum(
        objective <= best + 0.25 + 1e-9 for objective, *_ in wanted
    )
    answers = np.array([oracle.answers(tree) for *_, tree in wanted])
    reference = answers[-1]
    off = answers != reference if oracle.classes else (answers - reference) ** 2
    distances = (off * oracle.row_weights).sum(axis=1)
    given = (
        {"labels": reference.astype(np.int32)} if oracle.classes else {"numbers": reference.copy()}
    )
    for largest, value in ((True, distances.max()), (False, distances.min())):
        distance, splits = view.farthest(**given, largest=largest)
        assert distance == pytest.approx(value, abs=1e-8)
        there = oracle.answers(as_tree(splits, features, oracle))
        moved = there != reference if oracle.classes else (there - reference) ** 2
        assert (moved * oracle.row_weights).sum() == pytest.approx(value, abs=1e-8)
    shares = view.answers()
    if oracle.classes:
        for label in range(oracle.classes):
            np.testing.assert_allclose(shares[:, label], (answers == label).mean(axis=0), atol=1e-9)
    else:
        np.testing.assert_allclose(shares[:, 0], answers.mean(axis=0), atol=1e-9)
        np.testing.assert_allclose(shares[:, 1], (answers**2).mean(axis=0), atol=1e-9)


def test_at_most_so_many_trees_are_those_of_a_smaller_radius() -> None:
    features, core, rest = problem(5, "plain")
    wanted = NearOracle(**rest).near(2, 2.0)
    levels = Counter(round(objective, 6) for objective, *_ in wanted)
    enough, count = 0, 0
    for level in sorted(levels):
        if count + levels[level] > len(wanted) - 1:
            break
        count += levels[level]
        enough = count
    near = _core.near_trees(
        features, **core, limits={"max_depth": 2}, epsilon=2.0, max_trees=len(wanted) - 1
    )
    view = near.view([False] * 3, -1, FREE, np.inf)
    assert near.stopped_by == "max_trees"
    assert sum(number(count) for *_, count in view.buckets()) == enough > 0


def test_without_time_nothing_is_found() -> None:
    features, core, _ = problem(5, "plain")
    near = _core.near_trees(
        features, **core, limits={"max_depth": 3, "seconds": 0.0}, epsilon=1.0, max_trees=np.inf
    )
    assert not near.found and near.stopped_by == "time_limit"
    with pytest.raises(ValueError, match="not known"):
        near.view([False] * 3, -1, FREE, np.inf)
