"""Trees grown greedily, split by split: `TreeClassifier` and `TreeRegressor`.

Imports `trees.single`, pruning, splits and what lies below. Used by the other estimators: optimal
trees and mixtures start from greedy trees, boosted trees add them up.
"""

from __future__ import annotations

from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor

__all__ = ["TreeClassifier", "TreeRegressor"]
