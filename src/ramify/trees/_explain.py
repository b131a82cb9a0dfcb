"""Why a row is predicted as it is: the conditions on its way down the tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ramify.tables import Columns
from ramify.tree import Tree


@dataclass(frozen=True)
class Step:
    """One condition on the way of a row.

    Parameters
    ----------
    node : int
        The node whose condition it is.
    condition : str
        The branch the row took, in words.
    spread : bool
        Whether the value is missing or unseen, so that the row takes all branches in proportion;
        the branch shown is that of the largest share.
    rows : int
        Training rows in the branch taken.
    competitors : tuple of str
        What nearly won at the node, best first.
    """

    node: int
    condition: str
    spread: bool
    rows: int
    competitors: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """The path of one row; ``print`` shows it.

    Parameters
    ----------
    steps : tuple of Step
        From the root to the leaf.
    leaf : int
        The leaf of the largest share.
    prediction : Any
        What the estimator predicts for the row.
    confidence : float or None
        The share of the predicted class among all; None in regression.
    """

    steps: tuple[Step, ...]
    leaf: int
    prediction: Any
    confidence: float | None

    def __str__(self) -> str:
        lines = []
        for number, step in enumerate(self.steps, start=1):
            text = f"{number}. {step.condition}  ({step.rows} rows)"
            if step.spread:
                text += "  [value missing: all branches in proportion, this one weighs most]"
            lines.append(text)
            if step.competitors:
                lines.append(f"     nearly won: {'; '.join(step.competitors)}")
        share = "" if self.confidence is None else f" ({100 * self.confidence:.0f} %)"
        lines.append(f"=> {self.prediction}{share}")
        return "\n".join(lines)


def as_table(row: Any) -> Any:
    """Give one row as a table: a dict or Series of cells, a sequence of cells, or a table itself."""
    if hasattr(row, "to_dict") and getattr(row, "ndim", 2) == 1:
        row = row.to_dict()
    if isinstance(row, Mapping):
        return {
            name: np.array([value], dtype=object if isinstance(value, str) or value is None else None)
            for name, value in row.items()
        }
    if isinstance(row, np.ndarray) and row.ndim == 1:
        return row.reshape(1, -1)
    if isinstance(row, (list, tuple)) and not any(isinstance(c, (list, tuple)) for c in row):
        return [list(row)]
    return row


def path_steps(tree: Tree, columns: Columns, leaf: int, *, most: int = 3) -> tuple[Step, ...]:
    """Describe the way from the root to the leaf."""
    _, visited = tree.core.paths(as_core(columns), tree.unseen)
    on_the_way = set(visited.tolist())
    steps = []
    child = leaf
    while (parent := int(tree.data["parent"][child])) >= 0:
        node = tree.nodes[parent]
        assert node.condition is not None
        branch = child - node.children[0]
        steps.append(
            Step(
                node=parent,
                condition=node.condition.describe(branch),
                spread=sum(c in on_the_way for c in node.children) > 1,
                rows=int(tree.data["rows"][child]),
                competitors=tuple(
                    f"{c.condition.describe(0)} (gain {c.gain:.4g})" for c in node.competitors[:most]
                ),
            )
        )
        child = parent
    return tuple(reversed(steps))


def as_core(columns: Columns) -> Any:
    """Give what the core predicts from: one matrix, or a list of columns."""
    return columns.arrays if columns.matrix is None else columns.matrix
