"""The parameters of greedy trees, each declared once.

To add a growth parameter: declare it here, write it in the signature and the docstring of the
estimators that take it, and name the field in the core's ``GrowParameters``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.common import (
    CLASS_WEIGHT,
    COLUMNS,
    COSTS,
    LEAF_WEIGHT,
    MISSING_RULES,
    MONOTONE,
    N_JOBS,
    UNSEEN,
    one_of,
)
from ramify.learning.declared import Parameter, optional, unnamed
from ramify.learning.number_loss import LOSSES
from ramify.pruning.bottom_up import ErrorBased
from ramify.pruning.path import GROWTHS
from ramify.pruning.registry import read_pruning
from ramify.splits.merge import read_categorical_split
from ramify.trees.greedy.constraints import read_exclude, read_interactions
from ramify.trees.greedy.skeleton import read_skeleton

CRITERIA = tuple(_core.criterion_names())
NUMBER_CRITERIA = tuple(LOSSES)
CATEGORICAL_SPLITS = (*_core.nominal_search_names(), "multiway")
NUMBER_SPLITS = ("auto", "exact", "multiway")


def _criterion(name: str, value: Any, *, choices: tuple[str, ...]) -> Any:
    """Read a criterion: a name, or a callable on the class weights or moments of the children."""
    return value if callable(value) else check.choice(name, value, choices)


def _categorical_split(choices: tuple[str, ...]) -> Callable[[str, Any], Any]:
    """Give the reader of `categorical_split` for these choices and "merge"."""
    return lambda name, value: read_categorical_split(value, (*choices, "merge"))


#: Boosted trees have it, too.
INTERACTIONS = Parameter(
    "interactions",
    None,
    "Groups of columns that may meet on a path.",
    read_interactions,
    since=6,
)
#: The parameters that trees for classes and for numbers share.
SHARED = (
    Parameter(
        "selection",
        "criterion",
        "How the attribute of a split is chosen.",
        one_of("selection"),
        core="selection",
    ),
    Parameter(
        "ties",
        "auto",
        "Which of several splits with the same score is made.",
        one_of("ties"),
        core="ties",
        since=7,
    ),
    Parameter(
        "alpha",
        0.05,
        "A node stays a leaf if its smallest p-value is above this.",
        check.probability,
        core="alpha",
    ),
    Parameter(
        "bonferroni",
        True,
        "Whether p-values allow for the number of tests.",
        check.boolean,
        core="bonferroni",
    ),
    Parameter(
        "significance",
        None,
        "Attributes whose p-value at a node is above this are skipped there.",
        optional(partial(check.probability, none="None or "), none=1.0),
        core="significance",
    ),
    Parameter(
        "min_second_value",
        0,
        "Nominal attributes whose second most frequent level at a node has fewer rows than this "
        "are skipped there",
        partial(check.number, least=0.0),
        core="min_second_value",
    ),
    Parameter(
        "growth",
        "depth_first",
        "The order of expansion.",
        partial(check.choice, choices=GROWTHS),
    ),
    Parameter("pruning", None, "How the grown tree is cut back", unnamed(read_pruning)),
    Parameter(
        "max_depth",
        None,
        "Largest depth; 0 is a single leaf.",
        partial(check.limit, least=0),
        core="max_depth",
    ),
    Parameter(
        "max_leaves",
        None,
        "Largest number of leaves.",
        partial(check.limit, least=1),
        core="max_leaves",
    ),
    Parameter(
        "max_expansions",
        None,
        "Largest number of splits.",
        partial(check.limit, least=0),
        core="max_expansions",
    ),
    Parameter(
        "min_samples_split",
        2,
        "Rows that a node needs to be split.",
        partial(check.rows, least=2),
        core="min_samples_split",
    ),
    Parameter(
        "min_samples_leaf",
        1,
        "Rows that every child needs.",
        partial(check.rows, least=1),
        core="min_samples_leaf",
    ),
    Parameter(
        "min_weight_split",
        0.0,
        "Weight that a node needs to be split.",
        partial(check.number, least=0.0),
        core="min_weight_split",
    ),
    LEAF_WEIGHT,
    MONOTONE,
    Parameter(
        "abandon_small",
        False,
        "Whether a node stays a leaf if its best split has a child of fewer than "
        "`min_samples_leaf` rows",
        check.boolean,
        core="abandon_small",
    ),
    Parameter(
        "min_gain",
        0.0,
        "Score that a split needs.",
        partial(check.number, least=-1.0),
        core="min_gain",
    ),
    INTERACTIONS,
    Parameter(
        "exclude",
        None,
        "Columns that no split may use; they stay columns of the table.",
        read_exclude,
        since=6,
    ),
    Parameter(
        "skeleton",
        None,
        "The beginning of the tree: conditions that are made whatever they gain.",
        read_skeleton,
        since=6,
    ),
    *MISSING_RULES,
    UNSEEN,
    *COLUMNS,
    N_JOBS,
    Parameter(
        "random_state",
        None,
        "Seed of what is drawn at random",
        unnamed(check.seed),
        core="seed",
    ),
    Parameter(
        "n_permutations",
        0,
        "How often every split is searched for on shuffled targets",
        partial(check.whole, least=0),
    ),
    Parameter(
        "verbose", False, "Whether to show how far cross-validation has come.", check.boolean
    ),
)
OF_CLASSES = (
    Parameter(
        "criterion",
        "gini",
        "How well a split separates the classes",
        partial(_criterion, choices=CRITERIA),
    ),
    Parameter(
        "categorical_split",
        "auto",
        "How the levels of a nominal column are divided.",
        _categorical_split(CATEGORICAL_SPLITS),
    ),
    *SHARED,
    Parameter(
        "numeric_penalty",
        False,
        'Whether "gain_ratio" lowers the information gain of a threshold by log2(cuts) / N',
        check.boolean,
        core="numeric_penalty",
    ),
    Parameter(
        "small_branches",
        False,
        "Whether a multiway split needs `min_samples_leaf` rows in only two of its branches",
        check.boolean,
        core="small_branches",
    ),
    Parameter(
        "min_support",
        0,
        "Least weight of a child's largest class",
        partial(check.number, least=0.0),
    ),
    COSTS,
    CLASS_WEIGHT,
)
OF_NUMBERS = (
    Parameter(
        "criterion",
        "squared_error",
        "What a split reduces.",
        partial(_criterion, choices=NUMBER_CRITERIA),
    ),
    Parameter(
        "quantile",
        0.5,
        'The quantile that leaves predict if `criterion` is "quantile"',
        check.fraction,
        since=6,
    ),
    Parameter(
        "categorical_split",
        "auto",
        "How the levels of a nominal column are divided.",
        _categorical_split(NUMBER_SPLITS),
    ),
    *SHARED,
)


def check_selection(settings: dict[str, Any]) -> None:
    """Refuse CHAID's selection unless levels are merged."""
    split, merge = settings["categorical_split"]
    if settings["selection"] == "chaid" and merge is None:
        raise ValueError(
            f"selection='chaid' needs merged levels, not categorical_split={split!r}; choose "
            "categorical_split='merge' or a MergeLevels of ramify.splits"
        )


def check_monotone(settings: dict[str, Any]) -> None:
    """Refuse what cannot keep monotone columns."""
    if not any(sign for column, sign, _ in settings["monotone"] if column is not None):
        return
    if settings["criterion"] == "absolute_error":
        raise ValueError(
            "monotone does not go with criterion='absolute_error', whose leaves are medians; "
            "choose criterion='squared_error'"
        )
    pruning = settings["pruning"]
    if isinstance(pruning, ErrorBased) and pruning.raising:
        raise ValueError(
            "monotone does not go with pruning=ErrorBased(raising=True): a branch that is raised "
            "gets rows it was not grown on; choose ErrorBased(raising=False)"
        )
