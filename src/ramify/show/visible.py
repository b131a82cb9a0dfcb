"""Which nodes of a large tree are drawn: the heavy ones. What is left out is counted."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from ramify.learning import parameters as check
from ramify.tree import Tree
from ramify.tree.text import leaves_below

#: If a split has more branches, the heaviest are drawn, and the others as one stub.
MOST_BRANCHES = 12


@dataclass
class Visible:
    """A place in a drawing: a node, or the stub of several branches of its parent.

    Parameters
    ----------
    node : int
        The node; -1 for a stub.
    parent : int
        Place of the parent, -1 for the root.
    branches : tuple of int
        The nodes that a stub stands for; empty for a node.
    hidden : int
        Leaves below that are not drawn; 0 if the children are drawn, or the node is a leaf.
    children : list of int
        Places of the children.
    """

    node: int
    parent: int
    branches: tuple[int, ...] = ()
    hidden: int = 0
    children: list[int] = field(default_factory=list)


def choose_visible(tree: Tree, max_depth: int | None, max_nodes: int | None) -> list[Visible]:
    """Open nodes by falling weight while there is room.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_depth, max_nodes : int or None
        The largest depth and number of nodes that are drawn; None draws all.
    """
    deepest = check.limit("max_depth", max_depth, least=0)
    most = check.limit("max_nodes", max_nodes, least=1)
    data, below = tree.data, leaves_below(tree)
    weight = data["weight"]
    opened: dict[int, tuple[list[int], tuple[int, ...]]] = {}
    heap, drawn = [(-float(weight[0]), 0)], 1
    while heap:
        _, node = heapq.heappop(heap)
        count = int(data["n_children"][node])
        if not count or data["depth"][node] >= deepest:
            continue
        shown, others = _heaviest(tree, node, count, max_nodes)
        if drawn + len(shown) + bool(others) > most:
            continue
        drawn += len(shown) + bool(others)
        opened[node] = shown, others
        for child in shown:
            heapq.heappush(heap, (-float(weight[child]), child))
    places = [Visible(0, -1)]
    for at, place in enumerate(places):  # grows on the way
        if place.node in opened:
            shown, others = opened[place.node]
            new = [Visible(child, at) for child in shown]
            if others:
                new.append(Visible(-1, at, others, sum(below[child] for child in others)))
            place.children = list(range(len(places), len(places) + len(new)))
            places += new
        elif place.node >= 0 and data["n_children"][place.node]:
            place.hidden = below[place.node]
    return places


def _heaviest(
    tree: Tree, node: int, count: int, max_nodes: int | None
) -> tuple[list[int], tuple[int, ...]]:
    first = int(tree.data["first_child"][node])
    if max_nodes is None or count <= MOST_BRANCHES:
        return list(range(first, first + count)), ()
    order = np.argsort(-tree.data["weight"][first : first + count], kind="stable")
    kept = np.sort(order[: MOST_BRANCHES - 1])
    others = np.sort(order[MOST_BRANCHES - 1 :])
    return (first + kept).tolist(), tuple((first + others).tolist())
