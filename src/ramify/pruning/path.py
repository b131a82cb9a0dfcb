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

Rule = Literal["min", "1se"]
RULES = ("min", "1se")
_KEY_NAMES = {rule.name: rule.key for rule in _core.retirements()}
RULES_OF_KEYS = tuple(_KEY_NAMES)
GROWTHS = ("depth_first", "best_first", "best_first_unweighted")
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PruningPath(NamedArrays):
    """The trees of a pruning sequence, from the largest to the root alone.

    Where the number of expansions was cross-validated, trees of the folds may have more of them
    than the whole tree; the whole tree then stands for each of these numbers, with the errors of
    the folds.

    Every column is an array with one entry per tree; ``path["alpha"]`` and the attributes give
    them, ``path.to_frame()`` all of them as a data frame, ``print(path)`` a table.

    Attributes
    ----------
    key : ndarray
        What names a tree: the price alpha of a leaf ("alpha", cost-complexity), the number of
        expansions ("expansions", best-first), or the largest gain that is given up ("threshold",
        critical value; minus infinity where none is).
    leaves : ndarray of int
        Number of leaves.
    training_error : ndarray
        Error on the training rows: the share that is wrong, the mean cost (above that of the
        cheapest answers), or the mean squared or absolute error; the root mean squared
        error of the class shares where that was cross-validated.
    error : ndarray
        The same, cross-validated; NaN if there was no cross-validation.
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
    rule_of_keys: str  # how the core calls it
    growth: str  # the order of best-first keys
    keys_of_nodes: Floats  # of the tree that was grown
    thresholds: Floats  # in terms of those
    elsewhere: Floats  # thresholds for the trees of other rows

    @property
    def key_name(self) -> str:
        """How the column of keys is called."""
        return _KEY_NAMES[self.rule_of_keys]

    @property
    def error_name(self) -> str:
        """What the errors are."""
        return "RMSE of class shares" if self.rule_of_keys == "best_first_rmse" else "error"

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

    def choose(self, rule: str) -> int:
        """Give the tree that a rule chooses.

        Parameters
        ----------
        rule : {"min", "1se"}
            The least cross-validated error, of equals the smallest tree; or the smallest tree whose
            error exceeds that by at most its standard error (Breiman et al. 1984, section 3.4.3).

        Returns
        -------
        int
            Its row in this table.
        """
        if np.isnan(self.error).all():
            raise ValueError(
                "there are no cross-validated errors to choose by: fit with a pruning that "
                "cross-validates, such as pruning='cost_complexity', or prune by alpha or n_leaves"
            )
        return choose(self.error, self.standard_error, rule)

    @property
    def beyond(self) -> int:
        """How many of the first rows have more expansions than the whole tree, and stand for it."""
        if self.key_name != "expansions":
            return 0
        return len(self) - 1 - int(np.count_nonzero(np.isfinite(self.keys_of_nodes)))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The leaves, and one more for every expansion beyond the whole tree: all different."""
        return self.leaves + np.maximum(self.beyond - np.arange(len(self)), 0)

    def at_most(self, n_leaves: int) -> int:
        """Give the row of the largest tree of at most so many leaves."""
        return max(self.beyond, int(np.flatnonzero(self.leaves <= n_leaves)[0]))

    def at_price(self, alpha: float) -> int:
        """Give the row of the tree that a threshold on the keys leaves.

        The keys are rounded: one that exceeds the threshold by that alone equals it.
        """
        most = alpha + 1e-11 * abs(alpha)
        return max(0, int(np.searchsorted(self.thresholds, most, side="right")) - 1)

    def with_errors(self, error: Floats, standard_error: Floats) -> PruningPath:
        """Give this path with cross-validated errors; if there are more, with rows beyond it."""
        return replace(
            self._with_beyond(len(error) - len(self)), error=error, standard_error=standard_error
        )

    def _with_beyond(self, count: int) -> PruningPath:
        """Give this path with numbers of expansions that the whole tree does not have."""
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
            elsewhere=np.concatenate([self.elsewhere[0] - more, self.elsewhere]),
        )

    def select(self, row: int) -> PruningPath:
        """Give this path with another tree chosen."""
        return replace(self, selected=row)

    def cut(self, grown: _core.Tree, row: int) -> _core.Tree:
        """Give a tree of the path, cut from the one that was grown."""
        return _core.cut(grown, self.keys_of_nodes, float(self.thresholds[row]))


def sequence(
    grown: _core.Tree, rule_of_keys: str, growth: str, costs: Floats | None
) -> PruningPath:
    """Give the path of a tree, without cross-validated errors."""
    above = None if costs is None else above_the_cheapest(costs)
    weighed = growth != "best_first_unweighted"
    found = _core.pruning_sequence(grown, rule_of_keys, weighed, flat(above))
    unknown = np.full(len(found[1]), np.nan)
    return PruningPath(
        key=np.abs(found[1]) if _KEY_NAMES[rule_of_keys] == "expansions" else found[1],
        leaves=found[3],
        training_error=found[4],
        error=unknown,
        standard_error=unknown,
        selected=None,
        rule_of_keys=rule_of_keys,
        growth=growth,
        keys_of_nodes=found[0],
        thresholds=found[1],
        elsewhere=found[2],
    )


def slack(error: Floats) -> float:
    """Give how much errors may differ by rounding alone: in proportion to the largest of them."""
    return 1e-12 * float(np.nanmax(np.abs(error), initial=0.0))


def choose(error: Floats, standard_error: Floats, rule: str) -> int:
    """Give the tree that a rule chooses; trees are given from large to small."""
    best = int(np.flatnonzero(error <= float(np.nanmin(error)) + slack(error))[-1])
    if rule == "min":
        return best
    limit = float(error[best] + standard_error[best])
    return int(np.flatnonzero(error <= limit + slack(error))[-1])
