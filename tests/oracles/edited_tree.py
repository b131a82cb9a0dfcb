"""What the nodes of a tree hold, by its conditions and the rows alone: plain Python, row by row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ramify.tree import Threshold, Tree

LIGHT = 1.0 / 1024.0


def branch_of(condition: Any, cell: Any, levels: tuple[Any, ...]) -> int | None:
    """The branch of a cell; None if it is missing."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(condition, Threshold):
        value = levels.index(cell) if levels else cell
        return 0 if value <= condition.value else 1
    for branch, members in enumerate(condition.branches):
        if cell in members:
            return branch
    raise AssertionError(f"the node has the level {cell!r}, and its condition does not")


def node_rows(
    tree: Tree, columns: dict[str, list[Any]], weights: list[float]
) -> list[dict[int, float]]:
    """Per node, the rows that it has with the part of each."""
    parts: list[dict[int, float]] = [{} for _ in range(tree.n_nodes)]
    parts[0] = {row: 1.0 for row, weight in enumerate(weights) if weight > 0}
    for node in tree.nodes:
        if node.condition is None:
            continue
        cells = columns[node.condition.attribute]
        levels = tree.schema[node.condition.attribute].levels
        ordered = levels if tree.schema[node.condition.attribute].kind == "ordinal" else ()
        taken = {row: branch_of(node.condition, cells[row], ordered) for row in parts[node.id]}
        known = [0.0] * len(node.children)
        for row, branch in taken.items():
            if branch is not None:
                known[branch] += weights[row] * parts[node.id][row]
        shares = [one / sum(known) for one in known]
        heaviest = known.index(max(known))
        for row, part in parts[node.id].items():
            branch = taken[row]
            if branch is None:
                branch = node.condition.missing_to
            if branch is None and part < LIGHT:
                branch = heaviest
            if branch is not None:
                parts[node.children[branch]][row] = part
                continue
            for child, share in zip(node.children, shares, strict=True):
                if share > 0:
                    parts[child][row] = part * share
    return parts


def check_against_rows(
    tree: Tree, columns: dict[str, list[Any]], y: list[Any], weights: list[float]
) -> None:
    """Compare all that a tree says of its nodes with the rows."""
    for node, rows in zip(tree.nodes, node_rows(tree, columns, weights), strict=True):
        assert node.rows == len(rows), f"node {node.id} has {len(rows)} rows, not {node.rows}"
        weight = sum(weights[row] * part for row, part in rows.items())
        np.testing.assert_allclose(node.weight, weight, rtol=1e-9)
        if tree.classes is not None:
            sums = [
                sum(weights[row] * part for row, part in rows.items() if y[row] == label)
                for label in tree.classes.tolist()
            ]
        else:
            sums = [
                sum(weights[row] * part * y[row] ** power for row, part in rows.items())
                for power in range(3)
            ]
        np.testing.assert_allclose(node.value, sums, rtol=1e-7, atol=1e-9)
