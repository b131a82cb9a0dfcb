"""CHAID (Kass 1980), slow and obvious: all pairs anew in every round, tests by scipy.

A table holds a row per level: the weights of the classes, or the weight, the sum and the sum of
squares of a numeric target. A group is a sorted tuple of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, f

Floats = NDArray[np.float64]
Group = tuple[int, ...]


@dataclass(frozen=True)
class Rules:
    alpha: float = 0.05
    resplit: float = 0.0
    exhaustive: bool = False
    test: str = "pearson"  # likelihood_ratio, f


def larger(log_p: float, than: float) -> bool:
    """Larger by more than rounding."""
    return log_p > than + 1e-10 * abs(than) + 1e-14


def log_p(rows: Floats, test: str) -> float:
    """Whether the rows of a table differ."""
    if test == "f":
        rows = rows[rows[:, 0] > 0]
        weight, total, squares = rows.sum(axis=0)
        df1, df2 = len(rows) - 1, weight - len(rows)
        if df1 <= 0 or df2 <= 0:
            return 0.0
        everything = squares - total**2 / weight
        if everything <= 1e-13 * squares:
            return 0.0
        between = float((rows[:, 0] * (rows[:, 1] / rows[:, 0] - total / weight) ** 2).sum())
        within = max(everything - between, 1e-13 * everything)
        return float(f.logsf(between / df1 / (within / df2), df1, df2))
    rows = rows[np.ix_(rows.sum(axis=1) > 0, rows.sum(axis=0) > 0)]
    df = (rows.shape[0] - 1) * (rows.shape[1] - 1)
    if df <= 0:
        return 0.0
    expected = np.outer(rows.sum(axis=1), rows.sum(axis=0)) / rows.sum()
    if test == "pearson":
        statistic = ((rows - expected) ** 2 / expected).sum()
        # Rows that are alike differ by rounding alone.
        if statistic < 1e-20 * rows.sum():
            statistic = 0.0
    else:
        known = rows > 0
        statistic = 2 * (rows[known] * np.log(rows[known] / expected[known])).sum()
        if statistic < 1e-13 * rows.sum():
            statistic = 0.0
    return float(chi2.logsf(max(statistic, 0.0), df))


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All ways to put the items into groups."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for i in range(len(rest)):
            yield [*rest[:i], [items[0], *rest[i]], *rest[i + 1 :]]


def allowed_groups(group: list[int], ordered: bool, floats: bool, levels: int) -> bool:
    """Whether a group of an ordered attribute is a range, but for the level that floats."""
    if not ordered:
        return True
    known = sorted(i for i in group if not (floats and i == levels - 1))
    return not known or known[-1] - known[0] == len(known) - 1


def ways_by_counting(levels: int, groups: int, ordered: bool, floats: bool) -> int:
    """The number of partitions into so many groups, counted one by one."""
    return sum(
        len(parts) == groups
        and all(allowed_groups(part, ordered, floats, levels) for part in parts)
        for parts in partitions(list(range(levels)))
    )


def ways(levels: int, groups: int, ordered: bool, floats: bool, exhaustive: bool) -> float:
    """Bonferroni's factor."""
    c, r = levels, groups
    if exhaustive:
        if c < 3:
            return 1
        if not ordered:
            return sum(i * (i - 1) // 2 for i in range(2, c + 1))
        return (c - 1) ** 2 if floats else sum(i - 1 for i in range(2, c + 1))
    if r < 2:
        return 1
    if not ordered:
        return round(
            sum((-1) ** i * (r - i) ** c * comb(r, i) for i in range(r)) / math.factorial(r)
        )
    if not floats:
        return comb(c - 1, r - 1)
    return comb(c - 2, r - 2) + r * comb(c - 2, r - 1)


@dataclass
class Merging:
    table: Floats
    rules: Rules
    ordered: bool = False
    floats: bool = False
    support_of_level: Floats | None = None  # rows; the weights if they are not given
    groups: list[Group] = field(default_factory=list)

    def rows(self, groups: list[Group]) -> Floats:
        return np.array([self.table[list(group)].sum(axis=0) for group in groups])

    def p(self, groups: list[Group]) -> float:
        return log_p(self.rows(groups), self.rules.test)

    def pairs(self) -> list[tuple[Group, Group]]:
        groups = sorted(self.groups)
        if not self.ordered:
            return list(combinations(groups, 2))
        alone = (len(self.table) - 1,) if self.floats else None
        known = [group for group in groups if group != alone]
        found = list(pairwise(known))
        if alone in groups:
            found += [(group, alone) for group in known]
        return sorted(found)

    def least_different(self) -> tuple[Group, Group, float] | None:
        best = None
        for one, other in self.pairs():
            p = self.p([one, other])
            if best is None or larger(p, best[2]):
                best = (one, other, p)
        return best

    def join(self, one: Group, other: Group) -> Group:
        made = tuple(sorted(one + other))
        self.groups = sorted([g for g in self.groups if g not in (one, other)] + [made])
        return made

    def divide_again(self, group: Group, seen: set[tuple[Group, ...]]) -> None:
        if not self.rules.resplit or len(group) < 3:
            return
        best = None
        for mask in product((False, True), repeat=len(group) - 1):
            right = tuple(level for level, go in zip(group[1:], mask, strict=True) if go)
            left = tuple(level for level in group if level not in right)
            levels = len(self.table)
            if not right or not all(
                allowed_groups(list(part), self.ordered, self.floats, levels)
                for part in (left, right)
            ):
                continue
            p = self.p([left, right])
            if best is None or larger(best[2], p):
                best = (left, right, p)
        if best is None or best[2] > math.log(self.rules.resplit):
            return
        divided = tuple(sorted([g for g in self.groups if g != group] + [best[0], best[1]]))
        if divided not in seen:
            seen.add(divided)
            self.groups = list(divided)

    def run(self, min_rows: float) -> tuple[list[Group], float, float]:
        """The groups, the logarithm of p, and Bonferroni's factor."""
        self.groups = [(level,) for level in range(len(self.table))]
        seen: set[tuple[Group, ...]] = set()
        best = (list(self.groups), self.p(self.groups))
        least = 2 if self.rules.exhaustive else 1
        while len(self.groups) > least:
            found = self.least_different()
            assert found is not None
            if not self.rules.exhaustive and not found[2] > math.log(self.rules.alpha):
                break
            self.divide_again(self.join(found[0], found[1]), seen)
            if self.rules.exhaustive and larger(best[1], p := self.p(self.groups)):
                best = (list(self.groups), p)
        if self.rules.exhaustive:
            self.groups = best[0]
        self.merge_small(min_rows)
        factor = ways(
            len(self.table), len(self.groups), self.ordered, self.floats, self.rules.exhaustive
        )
        return self.groups, self.p(self.groups), factor

    def support(self, group: Group) -> float:
        if self.support_of_level is not None:
            return float(self.support_of_level[list(group)].sum())
        rows = self.table[list(group)]
        return float(rows[:, 0].sum() if self.rules.test == "f" else rows.sum())

    def merge_small(self, min_rows: float) -> None:
        while len(self.groups) > 1:
            small = [g for g in self.groups if self.support(g) < min_rows - 1e-9]
            if not small:
                return
            group = min(small, key=lambda g: (self.support(g), g))
            best = None
            for pair in self.pairs():
                if group in pair and (best is None or larger(self.p(list(pair)), best[1])):
                    best = (pair, self.p(list(pair)))
            assert best is not None
            self.join(*best[0])


def merge(
    table: Floats,
    rules: Rules,
    *,
    ordered: bool = False,
    floats: bool = False,
    min_rows: float = 0.0,
    support: Floats | None = None,
) -> tuple[list[Group], float, float]:
    made = Merging(np.asarray(table, dtype=float), rules, ordered, ordered and floats, support)
    return made.run(min_rows)


# --- trees ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """Codes of levels, -1 if missing; or numbers, which have no missing ones here."""

    kind: str  # nominal, ordinal, numeric
    values: NDArray[Any]


def target_table(keys: NDArray[Any], y: NDArray[Any], w: Floats, classes: int) -> Floats:
    """The sums of the target per key; `classes` = 0: of numbers."""
    parts = one_hot(y, classes) if classes else np.column_stack([np.ones(len(y)), y, y**2])
    parts = parts * w[:, None]
    return np.array([parts[keys == key].sum(axis=0) for key in np.unique(keys)])


def one_hot(y: NDArray[Any], classes: int) -> Floats:
    return (y[:, None] == np.arange(classes)[None, :]).astype(float)


def split(
    column: Column, y: NDArray[Any], w: Floats, classes: int, rules: Rules, min_rows: float
) -> tuple[float, list[Any]] | None:
    """The logarithm of the adjusted p and the keys of every branch, -1 the missing value."""
    keys = column.values
    unique = [int(key) for key in np.unique(keys)] if column.kind != "numeric" else []
    if column.kind == "numeric":
        return threshold(column, y, w, classes, rules, min_rows)
    missing = -1 in unique
    levels = [key for key in unique if key >= 0] + ([-1] if missing else [])
    if len(levels) < 2:
        return None
    last = np.where(keys < 0, 10**6, keys)
    groups, p, factor = merge(
        target_table(last, y, w, classes),
        rules,
        ordered=column.kind == "ordinal",
        floats=missing,
        min_rows=min_rows,
        support=np.unique(last, return_counts=True)[1].astype(float),
    )
    if len(groups) < 2:
        return None
    return min(0.0, p + math.log(factor)), [[levels[i] for i in group] for group in groups]


def threshold(
    column: Column, y: NDArray[Any], w: Floats, classes: int, rules: Rules, min_rows: float
) -> tuple[float, list[Any]] | None:
    """The best of all cuts by chi-square, or by variance; a cut lies above its lower value."""
    values = np.unique(column.values)
    best: tuple[float, float, float] | None = None
    for lower, upper in pairwise(values):
        side = column.values > lower
        if min(side.sum(), (~side).sum()) < min_rows:
            continue
        table = target_table(side, y, w, classes)
        score = chi_square(table) if classes else between(table)
        if best is None or score > best[0] + 1e-9 * abs(best[0]):
            test = "f" if not classes else rules.test
            best = (score, log_p(table, test), (lower + upper) / 2)
    if best is None:
        return None
    return min(0.0, best[1] + math.log(len(values) - 1)), [best[2]]


def chi_square(table: Floats) -> float:
    table = table[:, table.sum(axis=0) > 0]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())


