"""The rewards that a policy tree is made from: what every action brings in every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.folds import RowIndices
from ramify.learning.target import Target
from ramify.learning.weights import sample_weights
from ramify.tree.arrays import flat

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rewards:
    """Rewards of shape rows x actions, with weights of the rows and names of the actions."""

    values: Floats
    actions: NDArray[Any]
    weights: Floats | None = None

    @classmethod
    def read(cls, rewards: Any, n_rows: int, sample_weight: Any = None) -> Rewards:
        """Read a data frame or an array, and check it."""
        names = None
        if hasattr(rewards, "columns"):
            names = [str(name) for name in rewards.columns]
        values = np.asarray(rewards)
        if values.ndim != 2 or values.shape[1] < 1:
            raise ValueError(
                f"rewards has the shape {values.shape}; it must have one row for each row of X and "
                "one column for each action"
            )
        if len(values) != n_rows:
            raise ValueError(f"rewards has {len(values)} rows, but X has {n_rows}")
        try:
            values = np.ascontiguousarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError("rewards must be numbers") from None
        if not np.isfinite(values).all():
            row, action = np.argwhere(~np.isfinite(values))[0]
            raise ValueError(
                f"rewards must be finite, but row {row} has {values[row, action]} for action "
                f"{names[action] if names else action!s}"
            )
        if np.abs(values).max(initial=0.0) > 1e140:
            raise ValueError("rewards beyond 1e140 cannot be added up")
        actions = np.array(names) if names else np.arange(values.shape[1])
        if len(set(actions.tolist())) != len(actions):
            raise ValueError("rewards has two columns of the same name")
        return cls(values, actions, sample_weights(sample_weight, n_rows))

    @property
    def rows(self) -> RowIndices:
        """The rows of positive weight."""
        if self.weights is None:
            return np.arange(len(self.values))
        return np.flatnonzero(self.weights > 0)

    def take(self, rows: RowIndices) -> Rewards:
        """Give some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return Rewards(np.ascontiguousarray(self.values[rows]), self.actions, weights)

    @property
    def regrets(self) -> Floats:
        """What each action brings less than the best action of the row."""
        return np.asarray(self.values.max(axis=1, keepdims=True) - self.values)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self.values) if self.weights is None else self.weights.sum())

    @property
    def unit(self) -> float:
        """Price of a leaf at a sparsity of 1."""
        return self.total

    def core(self) -> dict[str, Any]:
        """Give the arguments of the core that describe the rewards."""
        return {
            "regrets": flat(self.regrets),
            "classes": len(self.actions),
            "weights": self.weights,
        }

    def target(self, chosen: NDArray[np.int32]) -> Target:
        """Give the action that was chosen for each row as a target of classes."""
        return Target(chosen, self.weights, self.actions, name="action")

    def best_actions(self) -> Target:
        """Give the best action of each row, the first of equals."""
        return self.target(self.values.argmax(axis=1).astype(np.int32))

    def mean(self, group: RowIndices | None = None) -> Floats:
        """Give the mean reward of each action, over some rows or all."""
        if group is None:
            return np.asarray(np.average(self.values, axis=0, weights=self.weights))
        weights = None if self.weights is None else self.weights[group]
        return np.asarray(np.average(self.values[group], axis=0, weights=weights))

    def least_regret(self, group: RowIndices) -> int:
        """Give the action of least regret for some rows, the first of equals."""
        regrets = self.values[group].max(axis=1, keepdims=True) - self.values[group]
        weights = np.ones(len(group)) if self.weights is None else self.weights[group]
        return int((weights @ regrets).argmin())
