"""The estimators."""

from ramify.trees._explain import Explanation
from ramify.trees.classifier import TreeClassifier
from ramify.trees.regressor import TreeRegressor

__all__ = ["Explanation", "TreeClassifier", "TreeRegressor"]
