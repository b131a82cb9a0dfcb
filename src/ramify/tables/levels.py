"""The levels of a column: which cells are missing, how a cell becomes a level, and their order.

Invariant: a list of levels never holds a missing value, a NumPy scalar, or two equal values.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import compress
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Kind = Literal["numeric", "ordinal", "nominal"]
Level: TypeAlias = Hashable
"""A level: usually str, int, float or bool. Object columns may hold any hashable value."""

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Matrix = Floats | NDArray[np.float32]

MISSING = -1
UNSEEN = -2
#: The level that rare levels are pooled in.
OTHER = "(other)"
#: Levels with fewer rows than this are rare: too few to learn from.
RARE = 5

# Values of these types are never missing and need no conversion, so cells are not checked.
_PLAIN = (str, int, bool, bytes)
_NUMPY_TIMES = (np.datetime64, np.timedelta64)

# The first rows of a column mostly show all levels if they are few.
_FIRST_ROWS = (256, 4096)


def is_real_type(kind: type) -> bool:
    """Tell whether values of this type are real numbers; bool is not."""
    if issubclass(kind, (bool, np.bool_, np.timedelta64)):
        return False
    return issubclass(kind, (numbers.Real, Decimal))


def is_missing_type(kind: type) -> bool:
    """Tell whether every value of this type is missing: None, and NA and NaT of pandas."""
    # By name, because pandas is never imported here.
    return kind is type(None) or kind.__name__ in ("NAType", "NaTType")


def is_missing(value: Any) -> bool:
    """Tell whether a cell is missing: None, NaN, NaT, NA.

    Examples
    --------
    >>> [is_missing(v) for v in (None, float("nan"), "", 0, "nan")]
    [True, True, False, False, False]
    """
    kind = type(value)
    if kind in _PLAIN:
        return False
    if is_missing_type(kind):
        return True
    if isinstance(value, _NUMPY_TIMES):
        return bool(np.isnat(value))
    if not isinstance(value, (float, np.floating, Decimal)):
        return False
    return math.isnan(value)


CLOSED = ("left", "right", "both", "neither")


@dataclass(frozen=True, order=True)
class Interval:
    """A level that is an interval, as ``pandas.cut`` makes them. It prints as in pandas.

    Parameters
    ----------
    left, right : level
        The ends: numbers, dates or times.
    closed : {"left", "right", "both", "neither"}
        Which ends belong to the interval.

    Examples
    --------
    >>> print(Interval(0.5, 2.0, "right"))
    (0.5, 2.0]
    """

    left: Any
    right: Any
    closed: str

    def __str__(self) -> str:
        begin = "[" if self.closed in ("left", "both") else "("
        end = "]" if self.closed in ("right", "both") else ")"
        return f"{begin}{self.left}, {self.right}{end}"


def as_level(value: Any) -> Level:
    """Give a cell as a plain Python value, if nothing is lost; otherwise as it is."""
    if isinstance(value, np.generic) and not isinstance(value, _NUMPY_TIMES):
        # not dates: item() would turn nanoseconds into a bare int
        return value.item()  # type: ignore[no-any-return]
    kind = type(value)
    if kind is tuple:
        return tuple(map(as_level, value))
    # By name, because pandas is never imported here.
    if kind.__module__.startswith("pandas"):
        if kind.__name__ == "Interval":
            return Interval(as_level(value.left), as_level(value.right), value.closed)
        if kind.__name__ == "Timestamp" and not value.nanosecond:
            return value.to_pydatetime()  # type: ignore[no-any-return]
        if kind.__name__ == "Timedelta" and not value.nanoseconds:
            return value.to_pytimedelta()  # type: ignore[no-any-return]
    return value  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Dictionary:
    """A column as codes of a list of values, as its container gave it.

    Some values may be missing, duplicate or unused; `clean` removes these.

    Parameters
    ----------
    codes : ndarray of integers
        Position in `values`; negative for missing.
    values : list
        What the codes stand for.
    declared : bool
        Whether the user declared the order of the values (categories), so that it is kept.
    """

    codes: NDArray[np.signedinteger[Any]]
    values: list[Any]
    declared: bool = False

    def clean(self) -> tuple[list[Level], NDArray[np.int32]]:
        """Give the distinct levels in order of appearance, and a table from old codes to new.

        The table has one more entry at its end, `MISSING`, which a code of -1 finds.
        """
        levels: list[Level]
        if set(map(type, self.values)) <= set(_PLAIN):
            levels, keep = self.values, None
        else:
            keep = [i for i, v in enumerate(self.values) if not is_missing(v)]
            levels = [as_level(self.values[i]) for i in keep]
        index: dict[Level, int] = dict.fromkeys(levels, 0)
        positions: Any = np.arange(len(levels))
        if len(index) < len(levels):  # some are equal
            index = {level: i for i, level in enumerate(index)}
            positions = [index[level] for level in levels]
        table = np.full(len(self.values) + 1, MISSING, dtype=np.int32)
        table[slice(0, len(positions)) if keep is None else keep] = positions
        return list(index), table

    def shrink(self) -> Dictionary:
        """Drop the values that do not occur, if they are most of them.

        Otherwise one row of a column of 100,000 categories would cost 100,000 look-ups.
        """
        if len(self.codes) * 4 >= len(self.values):
            return self
        places, codes = np.unique(self.codes, return_inverse=True)
        values = [None if place < 0 else self.values[place] for place in places.tolist()]
        return Dictionary(codes, values, self.declared)

    def used(self) -> NDArray[np.bool_]:
        """Mark the values that occur in the column."""
        used = np.zeros(len(self.values) + 1, dtype=bool)
        for rows in _FIRST_ROWS:
            used[self.codes[:rows]] = True  # -1 marks the extra last entry
            if used[:-1].all():
                return used[:-1]
        # Counting is twice as fast in NumPy as marking.
        counts = np.bincount(self.codes.astype(np.intp) + 1, minlength=len(used))
        counted: NDArray[np.bool_] = counts[1:] > 0
        return counted


def look_up(table: Codes, codes: NDArray[Any]) -> Codes:
    """Give `table[codes]`, but the codes themselves if the table changes none of them."""
    if np.array_equal(table[:-1], np.arange(len(table) - 1)) and table[-1] == MISSING:
        return np.ascontiguousarray(codes, dtype=np.int32)
    found: Codes = table[codes]
    return found


def learn(dictionary: Dictionary, *, ordinal: bool) -> tuple[tuple[Level, ...], Codes]:
    """Give the levels of a training column, and its codes.

    An ordinal column keeps all declared levels. A nominal column keeps those that occur, in
    declared order if there is one, otherwise sorted.

    Examples
    --------
    >>> d = Dictionary(np.array([1, 0, -1]), ["b", "a", "z"])
    >>> learn(d, ordinal=False)
    (('a', 'b'), array([ 0,  1, -1], dtype=int32))
    """
    levels, table = dictionary.clean()
    if not ordinal:
        used = dictionary.used()
        if dictionary.declared and used.all():
            return tuple(levels), look_up(table, dictionary.codes)
        seen = np.zeros(len(levels) + 1, dtype=bool)
        seen[table[:-1][used]] = True
        kept = list(compress(levels, seen.tolist()))
        if dictionary.declared:
            renumber = np.where(seen, np.cumsum(seen) - 1, MISSING).astype(np.int32)
            renumber[-1] = MISSING
        else:
            kept = sort_levels(kept)
            position = {level: i for i, level in enumerate(kept)}
            renumber = np.array([position.get(v, MISSING) for v in levels] + [MISSING], np.int32)
        table, levels = renumber[table], kept
    return tuple(levels), look_up(table, dictionary.codes)


def pool(levels: tuple[Level, ...], codes: Codes, least: int) -> tuple[tuple[Level, ...], Codes]:
    """Pool the levels of fewer than `least` rows in `OTHER`, the last level.

    Without such levels, all stay as they are.

    Examples
    --------
    >>> pool(("a", "b", "c"), np.array([0, 0, 1, 2, -1], dtype=np.int32), 2)
    (('a', '(other)'), array([ 0,  0,  1,  1, -1], dtype=int32))
    """
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    rare = counts < least
    rare |= np.array([level == OTHER for level in levels], dtype=bool)
    if not rare.any() or not (counts[rare] > 0).any():
        return levels, codes
    kept = [level for level, gone in zip(levels, rare.tolist(), strict=True) if not gone]
    table = np.full(len(levels) + 1, MISSING, dtype=np.int32)
    table[:-1] = np.where(rare, len(kept), np.cumsum(~rare) - 1)
    return (*kept, OTHER), table[codes]


def sort_levels(levels: Iterable[Level]) -> list[Level]:
    """Sort numbers by value (bool among them), then strings, then other types by type name.

    Values of another type that cannot be compared stay in order of appearance.

    Examples
    --------
    >>> sort_levels(["b", 2, "a", 1.5, True])
    [True, 1.5, 2, 'a', 'b']
    """
    groups: dict[tuple[int, str], list[Any]] = {}
    for level in levels:
        kind = type(level)
        if kind is str:
            key = (1, "")
        elif is_real_type(kind) or kind is bool:
            key = (0, "")
        else:
            key = (2, kind.__qualname__)
        groups.setdefault(key, []).append(level)
    result: list[Level] = []
    for key in sorted(groups):
        try:
            result += sorted(groups[key])
        except TypeError:
            result += groups[key]
    return result


def short_list(levels: Sequence[Level], limit: int = 5) -> str:
    """Give the first few levels as text, for a message."""
    shown = ", ".join(repr(level) for level in levels[:limit])
    more = len(levels) - limit
    return f"{shown}, +{more}" if more > 0 else shown or "none"
