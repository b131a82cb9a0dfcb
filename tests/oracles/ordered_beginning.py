"""The best tree below a beginning whose predictions keep an order, by brute force.

Every tree of every branch is tried, every way of rows without a value that the skeleton leaves
open, and every division of the leaves. A condition with a threshold on a column that has an order
must keep it, as any other split.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oracles.fixed_beginning import Below
from oracles.monotone_optimal import TIE, Kind, MonotoneOracle, add_kind, join_kinds

Kinds = dict[int, list[Kind]]


@dataclass
class OrderedBelow:
    """The trees below a beginning; `oracle_of` gives the trees that ask some columns."""

    X: pd.DataFrame
    oracle_of: Callable[[tuple[str, ...]], MonotoneOracle]

    def kinds(self, node: dict[str, Any], rows: int, depth: int, columns: Any = None) -> Kinds:
        """Every tree that is not passed over, by its number of leaves."""
        columns = tuple(self.X) if columns is None else columns
        columns = tuple(c for c in columns if c in node.get("columns", columns))
        columns = tuple(c for c in columns if c not in node.get("exclude", ()))
        oracle = self.oracle_of(columns)
        if "column" not in node:
            return oracle.trees(rows, 0 if node.get("closed") else max(depth, 0))
        below = node.get("branches") or [node.get("left", {}), node.get("right", {})]
        known, missing = Below(self.X, lambda _: None).divide(node, rows, len(below))  # type: ignore[arg-type, return-value]
        to = {"left": 0, "right": 1}.get(node.get("missing"), node.get("missing"))
        if to is not None:
            known[to] |= missing
        kept = [b for b in known if known[b]]
        if len(kept) < 2:
            return self.kinds(below[kept[0]] if kept else {}, rows, depth, columns)
        sign, of_class = oracle.signs.get(node["column"], (0, 0))
        sign = sign if "threshold" in node else 0
        o = oracle.outputs.index(of_class) if sign else 0
        best: Kinds = {}
        for way in [None] if to is not None or not missing else kept:
            curves = [
                self.kinds(below[b], known[b] | (missing if b == way else 0), depth - 1, columns)
                for b in kept
            ]
            for sizes in product(*curves):
                for parts in product(*(curve[n] for curve, n in zip(curves, sizes, strict=True))):
                    if sign:
                        less, more = parts if sign > 0 else parts[::-1]
                        if less[2][o] > more[1][o] + TIE:
                            continue
                    whole = parts[0]
                    for part in parts[1:]:
                        whole = join_kinds(whole, part)
                    add_kind(best.setdefault(sum(sizes), []), whole)
        return best

    def objective(
        self, node: dict[str, Any], depth: int, *, sparsity: float = 0.0, max_leaves: int = 10**9
    ) -> float:
        """The least loss plus price of leaves; inf if no tree keeps the order."""
        found = {
            n: kinds
            for n, kinds in self.kinds(node, (1 << len(self.X)) - 1, depth).items()
            if kinds
        }
        # The leaves of the beginning are there whatever the limit.
        most = max(max_leaves, min(found, default=0))
        return min(
            (kind[0] + sparsity * n for n, kinds in found.items() if n <= most for kind in kinds),
            default=np.inf,
        )
