"""The options of the learners, for --learner and --learners."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from ramify.cli.files import load_tree
from ramify.cli.options import TREE, given, option
from ramify.steps.learners import Learner


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
    never_together: Annotated[
        list[str] | None,
        option(
            "Two columns that no path of the tree asks about together: age,debt. Repeat it for "
            "more pairs.",
            panel=TREE,
            metavar="COLUMN,COLUMN",
        ),
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
    sparsity: Annotated[
        float | None, "--learner optimal: the error that every leaf must save at least, like 0.01."
    ] = None
    objective: Annotated[
        str | None, "--learner optimal: what is best: least error, balanced_accuracy or f1."
    ] = None
    positive: Annotated[str | None, "--objective f1: the class whose F1 it is."] = None
    min_recall: Annotated[
        str | None,
        "--learner optimal: the least share of a class that must be found, like yes=0.8.",
    ] = None
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


def number_or_word(value: str) -> int | str:
    """Read a parameter that is a number or a word."""
    return int(value) if value.isdecimal() else value


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
