"""What exports refuse. Every message says what is wrong and what to do."""

from __future__ import annotations

from typing import Any, NoReturn

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.model import TableModel
from ramify.tables import ColumnSchema
from ramify.tables.levels import Level
from ramify.tree import Tree

OUTPUTS = ("label", "probability", "leaf")


class ExportError(ValueError):
    """The tree cannot be written in the form that was asked for; the message says what to do."""


def tree_of(model: Any, *, abstains: bool = False) -> Tree:
    """The tree of a fitted estimator, or a tree itself, if the form can express it.

    `abstains` says that the form can say that a tree gives no answer.
    """
    tree = getattr(model, "tree_", model)
    if not isinstance(tree, Tree):
        _refuse_model(model)
    if tree.abstains and not abstains:
        raise ExportError(
            "this tree abstains where its costs say so, which this export cannot express; fit it "
            "with square costs, or predict with ramify; to_dot, rules and model files can say it"
        )
    return tree


def _refuse_model(model: Any) -> NoReturn:
    pipeline = isinstance(model, Pipeline)
    if isinstance(model, BaseEstimator) and not pipeline:
        check_is_fitted(model)
    if isinstance(model, TableModel) and model.exported_instead:
        raise ExportError(
            f"a {type(model).__name__} is not one tree and has no export; "
            f"{model.exported_instead} has one"
        )
    raise TypeError(
        f"cannot export a {type(model).__name__}: give a fitted tree of ramify, or its tree_"
        + ("; of a pipeline, its last step" if pipeline else "")
    )


def how_to_install(extra: str) -> str:
    """The command that installs what a form needs."""
    return f"pip install 'ramify[{extra}]'"


def check_output(tree: Tree, output: Any) -> str:
    """Give the output if this kind of tree has it."""
    chosen = check.choice("output", output, OUTPUTS)
    if chosen == "probability" and tree.classes is None:
        raise ValueError("output='probability' needs a tree of classes; choose from label, leaf")
    return chosen


def plain_levels(column: ColumnSchema, form: str, types: tuple[type, ...]) -> list[Level]:
    """Give the levels of a column if all are of the types that a form can hold."""
    for level in column.levels:
        if type(level) not in types:
            raise ExportError(
                f"column {column.name!r} has the level {level!r:.80} of type "
                f"{type(level).__name__}, which {form} cannot compare; levels may be "
                f"{', '.join(one.__name__ for one in types)}. Convert the column before fit."
            )
    return list(column.levels)


def exact_number(level: float, form: str) -> float:
    """Give a level that is a number as a float64, if there is one that equals it."""
    try:
        if float(level) == level:
            return float(level)
    except OverflowError:
        pass
    raise ExportError(
        f"the level {level!r} is no float64, and {form} compares no other numbers; convert the "
        "column to strings before fit"
    )


def plain_classes(classes: list[Any], form: str) -> list[Any]:
    """Give the class labels if a form can hold them."""
    for label in classes:
        if type(label) not in (str, int, float, bool):
            raise ExportError(
                f"the class {label!r:.80} is of type {type(label).__name__}, which {form} cannot "
                "hold; classes may be str, int, float or bool. Convert the target before fit."
            )
    return classes
