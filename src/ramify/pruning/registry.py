"""The prunings by name, and the reader of the parameter `pruning`."""

from __future__ import annotations

from typing import Any

from ramify.pruning.bottom_up import ErrorBased, ReducedError
from ramify.pruning.mdl import MDL
from ramify.pruning.sequences import BestFirst, CostComplexity, CriticalValue
from ramify.tables.values import hold_parts

NAMES: dict[str, type[Any]] = {
    "auto": CostComplexity,
    "best_first": BestFirst,
    "cost_complexity": CostComplexity,
    "critical_value": CriticalValue,
    "error_based": ErrorBased,
    "mdl": MDL,
    "reduced_error": ReducedError,
}
CLASSES = tuple(dict.fromkeys(NAMES.values()))
hold_parts("pruning", *CLASSES)


def read_pruning(pruning: Any) -> Any:
    """Give the pruning that a parameter names or holds, checked; None means no pruning."""
    if pruning is None:
        return None
    if isinstance(pruning, str) and pruning in NAMES:
        return NAMES[pruning]()
    if isinstance(pruning, CLASSES):
        try:
            pruning.check()
        except ValueError as error:
            raise ValueError(f"pruning={type(pruning).__name__}: {error}") from None
        return pruning
    raise ValueError(
        f"pruning={pruning!r:.80} is not valid; choose None, one of {', '.join(NAMES)}, or an "
        f"object of ramify.pruning: {', '.join(one.__name__ for one in CLASSES)}"
    )
