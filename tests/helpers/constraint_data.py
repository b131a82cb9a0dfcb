"""Random groups of columns and skeletons, for the oracle and as a user writes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from oracles.attribute_splits import Split
from oracles.constrained import Asked
from oracles.problem import Problem

from ramify.tree import Tree


def random_groups(rng: np.random.Generator, columns: int) -> list[set[int]]:
    """One to three groups that may overlap; some columns may be in none."""
    return [
        set(rng.choice(columns, rng.integers(1, columns + 1), replace=False).tolist())
        for _ in range(rng.integers(1, 4))
    ]


def random_split(rng: np.random.Generator, problem: Problem, multiway: bool) -> Split:
    attribute = int(rng.integers(len(problem.columns)))
    column = problem.columns[attribute]
    known = column.values[~np.isnan(column.values)]
    kind = "threshold" if column.kind != "nominal" else "multiway" if multiway else "subset"
    missing_to = int(rng.choice([-1, -1, 0, 1]))
    if kind == "threshold":
        finite = known[np.isfinite(known)]
        value = float(rng.choice(finite)) if len(finite) else 0.0
        if column.kind == "numeric":
            value += float(rng.choice([0.0, 0.01]))
        return Split(attribute, kind, math.nan, threshold=value, missing_to=missing_to)
    branches = int(rng.integers(2, 4)) if multiway else 2
    top = int(known.max(initial=0)) + 1
    branch_of = {level: int(rng.integers(branches)) for level in range(top)}
    return Split(
        attribute,
        kind,
        math.nan,
        missing_to=missing_to,
        branch_of=branch_of,
        branches=branches,
    )


def random_skeleton(
    rng: np.random.Generator, problem: Problem, *, depth: int = 3, multiway: bool = False
) -> Asked:
    """A skeleton with free, closed and restricted branches."""
    columns = None
    if rng.random() < 0.3:
        count = rng.integers(1, len(problem.columns) + 1)
        columns = frozenset(rng.choice(len(problem.columns), count, replace=False).tolist())
    if depth == 0 or rng.random() < 0.25:
        return Asked(closed=bool(rng.random() < 0.3), columns=columns)
    split = random_split(rng, problem, multiway)
    children = tuple(
        random_skeleton(rng, problem, depth=depth - 1, multiway=multiway)
        for _ in range(split.branches)
    )
    return Asked(split, children, columns=columns)


def as_written(asked: Asked, problem: Problem, levels_of: Any) -> dict[str, Any]:
    """The skeleton as a user writes it; `levels_of(column)` are the levels of the table."""
    node: dict[str, Any] = {}
    if asked.columns is not None:
        node["columns"] = [f"c{c}" for c in sorted(asked.columns)]
    if asked.split is None:
        return node | ({"closed": True} if asked.closed else {})
    split = asked.split
    node["column"] = f"c{split.attribute}"
    if split.missing_to >= 0:
        node["missing"] = split.missing_to
    below = [as_written(child, problem, levels_of) for child in asked.children]
    if split.kind == "threshold":
        ordinal = problem.columns[split.attribute].kind == "ordinal"
        value = split.threshold
        node["threshold"] = f"l{int(value):03d}" if ordinal else value
    else:
        present = levels_of(split.attribute)
        node["levels"] = [
            [f"l{v:03d}" for v, b in split.branch_of.items() if b == branch and v in present]
            for branch in range(split.branches)
        ]
    if split.kind == "multiway":
        return node | {"branches": below}
    return node | {"left": below[0], "right": below[1]}


def written_for(asked: Asked, problem: Problem) -> dict[str, Any]:
    """The skeleton as a user writes it, for a table that has the levels of the problem."""

    def levels(attribute: int) -> set[int]:
        values = problem.columns[attribute].values
        return set(values[~np.isnan(values)].astype(int).tolist())

    return as_written(asked, problem, levels)


def columns_of_paths(tree: Tree) -> list[set[int]]:
    """The columns on the way to every leaf."""
    above: list[set[int]] = [set() for _ in range(tree.n_nodes)]
    for i in range(1, tree.n_nodes):
        parent = int(tree.data["parent"][i])
        above[i] = above[parent] | {int(tree.data["attribute"][parent])}
    return [above[i] for i in range(tree.n_nodes) if tree.data["kind"][i] == 0]


def paths_of(asked: Asked) -> list[set[int]]:
    """The columns of the conditions on the way to every branch of a skeleton."""
    if asked.split is None:
        return [set()]
    own = {asked.split.attribute}
    return [own | path for child in asked.children for path in paths_of(child)]
