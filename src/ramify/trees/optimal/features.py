"""The features of an optimal tree: the questions that it may ask, as codes of the rows.

A split (feature, code) sends a row to the left if its code is at most `code`. A feature is only a
column and its codes, because the condition of a split can be read off the rows on its two sides.
Of features that divide the rows in the same way, only the first is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.clock import Clock
from ramify.tables import Table

Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]
#: With up to this many levels, every set of levels of a nominal column is a feature.
FEW_LEVELS = 5
_FIRST_ROWS = 1000  # enough to tell most features apart


class FeatureSet:
    """Features in the order in which they were added, without duplicates."""

    def __init__(self) -> None:
        self.columns: list[int] = []
        self.codes: list[Codes] = []
        self._seen: dict[bytes, int] = {}
        self._many_codes: dict[int, list[int]] = {}  # features of more than two codes, by column
        self._largest_codes: set[int] = set()  # of these features

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def binary(self) -> bool:
        """Whether no feature has more than two codes."""
        return all(int(codes.max(initial=0)) <= 1 for codes in self.codes)

    def add(self, column: int, codes: NDArray[Any]) -> bool:
        """Add a feature, unless it is constant or divides the rows as another does.

        Swapping left and right makes no difference. Tells whether the feature was added.
        """
        last = int(codes.max(initial=0))
        if last == 0 or (codes[0] == last and codes.min() == last):
            return False
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        key = _digest(codes, last)
        mirrored = last in self._largest_codes and _digest(last - codes, last) in self._seen
        if key in self._seen or mirrored:
            return False
        self._seen[key] = len(self.codes)
        if last > 1:
            self._many_codes.setdefault(column, []).append(len(self.codes))
            self._largest_codes.add(last)
        self.columns.append(column)
        self.codes.append(codes)
        return True

    def add_all(
        self, features: Iterable[tuple[int, NDArray[Any]]], clock: Clock | None = None
    ) -> bool:
        """Add features one by one; tell whether there was time for all."""
        for column, codes in features:
            if clock is not None and clock.left() <= 0:
                return False
            self.add(column, codes)
        return True

    def find(self, left: Mask, column: int) -> tuple[int, int, bool] | None:
        """Find the split that sends exactly the rows of `left` to one side.

        Gives feature, code, and whether left and right are swapped. The features of `column` are
        tried first.
        """
        if (known := self._seen.get(_digest(left, 1))) is not None:
            return known, 0, bool(left[0]) != (self.codes[known][0] == 0)
        right = ~left
        others = (features for j, features in self._many_codes.items() if j != column)
        for f in chain(self._many_codes.get(column, ()), chain.from_iterable(others)):
            codes = self.codes[f]
            # The first rows rule out most features.
            if len(codes) > _FIRST_ROWS and _cut(codes[:_FIRST_ROWS], left, right) is None:
                continue
            if (cut := _cut(codes, left, right)) is not None:
                return f, *cut
        return None

    def find_or_add(self, left: Mask, column: int) -> tuple[int, int, bool]:
        """Find the split as :meth:`find` does; if there is none, add it as a feature."""
        if (found := self.find(left, column)) is not None:
            return found
        self.add(column, ~left)
        return len(self) - 1, 0, False

    def split(self, feature: int, code: int, rows: NDArray[np.intp]) -> Mask:
        """Tell which of the rows go to the left."""
        return np.asarray(self.codes[feature][rows] <= code)


def _cut(codes: Codes, left: Mask, right: Mask) -> tuple[int, bool] | None:
    """Give the code that divides the rows in this way, and whether the sides are swapped.

    None if no code does. The code is -1 if all rows are on one side.
    """
    left_codes, right_codes = codes[left[: len(codes)]], codes[right[: len(codes)]]
    if not (len(left_codes) and len(right_codes)):
        return -1, False
    last = int(left_codes.max())
    if last < right_codes.min():
        return last, False
    last = int(right_codes.max())
    return (last, True) if last < left_codes.min() else None


def _digest(codes: Codes | Mask, last: int) -> bytes:
    """Give a hash of the codes. With two codes, swapping the sides does not change it."""
    narrow = np.packbits(codes != codes[0]) if last == 1 else codes
    return hashlib.blake2b(narrow.tobytes(), digest_size=16).digest()


def nominal_features(table: Table, j: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make the features of a nominal column: single levels, or all sets of levels if few."""
    for chosen in _level_sets(table.values(j)):
        yield from _with_missing(table, j, ~np.isin(table.arrays[j], chosen))
    yield from missing_feature(table, j)


