"""The estimators.

They import pruning, splits and the layers below. Presets, files, show and the command line use
them. `evaluate` and `export` take any object with the methods of an estimator.
"""

from ramify.trees.boosted.classifier import BoostedTreesClassifier
from ramify.trees.greedy.classifier import TreeClassifier
from ramify.trees.greedy.regressor import TreeRegressor
from ramify.trees.mixture.classifier import MixtureOfExpertsClassifier
from ramify.trees.mixture.regressor import MixtureOfExpertsRegressor
from ramify.trees.optimal.classifier import OptimalTreeClassifier
from ramify.trees.optimal.pareto import ParetoFront
from ramify.trees.optimal.policy import PolicyTree
from ramify.trees.optimal.rashomon import RashomonSet
from ramify.trees.optimal.regressor import OptimalTreeRegressor
from ramify.trees.single.contributions import Contributions
from ramify.trees.single.explain import Explanation

__all__ = [
    "BoostedTreesClassifier",
    "Contributions",
    "Explanation",
    "MixtureOfExpertsClassifier",
    "MixtureOfExpertsRegressor",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "ParetoFront",
    "PolicyTree",
    "RashomonSet",
    "TreeClassifier",
    "TreeRegressor",
]
