"""The arrays of a tree: their names, types and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Arrays: TypeAlias = dict[str, NDArray[Any]]


def flat(costs: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Give costs row after row, as the core takes them."""
    return None if costs is None else np.ascontiguousarray(costs).ravel()


#: Columns of the nodes: the type, and the value of all entries when a model file leaves it out.
NODE_COLUMNS: dict[str, tuple[type, float]] = {
    "first_child": (np.int32, -1),
    "n_children": (np.int32, 0),
    "kind": (np.uint8, 0),
    "attribute": (np.int32, -1),
    "threshold": (np.float64, np.nan),
    "missing_to": (np.int32, -1),
    "proportion": (np.float64, 1.0),
    "rows": (np.int64, 0),
    "weight": (np.float64, 0.0),
    "impurity": (np.float64, 0.0),
    "gain": (np.float64, 0.0),
    "log_p": (np.float64, np.nan),
    "expansion": (np.int32, -1),
    "key": (np.float64, np.nan),
    "prediction": (np.float64, np.nan),
    "spread": (np.float64, np.nan),
}
LEVEL_COLUMNS: dict[str, tuple[type, float]] = {
    "code": (np.int32, 0),
    "branch": (np.int32, 0),
}
COMPETITOR_COLUMNS: dict[str, tuple[type, float]] = {
    "attribute": (np.int32, -1),
    "kind": (np.uint8, 0),
    "threshold": (np.float64, np.nan),
    "gain": (np.float64, 0.0),
    "log_p": (np.float64, np.nan),
    "missing_to": (np.int32, -1),
}
#: No target and no prediction is larger: the squares of larger numbers could not be summed.
LARGEST = 1e140


def without_competitors(
    nodes: Mapping[str, Any], value: NDArray[np.float64], levels: Mapping[str, Any]
) -> Arrays:
    """The arrays of a tree that our own code made; they are not checked.

    Parameters
    ----------
    nodes : mapping
        Columns of the nodes, and the parent of each. A column that is left out has its default.
    value : ndarray of shape (nodes, width)
        Sums of every node.
    levels : mapping
        Columns of the levels, and "start".
    """
    n = len(value)
    arrays: Arrays = {
        name: np.array(nodes[name], dtype) if name in nodes else np.full(n, default, dtype)
        for name, (dtype, default) in NODE_COLUMNS.items()
    }
    arrays |= {f"level_{name}": np.array(levels[name], t) for name, (t, _) in LEVEL_COLUMNS.items()}
    for name, (dtype, _) in COMPETITOR_COLUMNS.items():
        arrays[f"competitor_{name}"] = np.empty(0, dtype)
    depth = [0]
    for above in nodes["parent"][1:]:
        depth.append(depth[above] + 1)
    return arrays | {
        "parent": np.array(nodes["parent"], np.int32),
        "depth": np.array(depth, np.int32),
        "value": value,
        "level_start": np.array(levels["start"], np.int64),
        "competitor_start": np.zeros(n + 1, np.int64),
        "competitor_level_start": np.zeros(1, np.int64),
        "competitor_level_code": np.empty(0, np.int32),
        "competitor_level_branch": np.empty(0, np.int32),
    }


def complete(arrays: Arrays, task: str) -> Arrays:
    """Fill in what a file may leave out and the other arrays tell.

    Nodes are numbered as they are made. So a tree without an order of expansions was expanded in
    the order of its children's numbers. An inner node of a regression without a prediction
    predicts the mean of its rows.
    """
    arrays = dict(arrays)
    inner = np.flatnonzero(arrays["n_children"])
    if (arrays["expansion"] == -1).all():
        order = inner[np.argsort(arrays["first_child"][inner], kind="stable")]
        arrays["expansion"] = np.full(len(arrays["expansion"]), -1, dtype=np.int32)
        arrays["expansion"][order] = np.arange(len(order), dtype=np.int32)
    value, prediction = arrays["value"], arrays["prediction"]
    open_nodes = inner[np.isnan(prediction[inner])]
    if len(open_nodes) and task == "regression":
        arrays["prediction"] = prediction.copy()
        with np.errstate(all="ignore"):
            arrays["prediction"][open_nodes] = value[open_nodes, 1] / value[open_nodes, 0]
    return arrays