def _level_sets(levels: NDArray[Any]) -> Iterator[NDArray[Any]]:
    if len(levels) > FEW_LEVELS:
        yield from levels[:, None]
        return
    # The last level is always on the right. The other sets are the same with the sides swapped.
    sets = [np.flatnonzero(bits) for bits in product((0, 1), repeat=max(len(levels) - 1, 0))]
    for chosen in sorted(sets, key=lambda chosen: (len(chosen), chosen.tolist())):
        if len(chosen):
            yield levels[chosen]


def threshold_features(
    table: Table, j: int, thresholds: Sequence[float]
) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make a feature of two codes for every threshold."""
    for threshold in thresholds:
        yield from _with_missing(table, j, table.arrays[j] > threshold)


def missing_feature(table: Table, j: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make the feature that asks whether the value is missing, if any is."""
    if table.any_missing(j):
        yield j, table.missing(j)


def rank_features(table: Table, j: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make one feature for all thresholds of a column: the ranks of its values.

    Missing values get the highest rank. A second feature gives them the lowest rank, which puts
    them on the other side of every threshold.
    """
    numeric = table.schema.columns[j].kind == "numeric"
    ranks = _ranks_of_numbers(table, j) if numeric else _ranks_of_codes(table, j)
    yield j, ranks
    if table.any_missing(j):
        yield j, np.where(table.missing(j), 0, ranks)


def _ranks_of_codes(table: Table, j: int) -> Codes:
    present = table.values(j)
    # The extra entry at the end is for missing values, whose code is -1.
    ranks = np.full(len(table.schema.columns[j].levels) + 1, len(present), dtype=np.int32)
    ranks[present] = np.arange(len(present), dtype=np.int32)
    found: Codes = ranks[table.arrays[j]]
    return found


def _ranks_of_numbers(table: Table, j: int) -> Codes:
    array = table.arrays[j]
    order = array.argsort()  # missing values come last; looking up ranks takes 5 times as long
    ordered = array[order]
    steps = ordered[1:] != ordered[:-1]
    if table.any_missing(j):
        steps[len(table.known(j)) :] = False  # NaN differs from NaN
    ranks = np.zeros(len(array), dtype=np.int32)
    # Summing booleans directly would take twice as long.
    ranks[order[1:]] = steps.astype(np.int32).cumsum(dtype=np.int32)
    return ranks


def _with_missing(table: Table, j: int, right: Mask) -> Iterator[tuple[int, NDArray[Any]]]:
    """Give the division, or two of them: missing values on the right, and on the left."""
    if not table.any_missing(j):
        yield j, right
        return
    yield j, right | table.missing(j)
    yield j, right & ~table.missing(j)


def binary_features(table: Table) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make the features of a table in which no column has more than two values.

    A ValueError names a column that has more.
    """
    for j, column in enumerate(table.schema.columns):
        if not two_values(table, j):
            raise ValueError(
                f"features='binary' needs columns of two values, but column {column.name!r} has "
                f"{len(table.values(j))}; choose features='mid', 'all' or 'auto'"
            )
        if column.kind == "nominal":
            yield from nominal_features(table, j)
            continue
        known = table.known(j)
        yield from threshold_features(table, j, [float(known.min()) if len(known) else np.inf])
        yield from missing_feature(table, j)


def all_features(table: Table) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make every threshold of every column, and the features of nominal columns."""
    for j, kind in enumerate(_kinds(table)):
        yield from nominal_features(table, j) if kind == "nominal" else rank_features(table, j)


def features_without_thresholds(table: Table) -> Iterator[tuple[int, NDArray[Any]]]:
    """Make the features of nominal columns, and those that ask whether a value is missing."""
    for j, kind in enumerate(_kinds(table)):
        if kind == "nominal":
            yield from nominal_features(table, j)
        else:
            yield from missing_feature(table, j)


def two_values(table: Table, j: int) -> bool:
    """Tell whether column j has at most two values; this is faster than counting them."""
    known = table.known(j)
    if len(known) == 0:
        return True
    return bool(((known == known.min()) | (known == known.max())).all())


def _kinds(table: Table) -> list[str]:
    return [column.kind for column in table.schema.columns]


def n_columns(table: Table) -> int:
    """Count the columns of a search over all thresholds: one for each order of the rows."""
    count = 0
    for j, kind in enumerate(_kinds(table)):
        levels = len(table.values(j)) if kind == "nominal" else 0
        sets = 1 if not levels else levels if levels > FEW_LEVELS else 2 ** (levels - 1) - 1
        count += sets * (1 + table.any_missing(j))
    return count


def n_all_thresholds(table: Table, enough: float = np.inf) -> int:
    """Count the thresholds of all columns; stop once there are more than `enough`."""
    count = 0
    for j in table.schema.ordered:
        count += max(len(table.values(j)) - 1, 0)
        if count > enough:
            break
    return count
