"""The weights of classes and the costs of answers, as options and files give them."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.steps.task import Task
from ramify.support.suggest import near_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DELIMITERS = ",;\t|"


def class_parameters(
    class_weight: str | None, costs: Path | None, task: Task, y: NDArray[Any]
) -> dict[str, Any]:
    """Give `class_weight` and `costs` as the learners take them, where they are given."""
    found: dict[str, Any] = {}
    if class_weight is None and costs is None:
        return found
    classes = _classes("--class-weight" if costs is None else "--costs", task, y)
    if class_weight is not None:
        found["class_weight"] = _weights(class_weight, classes)
    if costs is not None:
        found["costs"] = _costs(costs, classes)
    return found


def named_classes(given: Mapping[str, Any], task: Task, y: NDArray[Any]) -> dict[str, Any]:
    """Give the parameters that name classes, with the labels of the target."""
    found: dict[str, Any] = {}
    if (positive := given.get("positive")) is not None:
        found["positive"] = _known(positive, _classes("--positive", task, y), "--positive")
    if (recall := given.get("min_recall")) is not None:
        found["min_recall"] = _of_classes("--min-recall", recall, _classes("--min-recall", task, y))
    return found


def _classes(option: str, task: Task, y: NDArray[Any]) -> dict[str, Any]:
    """Give the labels of the target by their text."""
    if task is Task.regression:
        raise ValueError(
            f"{option} is for classes, and the target is read as numbers; --task classification "
            "reads it as classes"
        )
    return {str(label): label for label in np.unique(y).tolist()}


def _weights(given: str, classes: Mapping[str, Any]) -> str | dict[Any, float]:
    """Read "balanced", weights like ``yes=5,no=1``, or a file of classes and weights."""
    if given.strip() == "balanced":
        return "balanced"
    found = _of_classes("--class-weight", given, classes)
    if all(found.get(label, 1.0) == 0 for label in classes.values()):
        raise ValueError("--class-weight: one class at least needs a weight above 0")
    # Every class has one, so that a fold without a class finds no fault with the names.
    return {label: found.get(label, 1.0) for label in classes.values()}


def _of_classes(option: str, given: str, classes: Mapping[str, Any]) -> dict[Any, float]:
    """Read numbers like ``yes=5,no=1``, or a file of classes and their numbers."""
    what = option.removesuffix("s").rpartition("-")[2]  # weight, cost, recall
    choices = "balanced, weights" if what == "weight" else f"{what}s"
    if Path(given).is_file():
        where, pairs = f"{option} {given}", _cells(Path(given))
        if len(pairs[0]) == 2 and pairs[0][0] not in classes and _number(pairs[0][1]) is None:
            pairs = pairs[1:]  # a row of names
    else:
        where = option
        pairs = [[cell.strip() for cell in part.rsplit("=", 1)] for part in given.split(",")]
    found: dict[Any, float] = {}
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(
                f"{where}: {'='.join(pair)!r} is not a class with its {what}; give {choices} like "
                f"{_example(classes)}, or a CSV file of classes and {what}s"
            )
        label, weight = _known(pair[0], classes, where), _number(pair[1])
        if weight is None or weight < 0:
            raise ValueError(
                f"{where}: the {what} of {pair[0]!r} is {pair[1]!r}; it must be a number of at "
                "least 0"
            )
        found[label] = weight
    return found


def _costs(file: Path, classes: Mapping[str, Any]) -> list[list[float]]:
    """Read a matrix of costs, true class by predicted class, in the order of the classes.

    In place of a file there may be the cost of a wrong answer per true class: ``yes=5,no=1``.
    """
    if not file.is_file() and "=" in str(file):
        own = _of_classes("--costs", str(file), classes)
        return [[0.0 if a == t else own.get(classes[t], 1.0) for a in classes] for t in classes]
    where = f"--costs {file}"
    heading, *rows = _cells(file)
    answers = heading[1:]
    for name in answers:
        _known(name, classes, f"{where}, first row")
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        true, cells = row[0], row[1:]
        _known(true, classes, f"{where}, first column")
        if true in found:
            raise ValueError(f"{where}: there are two rows for the true class {true!r}")
        if len(cells) != len(answers):
            raise ValueError(
                f"{where}: the row of {true!r} has {len(cells)} costs, but the first row names "
                f"{len(answers)} classes"
            )
        costs = [_number(cell) for cell in cells]
        for answer, cell, cost in zip(answers, cells, costs, strict=True):
            if cost is None:
                raise ValueError(
                    f"{where}: the cost of answering {answer!r} where {true!r} is true is "
                    f"{cell!r}; it must be a number"
                )
        found[true] = dict(zip(answers, map(float, costs), strict=True))  # type: ignore[arg-type]
    _complete(answers, classes, f"{where}: the first row")
    _complete(list(found), classes, f"{where}: the first column")
    return [[found[true][answer] for answer in classes] for true in classes]


def _complete(names: Sequence[str], classes: Mapping[str, Any], where: str) -> None:
    if len(set(names)) < len(names):
        raise ValueError(f"{where} names a class twice")
    if without := [name for name in classes if name not in names]:
        raise ValueError(
            f"{where} does not name the class {without[0]!r}; it needs {', '.join(classes)}"
        )


def _known(name: str, classes: Mapping[str, Any], where: str) -> Any:
    if name not in classes:
        near = near_names(name, classes, "classes")
        raise ValueError(f"{where}: {name!r} is not a class of the target; {near}")
    return classes[name]


def _cells(file: Path) -> list[list[str]]:
    """Read the cells of a small CSV file, without empty lines."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{file}: this is not a text file in UTF-8") from None
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    rows = csv.reader(text.splitlines(), delimiter=delimiter)
    found = [[cell.strip() for cell in row] for row in rows if any(map(str.strip, row))]
    if not found:
        raise ValueError(f"{file}: the file is empty")
    return found


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _example(classes: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={weight}" for name, weight in zip(classes, (5, 1), strict=False))
