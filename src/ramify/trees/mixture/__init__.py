"""Hierarchical mixtures of experts."""

from __future__ import annotations

from ramify.trees.mixture.classifier import MixtureOfExpertsClassifier
from ramify.trees.mixture.regressor import MixtureOfExpertsRegressor

__all__ = ["MixtureOfExpertsClassifier", "MixtureOfExpertsRegressor"]
