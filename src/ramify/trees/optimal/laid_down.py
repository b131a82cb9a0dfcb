"""A beginning that is laid down, as the core takes it where branches are searched together.

A condition of more than two branches becomes its first branch and a rest. Invariant: part 0 is the
root, and parts come after those that hold them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ramify.tables import Schema
from ramify.tree.conditions import THRESHOLD
from ramify.trees.optimal.beginning import Beginning, Branch, Divided, Part, Ways
from ramify.trees.optimal.features import Splits


@dataclass(frozen=True)
class _Place:
    """What a part of the core stands for: of a condition, its branches from the `first` on."""

    part: Part
    first: int = 0


class LaidDown:
    """The parts of a beginning.

    Parameters
    ----------
    beginning : Beginning
    order : dict
        The order that predictions must keep, as the core takes it; may be empty.
    schema : Schema
    """

    def __init__(self, beginning: Beginning, order: dict[str, list[int]], schema: Schema) -> None:
        self._fixed, self._order, self._schema = beginning.fixed, order, schema
        self._places: list[_Place] = []
        self._below: list[list[int]] = []
        self._met: dict[tuple[int, int], int] = {}
        self._visit(_Place(beginning.root))
        last = len(self._places) - 1
        self._places.reverse()  # parts were met after those that they hold
        self._below = [[last - below for below in parts] for parts in self._below[::-1]]
        self.number_of = {id(one.part): p for p, one in enumerate(self._places) if not one.first}
        self._require_thresholds()

    def _visit(self, place: _Place) -> int:
        key = id(place.part), place.first
        if key not in self._met:
            below = [self._visit(one) for one in self._parts(place)]
            self._met[key] = len(self._places)
            self._places.append(place)
            self._below.append(below)
        return self._met[key]

    @staticmethod
    def _parts(place: _Place) -> list[_Place]:
        part = place.part
        if isinstance(part, Branch):
            return []
        if isinstance(part, Ways):
            return [_Place(one) for one in part.parts]
        rest = part.parts[place.first + 1 :]
        tail = _Place(rest[0]) if len(rest) == 1 else _Place(part, place.first + 1)
        return [_Place(part.parts[place.first]), tail]

    def _require_thresholds(self) -> None:
        signs = self._order.get("monotone", [])
        for kind, column, *_ in self._fixed:
            if signs and signs[column] and kind != THRESHOLD:
                name = self._schema.columns[column].name
                raise ValueError(
                    f"skeleton asks column {name!r} by levels, which are in no order, and monotone "
                    "names it; give a threshold instead, or leave the column out of monotone"
                )

    def _sign(self, fixed: int) -> dict[str, int]:
        """Give the column of a condition, and the order that its two branches must keep."""
        kind, column, threshold, missing_to, *_ = self._fixed[fixed]
        found = {"column": column, "sign": 0, "of_class": 0}
        signs = self._order.get("monotone", [])
        apart = threshold == np.inf and missing_to == 1  # it only asks whether the value is known
        if signs and kind == THRESHOLD and not apart:
            found |= {"sign": signs[column], "of_class": self._order["monotone_class"][column]}
        return found

    def parts(self, starts: bool = False, *, depth: int | None = None) -> list[dict[str, Any]]:
        """Give the parts as the core takes them. `depth`: the most that a branch may have."""
        n = len(self._schema)
        found: list[dict[str, Any]] = []
        for place, below in zip(self._places, self._below, strict=True):
            part = place.part
            if isinstance(part, Divided):
                found.append({"parts": below} | self._sign(part.fixed))
            elif isinstance(part, Ways):
                found.append({"parts": below})
            else:
                columns = part.columns
                deep = min(part.depth, max(len(part.rows) - 1, 0))
                found.append(
                    {
                        "rows": part.rows.astype(np.int32),
                        "depth": deep if depth is None else min(deep, depth),
                        "wanted": [] if columns is None else [j in columns for j in range(n)],
                        "start": [list(node) for node in part.start] if starts else [],
                    }
                )
        return found

    def part(self, number: int) -> Part:
        """Give the part of a number of the core."""
        return self._places[number].part

    def written(self, splits: Splits) -> Splits:
        """Write a tree of the core, whose conditions are parts, as :func:`beginning.write` does."""
        nodes: list[tuple[int, int, int, int]] = [(-1, 0, -1, -1)]
        queue = [(0, 0)]
        for at, own in queue:
            feature, code, left, right = splits[own]
            if feature == -1:
                continue
            below = [left, right]
            if feature < -1:
                part = self._places[-2 - feature].part
                assert isinstance(part, Divided)
                while len(below) < len(part.parts):  # the last one is a rest
                    _, _, left, right = splits[below.pop()]
                    below += [left, right]
                nodes[at] = -2 - part.fixed, 0, len(nodes), len(below)
            else:
                nodes[at] = feature, code, len(nodes), len(nodes) + 1
            queue += [(len(nodes) + b, one) for b, one in enumerate(below)]
            nodes += [(-1, 0, -1, -1)] * len(below)
        return nodes
