"""Pruning after the fit: the path of a fitted tree, and cutting the tree back along it."""

from __future__ import annotations

import copy
from typing import Any, Literal, Self

from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.pruning.path import RULES, PruningPath, sequence
from ramify.tree import Tree
from ramify.tree.doors import door


class PrunedTree:
    """Mixed into the estimators that fit one tree; not for direct use."""

    tree_: Tree
    _grown: Tree  # before pruning
    _path: PruningPath | None
    growth: Any

    def _remember(self, tree: Tree, grown: Tree, path: PruningPath | None) -> None:
        raise NotImplementedError

    @property
    def pruning_path_(self) -> PruningPath:
        """The trees that pruning chose from, or the cost-complexity sequence of the grown tree."""
        check_is_fitted(self, "tree_")
        if self._path is None:
            self._path = self._prices()
        return self._path

    def _prices(self) -> PruningPath:
        grown = self._grown
        return sequence(grown.core, "cost_complexity", self.growth, grown.costs)

    def prune(
        self,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        rule: Literal["min", "1se"] | None = None,
    ) -> Self:
        """Cut the tree back, without growing again.

        What is cut is the tree as it was grown, whatever pruning has made of it: a larger tree
        than the present one can be asked for, too.

        Parameters
        ----------
        alpha : float
            The price of a leaf: the tree of minimal cost-complexity for it. The new estimator's
            path is then that of cost-complexity, without errors if another pruning made them.
        n_leaves : int
            The largest tree of ``pruning_path_`` that has at most so many leaves.
        rule : {"min", "1se"}
            The tree of ``pruning_path_`` that the cross-validated errors speak for; needs a fit
            with a pruning that cross-validates. Exactly one of the three is given.

        Returns
        -------
        estimator
            A new one; this one stays as it is.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from ramify import TreeClassifier
        >>> clf = TreeClassifier(pruning="auto").fit(*load_iris(return_X_y=True))
        >>> clf.tree_.n_leaves, clf.prune(n_leaves=2).tree_.n_leaves
        (3, 2)
        """
        check_is_fitted(self, "tree_")
        given = [
            f"{name}={value!r}"
            for name, value in (("alpha", alpha), ("n_leaves", n_leaves), ("rule", rule))
            if value is not None
        ]
        if len(given) != 1:
            raise ValueError(
                "prune takes exactly one of alpha, n_leaves and rule, not "
                + (" and ".join(given) if given else "none of them")
            )
        path = self.pruning_path_
        if alpha is not None:
            price = check.number("alpha", alpha, least=0.0)
            if path.key_name != "alpha":
                path = self._prices()
            row = path.at_price(price)
        elif n_leaves is not None:
            row = path.at_most(check.whole("n_leaves", n_leaves, least=1))
        else:
            row = path.choose(check.choice("rule", rule, RULES))
        pruned = copy.copy(self)
        tree = self._grown.with_core(path.cut(self._grown.core, row))
        pruned._remember(tree, self._grown, path.select(row))
        return pruned

    def plot_pruning_path(self, ax: Any = None) -> Any:
        """Plot the errors of ``pruning_path_``; see :func:`ramify.show.plot_pruning_path`."""
        return door("plot_pruning_path")(self.pruning_path_, ax=ax)
