"""Parameters that several families of estimators have, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.declared import Parameter, as_given, unnamed
from ramify.learning.monotone import read_monotone
from ramify.tables.parts import read_parts


def one_of(name: str) -> Callable[[str, Any], str]:
    """Give the check of a parameter whose choices the core lists."""
    return partial(check.choice, choices=tuple(_core.choices(name)))


#: The rules for missing values in trees that grow split by split.
MISSING_RULES = (
    Parameter(
        "missing",
        "fractional",
        "Where rows with a missing value go",
        one_of("missing"),
        core="missing",
    ),
    Parameter(
        "missing_gain",
        "known",
        '"fractional": how a split is scored if rows lack the attribute.',
        one_of("missing_gain"),
        core="missing_gain",
    ),
    Parameter(
        "missing_count",
        "parts",
        '"fractional": what a divided row counts for in `min_samples_split` and `min_samples_leaf`',
        one_of("missing_count"),
        core="missing_count",
    ),
)
UNSEEN = Parameter(
    "unseen", "missing", "What becomes of a level that was not seen in training", one_of("unseen")
)
#: How the columns of a table are read.
COLUMNS = (
    Parameter(
        "categorical_features",
        "from_dtype",
        "Columns to take as nominal, besides those whose type says so",
        as_given,
    ),
    Parameter(
        "date_parts",
        "auto",
        "Parts of dates that the tree may ask about, besides the date itself",
        unnamed(read_parts),
        since=6,
    ),
    Parameter(
        "min_level_count",
        1,
        "Levels of a nominal column with fewer rows than this are pooled in one level",
        partial(check.whole, least=0),
        since=6,
    ),
    Parameter(
        "identifiers",
        "warn",
        "What to do with columns that name the rows",
        partial(check.choice, choices=("warn", "drop", "keep")),
        since=6,
    ),
)


def _up_to_half(name: str, value: Any) -> float:
    """Read a share that two leaves can have: 0 to 0.5."""
    if not check.is_number(value) or not 0.0 <= float(value) <= 0.5:
        raise ValueError(f"{name}={value!r} must be a number from 0 to 0.5")
    return float(value)


LEAF_WEIGHT = Parameter(
    "min_weight_fraction_leaf",
    0.0,
    "Share of the weight of all rows that every leaf needs.",
    _up_to_half,
    core="min_weight_fraction_leaf",
    since=7,
)
MONOTONE = Parameter(
    "monotone",
    None,
    "Columns that the prediction never falls (1) or never rises (-1) with.",
    read_monotone,
    since=7,
)
N_JOBS = Parameter(
    "n_jobs", None, "Threads; None is 1, -1 is all.", unnamed(check.threads), core="threads"
)
COSTS = Parameter(
    "costs", None, "Cost of predicting the column's class where the row's is true", as_given
)
CLASS_WEIGHT = Parameter("class_weight", None, "Weights of the classes", as_given)


def check_missing_rules(settings: dict[str, Any]) -> None:
    """Refuse rules for divided rows if no rows are divided, since they would have no effect."""
    if settings["missing"] == "fractional":
        return
    for name, usual in (("missing_gain", "known"), ("missing_count", "parts")):
        if settings[name] != usual:
            raise ValueError(
                f"{name}={settings[name]!r} is a rule for divided rows, and "
                f"missing={settings['missing']!r} divides none; choose missing='fractional' or "
                f"{name}={usual!r}"
            )
