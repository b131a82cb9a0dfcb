"""Trees grown greedily."""

from __future__ import annotations

from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor

__all__ = ["TreeClassifier", "TreeRegressor"]
