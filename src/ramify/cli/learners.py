"""The learners by name, for --learner and --learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar

from ramify.cli.files import load_tree
from ramify.cli.options import TREE, Task, given


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


@dataclass(frozen=True)
class LearnerOptions:
    """The parameters of a learner; None leaves one as the learner has it."""

    PANEL: ClassVar = TREE

    pruning: Annotated[
        str | None,
        "How the tree is cut back: auto, none, cost_complexity, best_first, mdl... Default: auto; "
        "a classic has its own.",
    ] = None
    max_depth: Annotated[int | None, "At most this many questions on the way to a leaf."] = None
    max_leaves: Annotated[int | None, "At most this many leaves."] = None
    min_samples_leaf: Annotated[
        int | None,
        "At least this many rows in every leaf. Default: 1; if the target is a number, 20 (a tenth "
        "of the rows, if fewer than 200); other learners have their own.",
    ] = None
    min_weight_fraction_leaf: Annotated[
        float | None, "At least this share of all weight in every leaf, up to 0.5."
    ] = None
    monotone: Annotated[
        str | None,
        "Columns that the prediction never falls (+1) or rises (-1) with: age=+1,debt=-1. With "
        "three classes or more, name the class whose probability it is: age=+1:late.",
    ] = None
    criterion: Annotated[
        str | None, "What a split is measured by: gini, entropy, squared_error..."
    ] = None
    categorical_split: Annotated[
        str | None, "How categories are divided: auto, exact, multiway, merge, pc_ext..."
    ] = None
    selection: Annotated[
        str | None,
        "How the column of a split is chosen: criterion, conditional_inference, chaid or "
        "beyond_chance (no column wins by chance).",
    ] = None
    alpha: Annotated[
        float | None, "The largest p-value of a split by conditional inference or CHAID."
    ] = None
    growth: Annotated[str | None, "Which node is split next: depth_first or best_first."] = None
    missing: Annotated[
        str | None,
        "Where a row without a value goes: fractional (part of it down every branch), separate "
        "(a branch of its own) or direction (the better branch). Default: direction; a classic has "
        "its own.",
    ] = None
    missing_gain: Annotated[
        str | None, "Which rows count in the gain of a split with missing values: known or divided."
    ] = None
    missing_count: Annotated[
        str | None, "What a divided row counts for: parts (its weights) or pieces (1 each)."
    ] = None
    time_limit: Annotated[
        float | None, "Seconds for an optimal search, or for the folds of a pruning."
    ] = None
    features: Annotated[
        str | None, "--learner optimal: which questions it may ask: auto, binary, mid or all."
    ] = None
    n_thresholds: Annotated[
        str | None, "--learner optimal: thresholds of --features mid: a number, grow or mdl."
    ] = None
    threshold_impurity: Annotated[
        str | None, "--learner optimal: what ranks these thresholds: entropy or gini."
    ] = None
    start: Annotated[Path | None, "--learner optimal: start from the tree of this saved model."] = (
        None
    )
    upper_bound: Annotated[
        float | None, "--learner optimal: search only for trees with less error than this."
    ] = None

    def parameters(self) -> dict[str, Any]:
        """Give those that were set, as the learners take them."""
        found = given(vars(self))
        if self.n_thresholds is not None:
            found["n_thresholds"] = number_or_word(self.n_thresholds)
        if self.monotone is not None:
            found["monotone"] = read_signs(self.monotone)
        if self.start is not None:
            found["start"] = load_tree(self.start).tree_
        return found


def read_signs(text: str) -> dict[str, Any]:
    """Read ``age=+1,debt=-1:late``: signs, and classes if there are some, by column.

    Examples
    --------
    >>> read_signs("age=+1, debt=-1:late")
    {'age': 1, 'debt': (-1, 'late')}
    """
    found: dict[str, Any] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        column, equals, entry = part.rpartition("=")
        sign, colon, label = entry.partition(":")
        if not equals or sign.strip() not in ("1", "+1", "-1"):
            raise ValueError(
                f"--monotone: {part!r} is not column=+1 (never falls) or column=-1 (never rises), "
                "with :class after the sign if a class is meant"
            )
        if column in found:
            raise ValueError(f"--monotone names {column!r} twice")
        found[column] = (int(sign), label) if colon else int(sign)
    return found


# What `ramify.cli.classes` adds.
_OF_CLASSES = ("class_weight", "costs")


def number_or_word(value: str) -> int | str:
    """Read a parameter that is a number or a word."""
    return int(value) if value.isdecimal() else value


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


def read_learners(names: str) -> list[Learner]:
    """Read a list of names with commas between them."""
    found = []
    for name in filter(None, (part.strip().replace("-", "_") for part in names.split(","))):
        if name not in Learner.__members__:
            raise ValueError(f"--learners: {name!r} is not one of {', '.join(Learner.__members__)}")
        found.append(Learner(name))
    if len(set(found)) < len(found):
        raise ValueError("--learners names a learner twice")
    return found
