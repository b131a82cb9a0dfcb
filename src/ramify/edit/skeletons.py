"""The policy that a person has laid down, as a beginning for other trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ramify.tree import Tree


def skeleton_of(tree: Any, *, locked: Iterable[int] | None = None) -> dict[str, Any]:
    """Give the locked part of a tree as a skeleton; everything else is free to grow.

    With it, cross-validation judges an edited tree honestly: every fold begins with the conditions
    that a person has laid down, and grows the rest from its own rows.

    Parameters
    ----------
    tree : Tree, fitted estimator or TreeEditor
    locked : iterable of int, optional
        The nodes whose conditions stay, with all conditions on the way to them. None: the nodes
        that are locked and those that were set by hand. A leaf among them is closed: it does not
        grow. Columns that were kept out of a branch stay out of it in any case.

    Returns
    -------
    dict
        For the parameter `skeleton` of :class:`~ramify.TreeClassifier` and
        :class:`~ramify.TreeRegressor`; empty if nothing is locked.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"age": [20, 30, 40, 50], "income": [1, 2, 1, 2]}
    >>> clf = TreeClassifier().fit(X, ["a", "b", "c", "c"])
    >>> editor = clf.edit(X, ["a", "b", "c", "c"])
    >>> price = editor.split(0, "income <= 1", reason="known earlier")
    >>> skeleton_of(editor)
    {'column': 'income', 'threshold': 1.0, 'left': {}, 'right': {}}
    """
    found = getattr(tree, "tree_", getattr(tree, "tree", tree))
    if not isinstance(found, Tree):
        raise ValueError(f"tree={tree!r:.80} must be a tree, a fitted estimator or an editor")
    count, parent = found.data["n_children"], found.data["parent"]
    if locked is None:
        given = {node for node, mark in found.by_hand.items() if mark.locked or mark.is_set}
    else:
        given = {int(node) for node in locked}
    if outside := sorted(node for node in given if not 0 <= node < found.n_nodes):
        raise ValueError(
            f"locked: {outside[0]} is not a node; the nodes are numbered 0 to {found.n_nodes - 1}"
        )
    out = {node: mark.excluded for node, mark in found.by_hand.items() if mark.excluded}
    kept = set(given)
    for node in given | out.keys():
        while (node := int(parent[node])) >= 0:
            kept.add(node)
    whole = found.skeleton()
    first = found.data["first_child"]

    def part(node: int, written: dict[str, Any]) -> dict[str, Any]:
        excluded = {"exclude": list(out[node])} if node in out else {}
        if node not in kept:
            return excluded
        if not count[node]:
            return {"closed": True} if node in given else excluded
        below = [int(first[node]) + b for b in range(int(count[node]))]
        if "branches" in written:
            pairs = zip(below, written["branches"], strict=True)
            branches = [part(child, one) for child, one in pairs]
            return {**written, "branches": branches, **excluded}
        sides = zip(below, ("left", "right"), strict=True)
        return {
            **written,
            **{side: part(child, written[side]) for child, side in sides},
            **excluded,
        }

    return part(0, whole)
