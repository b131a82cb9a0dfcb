"""A tree as every export needs it: where each kind of value goes at each node, and what leaves say.

Invariant: a cell of a column of levels is a code, `MISSING` or `UNSEEN`; at a step each of these
goes to one branch, or to None: it spreads over all branches in proportion.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ramify.learning import parameters as check
from ramify.support.writer import write_text
from ramify.tables import ColumnSchema
from ramify.tables.levels import MISSING, UNSEEN, Level
from ramify.tree import Tree
from ramify.tree.conditions import CodedCondition, ConditionReader

OUTPUTS = ("label", "probability", "leaf")


class ExportError(ValueError):
    """The tree cannot be written in the form that was asked for; the message says what to do."""


@dataclass(frozen=True)
class Step:
    """One inner node.

    Parameters
    ----------
    node : int
        Its number.
    column : int
        The column asked for.
    threshold : float or None
        Of a numeric column: branch 0 is ``x <= threshold``.
    levels : tuple of tuple of int
        Of other columns: the codes of each branch.
    missing_to, unknown_to : int or None
        The branch of a missing value, and of a level that the node does not list (unseen in
        training, or absent at the node); None spreads it.
    children : tuple of int
        The nodes below.
    shares : tuple of float
        The proportion of each.
    """

    node: int
    column: int
    threshold: float | None
    levels: tuple[tuple[int, ...], ...]
    missing_to: int | None
    unknown_to: int | None
    children: tuple[int, ...]
    shares: tuple[float, ...]

    @property
    def spreads(self) -> bool:
        """Whether any value spreads."""
        return self.missing_to is None or (self.threshold is None and self.unknown_to is None)

    @cached_property
    def listed(self) -> frozenset[int]:
        """The codes that have a branch."""
        return frozenset(code for codes in self.levels for code in codes)

    def strange(self, can_be: frozenset[int]) -> frozenset[int]:
        """Of what the column can be, the levels that the node does not list."""
        return frozenset() if self.threshold is not None else can_be - self.listed - {MISSING}

    def after(self, branch: int, can_be: frozenset[int]) -> frozenset[int]:
        """What the column can be once this branch alone was taken; a known number is code 0."""
        stays = {0} if self.threshold is not None else set(self.levels[branch])
        if self.missing_to == branch:
            stays.add(MISSING)
        if self.unknown_to == branch:
            stays |= self.strange(can_be)
        return can_be & stays


@dataclass(frozen=True, eq=False)
class Plan:
    """The whole tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    steps : dict from int to Step
        The inner nodes, parents before children.
    leaves : tuple of int
        In the order in which the core walks over them, which fixes the last bit of a mixed answer.
    """

    tree: Tree
    steps: dict[int, Step]
    leaves: tuple[int, ...]

    @property
    def classify(self) -> bool:
        """Whether classes are predicted."""
        return self.tree.task == "classification"

    @property
    def spreads(self) -> bool:
        """Whether any row may end in several leaves."""
        return any(step.spreads for step in self.steps.values())

    @cached_property
    def columns(self) -> list[int]:
        """The columns that are asked for."""
        return sorted({step.column for step in self.steps.values()})

    def schema(self, column: int) -> ColumnSchema:
        """What is known of a column."""
        return self.tree.schema.columns[column]

    def anything(self, column: int) -> frozenset[int]:
        """All that a column can be: codes, `MISSING` and `UNSEEN`; a known number is code 0."""
        about = self.schema(column)
        if about.kind == "numeric":
            return frozenset({MISSING, 0})
        return frozenset({MISSING, UNSEEN, *range(len(about.levels))})

    @cached_property
    def classes(self) -> list[Any]:
        """The class labels."""
        assert self.tree.classes is not None
        labels: list[Any] = self.tree.classes.tolist()
        return labels

    @cached_property
    def costs(self) -> list[list[float]] | None:
        """Costs, true class by predicted class."""
        return None if self.tree.costs is None else self.tree.costs.tolist()

    @cached_property
    def values(self) -> dict[int, list[float]]:
        """Of each leaf the class shares, or the one number, as the core divides them."""
        data, found = self.tree.data, {}
        for leaf in self.leaves:
            if not self.classify:
                found[leaf] = [float(data["prediction"][leaf])]
                continue
            weight, value = float(data["weight"][leaf]), data["value"][leaf].tolist()
            even = [1.0 / len(value)] * len(value)
            found[leaf] = [one / weight for one in value] if weight > 0 else even
        return found

    @cached_property
    def labels(self) -> dict[int, int]:
        """Of each leaf the position of the class that it predicts."""
        codes = self.tree.label_codes
        return {leaf: int(codes[leaf]) for leaf in self.leaves}

    def answers(self, output: str) -> dict[int, Any]:
        """Of each leaf what a row that ends there in whole gets."""
        if output == "leaf":
            return {leaf: leaf for leaf in self.leaves}
        if output == "probability":
            return dict(self.values)
        if not self.classify:
            return {leaf: value[0] for leaf, value in self.values.items()}
        return {leaf: self.classes[k] for leaf, k in self.labels.items()}

    @cached_property
    def n_leaves_below(self) -> dict[int, int]:
        """Per node."""
        count = dict.fromkeys(self.leaves, 1)
        for step in reversed(self.steps.values()):
            count[step.node] = sum(count[child] for child in step.children)
        return count

    def heavy_first(self, step: Step) -> tuple[int, list[int]]:
        """The branch with the most leaves, and the others.

        Writing the others inside and the heaviest after them nests a text of n leaves at most
        log2(n) deep, however deep the tree is.
        """
        order = range(len(step.children))
        heavy = max(order, key=lambda b: (self.n_leaves_below[step.children[b]], -b))
        return heavy, [b for b in order if b != heavy]

    def describe(self, step: Step) -> str:
        """The condition in words, on one line."""
        return self.tree.condition(step.node).describe(0, max_levels=3)


def make_plan(model: Any, *, abstaining: bool = False) -> Plan:
    """Read a fitted estimator, or a tree; one that may abstain only if that can be said."""
    tree = getattr(model, "tree_", model)
    if not isinstance(tree, Tree):
        if hasattr(model, "fit") and hasattr(model, "get_params") and not hasattr(model, "steps"):
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(model)
        several = {"estimators_": "each of its estimators_", "to_hard_tree": "its to_hard_tree()"}
        for name, other in several.items():
            if hasattr(model, name):
                raise ExportError(
                    f"a {type(model).__name__} is not one tree and has no export; {other} has one"
                )
        raise TypeError(
            f"cannot export a {type(model).__name__}: give a fitted tree of ramify, or its tree_"
            + ("; of a pipeline, its last step" if hasattr(model, "steps") else "")
        )
    if tree.abstains and not abstaining:
        raise ExportError(
            "this tree abstains where its costs say so, which this export cannot express; fit it "
            "with square costs, or predict with ramify; to_dot, rules and model files can say it"
        )
    conditions = ConditionReader(tree.data, tree.schema)
    inner = np.flatnonzero(tree.data["n_children"]).tolist()
    steps = {node: _step(tree, node, conditions.coded(node)) for node in inner}
    return Plan(tree, steps, tuple(_leaves(tree)))


def _leaves(tree: Tree) -> Iterator[int]:
    first, count = tree.data["first_child"].tolist(), tree.data["n_children"].tolist()
    stack = [0]
    while stack:
        node = stack.pop()
        if not count[node]:
            yield node
        stack += range(first[node] + count[node] - 1, first[node] - 1, -1)


def _step(tree: Tree, node: int, asked: CodedCondition) -> Step:
    first, count = tree.data["first_child"].item(node), asked.n_branches
    about = tree.schema.columns[asked.column]
    numeric = about.kind == "numeric"
    shares = tree.data["proportion"][first : first + count].tolist()
    majority = shares.index(max(shares))
    return Step(
        node=node,
        column=asked.column,
        threshold=asked.threshold if numeric else None,
        levels=() if numeric else tuple(map(tuple, asked.codes_by_branch(len(about.levels)))),
        missing_to=asked.missing_to,
        unknown_to=majority if tree.unseen == "majority" else asked.missing_to,
        children=tuple(range(first, first + count)),
        shares=tuple(shares),
    )


# --- what all exports check, and how they write -------------------------------------------------


def check_output(plan: Plan, output: Any) -> str:
    """Give the output if this kind of tree has it."""
    chosen = check.choice("output", output, OUTPUTS)
    if chosen == "probability" and not plan.classify:
        raise ValueError("output='probability' needs a tree of classes; choose from label, leaf")
    return chosen


def plain_levels(plan: Plan, column: int, form: str, kinds: tuple[type, ...]) -> list[Level]:
    """Give the levels of a column if all are of the kinds that a form can hold."""
    about = plan.schema(column)
    for level in about.levels:
        if type(level) not in kinds:
            raise ExportError(
                f"column {about.name!r} has the level {level!r:.80} of type "
                f"{type(level).__name__}, which {form} cannot compare; levels may be "
                f"{', '.join(kind.__name__ for kind in kinds)}. Convert the column before fit."
            )
    return list(about.levels)


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


def plain_classes(plan: Plan, form: str) -> list[Any]:
    """Give the class labels if a form can hold them."""
    for label in plan.classes:
        if type(label) not in (str, int, float, bool):
            raise ExportError(
                f"the class {label!r:.80} is of type {type(label).__name__}, which {form} cannot "
                "hold; classes may be str, int, float or bool. Convert the target before fit."
            )
    return plan.classes


def write(text: str, path: str | os.PathLike[str] | None) -> str:
    """Write a text to a file, if one is named, and give it back."""
    if path is not None:
        write_text(path, text)
    return text


def one_line(text: str) -> str:
    """A text for a comment: printable, and ending no comment of any language."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace("??", "? ?")


__all__ = ["MISSING", "UNSEEN", "ExportError", "Plan", "Step"]
