"""What every single-tree estimator does: read the table, predict, explain."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.model import TableModel
from ramify.learning.training import Training
from ramify.pruning.path import GROWTHS, PruningPath
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import read_pruning
from ramify.splits.merge import read_categorical_split
from ramify.tables import Columns, Schema, read_table
from ramify.tables.core import as_core
from ramify.tree import NumericArrays, Tree
from ramify.trees.single.contributions import TreeContributions
from ramify.trees.single.explain import Explanation, as_table, explain_row
from ramify.trees.single.importance import ReadTable, TreeImportances, counts_rows
from ramify.trees.single.notebook import NotebookTree
from ramify.trees.single.pruned import PrunedTree
from ramify.trees.single.reports import Reports

MISSING = ("fractional", "separate", "direction")
MISSING_GAINS = ("known", "divided")
MISSING_COUNTS = ("parts", "pieces")
SELECTIONS = ("criterion", "conditional_inference", "chaid")
UNSEEN = ("missing", "majority", "error")


def missing_rules(missing: Any, gain: Any, count: Any) -> dict[str, str]:
    """Validate what becomes of rows with missing values, as the core takes it.

    Rules for divided rows have no effect where none are divided; that is an error, not silence.
    """
    rules = {
        "missing": check.choice("missing", missing, MISSING),
        "missing_gain": check.choice("missing_gain", gain, MISSING_GAINS),
        "missing_count": check.choice("missing_count", count, MISSING_COUNTS),
    }
    if missing != "fractional":
        for name, usual in (("missing_gain", "known"), ("missing_count", "parts")):
            if rules[name] != usual:
                raise ValueError(
                    f"{name}={rules[name]!r} is a rule for rows that are divided, and "
                    f"missing={missing!r} divides none; choose missing='fractional' or "
                    f"{name}={usual!r}"
                )
    return rules


class BaseTree(
    PrunedTree,
    TreeImportances,
    TreeContributions,
    Reports,
    NotebookTree,
    TableModel,
):
    """Shared by the estimators that fit one tree; not for direct use."""

    _fitted = "tree_"
    _categorical_splits: tuple[str, ...]

    n_features_in_: int

    # parameters, stored by the subclasses
    criterion: Any
    selection: Any
    alpha: Any
    bonferroni: Any
    significance: Any
    min_second_value: Any
    max_depth: Any
    max_leaves: Any
    max_expansions: Any
    min_samples_split: Any
    min_samples_leaf: Any
    min_weight_split: Any
    abandon_small: Any
    min_gain: Any
    missing: Any
    missing_gain: Any
    missing_count: Any
    unseen: Any
    pruning: Any
    n_permutations: Any
    verbose: Any
    categorical_features: Any
    categorical_split: Any
    n_jobs: Any
    random_state: Any

    def _grow_parameters(self, n_rows: int) -> dict[str, Any]:
        """Validate the parameters that all trees share, as the core takes them."""
        growth = check.choice("growth", self.growth, GROWTHS)
        return self._merging() | {
            "selection": check.choice("selection", self.selection, SELECTIONS),
            "alpha": check.probability("alpha", self.alpha),
            "bonferroni": check.boolean("bonferroni", self.bonferroni),
            "significance": 1.0
            if self.significance is None
            else check.probability("significance", self.significance, none="None or "),
            "min_second_value": check.number("min_second_value", self.min_second_value, least=0.0),
            "growth": "depth_first" if growth == "depth_first" else "best_first",
            "weigh_gains": self._order_of_splits() == "best_first",
            **missing_rules(self.missing, self.missing_gain, self.missing_count),
            "max_depth": check.limit("max_depth", self.max_depth, least=0),
            "max_leaves": check.limit("max_leaves", self.max_leaves, least=1),
            "max_expansions": check.limit("max_expansions", self.max_expansions, least=0),
            "min_samples_split": check.rows(
                "min_samples_split", self.min_samples_split, n_rows, least=2
            ),
            "min_samples_leaf": check.rows(
                "min_samples_leaf", self.min_samples_leaf, n_rows, least=1
            ),
            "min_weight_split": check.number("min_weight_split", self.min_weight_split, least=0.0),
            "abandon_small": check.boolean("abandon_small", self.abandon_small),
            "min_gain": check.number("min_gain", self.min_gain, least=-1.0),
            "threads": check.threads(self.n_jobs),
        }

    def _merging(self) -> dict[str, Any]:
        """Validate how levels are divided; what the core is told if they are merged."""
        _, merge = read_categorical_split(self.categorical_split, self._categorical_splits)
        if merge is None:
            if self.selection == "chaid":
                raise ValueError(
                    "selection='chaid' compares splits of merged levels, not those of "
                    f"categorical_split={self.categorical_split!r}; choose "
                    "categorical_split='merge' or a MergeLevels of ramify.splits"
                )
            return {}
        return {"merge": merge.options()}

    def _order_of_splits(self) -> str:
        """Tell how the splits of a tree compare, whatever the order in which it is grown.

        A gain that counts the rows is not multiplied by their weight.
        """
        unweighted = self.growth == "best_first_unweighted" or counts_rows(self.criterion)
        return "best_first_unweighted" if unweighted else "best_first"

    def _check_parameters(self) -> None:
        """Validate what can be validated without data."""
        self._grow_parameters(1)
        check.choice("unseen", self.unseen, UNSEEN)
        check.whole("n_permutations", self.n_permutations, least=0)
        check.boolean("verbose", self.verbose)
        read_pruning(self.pruning)

    def _read(self, X: Any) -> tuple[Schema, Columns]:
        """Read the training table."""
        if isinstance(X, ReadTable):
            return X.schema, X.columns
        return read_table(X, categorical_features=self.categorical_features)

    def _training(
        self,
        problem: _core.Problem,
        target: NDArray[Any],
        weights: NDArray[np.float64] | None,
        seed: int,
        *,
        classes: NDArray[Any] | None = None,
        class_weights: NDArray[np.float64] | None = None,
        costs: NDArray[np.float64] | None = None,
    ) -> Training:
        """Put together what a fit starts from; without classes, one for numbers."""
        return Training(
            problem=problem,
            task="regression" if classes is None else "classification",
            target=target,
            n_classes=0 if classes is None else len(classes),
            weights=weights,
            costs=costs,
            absolute=self.criterion == "absolute_error",
            order=self._order_of_splits(),
            unseen=self.unseen,
            seed=seed,
            verbose=self.verbose,
            classes=classes,
            class_weights=class_weights,
        )

    def _train(self, training: Training, *, schema: Schema, target_name: str) -> None:
        """Grow a tree and prune it."""
        pruning = read_pruning(self.pruning)
        if pruning is None:
            # The encoded table is made for this one tree.
            core = _core.grow(training.problem, consume=True)
            pruned = Pruned(core, core)
        else:
            pruned = pruning.prune(training)
        tree = Tree(
            pruned.tree,
            schema,
            task=training.task,
            classes=training.classes,
            target=target_name,
            unseen=self.unseen,
            costs=training.costs,
        )
        grown = tree if pruned.grown is pruned.tree else tree.with_core(pruned.grown)
        beyond_chance = None
        if self.n_permutations:
            beyond_chance = self._correct(tree, training, self.n_permutations, pruned.included)
        self._remember(tree, grown, pruned.path)
        if beyond_chance is not None:
            self._beyond_chance = beyond_chance

    def _remember(self, tree: Tree, grown: Tree, path: PruningPath | None) -> None:
        """Take over a tree; all at once, so that a fit that fails leaves the former one whole."""
        self.tree_ = tree
        self._grown = grown
        self._path = path
        self.__dict__.pop("_beyond_chance", None)  # that of another tree
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

    def _name_target(self, name: str) -> None:
        """Call what is predicted by another name."""
        self.tree_.target = self._grown.target = name

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
