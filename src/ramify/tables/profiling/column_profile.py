"""One column of a profile: what it holds, in figures and examples."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.profiling.words import level, number
from ramify.tables.table import Table

ColumnKind = Literal["numeric", "nominal", "ordinal", "date", "datetime", "time", "duration"]
ColumnRole = Literal[
    "predictor",
    "target",
    "identifier",
    "free text",
    "row index",
    "text of many levels",
    "constant",
    "duplicate",
]
_EXAMPLES = 3


@dataclass(frozen=True)
class ColumnProfile:
    """What a column holds.

    Parameters
    ----------
    name : str
    kind : str
        "numeric", "nominal", "ordinal", "date", "datetime", "time" or "duration".
    role : str
        "predictor", "target", or why it is no predictor: "identifier", "free text", "row index",
        "text of many levels", "constant" or "duplicate".
    distinct : int
        Number of different values.
    missing : float
        Share of missing cells, from 0 to 1.
    association : float or None
        The share of the target's variance, or Gini impurity, that the column alone explains in
        rows it has not seen, from 0 to 1. None without a target.
    examples : tuple of str
        The most frequent levels; or the lowest number, the median and the highest.
    """

    name: str
    kind: ColumnKind
    role: ColumnRole
    distinct: int
    missing: float
    association: float | None
    examples: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        return asdict(self) | {"examples": list(self.examples)}


def kind_of(column: ColumnSchema) -> ColumnKind:
    """Give the kind of a column, a date being one."""
    if column.form is not None and column.form.kind != "number":
        return column.form.kind
    return column.kind


@dataclass(frozen=True)
class Content:
    """The distinct values of a column, counted."""

    distinct: int
    missing: int
    counts: NDArray[np.int64] | None
    """Rows of every level; None for numbers."""
    examples: tuple[str, ...]

    @property
    def constant(self) -> bool:
        """Whether all rows are equal, or all are missing."""
        return self.distinct == 0 or (self.distinct == 1 and self.missing == 0)


def content_of(table: Table, j: int) -> Content:
    """Count what column j holds."""
    column, values = table.schema.columns[j], table.column(j)
    if column.kind == "numeric":
        return _numbers(column, values)
    counts = np.bincount(values[values >= 0], minlength=len(column.levels)).astype(np.int64)
    first = np.argsort(-counts, kind="stable")[:_EXAMPLES].tolist()
    examples = tuple(level(column.levels[i]) for i in first if counts[i])
    return Content(int((counts > 0).sum()), int((values < 0).sum()), counts, examples)


def _numbers(column: ColumnSchema, values: NDArray[Any]) -> Content:
    missing = np.isnan(values)
    n_missing = int(missing.sum())
    known = values[~missing] if n_missing else values
    distinct = np.unique(known)
    if not len(distinct):
        return Content(0, n_missing, None, ())
    marks = [distinct[0]]
    if len(distinct) > 1:
        # of the values, not between two of them: half a child is no example
        middle = (len(known) - 1) // 2
        marks += [np.partition(known, middle)[middle]] if len(distinct) > 2 else []
        marks += [distinct[-1]]
    time = column.times
    examples = [number(float(x)) if time is None else time.show(float(x)) for x in marks]
    return Content(len(distinct), n_missing, None, tuple(dict.fromkeys(examples)))
