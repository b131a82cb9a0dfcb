"""A tree in the DOT language of Graphviz."""

from __future__ import annotations

import os
from typing import Any

from ramify.export._plan import make_plan, write
from ramify.tree.text import edge_texts
from ramify.tree.words import (
    check_display,
    class_note,
    count_rows,
    format_label,
    format_name,
    short_number,
)


def to_dot(
    model: Any,
    *,
    max_levels: int | None = 5,
    precision: int = 4,
    path: str | os.PathLike[str] | None = None,
) -> str:
    r"""Write a tree in the DOT language, for Graphviz and what else reads it.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    max_levels : int or None, default=5
        Longest set of levels that is written out; None writes all.
    precision : int, default=4
        Significant digits of a number, more where two thresholds would look alike.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    str
        A digraph; nodes have the numbers of the tree, edges their conditions.

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
    plan = make_plan(model, abstaining=True)
    check_display(max_levels, precision)
    tree = plan.tree
    lines = [
        "digraph tree {",
        f"  label={_quote(format_name(tree.target))};",
        '  node [shape=box, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    rows = tree.data["rows"].tolist()
    for node in range(tree.n_nodes):
        value = tree.predictions[node]
        if plan.classify:
            said = format_label(value)
            note = class_note(value, float(tree.confidence[node]))
        else:
            said = short_number(value, precision)
            note = f"± {short_number(float(tree.spread[node]), precision)}"
        label = _quote(said, f"{count_rows(rows[node])}, {note}")
        lines.append(f"  {node} [label={label}{'' if node in plan.steps else ', style=rounded'}];")
    texts = edge_texts(tree, max_levels=max_levels, precision=precision)
    for step in plan.steps.values():
        lines += [
            f"  {step.node} -> {child} [label={_quote(texts[child])}];" for child in step.children
        ]
    return write("\n".join([*lines, "}"]), path)


def _quote(*lines: str) -> str:
    """A label of several lines; backslashes would begin an escape."""
    return '"' + "\\n".join(x.replace("\\", "\\\\").replace('"', '\\"') for x in lines) + '"'
