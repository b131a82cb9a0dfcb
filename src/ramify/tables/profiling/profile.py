"""The profile of a table: its columns, and what is noteworthy about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ramify.tables.frame import make_frame
from ramify.tables.profiling.column_profile import ColumnProfile
from ramify.tables.profiling.findings import Finding
from ramify.tables.profiling.layout import as_html, as_text
from ramify.tables.profiling.target import Task


@dataclass(frozen=True)
class Profile:
    """What the columns of a table are, and what is noteworthy about them.

    Parameters
    ----------
    n_rows : int
    columns : tuple of ColumnProfile
        All columns but the target, in order.
    findings : tuple of Finding
        What is noteworthy, the most important first.
    target : str or None
        Name of the target.
    task : {"classification", "regression"} or None
        What the target is.
    classes : int
        Number of classes; 0 in regression.
    baseline : float or None
        The share of the largest class: the accuracy of always predicting it.
    left_out : tuple of str
        Columns that ``ramify fit`` leaves out unless told otherwise.
    min_level_count : int
        ``ramify fit`` pools levels with fewer rows than this unless told otherwise; 1 for none.

    Examples
    --------
    >>> from ramify.datasets import load_titanic
    >>> from ramify.tables import profile
    >>> titanic = load_titanic()
    >>> print(profile(titanic.data, titanic.y, target="survived"))
    2,201 rows, 3 columns; target survived: 2 classes, the largest 68 % of the rows
    <BLANKLINE>
    column  kind     distinct  missing  explains alone      examples
    class   nominal         4           ▉            8.3 %  crew, third, first
    age     nominal         2           ▏            0.8 %  adult, child
    sex     nominal         2           ██            21 %  male, female
    <BLANKLINE>
    No findings.
    """

    n_rows: int
    columns: tuple[ColumnProfile, ...]
    findings: tuple[Finding, ...]
    target: str | None = None
    task: Task | None = None
    classes: int = 0
    baseline: float | None = None
    left_out: tuple[str, ...] = ()
    min_level_count: int = 1

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def __getitem__(self, name: str) -> ColumnProfile:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"no column {name!r}; columns: {', '.join(c.name for c in self.columns)}")

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give the columns as a data frame, or a dict of lists if no library is installed.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the data frame. None takes the first that is installed.
        """
        rows = [column.to_dict() for column in self.columns]
        names = ("name", "kind", "role", "distinct", "missing", "association")
        table = {name: [row[name] for row in rows] for name in names}
        table["examples"] = [", ".join(row["examples"]) for row in rows]
        return make_frame(table, backend=backend)

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        return {
            "rows": self.n_rows,
            "target": self.target,
            "task": self.task,
            "classes": self.classes,
            "baseline": self.baseline,
            "columns": [column.to_dict() for column in self.columns],
            "findings": [finding.to_dict() for finding in self.findings],
            "left_out": list(self.left_out),
            "min_level_count": self.min_level_count,
        }
