"""A tree as if/then rules, one per leaf. A rule has one condition per attribute of the path.

The walk keeps one merged test per attribute and restores the former one on the way up. So the cost
of a leaf grows with the number of attributes on its path, not with its depth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables import ColumnSchema
from ramify.tables.forms import Bound
from ramify.tree.conditions import (
    THRESHOLD,
    CodedCondition,
    ConditionReader,
    level_of_threshold,
    threshold_bound,
)
from ramify.tree.data import TreeData
from ramify.tree.doors import door
from ramify.tree.row_counts import RowCounts, count_parts
from ramify.tree.words import (
    answer_and_note,
    check_display,
    count_rows,
    format_name,
    format_set,
    threshold_digits,
)

_ORDERS = ("tree", "support", "confidence")


@dataclass(frozen=True)
class Rule:
    """One leaf as a rule.

    Parameters
    ----------
    conditions : tuple of str
        What must hold, one text per attribute of the path.
    label : object
        The predicted class, or the predicted number.
    confidence : float or None
        Share of the class among the leaf's training weight; None in regression.
    support : int
        Training rows that reach the leaf, in whole or in part.
    weight : float
        Their weight.
    coverage : float
        Share of all training weight.
    leaf : int
        The node.
    spread : float or None
        Standard deviation of the target in the leaf; None in classification.
    in_parts : bool
        Whether rows with missing values are divided among leaves, so that `weight` is a number of
        rows, the sum of their parts. Weights of all leaves add up to the training rows.
    by_hand : tuple of str
        What was set by hand on the way to the leaf, from the root down, with the reasons.

    Examples
    --------
    >>> rule = Rule(("a <= 3", "b in {x, y}"), "yes", 11 / 12, 12, 12.0, 0.3, 4)
    >>> print(rule)
    if a <= 3 and b in {x, y} then yes (12 rows, 92 %)
    """

    conditions: tuple[str, ...]
    label: Any
    confidence: float | None
    support: int
    weight: float
    coverage: float
    leaf: int
    spread: float | None = None
    in_parts: bool = False
    by_hand: tuple[str, ...] = ()

    @property
    def rows(self) -> str:
        """The rows in words: "12 rows", or "11.6 rows" if they are divided among leaves."""
        return count_parts(self.weight) if self.in_parts else count_rows(self.support)

    def __str__(self) -> str:
        answer, note = rule_answer(self)
        then = f"{answer} ({self.rows}, {note})"
        if self.by_hand:
            then += f" [{'; '.join(self.by_hand)}]"
        if not self.conditions:
            return f"always {then}"
        parts = [f"({c})" if c.endswith(" or missing") else c for c in self.conditions]
        return f"if {' and '.join(parts)} then {then}"


class Rules(list[Rule]):
    """Rules: a list that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        html: str = door("rules_html")(self)
        return html


def rule_answer(rule: Rule) -> tuple[str, str]:
    """The label of a rule in words, and its confidence or spread."""
    if rule.confidence is None:
        return answer_and_note(rule.label, rule.spread or 0.0, classify=False)
    return answer_and_note(rule.label, rule.confidence, classify=True)


def tree_to_rules(
    tree: TreeData,
    *,
    min_support: float = 0,
    min_confidence: float = 0.0,
    order: str = "tree",
    max_levels: int | None = 5,
    precision: int = 4,
    different_rows: bool = False,
) -> Rules:
    """The rules of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    min_support : int, default=0
        Leave out leaves with fewer training rows.
    min_confidence : float, default=0.0
        Leave out leaves whose class has a smaller share (classification only).
    order : {"tree", "support", "confidence"}, default="tree"
        From the first leaf to the last, by falling support, or by falling confidence.
    max_levels : int or None, default=5
        Longest set of levels that is written out; None writes all.
    precision : int, default=4
        Significant digits of a threshold, more where two would look alike.
    different_rows : bool, default=False
        Count the different rows of a leaf, not the sum of the parts of rows with missing values.

    Returns
    -------
    Rules
        A list of :class:`Rule`, which a notebook shows as a table.
    """
    check_display(max_levels, precision)
    if order not in _ORDERS:
        raise ValueError(f"order={order!r} is unknown; valid choices: {', '.join(_ORDERS)}")
    data = tree.data
    classify = tree.task == "classification"
    keep = (data["n_children"] == 0) & (data["rows"] >= min_support)
    if classify:
        keep &= ~(tree.confidence < min_confidence)  # a leaf without weight has no share
    total = float(data["weight"][0])
    in_parts = RowCounts(tree, different=different_rows).in_parts
    rules = Rules()
    for leaf, tests in _walk(tree, keep, precision):
        weight = float(data["weight"][leaf])
        rule = Rule(
            conditions=tuple(
                test.describe(tree.schema.columns[column], max_levels)
                for column, test in tests.items()
            ),
            label=tree.predictions[leaf],
            confidence=float(tree.confidence[leaf]) if classify else None,
            support=int(data["rows"][leaf]),
            weight=weight,
            coverage=weight / total if total > 0 else math.nan,
            leaf=leaf,
            spread=None if classify else float(tree.spread[leaf]),
            in_parts=in_parts,
            by_hand=_by_hand(tree, leaf),
        )
        rules.append(rule)
    if order == "support":
        rules.sort(key=lambda rule: -rule.support)
    elif order == "confidence":
        rules.sort(key=lambda rule: (-(rule.confidence or 0.0), -rule.support))
    return rules


