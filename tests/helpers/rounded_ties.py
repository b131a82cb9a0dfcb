"""Two trees that may differ where rounding decides.

A fit in memory adds floating-point numbers in the order of its rows, a fit out of core in fixed
point. So a decision may turn out either way if it is a tie but for the last digits. The rule: from
such a node on two trees are not compared, everywhere else they are the same. A decision is a tie if

- both splits gain the same, or a split gains as much as none, to nine digits of the impurity;
- a monotone constraint is met exactly: a child has the value of its sibling, or that of a bound;
- both divide the levels of one column under a monotone constraint: levels of equal means change
  places;
- best-first growth ends at a split that gains as much as another one that is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from helpers.scale_data import competitors
from ramify import _core

_DIGITS = 1e-9


def assert_same_but_for_ties(
    found: _core.Tree,
    expected: _core.Tree,
    *,
    monotone: Mapping[int, int] | None = None,
    weigh_gains: bool = True,
    limited: bool = False,
) -> int:
    """Compare two trees node by node, and give the number of ties that rounding decided."""
    compared = _Comparison(
        found.arrays(), expected.arrays(), dict(monotone or {}), weigh_gains, limited
    )
    compared.walk(0, 0, (-np.inf, np.inf))
    if not compared.ties:
        compared.order()
    return compared.ties


def _spread(values: Any) -> float:
    known = values[np.isfinite(values)]
    return float(np.ptp(known)) if len(known) else 0.0


class _Comparison:
    def __init__(
        self, a: Any, b: Any, monotone: dict[int, int], weigh_gains: bool, limited: bool
    ) -> None:
        self.a, self.b, self.monotone = a, b, monotone
        self.weigh_gains, self.limited = weigh_gains, limited
        self.scale = max(float(np.nan_to_num(b["impurity"][0])), _spread(_values(b)), 1e-6)
        self.ties = 0

    def walk(self, i: int, j: int, bounds: tuple[float, float]) -> None:
        a, b = self.a, self.b
        assert a["rows"][i] == b["rows"][j]
        np.testing.assert_allclose(a["weight"][i], b["weight"][j], rtol=1e-9)
        np.testing.assert_allclose(a["impurity"][i], b["impurity"][j], atol=_DIGITS * self.scale)
        if _condition(a, i) != _condition(b, j):
            assert self.tie(i, j, bounds), f"nodes {i} and {j} differ, and there is no tie"
            self.ties += 1
            return
        np.testing.assert_allclose(a["gain"][i], b["gain"][j], atol=_DIGITS * self.scale)
        self.compare_competitors(i, j)
        first, second = int(a["first_child"][i]), int(b["first_child"][j])
        inner = [bounds, bounds]
        sign = self.monotone.get(int(b["attribute"][j]), 0)
        if sign and b["kind"][j] and np.isfinite(b["threshold"][j]):
            values = _values(b)
            middle = (values[second] + values[second + 1]) / 2
            below, above = (bounds[0], min(bounds[1], middle)), (max(bounds[0], middle), bounds[1])
            inner = [below, above] if sign > 0 else [above, below]
        for k in range(int(a["n_children"][i])):
            self.walk(first + k, second + k, inner[k] if len(inner) > k else bounds)

    def compare_competitors(self, i: int, j: int) -> None:
        """Compare the best splits of the other columns: one column gains the same in both.

        Where a constraint refuses a split that meets a bound exactly, another one takes its place,
        with another gain; then those that are the same split gain the same.
        """
        one, two = competitors(self.a, i), competitors(self.b, j)
        if not self.monotone:
            assert one.keys() == two.keys()
        for column in one.keys() & two.keys():
            if not self.monotone or one[column][1:] == two[column][1:]:
                gains = one[column][0], two[column][0]
                np.testing.assert_allclose(*gains, atol=_DIGITS * self.scale)

    def tie(self, i: int, j: int, bounds: tuple[float, float]) -> bool:
        """Tell whether rounding alone decides between two splits of a node."""
        small = _DIGITS * self.scale
        if abs(self.a["gain"][i] - self.b["gain"][j]) <= small:
            return True
        if any(self.meets(tree, at, bounds) for tree, at in ((self.a, i), (self.b, j))):
            return True
        if self.monotone and self.divides_same_levels(i, j):
            return True
        if self.limited:
            least = min(self.priorities(self.a).min(), self.priorities(self.b).min())
            mine = max(self.priority(self.a, i), self.priority(self.b, j))
            return bool(mine <= least + small * max(1.0, self.b["weight"][0]))
        return False

    def divides_same_levels(self, i: int, j: int) -> bool:
        """Tell whether both divide the levels of one column.

        Where a constraint forbids the best cut in the order of the means, the place of levels with
        equal means decides what the next one is.
        """
        of_levels = all(
            tree["n_children"][at] and tree["level_start"][at] < tree["level_start"][at + 1]
            for tree, at in ((self.a, i), (self.b, j))
        )
        return bool(of_levels and self.a["attribute"][i] == self.b["attribute"][j])

    def meets(self, tree: Any, node: int, bounds: tuple[float, float]) -> bool:
        """Tell whether a split meets a monotone constraint exactly."""
        if not self.monotone or not tree["n_children"][node]:
            return False
        first = int(tree["first_child"][node])
        values = _values(tree)[first : first + int(tree["n_children"][node])]
        near = _DIGITS * self.scale
        at_bound = any(abs(value - bound) <= near for value in values for bound in bounds)
        ordered = int(tree["attribute"][node]) in self.monotone
        return at_bound or (ordered and abs(values[0] - values[1]) <= near)

    def priority(self, tree: Any, node: int) -> float:
        weight = tree["weight"][node] if self.weigh_gains else 1.0
        return float(tree["gain"][node] * weight)

    def priorities(self, tree: Any) -> np.ndarray:
        inner = np.flatnonzero(tree["n_children"] > 0)
        inner = inner[np.argsort(tree["expansion"][inner])]
        return np.array([self.priority(tree, int(node)) for node in inner] or [0.0])

    def order(self) -> None:
        """Compare the orders of growth: where they differ, priorities tie."""
        small = _DIGITS * self.scale * max(1.0, float(self.b["weight"][0]))
        np.testing.assert_allclose(self.priorities(self.a), self.priorities(self.b), atol=small)


def _values(tree: Any) -> np.ndarray:
    """Give what a monotone constraint is about: means, or shares of the second of two classes."""
    means: np.ndarray = tree["prediction"]
    if not np.isnan(means[0]):
        return means
    # Of one class there is nothing to order.
    shares: np.ndarray = tree["value"][:, min(1, tree["value"].shape[1] - 1)] / tree["value"].sum(
        axis=1
    )
    return shares


def _condition(tree: Any, node: int) -> tuple[Any, ...]:
    first, last = tree["level_start"][node : node + 2]
    return (
        int(tree["kind"][node]),
        int(tree["attribute"][node]),
        str(tree["threshold"][node]),
        int(tree["missing_to"][node]),
        tree["level_code"][first:last].tolist(),
        tree["level_branch"][first:last].tolist(),
    )
