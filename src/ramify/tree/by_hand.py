"""What a person has set in a tree: marks of single nodes, and the records of all edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ramify.tree.data import TreeData


@dataclass(frozen=True)
class ByHand:
    """What a person has set at a node.

    Parameters
    ----------
    action : str
        What was done last: "split", "collapse", "label", ...; "" if the node is only locked.
    reason, author, time : str or None
        Why, by whom and when (ISO 8601, UTC).
    locked : bool, default=False
        Whether edits and prunings leave the condition of the node as it is.
    label : object, optional
        The class or the number that the node predicts as a leaf, whatever its rows say.
    labelled : bool, default=False
        Whether there is a label.
    excluded : tuple of str, default=()
        Columns that no split from the node on may use.
    """

    action: str = ""
    reason: str | None = None
    author: str | None = None
    time: str | None = None
    locked: bool = False
    label: Any = None
    labelled: bool = False
    excluded: tuple[str, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether the condition, the end or the label of the node was set by hand."""
        return bool(self.action)

    def __str__(self) -> str:
        return f"set by hand: {self.reason}" if self.reason else "set by hand"


def same_places(old: TreeData, new: TreeData) -> Iterator[tuple[int, int]]:
    """Give the pairs of nodes at the same places of two trees, from the root down."""
    stack = [(0, 0)]
    while stack:
        one, other = stack.pop()
        yield one, other
        if old.data["n_children"][one] == new.data["n_children"][other]:
            first, second = int(old.data["first_child"][one]), int(new.data["first_child"][other])
            count = int(old.data["n_children"][one])
            stack += [(first + b, second + b) for b in range(count)]


Marks = Mapping[int, ByHand]
