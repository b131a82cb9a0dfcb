"""A tree of numeric thresholds as the arrays of scikit-learn, for tools that read those."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.tree.conditions import THRESHOLD
from ramify.tree.data import TreeData
from ramify.tree.nodes import NotOfThisTree


@dataclass(frozen=True, eq=False)
class NumericArrays:
    """A tree of numeric thresholds in scikit-learn's terms; the children of a leaf are -1."""

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    n_node_samples: NDArray[np.int64]


def tree_to_arrays(tree: TreeData) -> NumericArrays:
    """The tree as arrays; ValueError unless all its splits are thresholds on numbers."""
    data, leaf = tree.data, tree.data["n_children"] == 0
    used = sorted(set(data["attribute"][~leaf].tolist()))
    odd = [tree.schema.columns[i].name for i in used if tree.schema.columns[i].kind != "numeric"]
    if odd or (data["kind"][~leaf] != THRESHOLD).any():
        raise NotOfThisTree(f"only a purely numeric binary tree has arrays; not numeric: {odd}")
    left = data["first_child"].astype(np.int64)
    value = data["value"]
    if tree.task == "regression":
        value = np.array(tree.predictions, dtype=np.float64)[:, np.newaxis]
    result = NumericArrays(
        children_left=left,
        children_right=np.where(leaf, -1, left + 1),
        feature=np.where(leaf, -2, data["attribute"]).astype(np.int64),
        threshold=np.where(leaf, -2.0, data["threshold"]),
        value=value,
        n_node_samples=data["rows"].astype(np.int64),
    )
    for array in vars(result).values():
        array.flags.writeable = False
    return result
