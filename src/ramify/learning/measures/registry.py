"""All measures by name."""

from __future__ import annotations

from ramify.learning.measures.measure import Measure
from ramify.learning.measures.of_classes import OF_CLASSES
from ramify.learning.measures.of_numbers import OF_NUMBERS

#: The measures by name, the usual ones of each task first.
MEASURES: dict[str, Measure] = {one.name: one for one in (*OF_CLASSES, *OF_NUMBERS)}


def find_measure(name: str, task: str) -> Measure:
    """Give the measure of this name; an error says which names there are for the task."""
    found = MEASURES.get(name)
    if found is None or found.task != task:
        what = "is not a measure" if found is None else f"is for {found.task}"
        raise ValueError(f"{name!r} {what}; for {task}: {', '.join(measure_names(task))}")
    return found


def measure_names(task: str) -> list[str]:
    """Give the names of the measures of a task."""
    return [name for name, one in MEASURES.items() if one.task == task]
