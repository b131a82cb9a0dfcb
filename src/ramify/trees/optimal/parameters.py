"""The parameters of optimal trees, each declared once."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from ramify.learning import parameters as check
from ramify.learning.clock import clock_of
from ramify.learning.common import CLASS_WEIGHT, COLUMNS, COSTS, MONOTONE, N_JOBS, UNSEEN
from ramify.learning.declared import Parameter, as_given, optional, unnamed
from ramify.learning.number_loss import LOSSES
from ramify.trees.greedy.constraints import read_exclude
from ramify.trees.greedy.skeleton import read_skeleton
from ramify.trees.optimal.given import GivenTree
from ramify.trees.optimal.loop import FEATURES
from ramify.trees.optimal.objective import OBJECTIVES, read_min_recall

_NAMED_NUMBERS = ("grow", "mdl")
_IMPURITIES = ("entropy", "gini")
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_DEFAULT_MEMORY = 10**9


def _is_integer(value: Any, *, least: int) -> bool:
    is_integer = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
    return is_integer and int(value) >= least


def _max_depth(name: str, value: Any) -> int:
    depth = check.limit(name, value, least=0)
    return depth if value is None else min(depth, check.UNLIMITED - 1)  # which limits, however deep


def check_limited(settings: dict[str, Any]) -> None:
    """Refuse a search of trees that nothing limits: neither depth, nor leaves, nor their price."""
    endless = settings["max_depth"] == settings["max_leaves"] == check.UNLIMITED
    if endless and not settings["sparsity"] > 0:
        raise ValueError(
            "max_depth=None needs a price or a largest number of leaves; choose sparsity above 0, "
            "max_leaves, or a max_depth"
        )


def _n_thresholds(name: str, value: Any) -> int | str:
    if isinstance(value, str) and value in _NAMED_NUMBERS:
        return value
    if not _is_integer(value, least=1):
        raise ValueError(
            f"{name}={value!r:.80} must be an integer of at least 1, 'grow' "
            "or 'mdl'; for all thresholds, choose features='all'"
        )
    return min(int(value), check.UNLIMITED)


def _start(name: str, value: Any) -> GivenTree | str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return check.choice(name, value, ("greedy",))
    return GivenTree.of(value)


def _memory(name: str, value: Any) -> int:
    """Read a size such as 500_000_000, "500MB" or "2 GiB"."""
    if value is None:
        return _DEFAULT_MEMORY
    if _is_integer(value, least=1):
        return min(int(value), check.UNLIMITED)
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", value)
        if found and found[2].upper() in _UNITS:
            size = float(found[1]) * _UNITS[found[2].upper()]
            if size >= 1:
                return int(size) if size < check.UNLIMITED else check.UNLIMITED
    raise ValueError(
        f"{name}={value!r:.80} must be None, a number of bytes, or a size such as "
        "'500MB', '2GB' or '1.5GiB'"
    )


def _callable(name: str, value: Any) -> Any:
    if not callable(value):
        raise ValueError(f"{name}={value!r:.80} must be None or a callable")
    return value


#: Parameters of both estimators, for classes and for numbers.
SHARED = (
    Parameter("max_depth", 3, "Largest depth", _max_depth),
    Parameter(
        "features",
        "auto",
        "The questions that a tree may ask",
        partial(check.choice, choices=FEATURES),
    ),
    Parameter("n_thresholds", 45, '"mid": the number of thresholds', _n_thresholds),
    Parameter("start", "greedy", '"greedy" starts from the tree of', _start),
    Parameter(
        "upper_bound",
        None,
        "Search only for trees whose objective",
        optional(partial(check.number, least=0.0), none=np.inf),
    ),
    Parameter("min_samples_leaf", 1, "Rows that every leaf needs", partial(check.rows, least=1)),
    Parameter("sparsity", 0.0, "Price of a leaf", partial(check.number, least=0.0)),
    Parameter("max_leaves", None, "Largest number of leaves.", partial(check.limit, least=1)),
    Parameter(
        "exclude",
        None,
        "Columns that no split may use; they stay columns of the table.",
        read_exclude,
        since=7,
    ),
    Parameter(
        "skeleton",
        None,
        "The beginning of the tree: conditions that are made whatever they gain.",
        read_skeleton,
        since=8,
    ),
    replace(MONOTONE, since=8),
    Parameter("time_limit", None, "Seconds for the whole fit", unnamed(clock_of), fresh=True),
    Parameter("memory_limit", None, "Memory of the search", _memory),
    Parameter(
        "validation_fraction",
        0.2,
        '``n_thresholds="grow"``: the share of the rows to hold out',
        optional(partial(check.part_of_rows, none="None or ")),
    ),
    UNSEEN,
    *COLUMNS,
    N_JOBS,
    Parameter("random_state", None, "Seed for choosing the held-out rows", unnamed(check.seed)),
    Parameter("on_progress", None, "Called as", optional(_callable)),
    Parameter(
        "verbose",
        False,
        "Whether to show error, bound and gap while the search runs.",
        check.boolean,
    ),
)
OF_CLASSES = (
    *SHARED,
    Parameter(
        "threshold_impurity",
        "entropy",
        '"mid": the impurity that ranks thresholds',
        partial(check.choice, choices=_IMPURITIES),
    ),
    COSTS,
    CLASS_WEIGHT,
    Parameter(
        "objective",
        "error",
        "What is minimised.",
        partial(check.choice, choices=OBJECTIVES),
        since=9,
    ),
    Parameter("positive", None, '"f1": the class', as_given, since=9),
    Parameter("min_recall", None, "Classes and the least share", read_min_recall, since=9),
)
OF_NUMBERS = (
    *SHARED,
    Parameter(
        "criterion",
        "squared_error",
        "What is minimised.",
        partial(check.choice, choices=tuple(LOSSES)),
        since=9,
    ),
    Parameter(
        "quantile",
        0.5,
        'The quantile that leaves predict if `criterion` is "quantile"',
        check.fraction,
        since=9,
    ),
)
#: Parameters of policy trees: those that make sense for rewards, with their own defaults.
_DEPTH = Parameter("max_depth", 2, "Largest depth", _max_depth)
_QUESTIONS = Parameter(
    "features",
    "all",
    "The questions that a tree may ask",
    partial(check.choice, choices=FEATURES),
)
_RANKED = Parameter(
    "n_thresholds", 45, '"mid": the number of thresholds', partial(check.whole, least=1)
)
_NOT_OF_POLICIES = {
    "skeleton",
    "monotone",
    "start",
    "upper_bound",
    "validation_fraction",
    "random_state",
}
OF_POLICIES = (
    _DEPTH,
    _QUESTIONS,
    _RANKED,
    *(one for one in SHARED[3:] if one.name not in _NOT_OF_POLICIES),
)
