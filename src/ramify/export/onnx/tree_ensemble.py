"""The leaf of a row by a TreeEnsemble of ai.onnx.ml 5, with set membership.

The answer is the place of the leaf in `RoutedTree.leaves`, or one past the last if the row spreads.
A split of more than two branches becomes a chain of nodes. Values that the split does not list go
last.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ramify.export.onnx.graph import Graph
from ramify.export.routing import RoutedTree, Split
from ramify.tables.levels import MISSING

_AT_MOST, _EQUAL, _MEMBER = 0, 4, 6
_SPREAD = -1  # in place of a node


@dataclass
class _Arrays:
    """The nodes of the ensemble under construction; the children of a node are filled in later."""

    routed: RoutedTree
    place: dict[int, int]
    feature: list[int] = field(default_factory=list)
    mode: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing_true: list[int] = field(default_factory=list)
    to: list[list[int]] = field(default_factory=list)  # the next nodes if true and if false
    is_leaf: list[list[int]] = field(default_factory=list)
    members: list[float] = field(default_factory=list)
    leaves: list[float] = field(default_factory=list)

    def add(self, column: int, mode: int, threshold: float, missing_true: bool = False) -> int:
        self.feature.append(self.place[column])
        self.mode.append(mode)
        self.threshold.append(threshold)
        self.missing_true.append(int(missing_true))
        self.to.append([-1, -1])
        self.is_leaf.append([0, 0])
        return len(self.mode) - 1

    def leaf(self, value: float) -> int:
        self.leaves.append(value)
        return len(self.leaves) - 1


def leaf_place(graph: Graph, routed: RoutedTree, table: str, place: dict[int, int]) -> str:
    """The operation; `place` says which column of the table holds a column of the tree."""
    arrays = _Arrays(routed, place)
    where = {leaf: i for i, leaf in enumerate(routed.leaves)}
    # A node of the tree, the node and the answer that lead there, and the numbers known there.
    stack: list[tuple[int, tuple[int, int] | None, frozenset[int]]] = [(0, None, frozenset())]
    while stack:
        node, origin, known = stack.pop()
        if node in routed.splits:
            split = routed.splits[node]
            entry, below = _expand(arrays, split, known)
            missing = None if split.missing_to is None else split.children[split.missing_to]
            told = known | {split.column} if split.threshold is not None else known
            stack += [
                (child, way, known if child == missing else told) for child, way in reversed(below)
            ]
        else:
            value = len(routed.leaves) if node == _SPREAD else where[node]
            entry = arrays.leaf(float(value))
        if origin is not None:
            arrays.to[origin[0]][origin[1]] = entry
            arrays.is_leaf[origin[0]][origin[1]] = int(node not in routed.splits)
    return graph.op(
        "TreeEnsemble",
        table,
        n_targets=1,
        aggregate_function=1,
        post_transform=0,
        tree_roots=[0],
        nodes_featureids=arrays.feature,
        nodes_modes=graph.tensor(arrays.mode, np.uint8),
        nodes_splits=graph.tensor(arrays.threshold),
        nodes_truenodeids=[to[0] for to in arrays.to],
        nodes_falsenodeids=[to[1] for to in arrays.to],
        nodes_trueleafs=[leaf[0] for leaf in arrays.is_leaf],
        nodes_falseleafs=[leaf[1] for leaf in arrays.is_leaf],
        nodes_missing_value_tracks_true=arrays.missing_true,
        leaf_targetids=[0] * len(arrays.leaves),
        leaf_weights=graph.tensor(arrays.leaves),
        **({"membership_values": graph.tensor(arrays.members)} if arrays.members else {}),
    )


_Below = list[tuple[int, tuple[int, int]]]


def _expand(arrays: _Arrays, split: Split, known: frozenset[int]) -> tuple[int, _Below]:
    """Add the nodes of a split; give the first of them, and the exits to nodes of the tree."""
    if split.threshold is not None:
        return _expand_number(arrays, split, split.threshold, split.column in known)
    tests: list[tuple[int, list[int]]] = []  # a node of the tree, and the codes that lead there
    for branch, codes in enumerate(split.levels):
        own = [*codes, *([MISSING] if split.missing_to == branch else [])]
        if branch != split.unknown_to and own:
            tests.append((split.children[branch], own))
    if split.missing_to is None and split.unknown_to is not None:
        tests.append((_SPREAD, [MISSING]))
    last = _SPREAD if split.unknown_to is None else split.children[split.unknown_to]
    if not tests:  # all rows go to the last branch
        tests = [(last, [MISSING])]
    below: _Below = []
    nodes = [_member(arrays, split.column, codes) for _, codes in tests]
    for i, (child, _) in enumerate(tests):
        below.append((child, (nodes[i], 0)))
        if i + 1 < len(nodes):
            arrays.to[nodes[i]][1] = nodes[i + 1]
    below.append((last, (nodes[-1], 1)))
    return nodes[0], below


def _member(arrays: _Arrays, column: int, codes: list[int]) -> int:
    if len(codes) == 1:
        return arrays.add(column, _EQUAL, float(codes[0]))
    arrays.members += [*map(float, codes), np.nan]
    return arrays.add(column, _MEMBER, 0.0)


def _expand_number(
    arrays: _Arrays, split: Split, threshold: float, known: bool
) -> tuple[int, _Below]:
    first = -1
    below: _Below = []
    if split.missing_to is None and not known:
        first = arrays.add(split.column, _AT_MOST, np.inf)  # NaN is not at most infinite
        below.append((_SPREAD, (first, 1)))
    node = arrays.add(split.column, _AT_MOST, threshold, split.missing_to == 0)
    if first >= 0:
        arrays.to[first][0] = node
    below += [(split.children[0], (node, 0)), (split.children[1], (node, 1))]
    return (first if first >= 0 else node), below
