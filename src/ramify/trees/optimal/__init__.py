"""Trees of least training error, with a proof.

Imports `trees.single` and `trees.greedy`. Used by mixtures, files, show and the command line.
"""

from __future__ import annotations

from ramify.trees.optimal.classifier import OptimalTreeClassifier
from ramify.trees.optimal.regressor import OptimalTreeRegressor

__all__ = ["OptimalTreeClassifier", "OptimalTreeRegressor"]
