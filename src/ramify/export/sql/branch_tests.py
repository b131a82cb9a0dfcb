"""The conditions of SQL that tell the branches of a node apart.

What a column can be at a node is a set of codes, `MISSING` and `UNSEEN`; a known number is code 0.
Conditions leave out what cannot be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ramify.export.routing import RoutedTree, Split
from ramify.export.sql.columns import read_column, read_levels, time_test
from ramify.export.sql.dialects import Dialect, join
from ramify.tables.forms import Form
from ramify.tables.levels import MISSING


class BranchTests:
    """Writes conditions for one tree in one dialect."""

    def __init__(self, routed: RoutedTree, dialect: Dialect) -> None:
        self.routed, self.dialect = routed, dialect
        self.names = {j: read_column(routed.schema(j), dialect) for j in routed.columns}
        self.levels = {
            j: read_levels(routed.schema(j), dialect) for j in routed.columns if self.has_levels(j)
        }

    def has_levels(self, column: int) -> bool:
        """Whether a column holds levels, not numbers."""
        return self.routed.schema(column).kind != "numeric"

    def _is_number(self, column: int) -> bool:
        """Whether a column holds plain numbers, which may be NaN."""
        return not self.has_levels(column) and self.routed.schema(column).times is None

    def unseen(self, column: int) -> str:
        """A level that training did not have."""
        name = self.names[column]
        codes = range(len(self.levels[column]))
        return self._outside(column, codes) if codes else f"{name} IS NOT NULL"

    def _inside(self, column: int, codes: Iterable[int]) -> str:
        return f"{self.names[column]} IN ({', '.join(self.levels[column][c] for c in codes)})"

    def _outside(self, column: int, codes: Iterable[int]) -> str:
        return f"{self.names[column]} NOT IN ({', '.join(self.levels[column][c] for c in codes)})"

    def _missing(self, column: int) -> list[str]:
        name = self.names[column]
        nan = self.dialect.has_nan and self._is_number(column)
        return [f"{name} IS NULL", *([f"{name} = {self.dialect.nan()}"] if nan else [])]

    # --- in a CASE: the branches before this one were tested --------------------------------

    def route(
        self, split: Split, branch: int | None, heavy: int, can_be: frozenset[int]
    ) -> str | None:
        """The test of a light branch, or of spreading (None); None if no row goes there.

        In a column of levels, spreading is tested last: then only the heavy branch is left.
        """
        if split.threshold is not None:
            if branch is None:
                spreads = split.missing_to is None and MISSING in can_be
                return " OR ".join(self._missing(split.column)) if spreads else None
            # A missing value that spreads was tested before.
            return self._number_test(
                split, branch, MISSING in can_be and split.missing_to is not None
            )
        if branch is not None:
            return self._level_test(split, branch, can_be)
        parts = []
        if split.missing_to is None and MISSING in can_be:
            parts += self._missing(split.column)
        if split.unknown_to is None and split.unlisted(can_be):
            rest = split.levels[heavy]
            name = self.names[split.column]
            parts.append(self._outside(split.column, rest) if rest else f"{name} IS NOT NULL")
        return " OR ".join(parts) or None

    def _number_test(self, split: Split, branch: int, maybe_missing: bool) -> str | None:
        threshold, dialect = split.threshold, self.dialect
        assert threshold is not None
        times = self.routed.schema(split.column).times
        if times is not None and math.isfinite(threshold):
            return self._time_test(split, branch, maybe_missing, times, threshold)
        has_nan = dialect.has_nan and self._is_number(split.column)
        name = dialect.compared(self.names[split.column], threshold)
        missing = self._missing(split.column) if maybe_missing else []
        if threshold == math.inf:  # no number is above it
            known = [f"{self.names[split.column]} IS NOT NULL"]
            if has_nan:
                known.append(f"{self.names[split.column]} <> {dialect.nan()}")
            if branch == 1:
                return " OR ".join(missing) if split.missing_to == 1 and missing else None
            here = split.missing_to == 0 or not missing
            return "1 = 1" if here else " AND ".join(known)
        test = f"{name} {'>' if branch else '<='} {dialect.number(threshold)}"
        if split.missing_to == branch and missing:
            return " OR ".join([test, *missing])
        if branch == 1 and missing and has_nan:  # NaN is above all numbers there
            test = f"{test} AND {self.names[split.column]} <> {dialect.nan()}"
        return test

    def _time_test(
        self, split: Split, branch: int, maybe_missing: bool, form: Form, threshold: float
    ) -> str:
        test = time_test(self.names[split.column], form, threshold, branch, self.dialect)
        if split.missing_to == branch and maybe_missing:
            return " OR ".join([test, *self._missing(split.column)])
        return test

    def _level_test(self, split: Split, branch: int, can_be: frozenset[int]) -> str | None:
        parts = []
        codes = [code for code in split.levels[branch] if code in can_be]
        if split.unknown_to == branch and split.unlisted(can_be):
            others = sorted((split.listed - set(split.levels[branch])) & can_be)
            name = self.names[split.column]
            parts.append(self._outside(split.column, others) if others else f"{name} IS NOT NULL")
        elif codes:
            parts.append(self._inside(split.column, codes))
        if split.missing_to == branch and MISSING in can_be:
            parts += self._missing(split.column)
        return " OR ".join(parts) or None

    # --- alone: no other branch was tested -----------------------------------------------------

    def factor(self, split: Split, branch: int) -> str:
        """The part of a row at a node that goes to a branch."""
        can_be, number = self.routed.all_values(split.column), self.dialect.number
        whens = []
        if split.threshold is not None:
            test = self._number_test(split, branch, maybe_missing=True)
            spread = self._missing(split.column) if split.missing_to is None else []
        else:
            test = self._level_test(split, branch, can_be)
            spread = self._missing(split.column) if split.missing_to is None else []
            if split.unknown_to is None:
                listed = sorted(split.listed)
                name = self.names[split.column]
                spread.append(
                    self._outside(split.column, listed) if listed else f"{name} IS NOT NULL"
                )
        if test is not None:
            whens.append(f"WHEN {test} THEN {number(1.0)}")
        if spread:
            whens.append(f"WHEN {join(spread, 'OR')} THEN {number(split.shares[branch])}")
        if not whens:
            return number(0.0)
        text = f"CASE {' '.join(whens)} ELSE {number(0.0)} END"
        return f"CAST({text} AS {self.dialect.double})"
