"""What ONNX answers for rows that missing values spread: shares of all leaves, by matrices.

The branch of each row at each inner node is looked up, each branch gets its factor (1, 0 or its
proportion), and factors are multiplied along the path of each leaf. Leaves are summed one by one in
the order of the core, so that the sums have the same bits and equal classes stay equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.export._onnx_graph import Graph
from ramify.export._plan import ExportError, Plan, Step

_SPREADS = -1.0
MOST_STEPS = 20_000_000  # entries of the paths of all leaves, of eight bytes


def mix(graph: Graph, plan: Plan, rows: str, place: dict[int, int]) -> tuple[str, str, str]:
    """Class shares or numbers, places of classes, and leaves of the rows of a table."""
    shares = _leaf_shares(graph, plan, rows, place)
    values = _sum(graph, plan, shares)
    label = _decide(graph, plan, values) if plan.classify else ""
    order = np.argsort(plan.leaves)
    heaviest = graph.op("ArgMax", graph.pick(shares, order), axis=1, keepdims=0)
    numbers = graph.constant(np.sort(plan.leaves), np.int64)
    return values, label, graph.op("Gather", numbers, heaviest, axis=0)


def _leaf_shares(graph: Graph, plan: Plan, rows: str, place: dict[int, int]) -> str:
    """Multiply the factors on the path of every leaf, from the root down."""
    factors = _factors(graph, plan, rows, place)
    paths = _paths(plan)  # the root, whose factor is 1, fills up short ones
    body = Graph(graph.prefix + "p")
    share, level = f"{body.prefix}_share", f"{body.prefix}_level"
    result = body.op("Mul", share, body.op("Gather", factors, level, axis=1))
    types = graph.onnx.TensorProto
    inner = body.part(
        "multiply",
        [(share, types.DOUBLE, [None, len(plan.leaves)]), (level, types.INT64, [len(plan.leaves)])],
        [(result, types.DOUBLE, [None, len(plan.leaves)])],
    )
    ones = graph.pick(factors, [0] * len(plan.leaves))
    levels = graph.constant(paths.T, np.int64)
    return graph.op("Scan", ones, levels, body=inner, num_scan_inputs=1)


def _paths(plan: Plan) -> Any:
    parent, depth = plan.tree.data["parent"], int(plan.tree.data["depth"].max())
    if len(plan.leaves) * depth > MOST_STEPS:
        raise ExportError(
            f"the tree has {len(plan.leaves)} leaves at a depth of up to {depth}, too many for a "
            "model of ONNX that mixes the leaves of rows with missing values; prune the tree"
        )
    nodes = np.array(plan.leaves)
    columns = []
    while nodes.any():
        columns.append(nodes)
        nodes = np.maximum(parent[nodes], 0)
    return np.array(columns[::-1]).T


def _factors(graph: Graph, plan: Plan, rows: str, place: dict[int, int]) -> str:
    """Per node, which part of a row at its parent comes to it; 1 at the root."""
    branch, at = _branches(graph, plan, rows, place)
    parent, proportion = plan.tree.data["parent"], plan.tree.data["proportion"].copy()
    own, otherwise = np.full(len(parent), -2.0), np.zeros(len(parent))
    proportion[0] = otherwise[0] = 1.0
    for step in plan.steps.values():
        own[list(step.children)] = np.arange(len(step.children))
    taken = graph.pick(branch, [at[max(0, node)] for node in parent.tolist()])
    spreads = graph.op("Equal", taken, graph.constant(_SPREADS))
    part = graph.op("Where", spreads, graph.constant(proportion), graph.constant(otherwise))
    chosen = graph.op("Equal", taken, graph.constant(own))
    return graph.op("Where", chosen, graph.constant(1.0), part)


def _branches(
    graph: Graph, plan: Plan, rows: str, place: dict[int, int]
) -> tuple[str, dict[int, int]]:
    """The branch of each row at each inner node, and at which place of the result a node is."""
    numbers = [step for step in plan.steps.values() if step.threshold is not None]
    levels = [step for step in plan.steps.values() if step.threshold is None]
    parts = []
    if numbers:
        cells = graph.pick(rows, [place[step.column] for step in numbers])
        limit = graph.constant([step.threshold for step in numbers])
        side = graph.op(
            "Where",
            graph.op("LessOrEqual", cells, limit),
            graph.constant(0.0),
            graph.constant(1.0),
        )
        missing = graph.constant([_number(step.missing_to) for step in numbers])
        parts.append(graph.op("Where", graph.op("IsNaN", cells), missing, side))
    if levels:
        cells = graph.cast(graph.pick(rows, [place[step.column] for step in levels]), "INT64")
        tables = [_table(plan, step) for step in levels]
        start = np.cumsum([0, *map(len, tables[:-1])]) + 2  # codes begin at -2
        index = graph.op("Add", cells, graph.constant(start, np.int64))
        parts.append(graph.op("Gather", graph.constant(np.concatenate(tables)), index, axis=0))
    found = parts[0] if len(parts) == 1 else graph.op("Concat", *parts, axis=1)
    return found, {step.node: i for i, step in enumerate([*numbers, *levels])}


def _table(plan: Plan, step: Step) -> Any:
    """Branches by code, those of an unseen and of a missing value first."""
    table = np.full(len(plan.schema(step.column).levels) + 2, _number(step.unknown_to))
    table[1] = _number(step.missing_to)
    for branch, codes in enumerate(step.levels):
        table[np.array(codes, dtype=np.int64) + 2] = branch
    return table


def _number(branch: int | None) -> float:
    return _SPREADS if branch is None else float(branch)


def _sum(graph: Graph, plan: Plan, shares: str) -> str:
    """Add up leaf by leaf; a matrix product would add in an order of its own."""
    values = np.array([plan.values[leaf] for leaf in plan.leaves])
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


def _decide(graph: Graph, plan: Plan, shares: str) -> str:
    score = shares
    if plan.costs is not None:
        score = graph.op("Mul", shares, graph.constant(0.0))
        for t, row in enumerate(plan.costs):
            cost = graph.op("Mul", graph.pick(shares, [t]), graph.constant([row]))
            score = graph.op("Sub", score, cost)
    return graph.op("ArgMax", score, axis=1, keepdims=0)
