"""The explanation of one prediction: the conditions on the way of a row down the tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from ramify.tables import Schema, Table
from ramify.tables.levels import MISSING, UNSEEN, short_list
from ramify.tables.source import open_table
from ramify.tree import Node, Tree
from ramify.tree.doors import door
from ramify.tree.words import (
    class_note,
    format_label,
    format_level,
    format_number,
    label_share,
    percent,
    short_number,
)

_MOST_COMPETITORS = 3  # shown at a node

Given: TypeAlias = Literal["known", "missing", "unseen"]


@dataclass(frozen=True)
class Step:
    """One condition on the way of a row.

    Parameters
    ----------
    node : int
        The node that has the condition.
    attribute : str
        The column of the condition.
    condition : str
        The branch the row took, in words.
    cell : str
        The row's value of the column, in words; empty if missing.
    given : {"known", "missing", "unseen"}
        Whether there is a value, and whether training had it.
    share : float
        The part that went this way, of what reached the node. It is below 1 if a missing or unseen
        value sends the row down several branches; the step then follows the way to the leaf with
        the largest share.
    rows : int
        Training rows in the branch taken.
    note : str
        What the branch would predict as a leaf.
    gain : float
        The gain of the condition, by the criterion of growth.
    competitors : tuple of str
        The splits that nearly won at the node, best first, with their gains in per cent of the
        winner's.
    """

    node: int
    attribute: str
    condition: str
    cell: str
    given: Given
    share: float
    rows: int
    note: str
    gain: float
    competitors: tuple[str, ...]

    @property
    def spread(self) -> bool:
        """Whether the row took several branches here."""
        return self.share < 1.0

    def __str__(self) -> str:
        return f"{self.condition}{self._cell()}"

    def _cell(self) -> str:
        if self.given == "known":
            return "" if self.condition.endswith(f" = {self.cell}") else f", being {self.cell}"
        quoted = self.cell if self.cell.startswith('"') else f'"{self.cell}"'
        what = "missing" if self.given == "missing" else f"{quoted} was not in training"
        part = f"{percent(self.share)} of the row goes" if self.spread else "the row goes"
        return f" [{what}: {part} this way]"


@dataclass(frozen=True)
class Explanation:
    """The path of one row; ``print`` shows it.

    Parameters
    ----------
    steps : tuple of Step
        From the root to the leaf.
    leaf : int
        The leaf of the largest share.
    leaves : int
        Number of leaves that the prediction mixes. It is above 1 only if a missing or unseen value
        sent the row down several branches.
    prediction : Any
        What the estimator predicts for the row.
    confidence : float or None
        The share of the predicted class; None in regression.
    rows : int
        Number of training rows.
    """

    steps: tuple[Step, ...]
    leaf: int
    leaves: int
    prediction: Any
    confidence: float | None
    rows: int

    def __str__(self) -> str:
        lines = []
        for number, step in enumerate(self.steps, start=1):
            size = f"{step.rows:,} of {self.rows:,} rows"
            lines.append(f"{number}. {step}  ({size}, {step.note})")
            if step.competitors:
                lines.append(f"     nearly won: {'; '.join(step.competitors)}")
        if not self.steps:
            lines.append(f"the tree is a single leaf, of {self.rows:,} rows")
        lines.append(f"=> {self.answer}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        html: str = door("explanation_html")(self)
        return html

    @property
    def answer(self) -> str:
        """The prediction in words."""
        mixed = f"mixed from {self.leaves} leaves" if self.leaves > 1 else ""
        if self.confidence is None:
            return short_number(self.prediction, 4) + (mixed and f" ({mixed})")
        note = class_note(self.prediction, self.confidence)
        return f"{format_label(self.prediction)} ({note}{mixed and ', '}{mixed})"


def as_table(row: Any, schema: Schema) -> Any:
    """Give one row as a table with the columns of the schema; a table stays as it is."""
    if row is None or np.isscalar(row):
        raise TypeError(
            "explain takes one row: a list of cells, a dict or Series of cells by name, or a table "
            f"of one row; got {row!r:.80}"
        )
    if getattr(row, "ndim", 0) == 1 and hasattr(row, "index") and hasattr(row, "tolist"):
        names = list(row.index)  # a pandas Series
        row = row.tolist()
        if schema.named and all(isinstance(name, str) for name in names):
            row = dict(zip(names, row, strict=True))
    if isinstance(row, Mapping):
        cells = _by_name(row, schema)
    else:
        if isinstance(row, np.ndarray) and row.ndim in (1, 2):
            row = list(row) if row.ndim == 1 else [list(one) for one in row]
        elif not isinstance(row, (list, tuple)):
            if getattr(row, "shape", None) is None or len(row.shape) != 1:
                return row
            row = list(row)  # a polars Series
        if row and all(isinstance(one, (list, tuple, np.ndarray)) for one in row):
            if len(row) != 1:
                raise ValueError(f"explain takes one row, and {len(row)} were given")
            row = row[0]
        cells = list(row)
        names = schema.input_names
        if len(cells) != len(names):
            raise ValueError(
                f"the row has {len(cells)} cells, but the tree was fitted on {len(names)} "
                f"columns: {short_list(names, 20)}"
            )
    table = np.empty((1, len(cells)), dtype=object)
    table[0, :] = cells
    if not schema.named:
        return table
    return {name: table[:, j] for j, name in enumerate(schema.input_names)}


def _by_name(row: Mapping[Any, Any], schema: Schema) -> list[Any]:
    from ramify.support.suggest import unknown_column

    names = schema.input_names
    for name in row:
        if name not in names:
            raise unknown_column(str(name), names)
    cells = [row.get(name) for name in names]
    lengths = {len(cell) for cell in cells if isinstance(cell, (list, np.ndarray))}
    if lengths - {1}:
        raise ValueError(f"explain takes one row, and {max(lengths)} were given")
    return [cell[0] if isinstance(cell, (list, np.ndarray)) else cell for cell in cells]


def explain_row(
    tree: Tree, row: Any, table: Table, prediction: Any, confidence: float | None
) -> Explanation:
    """Describe the way of a row down the tree; `table` holds the encoded row."""
    shares = _shares(tree, table)
    leaves = [node for node in shares if not tree.data["n_children"][node]]
    leaf = int(tree.core.apply(table.cells, tree.unseen, 1)[0])
    return Explanation(
        steps=_steps(tree, row, table, leaf, shares),
        leaf=leaf,
        leaves=len(leaves),
        prediction=prediction,
        confidence=confidence,
        rows=int(tree.data["rows"][0]),
    )


def _shares(tree: Tree, table: Table) -> dict[int, float]:
    """Give the part of the row that reaches each node it visits."""
    _, visited = tree.core.paths(table.cells, tree.unseen)
    shares = {0: 1.0}
    for node in sorted(visited.tolist()):  # parents come before their children
        first, count = int(tree.data["first_child"][node]), int(tree.data["n_children"][node])
        children = [
            child for child in range(first, first + count) if child in set(visited.tolist())
        ]
        parts = tree.data["proportion"][children] if len(children) > 1 else np.ones(len(children))
        for child, part in zip(children, parts.tolist(), strict=True):
            shares[child] = shares[node] * part
    return shares


def _steps(
    tree: Tree, row: Any, table: Table, leaf: int, shares: dict[int, float]
) -> tuple[Step, ...]:
    data, steps = tree.data, []
    child = leaf
    while (parent := int(data["parent"][child])) >= 0:
        node = tree.nodes[parent]
        assert node.condition is not None
        cell, given = _cell(tree.schema, row, table, node.condition.column)
        steps.append(
            Step(
                node=parent,
                attribute=node.condition.attribute,
                condition=node.condition.describe(child - node.children[0]),
                cell=cell,
                given=given,
                share=shares[child] / shares[parent],
                rows=int(data["rows"][child]),
                note=_note(tree, child),
                gain=node.gain,
                competitors=tuple(_competitors(node)),
            )
        )
        child = parent
    return tuple(reversed(steps))


def _competitors(node: Node) -> Iterator[str]:
    """Describe the splits that nearly won, with their gains in per cent of the winner's."""
    for other in node.competitors[:_MOST_COMPETITORS]:
        part = percent(other.gain / node.gain) if node.gain > 0 else f"gain {other.gain:.3g}"
        yield f"{other.condition.describe(0)} ({part})"


def _note(tree: Tree, node: int) -> str:
    if tree.task == "regression":
        return f"{short_number(tree.predictions[node], 4)} ± {short_number(tree.spread[node], 4)}"
    return label_share(tree.predictions[node], float(tree.confidence[node]))


def _cell(schema: Schema, row: Any, table: Table, j: int) -> tuple[str, Given]:
    """Give the row's value of a column in words, and whether it is known, missing or unseen."""
    value, known = table.column(j)[0], schema.columns[j]
    if known.kind == "numeric":
        if np.isnan(value):
            return "", "missing"
        if known.times is not None:
            return known.times.show(float(value)), "known"
        return format_number(float(value), 17), "known"
    if value == MISSING:
        return "", "missing"
    if value != UNSEEN:
        return format_level(known.levels[int(value)]), "known"
    dictionary = open_table(row).columns[schema.sources[j]].dictionary()
    return format_level(dictionary.values[int(dictionary.codes[0])]), "unseen"
