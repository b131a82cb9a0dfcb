"""A tree in the DOT language of Graphviz."""

from __future__ import annotations

import os
from typing import Any

from ramify.export.refusals import tree_of
from ramify.export.source_text import write
from ramify.tree.row_counts import RowCounts
from ramify.tree.text import edge_texts
from ramify.tree.words import answer_and_note, check_display, format_name


def to_dot(
    model: Any,
    *,
    max_levels: int | None = 5,
    precision: int = 4,
    different_rows: bool = False,
    path: str | os.PathLike[str] | None = None,
) -> str:
    r"""Write a tree in the DOT language, for Graphviz and other programs that read it.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    max_levels : int or None, default=5
        Longest set of levels that is written out; None writes all.
    precision : int, default=4
        Significant digits of a number, more where two thresholds would look alike.
    different_rows : bool, default=False
        Count the different rows of a node, not the sum of the parts of rows with missing values.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    str
        A digraph. Nodes have the numbers of the tree; edges have their conditions.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"]}
    >>> print(to_dot(TreeClassifier().fit(X, ["no", "no", "yes"])))
    digraph tree {
      label="y";
      node [shape=box, fontname="sans-serif"];
      edge [fontname="sans-serif"];
      0 [label="no\n3 rows, 67 %"];
      1 [label="yes\n1 row, 100 %", style=rounded];
      2 [label="no\n2 rows, 100 %", style=rounded];
      0 -> 1 [label="colour = blue"];
      0 -> 2 [label="colour = red"];
    }
    """
    tree = tree_of(model, abstains=True)
    check_display(max_levels, precision)
    lines = [
        "digraph tree {",
        f"  label={_quote(format_name(tree.target))};",
        '  node [shape=box, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    counts, n_children = RowCounts(tree, different=different_rows), tree.data["n_children"].tolist()
    classify = tree.task == "classification"
    sureness = (tree.confidence if classify else tree.spread).tolist()
    for node in range(tree.n_nodes):
        answer, note = answer_and_note(
            tree.predictions[node], sureness[node], classify=classify, precision=precision
        )
        by_hand = tree.hand_words(node)
        label = _quote(answer, f"{counts.rows(node)}, {note}", *([by_hand] if by_hand else []))
        lines.append(f"  {node} [label={label}{'' if n_children[node] else ', style=rounded'}];")
    texts = edge_texts(tree, max_levels=max_levels, precision=precision)
    for node, first in enumerate(tree.data["first_child"].tolist()):
        lines += [
            f"  {node} -> {child} [label={_quote(texts[child])}];"
            for child in range(first, first + n_children[node])
        ]
    return write("\n".join([*lines, "}"]), path)


def _quote(*lines: str) -> str:
    """A label of several lines, with backslashes and quotation marks escaped."""
    return '"' + "\\n".join(x.replace("\\", "\\\\").replace('"', '\\"') for x in lines) + '"'
