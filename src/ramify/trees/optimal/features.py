"""The features of an optimal tree: columns of codes, made from a table as it is.

A split (feature, code) sends a row to the left iff its code is at most `code`. Everything that a
split says about a table's column follows from the rows on its two sides, so that a feature is no
more than its column and its codes. Features that divide the rows alike are kept once.
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
#: Up to so many levels, every division of a nominal column in two is a feature.
FEW_LEVELS = 5
_GLANCE = 1000  # rows that tell most pairs of features apart


class FeatureSet:
    """Features in the order of their coming; of those that divide alike, the first stays."""

    def __init__(self) -> None:
        self.columns: list[int] = []
        self.codes: list[Codes] = []
        self._seen: dict[bytes, int] = {}
        self._ranks: dict[int, list[int]] = {}  # features of more than two codes, by column
        self._sizes: set[int] = set()  # their largest codes

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def binary(self) -> bool:
        """Whether no feature has more than two codes."""
        return all(int(codes.max(initial=0)) <= 1 for codes in self.codes)

    def add(self, column: int, codes: NDArray[Any]) -> bool:
        """Add a feature, unless it divides nothing or as another does, perhaps turned round."""
        last = int(codes.max(initial=0))
        if last == 0 or (codes[0] == last and codes.min() == last):
            return False
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        key = _key(codes, last)
        if key in self._seen or (last in self._sizes and _key(last - codes, last) in self._seen):
            return False
        self._seen[key] = len(self.codes)
        if last > 1:
            self._ranks.setdefault(column, []).append(len(self.codes))
            self._sizes.add(last)
        self.columns.append(column)
        self.codes.append(codes)
        return True

    def add_all(
        self, features: Iterable[tuple[int, NDArray[Any]]], clock: Clock | None = None
    ) -> bool:
        """Add features one by one; tells whether there was time for all."""
        for column, codes in features:
            if clock is not None and clock.left() <= 0:
                return False
            self.add(column, codes)
        return True

    def find(self, left: Mask, column: int) -> tuple[int, int, bool] | None:
        """Find the split that divides the rows so: feature, code, and whether turned round."""
        if (known := self._seen.get(_key(left, 1))) is not None:
            return known, 0, bool(left[0]) != (self.codes[known][0] == 0)
        right = ~left
        others = (those for at, those in self._ranks.items() if at != column)
        for f in chain(self._ranks.get(column, ()), chain.from_iterable(others)):
            codes = self.codes[f]
            # A look at few rows spares most of those at all.
            if len(codes) > _GLANCE and _side(codes[:_GLANCE], left, right) is None:
                continue
            if (side := _side(codes, left, right)) is not None:
                return f, *side
        return None

    def split(self, feature: int, code: int, rows: NDArray[np.intp]) -> Mask:
        """Tell which of the rows go to the left."""
        return np.asarray(self.codes[feature][rows] <= code)


def _side(codes: Codes, left: Mask, right: Mask) -> tuple[int, bool] | None:
    """Give the code that divides rows so, and whether turned round; -1 if all are on one side."""
    here, there = codes[left[: len(codes)]], codes[right[: len(codes)]]
    if not (len(here) and len(there)):
        return -1, False
    last = int(here.max())
    if last < there.min():
        return last, False
    last = int(there.max())
    return (last, True) if last < here.min() else None


def _key(codes: Codes | Mask, last: int) -> bytes:
    """Tell features apart; those of two codes are turned so that the first row is on the left."""
    narrow = np.packbits(codes != codes[0]) if last == 1 else codes
    return hashlib.blake2b(narrow.tobytes(), digest_size=16).digest()


def nominal_features(table: Table, j: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Levels against the others; all divisions if the levels are few; missing on either side."""
    for chosen in _level_sets(table.values(j)):
        yield from _either_side(table, j, ~np.isin(table.arrays[j], chosen))
    yield from known_feature(table, j)


def _level_sets(levels: NDArray[Any]) -> Iterator[NDArray[Any]]:
    if len(levels) > FEW_LEVELS:
        yield from levels[:, None]
        return
    # The last level is always on the right: the other half are the same sets turned round.
    sets = [np.flatnonzero(bits) for bits in product((0, 1), repeat=max(len(levels) - 1, 0))]
    for chosen in sorted(sets, key=lambda one: (len(one), one.tolist())):
        if len(chosen):
            yield levels[chosen]


