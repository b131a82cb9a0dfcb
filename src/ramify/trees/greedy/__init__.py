"""Trees grown greedily.

Imports `trees.single` and splits. Used by the other estimators, which start from such trees or sum
them.
"""

from __future__ import annotations

from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor

__all__ = ["TreeClassifier", "TreeRegressor"]
