"""A tree as what JSON can hold, and back; the layout is described in docs/model-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._json_values import decode_array, encode_array
from ramify._tree_arrays import check_arrays, from_list, from_tables, to_list, to_tables
from ramify.tables import Schema

if TYPE_CHECKING:
    from ramify.tree import Tree

TASKS = ("classification", "regression")
UNSEEN = ("missing", "majority", "error")
#: What a tree has beside its arrays.
PARTS = frozenset({"task", "target", "unseen", "costs", "classes", "schema"})
_TABLES = frozenset({"nodes", "levels", "competitors"})


def write_tree(tree: Tree) -> dict[str, Any]:
    """All of a tree, in a form that JSON can hold exactly."""
    return {
        "task": tree.task,
        "target": tree.target,
        "unseen": tree.unseen,
        "classes": None if tree.classes is None else encode_array(tree.classes),
        "costs": None if tree.costs is None else [to_list(row) for row in tree.costs],
        "schema": tree.schema.to_dict(),
        **to_tables(tree.data),
    }


def read_tree(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the Tree that was written; ValueError names what is wrong."""
    if not isinstance(tree, Mapping):
        raise ValueError("a tree must be an object")
    if missing := sorted((PARTS | {"nodes"}) - set(tree)):
        raise ValueError(f"{missing[0]!r} is missing")
    if unknown := sorted(map(str, set(tree) - PARTS - _TABLES)):
        raise ValueError(f"unknown entry {unknown[0]!r}")
    task, target, unseen = tree["task"], tree["target"], tree["unseen"]
    if task not in TASKS or unseen not in UNSEEN or not isinstance(target, str):
        raise ValueError(f"task, target or unseen: {(task, target, unseen)!r} is unknown")
    schema = Schema.from_dict(tree["schema"])
    classes = costs = None
    width = 3
    if task == "classification":
        classes = decode_array(tree["classes"], "classes")
        width = len(classes)
        if not width or len(set(classes.tolist())) < width:
            raise ValueError("classes must be different, and at least one")
    elif tree["classes"] is not None:
        raise ValueError("classes must be null in regression")
    if tree["costs"] is not None:
        costs = _read_costs(tree["costs"], width)
    arrays = from_tables(tree, width)
    check_arrays(arrays, schema, task)
    core = _core.Tree(task, len(schema.columns), 1 if classes is None else width, arrays)
    return {
        "core": core,
        "schema": schema,
        "task": task,
        "classes": classes,
        "target": target,
        "unseen": unseen,
        "costs": costs,
    }


def _read_costs(costs: Any, width: int) -> NDArray[np.float64]:
    if not isinstance(costs, list) or len(costs) != width:
        raise ValueError(f"costs must be a list of {width} rows")
    rows = [from_list(row, np.float64, f"costs[{i}]") for i, row in enumerate(costs)]
    if any(len(row) != width or not np.isfinite(row).all() for row in rows):
        raise ValueError(f"costs must be {width} x {width} numbers")
    return np.array(rows)
