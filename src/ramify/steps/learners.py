"""The learners by name, and their settings where the user gave none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from ramify.steps.task import Task


class Learner(StrEnum):
    """How a tree is found."""

    greedy = "greedy"
    optimal = "optimal"
    cart = "cart"
    simple_cart = "simple_cart"
    twoing_cart = "twoing_cart"
    c45 = "c45"
    id3 = "id3"
    chaid = "chaid"
    ctree = "ctree"
    bftree = "bftree"


# What `ramify.steps.classes` adds.
_OF_CLASSES = ("class_weight", "costs")


# What the greedy learner of the command line takes where nothing is said, beside `pruning="auto"`:
# `experiments/fit_defaults.py` and `experiments/selection.py` compare these settings with others on
# held-out rows.
_MISSING_RULES = {"missing", "missing_gain", "missing_count"}
_LEAF_OF_NUMBERS = 20
_ROWS_FOR_A_LEAF = 10  # a small table has smaller leaves


def usual_settings(
    learner: Learner, task: Task, n_rows: int, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Give the settings of ``ramify fit`` where the user gave none."""
    found: dict[str, Any] = {}
    if learner is not Learner.greedy:
        return found
    if task is Task.classification and "selection" not in given:
        found["selection"] = "beyond_chance"
    if not _MISSING_RULES & given.keys():
        found["missing"] = "direction"
    if task is Task.regression and "min_samples_leaf" not in given:
        found["min_samples_leaf"] = max(1, min(_LEAF_OF_NUMBERS, n_rows // _ROWS_FOR_A_LEAF))
    return found


def make_learner(learner: Learner, task: Task, parameters: Mapping[str, Any]) -> Any:
    """Give an estimator with these parameters; an error names the option that does not fit."""
    import ramify

    regression = task is Task.regression
    name = "TreeRegressor" if regression else "TreeClassifier"
    kinds: dict[Learner, Callable[..., Any]] = {
        Learner.greedy: getattr(ramify, name),
        Learner.optimal: getattr(ramify, f"Optimal{name}"),
    }
    make = kinds.get(learner) or _preset(learner, task)
    known = make().get_params()
    wanted = dict(parameters)
    if "pruning" in known:
        usual = "auto" if learner is Learner.greedy else known["pruning"]
        wanted |= _pruning(wanted.pop("pruning", usual), wanted.pop("time_limit", None))
    if foreign := sorted(wanted.keys() - known.keys()):
        option = foreign[0].replace("_", "-")
        if foreign[0] in _OF_CLASSES and regression:
            raise ValueError(f"--{option} is for classes, and the target is a number")
        other = "greedy and the classics" if learner is Learner.optimal else "optimal"
        raise ValueError(f"--{option} does not go with --learner {learner}; it goes with {other}")
    return make(**wanted)


def _pruning(pruning: Any, time_limit: float | None) -> dict[str, Any]:
    """Give the pruning of the options: a name, "none", or the learner's own."""
    from dataclasses import replace

    from ramify.pruning.registry import NAMES, read_pruning

    if isinstance(pruning, str) and pruning not in NAMES:
        if pruning.lower() != "none":
            raise ValueError(
                f"--pruning: {pruning!r} is not one of none, {', '.join(sorted(NAMES))}"
            )
        pruning = None
    if time_limit is None:
        return {"pruning": pruning}
    limited = read_pruning(pruning)
    if not _cross_validates(limited):
        folded = [name for name, make in sorted(NAMES.items()) if _cross_validates(make())]
        raise ValueError(
            "--time-limit goes with --learner optimal, and with what cross-validates: --pruning "
            + ", ".join(folded)
        )
    return {"pruning": replace(limited, time_limit=time_limit)}


def _cross_validates(pruning: Any) -> bool:
    """Tell whether a pruning has folds that a time limit may cut short."""
    from ramify.pruning import ReducedError

    # Reduced-error pruning cross-validates only to choose a level; its name does not ask for that.
    return hasattr(pruning, "time_limit") and not isinstance(pruning, ReducedError)


def _preset(learner: Learner, task: Task) -> Callable[..., Any]:
    from functools import partial

    from ramify import presets

    make: Callable[..., Any] = getattr(presets, learner)
    numbers = (Learner.cart, Learner.chaid, Learner.ctree)
    if learner in numbers:
        return partial(make, task=str(task))
    if task is Task.regression:
        fitting = (Learner.greedy, Learner.optimal, *numbers)
        raise ValueError(f"--learner {learner} predicts classes; for numbers: {', '.join(fitting)}")
    return make
