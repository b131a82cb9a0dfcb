"""Conditions: what a node asks, as a closed sum type, and the reader that finds them in the arrays.

A condition never looks at data. It names its column, its branches and where a missing value goes.
Nothing but `ConditionReader` knows how conditions lie in the arrays of a tree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ramify.tables import ColumnSchema, Schema
from ramify.tables.forms import Bound, Form
from ramify.tree.words import LONGEST_LEVEL, format_level, format_name, format_number, format_set

LEAF, THRESHOLD, SUBSET, MULTIWAY = 0, 1, 2, 3

_NO_LEVELS: NDArray[np.int32] = np.empty(0, np.int32)
_Name = TypeVar("_Name")


def midpoint(lower: float, upper: float) -> float:
    """Give the middle, or the lower value where ``<=`` would not keep the two apart."""
    middle = lower / 2 + upper / 2
    return middle if lower <= middle < upper else lower


# --- in words -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _OneColumn:
    """What all conditions share: they ask about one column and describe their branches."""

    attribute: str
    column: int

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        raise NotImplementedError

    def describe(
        self,
        branch: int,
        max_levels: int | None = 5,
        precision: int = 4,
        *,
        longest: int | None = LONGEST_LEVEL,
    ) -> str:
        """The condition of one branch, in words; `longest` is the length of a level's name."""
        if not 0 <= branch < self.n_branches:
            raise IndexError(
                f"branch={branch} is out of range: the condition has {self.n_branches}"
            )
        return self._describe(branch, max_levels, precision, longest)

    def _describe(
        self, branch: int, max_levels: int | None, precision: int, longest: int | None
    ) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Threshold(_OneColumn):
    """Branch 0 holds ``x <= value``, branch 1 holds ``x > value``.

    Parameters
    ----------
    attribute : str
        Name of the column.
    column : int
        Position of the column.
    value : float
        The threshold; for an ordinal column it is compared with the position of the level. Plus
        infinity with ``missing_to=1`` separates known values from missing ones.
    missing_to : int or None
        The branch of a missing value; None spreads it over both in proportion.
    level : object, optional
        Of an ordinal column: the last level of branch 0.
    form : Form, optional
        Of a column of dates or times: how the threshold reads.

    Examples
    --------
    >>> Threshold("humidity", 2, 82.5, None).describe(1)
    'humidity > 82.5'
    """

    value: float
    missing_to: int | None
    level: Any = None
    form: Form | None = None

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return 2

    @property
    def tells_missing(self) -> bool:
        """Whether the only thing asked is if the value is known."""
        return self.value == math.inf and self.missing_to == 1

    def _describe(
        self, branch: int, max_levels: int | None, precision: int, longest: int | None
    ) -> str:
        name = format_name(self.attribute)
        if self.tells_missing:
            return f"{name} is missing" if branch else f"{name} is known"
        bound = threshold_bound(self.value, precision, self.level, self.form, longest)
        text = f"{name} {bound.above if branch else bound.below} {bound.text}"
        return text + " or missing" if self.missing_to == branch else text


@dataclass(frozen=True)
class _Sets(_OneColumn):
    """What Subset and Multiway share: the levels of each branch."""

    branches: tuple[tuple[Any, ...], ...]
    missing_to: int | None

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return len(self.branches)

    def _describe(
        self, branch: int, max_levels: int | None, precision: int, longest: int | None
    ) -> str:
        name, missing = format_name(self.attribute), self.missing_to == branch
        return format_set(name, self.branches[branch], missing, max_levels, longest)


@dataclass(frozen=True)
class Subset(_Sets):
    """Two branches, each with the levels that take it.

    Examples
    --------
    >>> split = Subset("outlook", 0, (("overcast",), ("rainy", "sunny")), None)
    >>> split.describe(0), split.describe(1), split.describe(1, max_levels=1)
    ('outlook = overcast', 'outlook in {rainy, sunny}', 'outlook in {rainy, +1}')
    """


@dataclass(frozen=True)
class Multiway(_Sets):
    """Any number of branches, each with the levels that take it (mostly one).

    Examples
    --------
    >>> Multiway("size", 0, (("S",), ("M",), ()), 2).describe(2)
    'size is missing'
    """


Condition: TypeAlias = Threshold | Subset | Multiway


# --- in the arrays of a tree --------------------------------------------------------------------


