"""Importances by gain, and what is left of them beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.training import Training
from ramify.tables import Columns, Schema
from ramify.tree import Tree

_MOST_SEARCHES = 2**31


def counts_rows(criterion: Any) -> bool:
    """Whether a criterion grows with the number of rows, as a test does."""
    return isinstance(criterion, str) and criterion in ("chi2", "chi2_cut")


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
        gained = self._gains(self.tree_)
        total = float(gained.sum())
        return gained / total if total > 0 else gained

    def _gains(self, tree: Tree, gain: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        by_row = not counts_rows(getattr(self, "criterion", None))
        return gains_of_arrays(tree.data, len(tree.schema), gain=gain, by_row=by_row)

    def _pose(
        self, schema: Schema, columns: Columns, y: Any, sample_weight: Any, seed: int
    ) -> Training:
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
                "unbiased_importances_ needs the training data: fit works it out if n_permutations "
                "asks for it, which prune and model files do not keep; otherwise call "
                "unbiased_importances(X, y) first"
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
        to nothing, whatever its number of values and whatever the other columns say. What beat the
        second best of its node by chance alone is judged by the shuffles that do so, too; below
        depth 8, where what nearly won is not remembered, and under conditional inference it is not,
        so that trees grown to the end leave noise about a third of its gain.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as given to ``fit``.
        n_permutations : int, default=10
            Searches on shuffled targets at every node, each about the cost of growing on a few
            columns more; with fewer than 10 more of the noise is left. Splits of 1,000 rows and
            more that gain a hundred times what two of them do make no more than these two; nodes
            below depth 8 together 5,000, but at least one each.
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
        return self._find_beyond_chance(
            columns, y, sample_weight, searches, check.seed(random_state)
        )

    def _find_beyond_chance(
        self, columns: Columns, y: Any, sample_weight: Any, searches: int, seed: int
    ) -> NDArray[np.float64]:
        """Give the importances beyond chance by training rows that are read already."""
        training = self._pose(self.schema_, columns, y, sample_weight, seed)
        self._require_same(training)
        self._beyond_chance = self._correct(self.tree_, training, searches)
        return self._beyond_chance

    def _require_same(self, training: Training) -> None:
        """Refuse data that the tree was not grown on, as far as their numbers tell."""
        fitted, found = (
            [] if classes is None else classes.tolist()
            for classes in (self.tree_.classes, training.classes)
        )
        if fitted != found:
            raise ValueError(
                "unbiased_importances needs the y that was given to fit: its classes were "
                f"{', '.join(map(repr, fitted[:20]))}, not {', '.join(map(repr, found[:20]))}"
            )
        rows, given = int(self.tree_.data["rows"][0]), len(training.rows())
        if rows != given:
            raise ValueError(
                f"unbiased_importances needs the rows that the tree was grown on, which were {rows}"
                f", and {given} were given; of pruning='reduced_error', which grows on a part of "
                "them, fit knows which if n_permutations asks for these importances"
            )

    def _correct(
        self,
        tree: Tree,
        training: Training,
        searches: int,
        included: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.float64]:
        """Take off every column's gain what its splits gain by chance; in shares of all gain."""
        by_chance = _core.chance_gains(
            training.problem,
            tree.core,
            min(searches, _MOST_SEARCHES),
            training.seed,
            training.class_weights,
            tree.unseen,
            included,
        )
        gained = self._gains(tree)
        beyond = np.maximum(gained - self._gains(tree, by_chance), 0.0)
        total = float(gained.sum())
        return beyond / total if total > 0 else beyond
