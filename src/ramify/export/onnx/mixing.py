"""The answers of ONNX for rows that missing values spread over several leaves, by matrices.

The branch of each row at each inner node is looked up. Each branch gets a factor (1, 0 or its
proportion), and the factors are multiplied along the path of each leaf. Leaves are summed one by
one in the order of the core, so that the sums have the same bits and equal classes stay equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.export.onnx.graph import Graph
from ramify.export.refusals import ExportError
from ramify.export.routing import RoutedTree, Split

_SPREADS = -1.0
MOST_STEPS = 20_000_000  # entries of the paths of all leaves, of eight bytes each


def mix(graph: Graph, routed: RoutedTree, rows: str, place: dict[int, int]) -> tuple[str, str, str]:
    """Class shares or numbers, places of classes, and leaves of the rows of a table."""
    shares = _leaf_shares(graph, routed, rows, place)
    values = _sum(graph, routed, shares)
    label = _decide(graph, routed, values) if routed.classify else ""
    order = np.argsort(routed.leaves)
    heaviest = graph.op("ArgMax", graph.pick(shares, order), axis=1, keepdims=0)
    numbers = graph.constant(np.sort(routed.leaves), np.int64)
    return values, label, graph.op("Gather", numbers, heaviest, axis=0)


def _leaf_shares(graph: Graph, routed: RoutedTree, rows: str, place: dict[int, int]) -> str:
    """Multiply the factors on the path of every leaf, from the root down."""
    factors = _factors(graph, routed, rows, place)
    paths = _paths(routed)  # short ones are filled up with the root, whose factor is 1
    body = Graph(graph.prefix + "p")
    share, level = f"{body.prefix}_share", f"{body.prefix}_level"
    result = body.op("Mul", share, body.op("Gather", factors, level, axis=1))
    types = graph.onnx.TensorProto
    inner = body.part(
        "multiply",
        [
            (share, types.DOUBLE, [None, len(routed.leaves)]),
            (level, types.INT64, [len(routed.leaves)]),
        ],
        [(result, types.DOUBLE, [None, len(routed.leaves)])],
    )
    ones = graph.pick(factors, [0] * len(routed.leaves))
    levels = graph.constant(paths.T, np.int64)
    return graph.op("Scan", ones, levels, body=inner, num_scan_inputs=1)


def _paths(routed: RoutedTree) -> Any:
    parent, depth = routed.tree.data["parent"], int(routed.tree.data["depth"].max())
    if len(routed.leaves) * depth > MOST_STEPS:
        raise ExportError(
            f"the tree has {len(routed.leaves)} leaves at a depth of up to {depth}, too many for a "
            "model of ONNX that mixes the leaves of rows with missing values; prune the tree"
        )
    nodes = np.array(routed.leaves)
    columns = []
    while nodes.any():
        columns.append(nodes)
        nodes = np.maximum(parent[nodes], 0)
    return np.array(columns[::-1]).T


def _factors(graph: Graph, routed: RoutedTree, rows: str, place: dict[int, int]) -> str:
    """Per node, the part of a row at its parent that comes to it; 1 at the root."""
    branch, at = _branches(graph, routed, rows, place)
    parent, proportion = routed.tree.data["parent"], routed.tree.data["proportion"].copy()
    own, otherwise = np.full(len(parent), -2.0), np.zeros(len(parent))
    proportion[0] = otherwise[0] = 1.0
    for split in routed.splits.values():
        own[list(split.children)] = np.arange(len(split.children))
    taken = graph.pick(branch, [at[max(0, node)] for node in parent.tolist()])
    spreads = graph.op("Equal", taken, graph.constant(_SPREADS))
    part = graph.op("Where", spreads, graph.constant(proportion), graph.constant(otherwise))
    chosen = graph.op("Equal", taken, graph.constant(own))
    return graph.op("Where", chosen, graph.constant(1.0), part)


def _branches(
    graph: Graph, routed: RoutedTree, rows: str, place: dict[int, int]
) -> tuple[str, dict[int, int]]:
    """The branch of each row at each inner node, and the place of each node in the result."""
    numbers = [split for split in routed.splits.values() if split.threshold is not None]
    levels = [split for split in routed.splits.values() if split.threshold is None]
    parts = []
    if numbers:
        cells = graph.pick(rows, [place[split.column] for split in numbers])
        limit = graph.constant([split.threshold for split in numbers])
        side = graph.op(
            "Where",
            graph.op("LessOrEqual", cells, limit),
            graph.constant(0.0),
            graph.constant(1.0),
        )
        missing = graph.constant([_branch_number(split.missing_to) for split in numbers])
        parts.append(graph.op("Where", graph.op("IsNaN", cells), missing, side))
    if levels:
        cells = graph.cast(graph.pick(rows, [place[split.column] for split in levels]), "INT64")
        tables = [_table(routed, split) for split in levels]
        start = np.cumsum([0, *map(len, tables[:-1])]) + 2  # codes begin at -2
        index = graph.op("Add", cells, graph.constant(start, np.int64))
        parts.append(graph.op("Gather", graph.constant(np.concatenate(tables)), index, axis=0))
    found = parts[0] if len(parts) == 1 else graph.op("Concat", *parts, axis=1)
    return found, {split.node: i for i, split in enumerate([*numbers, *levels])}


def _table(routed: RoutedTree, split: Split) -> Any:
    """Branches by code; first those of an unseen and of a missing value."""
    table = np.full(len(routed.schema(split.column).levels) + 2, _branch_number(split.unknown_to))
    table[1] = _branch_number(split.missing_to)
    for branch, codes in enumerate(split.levels):
        table[np.array(codes, dtype=np.int64) + 2] = branch
    return table


def _branch_number(branch: int | None) -> float:
    return _SPREADS if branch is None else float(branch)


def _sum(graph: Graph, routed: RoutedTree, shares: str) -> str:
    """Add up leaf by leaf; a matrix product would add in another order."""
    values = np.array([routed.values[leaf] for leaf in routed.leaves])
    double = graph.onnx.TensorProto.DOUBLE
    width = values.shape[1]
    body = Graph(graph.prefix + "s")
    total, share, value = (f"{body.prefix}_{word}" for word in ("total", "share", "value"))
    axes0, axes1 = body.constant([0], np.int64), body.constant([1], np.int64)
    part = body.op("Mul", body.op("Unsqueeze", share, axes1), body.op("Unsqueeze", value, axes0))
    result = body.op("Add", total, part)
    inner = body.part(
        "add_leaf",
        [(total, double, [None, width]), (share, double, [None]), (value, double, [width])],
        [(result, double, [None, width])],
    )
    zeros = graph.op("Mul", graph.pick(shares, [0] * width), graph.constant(0.0))
    turned = graph.op("Transpose", shares, perm=[1, 0])
    return graph.op("Scan", zeros, turned, graph.constant(values), body=inner, num_scan_inputs=2)


def _decide(graph: Graph, routed: RoutedTree, shares: str) -> str:
    score = shares
    if routed.costs is not None:
        score = graph.op("Mul", shares, graph.constant(0.0))
        for t, row in enumerate(routed.costs):
            cost = graph.op("Mul", graph.pick(shares, [t]), graph.constant([row]))
            score = graph.op("Sub", score, cost)
    return graph.op("ArgMax", score, axis=1, keepdims=0)