class CodedCondition(NamedTuple):
    """A condition as the arrays hold it, with codes in place of the names of levels.

    Reading one takes the same time however many levels it has.

    Parameters
    ----------
    kind : int
        THRESHOLD, SUBSET or MULTIWAY.
    column : int
        Position of the column.
    threshold : float
        As in `Threshold`; NaN in the other kinds.
    missing_to : int or None
        The branch of a missing value; None spreads it over all in proportion.
    n_branches : int
        Number of branches.
    codes, branch_of : ndarray
        The levels that have a branch, by rising code, and the branch of each; empty if the kind is
        THRESHOLD.
    """

    kind: int
    column: int
    threshold: float
    missing_to: int | None
    n_branches: int
    codes: NDArray[np.int32]
    branch_of: NDArray[np.int32]

    @property
    def tells_missing(self) -> bool:
        """Whether the only thing asked is if the value is known."""
        return self.threshold == math.inf and self.missing_to == 1

    def codes_by_branch(self, n_levels: int) -> list[list[int]]:
        """The codes of each branch, of a column that has so many levels."""
        if self.kind != THRESHOLD:
            return self._by_branch(range(n_levels))
        sides: list[list[int]] = [[], []]
        for code in range(n_levels):
            sides[code > self.threshold].append(code)
        return sides

    def in_words(self, column: ColumnSchema) -> Condition:
        """The condition with the names of the column and its levels."""
        if self.kind == THRESHOLD:
            level = level_of_threshold(self.threshold, column)
            return Threshold(
                column.name, self.column, self.threshold, self.missing_to, level, column.times
            )
        sets = self._by_branch(column.levels)
        kind = Subset if self.kind == SUBSET else Multiway
        return kind(column.name, self.column, tuple(map(tuple, sets)), self.missing_to)

    def _by_branch(self, names: Sequence[_Name]) -> list[list[_Name]]:
        """The levels of each branch, by the names that the codes have."""
        sets: list[list[_Name]] = [[] for _ in range(self.n_branches)]
        for code, branch in zip(self.codes.tolist(), self.branch_of.tolist(), strict=True):
            sets[branch].append(names[code])
        return sets


def threshold_bound(
    value: float,
    digits: int,
    level: Any,
    form: Form | None,
    longest: int | None = LONGEST_LEVEL,
) -> Bound:
    """Give a threshold in words: a number, a level of an ordinal column, a date or a time."""
    if level is not None:
        return Bound(format_level(level, longest), False)
    if form is not None:
        return form.threshold(value)
    return Bound(format_number(value, digits), False)


def level_of_threshold(threshold: float, column: ColumnSchema) -> Any:
    """The last level at or below a threshold; None if the column is not ordinal or has none."""
    if column.kind == "ordinal" and 0 <= threshold < len(column.levels):
        return column.levels[math.floor(threshold)]
    return None


class ConditionReader:
    """Reads conditions out of the arrays of a tree.

    Parameters
    ----------
    arrays : mapping from str to ndarray
        The arrays, as `Tree.data` has them.
    schema : Schema
        The columns of the tree.
    competitors : bool, default=False
        Read the splits that nearly won; without it, what the inner nodes ask.
    """

    def __init__(
        self, arrays: Mapping[str, NDArray[Any]], schema: Schema, *, competitors: bool = False
    ) -> None:
        prefix = "competitor_" if competitors else ""
        self._columns = schema.columns
        self._kind = arrays[prefix + "kind"]
        self._column = arrays[prefix + "attribute"]
        self._threshold = arrays[prefix + "threshold"]
        self._missing_to = arrays[prefix + "missing_to"]
        self._n_children = None if competitors else arrays["n_children"]
        self._start = arrays[prefix + "level_start"]
        self._code = arrays[prefix + "level_code"]
        self._branch = arrays[prefix + "level_branch"]

    def read(self, i: int) -> Condition:
        """The condition at a position of the arrays, with the names of levels."""
        coded = self.coded(i)
        return coded.in_words(self._columns[coded.column])

    def coded(self, i: int) -> CodedCondition:
        """The condition at a position of the arrays, with codes."""
        kind, n_branches, missing_to = self._kind.item(i), 2, self._missing_to.item(i)
        codes = branch_of = _NO_LEVELS
        if kind != THRESHOLD:
            levels = slice(self._start.item(i), self._start.item(i + 1))
            codes, branch_of = self._code[levels], self._branch[levels]
            if self._n_children is not None:
                n_branches = self._n_children.item(i)
            else:  # a competitor has no children to count
                n_branches = max(int(branch_of.max(initial=1)), missing_to) + 1
        return CodedCondition(
            kind,
            self._column.item(i),
            self._threshold.item(i),
            None if missing_to < 0 else missing_to,
            n_branches,
            codes,
            branch_of,
        )
