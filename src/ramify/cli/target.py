"""The target of a table file: which rows have one, and whether it is a class or a number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.cli.options import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ramify.datasets import Dataset

# Whole numbers are taken for classes if there are at most this many different ones.
_FEW = 10
_COMMA = re.compile(r"[+-]?\d+(,\d+)?")


def settle_target(
    table: Dataset, task: Task, *, for_numbers: str = "--task regression"
) -> tuple[Dataset, NDArray[Any], Task, list[str]]:
    """Leave out rows without a target and choose the task; the notes say what was done.

    Numbers that cannot be classes are an error, which names the options `for_numbers`.
    """
    n_rows = table.n_rows
    if not table.data:
        raise ValueError(f"no column is left to predict {table.target_name!r} from")
    table = _with_target(table)
    notes = [
        f"{name!r} is text like {cell}; if the comma is a decimal sign: --decimal ,"
        for name, cell in _with_commas(table).items()
    ]
    if table.n_rows < n_rows:
        n_without = n_rows - table.n_rows
        those = "row without a target is" if n_without == 1 else "rows without a target are"
        notes.append(f"{n_without:,} {those} left out")
    y = table.y
    is_text = y.dtype == object
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
    if task is Task.classification and not is_text and not whole:
        raise ValueError(
            f"target {table.target_name!r} has numbers like {float(y[y != np.floor(y)][0]):g}, "
            f"which are no classes; {for_numbers} is for numbers"
        )
    if task is Task.classification and len(values) == table.n_rows and is_text:
        notes.append(
            f"every row has a {table.target_name!r} of its own: it looks like an identifier"
        )
    if task is Task.classification and whole:
        y = y.astype(np.int64)
    return table, y, task, notes


def _with_commas(table: Dataset) -> dict[str, str]:
    """Name the columns of text whose cells are numbers, some with a comma; give such a cell."""
    found: dict[str, str] = {}
    for name, column in (*table.data.items(), (str(table.target_name), table.y)):
        cells = set(column.tolist()) - {None} if column.dtype == object else set()
        commas = sorted(cell for cell in cells if "," in str(cell))
        if commas and all(_COMMA.fullmatch(str(cell)) for cell in cells):
            found[name] = commas[0]
    return found


def target_of_model(table: Dataset, estimator: Any) -> tuple[Dataset, NDArray[Any]]:
    """Leave out rows without a target, and give the other targets as the model knows them."""
    table = _with_target(table)
    y = table.y
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        if y.dtype == object:
            raise ValueError(f"target {table.target_name!r} is text; the model predicts numbers")
        return table, y
    # A file has text and numbers only: True is "True" or "true" there, and 1 is 1.0.
    labels = classes.tolist()
    known: dict[str, Any] = {str(label): label for label in labels}
    for label in labels:
        if isinstance(label, bool):
            known.setdefault(str(label).lower(), label)
    cells = [known.get(_written(cell), cell) for cell in y.tolist()]
    is_text = classes.dtype.kind in "OUS" and all(isinstance(label, str) for label in labels)
    for cell in cells:
        if not is_text and isinstance(cell, str):
            raise ValueError(
                f"target {table.target_name!r} has {cell!r}, which is no class of the model; its "
                f"classes are {', '.join(map(str, labels[:20]))}"
            )
    if is_text:
        return table, np.array([_written(cell) for cell in cells], dtype=object)
    return table, np.array(cells)


def _with_target(table: Dataset) -> Dataset:
    y = table.y
    known = np.array([v is not None for v in y]) if y.dtype == object else ~np.isnan(y)
    if not known.any():
        raise ValueError(f"target {table.target_name!r} has no known value")
    return table if known.all() else table.take(known)


def _written(cell: Any) -> str:
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else str(cell)
