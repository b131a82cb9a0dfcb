"""Conditions: the question a node asks, as a closed sum type whose members describe themselves.

A condition never looks at data; it names its column, its branches and where a missing value goes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

LEAF, THRESHOLD, SUBSET, MULTIWAY = 0, 1, 2, 3

#: Longer level names are shortened in the middle, so that both ends stay recognisable.
LONGEST_LEVEL = 28

#: A number is printed exactly if that takes at most this many digits.
_EXACT_DIGITS = 8


def midpoint(lower: float, upper: float) -> float:
    """Give the middle, or the lower value where ``<=`` would not keep the two apart."""
    middle = lower / 2 + upper / 2
    return middle if lower <= middle < upper else lower


@dataclass(frozen=True)
class Threshold:
    """Branch 0 holds ``x <= value``, branch 1 holds ``x > value``.

    Parameters
    ----------
    attribute : str
        Name of the column.
    column : int
        Position of the column.
    value : float
        The threshold; for an ordinal column it is compared with the position of the level.
        Plus infinity with ``missing_to=1`` tells known values from missing ones.
    missing_to : int or None
        The branch of a missing value; None spreads it over both in proportion.
    level : object, optional
        Of an ordinal column: the last level of branch 0.

    Examples
    --------
    >>> Threshold("humidity", 2, 82.5, None).describe(1)
    'humidity > 82.5'
    """

    attribute: str
    column: int
    value: float
    missing_to: int | None
    level: Any = None

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return 2

    @property
    def tells_missing(self) -> bool:
        """Whether the only thing asked is if the value is known."""
        return self.value == math.inf and self.missing_to == 1

    def describe(
        self,
        branch: int,
        max_levels: int | None = 5,
        precision: int = 4,
        *,
        longest: int | None = LONGEST_LEVEL,
    ) -> str:
        """The condition of one branch, in words; `longest` is the length of a level's name."""
        _check_branch(branch, 2)
        name = format_name(self.attribute)
        if self.tells_missing:
            return f"{name} is missing" if branch else f"{name} is known"
        bound = (
            format_number(self.value, precision)
            if self.level is None
            else format_level(self.level, longest)
        )
        text = f"{name} {'>' if branch else '<='} {bound}"
        return text + " or missing" if self.missing_to == branch else text


@dataclass(frozen=True)
class _Sets:
    """What Subset and Multiway share: levels per branch."""

    attribute: str
    column: int
    branches: tuple[tuple[Any, ...], ...]
    missing_to: int | None

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return len(self.branches)

    def describe(
        self,
        branch: int,
        max_levels: int | None = 5,
        precision: int = 4,
        *,
        longest: int | None = LONGEST_LEVEL,
    ) -> str:
        """The condition of one branch, in words; `longest` is the length of a level's name."""
        _check_branch(branch, len(self.branches))
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


def make_condition(
    kind: int,
    column: int,
    attribute: str,
    levels: Sequence[Any],
    threshold: float,
    missing_to: int,
    codes: NDArray[np.int32],
    branch_of: NDArray[np.int32],
    n_branches: int,
    ordinal: bool,
) -> Condition:
    """Build the condition that a slice of the tree's arrays holds; linear in that slice."""
    missing = None if missing_to < 0 else missing_to
    if kind == THRESHOLD:
        level = None
        if ordinal and 0 <= threshold < len(levels):
            level = levels[math.floor(threshold)]
        return Threshold(attribute, column, threshold, missing, level)
    sets: list[list[Any]] = [[] for _ in range(n_branches)]
    for code, branch in zip(codes.tolist(), branch_of.tolist(), strict=True):
        sets[branch].append(levels[code])
    branches = tuple(map(tuple, sets))
    if kind == SUBSET:
        return Subset(attribute, column, branches, missing)
    return Multiway(attribute, column, branches, missing)


def _check_branch(branch: int, n_branches: int) -> None:
    if not 0 <= branch < n_branches:
        raise IndexError(f"branch={branch} is out of range: the condition has {n_branches}")


def format_name(name: str) -> str:
    r"""A column name on one line.

    Examples
    --------
    >>> print(format_name("gross\nincome"))
    gross\nincome
    """
    return name if name.isprintable() else "".join(map(_escape, name))


