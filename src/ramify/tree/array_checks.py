"""What must hold between the arrays of a tree.

What passes these checks can be walked, described and predicted from without further tests.
Everything here is vectorised: a tree may have hundreds of thousands of nodes and levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables import Schema
from ramify.tree.arrays import LARGEST, Arrays
from ramify.tree.conditions import LEAF, MULTIWAY, SUBSET, THRESHOLD


def parents_and_depths(first: NDArray[np.int32], count: NDArray[np.int32]) -> Arrays:
    """The parent and the depth of every node, from the children.

    Raises ValueError unless the nodes form one tree in which parents come before their children.
    """
    n = len(first)
    if n == 0:
        raise ValueError("nodes must hold at least a root")
    _require((count >= 0) & ((count == 0) == (first == -1)), "nodes", "first_child, n_children")
    inner = np.flatnonzero(count)
    _require(first[inner] > inner, "inner nodes", "first_child", "must come after its node")
    order = inner[np.argsort(first[inner], kind="stable")]
    ends = np.cumsum(np.append(1, count[order].astype(np.int64)))
    if ends[-1] != n or (ends[:-1] != first[order]).any():
        raise ValueError("nodes.first_child, n_children: each node but the root needs one parent")
    parent = np.full(n, -1, dtype=np.int32)
    parent[1:] = np.repeat(order, count[order])
    depth = [0] * n
    for child, above in enumerate(parent[1:].tolist(), start=1):
        depth[child] = depth[above] + 1
    return {"parent": parent, "depth": np.array(depth, dtype=np.int32)}


def check_arrays(arrays: Arrays, schema: Schema, task: str) -> None:
    """Raise ValueError unless the schema allows every code, condition and number.

    The core has checked what needs no schema. Its own check also compares the weight of a node with
    the sum of its children's weights, which this one does not.
    """
    kind, count, value = arrays["kind"], arrays["n_children"], arrays["value"]
    weight, leaf = arrays["weight"], kind == LEAF
    _require(leaf == (arrays["attribute"] == -1), "nodes", "attribute", "must be -1 at leaves only")
    _require(np.isfinite(value).ravel(), "nodes", "value", "must be finite")
    if task == "classification":
        _require((value >= 0).ravel(), "nodes", "value", "must not be negative")
    else:
        _require(np.isfinite(arrays["impurity"]), "nodes", "impurity", "must be finite")
        _require(np.abs(arrays["prediction"]) <= LARGEST, "nodes", "prediction", "is no target")
    with np.errstate(over="ignore", invalid="ignore"):
        total = value.sum(axis=1) if task == "classification" else value[:, 0]
        sums = (weight * arrays["gain"]) * len(weight)
        same = np.isclose(total, weight, 1e-6, 1e-9)
    _require(same, "nodes", "weight", "is not the sum of value")
    _require(weight[:1] > 0, "nodes", "weight", "must be above 0")
    _require(np.isfinite(sums), "nodes", "gain", "is beyond what can be summed")
    _check_conditions(arrays, "", "nodes", schema, count)

    kinds = arrays["competitor_kind"]
    _require((kinds > LEAF) & (kinds <= MULTIWAY), "competitors", "kind")
    # A multiway competitor has a branch per level and perhaps one for missing values.
    branches = np.where(kinds == MULTIWAY, np.diff(arrays["competitor_level_start"]) + 1, 2)
    _check_conditions(arrays, "competitor_", "competitors", schema, branches)


def _check_conditions(
    arrays: Arrays, prefix: str, table: str, schema: Schema, n_branches: NDArray[Any]
) -> None:
    kind, attribute = arrays[prefix + "kind"], arrays[prefix + "attribute"]
    threshold, missing_to = arrays[prefix + "threshold"], arrays[prefix + "missing_to"]
    # One more entry at the end stands for the attribute -1 of leaves.
    n_levels = np.array([len(column.levels) for column in schema.columns] + [0])
    nominal = np.array([column.kind == "nominal" for column in schema.columns] + [False])
    numeric = np.array([column.kind == "numeric" for column in schema.columns] + [False])
    _require((attribute >= -1) & (attribute < len(schema.columns)), table, "attribute")
    _require((kind == LEAF) == (attribute == -1), table, "attribute")
    asks_order = kind == THRESHOLD
    _require(np.isnan(threshold) != asks_order, table, "threshold", "does not fit the kind")
    # A nominal column has no order; only "is it known?" can be asked with a threshold.
    orderable = ~nominal[attribute] | (threshold == np.inf)
    _require(~asks_order | orderable, table, "kind", "asks for an order the column has not")
    sets = (kind == SUBSET) | (kind == MULTIWAY)
    _require(~(sets & numeric[attribute]), table, "kind", "asks a numeric column for levels")
    _require((missing_to >= -1) & (missing_to < np.maximum(n_branches, 0)), table, "missing_to")

    start, code = arrays[prefix + "level_start"], arrays[prefix + "level_code"]
    branch = arrays[prefix + "level_branch"]
    owner = np.repeat(np.arange(len(kind)), np.diff(start))
    _require(sets[owner], f"levels of {table}", "start", "gives levels to a node without a set")
    _require((code >= 0) & (code < n_levels[attribute[owner]]), f"levels of {table}", "code")
    rising = np.ones(len(code), dtype=bool)
    rising[1:] = (code[1:] > code[:-1]) | (owner[1:] != owner[:-1])
    _require(rising, f"levels of {table}", "code", "must rise within a node")
    _require((branch >= 0) & (branch < n_branches[owner]), f"levels of {table}", "branch")


def _require(good: NDArray[np.bool_], table: str, name: str, why: str = "is out of range") -> None:
    """Raise ValueError that names the first position which is not good."""
    bad = np.flatnonzero(~good)
    if len(bad):
        raise ValueError(f"{table}: {name} {why} at position {bad[0]}")
