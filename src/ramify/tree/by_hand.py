"""What a person has set in a tree: marks of single nodes, and the records of all edits.

Invariant: a mark belongs to a node and says nothing of its rows; a tree that is cut back keeps the
marks of the nodes that stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ramify.tables.values import Unsaveable, decode, encode
from ramify.tree.arrays import Arrays

#: The action of an answer that nobody set by hand: the search for the tree chose it.
CHOSEN = "objective"


@dataclass(frozen=True)
class ByHand:
    """What a person has set at a node.

    Parameters
    ----------
    action : str
        What was done last: "split", "collapse", "label", ...; "" if the node is only locked, or
        only keeps columns out; "objective" if not a person set the answer of the leaf, but the
        search for an optimal tree under `min_recall`.
    reason, author, time : str or None
        Why, by whom and when (ISO 8601, UTC).
    locked : bool, default=False
        Whether edits and prunings leave the condition of the node as it is.
    labelled : bool, default=False
        Whether the leaf has an answer that was set by hand.
    label : object, optional
        That answer: a class, a number, or None for no answer. The probabilities stay those of the
        rows.
    excluded : tuple of str, default=()
        Columns that no split from the node on may use.
    """

    action: str = ""
    reason: str | None = None
    author: str | None = None
    time: str | None = None
    locked: bool = False
    labelled: bool = False
    label: Any = None
    excluded: tuple[str, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether the condition, the end or the answer of the node was set by hand."""
        return bool(self.action)

    @property
    def what(self) -> str:
        """Who set it, in words."""
        return "chosen" if self.action == CHOSEN else "set by hand"

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}" if self.reason else self.what


@dataclass(frozen=True)
class EditRecord:
    """What was done to a tree, as the model keeps it.

    Parameters
    ----------
    action : str
        The method of the editor: "split", "collapse", ...
    node : int
        The node, by its number before the edit.
    arguments : dict
        The other arguments.
    price : dict
        The numbers of the price: training and held-out losses before and after, leaves.
    reason, author : str or None
    time : str or None
        When: ISO 8601, UTC.
    """

    action: str
    node: int
    arguments: dict[str, Any] = field(default_factory=dict, hash=False)
    price: dict[str, Any] = field(default_factory=dict, hash=False)
    reason: str | None = None
    author: str | None = None
    time: str | None = None


def carried(marks: Mapping[int, ByHand], old: Arrays, new: Arrays) -> dict[int, ByHand]:
    """Give the marks of the nodes that another tree has at the same places, with the same split."""
    found: dict[int, ByHand] = {}
    stack = [(0, 0)]
    while stack:
        one, other = stack.pop()
        count = int(old["n_children"][one])
        if count != int(new["n_children"][other]):
            continue
        if one in marks:
            found[other] = marks[one]
        first, second = int(old["first_child"][one]), int(new["first_child"][other])
        stack += [(first + b, second + b) for b in range(count)]
    return found


# --- as JSON ------------------------------------------------------------------------------------


def write_marks(marks: Mapping[int, ByHand]) -> list[dict[str, Any]]:
    """Give the marks as JSON, without what is as usual."""
    return [{"node": node, **_written(marks[node], ByHand())} for node in sorted(marks)]


def write_history(history: tuple[EditRecord, ...]) -> list[dict[str, Any]]:
    """Give the records as JSON."""
    empty = EditRecord("", -1)
    return [
        {"action": record.action, "node": record.node, **_written(record, empty)}
        for record in history
    ]


def _written(one: Any, usual: Any) -> dict[str, Any]:
    values = {part.name: getattr(one, part.name) for part in fields(one)}
    return {
        name: _encoded(value) for name, value in values.items() if value != getattr(usual, name)
    }


def _encoded(value: Any) -> Any:
    try:
        return encode(value)
    except Unsaveable:  # a level of an unusual type: it is a record, so its words will do
        return repr(value)


def read_marks(given: Any, n_nodes: int) -> dict[int, ByHand]:
    """Undo `write_marks`; a ValueError names what is wrong."""
    marks: dict[int, ByHand] = {}
    for i, entry in enumerate(_list(given, "by_hand")):
        place = f"by_hand[{i}]"
        node = entry.pop("node", None) if isinstance(entry, dict) else None
        if type(node) is not int or not 0 <= node < n_nodes or node in marks:
            raise ValueError(f"{place}.node={node!r:.80} is not a node, or is named twice")
        marks[node] = ByHand(**_read(entry, ByHand(), place))
    return marks


def read_history(given: Any) -> tuple[EditRecord, ...]:
    """Undo `write_history`; a ValueError names what is wrong."""
    found = []
    for i, entry in enumerate(_list(given, "history")):
        values = _read(entry, EditRecord("", -1), f"history[{i}]")
        if not values.keys() >= {"action", "node"}:
            raise ValueError(f"history[{i}] must have an action and a node")
        found.append(EditRecord(**values))
    return tuple(found)


def _list(given: Any, place: str) -> list[Any]:
    if not isinstance(given, list):
        raise ValueError(f"{place} must be a list")
    return [dict(entry) if isinstance(entry, dict) else entry for entry in given]


_TYPES: dict[str, tuple[type, ...]] = {
    "action": (str,),
    "reason": (str,),
    "author": (str,),
    "time": (str,),
    "locked": (bool,),
    "labelled": (bool,),
    "excluded": (tuple,),
    "node": (int,),
    "arguments": (dict,),
    "price": (dict,),
}


def _read(entry: Any, usual: Any, place: str) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise ValueError(f"{place} must be an object")
    known = {part.name for part in fields(usual)}
    values = {}
    for name, given in entry.items():
        if name not in known:
            raise ValueError(f"{place} has an unknown entry {name!r:.80}")
        value = decode(given, f"{place}.{name}")
        if name in _TYPES and type(value) not in _TYPES[name]:
            raise ValueError(f"{place}.{name}={value!r:.80} is not of the right type")
        if name == "excluded" and not all(isinstance(column, str) for column in value):
            raise ValueError(f"{place}.excluded must be names of columns")
        values[name] = value
    return values
