"""Random growth problems, and comparisons of a fitted tree with the oracle."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from oracles.attribute_splits import Split, discount, partition_candidates
from oracles.greedy import Node, choose, grow, node_value, splits
from oracles.problem import Column, Problem, Rows, baseline, impurity, is_pure

from ramify import TreeClassifier, TreeRegressor
from ramify.tree import Tree

KIND_CODES = {"threshold": 1, "subset": 2, "multiway": 3}
COSTS = {
    2: np.array([[0.0, 1.0], [4.0, 0.0]]),
    3: np.array([[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [1.0, 3.0, 0.0]]),
}


def sqrt_drop(counts: np.ndarray) -> float:
    """A criterion of our own, on the class weights of the children."""
    total = counts.sum()

    def spread(c: np.ndarray) -> float:
        return float(np.sqrt(c / c.sum()).sum() - 1.0) if c.sum() > 0 else 0.0

    return spread(counts.sum(axis=0)) - sum(c.sum() / total * spread(c) for c in counts)


def moment_drop(moments: np.ndarray) -> float:
    """A criterion of our own, on weight, sum and sum of squares of the children: log variances."""
    weight, total, square = moments.sum(axis=0)

    def deviation(m: np.ndarray) -> float:
        return float(np.log1p(max(m[2] / m[0] - (m[1] / m[0]) ** 2, 0.0))) if m[0] > 0 else 0.0

    whole = np.array([weight, total, square])
    return deviation(whole) - sum(m[0] / weight * deviation(m) for m in moments)


def frame_of(problem: Problem) -> pd.DataFrame:
    """The table as a user would have it: levels by name, holes where cells are missing."""
    data: dict[str, Any] = {}
    for i, column in enumerate(problem.columns):
        if column.kind == "numeric":
            data[f"c{i}"] = column.values
            continue
        names = [None if math.isnan(v) else f"l{int(v):03d}" for v in column.values]
        top = int(column.values[~np.isnan(column.values)].max(initial=0)) + 1
        if column.kind == "ordinal":
            levels = [f"l{v:03d}" for v in range(top)]
            data[f"c{i}"] = pd.Categorical(names, categories=levels, ordered=True)
        else:
            data[f"c{i}"] = pd.Series(names, dtype=object)
    return pd.DataFrame(data)


def fit(problem: Problem, **parameters: Any) -> Tree:
    shared = {
        name: getattr(problem, name)
        for name in (
            "criterion",
            "categorical_split",
            "missing",
            "missing_gain",
            "missing_count",
            "growth",
            "max_depth",
            "max_leaves",
            "max_expansions",
            "min_samples_split",
            "min_samples_leaf",
            "min_weight_split",
            "abandon_small",
            "min_gain",
            "selection",
            "alpha",
            "bonferroni",
            "significance",
            "min_second_value",
            "ties",
        )
    }
    if problem.classes:
        assert len(np.unique(problem.target)) == problem.classes
        shared |= {"min_support": problem.min_support, "costs": problem.costs}
        shared |= {"numeric_penalty": problem.numeric_penalty}
        shared |= {"small_branches": problem.small_branches}
        estimator: Any = TreeClassifier(**(shared | parameters))
    else:
        estimator = TreeRegressor(quantile=problem.quantile, **(shared | parameters))
    estimator.fit(frame_of(problem), problem.target, sample_weight=problem.weights)
    return estimator.tree_


def random_problem(
    seed: int,
    *,
    rows: int = 40,
    kinds: str = "numeric ordinal nominal",
    classes: int = 2,
    weights: str = "none",
    holes: float = 0.0,
    levels: int = 5,
    ties: bool = True,
    **parameters: Any,
) -> Problem:
    """Columns that say something about the target; `ties`: few distinct numbers."""
    rng = np.random.default_rng(seed)
    if classes:
        target = rng.integers(0, classes, rows)
        target[:classes] = np.arange(classes)
    else:
        target = rng.normal(size=rows)
        if ties:
            target = np.round(target, 1)
    columns = []
    for kind in kinds.split():
        signal = target + rng.normal(scale=1.5, size=rows)
        if kind == "numeric":
            values = np.round(signal, 1) if ties else signal
        else:
            values = np.clip(np.floor(signal * 1.5) + levels // 2, 0, levels - 1)
            values = rng.permutation(levels)[values.astype(int)].astype(float)
        values[rng.random(rows) < holes] = math.nan
        columns.append(Column(kind, values))
    weight = {
        "none": lambda: None,
        "whole": lambda: rng.integers(1, 4, rows).astype(float),
        "real": lambda: rng.uniform(0.2, 3.0, rows),
        "zeros": lambda: rng.integers(0, 3, rows).astype(float) + np.eye(1, rows)[0],
    }[weights]()
    if parameters.get("criterion") == "poisson":
        target = np.floor(np.exp(target))  # counts, many of them zero
    if parameters.get("criterion") == "gamma":
        target = np.exp(target)
    if parameters.get("criterion") == "quantile":
        parameters.setdefault("quantile", 0.3)
    if parameters.get("criterion") == "moments":
        parameters["criterion"] = moment_drop
    if parameters.get("criterion") == "gini with costs":
        parameters |= {"criterion": "gini", "costs": COSTS[classes]}
    if str(parameters.get("criterion")).endswith(" with support"):
        name = parameters["criterion"].removesuffix(" with support")
        parameters |= {"criterion": name, "min_support": 3.5}
    if parameters.get("criterion") == "callable":
        parameters["criterion"] = sqrt_drop
    return Problem(tuple(columns), target, weight, classes, **parameters)


# --- comparisons


def assert_close(actual: Any, expected: Any, what: str) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-12, err_msg=what)


def level_numbers(tree: Tree, attribute: int, codes: np.ndarray) -> list[int]:
    """The numbers of the levels that the oracle uses, from the codes of the tree."""
    return [int(str(tree.schema[attribute].levels[code])[1:]) for code in codes]


def branches_of(tree: Tree, node: int) -> dict[int, int]:
    data = tree.data
    part = slice(*data["level_start"][node : node + 2])
    names = level_numbers(tree, data["attribute"][node], data["level_code"][part])
    return dict(zip(names, data["level_branch"][part].tolist(), strict=True))


def assert_same_condition(tree: Tree, node: int, expected: Split) -> None:
    data = tree.data
    assert data["attribute"][node] == expected.attribute, f"attribute of node {node}"
    assert data["kind"][node] == KIND_CODES[expected.kind], f"kind of node {node}"
    assert data["missing_to"][node] == expected.missing_to, f"missing_to of node {node}"
    if expected.kind == "threshold":
        assert data["threshold"][node] == expected.threshold, f"threshold of node {node}"
    else:
        assert branches_of(tree, node) == expected.branch_of, f"partition of node {node}"


def assert_root(problem: Problem, *, exact: bool = True) -> None:
    """The root's split and all competitors are what the oracle finds.

    `exact`: a nominal split is as good as the best of all partitions, not only the best of those
    that the method looks at.
    """
    tree = fit(problem, max_depth=1)
    tree.check()
    rows = problem.root()
    best = choose(problem, rows, 0)
    if best is None:
        assert tree.n_nodes == 1
        return
    data = tree.data
    found = splits(problem, rows)
    gains = dict(zip(data["competitor_attribute"].tolist(), data["competitor_gain"], strict=True))
    assert list(gains.values()) == sorted(gains.values(), reverse=True)
    gains[int(data["attribute"][0])] = data["gain"][0]
    assert sorted(gains) == [split.attribute for split in found]
    for split in found:
        gain = split.gain - baseline(problem, rows)
        assert_close(gains[split.attribute], gain, f"gain of attribute {split.attribute}")
    assert data["attribute"][0] == best.attribute
    if best.kind == "subset" and exact:
        candidates = nominal_candidates(problem, rows, best.attribute)
        best_score = max(c.gain for c in candidates)
        optimum = best_score - baseline(problem, rows)
        # With missing="direction" the partition is found before the missing rows are placed, or
        # the split of known against missing replaces it.
        if problem.missing != "direction":
            assert_close(data["gain"][0], optimum, "optimum")
        if sum(c.gain > best_score - 1e-9 for c in candidates) == 1:
            assert_same_condition(tree, 0, best)
    else:
        assert_same_condition(tree, 0, best)


def nominal_candidates(problem: Problem, rows: Rows, attribute: int) -> list[Split]:
    """Every partition of the levels of an attribute, with its gain."""
    cells = problem.cells(attribute, rows)
    known, unknown = rows.where(~np.isnan(cells)), rows.where(np.isnan(cells))
    candidates, scored = partition_candidates(problem, rows, attribute, known, unknown, every=True)
    share = 1.0 if scored is rows or not len(unknown) else discount(problem, rows, known)
    return [replace(c, gain=c.gain * share) for c in candidates]


def assert_same_tree(problem: Problem, **parameters: Any) -> Tree:
    tree = fit(problem, **parameters)
    assert_equals_oracle(problem, tree, grow(problem))
    return tree


def assert_equals_oracle(problem: Problem, tree: Tree, expected: list[Node]) -> None:
    tree.check()
    data = tree.data
    assert data["parent"].tolist() == parents(expected)
    numbers = {
        "weight": [node.rows.weight.sum() for node in expected],
        "proportion": [node.proportion for node in expected],
        "value": [node_value(problem, node.rows) for node in expected],
        "impurity": [
            0.0 if is_pure(problem, node.rows) else impurity(problem, node.rows)
            for node in expected
        ],
    }
    inner = [i for i, node in enumerate(expected) if node.split is not None]
    for i, node in enumerate(expected):
        assert data["depth"][i] == node.depth
        assert data["expansion"][i] == node.expansion, f"expansion of node {i}"
        assert data["rows"][i] == len(node.rows), f"rows of node {i}"
        if node.split is None:
            assert data["kind"][i] == 0
        else:
            assert_same_condition(tree, i, node.split)
    for name, found in numbers.items():  # all nodes at once: one comparison costs as much as a node
        assert_close(data[name], found, f"{name} of the nodes")
    gains = [
        max(expected[i].split.gain, min(0.0, baseline(problem, expected[i].rows))) for i in inner
    ]
    assert_close(data["gain"][inner], gains, f"gains of the nodes {inner}")


def parents(nodes: list[Node]) -> list[int]:
    out = [-1] * len(nodes)
    for node in nodes:
        for child in node.children:
            out[child.id] = node.id
    return out
