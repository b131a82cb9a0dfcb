"""Importances by gain, and what is left of them beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _parameters as check
from ramify.tables import Columns, Schema
from ramify.tree import Tree
from ramify.trees._chance import Stump, chance_gains

ROW_COUNTING = ("chi2", "chi2_cut")  # criteria that grow with the number of rows, as tests do


class ReadTable(NamedTuple):
    """A table that has been read already; the estimators take it in place of one that has not."""

    schema: Schema
    columns: Columns


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
        gained = self._gains()
        total = float(gained.sum())
        return gained / total if total > 0 else gained

    def _gains(self, gain: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        by_row = getattr(self, "criterion", None) not in ROW_COUNTING
        return gains_of_arrays(self.tree_.data, len(self.schema_), gain=gain, by_row=by_row)

    def _stump(self, y: Any, sample_weight: Any, n_rows: int) -> Stump:
        """Give how the training data are split once."""
        raise TypeError(
            f"unbiased importances are for trees that grow split by split, as TreeClassifier and "
            f"TreeRegressor do, not for {type(self).__name__}"
        )

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
        the split of every node is searched for again on targets that are shuffled among the rows of
        the node, and what its column gains there on average is taken off its gain. What is left, at
        least 0, is given as a share of all that the tree gains: a column that says nothing has next
        to nothing, whatever its number of values and whatever the other columns say.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as given to ``fit``.
        n_permutations : int, default=10
            Shuffles at every node, each the cost of searching one column; more of them are more
            precise. Trees of more than 500 splits make fewer, 5,000 in all.
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
        check.whole("n_permutations", n_permutations, least=1)
        rng = np.random.default_rng(check.seed(random_state))
        stump = self._stump(y, sample_weight, columns.n_rows)
        gained = self._gains()
        by_chance = chance_gains(self.tree_, columns, stump, n_permutations, rng)
        beyond = np.maximum(gained - self._gains(by_chance), 0.0)
        total = float(gained.sum())
        self._beyond_chance = beyond / total if total > 0 else beyond
        return self._beyond_chance
