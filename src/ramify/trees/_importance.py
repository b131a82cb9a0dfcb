"""Importances by gain, and what is left of them beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify import _parameters as check
from ramify.tables import Columns, Schema
from ramify.tree import Tree

ROW_COUNTING = ("chi2", "chi2_cut")  # criteria that grow with the number of rows, as tests do


class ReadTable(NamedTuple):
    """A table that has been read already; the estimators take it in place of one that has not."""

    schema: Schema
    columns: Columns


@dataclass(frozen=True)
class Posed:
    """Training data and parameters as the core takes them, and what it does not need to know."""

    problem: _core.Problem
    target: NDArray[Any]  # codes of the classes, or numbers
    classes: NDArray[Any] | None  # None in regression
    weights: NDArray[np.float64] | None  # of the rows, those of their classes included
    class_weights: NDArray[np.float64] | None
    costs: NDArray[np.float64] | None


def gains_of_arrays(
    arrays: Mapping[str, NDArray[Any]],
    n_columns: int,
    *,
    gain: NDArray[np.float64] | None = None,
    by_row: bool = True,
) -> NDArray[np.float64]:
    """Give the gain of every column, summed over the splits that ask for it.

    Gains are those of the tree, or others; `by_row` says that they count for every row.
    """
    inner = arrays["kind"] > 0
    gain = arrays["gain"] if gain is None else gain
    return np.bincount(
        arrays["attribute"][inner],
        weights=(arrays["weight"] * gain if by_row else gain)[inner],
        minlength=n_columns,
    ).astype(np.float64)


class TreeImportances:
    """Mixed into the estimators that fit one tree; not for direct use."""

    tree_: Tree
    schema_: Schema
    criterion: Any
    _beyond_chance: NDArray[np.float64] | None = None

    def _encode(self, X: Any) -> Columns:
        raise NotImplementedError

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total weighted gain; attributes with many values gain more."""
        check_is_fitted(self, "tree_")
        gained = self._gains(self.tree_)
        total = float(gained.sum())
        return gained / total if total > 0 else gained

    def _gains(self, tree: Tree, gain: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        by_row = getattr(self, "criterion", None) not in ROW_COUNTING
        return gains_of_arrays(tree.data, len(tree.schema), gain=gain, by_row=by_row)

    def _pose(self, schema: Schema, columns: Columns, y: Any, sample_weight: Any) -> Posed:
        """Put the training data as the core takes them."""
        raise TypeError(
            f"unbiased importances are for trees that grow split by split, as TreeClassifier and "
            f"TreeRegressor do, not for {type(self).__name__}"
        )

    @property
    def unbiased_importances_(self) -> NDArray[np.float64]:
        """What each column gains beyond chance, by `n_permutations` or as found last."""
        check_is_fitted(self, "tree_")
        if self._beyond_chance is None:
            raise AttributeError(
                "unbiased_importances_ needs the training data, which a fitted tree does not keep: "
                "give n_permutations=10 before fit, or call unbiased_importances(X, y) first"
            )
        return self._beyond_chance

    def unbiased_importances(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        n_permutations: int = 10,
        random_state: int = 0,
    ) -> NDArray[np.float64]:
        """Give what each column gains beyond chance, and remember it.

        ``feature_importances_`` favours columns with many values, which gain much by chance. Here
        the split of every node is searched for again on targets that are shuffled among the rows of
        the node, and what its column gains there on average is taken off its gain. What is left, at
        least 0, is given as a share of all that the tree gains: a column that says nothing has next
        to nothing, whatever its number of values and whatever the other columns say.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as given to ``fit``.
        n_permutations : int, default=10
            Searches on shuffled targets at every node; more of them are more precise. Splits of
            1,000 rows and more that gain a hundred times what two of them do make no more than
            these two; trees of more than 500 splits make 5,000 in all, but at least one each.
        random_state : int, default=0
            Seed of the shuffles.

        Returns
        -------
        ndarray
            One number per column; also kept as ``unbiased_importances_``.

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> X = [[row % 2, f"id {row}"] for row in range(100)]
        >>> y = [row % 2 for row in range(100)]
        >>> TreeClassifier(max_depth=1).fit(X, y).unbiased_importances(X, y).round(1)
        array([1., 0.])
        """
        columns = self._encode(X)
        searches = check.whole("n_permutations", n_permutations, least=1)
        posed = self._pose(self.schema_, columns, y, sample_weight)
        self._beyond_chance = self._correct(self.tree_, posed, searches, check.seed(random_state))
        return self._beyond_chance

    def _correct(self, tree: Tree, posed: Posed, searches: int, seed: int) -> NDArray[np.float64]:
        """Take off every column's gain what its splits gain by chance; in shares of all gain."""
        by_chance = _core.chance_gains(
            posed.problem, tree.core, searches, seed, posed.class_weights, tree.unseen
        )
        gained = self._gains(tree)
        beyond = np.maximum(gained - self._gains(tree, by_chance), 0.0)
        total = float(gained.sum())
        return beyond / total if total > 0 else beyond
