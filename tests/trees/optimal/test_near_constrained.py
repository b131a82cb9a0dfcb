"""Near-best trees that have a beginning, that keep an order, or both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.near_data import oracle_of
from helpers.optimal_data import hard_table
from oracles.near_constrained import ConstrainedNear

from ramify import OptimalTreeClassifier, OptimalTreeRegressor
from ramify.edit.monotone import Order

QUIET = pytest.mark.filterwarnings("ignore::ramify.RamifyWarning")


def small(seed: int, n: int = 12) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 4, n).astype(float)
    if seed % 2:
        age[rng.random(n) < 0.2] = np.nan
    return pd.DataFrame(
        {"age": age, "job": rng.choice(list("pqr"), n), "debt": rng.integers(0, 3, n) * 1.0}
    )


def skeleton_of(rng: np.random.Generator, X: pd.DataFrame, depth: int = 2) -> dict[str, Any]:
    node: dict[str, Any] = {}
    if rng.random() < 0.25:
        node["exclude"] = [str(rng.choice(list(X)))]
    if depth == 0 or (depth == 1 and rng.random() < 0.5):
        return node | ({"closed": True} if rng.random() < 0.3 else {})
    name = str(rng.choice(list(X)))
    node["column"] = name
    if name == "job":
        levels = sorted(set(X[name]))
        if rng.random() < 0.5:
            below = [skeleton_of(rng, X, depth - 1) for _ in levels]
            return node | {"levels": [[one] for one in levels], "branches": below}
        node["levels"] = levels[:1]
    else:
        node["threshold"] = float(rng.integers(0, 3)) + 0.5
        if rng.random() < 0.4:
            node["missing"] = int(rng.integers(2))
    return node | {side: skeleton_of(rng, X, depth - 1) for side in ("left", "right")}


@QUIET
@pytest.mark.parametrize("seed", range(90))
def test_the_set_is_that_of_the_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, numbers = small(seed), seed % 5 == 4
    y: Any = rng.normal(size=len(X)) if numbers else rng.integers(0, 2, len(X))
    if not numbers:
        y[:2] = 0, 1
    weights = rng.integers(1, 3, len(X)).astype(float) if seed % 4 > 1 else None
    skeleton = skeleton_of(rng, X) if seed % 3 != 1 else None
    signs = {"age": int(rng.choice([-1, 1]))} | ({"debt": 1} if rng.random() < 0.5 else {})
    signs = signs if seed % 3 != 0 else {}
    leaves = int(rng.choice([3, 99]))
    epsilon, price = float(rng.choice([0.0, 0.1, 0.2])), float(rng.choice([0.01, 0.04]))
    idle = bool(rng.random() < 0.3)
    more = {} if numbers else {"classes": 2}
    base = oracle_of(X, y, weights=weights, idle=idle, **more)
    oracle = ConstrainedNear(base, X, signs)
    total = base.row_weights.sum()
    unit = base.leaf(base.all)[0] if numbers else total
    wanted = oracle.near(
        skeleton or {}, 2, epsilon * unit, sparsity=price * unit, max_leaves=leaves
    )
    kind = OptimalTreeRegressor if numbers else OptimalTreeClassifier
    model = kind(
        max_depth=2,
        features="all",
        start=None,
        sparsity=price,
        max_leaves=leaves,
        skeleton=skeleton,
        monotone=signs or None,
    )
    if not wanted:
        with pytest.raises(ValueError, match="contradict each other"):
            model.near_optimal(X, y, weights, epsilon=epsilon)
        return
    near = model.near_optimal(X, y, weights, epsilon=epsilon, idle_splits=idle)
    assert near.count == len(wanted) and near.complete
    listed = [
        (level.objective * total, level.leaves) for level in near.levels for _ in range(level.count)
    ]
    np.testing.assert_allclose([one for one, _ in listed], [one for one, _ in wanted], atol=1e-6)
    assert sorted(n for _, n in listed) == sorted(n for _, n in wanted)
    check_trees(near, model)


def check_trees(near: Any, model: Any) -> None:
    texts, used = set(), np.zeros(3)
    answers = []
    for number in range(min(near.count, 80)):
        tree = near[number]
        tree.check()
        Order(model.check_parameters(), tree).require(tree)
        error = near._near.target.tree_error(tree.data)
        assert near.objective(number) == pytest.approx(near._near.task.objective(tree.core))
        assert error >= -1e-12
        texts.add(tree.to_text())
        asked = set(tree.data["attribute"][tree.data["kind"] != 0].tolist())
        used += [j in asked for j in range(3)]
        answers.append(tree.core.predict(near._near.table.cells, "missing", 1))
    assert len(texts) == min(near.count, 80)
    if near.count > 80:
        return
    facts = near.columns()
    np.testing.assert_allclose(facts.used, used / near.count)
    for j in range(3):
        assert near.without(j).count == near.count - used[j]
    if near.classes is not None:
        votes = np.array(answers).argmax(axis=2)
        np.testing.assert_allclose(near.agreement()[:, 1], votes.mean(axis=0), atol=1e-9)
    far = near.most_different()
    assert far.distance >= near.closest(near[0]).distance == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "given", [{"skeleton": {"column": 0, "threshold": 2.5}}, {"monotone": {0: 1}}]
)
def test_a_set_goes_no_farther_than_asked(given: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 6, (40, 2)).astype(float), rng.normal(size=40)
    near = OptimalTreeRegressor(max_depth=2, features="all", **given).near_optimal(
        X, y, epsilon=0.05
    )
    unit = y.var()
    assert near.count > 5
    assert near.levels[-1].objective <= near.best_objective + 0.05 * unit * (1 + 1e-9)
    assert near._near.core.radius / 40 == pytest.approx(0.05 * unit, rel=1e-7)


def test_a_set_is_stopped_and_says_so() -> None:
    X, y = hard_table()
    clf = OptimalTreeClassifier(
        max_depth=5, monotone={0: 1}, skeleton={"column": 1, "threshold": 0}
    )
    with pytest.raises(TimeoutError, match="before the best tree was proven"):
        clf.near_optimal(X, y, epsilon=0.1, time_limit=0.5)
    few = OptimalTreeClassifier(max_depth=2, n_thresholds=10, features="mid", monotone={0: 1})
    near = few.near_optimal(X, y, epsilon=0.05, max_trees=20)
    assert near.stopped_by == "max_trees" and 0 < near.count <= 20
    assert near.best_objective == pytest.approx(few.fit(X, y).objective_)
    page = near.report()
    assert "<h2>Columns</h2>" in page
