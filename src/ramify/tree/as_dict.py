"""A tree as what JSON can hold, and back; the layout is described in docs/model-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tables import Schema
from ramify.tables.values import decode_array, encode_array
from ramify.tree.array_checks import check_arrays
from ramify.tree.array_lists import from_list, from_tables, to_list, to_tables
from ramify.tree.arrays import LARGEST, Arrays, complete
from ramify.tree.by_hand import ByHand, read_history, read_marks, write_history, write_marks
from ramify.tree.data import TreeData

TASKS = ("classification", "regression")
#: What may become of a level that training did not have.
UNSEEN_CHOICES = tuple(_core.choices("unseen"))
#: What a tree has besides its arrays.
PARTS = frozenset({"task", "target", "unseen", "costs", "classes", "schema"})
_SHARED = frozenset({"classes", "schema"})  # by all trees of a model file
_TABLES = frozenset({"nodes", "levels", "competitors"})
#: What only a tree has that a person has changed.
BY_HAND = frozenset({"by_hand", "history"})


def write_tree(tree: TreeData) -> dict[str, Any]:
    """All of a tree, in a form that JSON can hold exactly."""
    written = {
        "task": tree.task,
        "target": tree.target,
        "unseen": tree.unseen,
        "classes": None if tree.classes is None else encode_array(tree.classes),
        "costs": None if tree.costs is None else [to_list(row) for row in tree.costs],
        "schema": tree.schema.to_dict(),
        **to_tables(tree.data),
    }
    if tree.by_hand:
        written["by_hand"] = write_marks(tree.by_hand)
    if tree.history:
        written["history"] = write_history(tree.history)
    return written


def read_tree(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments for the Tree that was written; ValueError names what is wrong."""
    if not isinstance(tree, Mapping):
        raise ValueError("a tree must be an object")
    if missing := sorted(_SHARED - set(tree)):
        raise ValueError(f"{missing[0]!r} is missing")
    schema = Schema.from_dict(tree["schema"])
    return read_body(
        {key: value for key, value in tree.items() if key not in _SHARED},
        schema,
        read_classes(tree["classes"]),
    )


def read_classes(classes: Any) -> NDArray[Any] | None:
    """The labels that a tree or a model file names; None in regression."""
    if classes is None:
        return None
    labels = decode_array(classes, "classes")
    values = labels.tolist()
    if not values or len(set(values)) < len(values):
        raise ValueError("classes must be different, and at least one")
    if labels.dtype == object and not all(isinstance(value, str) for value in values):
        raise ValueError("classes.values of dtype object must be strings")
    if labels.dtype.kind == "f" and not all(value.is_integer() for value in values):
        raise ValueError("classes.values must be whole numbers")
    return labels


def read_body(
    tree: Mapping[str, Any], schema: Schema, classes: NDArray[Any] | None
) -> dict[str, Any]:
    """The arguments for a Tree, from its own part of a document and what it shares with others."""
    if missing := sorted((PARTS - _SHARED | {"nodes"}) - set(tree)):
        raise ValueError(f"{missing[0]!r} is missing")
    if unknown := sorted(map(str, set(tree) - (PARTS - _SHARED) - _TABLES - BY_HAND)):
        raise ValueError(f"unknown entry {unknown[0]!r}")
    task, target, unseen = tree["task"], tree["target"], tree["unseen"]
    if task not in TASKS or unseen not in UNSEEN_CHOICES or not isinstance(target, str):
        raise ValueError(f"task, target or unseen: {(task, target, unseen)!r:.120} is unknown")
    if (classes is None) != (task == "regression"):
        raise ValueError(f"classes must be null in regression only, and the task is {task}")
    width = 3 if classes is None else len(classes)
    costs = None if tree["costs"] is None else _read_costs(tree["costs"], width)
    core = make_core(from_tables(tree, width), schema, task, classes)
    if costs is not None:
        with np.errstate(over="ignore"):
            sums = core.arrays()["value"].sum(axis=0) @ np.abs(costs)
        if not np.isfinite(sums).all():
            raise ValueError("costs are beyond what can be summed")
    marks = read_marks(tree.get("by_hand", []), core.n_nodes)
    _check_marks(marks, core, schema, classes, costs)
    return {
        "core": core,
        "schema": schema,
        "task": task,
        "classes": classes,
        "target": target,
        "unseen": unseen,
        "costs": costs,
        "by_hand": marks,
        "history": read_history(tree.get("history", [])),
    }


def _check_marks(
    marks: dict[int, ByHand],
    core: _core.Tree,
    schema: Schema,
    classes: NDArray[Any] | None,
    costs: NDArray[np.float64] | None,
) -> None:
    """Refuse labels and columns that the tree does not have."""
    may_abstain = costs is not None and costs.shape[1] > costs.shape[0]
    for node, mark in marks.items():
        if unknown := [name for name in mark.excluded if name not in schema.names]:
            raise ValueError(f"by_hand: node {node} leaves out {unknown[0]!r:.80}, not a column")
        if not mark.labelled:
            continue
        if core.arrays()["n_children"][node]:
            raise ValueError(f"by_hand: node {node} has a label and is not a leaf")
        label = mark.label
        if classes is None:
            good = type(label) in (int, float) and abs(label) <= LARGEST
        else:
            good = (label is None and may_abstain) or label in classes.tolist()
        if not good:
            raise ValueError(f"by_hand: node {node} has the label {label!r:.80}, not an answer")


def make_core(
    arrays: Arrays, schema: Schema, task: str, classes: NDArray[Any] | None
) -> _core.Tree:
    """The nodes, from arrays that came from outside: a file, a dict or a pickle.

    All is checked here: what comes out can be predicted from, pruned, shown and written without
    further tests. ValueError names the node at fault.
    """
    outputs = 1 if classes is None else len(classes)
    core = _core.Tree(task, len(schema.columns), outputs, complete(arrays, task))
    check_arrays(core.arrays(), schema, task)
    return core


def _read_costs(costs: Any, width: int) -> NDArray[np.float64]:
    if not isinstance(costs, list) or len(costs) != width:
        raise ValueError(f"costs must be a list of {width} rows")
    rows = [from_list(row, np.float64, f"costs[{i}]") for i, row in enumerate(costs)]
    if len(rows[0]) not in (width, width + 1):
        raise ValueError(f"costs must have {width} columns, or {width + 1} with that of abstaining")
    if any(len(row) != len(rows[0]) or not np.isfinite(row).all() for row in rows):
        raise ValueError(f"costs must be {width} x {len(rows[0])} numbers")
    return np.array(rows)
