"""Trees of least training error, with a proof."""

from __future__ import annotations

from ramify.trees.optimal.classifier import OptimalTreeClassifier
from ramify.trees.optimal.regressor import OptimalTreeRegressor

__all__ = ["OptimalTreeClassifier", "OptimalTreeRegressor"]
