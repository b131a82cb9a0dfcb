"""How many rows a node has, in words that add up.

A row with a missing value may be divided: a part of it goes down every branch. The parts of a node
add up to the rows of its parent; the different rows of the branches do not.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ramify.tree.data import TreeData
from ramify.tree.words import count_rows, grouped_number

#: Said once below a tree whose rows are divided.
DIVIDED = "Rows with a missing value are divided among branches; counts are sums of the parts."
_DIVIDED_WEIGHTS = (
    "Rows with a missing value are in several branches; their weights add up, their numbers do not."
)


class RowCounts:
    """The rows of every node in words.

    Parameters
    ----------
    tree : Tree
        The tree.
    different : bool
        Whether a node counts its different rows, with their weight beside, in place of the sum of
        their parts.
    """

    def __init__(self, tree: TreeData, *, different: bool = False) -> None:
        self._data = tree.data
        self._different = different

    @cached_property
    def divided(self) -> bool:
        """Whether some row is in several branches of a node."""
        parent, rows = self._data["parent"], self._data["rows"]
        if len(rows) < 2:
            return False
        below = np.bincount(parent[1:], weights=rows[1:], minlength=len(rows))
        return bool((below > rows)[self._data["n_children"] > 0].any())

    @cached_property
    def weighted(self) -> bool:
        """Whether rows have weights of their own, so that a weight is no number of rows."""
        rows, weight = self._data["rows"], self._data["weight"]
        if not math.isclose(weight[0], rows[0]):
            return True
        odd = weight > rows * (1 + 1e-9) + 1e-9 if self.divided else ~np.isclose(weight, rows)
        return bool(odd.any())

    @property
    def in_parts(self) -> bool:
        """Whether counts are sums of parts of rows."""
        return self.divided and not self.weighted and not self._different

    @property
    def note(self) -> str:
        """What is counted, if nobody asked for it and it needs a word; "" otherwise."""
        if self._different or not self.divided:
            return ""
        return DIVIDED if self.in_parts else _DIVIDED_WEIGHTS

    def rows(self, node: int) -> str:
        """Give the rows of a node: "88 rows", or "79.6 rows" if they are divided."""
        if self.in_parts:
            return count_parts(float(self._data["weight"][node]))
        return count_rows(int(self._data["rows"][node]))

    def weight(self, node: int, precision: int) -> str:
        """Give the weight of a node where it is not the number of its rows; "" otherwise."""
        rows, weight = int(self._data["rows"][node]), float(self._data["weight"][node])
        if self.in_parts or math.isclose(weight, rows):
            return ""
        return f"weight {grouped_number(weight, precision)}"

    def full(self, node: int, precision: int) -> str:
        """Give all there is to say: parts and different rows, or rows and weight."""
        rows = int(self._data["rows"][node])
        if self.in_parts and not math.isclose(self._data["weight"][node], rows):
            return f"{self.rows(node)}, parts of {count_rows(rows)}"
        weight = self.weight(node, precision)
        return self.rows(node) + (f", {weight}" if weight else "")


def count_parts(rows: float) -> str:
    """A sum of parts of rows in words.

    Examples
    --------
    >>> [count_parts(x) for x in (79.57, 12.0, 1.0, 0.2947, 0.013, 1234.56)]
    ['79.6 rows', '12 rows', '1 row', '0.3 rows', '0.013 rows', '1,234.6 rows']
    """
    whole = round(rows)
    if math.isclose(rows, whole, rel_tol=1e-9, abs_tol=1e-9):
        return count_rows(whole)
    if rows < 0.1:
        return f"{rows:.2g} rows"
    return f"{rows:,.1f} rows"
