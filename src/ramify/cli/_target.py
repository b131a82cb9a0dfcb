"""The target of a table file: which rows have one, and whether it is a class or a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.cli._options import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ramify.datasets import Dataset

# Whole numbers of up to this many kinds are taken for classes.
_FEW = 10


def settle_target(table: Dataset, task: Task) -> tuple[Dataset, NDArray[Any], Task, list[str]]:
    """Leave out rows without a target and settle the task; the notes say what was done."""
    notes: list[str] = []
    is_text = table.y.dtype == object
    known = np.array([v is not None for v in table.y]) if is_text else ~np.isnan(table.y)
    if not known.any():
        raise ValueError(f"target {table.target_name!r} has no known value")
    if not known.all():
        notes.append(f"{int((~known).sum())} rows without a target are left out")
        table = table.take(known)
    y = table.y
    values = {*y.tolist()} if is_text else set(np.unique(y).tolist())
    if len(values) == 1:
        raise ValueError(
            f"target {table.target_name!r} is {values.pop()!r} in every row: there is nothing to "
            "learn"
        )
    whole = not is_text and bool(np.all(np.isfinite(y) & (y == np.floor(y))))
    if task is Task.auto:
        few = is_text or (whole and len(values) <= _FEW)
        task = Task.classification if few else Task.regression
        if not is_text:
            other = Task.regression if few else Task.classification
            notes.append(f"numbers as target, read as {task}; --task {other} to change it")
    if task is Task.regression and is_text:
        raise ValueError(f"target {table.target_name!r} is text; --task regression needs numbers")
    if task is Task.classification and len(values) == table.n_rows and is_text:
        notes.append(
            f"every row has a {table.target_name!r} of its own: it looks like an identifier"
        )
    if task is Task.classification and whole:
        y = y.astype(np.int64)
    return table, y, task, notes
