"""The estimators."""

from ramify.trees._contributions import Contributions
from ramify.trees._explain import Explanation
from ramify.trees.classifier import TreeClassifier
from ramify.trees.optimal import OptimalTreeClassifier
from ramify.trees.optimal_regressor import OptimalTreeRegressor
from ramify.trees.regressor import TreeRegressor

__all__ = [
    "Contributions",
    "Explanation",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "TreeClassifier",
    "TreeRegressor",
]