def _escape(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode("ascii")


def format_level(level: Any, longest: int | None = LONGEST_LEVEL) -> str:
    """One level: quoted where it would be misread, shortened in the middle where it is long.

    ``longest=None`` shortens nothing.

    Examples
    --------
    >>> print(format_level("sunny"), format_level("a, b"), format_level(""), format_level(3.0))
    sunny "a, b" "" 3
    >>> print(format_level("United Kingdom of Great Britain"))
    United Kingdom…Great Britain
    """
    if isinstance(level, float | np.floating):
        return format_number(float(level), 17)
    text = format_name(str(level))
    if longest is not None and len(text) > longest:
        half = longest // 2
        text = f"{text[:half].rstrip()}…{text[len(text) - half + 1 :].lstrip()}"
    if not text or text != text.strip() or any(mark in text for mark in ',{}"'):
        text = '"' + text.replace('"', '\\"') + '"'
    return text


def format_set(
    name: str,
    levels: Sequence[Any],
    missing: bool,
    max_levels: int | None,
    longest: int | None = LONGEST_LEVEL,
) -> str:
    """Short set notation.

    Examples
    --------
    >>> print(format_set("x", ["a", "b", "c"], True, 2))
    x in {a, b, +1} or missing
    """
    if missing and not levels:
        return f"{name} is missing"
    if len(levels) == 1:
        text = f"{name} = {format_level(levels[0], longest)}"
    else:
        shown = len(levels) if max_levels is None else min(max_levels, len(levels))
        parts = [format_level(level, longest) for level in levels[:shown]]
        if shown < len(levels):
            parts.append(f"+{len(levels) - shown}")
        text = f"{name} in {{{', '.join(parts)}}}"
    return text + " or missing" if missing else text


def format_number(value: float, precision: int = 4, exact_digits: int = _EXACT_DIGITS) -> str:
    """A number, short but never misleading: the part before the point is kept whole.

    A number with few digits is printed exactly, since rounding 12345.5 would move it to the other
    side of a value; others, those of more than ``exact_digits`` digits, are rounded to
    ``precision`` significant digits.

    Examples
    --------
    >>> [format_number(x) for x in (82.5, 12345.5, 0.15000000000000002, 1234567.891, 3.0, 1e-9)]
    ['82.5', '12345.5', '0.15', '1234567.9', '3', '1e-09']
    """
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if value == 0:
        return "0"
    exact = repr(float(value))
    digits = exact.lstrip("-").partition("e")[0].replace(".", "").strip("0")
    whole = math.floor(math.log10(abs(value))) + 1
    if abs(value) < 1e15 and 2 * value == int(2 * value):
        return exact.removesuffix(".0")  # counts, and midpoints of counts
    if len(digits) > max(precision, exact_digits):
        exact = format(value, f".{min(17, max(precision, whole + 1 if whole <= 15 else 1))}g")
    return exact.removesuffix(".0")


def threshold_digits(
    attribute: NDArray[np.int32], threshold: NDArray[np.float64], precision: int
) -> NDArray[np.int64]:
    """Significant digits that keep the thresholds of one attribute apart, at least ``precision``.

    Rounding to p digits moves x by at most 10**(e - p + 1) / 2, where e is its decimal exponent;
    two thresholds stay apart and in order if each moves by less than half of the gap between them.
    """
    digits = np.full(len(threshold), precision, dtype=np.int64)
    nodes = np.flatnonzero(np.isfinite(threshold) & (attribute >= 0))
    if len(nodes) < 2:
        return digits
    nodes = nodes[np.lexsort((threshold[nodes], attribute[nodes]))]
    value, column = threshold[nodes], attribute[nodes]
    new = np.ones(len(nodes), dtype=bool)
    new[1:] = (value[1:] != value[:-1]) | (column[1:] != column[:-1])
    group = np.cumsum(new) - 1  # equal thresholds need not be told apart
    value, column = value[new], column[new]
    with np.errstate(over="ignore", divide="ignore"):
        step = np.where(column[1:] == column[:-1], np.diff(value), np.inf)
        gap = np.minimum(np.append(step, np.inf), np.insert(step, 0, np.inf))
        size = np.floor(np.log10(np.abs(value)))
        needed = np.floor(size + 1 - np.log10(gap)) + 1
    needed = np.where(np.isfinite(needed), needed, precision)
    digits[nodes] = np.clip(needed, precision, max(17, precision))[group].astype(np.int64)
    return digits
