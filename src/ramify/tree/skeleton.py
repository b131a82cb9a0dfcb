"""A tree as the beginning of another: its conditions as nested dicts that can be edited by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ramify.tree.conditions import Condition, Multiway, Threshold
from ramify.tree.data import TreeData


def tree_to_skeleton(
    tree: TreeData, *, cut: Iterable[int] = (), closed: bool = False
) -> dict[str, Any]:
    """Give the conditions of a tree as nested dicts.

    Parameters
    ----------
    tree : Tree
    cut : iterable of int
        Nodes that are left free: growth goes on from them.
    closed : bool, default=False
        Whether the leaves are closed. Otherwise growth goes on from them, too.
    """
    free = {int(node) for node in cut}
    if outside := sorted(node for node in free if not 0 <= node < tree.n_nodes):
        raise ValueError(
            f"cut: {outside[0]} is not a node; the nodes are numbered 0 to {tree.n_nodes - 1}"
        )
    first, count = tree.data["first_child"], tree.data["n_children"]
    written: list[dict[str, Any]] = [{} for _ in range(tree.n_nodes)]
    for i in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        if i in free:
            continue
        if count[i] == 0:
            if closed:
                written[i] = {"closed": True}
            continue
        below = list(range(int(first[i]), int(first[i] + count[i])))
        heaviest = int(np.argmax(tree.data["proportion"][below]))
        written[i] = condition_as_dict(tree.condition(i), heaviest)
        if isinstance(tree.condition(i), Multiway):
            written[i]["branches"] = [written[child] for child in below]
        else:
            written[i]["left"], written[i]["right"] = (written[child] for child in below)
    return written[0]


def condition_as_dict(condition: Condition, heaviest: int = 0) -> dict[str, Any]:
    """Give a condition as a node of a skeleton; levels without a branch go to the heaviest."""
    found: dict[str, Any] = {"column": condition.attribute}
    if isinstance(condition, Threshold):
        known = condition.level is not None
        found["threshold"] = condition.level if known else condition.value
    else:
        found["levels"] = [list(levels) for levels in condition.branches]
        found["other"] = heaviest
        if isinstance(condition, Multiway):
            found["branches"] = [{} for _ in condition.branches]
    if condition.missing_to is not None:
        found["missing"] = condition.missing_to
    return found
