"""A tree as text: one line per node, drawn with box characters.

There is no recursion: a tree may be 100,000 nodes deep.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ramify.tree.data import TreeData
from ramify.tree.words import (
    check_display,
    class_note,
    count_rows,
    format_label,
    format_name,
    label_share,
    short_number,
    threshold_digits,
)

#: Deeper nodes are indented no further: a chain of n nodes would need n * n characters.
DEEPEST_INDENT = 40


def leaves_below(tree: TreeData) -> list[int]:
    """Per node, the leaves of its subtree."""
    leaves: list[int] = (tree.data["n_children"] == 0).astype(np.int64).tolist()
    parent = tree.data["parent"].tolist()
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
        leaves[parent[node]] += leaves[node]
    return leaves


def tree_to_text(
    tree: TreeData,
    *,
    max_depth: int | None = None,
    max_levels: int | None = 5,
    precision: int = 4,
    show_weights: bool = True,
) -> str:
    """Draw a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_depth : int, optional
        Nodes below this depth are left out and counted.
    max_levels : int or None, default=5
        Longest set of levels that is written out; None writes all.
    precision : int, default=4
        Significant digits of a number, more where two thresholds would look alike.
    show_weights : bool, default=True
        Give the weight of a node beside its rows where the two differ.

    Returns
    -------
    str
        Lines without a newline at the end.
    """
    check_display(max_levels, precision, max_depth=max_depth)
    edges = edge_texts(tree, max_levels=max_levels, precision=precision, max_depth=max_depth)
    summary = _Summaries(tree, precision, show_weights)
    first, count = tree.data["first_child"].tolist(), tree.data["n_children"].tolist()
    depth = tree.data["depth"].tolist()
    below = leaves_below(tree) if max_depth is not None else []
    edges[0] = format_name(tree.target) or "target"

    lines = []
    # node, what its children's lines begin with, whether it is the last of its parent
    stack: list[tuple[int, str, bool]] = [(0, "", True)]
    while stack:
        node, rails, last = stack.pop()
        cut = depth[node] == max_depth and count[node] > 0
        is_leaf = count[node] == 0
        line = f"{edges[node]}: {summary.leaf(node) if is_leaf else summary.inner(node)}"
        if cut:
            line += f" … {below[node]:,} leaves below"
        if node:
            line = _indent(rails, depth[node]) + ("└─ " if last else "├─ ") + line
            rails += "   " if last else "│  "
        lines.append(line)
        if is_leaf or cut:
            continue
        rails = rails[-3 * DEEPEST_INDENT :]
        end = first[node] + count[node]
        stack += [(child, rails, child == end - 1) for child in range(end - 1, first[node] - 1, -1)]
    return "\n".join(lines)


def edge_texts(
    tree: TreeData, *, max_levels: int | None, precision: int, max_depth: int | None = None
) -> list[str]:
    """For every node, the condition of the branch that leads to it; "" for the root."""
    data = tree.data
    inner = data["n_children"] > 0
    if max_depth is not None:
        inner &= data["depth"] < max_depth
    digits = threshold_digits(data["attribute"], data["threshold"], precision)
    texts = [""] * tree.n_nodes
    for node in np.flatnonzero(inner).tolist():
        condition = tree.condition(node)
        child = int(data["first_child"][node])
        for branch in range(int(data["n_children"][node])):
            texts[child + branch] = condition.describe(branch, max_levels, int(digits[node]))
    return texts


def _indent(rails: str, depth: int) -> str:
    return rails if depth <= DEEPEST_INDENT + 1 else f"⋯+{depth - DEEPEST_INDENT - 1}⋯ {rails}"


class _Summaries:
    """What is said of each node after its condition."""

    def __init__(self, tree: TreeData, precision: int, show_weights: bool) -> None:
        self._precision = precision
        self._predictions = tree.predictions
        self._rows = tree.data["rows"].tolist()
        self._weights: Sequence[float] = tree.data["weight"].tolist() if show_weights else ()
        self._means: Sequence[float] = ()
        self._shares: Sequence[float] = ()
        if tree.task == "classification":
            self._shares = tree.confidence.tolist()
        else:
            self._means = tree.mean.tolist()
            self._spreads = ["± " + self._number(spread) for spread in tree.spread.tolist()]

    def _number(self, value: float) -> str:
        return short_number(value, self._precision)

    def leaf(self, node: int) -> str:
        value = self._predictions[node]
        if self._means:
            return f"{self._number(value)} ({self._size(node)}, {self._spreads[node]})"
        note = class_note(value, self._shares[node])
        return f"{format_label(value)} ({self._size(node)}, {note})"

    def inner(self, node: int) -> str:
        if self._means:
            mean = self._number(self._means[node])
            return f"{self._size(node)}, mean {mean} {self._spreads[node]}"
        return f"{self._size(node)}, {label_share(self._predictions[node], self._shares[node])}"

    def _size(self, node: int) -> str:
        rows = count_rows(self._rows[node])
        if self._weights and not math.isclose(self._weights[node], self._rows[node]):
            rows += f", weight {self._number(self._weights[node])}"
        return rows
