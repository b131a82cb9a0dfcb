"""The parameters of boosted trees, each declared once, and checks of their combinations."""

from __future__ import annotations

from functools import partial
from typing import Any

from ramify.learning import parameters as check
from ramify.learning.clock import clock_of
from ramify.learning.common import (
    CLASS_WEIGHT,
    COLUMNS,
    LEAF_WEIGHT,
    MISSING_RULES,
    MONOTONE,
    N_JOBS,
    UNSEEN,
    check_missing_rules,
)
from ramify.learning.declared import Parameter, as_given, optional, unnamed
from ramify.trees.boosted.algorithms import ALGORITHMS
from ramify.trees.boosted.leaves import read_sizes
from ramify.trees.greedy.parameters import (
    CATEGORICAL_SPLITS,
    CRITERIA,
    INTERACTIONS,
    NUMBER_CRITERIA,
    NUMBER_SPLITS,
)


def _z_max(name: str, value: Any) -> float:
    if not check.number(name, value, least=0.0) > 0:
        raise ValueError(f"{name}={value!r} must be a number above 0")
    return float(value)


PARAMETERS = (
    Parameter(
        "algorithm",
        "logit",
        '"logit" (LogitBoost) maximises the log-likelihood by Newton steps',
        partial(check.choice, choices=tuple(ALGORITHMS)),
    ),
    Parameter("n_rounds", 200, "Number of rounds.", partial(check.whole, least=1)),
    Parameter("learning_rate", 0.3, "Factor of every round", check.probability),
    Parameter("criterion", "auto", "How well a split of a tree separates the classes", as_given),
    Parameter("max_leaves", 8, "Largest number of leaves of a tree", unnamed(read_sizes)),
    Parameter("folds", 5, "Folds of the cross-validation", unnamed(check.folds)),
    Parameter(
        "max_depth",
        None,
        "Largest depth of a tree",
        partial(check.limit, least=1),
        core="max_depth",
    ),
    Parameter(
        "min_samples_leaf",
        1,
        "Rows that every leaf needs",
        partial(check.rows, least=1),
        core="min_samples_leaf",
    ),
    LEAF_WEIGHT,
    MONOTONE,
    Parameter("z_max", 4.0, 'Largest working response of "logit"', _z_max),
    Parameter(
        "weight_trimming",
        0.0,
        "Share of all weight that is left out of a tree",
        partial(check.fraction, zero=True),
    ),
    Parameter(
        "n_iter_no_change",
        None,
        "Stop after this many rounds without a lower loss on held-out rows",
        optional(partial(check.limit, least=1)),
    ),
    Parameter(
        "validation_fraction",
        0.1,
        "Fraction of the rows of each class to hold out",
        check.fraction,
    ),
    Parameter(
        "tol",
        1e-7,
        "A loss counts as lower only if it fell by more than this.",
        partial(check.number, least=0.0),
    ),
    Parameter(
        "categorical_split",
        "auto",
        "How the levels of a nominal column are divided",
        as_given,
    ),
    INTERACTIONS,
    *MISSING_RULES,
    UNSEEN,
    CLASS_WEIGHT,
    *COLUMNS,
    Parameter(
        "time_limit",
        None,
        "Seconds after which no new round begins",
        unnamed(clock_of),
        fresh=True,
    ),
    N_JOBS,
    Parameter("random_state", None, "Seed of folds", unnamed(check.seed), core="seed"),
    Parameter("verbose", False, "Whether to show a progress bar.", check.boolean),
)


def check_together(settings: dict[str, Any]) -> None:
    """Refuse what does not fit the algorithm, and rules that would have no effect."""
    of_classes = ALGORITHMS[settings["algorithm"]].of_classes
    splits = CATEGORICAL_SPLITS if of_classes else NUMBER_SPLITS
    check.choice("categorical_split", settings["categorical_split"], splits)
    check_criterion(settings["criterion"], settings["algorithm"])
    check_missing_rules(settings)


def check_criterion(criterion: Any, algorithm: str) -> None:
    """Refuse criteria that do not fit the algorithm, and say why."""
    of_classes = ALGORITHMS[algorithm].of_classes
    choices = ("auto", *(CRITERIA if of_classes else ("squared_error",)))
    if (callable(criterion) and of_classes) or (
        isinstance(criterion, str) and criterion in choices
    ):
        return
    given = f"criterion={criterion!r:.80} with algorithm={algorithm!r}"
    known = isinstance(criterion, str) and criterion in (*CRITERIA, *NUMBER_CRITERIA)
    if not known and not callable(criterion):
        raise ValueError(f"{given} is not valid; choose from {', '.join(choices)}")
    if of_classes:
        raise ValueError(
            f"{given}: its trees predict classes, and that criterion is for numbers; choose from "
            f"{', '.join(choices)}"
        )
    raise ValueError(
        f"{given}: its trees are weighted least squares fits of numbers (Newton steps) and have no "
        "classes to separate; choose 'auto' or 'squared_error', or algorithm 'real' or 'discrete', "
        "whose trees take every criterion for classes"
    )
