"""Estimators of every kind, with parameters that take different paths."""

from __future__ import annotations

from ramify import (
    BoostedTreesClassifier,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from ramify.pruning import BestFirst

ESTIMATORS = [
    TreeClassifier(),
    TreeClassifier(criterion="entropy", growth="best_first", max_leaves=12),
    TreeClassifier(missing="separate"),
    TreeClassifier(missing="direction", class_weight="balanced"),
    TreeClassifier(criterion="misclassification", categorical_split="multiway", unseen="majority"),
    TreeClassifier(pruning="auto"),
    TreeClassifier(pruning="error_based", categorical_split="multiway"),
    TreeClassifier(pruning="reduced_error"),
    TreeClassifier(pruning="mdl"),
    TreeRegressor(),
    TreeRegressor(pruning=BestFirst(stage="pre"), growth="best_first"),
    TreeRegressor(growth="best_first", max_leaves=40, missing="direction"),
    TreeRegressor(criterion="absolute_error"),
    TreeRegressor(criterion="quantile", quantile=0.8),
    TreeRegressor(pruning="mdl"),
    TreeRegressor(missing="separate", categorical_split="multiway", n_jobs=2),
    OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=8),
    OptimalTreeClassifier(max_depth=2, n_thresholds="grow", time_limit=1.0),
    OptimalTreeRegressor(max_depth=2, features="mid", n_thresholds=8, start=None),
    BoostedTreesClassifier(n_rounds=20),
    BoostedTreesClassifier(algorithm="gentle", n_rounds=10, weight_trimming=0.1),
    BoostedTreesClassifier(algorithm="real", n_rounds=20, missing="separate"),
    BoostedTreesClassifier(algorithm="real", criterion="entropy", n_rounds=5, max_leaves=[2, 4]),
    BoostedTreesClassifier(algorithm="discrete", n_rounds=20, n_iter_no_change=5),
]
