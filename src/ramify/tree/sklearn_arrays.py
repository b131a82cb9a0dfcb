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
    """A tree of numeric thresholds in scikit-learn's terms, one entry per node.

    Attributes
    ----------
    children_left, children_right : ndarray of int
        Numbers of the children; -1 at a leaf.
    feature : ndarray of int
        Position of the column asked; -2 at a leaf.
    threshold : ndarray of float
        Rows with at most this value go left; -2 at a leaf.
    value : ndarray of shape (nodes, classes) or (nodes, 1)
        Weight of each class, or the number predicted.
    impurity : ndarray of float
        Impurity by the criterion of growth.
    n_node_samples : ndarray of int
        Training rows that reach the node, in whole or in part.
    weighted_n_node_samples : ndarray of float
        Their weight.
    missing_to : ndarray of int
        Where a missing value goes: 0 is left, 1 is right, -1 is down both branches, with a part of
        the row's weight in each; -1 at a leaf. scikit-learn knows only one side.
    missing_go_to_left : ndarray of bool
        The same in scikit-learn's words, with the heavier branch in place of both; False at a leaf.
    """

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    impurity: NDArray[np.float64]
    n_node_samples: NDArray[np.int64]
    weighted_n_node_samples: NDArray[np.float64]
    missing_to: NDArray[np.int64]
    missing_go_to_left: NDArray[np.bool_]


def tree_to_arrays(tree: TreeData) -> NumericArrays:
    """The tree as arrays; ValueError unless all its splits are thresholds on numbers."""
    data, leaf = tree.data, tree.data["n_children"] == 0
    used = sorted(set(data["attribute"][~leaf].tolist()))
    odd = [tree.schema.columns[i].name for i in used if tree.schema.columns[i].kind != "numeric"]
    if odd or (data["kind"][~leaf] != THRESHOLD).any():
        raise NotOfThisTree(f"only a purely numeric binary tree has arrays; not numeric: {odd}")
    left = data["first_child"].astype(np.int64)
    right = np.where(leaf, -1, left + 1)
    missing_to = np.where(leaf, -1, data["missing_to"]).astype(np.int64)
    heavier_left = data["weight"][left] >= data["weight"][right]  # of no meaning at leaves
    value = data["value"]
    if tree.task == "regression":
        value = np.array(tree.predictions, dtype=np.float64)[:, np.newaxis]
    result = NumericArrays(
        children_left=left,
        children_right=right,
        feature=np.where(leaf, -2, data["attribute"]).astype(np.int64),
        threshold=np.where(leaf, -2.0, data["threshold"]),
        value=value,
        impurity=np.array(data["impurity"]),
        n_node_samples=data["rows"].astype(np.int64),
        weighted_n_node_samples=np.array(data["weight"]),
        missing_to=missing_to,
        missing_go_to_left=~leaf & np.where(missing_to < 0, heavier_left, missing_to == 0),
    )
    for array in vars(result).values():
        array.flags.writeable = False
    return result
