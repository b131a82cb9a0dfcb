"""All trees near the best that have a beginning, or keep an order, by listing every tree.

A tree is its loss, its leaves, and the least and the largest answer of its leaves (the share of one
class, or the mean). Conditions of the beginning are there in any case; see `oracles.near_trees`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oracles.fixed_beginning import Below
from oracles.near_trees import NearOracle, Tree

TIE = 1e-9
Facts = tuple[float, int, float, float]  # loss, leaves, least and largest answer


@dataclass
class ConstrainedNear:
    """`signs` by name of a column; `of_class` is the class whose share is in order."""

    oracle: NearOracle
    X: pd.DataFrame
    signs: dict[str, int] = field(default_factory=dict)
    of_class: int = 1

    def answer(self, rows: int) -> float:
        at = self.oracle.index(rows)
        w, y = self.oracle.row_weights[at], self.oracle.y[at]
        return float(np.average(y == self.of_class if self.oracle.classes else y, weights=w))

    def sign(self, name: str, left: int, right: int) -> int:
        """1 if the left side must not answer more, -1 if the right, 0 if there is no order."""
        if not (sign := self.signs.get(name, 0)):
            return 0
        column = self.X[name]
        codes = column.cat.codes.where(column.notna()) if hasattr(column, "cat") else column
        sides = [codes.iloc[self.oracle.index(rows)].dropna() for rows in (left, right)]
        if not all(map(len, sides)):
            return 0
        return sign if sides[0].max() < sides[1].min() else -sign

    def facts(self, tree: Tree, rows: int) -> Facts | None:
        """None if the tree breaks the order."""
        if tree is None:
            value = self.answer(rows)
            return self.oracle.leaf(rows)[0], 1, value, value
        column, left, one, other = tree
        parts = self.facts(one, left), self.facts(other, rows & ~left)
        return self.join(self.sign(self.X.columns[column], left, rows & ~left), parts)

    def join(self, sign: int, parts: tuple[Facts | None, ...]) -> Facts | None:
        if any(part is None for part in parts):
            return None
        if sign:
            less, more = parts if sign > 0 else parts[::-1]
            if less[3] > more[2] + TIE:  # type: ignore[index]
                return None
        losses, leaves, low, high = zip(*parts, strict=True)  # type: ignore[arg-type]
        return sum(losses), sum(leaves), min(low), max(high)

    def trees(
        self, node: dict[str, Any], rows: int, depth: int, columns: Any = None
    ) -> list[Facts]:
        columns = tuple(self.X) if columns is None else columns
        columns = tuple(c for c in columns if c not in node.get("exclude", ()))
        if "column" not in node:
            kept = [c for c, j in enumerate(self.oracle.owner) if self.X.columns[j] in columns]
            oracle = replace(
                self.oracle,
                columns=[self.oracle.columns[c] for c in kept],
                owner=[self.oracle.owner[c] for c in kept],
            )
            some = oracle.trees(rows, 0 if node.get("closed") else max(depth, 0))
            return [facts for tree in some if (facts := self.facts(tree, rows)) is not None]
        below = node.get("branches") or [node.get("left", {}), node.get("right", {})]
        known, missing = Below(self.X, lambda _: None).divide(node, rows, len(below))  # type: ignore[arg-type, return-value]
        to = {"left": 0, "right": 1}.get(node.get("missing"), node.get("missing"))
        if to is not None:
            known[to] |= missing
        kept = [b for b in known if known[b]]
        if len(kept) < 2:
            return self.trees(below[kept[0]] if kept else {}, rows, depth, columns)
        sign = self.signs.get(node["column"], 0) if "threshold" in node else 0
        found = []
        for way in [None] if to is not None or not missing else kept:
            sides = [known[b] | (missing if b == way else 0) for b in kept]
            lists = [
                self.trees(below[b], side, depth - 1, columns)
                for b, side in zip(kept, sides, strict=True)
            ]
            joined = (self.join(sign, parts) for parts in product(*lists))
            found += [facts for facts in joined if facts is not None]
        return found

    def near(
        self,
        node: dict[str, Any],
        depth: int,
        epsilon: float,
        *,
        sparsity: float = 0.0,
        max_leaves: int = 10**9,
    ) -> list[tuple[float, int]]:
        """Objective and leaves of all trees within `epsilon` of the best, best first."""
        found = self.trees(node, self.oracle.all, depth)
        most = max(max_leaves, min((n for _, n, *_ in found), default=0))
        listed = [(loss + sparsity * n, n) for loss, n, *_ in found if n <= most]
        best = min((objective for objective, _ in listed), default=np.inf)
        kept = [one for one in listed if one[0] <= best + epsilon + 1e-9]
        return sorted(kept, key=lambda one: (round(one[0], 7), one[1]))
