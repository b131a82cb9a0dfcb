"""The combinations on which growth must equal the oracle: criteria, weights, missing policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from helpers.growth_data import random_problem

CLASSIFICATION = (
    "gini",
    "entropy",
    "misclassification",
    "gini with costs",
    "gini with support",
    "callable",
    "generalized_gini",
    "gain_ratio",
    "gain_ratio with support",
    "distance",
    "maxdif",
    "maxdif with support",
    "mpi",
    "chi2",
)
BINARY = ("twoing", "twoing with support", "squared_gini")  # defined for two children only
TASKS = [(classes, criterion) for classes in (2, 3) for criterion in CLASSIFICATION]
TASKS += [(classes, criterion) for classes in (2, 3) for criterion in BINARY]
NUMBERS = ("squared_error", "absolute_error", "quantile", "poisson", "gamma", "moments")
# The order in which the levels of a nominal column are cut need not hold the best division.
HEURISTIC = ("absolute_error", "quantile", "moments")
TASKS += [(0, criterion) for criterion in NUMBERS]
WEIGHTS = ("none", "whole", "real", "zeros")
POLICIES = ("complete", "fractional", "separate", "direction")


def mixed(tasks: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any, str, str]]:
    """Give every task with every policy and all weights, but not with all pairs of these.

    From four tasks on, every weights meet every policy in some task.
    """
    return [
        (*task, WEIGHTS[(t + p) % len(WEIGHTS)], missing)
        for t, task in enumerate(tasks)
        for p, missing in enumerate(POLICIES)
    ]


task = pytest.mark.parametrize(("classes", "criterion"), TASKS)
weighting = pytest.mark.parametrize("weights", WEIGHTS)
policy = pytest.mark.parametrize("missing", POLICIES)


def made(seed: int, missing: str, **options):
    if missing != "complete":
        options |= {"missing": missing, "holes": options.get("holes", 0.2)}
    return random_problem(seed, **options)
