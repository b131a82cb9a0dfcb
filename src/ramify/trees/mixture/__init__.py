"""Hierarchical mixtures of experts.

The package imports `trees.greedy`, `trees.single` and the features of `trees.optimal`. `files` uses
it.
"""

from __future__ import annotations

from ramify.trees.mixture.classifier import MixtureOfExpertsClassifier
from ramify.trees.mixture.regressor import MixtureOfExpertsRegressor

__all__ = ["MixtureOfExpertsClassifier", "MixtureOfExpertsRegressor"]
