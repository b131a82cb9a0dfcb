"""The golden cases: which estimator, with which parameters, on which table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from sklearn.base import is_classifier

import ramify
from golden.tables import example
from ramify import TreeClassifier, TreeRegressor, presets
from ramify.pruning import BestFirst, CostComplexity, CriticalValue, ErrorBased, ReducedError

SOME = ("mixed", "holes", "two classes", "numbers", "ties", "levels")


@dataclass(frozen=True)
class Case:
    """An estimator to be fitted to a table, with its weights or without."""

    name: str
    estimator: Any
    table: str
    weighted: bool = False

    def fit(self) -> Any:
        """Fit it."""
        given = example(self.table)
        y = given.labels if is_classifier(self.estimator) else given.numbers
        if self.weighted:
            return self.estimator.fit(given.X, y, sample_weight=given.weights)
        return self.estimator.fit(given.X, y)


def cases() -> Iterator[Case]:
    """Give all of them."""
    yield from _criteria()
    yield from _searches()
    yield from _growth()
    yield from _regression()
    yield from _prunings()
    yield from _presets()
    yield from _others()


def _criteria() -> Iterator[Case]:
    names = ("gini", "entropy", "gain_ratio", "distance", "twoing", "generalized_gini", "maxdif",
             "mpi", "chi2", "squared_gini", "chi2_cut")  # fmt: skip
    for criterion, table in product(names, SOME):
        tree = TreeClassifier(criterion=criterion, max_depth=5)
        yield Case(f"criterion {criterion} {table}", tree, table, weighted=table == "numbers")


def _searches() -> Iterator[Case]:
    names = (
        "multiway", "exact", "pc", "pc_ext", "shi", "sliq", "sliq_ext", "flip_flop", "twoing",
        "hypercube_cover", "largest_class_alone", "list_scheduling", "greedy_cut", "gw_cut",
    )  # fmt: skip
    for search, table in product(names, ("mixed", "holes", "levels")):
        if search == "exact" and table == "levels":
            continue  # not proven within its work limit, and slow
        tree = TreeClassifier(categorical_split=search, max_depth=4, random_state=0)
        yield Case(f"search {search} {table}", tree, table)


def _growth() -> Iterator[Case]:
    settings: dict[str, dict[str, Any]] = {
        "full": {},
        "leaves": {"max_leaves": 6},
        "best first": {"growth": "best_first", "max_expansions": 7},
        "unweighted": {"growth": "best_first_unweighted", "max_leaves": 8},
        "small": {"min_samples_leaf": 9, "min_samples_split": 25},
        "abandon": {"min_samples_leaf": 4, "abandon_small": True},
        "gain": {"min_gain": 0.01},
        "support": {"criterion": "maxdif", "min_support": 0.05, "min_gain": -1.0, "max_depth": 4},
        "inference": {"selection": "conditional_inference"},
        "filters": {"significance": 0.1, "min_second_value": 8},
        "separate": {"missing": "separate"},
        "direction": {"missing": "direction"},
        "majority": {"unseen": "majority", "class_weight": "balanced"},
        "penalty": {"criterion": "gain_ratio", "numeric_penalty": True, "small_branches": True},
    }
    for (name, given), table, weighted in product(settings.items(), SOME, (False, True)):
        yield Case(
            f"grow {name} {table}{' w' * weighted}", TreeClassifier(**given), table, weighted
        )
    costs = [[0, 1, 5], [1, 0, 1], [2, 1, 0]]
    for table in ("mixed", "holes"):
        yield Case(f"grow costs {table}", TreeClassifier(costs=costs, max_depth=4), table)
    yield Case("grow tiny tiny", TreeClassifier(), "tiny")


def _regression() -> Iterator[Case]:
    settings: dict[str, dict[str, Any]] = {
        "squared": {"max_depth": 5},
        "full": {},
        "absolute": {"criterion": "absolute_error", "max_depth": 4},
        "quantile": {"criterion": "quantile", "quantile": 0.8, "max_depth": 4},
        "best first": {"growth": "best_first", "max_leaves": 7},
        "inference": {"selection": "conditional_inference"},
        "separate": {"missing": "separate", "max_depth": 4},
        "direction": {"missing": "direction", "max_depth": 4},
        "multiway": {"categorical_split": "multiway", "max_depth": 3},
        "leaf": {"min_samples_leaf": 10},
    }
    for (name, given), table, weighted in product(settings.items(), SOME, (False, True)):
        yield Case(
            f"regress {name} {table}{' w' * weighted}", TreeRegressor(**given), table, weighted
        )


def _prunings() -> Iterator[Case]:
    both = {
        "auto": "auto",
        "cost 1se": CostComplexity(rule="1se"),
        "cost min": CostComplexity(rule="min", folds=5),
        "critical": CriticalValue(),
        "reduced": ReducedError(),
        "error": ErrorBased(),
    }
    best = {
        "post": BestFirst(stage="post"),
        "pre": BestFirst(stage="pre", rule="1se"),
        "rmse": BestFirst(error="rmse"),
    }
    for (name, pruning), table in product((both | best).items(), SOME):
        growth = "best_first" if name in best else "depth_first"
        tree = TreeClassifier(pruning=pruning, growth=growth, random_state=0)
        yield Case(f"prune {name} {table}", tree, table, weighted=table == "mixed")
    for (name, pruning), table in product(both.items(), ("mixed", "holes", "numbers")):
        if name != "error":
            tree = TreeRegressor(pruning=pruning, random_state=0)
            yield Case(f"prune {name} {table} numbers", tree, table)


def _presets() -> Iterator[Case]:
    for name, table in product(presets.__all__, SOME):
        yield Case(f"preset {name} {table}", getattr(presets, name)(random_state=0), table)


def _others() -> Iterator[Case]:
    for features, table in product(("auto", "mid", "all"), ("mixed", "holes", "numbers", "ties")):
        tree = ramify.OptimalTreeClassifier(max_depth=2, features=features, random_state=0)
        yield Case(f"optimal {features} {table}", tree, table, weighted=table == "mixed")
    yield Case("optimal binary binary", ramify.OptimalTreeClassifier(features="binary"), "binary")
    yield Case("optimal sparse binary", ramify.OptimalTreeClassifier(sparsity=0.02), "binary", True)
    for table in ("mixed", "numbers", "binary"):
        tree = ramify.OptimalTreeRegressor(max_depth=2, random_state=0)
        yield Case(f"optimal regress {table}", tree, table)
    for algorithm, table in product(
        ("logit", "gentle", "real", "discrete"), ("two classes", "holes")
    ):
        boosted = ramify.BoostedTreesClassifier(
            algorithm=algorithm, n_rounds=8, max_leaves=4, random_state=0
        )
        yield Case(f"boosted {algorithm} {table}", boosted, table, weighted=table == "holes")
    for table in ("mixed", "holes", "numbers"):
        mixture = ramify.MixtureOfExpertsClassifier(depth=1, max_iter=15, random_state=0)
        yield Case(f"mixture {table}", mixture, table)
        regressor = ramify.MixtureOfExpertsRegressor(depth=1, max_iter=15, random_state=0)
        yield Case(f"mixture regress {table}", regressor, table)
