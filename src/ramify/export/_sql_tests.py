"""The conditions of SQL that tell the branches of a node apart.

What a column can be on a way down the tree is a set of codes, `MISSING` and `UNSEEN`; a known
number is code 0. Tests are written only against what can be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ramify.export._plan import MISSING, ExportError, Plan, Step, plain_levels
from ramify.export._sql_text import Dialect, join


class Tests:
    """Writes conditions for one tree in one dialect."""

    def __init__(self, plan: Plan, dialect: Dialect) -> None:
        self.plan, self.dialect = plan, dialect
        self.names = {j: dialect.identifier(plan.schema(j).name) for j in plan.columns}
        self.levels = {j: self._levels(j) for j in plan.columns if self.has_levels(j)}

    def has_levels(self, column: int) -> bool:
        """Whether a column holds levels, not numbers."""
        return self.plan.schema(column).kind != "numeric"

    def _levels(self, column: int) -> list[str]:
        name = self.plan.schema(column).name
        levels = plain_levels(self.plan, column, "SQL", (str, int, float, bool))
        if len({isinstance(level, str) for level in levels}) > 1 and self.dialect.name != "sqlite":
            raise ExportError(
                f"column {name!r} has levels of text and of numbers, which no column of "
                f"{self.dialect.name} can hold; convert it to strings before fit"
            )
        return [self.dialect.literal(level, f"column {name!r}") for level in levels]

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
        nan = not self.has_levels(column) and self.dialect.has_nan
        return [f"{name} IS NULL", *([f"{name} = {self.dialect.nan()}"] if nan else [])]

    # --- on the way: what went elsewhere was asked before -----------------------------------

    def route(
        self, step: Step, branch: int | None, heavy: int, can_be: frozenset[int]
    ) -> str | None:
        """The test of a light branch, or of spreading (None); None if nothing goes there.

        Of levels, spreading is asked last: what is then left is the heavy branch, or spreads.
        """
        if step.threshold is not None:
            if branch is None:
                spreads = step.missing_to is None and MISSING in can_be
                return " OR ".join(self._missing(step.column)) if spreads else None
            # A missing value that spreads was asked for before.
            return self._number_test(
                step, branch, MISSING in can_be and step.missing_to is not None
            )
        if branch is not None:
            return self._level_test(step, branch, can_be)
        parts = []
        if step.missing_to is None and MISSING in can_be:
            parts += self._missing(step.column)
        if step.unknown_to is None and step.strange(can_be):
            rest = step.levels[heavy]
            name = self.names[step.column]
            parts.append(self._outside(step.column, rest) if rest else f"{name} IS NOT NULL")
        return " OR ".join(parts) or None

    def _number_test(self, step: Step, branch: int, maybe_missing: bool) -> str | None:
        threshold, dialect = step.threshold, self.dialect
        assert threshold is not None
        name = dialect.compared(self.names[step.column], threshold)
        missing = self._missing(step.column) if maybe_missing else []
        if threshold == math.inf:  # all numbers are at most infinite
            known = [f"{self.names[step.column]} IS NOT NULL"]
            if dialect.has_nan:
                known.append(f"{self.names[step.column]} <> {dialect.nan()}")
            if branch == 1:
                return " OR ".join(missing) if step.missing_to == 1 and missing else None
            here = step.missing_to == 0 or not missing
            return "1 = 1" if here else " AND ".join(known)
        test = f"{name} {'>' if branch else '<='} {dialect.number(threshold)}"
        if step.missing_to == branch and missing:
            return " OR ".join([test, *missing])
        if branch == 1 and missing and dialect.has_nan:  # NaN is above all numbers there
            test = f"{test} AND {self.names[step.column]} <> {dialect.nan()}"
        return test

    def _level_test(self, step: Step, branch: int, can_be: frozenset[int]) -> str | None:
        parts = []
        codes = [code for code in step.levels[branch] if code in can_be]
        if step.unknown_to == branch and step.strange(can_be):
            others = sorted((step.listed - set(step.levels[branch])) & can_be)
            name = self.names[step.column]
            parts.append(self._outside(step.column, others) if others else f"{name} IS NOT NULL")
        elif codes:
            parts.append(self._inside(step.column, codes))
        if step.missing_to == branch and MISSING in can_be:
            parts += self._missing(step.column)
        return " OR ".join(parts) or None

    # --- alone: no test was asked before -------------------------------------------------------

    def factor(self, step: Step, branch: int) -> str:
        """Which part of a row at a node goes to a branch."""
        can_be, number = self.plan.anything(step.column), self.dialect.number
        whens = []
        if step.threshold is not None:
            test = self._number_test(step, branch, maybe_missing=True)
            spread = self._missing(step.column) if step.missing_to is None else []
        else:
            test = self._level_test(step, branch, can_be)
            spread = self._missing(step.column) if step.missing_to is None else []
            if step.unknown_to is None:
                listed = sorted(step.listed)
                name = self.names[step.column]
                spread.append(
                    self._outside(step.column, listed) if listed else f"{name} IS NOT NULL"
                )
        if test is not None:
            whens.append(f"WHEN {test} THEN {number(1.0)}")
        if spread:
            whens.append(f"WHEN {join(spread, 'OR')} THEN {number(step.shares[branch])}")
        if not whens:
            return number(0.0)
        text = f"CASE {' '.join(whens)} ELSE {number(0.0)} END"
        return f"CAST({text} AS {self.dialect.double})"
