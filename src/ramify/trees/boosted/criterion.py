"""Which criteria the trees of a way of boosting can be grown by."""

from __future__ import annotations

from typing import Any

from ramify.trees.boosted.algorithms import ALGORITHMS
from ramify.trees.greedy.classifier import CRITERIA
from ramify.trees.greedy.regressor import CRITERIA as NUMBER_CRITERIA


def check_criterion(criterion: Any, algorithm: str) -> None:
    """Refuse criteria that make no sense, and say why."""
    of_classes = ALGORITHMS[algorithm].of_classes
    choices = ("auto", *(CRITERIA if of_classes else ("squared_error",)))
    if (callable(criterion) and of_classes) or (
        isinstance(criterion, str) and criterion in choices
    ):
        return
    given = f"criterion={criterion!r:.80} with algorithm={algorithm!r}"
    known = isinstance(criterion, str) and criterion in (*CRITERIA, *NUMBER_CRITERIA)
    if not known and not callable(criterion):
        raise ValueError(f"{given} is not valid; choose from {', '.join(choices)}")
    if of_classes:
        raise ValueError(
            f"{given}: its trees are of classes, and that criterion is for numbers; choose from "
            f"{', '.join(choices)}"
        )
    raise ValueError(
        f"{given}: its trees are weighted least squares fits of numbers (Newton steps), whose "
        "leaves are means, and have no classes to separate; choose 'auto' or 'squared_error', or "
        "algorithm 'real' or 'discrete', whose trees take every criterion of classes"
    )
