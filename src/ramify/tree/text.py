"""A tree as text: one line per node, drawn with box characters.

There is no recursion: a tree may be 100,000 nodes deep.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np

from ramify.tree.conditions import Condition
from ramify.tree.data import TreeData
from ramify.tree.row_counts import RowCounts
from ramify.tree.words import (
    LONGEST_LEVEL,
    check_display,
    check_width,
    class_note,
    format_label,
    format_name,
    grouped_number,
    label_share,
    shorten,
    threshold_digits,
)

#: Deeper nodes are indented no further: a chain of n nodes would need n * n characters.
DEEPEST_INDENT = 40
#: Of a line with a given width, so much is left for the text after the indent ...
_LEAST_TEXT = 56
#: ... and so much of that for the condition.
_LEAST_CONDITION = 16


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
    different_rows: bool = False,
    width: int | None = None,
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
        Give the weight of a node beside its rows where rows have weights.
    different_rows : bool, default=False
        Rows with a missing value may be divided among branches. False counts the sum of the parts,
        which adds up: 79.6 rows. True counts the different rows, with their weight beside.
    width : int, optional
        The longest line, at least 40 characters. Longer conditions show fewer levels, then shorter
        names. None shortens nothing.

    Returns
    -------
    str
        Lines without a newline at the end.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"town": ["Amsterdam", "Copenhagen", "Helsinki", "Reykjavik", "Ljubljana", "Oslo"]}
    >>> tree = TreeClassifier().fit(X, ["no", "no", "no", "no", "no", "yes"]).tree_
    >>> print(tree_to_text(tree, width=48))
    y: 6 rows, no 83 %
    ├─ town in {Amsterdam, +4}: no (5 rows, 100 %)
    └─ town = Oslo: yes (1 row, 100 %)
    """
    check_display(max_levels, precision, max_depth=max_depth)
    check_width(width)
    words = EdgeWords(tree, max_levels=max_levels, precision=precision)
    deepest = DEEPEST_INDENT
    if width is not None:
        deepest = min(deepest, max(1, (width - _LEAST_TEXT) // 3))
    counts = RowCounts(tree, different=different_rows)
    summary = _Summaries(tree, counts, precision, show_weights)
    first, count = tree.data["first_child"].tolist(), tree.data["n_children"].tolist()
    depth = tree.data["depth"].tolist()
    below = leaves_below(tree) if max_depth is not None else []

    lines = []
    # node, what its children's lines begin with, whether it is the last of its parent
    stack: list[tuple[int, str, bool]] = [(0, "", True)]
    while stack:
        node, rails, last = stack.pop()
        cut = depth[node] == max_depth and count[node] > 0
        is_leaf = count[node] == 0
        after = f": {summary.leaf(node) if is_leaf else summary.inner(node)}"
        if by_hand := tree.hand_words(node):
            after += f" ({by_hand})"
        if cut:
            after += f" … {below[node]:,} leaves below"
        before = ""
        if node:
            before = _indent(rails, depth[node], deepest) + ("└─ " if last else "├─ ")
            rails += "   " if last else "│  "
        room = None if width is None else width - len(before) - len(after)
        lines.append(shorten(f"{before}{words.fitting(node, room)}{after}", width))
        if is_leaf or cut:
            continue
        rails = rails[-3 * deepest :]
        end = first[node] + count[node]
        stack += [(child, rails, child == end - 1) for child in range(end - 1, first[node] - 1, -1)]
    if counts.note and tree.n_nodes > 1:
        lines += textwrap.wrap(counts.note, width or len(counts.note))
    return "\n".join(lines)


class EdgeWords:
    """The condition of the branch that leads to a node, as long as there is room for."""

    def __init__(self, tree: TreeData, *, max_levels: int | None, precision: int) -> None:
        data = tree.data
        self._tree, self._max_levels = tree, max_levels
        self._digits = threshold_digits(data["attribute"], data["threshold"], precision)
        self._first, self._parent = data["first_child"], data["parent"]
        self._conditions: dict[int, Condition] = {}

    def text(self, node: int, max_levels: int | None, longest: int | None = LONGEST_LEVEL) -> str:
        """Give the condition; the root has the name of the target."""
        if node == 0:
            return format_name(self._tree.target) or "target"
        parent = int(self._parent[node])
        if parent not in self._conditions:
            self._conditions[parent] = self._tree.condition(parent)
        branch = node - int(self._first[parent])
        digits = int(self._digits[parent])
        return self._conditions[parent].describe(branch, max_levels, digits, longest=longest)

    def fitting(self, node: int, room: int | None) -> str:
        """Give the condition in so many characters: fewer levels, then shorter ones."""
        text = self.text(node, self._max_levels)
        if room is None or len(text) <= room:
            return text
        most = 5 if self._max_levels is None else self._max_levels
        for longest in (LONGEST_LEVEL, 16, 10):
            for levels in range(most, 0, -1):
                text = self.text(node, levels, longest)
                if len(text) <= room:
                    return text
        return shorten(text, max(room, _LEAST_CONDITION))


def edge_texts(tree: TreeData, *, max_levels: int | None, precision: int) -> list[str]:
    """For every node, the condition of the branch that leads to it; "" for the root."""
    words = EdgeWords(tree, max_levels=max_levels, precision=precision)
    return ["", *(words.text(node, max_levels) for node in range(1, tree.n_nodes))]


def _indent(rails: str, depth: int, deepest: int) -> str:
    return rails if depth <= deepest + 1 else f"⋯+{depth - deepest - 1}⋯ {rails}"


class _Summaries:
    """What is said of each node after its condition."""

    def __init__(
        self, tree: TreeData, counts: RowCounts, precision: int, show_weights: bool
    ) -> None:
        self._precision = precision
        self._predictions = tree.predictions
        self._counts = counts
        self._show_weights = show_weights
        self._means: Sequence[float] = ()
        self._shares: Sequence[float] = ()
        if tree.task == "classification":
            self._shares = tree.confidence.tolist()
        else:
            self._means = tree.mean.tolist()
            self._spreads = ["± " + self._number(spread) for spread in tree.spread.tolist()]

    def _number(self, value: float) -> str:
        return grouped_number(value, self._precision)

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
        weight = self._counts.weight(node, self._precision) if self._show_weights else ""
        return self._counts.rows(node) + (f", {weight}" if weight else "")