def _by_hand(tree: TreeData, leaf: int) -> tuple[str, ...]:
    if not tree.by_hand:
        return ()
    found, node = [], leaf
    while node >= 0:
        found.append(tree.hand_words(node, None))
        node = int(tree.data["parent"][node])
    return tuple(words for words in reversed(found) if words)


@dataclass(frozen=True)
class _Test:
    """All that a path says of one attribute. Each bound has the digits to print."""

    lower: float | None = None
    lower_digits: int = 4
    upper: float | None = None
    upper_digits: int = 4
    codes: NDArray[np.int32] | None = None
    takes_missing: bool = True  # whether every step sends a missing value this way
    takes_known: bool = True

    def describe(self, column: ColumnSchema, max_levels: int | None) -> str:
        """In words. The text is kept, since all leaves below a node share its test."""
        if "text" not in self.__dict__:
            self.__dict__["text"] = self._describe(column, max_levels)
        return str(self.__dict__["text"])

    def _describe(self, column: ColumnSchema, max_levels: int | None) -> str:
        name = format_name(column.name)
        if not self.takes_known:
            return f"{name} is missing"
        if self.codes is not None:
            levels = [column.levels[code] for code in self._codes_within().tolist()]
            return format_set(name, levels, self.takes_missing, max_levels)
        lower = _bound(self.lower, self.lower_digits, column)
        upper = _bound(self.upper, self.upper_digits, column)
        if lower is None and upper is None:
            return f"{name} is known"
        if lower is None:
            assert upper is not None
            text = f"{name} {upper.below} {upper.text}"
        elif upper is None:
            text = f"{name} {lower.above} {lower.text}"
        else:
            first = "<=" if lower.strict else "<"
            text = f"{lower.text} {first} {name} {upper.below} {upper.text}"
        return text + " or missing" if self.takes_missing else text

    def _codes_within(self) -> NDArray[np.int32]:
        """The levels within the bounds, which an ordinal column may have."""
        assert self.codes is not None
        good = np.ones(len(self.codes), dtype=bool)
        if self.lower is not None:
            good &= self.codes > self.lower
        if self.upper is not None:
            good &= self.codes <= self.upper
        return self.codes[good]


def _bound(value: float | None, digits: int, column: ColumnSchema) -> Bound | None:
    if value is None:
        return None
    return threshold_bound(value, digits, level_of_threshold(value, column), column.times)


def _walk(
    tree: TreeData, keep: NDArray[np.bool_], precision: int
) -> Iterator[tuple[int, dict[int, _Test]]]:
    """Every kept leaf, in the order of the tree, with the tests of its path by attribute.

    The walk changes the dict of tests: it is valid only until the next leaf.
    """
    data = tree.data
    digits = threshold_digits(data["attribute"], data["threshold"], precision)
    conditions = ConditionReader(data, tree.schema)
    tests: dict[int, _Test] = {}
    # Either a node to enter, with its column and merged test, or a test to put back.
    stack: list[tuple[int, int, _Test | None]] = [(0, -1, None)]
    while stack:
        node, column, test = stack.pop()
        if node < 0:  # the subtree below is done
            if test is None:
                del tests[column]
            else:
                tests[column] = test
            continue
        if test is not None:
            stack.append((-1, column, tests.get(column)))
            tests[column] = test
        if data["n_children"][node]:
            asked = conditions.coded(node)
            column, first = asked.column, int(data["first_child"][node])
            merged = _branch_tests(asked, tests.get(column, _Test()), int(digits[node]))
            stack += [(first + b, column, merged[b]) for b in range(len(merged) - 1, -1, -1)]
        elif keep[node]:
            yield node, tests


def _branch_tests(asked: CodedCondition, above: _Test, digits: int) -> Sequence[_Test]:
    """What the path says of the attribute once each of the branches is taken."""
    branches = range(asked.n_branches)
    takes = [above.takes_missing and asked.missing_to == branch for branch in branches]
    if asked.kind == THRESHOLD:
        value = asked.threshold
        if asked.tells_missing:
            return (
                replace(above, takes_missing=False),
                replace(above, takes_missing=takes[1], takes_known=False),
            )
        below: dict[str, Any] = {}
        beyond: dict[str, Any] = {}
        if above.upper is None or value < above.upper:
            below = {"upper": value, "upper_digits": digits}
        if above.lower is None or value > above.lower:
            beyond = {"lower": value, "lower_digits": digits}
        return (
            replace(above, takes_missing=takes[0], **below),
            replace(above, takes_missing=takes[1], **beyond),
        )
    codes, branch_of = asked.codes, asked.branch_of
    if above.codes is not None and len(codes):
        place = np.searchsorted(above.codes, codes)
        inside = place < len(above.codes)
        inside[inside] = above.codes[place[inside]] == codes[inside]
        codes, branch_of = codes[inside], branch_of[inside]
    order = np.argsort(branch_of, kind="stable")
    ends = np.searchsorted(branch_of[order], np.arange(asked.n_branches + 1))
    return [
        replace(
            above,
            codes=codes[order[ends[branch] : ends[branch + 1]]],
            takes_missing=takes[branch],
            takes_known=ends[branch] < ends[branch + 1] or not takes[branch],
        )
        for branch in branches
    ]
