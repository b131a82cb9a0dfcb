"""What the splits of a node by one column would gain: over its thresholds, or level by level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.edit.demands import LEAF
from ramify.edit.growing import Growing
from ramify.tree.conditions import Condition, Threshold, midpoint

Floats = NDArray[np.float64]
#: Points of a curve.
MOST_POINTS = 200
#: With a criterion of ranks, each point is a search of its own.
MOST_RANKED = 32


@dataclass(frozen=True, eq=False)
class GainCurve:
    """The gain of thresholds of an ordered column at a node.

    Parameters
    ----------
    column : str
    threshold, gain : ndarray
        Up to 200 thresholds, rising, and what each would gain. The best threshold is among them.
    best : Threshold or None
        The best split by the column; None if none is allowed.
    best_gain : float
        Its gain.
    """

    column: str
    threshold: Floats
    gain: Floats
    best: Condition | None
    best_gain: float


@dataclass(frozen=True)
class LevelShare:
    """One level of a nominal column at a node.

    Parameters
    ----------
    level : object
        The level; None for rows without a value.
    rows : int
        Rows that have it, in whole or in part.
    weight : float
        Their weight.
    shares : tuple of float
        The shares of the classes; empty in regression.
    mean : float or None
        The mean of the target; None for classes.
    branch : int or None
        The branch that it takes at the node now; None if the node does not ask for the column.
    best_branch : int or None
        The branch that it takes in the best split by the column.
    """

    level: Any
    rows: int
    weight: float
    shares: tuple[float, ...]
    mean: float | None
    branch: int | None
    best_branch: int | None


@dataclass(frozen=True, eq=False)
class LevelCurve:
    """The levels of a nominal column at a node, in the order of their target.

    Parameters
    ----------
    column : str
    levels : tuple of LevelShare
        By the share of the last class, of the class of the node if there are more than two, or by
        the mean. Rows without a value come last.
    best : Subset, Multiway or None
        The best split by the column; None if none is allowed.
    best_gain : float
        Its gain.
    """

    column: str
    levels: tuple[LevelShare, ...]
    best: Condition | None
    best_gain: float


class Curves(Growing):
    """Curves of one column; not for direct use."""

    def curve(self, node: int, column: str | int) -> GainCurve | LevelCurve:
        """Give what splits of a node by one column would gain.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        column : str or int
            Name of the column in the schema, or position in X.

        Returns
        -------
        GainCurve or LevelCurve
            Of a numeric or ordinal column the gain over the thresholds; of a nominal one its
            levels with their shares of the classes, or means.
        """
        node = self._node(node)
        names = self._columns("column", column)
        name = column if isinstance(column, str) and column in names else names[0]
        position = self.tree.schema.names.index(name)
        best, gain = None, 0.0
        for condition, of_column in self._best_splits(node):
            if condition.column == position:
                best, gain = condition, of_column
        if self.tree.schema.columns[position].kind == "nominal":
            return LevelCurve(name, self._levels(node, position, best), best, gain)
        threshold, gains = self._gains(node, position, best, gain)
        return GainCurve(name, threshold, gains, best, gain)

    def _gains(
        self, node: int, column: int, best: Condition | None, gain: float
    ) -> tuple[Floats, Floats]:
        values = self._values(node, column)
        nominal = self.tree.schema.columns[column].kind != "numeric"
        values = values[values >= 0] if nominal else values[~np.isnan(values)]
        present = np.unique(values)
        if len(present) < 2:
            return np.empty(0), np.empty(0)
        ranked = self._settings["criterion"] in ("absolute_error", "quantile")
        most = MOST_RANKED if ranked else MOST_POINTS
        places = np.unique(np.linspace(0, len(present) - 2, most - 1).round().astype(np.intp))
        pairs = zip(present[places].tolist(), present[places + 1].tolist(), strict=True)
        cuts = [low if nominal else midpoint(low, high) for low, high in pairs]
        if isinstance(best, Threshold) and np.isfinite(best.value):
            cuts.append(best.value)
        threshold = np.unique(np.array(cuts, dtype=np.float64))
        if ranked:
            gains = np.array([self._gain_of(node, column, one) for one in threshold.tolist()])
        else:
            gains = self._core.gains(self._state.version, node, column, threshold)
        if isinstance(best, Threshold):  # as the search sums it up
            gains[threshold == best.value] = gain
        return threshold, gains

    def _gain_of(self, node: int, column: int, threshold: float) -> float:
        root: _core.SkeletonNode = (1, column, threshold, -1, [], [1, 2], False, None)
        nodes = [root, LEAF, LEAF]
        made, _ = self._replaced(self._state, node, nodes, [-1, -1, -1], {})
        return float(made.tree.data["gain"][made.at(self._state.path(node))])

    def _levels(self, node: int, column: int, best: Condition | None) -> tuple[LevelShare, ...]:
        table, target = self._rows_of(self._state, node)
        codes = np.maximum(table.column(column), -1) + 1
        levels = (None, *self.tree.schema.columns[column].levels)
        n, weights = len(levels), target.row_weights()
        rows = np.bincount(codes, minlength=n)
        weight = np.bincount(codes, weights, minlength=n)
        shares = np.zeros((n, target.n_classes))
        with np.errstate(invalid="ignore", divide="ignore"):
            for label in range(target.n_classes):
                own = weights * (target.y == label)
                shares[:, label] = np.bincount(codes, own, minlength=n) / weight
            if target.n_classes:
                mean = None
                leading = 1 if target.n_classes == 2 else int(self.tree.shown_codes[node])
                key = shares[:, leading]
            else:
                mean = key = np.bincount(codes, weights * target.y, minlength=n) / weight
        now = self.tree.condition(node) if self._inner(node) else None
        order = sorted(np.flatnonzero(rows).tolist(), key=lambda i: (i == 0, key[i], i))
        return tuple(
            LevelShare(
                level=levels[i],
                rows=int(rows[i]),
                weight=float(weight[i]),
                shares=tuple(shares[i].tolist()),
                mean=None if mean is None else float(mean[i]),
                branch=_branch_of(now, column, levels[i]),
                best_branch=_branch_of(best, column, levels[i]),
            )
            for i in order
        )


def _branch_of(condition: Condition | None, column: int, level: Any) -> int | None:
    if condition is None or condition.column != column or isinstance(condition, Threshold):
        return None
    if level is None:
        return condition.missing_to
    for branch, levels in enumerate(condition.branches):
        if level in levels:
            return branch
    return None
