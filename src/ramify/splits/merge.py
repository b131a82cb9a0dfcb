"""Merging of levels by significance, the way CHAID makes the branches of a split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ramify.learning import parameters as check
from ramify.tables.values import hold_parts

TESTS = ("pearson", "likelihood_ratio")


@dataclass(frozen=True)
class MergeLevels:
    """One branch for every group of levels that differ in the target (Kass 1980).

    At a node, the two levels, or groups of levels, that differ least become one group, as long as
    the p-value of their difference exceeds `alpha`. What is left are the branches. Levels of a
    nominal column may be merged with any other, those of an ordinal one with their neighbours.
    With ``missing="separate"`` the missing value is one more level, which may join any group of
    an ordinal column too. If no two levels differ, the column has no split.

    Give it, or "merge" for its defaults, as ``categorical_split=`` to
    :class:`~ramify.TreeClassifier` or :class:`~ramify.TreeRegressor`.

    Parameters
    ----------
    alpha : float, default=0.05
        Two groups are merged if the p-value of their difference is larger.
    resplit : float or None, default=None
        A merged group of three levels or more is divided again if some two parts of it differ with
        a p-value of at most this; at most `alpha`. None: never. All parts are tried, of more than
        twelve nominal levels those in the order of the share of each class.
    exhaustive : bool, default=False
        Merge down to two groups, and take the step of the smallest p-value (exhaustive CHAID;
        Biggs, de Ville and Suen 1991). `alpha` is not asked.
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
                    f"resplit={self.resplit!r} must be at most alpha={self.alpha!r}: what was "
                    "merged for being alike would be divided for being different"
                )
        check.boolean("exhaustive", self.exhaustive)
        check.choice("test", self.test, TESTS)

    def require(self, name: str) -> MergeLevels:
        """Give itself, if it is valid as the parameter of this name."""
        try:
            self.check()
        except ValueError as error:
            raise ValueError(f"{name}=MergeLevels: {error}") from None
        return self

    def options(self) -> dict[str, Any]:
        """Give the parameters as the core takes them."""
        return asdict(self) | {"resplit": float(self.resplit or 0.0)}


def read_categorical_split(value: Any, choices: Sequence[str]) -> tuple[str, MergeLevels | None]:
    """Give the name of a way to divide levels, validated, and how to merge them if that is it."""
    if isinstance(value, MergeLevels):
        return "merge", value.require("categorical_split")
    if not isinstance(value, str) or value not in choices:
        also = " or an object: MergeLevels" if "merge" in choices else ""
        raise ValueError(
            f"categorical_split={value!r:.80} is not valid; choose from {', '.join(choices)}{also}"
        )
    return value, MergeLevels() if value == "merge" else None


hold_parts("split", MergeLevels)
