"""The best tree below a beginning that is laid down, by brute force.

A skeleton is a dict as users write it. Rows are bits of an integer, as in `oracles.optimal`. Every
tree of every branch is tried, every way of rows without a value that the skeleton leaves open, and
every division of the leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oracles.optimal import Losses, Oracle

Sides = dict[int, int]  # branch -> rows


@dataclass
class Below:
    """The trees below a beginning; `oracle_of` gives the trees that ask some columns."""

    X: pd.DataFrame
    oracle_of: Callable[[tuple[str, ...]], Oracle]

    def losses(self, node: dict[str, Any], rows: int, depth: int, columns: Any = None) -> Losses:
        """The least loss for each number of leaves."""
        columns = tuple(self.X) if columns is None else columns
        if "columns" in node:
            columns = tuple(c for c in columns if c in node["columns"])
        if "exclude" in node:
            columns = tuple(c for c in columns if c not in node["exclude"])
        if "column" not in node:
            deep = 0 if node.get("closed") else max(depth, 0)
            return dict(self.oracle_of(columns).losses(rows, deep))
        below = node.get("branches") or [node.get("left", {}), node.get("right", {})]
        known, missing = self.divide(node, rows, len(below))
        to = {"left": 0, "right": 1}.get(node.get("missing"), node.get("missing"))
        if to is not None:
            known[to] |= missing
        kept = [b for b in known if known[b]]
        if len(kept) < 2:
            after = below[kept[0]] if kept else {}
            return self.losses(after, rows, depth, columns)
        best: Losses = {}
        for way in [None] if to is not None or not missing else kept:
            curves = [
                self.losses(below[b], known[b] | (missing if b == way else 0), depth - 1, columns)
                for b in kept
            ]
            for parts in product(*(curve.items() for curve in curves)):
                leaves = sum(n for n, _ in parts)
                best[leaves] = min(best.get(leaves, np.inf), sum(loss for _, loss in parts))
        return best

    def divide(self, node: dict[str, Any], rows: int, branches: int) -> tuple[Sides, int]:
        """The rows of every branch, and those without a value."""
        cells = self.X[node["column"]]
        sides = dict.fromkeys(range(branches), 0)
        missing = 0
        for row in range(len(cells)):
            if not rows >> row & 1:
                continue
            cell = cells.iloc[row]
            if pd.isna(cell):
                missing |= 1 << row
            else:
                sides[self.side(node, cell)] |= 1 << row
        return sides, missing

    def side(self, node: dict[str, Any], cell: Any) -> int:
        """The branch of a value."""
        if "threshold" in node:
            dtype = self.X[node["column"]].dtype
            if isinstance(dtype, pd.CategoricalDtype):
                order = list(dtype.categories)
                return int(order.index(cell) > order.index(node["threshold"]))
            return int(cell > node["threshold"])
        levels = node["levels"]
        nested = levels if isinstance(levels[0], list) else [levels]
        return next((b for b, names in enumerate(nested) if cell in names), node.get("other", 1))
