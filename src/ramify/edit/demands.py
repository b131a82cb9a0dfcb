"""Conditions for the core: what shall be asked at a node and below, and the words for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ramify import _core
from ramify.tables import Schema
from ramify.tree.conditions import CodedCondition, Condition
from ramify.trees.greedy.skeleton import read_skeleton, skeleton_for_core

#: The end of a branch.
LEAF: _core.SkeletonNode = (0, -1, 0.0, -1, [], [], False, None)


def nodes_of(name: str, given: Any, schema: Schema) -> list[_core.SkeletonNode]:
    """Give the nodes of a skeleton, a tree or an estimator; `name` is that of the parameter."""
    skeleton = read_skeleton(name, given)
    assert skeleton is not None
    nodes, _ = skeleton_for_core(skeleton, schema, [])
    if nodes[0][0] == 0:
        raise ValueError(f"{name}={given!r:.80} has no condition; collapse() makes a leaf")
    return nodes


def put_above(
    root: _core.SkeletonNode, nodes: Sequence[_core.SkeletonNode], tags: Sequence[int]
) -> tuple[list[_core.SkeletonNode], list[int]]:
    """Put another condition in the place of the root of some nodes; branches keep their places."""
    kept: list[_core.SkeletonNode] = []
    kept_tags: list[int] = []
    queue = [-1, *nodes[0][5][: len(root[5])]]
    queue += [0] * (1 + len(root[5]) - len(queue))  # new branches are leaves
    count = len(queue)
    for at, place in enumerate(queue):
        if at == 0:
            kept.append((*root[:5], list(range(1, count)), *root[6:]))
            kept_tags.append(-1)
            continue
        node = nodes[place] if place else LEAF
        children = list(range(len(queue), len(queue) + len(node[5])))
        queue += node[5]
        kept.append((*node[:5], children, *node[6:]))
        kept_tags.append(tags[place] if place else -1)
    return kept, kept_tags


def in_words(node: _core.SkeletonNode, schema: Schema) -> Condition:
    """Give the condition of a node with the names of its column and levels."""
    kind, column, threshold, missing_to, branch_of, children, _, _ = node
    coded = CodedCondition(
        kind,
        column,
        threshold,
        None if missing_to < 0 else missing_to,
        len(children),
        np.arange(len(branch_of), dtype=np.int32),
        np.array(branch_of, np.int32),
    )
    return coded.in_words(schema.columns[column])
