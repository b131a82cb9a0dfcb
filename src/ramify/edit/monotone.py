"""The order that `monotone` asks for, in a tree that is edited.

Invariant: of two leaves that a split by a monotone column parts, the one on the side that must not
be larger never is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.monotone import monotone_signs
from ramify.tree import Tree
from ramify.tree.conditions import THRESHOLD

Floats = NDArray[np.float64]
_ROUNDING = 1e-9


class Order:
    """What `monotone` asks for.

    Parameters
    ----------
    settings : dict
        The settings of the estimator.
    tree : Tree
        A tree with its columns and classes.
    """

    def __init__(self, settings: dict[str, Any], tree: Tree) -> None:
        entries = settings["monotone"]
        signs = monotone_signs(entries, tree.schema, tree.classes, merges=False) if entries else {}
        self.asked = bool(signs)
        if not self.asked:
            return
        self._signs: list[int] = list(signs["monotone"])
        places = signs["monotone_class"] if tree.classes is not None else [0] * len(self._signs)
        #: What is in order: shares of classes by their codes, or the one number.
        self._outputs: list[int] = []
        self._output_of: dict[int, int] = {}
        for column, sign in enumerate(self._signs):
            if sign == 0:
                continue
            if places[column] not in self._outputs:
                self._outputs.append(places[column])
            self._output_of[column] = self._outputs.index(places[column])

    def bounds(self, tree: Tree, node: int) -> list[float]:
        """Give the least and the largest value of each output that may be below a node."""
        if not self.asked:
            return []
        low, high = self._ranges(tree)
        data, bounds = tree.data, [[-np.inf, np.inf] for _ in self._outputs]
        at = node
        while (parent := int(data["parent"][at])) >= 0:
            sign, output = self._sign(tree, parent)
            if sign:
                first = int(data["first_child"][parent])
                other = first + 1 if at == first else first
                if (at == first) == (sign > 0):
                    bounds[output][1] = min(bounds[output][1], low[other, output])
                else:
                    bounds[output][0] = max(bounds[output][0], high[other, output])
            at = parent
        return [float(bound) for pair in bounds for bound in pair]

    def require(self, tree: Tree) -> None:
        """Refuse a tree whose leaves are not in order."""
        if not self.asked:
            return
        low, high = self._ranges(tree)
        for node in np.flatnonzero(tree.data["n_children"] == 2).tolist():
            sign, output = self._sign(tree, node)
            if not sign:
                continue
            first = int(tree.data["first_child"][node])
            less, more = (first, first + 1) if sign > 0 else (first + 1, first)
            if high[less, output] > low[more, output] + _ROUNDING * (1 + abs(low[more, output])):
                way = "rise" if sign > 0 else "fall"
                name = tree.condition(node).attribute
                raise ValueError(
                    f"monotone asks the answer to {way} with {name!r}, and below node {node} it "
                    "would not; choose another condition, or edit an estimator without monotone"
                )

    def _sign(self, tree: Tree, node: int) -> tuple[int, int]:
        data = tree.data
        column = int(data["attribute"][node])
        apart = data["threshold"][node] == np.inf and data["missing_to"][node] == 1
        if data["kind"][node] != THRESHOLD or apart or column not in self._output_of:
            return 0, 0
        return self._signs[column], self._output_of[column]

    def _ranges(self, tree: Tree) -> tuple[Floats, Floats]:
        """Give per node the least and the largest value of the leaves below it."""
        data = tree.data
        if tree.task == "classification":
            with np.errstate(invalid="ignore", divide="ignore"):
                shares = data["value"] / data["weight"][:, np.newaxis]
            values = shares[:, self._outputs]
        else:
            values = np.array(tree.predictions, dtype=np.float64)[:, np.newaxis]
        low, high = values.copy(), values.copy()
        for node in np.flatnonzero(data["n_children"])[::-1].tolist():
            first = int(data["first_child"][node])
            branches = slice(first, first + int(data["n_children"][node]))
            low[node], high[node] = low[branches].min(axis=0), high[branches].max(axis=0)
        return low, high
