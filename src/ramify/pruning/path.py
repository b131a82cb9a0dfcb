"""The pruning path: the nested trees that a pruning chooses from, as a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning.weights import above_the_cheapest
from ramify.tables.frame import NamedArrays
from ramify.tree.arrays import flat
from ramify.tree.doors import door

Rule = Literal["min", "1se", "1point"]
RULES = ("min", "1se", "1point")
#: The ways to give nodes their retirement keys, with the public names of the keys.
_KEY_OF = {one.name: one.key for one in _core.retirements()}
RETIREMENTS = tuple(_KEY_OF)
GROWTHS = ("depth_first", "best_first", "best_first_unweighted")
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PruningPath(NamedArrays):
    """The trees of a pruning sequence, from the largest to the root alone.

    Every column is an array with one entry per tree. ``path["alpha"]`` and the attributes give
    single columns, ``path.to_frame()`` gives a data frame, and ``print(path)`` shows a table.

    If the number of expansions was cross-validated, trees of the folds may have more expansions
    than the whole tree. Each such number has a row with the errors of the folds, and the whole tree
    stands for it.

    Attributes
    ----------
    key : ndarray
        The value that stands for a tree. "alpha" is the price of a leaf (cost-complexity),
        "expansions" the number of expansions (best-first), "threshold" the largest gain that is
        given up (critical value; minus infinity for the whole tree).
    leaves : ndarray of int
        Number of leaves.
    training_error : ndarray
        Error on the training rows: the share of wrong rows, the mean cost (above that of the
        cheapest answers), or the mean squared or absolute error. It is the root mean squared error
        of the class shares if that was cross-validated.
    error : ndarray
        The same error, cross-validated; NaN if there was no cross-validation.
    standard_error : ndarray
        Its standard error.
    selected : int or None
        The tree that was chosen.
    """

    key: Floats
    leaves: NDArray[np.int64]
    training_error: Floats
    error: Floats
    standard_error: Floats
    selected: int | None
    # How nodes get their keys, by the core's name; best-first keys depend on the order of growth.
    retirement: str
    growth: str
    # The retirement keys of the grown tree, and where they are cut to get the tree of each row.
    keys_of_nodes: Floats
    thresholds: Floats
    # Where the keys of a fold's tree are cut.
    fold_thresholds: Floats

    def __setstate__(self, state: dict[str, Any]) -> None:
        former = {"rule_of_keys": "retirement", "elsewhere": "fold_thresholds"}  # before 0.2
        self.__dict__.update({former.get(name, name): value for name, value in state.items()})

    @property
    def key_name(self) -> str:
        """Name of the column of keys."""
        return _KEY_OF[self.retirement]

    @property
    def error_name(self) -> str:
        """Name of the errors, for the axis of a plot."""
        return "RMSE of class shares" if self.retirement == "best_first_rmse" else "error"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return (self.key_name, "leaves", "training_error", "error", "standard_error")

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.key if column in ("key", self.key_name) else super().__getitem__(column)

    def __len__(self) -> int:
        return len(self.key)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [" ".join(f"{name:>14}" for name in self.columns)]
        for i in range(len(self)):
            cells = [self.key[i], self.leaves[i], self.training_error[i], self.error[i]]
            text = [f"{cell:14.6g}" for cell in [*cells, self.standard_error[i]]]
            lines.append(" ".join(text) + (" *" if i == self.selected else ""))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        html: str = door("pruning_path_html")(self)
        return html

    def choose(self, rule: str, *, whole: float | None = None, classes: bool = True) -> int:
        """Give the tree that a rule chooses.

        Parameters
        ----------
        rule : {"min", "1se", "1point"}
            "min" takes the tree of least cross-validated error, the smallest if several tie. "1se"
            takes the smallest tree whose error exceeds the least by at most the standard error of
            that (Breiman et al. 1984, section 3.4.3). "1point" takes the smallest tree whose error
            exceeds the least by at most that and by at most one point. Of `classes` it takes the
            root alone, if the root is not worse than that tree by more than the standard error of
            the difference of both, as if their errors were independent.
        whole : float or None, default=None
            The error of a hundred points: 1 for shares of wrong rows. None means the error of the
            root alone, so that a point is 0.01 of R2 in regression.
        classes : bool, default=True
            Whether the trees answer classes, not numbers.

        Returns
        -------
        int
            The row of the tree in this table.
        """
        if np.isnan(self.error).all():
            raise ValueError(
                "there are no cross-validated errors to choose by: fit with a pruning that "
                "cross-validates, such as pruning='cost_complexity', or prune by alpha or n_leaves"
            )
        wrong = classes and self.retirement != "best_first_rmse"
        return choose(self.error, self.standard_error, rule, whole, wrong_classes=wrong)

    @property
    def beyond(self) -> int:
        """Number of first rows that have more expansions than the whole tree, and stand for it."""
        if self.key_name != "expansions":
            return 0
        return len(self) - 1 - int(np.count_nonzero(np.isfinite(self.keys_of_nodes)))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of leaves, plus one for each expansion beyond the whole tree: all different."""
        return self.leaves + np.maximum(self.beyond - np.arange(len(self)), 0)

    def at_most(self, n_leaves: int) -> int:
        """Give the row of the largest tree with at most this many leaves."""
        if n_leaves < self.leaves[-1]:  # what is demanded or locked is never cut
            raise ValueError(
                f"n_leaves={n_leaves!r} must be at least {self.leaves[-1]}: the tree has a "
                "skeleton, or locked splits, of so many leaves, which no pruning cuts"
            )
        return max(self.beyond, int(np.flatnonzero(self.leaves <= n_leaves)[0]))

    def at_price(self, alpha: float) -> int:
        """Give the row of the tree that is left if the keys are cut at `alpha`.

        A key that is above `alpha` only by rounding counts as equal.
        """
        most = alpha + 1e-11 * abs(alpha)
        return max(0, int(np.searchsorted(self.thresholds, most, side="right")) - 1)

    def with_errors(self, error: Floats, standard_error: Floats) -> PruningPath:
        """Give this path with cross-validated errors, and more first rows if they are more."""
        return replace(
            self._with_beyond(len(error) - len(self)), error=error, standard_error=standard_error
        )

    def _with_beyond(self, count: int) -> PruningPath:
        """Give this path with more first rows, whose expansions the whole tree does not have."""
        if count == 0:
            return self
        more = np.arange(count, 0, -1)
        unknown = np.full(count, np.nan)
        return replace(
            self,
            key=np.concatenate([self.key[0] + more, self.key]),
            leaves=np.concatenate([np.repeat(self.leaves[:1], count), self.leaves]),
            training_error=np.concatenate(
                [np.repeat(self.training_error[:1], count), self.training_error]
            ),
            error=np.concatenate([unknown, self.error]),
            standard_error=np.concatenate([unknown, self.standard_error]),
            selected=None if self.selected is None else self.selected + count,
            thresholds=np.concatenate([self.thresholds[0] - more, self.thresholds]),
            fold_thresholds=np.concatenate([self.fold_thresholds[0] - more, self.fold_thresholds]),
        )

    def select(self, row: int) -> PruningPath:
        """Give this path with another tree chosen."""
        return replace(self, selected=row)

    def cut(self, grown: _core.Tree, row: int) -> _core.Tree:
        """Cut the tree of a row from the grown tree."""
        return _core.cut(grown, self.keys_of_nodes, float(self.thresholds[row]))


