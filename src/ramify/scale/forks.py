"""Where the rows go in a grown tree, as the kernel takes it, down to where something is wanted.

Invariant: a row goes where growth and the prunings in memory would send it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from ramify.scale.counting import Slot, TreeScan
from ramify.scale.whole_numbers import Form

#: In place of a branch of a level: its rows go where those without a value go.
AS_MISSING = -2
#: A condition that compares a number, or the place of a level, with a threshold.
THRESHOLD = 1
#: A condition with a branch for every level.
MULTIWAY = 3
_LEAF: tuple[Any, ...] = (0, -1, 0.0, -1, [], [], [])

Key = Hashable


@dataclass(frozen=True)
class Fork:
    """A condition.

    Parameters
    ----------
    kind, attribute : int
        By the core's numbers.
    threshold : float
    missing_to : int
        The branch of rows without a value; -1 if they are divided.
    branch_of_level : sequence of int
        Per level, its branch, `AS_MISSING`, or -1 for a level that no row has.
    children : sequence
        What the branches are, for whoever looks at them.
    shares : sequence of float
        The parts of the branches in a row that is divided.
    """

    kind: int
    attribute: int
    threshold: float
    missing_to: int
    branch_of_level: Sequence[int]
    children: Sequence[Key]
    shares: Sequence[float]


def scan_of(
    form: Form, root: Key, look: Callable[[Key], Fork | Slot | None]
) -> tuple[TreeScan, list[Key]]:
    """Give a scan of all rows, and whose slots it has.

    Parameters
    ----------
    form : Form
    root : object
        Where the rows begin.
    look : callable
        Tells of a place whether its rows go on, what is wanted of them, or None: nothing is.
    """
    routes: list[Any] = [None]
    slots: list[Slot] = []
    keys: list[Key] = []
    stack: list[tuple[int, Key]] = [(0, root)]
    while stack:
        place, key = stack.pop()
        found = look(key)
        if isinstance(found, Fork):
            children = [len(routes) + b for b in range(len(found.children))]
            routes += [None] * len(children)
            routes[place] = (
                found.kind,
                found.attribute,
                found.threshold,
                found.missing_to,
                list(found.branch_of_level),
                children,
                list(found.shares),
                -1,
            )
            stack += zip(children, found.children, strict=True)
            continue
        routes[place] = (*_LEAF, -1 if found is None else len(slots))
        if found is not None:
            slots.append(found)
            keys.append(key)
    scan = TreeScan(
        form.for_core, routes, form.grain_rows, form.least_fraction, slots, None, form.divides
    )
    return scan, keys
