"""What is found in the columns of a table, and which of them a tree is grown from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ramify.datasets import Dataset
from ramify.steps.task import Task
from ramify.support.suggest import unknown_column
from ramify.tables import Profile, profile


def look_at_columns(
    table: Dataset,
    y: NDArray[Any],
    task: Task,
    *,
    use: Collection[str] = (),
    min_level_count: int | None = None,
) -> Profile:
    """Profile a table, and leave out columns that only name the rows.

    The profile has no findings that the user overruled.

    Parameters
    ----------
    table : Dataset
        The rows that have a target.
    y : ndarray
        Their target.
    task : Task
        What the target is.
    use : collection of str
        Columns that are used although they look like identifiers.
    min_level_count : int or None
        Levels with fewer rows are pooled; None lets the profile say.
    """
    for name in use:
        if name not in table.data:
            raise unknown_column(name, table.data, what="--use: column")
    found = profile(
        table.data,
        y,
        task="regression" if task is Task.regression else "classification",
        target=str(table.target_name),
        readings=table.readings,
        notes=table.notes,
    )
    left_out = tuple(name for name in found.left_out if name not in use)
    if len(left_out) == len(table.data):
        left_out = ()  # nothing would be left to learn from
    overruled = {*found.left_out} - {*left_out}
    findings = tuple(one for one in found.findings if one.column not in overruled)
    if min_level_count is not None:
        from ramify.tables.profiling.cardinality import pooled_below

        findings = tuple(pooled_below(one, min_level_count) for one in findings)
    return replace(found, findings=findings, left_out=left_out)
