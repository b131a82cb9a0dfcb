"""How one row comes down a tree, written from the definition: recursive, one node at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

MISSING, UNSEEN = -1, -2


@dataclass
class Way:
    """Where a row comes to: its leaves with their shares, in depth-first order, and all nodes."""

    leaves: list[tuple[int, float]] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)


def walk(tree: Any, cells: list[Any]) -> Way:
    """Lead a row down; a cell is a number (NaN: missing), or a code, `MISSING` or `UNSEEN`."""
    way = Way()
    _walk(tree, cells, 0, 1.0, way)
    return way


def _walk(tree: Any, cells: list[Any], node: int, share: float, way: Way) -> None:
    data = tree.data
    way.nodes.append(node)
    first, count = int(data["first_child"][node]), int(data["n_children"][node])
    if not count:
        way.leaves.append((node, share))
        return
    branch = _branch(tree, node, cells[data["attribute"][node]])
    if branch is not None:
        _walk(tree, cells, first + branch, share, way)
        return
    for child in range(first, first + count):
        part = share * float(data["proportion"][child])
        if part > 0:
            _walk(tree, cells, child, part, way)


def _branch(tree: Any, node: int, cell: Any) -> int | None:
    data = tree.data
    first, count = int(data["first_child"][node]), int(data["n_children"][node])
    missing_to = int(data["missing_to"][node])
    unknown = None if missing_to < 0 else missing_to
    if tree.schema.columns[data["attribute"][node]].kind == "numeric":
        return unknown if np.isnan(cell) else int(not cell <= data["threshold"][node])
    if cell == MISSING:
        return unknown
    if cell != UNSEEN:
        if data["kind"][node] == 1:
            return int(not cell <= data["threshold"][node])
        start, end = data["level_start"][node : node + 2]
        at = np.flatnonzero(data["level_code"][start:end] == cell)
        if len(at):
            return int(data["level_branch"][start + at[0]])
    if tree.unseen == "majority":
        return int(np.argmax(data["proportion"][first : first + count]))
    return unknown


def mixture(way: Way, worth: Any) -> Any:
    """What the leaves of a row are worth, each in proportion to its share, added up in order."""
    total = np.zeros(np.shape(worth[way.leaves[0][0]]))
    for leaf, share in way.leaves:
        total = total + share * worth[leaf]
    return total


def heaviest(way: Way) -> int:
    """The leaf with the largest share; of equals the lowest number."""
    return min(way.leaves, key=lambda leaf: (-leaf[1], leaf[0]))[0]
