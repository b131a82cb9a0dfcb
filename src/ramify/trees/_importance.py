"""Importances by gain, and what is left of them beyond chance.

Columns with many values gain much by chance, so the gain is compared with what the same column
gains, with the same parameters, where nothing can be gained: on shuffled targets (Altmann et al.
2010). If no column says anything, a column's gain and its mean over shuffles are equal on average,
whatever its number of values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from ramify import _parameters as check
from ramify.tables import Columns, Schema
from ramify.tree import Tree


class ReadTable(NamedTuple):
    """A table that has been read already; the estimators take it in place of one that has not."""

    schema: Schema
    columns: Columns


def gains(tree: Tree) -> NDArray[np.float64]:
    """Give the weighted gain of every column, summed over the splits that ask for it."""
    return gains_of_arrays(tree.data, len(tree.schema))


def gains_of_arrays(arrays: Mapping[str, NDArray[Any]], n_columns: int) -> NDArray[np.float64]:
    """Do it for the arrays of a tree, which it need not keep."""
    inner = arrays["kind"] > 0
    return np.bincount(
        arrays["attribute"][inner],
        weights=(arrays["weight"] * arrays["gain"])[inner],
        minlength=n_columns,
    ).astype(np.float64)


def gains_beyond_chance(
    estimator: Any,
    table: ReadTable,
    y: Any,
    sample_weight: Any,
    n_permutations: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Give each column's gain in the fitted tree less that by chance, as a share of all gains."""
    gained = gains(estimator.tree_)
    target = np.asarray(y)
    by_chance = np.zeros_like(gained)
    for _ in range(n_permutations):
        shuffled = target[rng.permutation(len(target))]
        by_chance += gains(clone(estimator).fit(table, shuffled, sample_weight).tree_)
    beyond = np.maximum(gained - by_chance / n_permutations, 0.0)
    total = float(gained.sum())
    return beyond / total if total > 0 else beyond


class TreeImportances:
    """Mixed into the estimators that fit one tree; not for direct use."""

    tree_: Tree
    schema_: Schema
    _beyond_chance: NDArray[np.float64] | None = None

    def _encode(self, X: Any) -> Columns:
        raise NotImplementedError

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total weighted gain; attributes with many values gain more."""
        check_is_fitted(self, "tree_")
        gain = gains(self.tree_)
        total = float(gain.sum())
        return gain / total if total > 0 else gain

    @property
    def unbiased_importances_(self) -> NDArray[np.float64]:
        """What each column gains beyond chance, as :meth:`unbiased_importances` found it last."""
        check_is_fitted(self, "tree_")
        if self._beyond_chance is None:
            raise AttributeError(
                "unbiased_importances_ needs the training data, which a fitted tree does not keep: "
                "call unbiased_importances(X, y) first"
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
        trees with the same parameters are grown on shuffled targets, and what a column gains there
        on average is taken off its gain (Altmann et al. 2010). What is left, at least 0, is given
        as a share of all that the tree gains: a column that says nothing has next to nothing,
        whatever its number of values, and all together have what is not chance.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as given to ``fit``.
        n_permutations : int, default=10
            Shuffles, each the cost of one fit; more of them are more precise.
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
        if check.limit("n_permutations", n_permutations, least=1) == check.UNLIMITED:
            raise ValueError("n_permutations=None must be an integer of at least 1")
        self._beyond_chance = gains_beyond_chance(
            self,
            ReadTable(self.schema_, columns),
            y,
            sample_weight,
            n_permutations,
            np.random.default_rng(random_state),
        )
        return self._beyond_chance
