"""The target of a table file: which rows have one, and whether it is a class or a number."""

from __future__ import annotations

import datetime
import shlex
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.steps.task import Task
from ramify.tables.profiling.words import number
from ramify.tree.words import label_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ramify.datasets import Dataset

# Whole numbers are taken for classes if there are at most this many different ones.
_FEW = 10
# The shares of so many classes are printed.
_SHOWN = 4
_TIMES = {"M": "dates", "m": "durations"}


def settle_target(
    table: Dataset, task: Task, *, for_numbers: str = "--task regression"
) -> tuple[Dataset, NDArray[Any], Task, list[str]]:
    """Leave out rows without a target and choose the task; the notes say what was done.

    Numbers that cannot be classes are an error, which names the options `for_numbers`.
    """
    n_rows, name = table.n_rows, table.target_name
    if not table.data:
        raise ValueError(f"no column is left to predict {name!r} from")
    _refuse_times(table)
    table = _with_target(table)
    notes = []
    if table.n_rows < n_rows:
        n_without = n_rows - table.n_rows
        those = "row without a target is" if n_without == 1 else "rows without a target are"
        notes.append(f"{n_without:,} {those} left out")
    y = table.y
    is_text = y.dtype == object
    values = {*y.tolist()} if is_text else set(np.unique(y).tolist())
    if len(values) == 1:
        raise ValueError(
            f"target {name!r} is {_written(values.pop())!r} in every row: there is nothing to learn"
        )
    whole = not is_text and bool(np.all(np.isfinite(y) & (y == np.floor(y))))
    few = is_text or (whole and len(values) <= _FEW)
    asked = task
    if task is Task.auto:
        task = Task.classification if few else Task.regression
    if task is Task.regression and is_text:
        example = min(map(str, values))
        raise ValueError(
            f"target {name!r} is text like {example!r}; --task regression needs numbers"
        )
    if task is Task.classification and not is_text and not whole:
        raise ValueError(
            f"target {name!r} has numbers like {float(y[y != np.floor(y)][0]):g}, which are no "
            f"classes; {for_numbers} is for numbers"
        )
    if task is Task.classification and whole:
        y = y.astype(np.int64)
    notes.append(_describe(str(name), y, task, asked=asked, whole=whole))
    if task is Task.classification and is_text:
        notes += _same_but_for_case(str(name), y)
    return table, y, task, notes


def _same_but_for_case(name: str, y: NDArray[Any]) -> list[str]:
    """Tell of classes such as Yes and yes, which may be meant to be one."""
    alike: dict[str, list[str]] = {}
    for label in sorted({str(cell) for cell in y.tolist()}):
        alike.setdefault(label.casefold(), []).append(label)
    pairs = [" and ".join(labels) for labels in alike.values() if len(labels) > 1]
    if not pairs:
        return []
    shown = ", ".join(pairs[:_SHOWN])
    more = f", and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
    return [f"target {name}: {shown}{more} are different classes, but differ only in case"]


def _describe(name: str, y: NDArray[Any], task: Task, *, asked: Task, whole: bool) -> str:
    """Say in one line what the target is, and how to read it otherwise."""
    if task is Task.regression:
        low, high, mean = (number(float(v)) for v in (y.min(), y.max(), y.mean()))
        text = f"target {name}: numbers from {low} to {high}, mean {mean}"
        if whole and asked is Task.auto:
            text += "; --task classification reads them as classes"
        return text
    labels, counts = np.unique(y, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_SHOWN]
    shares = [label_share(labels[i], counts[i] / len(y)) for i in order]
    text = f"target {name}: {len(labels):,} classes, {', '.join(shares)}"
    if len(labels) > _SHOWN:
        text = f"target {name}: {len(labels):,} classes, the largest {shares[0]}"
    if whole and asked is Task.auto:
        text += "; --task regression reads them as numbers"
    return text


def _refuse_times(table: Dataset) -> None:
    """Refuse a target of dates, times or durations."""
    y = table.y
    what = _TIMES.get(y.dtype.kind)
    if y.dtype == object and any(isinstance(cell, datetime.time) for cell in y.tolist()):
        what = "times"
    if what is not None:
        known = [cell for cell in y.tolist() if cell is not None]
        example = f" like {known[0]}" if known else ""
        keeps = shlex.join(["--nominal", str(table.target_name)])
        raise ValueError(
            f"target {table.target_name!r} holds {what}{example}, and a tree predicts classes or "
            f"numbers; choose another --target, or {keeps} to take every one for a class"
        )


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
    numbers = _numbers(labels)
    cells = [known.get(_written(cell), numbers.get(cell, cell)) for cell in y.tolist()]
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


def _numbers(labels: list[Any]) -> dict[float, str]:
    """Give classes that are texts of numbers by their number: a file has 1 for "01"."""
    found: dict[float, str] = {}
    for label in labels:
        try:
            number = float(label) if isinstance(label, str) else None
        except ValueError:
            continue
        if number is not None:
            if number in found:
                return {}  # "1" and "01" are two classes, and a number does not tell which
            found[number] = label
    return found


def _with_target(table: Dataset) -> Dataset:
    y = table.y
    known = np.array([v is not None for v in y]) if y.dtype == object else ~np.isnan(y)
    if not known.any():
        raise ValueError(f"target {table.target_name!r} has no known value")
    return table if known.all() else table.take(known)


def _written(cell: Any) -> str:
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else str(cell)
