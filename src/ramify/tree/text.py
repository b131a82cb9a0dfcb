"""A tree as text: one line per node, drawn with box characters.

Works level by level with lists, never by recursion: a tree may be 100,000 nodes deep.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.tree.conditions import format_level, format_name, format_number, threshold_digits

if TYPE_CHECKING:
    from ramify.tree.tree import Tree

#: Deeper nodes are indented no further (a chain of n nodes would need n * n characters).
DEEPEST_INDENT = 40


def leaves_below(tree: Tree) -> list[int]:
    """Per node, the leaves of its subtree."""
    leaves: list[int] = (tree.data["n_children"] == 0).astype(np.int64).tolist()
    parent = tree.data["parent"].tolist()
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
        leaves[parent[node]] += leaves[node]
    return leaves


def tree_to_text(
    tree: Tree,
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
    check_display(max_levels, precision)
    if max_depth is not None and (not _is_int(max_depth) or max_depth < 0):
        raise ValueError(f"max_depth={max_depth!r} must be None or an integer of at least 0")
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
    tree: Tree, *, max_levels: int | None, precision: int, max_depth: int | None = None
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


def percent(share: float) -> str:
    """A share in per cent, never rounded to all or nothing.

    Examples
    --------
    >>> [percent(x) for x in (0.643, 0.999, 1.0, 0.001)]
    ['64 %', '>99 %', '100 %', '<1 %']
    """
    if math.isnan(share):
        return "? %"
    if 0.995 <= share < 1:
        return ">99 %"
    if 0 < share < 0.005:
        return "<1 %"
    return f"{share:.0%}".replace("%", " %")


def count_rows(rows: int) -> str:
    """A number of rows in words."""
    return "1 row" if rows == 1 else f"{rows:,} rows"


def short_number(value: float, precision: int) -> str:
    """A mean, a spread or a weight, rounded."""
    return format_number(value, precision, exact_digits=0)


def grouped_number(value: float, precision: int) -> str:
    """A rounded number in a drawing: large ones have thousands separators, as in a report.

    Examples
    --------
    >>> [grouped_number(x, 4) for x in (180796.06, -20046.6, 1234.56, 0.5)]
    ['180,796', '-20,047', '1234.6', '0.5']
    >>> grouped_number(180796.0625, 8)
    '180,796.06'
    """
    if not 1e4 <= abs(value) < 1e15:
        return short_number(value, precision)
    decimals = max(0, precision - len(str(int(abs(value)))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def format_label(label: Any) -> str:
    """A class label; quoted only if it is empty. No answer is "abstain"."""
    return "abstain" if label is None else format_level(label)


def class_note(label: Any, share: float) -> str:
    """The share of a predicted class; where there is no answer it is said whose share it is.

    Examples
    --------
    >>> class_note("yes", 0.643), class_note(None, 0.49)
    ('64 %', 'largest class 49 %')
    """
    return f"largest class {percent(share)}" if label is None else percent(share)


def label_share(label: Any, share: float) -> str:
    """A class and its share; "class" is said where the label looks like a number.

    Examples
    --------
    >>> label_share("yes", 0.643), label_share(2, 0.4), label_share(None, 0.49)
    ('yes 64 %', 'class 2 40 %', 'abstain, largest class 49 %')
    """
    text, note = format_label(label), class_note(label, share)
    if label is None:
        return f"{text}, {note}"
    return f"class {text} {note}" if text.lstrip("-")[:1].isdigit() else f"{text} {note}"


def check_display(max_levels: Any, precision: Any) -> None:
    """Check the parameters that all descriptions share."""
    if max_levels is not None and (not _is_int(max_levels) or max_levels < 0):
        raise ValueError(f"max_levels={max_levels!r} must be None or an integer of at least 0")
    if not _is_int(precision) or not 1 <= precision <= 17:
        raise ValueError(f"precision={precision!r} must be an integer from 1 to 17")


def _is_int(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _indent(rails: str, depth: int) -> str:
    return rails if depth <= DEEPEST_INDENT + 1 else f"⋯+{depth - DEEPEST_INDENT - 1}⋯ {rails}"


class _Summaries:
    """What is said of each node after its condition."""

    def __init__(self, tree: Tree, precision: int, show_weights: bool) -> None:
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
