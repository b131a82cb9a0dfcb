"""The records of what was done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ramify.edit.price import Price
from ramify.tree.by_hand import EditRecord


@dataclass(frozen=True)
class Edit:
    """One edit.

    Parameters
    ----------
    action : str
        The method that was called: "split", "collapse", ...
    node : int
        The node, by its number before the edit.
    arguments : dict
        The other arguments, as they can be written in code.
    price : Price
    reason, author : str or None
    time : str
        When it was done: ISO 8601, UTC.
    """

    action: str
    node: int
    arguments: dict[str, Any] = field(hash=False)
    price: Price
    reason: str | None
    author: str | None
    time: str

    def record(self) -> EditRecord:
        """Give what a model keeps of it."""
        return EditRecord(
            self.action,
            self.node,
            self.arguments,
            self.price.numbers(),
            self.reason,
            self.author,
            self.time,
        )

    def __str__(self) -> str:
        given = ", ".join([str(self.node), *map(_shown, self.arguments.items())])
        why = f": {self.reason}" if self.reason else ""
        return f"{self.action}({given}){why}"


def _shown(argument: tuple[str, Any]) -> str:
    name, value = argument
    return repr(value) if name == "condition" else f"{name}={value!r}"
