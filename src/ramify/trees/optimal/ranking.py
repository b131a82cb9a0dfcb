"""Ranks the thresholds of numeric and ordinal columns, most informative first (MID)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ramify import _core
from ramify.learning.clock import on_rows_that_fit
from ramify.learning.folds import RowIndices
from ramify.learning.target import Target
from ramify.tables import Table


@dataclass(frozen=True)
class RankingOrder:
    """How thresholds are ranked."""

    impurity: str = "entropy"  # of classes; numbers use the variance
    mdl: bool = False  # whether to stop a column at the first threshold that MDL rejects


BY_ENTROPY = RankingOrder()
_FIRST_RANKED = 64  # thresholds of the first ranking; each later one is four times as long


class Ranking:
    """The ranked thresholds. If time is short, a sample of the rows ranks them."""

    def __init__(
        self,
        table: Table,
        target: Target,
        limit: int | None,
        order: RankingOrder = BY_ENTROPY,
        allowed: list[int] | None = None,
    ) -> None:
        self.table, self.target, self.limit = table, target, limit
        self.order = order
        # The columns whose thresholds are ranked.
        self.ordered = [j for j in table.schema.ordered if allowed is None or j in allowed]
        self.found: list[tuple[int, float]] = []
        self.n_rows = 0  # rows that the ranking used
        self.seconds = 0.0  # duration of the longest step
        self._rest: Iterator[tuple[int, float]] | None = None

    def first(self, n: int, seconds: float) -> list[tuple[int, float]]:
        """Give column and threshold of the first n, or of all if there are fewer."""
        began = time.perf_counter()
        if self._rest is None:
            ordered = len(self.ordered)
            on_rows_that_fit(lambda rows: self._begin(rows, n), self.table.n_rows, ordered, seconds)
        else:
            self.found += islice(self._rest, n - len(self.found))
        self.seconds = max(self.seconds, time.perf_counter() - began)
        return self.found[:n]

    def _begin(self, rows: RowIndices | None, n: int) -> None:
        # The table is encoded once for ranking, features and trees.
        table, target = self.table.encoded(), self.target
        if rows is not None:
            table, target = self.table.select(self.ordered).take(rows), target.take(rows)
        self.n_rows = table.n_rows
        self._rest = self._ranked(table, target)
        self.found = list(islice(self._rest, n))

    def _ranked(self, table: Table, target: Target) -> Iterator[tuple[int, float]]:
        """Give column and threshold in the order of their rank.

        Without a limit, longer rankings are made as more thresholds are needed.
        """
        core, ordered = table.core(), self.ordered
        # Of a sample, only the columns that are ranked are taken.
        columns = ordered if len(table) == len(self.table) else list(range(len(ordered)))
        name_of = dict(zip(columns, ordered, strict=True))
        taken, length = 0, _FIRST_RANKED if self.limit is None else self.limit
        while True:
            columns, thresholds = self._rank(core, target, length, columns)
            # A longer ranking begins with the thresholds that were given before.
            pairs = zip(columns[taken:].tolist(), thresholds[taken:].tolist(), strict=True)
            yield from ((name_of[at], value) for at, value in pairs)
            taken = len(thresholds)
            if taken < length or self.limit is not None:
                return
            length *= 4

    def _rank(
        self, core: _core.Table, target: Target, length: int, of: list[int]
    ) -> tuple[Any, Any]:
        """Give columns and thresholds, first ranks first; `of` are the columns that are ranked."""
        order, weights = self.order, target.weights
        if target.n_classes:
            found = _core.rank_cuts(
                core,
                target.y,
                target.n_classes,
                weights,
                order.impurity,
                length,
                order.mdl,
                columns=of,
            )
        else:
            found = _core.rank_cuts_of_numbers(
                core, target.y, weights, length, order.mdl, columns=of
            )
        return found[0], found[1]
