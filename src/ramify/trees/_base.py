"""What every single-tree estimator does: read the table, predict, explain, save."""

from __future__ import annotations

import copy
import os
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify import _parameters as check
from ramify._pruning_path import GROWTHS, RULES, PruningPath, sequence
from ramify._training import Pruned, Training
from ramify.export.arrays import NumericArrays
from ramify.pruning import read_pruning
from ramify.tables import Columns, Schema, read_table
from ramify.tree import Tree
from ramify.trees._explain import Explanation, as_core, as_table, explain_row
from ramify.trees._importance import ReadTable, gains, gains_beyond_chance

MISSING = ("fractional", "separate", "direction")
SELECTIONS = ("criterion", "conditional_inference")
UNSEEN = ("missing", "majority", "error")


class BaseTree(BaseEstimator):  # type: ignore[misc]
    """Shared by the estimators that fit one tree; not for direct use."""

    tree_: Tree
    _grown: Tree  # before pruning
    _path: PruningPath | None
    schema_: Schema
    n_features_in_: int
    unbiased_importances_: NDArray[np.float64]

    # parameters, stored by the subclasses
    selection: Any
    alpha: Any
    bonferroni: Any
    significance: Any
    min_second_value: Any
    growth: Any
    max_depth: Any
    max_leaves: Any
    max_expansions: Any
    min_samples_split: Any
    min_samples_leaf: Any
    abandon_small: Any
    min_gain: Any
    missing: Any
    unseen: Any
    pruning: Any
    verbose: Any
    categorical_features: Any
    categorical_split: Any
    n_jobs: Any
    random_state: Any

    def _grow_parameters(self, n_rows: int) -> dict[str, Any]:
        """Validate the parameters that all trees share, as the core takes them."""
        return {
            "selection": check.choice("selection", self.selection, SELECTIONS),
            "alpha": check.probability("alpha", self.alpha),
            "bonferroni": check.boolean("bonferroni", self.bonferroni),
            "significance": 1.0
            if self.significance is None
            else check.probability("significance", self.significance, none="None or "),
            "min_second_value": check.number("min_second_value", self.min_second_value, least=0.0),
            "growth": check.choice("growth", self.growth, GROWTHS),
            "missing": check.choice("missing", self.missing, MISSING),
            "max_depth": check.limit("max_depth", self.max_depth, least=0),
            "max_leaves": check.limit("max_leaves", self.max_leaves, least=1),
            "max_expansions": check.limit("max_expansions", self.max_expansions, least=0),
            "min_samples_split": check.rows(
                "min_samples_split", self.min_samples_split, n_rows, least=2
            ),
            "min_samples_leaf": check.rows(
                "min_samples_leaf", self.min_samples_leaf, n_rows, least=1
            ),
            "abandon_small": check.boolean("abandon_small", self.abandon_small),
            "min_gain": check.number("min_gain", self.min_gain, least=0.0),
            "threads": check.threads(self.n_jobs),
        }

    def _check_parameters(self) -> None:
        """Validate what can be validated without data."""
        self._grow_parameters(1)
        check.choice("unseen", self.unseen, UNSEEN)
        check.boolean("verbose", self.verbose)
        read_pruning(self.pruning)

    def _read(self, X: Any) -> tuple[Schema, Columns]:
        """Read the training table."""
        if isinstance(X, ReadTable):
            return X.schema, X.columns
        return read_table(X, categorical_features=self.categorical_features)

    def _train(self, training: Training, **parts: Any) -> None:
        """Grow a tree and prune it; `parts` are what makes it a :class:`Tree`."""
        pruning = read_pruning(self.pruning)
        if pruning is None:
            # The encoded table is made for this one tree.
            core = _core.grow(training.problem, consume=True)
            pruned = Pruned(core, core)
        else:
            pruned = pruning.prune(training)
        tree = Tree(pruned.tree, **parts)
        grown = tree if pruned.grown is pruned.tree else Tree(pruned.grown, **parts)
        self._remember(tree, grown, pruned.path)

    def _remember(self, tree: Tree, grown: Tree, path: PruningPath | None) -> None:
        """Take over a tree; all at once, so that a fit that fails leaves the former one whole."""
        self.tree_ = tree
        self._grown = grown
        self._path = path
        if hasattr(self, "unbiased_importances_"):  # those of another tree
            del self.unbiased_importances_
        self.schema_ = tree.schema
        self.n_features_in_ = len(tree.schema)
        if tree.schema.named:
            self.feature_names_in_ = np.array(tree.schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _encode(self, X: Any) -> Columns:
        check_is_fitted(self, "tree_")
        unseen: Literal["missing", "majority", "error"] = self.tree_.unseen  # type: ignore[assignment]
        return self.schema_.encode(X, unseen=unseen, owner=type(self).__name__)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Give the leaf of every row.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray of int
            Numbers of nodes; of a row that missing values spread over several leaves, the one
            with the largest share.
        """
        table = as_core(self._encode(X))
        leaves: NDArray[np.int64] = self.tree_.core.apply(
            table, self.tree_.unseen, check.threads(self.n_jobs)
        )
        return leaves

    def decision_path(self, X: Any) -> csr_matrix:
        """Give the nodes that every row visits.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        csr_matrix of shape (rows, nodes)
            One where a row passes through a node, with any share.
        """
        columns = self._encode(X)
        indptr, indices = self.tree_.core.paths(as_core(columns), self.tree_.unseen)
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(columns.n_rows, self.tree_.n_nodes))

    def get_depth(self) -> int:
        """Give the depth of the tree: 0 if it is a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Give the number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total weighted gain; attributes with many values gain more."""
        check_is_fitted(self, "tree_")
        gain = gains(self.tree_)
        total = float(gain.sum())
        return gain / total if total > 0 else gain

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
        self.unbiased_importances_ = gains_beyond_chance(
            self,
            ReadTable(self.schema_, columns),
            y,
            sample_weight,
            n_permutations,
            np.random.default_rng(random_state),
        )
        return self.unbiased_importances_

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
            row = path.at_most(check.limit("n_leaves", n_leaves, least=1))
        else:
            row = path.choose(check.choice("rule", rule, RULES))
        pruned = copy.copy(self)
        tree = self._grown.with_core(path.cut(self._grown.core, row))
        pruned._remember(tree, self._grown, path.select(row))
        return pruned

    def _name_target(self, name: str) -> None:
        """Call what is predicted by another name."""
        self.tree_.target = self._grown.target = name

    def plot_pruning_path(self, ax: Any = None) -> Any:
        """Plot the errors of ``pruning_path_``; see :func:`ramify.show.plot_pruning_path`."""
        from ramify.show.pruning import plot_pruning_path

        return plot_pruning_path(self.pruning_path_, ax=ax)

    @property
    def arrays_(self) -> NumericArrays:
        """Read-only arrays like those of scikit-learn's ``tree_``; numeric binary trees only."""
        check_is_fitted(self, "tree_")
        return self.tree_.arrays

    def explain(self, row: Any) -> Explanation:
        """Explain the prediction for one row.

        Parameters
        ----------
        row : sequence, dict, Series, or table of one row
            The cells, in the order of the columns or by name. In a dict or a Series with names,
            any order will do, and a column that is left out is missing.

        Returns
        -------
        Explanation
            The conditions on its way, and what nearly won at each; ``print`` it.

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> from ramify.datasets import load_weather
        >>> weather = load_weather()
        >>> X = {name: weather.data[name] for name in ("outlook", "humidity")}
        >>> clf = TreeClassifier(max_depth=2).fit(X, weather.y)
        >>> print(clf.explain({"outlook": "sunny", "humidity": 90}))
        1. outlook in {rainy, sunny}, being sunny  (10 of 14 rows, no 50 %)
             nearly won: humidity <= 82.5 (90 %)
        2. humidity > 82.5, being 90  (5 of 14 rows, no 80 %)
             nearly won: outlook = rainy (11 %)
        => no (80 %)
        """
        check_is_fitted(self, "tree_")
        table = as_table(row, self.schema_)
        columns = self._encode(table)
        if columns.n_rows != 1:
            raise ValueError(f"explain takes one row, and {columns.n_rows} were given")
        prediction, confidence = self._answer(as_core(columns))
        return explain_row(self.tree_, table, columns, prediction, confidence)

    def _answer(self, table: Any) -> tuple[Any, float | None]:
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file that :func:`ramify.load` reads.

        Parameters
        ----------
        path : str or path
            The file; it is replaced if it is there.
        """
        from ramify.model_file import save

        check_is_fitted(self, "tree_")
        save(self, path)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def core_table(columns: Columns, schema: Schema, threads: int) -> Any:
    """Encode the columns for growing."""
    table = _core.Table(columns.n_rows)
    if columns.matrix is not None:
        table.add_matrix(columns.matrix, threads)
        return table
    pending: list[NDArray[np.float64]] = []
    for array, column in zip(columns.arrays, schema.columns, strict=True):
        if column.kind == "numeric":
            pending.append(array)
            continue
        # Numeric columns that stand together are encoded together, in parallel.
        table.add_numeric(pending, threads)
        pending = []
        table.add_codes(column.kind, array, len(column.levels))
    table.add_numeric(pending, threads)
    return table