def between(table: Floats) -> float:
    mean = table[:, 1].sum() / table[:, 0].sum()
    return float((table[:, 0] * (table[:, 1] / table[:, 0] - mean) ** 2).sum())


def grow(
    columns: list[Column],
    y: NDArray[Any],
    w: Floats,
    *,
    classes: int,
    rules: Rules,
    alpha: float = 0.05,
    max_depth: int = 3,
    min_rows: float = 1,
) -> Any:
    """The tree: an int, the rows of a leaf; or (column, branches, log p, children)."""
    pure = len(np.unique(y)) < 2
    if max_depth == 0 or pure or len(y) < 2 * min_rows:
        return len(y)
    best = None
    for c, column in enumerate(columns):
        found = split(column, y, w, classes, rules, min_rows)
        if found is None:
            continue
        if best is None or larger(best[1], found[0]):
            best = (c, *found)
    if best is None or best[1] > math.log(alpha):
        return len(y)
    c, p, branches = best
    if columns[c].kind == "numeric":
        masks = [columns[c].values <= branches[0], columns[c].values > branches[0]]
    else:
        masks = [np.isin(columns[c].values, branch) for branch in branches]
    children = [
        grow(
            [Column(column.kind, column.values[mask]) for column in columns],
            y[mask],
            w[mask],
            classes=classes,
            rules=rules,
            alpha=alpha,
            max_depth=max_depth - 1,
            min_rows=min_rows,
        )
        for mask in masks
    ]
    return (c, branches, p, children)
