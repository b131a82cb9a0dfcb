"""The best tree of the same depth that keeps to everything that is locked.

Invariant: a locked condition and the conditions on the way to it stay; every branch that is free
below them may be any tree that the depth allows, so that their least losses add up.
"""

from __future__ import annotations

import numpy as np

from ramify.edit.growing import Growing
from ramify.edit.price import Bound
from ramify.edit.state import State

_SECONDS = 60.0


class Bounds(Growing):
    """The proven best tree under the locks; not for direct use."""

    #: Seconds that all searches for a bound may take together.
    bound_seconds: float = _SECONDS

    def _bound(self, state: State) -> Bound:
        criterion = self._settings["criterion"]
        if state.tree.task == "regression" and criterion != "squared_error":
            raise ValueError(
                "bound=True: the best tree is searched for by squared errors, and the criterion is "
                f"{criterion!r}"
            )
        tree = state.tree
        data, depth = tree.data, max(1, tree.depth)
        kept = {0} if _has_lock(state, 0) else set()
        free: list[int] = []
        stack = [0]
        while stack:
            node = stack.pop()
            if not _has_lock(state, node):
                free.append(node)
                continue
            kept.add(node)
            first, count = int(data["first_child"][node]), int(data["n_children"][node])
            if not count:
                free.append(node)
            stack += range(first, first + count)
        loss = lower = self._cheapest()
        leaves, proven = 0, True
        total = self._target.total
        for node in free:
            _, target = self._rows_of(state, node)
            weight = target.total
            left = depth - int(data["depth"][node])
            closed = node in kept or left < 1 or len(target.y) < 2
            if closed or not np.ptp(target.y):
                rows = target.rows
                own = target.leaf_loss(rows) / total
                loss, lower, leaves = loss + own, lower + own, leaves + 1
                continue
            found = self._search_best(state, node, left, self.bound_seconds / len(free))
            loss += found.error_ * weight / total
            lower += found.lower_bound_ * weight / total
            leaves += found.tree_.n_leaves
            proven = proven and found.proven_optimal_
        return Bound(loss, min(loss, lower), proven, leaves)

    def _cheapest(self) -> float:
        """Give the mean cost of the cheapest answers, which the losses of the search leave out."""
        target = self._target
        if target.costs is None:
            return 0.0
        least = target.costs.min(axis=1)[target.y]
        return float(np.average(least, weights=target.weights))


def _has_lock(state: State, node: int) -> bool:
    marks = state.by_hand
    return any(at in marks and marks[at].locked for at in state.below(node))
