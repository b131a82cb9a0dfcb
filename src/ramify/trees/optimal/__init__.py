"""Trees of least training error, with a proof.

The package imports `trees.single` and `trees.greedy`. Mixtures, files, show and the command line
use it.
"""

from __future__ import annotations

from ramify.trees.optimal.classifier import OptimalTreeClassifier
from ramify.trees.optimal.policy import PolicyTree
from ramify.trees.optimal.regressor import OptimalTreeRegressor

__all__ = ["OptimalTreeClassifier", "OptimalTreeRegressor", "PolicyTree"]