def sequence(grown: _core.Tree, retirement: str, growth: str, costs: Floats | None) -> PruningPath:
    """Give the path of a tree, without cross-validated errors."""
    regrets = None if costs is None else above_the_cheapest(costs)
    weighed = growth != "best_first_unweighted"
    keys, thresholds, fold_thresholds, leaves, training_error = _core.pruning_sequence(
        grown, retirement, weighed, flat(regrets)
    )
    key = np.abs(thresholds) if _KEY_OF[retirement] == "expansions" else thresholds
    unknown = np.full(len(key), np.nan)
    table = (key, leaves, training_error, unknown, unknown, None)
    return PruningPath(*table, retirement, growth, keys, thresholds, fold_thresholds)


def slack(error: Floats) -> float:
    """Give the difference of errors that rounding alone can make: a part of the largest."""
    return 1e-12 * float(np.nanmax(np.abs(error), initial=0.0))


def whole_error(*, classes: bool, costs: bool) -> float | None:
    """Give the error of a hundred points; None means that of the root alone."""
    return 1.0 if classes and not costs else None


def choose(
    error: Floats,
    standard_error: Floats,
    rule: str,
    whole: float | None = None,
    *,
    wrong_classes: bool,
) -> int:
    """Give the place of the tree that a rule chooses; trees come from large to small.

    Errors of `wrong_classes` (or their costs) can be better than those of the root by chance, so
    that the rule "1point" asks for more. Squared and absolute errors punish an answer that follows
    noise.
    """
    best = int(np.flatnonzero(error <= float(np.nanmin(error)) + slack(error))[-1])
    if rule == "min":
        return best
    allowed = float(standard_error[best])
    if rule == "1point":
        # A deviance may be rounded to less than nothing; the best tree itself is always allowed.
        allowed = min(allowed, 0.01 * abs(float(error[-1] if whole is None else whole)))
    chosen = int(np.flatnonzero(error <= float(error[best]) + allowed + slack(error))[-1])
    if rule != "1point" or not wrong_classes:
        return chosen
    better = _clearly_better_than_the_root(error, standard_error, chosen)
    return chosen if better else len(error) - 1


def _clearly_better_than_the_root(error: Floats, standard_error: Floats, row: int) -> bool:
    """Tell whether a tree is better than the root by more than chance, one standard error, makes.

    The errors count as independent: in noise, a large tree and the root are wrong on other rows.
    """
    doubt = float(np.hypot(standard_error[row], standard_error[-1]))
    return not float(error[-1]) <= float(error[row]) + doubt + slack(error)