def threshold_features(
    table: Table, j: int, thresholds: Sequence[float]
) -> Iterator[tuple[int, NDArray[Any]]]:
    """One feature of two codes for every threshold, missing on either side."""
    for threshold in thresholds:
        yield from _either_side(table, j, table.arrays[j] > threshold)


def known_feature(table: Table, j: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Whether the value is missing, if any is."""
    if table.any_missing(j):
        yield j, table.missing(j)


def rank_features(table: Table, j: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """All thresholds of a column in one feature: the ranks of its values.

    Missing values have a rank of their own above all others; and once more the lowest value's,
    which puts them on the other side of every threshold.
    """
    numeric = table.schema.columns[j].kind == "numeric"
    ranks = _ranks_of_numbers(table, j) if numeric else _ranks_of_codes(table, j)
    yield j, ranks
    if table.any_missing(j):
        yield j, np.where(table.missing(j), 0, ranks)


def _ranks_of_codes(table: Table, j: int) -> Codes:
    present = table.values(j)
    # One entry more, at the end: the code -1 of a missing value finds it.
    ranks = np.full(len(table.schema.columns[j].levels) + 1, len(present), dtype=np.int32)
    ranks[present] = np.arange(len(present), dtype=np.int32)
    found: Codes = ranks[table.arrays[j]]
    return found


def _ranks_of_numbers(table: Table, j: int) -> Codes:
    array = table.arrays[j]
    order = array.argsort()  # missing values last; looking each up takes five times as long
    ordered = array[order]
    steps = ordered[1:] != ordered[:-1]
    if table.any_missing(j):
        steps[len(table.known(j)) :] = False  # NaN differs from NaN
    ranks = np.zeros(len(array), dtype=np.int32)
    # A sum of integers: one that has to convert as it goes takes twice as long.
    ranks[order[1:]] = steps.astype(np.int32).cumsum(dtype=np.int32)
    return ranks


def _either_side(table: Table, j: int, right: Mask) -> Iterator[tuple[int, NDArray[Any]]]:
    if not table.any_missing(j):
        yield j, right
        return
    yield j, right | table.missing(j)
    yield j, right & ~table.missing(j)


def binary_features(table: Table) -> Iterator[tuple[int, NDArray[Any]]]:
    """Features of a table of which every column has two values; ValueError names another."""
    for j, column in enumerate(table.schema.columns):
        if not two_values(table, j):
            raise ValueError(
                f"features='binary' takes columns of two values, but column {column.name!r} has "
                f"{len(table.values(j))}; choose features='mid', 'all' or 'auto'"
            )
        if column.kind == "nominal":
            yield from nominal_features(table, j)
            continue
        known = table.known(j)
        yield from threshold_features(table, j, [float(known.min()) if len(known) else np.inf])
        yield from known_feature(table, j)


def all_features(table: Table) -> Iterator[tuple[int, NDArray[Any]]]:
    """Every threshold of every column, and the levels of the nominal ones."""
    for j, kind in enumerate(_kinds(table)):
        yield from nominal_features(table, j) if kind == "nominal" else rank_features(table, j)


def unranked_features(table: Table) -> Iterator[tuple[int, NDArray[Any]]]:
    """What there is beside thresholds: levels, and whether a value is known."""
    for j, kind in enumerate(_kinds(table)):
        if kind == "nominal":
            yield from nominal_features(table, j)
        else:
            yield from known_feature(table, j)


def two_values(table: Table, j: int) -> bool:
    """Tell whether column j has two values at most; faster than counting them."""
    known = table.known(j)
    if len(known) == 0:
        return True
    return bool(((known == known.min()) | (known == known.max())).all())


def _kinds(table: Table) -> list[str]:
    return [column.kind for column in table.schema.columns]


def n_columns(table: Table) -> int:
    """Count the columns of a search over all thresholds: one for each way to order the rows."""
    count = 0
    for j, kind in enumerate(_kinds(table)):
        levels = len(table.values(j)) if kind == "nominal" else 0
        sets = 1 if not levels else levels if levels > FEW_LEVELS else 2 ** (levels - 1) - 1
        count += sets * (1 + table.any_missing(j))
    return count


def n_all_thresholds(table: Table, enough: float = np.inf) -> int:
    """Count the thresholds of all columns, until there are more than enough."""
    count = 0
    for j in table.schema.ordered:
        count += max(len(table.values(j)) - 1, 0)
        if count > enough:
            break
    return count
