"""Random parameters of every estimator, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ramify import presets

Choices = dict[str, list[Any]]

_TABLE: Choices = {
    "date_parts": [None, ["month", "weekday"], ["hour"]],
    "min_level_count": [2, 3],
    "identifiers": ["drop", "keep"],
    "random_state": [0, 7],
}
_MISSING: Choices = {
    "missing": ["fractional", "separate", "direction"],
    "missing_gain": ["divided"],
    "missing_count": ["pieces"],
    "unseen": ["majority", "error"],
}
_GREEDY: Choices = {
    "selection": ["conditional_inference", "beyond_chance", "criterion"],
    "ties": ["first", "balanced"],
    "alpha": [0.0, 0.3, 1.0],
    "bonferroni": [False],
    "significance": [0.1, 0.9],
    "min_second_value": [1, 3],
    "growth": ["best_first", "best_first_unweighted"],
    "pruning": [
        "auto",
        "cost_complexity",
        "best_first",
        "critical_value",
        "reduced_error",
        "mdl",
        {"is": "CostComplexity", "folds": 3, "rule": "min"},
        {"is": "CostComplexity", "alpha": 0.05},
        {"is": "BestFirst", "stage": "post", "folds": 3},
        {"is": "BestFirst", "stage": "pre", "folds": 2},
        {"is": "CriticalValue", "folds": 2},
        {"is": "ReducedError"},
    ],
    "max_depth": [0, 1, 2, 4],
    "max_leaves": [1, 2, 5],
    "max_expansions": [0, 1, 3],
    "min_samples_split": [2, 5, 0.2],
    "min_samples_leaf": [2, 4, 0.1],
    "min_weight_split": [1.5],
    "min_weight_fraction_leaf": [0.05, 0.5],
    "abandon_small": [True],
    "min_gain": [-1.0, 0.01, 1e-9],
    **_MISSING,
    **_TABLE,
    "n_permutations": [2],
}
_CLASSES: Choices = {
    "criterion": [
        "gini", "entropy", "gain_ratio", "distance", "twoing", "generalized_gini", "maxdif", "mpi",
        "chi2", "squared_gini", "chi2_cut", "misclassification", {"is": "callable"},
    ],
    "categorical_split": [
        "multiway", "merge", "exact", "two_class", "pc", "pc_ext", "shi", "sliq", "sliq_ext",
        "flip_flop", "twoing", "hypercube_cover", "largest_class_alone", "list_scheduling",
        "greedy_cut", "greedy_cut_once", "gw_cut", {"is": "MergeLevels", "alpha": 0.4},
        {"is": "MergeLevels", "exhaustive": True},
    ],
    "numeric_penalty": [True],
    "small_branches": [True],
    "min_support": [1, 2.5, 0.1],
    "class_weight": ["balanced"],
}  # fmt: skip
_NUMBERS: Choices = {
    "criterion": ["squared_error", "absolute_error", "quantile", "poisson", "gamma"],
    "quantile": [0.1, 0.8],
    "categorical_split": ["multiway", "exact", "merge"],
}
_OPTIMAL: Choices = {
    "max_depth": [0, 1, 2, 3, None],
    "features": ["mid", "all", "auto"],
    "n_thresholds": [3, 8, "mdl", "grow"],
    "validation_fraction": [None, 0.4],
    "start": [None],
    "upper_bound": [0.1, 0.4],
    "min_samples_leaf": [2, 0.1],
    "sparsity": [0.01, 0.3],
    "max_leaves": [1, 3],
    "unseen": ["majority", "error"],
    **_TABLE,
}
_BOOSTED: Choices = {
    "algorithm": ["logit", "gentle", "real", "discrete"],
    "learning_rate": [1.0, 0.1],
    "max_leaves": [2, 3, [2, 4]],
    "max_depth": [1, 2],
    "min_samples_leaf": [2],
    "z_max": [1.0, 1000.0],
    "weight_trimming": [0.1],
    "n_iter_no_change": [1],
    "categorical_split": ["multiway", "exact"],
    "class_weight": ["balanced"],
    **_MISSING,
    **_TABLE,
}
_MIXTURE: Choices = {
    "depth": [0, 1, 2],
    "branching": [2, 3],
    "penalty": [0.0, 10.0],
    "gate_penalty": [0.0, 10.0],
    "init": ["random"],
    "solver": ["newton", "lbfgs"],
    "early_stopping": [True],
    "tol": [0.0, 0.1],
    **_TABLE,
}

#: Each estimator: how often it is drawn, how often one of its parameters is, and their choices.
ESTIMATORS: dict[str, tuple[float, float, Choices]] = {
    "TreeClassifier": (40, 0.13, _GREEDY | _CLASSES),
    "TreeRegressor": (25, 0.13, _GREEDY | _NUMBERS),
    "OptimalTreeClassifier": (
        6,
        0.25,
        _OPTIMAL
        | {
            "class_weight": ["balanced"],
            "objective": ["balanced_accuracy", "f1", "f1"],
            "threshold_impurity": ["gini"],
        },
    ),
    "OptimalTreeRegressor": (
        4,
        0.25,
        _OPTIMAL
        | {
            "criterion": ["absolute_error", "quantile", "poisson", "gamma"],
            "quantile": [0.1, 0.8],
        },
    ),
    "BoostedTreesClassifier": (5, 0.15, _BOOSTED),
    "MixtureOfExpertsClassifier": (2, 0.2, _MIXTURE),
    "MixtureOfExpertsRegressor": (2, 0.2, _MIXTURE),
} | {f"presets.{name}": (2, 0.05, _MISSING | _TABLE) for name in presets.__all__}
#: What keeps a fit short; drawn parameters come on top.
SHORT: dict[str, dict[str, Any]] = {
    "OptimalTreeClassifier": {"max_depth": 2, "time_limit": 8},
    "OptimalTreeRegressor": {"max_depth": 2, "time_limit": 8},
    "BoostedTreesClassifier": {"n_rounds": 4},
    "MixtureOfExpertsClassifier": {"depth": 1, "max_iter": 4},
    "MixtureOfExpertsRegressor": {"depth": 1, "max_iter": 4},
}


def one(rng: np.random.Generator, items: list[Any]) -> Any:
    """Draw an item as it is."""
    return items[int(rng.integers(len(items)))]


def draw_parameters(rng: np.random.Generator, estimator: str) -> dict[str, Any]:
    """Some parameters, most of which are known to go together."""
    _, often, choices = ESTIMATORS[estimator]
    found = dict(SHORT.get(estimator, {}))
    for name, values in choices.items():
        if rng.random() < often:
            found[name] = one(rng, values)
    for name, needs in _NEEDS.items():
        if name in found and not needs(found):
            del found[name]
    if "max_depth" in found and found["max_depth"] is None and "sparsity" not in found:
        found.setdefault("max_leaves", 3)
    return found


def _fractional(given: dict[str, Any]) -> bool:
    return given.get("missing", "fractional") == "fractional"


def _grows(given: dict[str, Any]) -> bool:
    return given.get("n_thresholds") == "grow"


#: Parameters that are refused without others; they go where those are lacking.
_NEEDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "missing_gain": _fractional,
    "missing_count": _fractional,
    "validation_fraction": _grows,
}
