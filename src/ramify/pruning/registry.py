"""The prunings by name, and the reader of the parameter `pruning`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ramify.tables.values import hold_parts

#: What makes a pruning, by name; those of `ramify.pruning` enter themselves.
NAMES: dict[str, Callable[[], Any]] = {}
_CLASSES: dict[str, type[Any]] = {}
Kind = TypeVar("Kind", bound=type[Any])


def named(name: str) -> Callable[[Kind], Kind]:
    """Let users ask for a pruning by this name, and model files hold it."""

    def enter(kind: Kind) -> Kind:
        NAMES[name] = _CLASSES[name] = kind
        hold_parts("pruning", kind)
        return kind

    return enter


def classes() -> tuple[type[Any], ...]:
    """Give the prunings."""
    return tuple(_CLASSES[name] for name in sorted(_CLASSES))


def read_pruning(pruning: Any) -> Any:
    """Give the pruning that a parameter names or holds, checked; None means no pruning."""
    if pruning is None:
        return None
    if isinstance(pruning, str) and pruning in NAMES:
        return NAMES[pruning]()
    if isinstance(pruning, classes()):
        try:
            pruning.check()
        except ValueError as error:
            raise ValueError(f"pruning={type(pruning).__name__}: {error}") from None
        return pruning
    names = ", ".join(sorted(NAMES))
    raise ValueError(
        f"pruning={pruning!r:.80} is not valid; choose None, one of {names}, or an "
        f"object of ramify.pruning: {', '.join(one.__name__ for one in classes())}"
    )
