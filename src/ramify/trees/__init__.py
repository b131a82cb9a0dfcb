"""The estimators."""

from ramify.trees._contributions import Contributions
from ramify.trees._explain import Explanation
from ramify.trees.boosted import BoostedTreesClassifier
from ramify.trees.classifier import TreeClassifier
from ramify.trees.mixture import MixtureOfExpertsClassifier
from ramify.trees.mixture_regressor import MixtureOfExpertsRegressor
from ramify.trees.optimal import OptimalTreeClassifier
from ramify.trees.optimal_regressor import OptimalTreeRegressor
from ramify.trees.regressor import TreeRegressor

__all__ = [
    "BoostedTreesClassifier",
    "Contributions",
    "Explanation",
    "MixtureOfExpertsClassifier",
    "MixtureOfExpertsRegressor",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "TreeClassifier",
    "TreeRegressor",
]
