"""Merging of levels that do not differ significantly, as CHAID makes the branches of a split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ramify import _core
from ramify.learning import parameters as check
from ramify.splits.matrices import read_counts
from ramify.tables.values import hold_parts

TESTS = ("pearson", "likelihood_ratio")


@dataclass(frozen=True)
class MergeLevels:
    """One branch for every group of levels, where the groups differ in the target (Kass 1980).

    At a node, the two levels, or groups of levels, that differ least become one group, as long as
    the p-value of their difference exceeds `alpha`. The groups that are left are the branches. A
    level of a nominal column may be merged with any other, a level of an ordinal column with its
    neighbours. With ``missing="separate"`` the missing value is one more level, which may join any
    group, of an ordinal column too. If no two levels differ, the column has no split.

    Give it, or "merge" for its defaults, as ``categorical_split=`` to
    :class:`~ramify.TreeClassifier` or :class:`~ramify.TreeRegressor`.

    Parameters
    ----------
    alpha : float, default=0.05
        Two groups are merged if the p-value of their difference is larger.
    resplit : float or None, default=None
        A merged group of three or more levels is divided again if two parts of it differ with a
        p-value of at most this, which is at most `alpha`. None: never. All divisions are tried; for
        more than twelve nominal levels, only those along the order by the share of each class.
    exhaustive : bool, default=False
        Merge down to two groups, and take the step with the smallest p-value (exhaustive CHAID;
        Biggs, de Ville and Suen 1991). `alpha` is not used.
    test : {"pearson", "likelihood_ratio"}, default="pearson"
        The chi-square statistic, for classes. Numbers are always compared by the F test.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_weather
    >>> from ramify.splits import MergeLevels
    >>> weather = load_weather()
    >>> clf = TreeClassifier(categorical_split=MergeLevels(alpha=0.3), max_depth=1)
    >>> print(clf.fit({"outlook": weather.data["outlook"]}, weather.y).tree_.to_text())
    y: 14 rows, yes 64 %
    ├─ outlook = overcast: yes (4 rows, 100 %)
    └─ outlook in {rainy, sunny}: no (10 rows, 50 %)
    """

    alpha: float = 0.05
    resplit: float | None = None
    exhaustive: bool = False
    test: Literal["pearson", "likelihood_ratio"] = "pearson"

    def check(self) -> None:
        """Raise ValueError unless every parameter is valid."""
        alpha = check.probability("alpha", self.alpha)
        if self.resplit is not None:
            resplit = check.probability("resplit", self.resplit, none="None or ")
            if resplit > alpha:
                raise ValueError(
                    f"resplit={self.resplit!r} must be at most alpha={self.alpha!r}: otherwise a "
                    "group would be divided again as soon as it is merged"
                )
        check.boolean("exhaustive", self.exhaustive)
        check.choice("test", self.test, TESTS)

    def require(self, name: str) -> MergeLevels:
        """Give itself if it is valid; an error names the parameter that holds it."""
        try:
            self.check()
        except ValueError as error:
            raise ValueError(f"{name}=MergeLevels: {error}") from None
        return self

    def options(self) -> dict[str, Any]:
        """Give the parameters as the core takes them."""
        return asdict(self) | {"resplit": float(self.resplit or 0.0)}


@dataclass(frozen=True)
class MergedLevels:
    """Levels in groups.

    Attributes
    ----------
    groups : tuple of tuple of int
        Rows of the table, by group; the groups are ordered by their lowest row.
    pvalue : float
        P-value of the test whether the groups differ.
    adjusted_pvalue : float
        The p-value times Bonferroni's factor, at most 1. The factor is the number of ways to put
        the levels into so many groups.
    """

    groups: tuple[tuple[int, ...], ...]
    pvalue: float
    adjusted_pvalue: float


def merge_levels(
    counts: ArrayLike,
    *,
    method: MergeLevels | None = None,
    ordered: bool = False,
    missing_last: bool = False,
    min_samples_leaf: float = 0,
) -> MergedLevels:
    """Merge the levels of a contingency table that do not differ.

    Parameters
    ----------
    counts : array-like of shape (levels, classes)
        Weight of every class on every level. Levels without weight are in no group.
    method : MergeLevels or None
        How to merge; None means ``MergeLevels()``.
    ordered : bool
        Whether only neighbours are merged.
    missing_last : bool
        Whether the last row is the missing value, which has no place in the order.
    min_samples_leaf : float
        A group of less weight is merged with the group from which it differs least.

    Examples
    --------
    >>> from ramify.splits import merge_levels
    >>> merged = merge_levels([[40, 10], [38, 12], [11, 39], [25, 25]])
    >>> merged.groups
    ((0, 1), (2,), (3,))
    >>> merge_levels([[40, 10], [11, 39], [38, 12]], ordered=True).groups
    ((0,), (1,), (2,))
    """
    table = read_counts("counts", counts)
    chosen = MergeLevels() if method is None else method
    if not isinstance(chosen, MergeLevels):
        raise ValueError(f"method={method!r:.80} must be None or a MergeLevels")
    chosen.require("method")
    check.boolean("ordered", ordered)
    check.boolean("missing_last", missing_last)
    check.number("min_samples_leaf", min_samples_leaf, least=0.0)
    present = np.flatnonzero(table.sum(axis=1) > 0)
    if not len(present):
        return MergedLevels((), 1.0, 1.0)
    group_of, log_p, log_ways = _core.merge_levels(
        np.ascontiguousarray(table[present]),
        ordered,
        missing_last and bool(present[-1] == len(table) - 1),
        float(min_samples_leaf),
        chosen.options(),
    )
    groups: list[list[int]] = [[] for _ in range(max(group_of) + 1)]
    for level, group in zip(present.tolist(), group_of, strict=True):
        groups[group].append(level)
    return MergedLevels(
        tuple(map(tuple, groups)), exp(log_p), min(1.0, exp(min(log_p + log_ways, 0.0)))
    )


def read_categorical_split(value: Any, choices: Sequence[str]) -> tuple[str, MergeLevels | None]:
    """Check `categorical_split`; give its name and, for "merge", how to merge."""
    if isinstance(value, MergeLevels):
        return "merge", value.require("categorical_split")
    if not isinstance(value, str) or value not in choices:
        also = " or an object: MergeLevels" if "merge" in choices else ""
        raise ValueError(
            f"categorical_split={value!r:.80} is not valid; choose from {', '.join(choices)}{also}"
        )
    return value, MergeLevels() if value == "merge" else None


hold_parts("split", MergeLevels)
