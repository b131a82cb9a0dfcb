"""What greedy trees for classes and for numbers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.common import check_missing_rules
from ramify.learning.monotone import monotone_signs
from ramify.learning.number_loss import loss_of_criterion
from ramify.learning.target import Target
from ramify.learning.training import Training
from ramify.pruning.bottom_up import ReducedError
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import read_pruning
from ramify.tables import Schema, Table
from ramify.tree.doors import door
from ramify.trees.greedy.constraints import Constraints, allowed_columns, find_groups
from ramify.trees.greedy.parameters import check_monotone, check_selection
from ramify.trees.greedy.significance import warn_if_nothing_can_be_significant
from ramify.trees.greedy.skeleton import skeleton_for_core, warn_of_conditions
from ramify.trees.single.base import SingleTree
from ramify.trees.single.fitted import FittedTree
from ramify.trees.single.importance import beyond_chance, counts_rows, require_same_data


@dataclass(frozen=True)
class Whole:
    """The table that some rows are a part of: fractions of rows and weights are fractions of it.

    Parameters
    ----------
    n_rows : int
    weight : float
        The weight of all its rows.
    """

    n_rows: int
    weight: float


class GreedyTree(SingleTree):
    """Shared by TreeClassifier and TreeRegressor; not for direct use."""

    criterion: Any
    growth: Any
    pruning: Any
    _beyond_chance: NDArray[np.float64] | None = None

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check the parameters as far as that needs no data; give their settings by name."""
        settings = super().check_parameters(**instead)
        check_missing_rules(settings)
        check_selection(settings)
        check_monotone(settings)
        return settings

    def problem(
        self, table: Table, target: Target, settings: dict[str, Any], whole: Whole | None = None
    ) -> _core.Problem:
        """Put table, target and settings together as the core needs them to grow trees.

        `whole` is given if the rows are a part of a larger table.
        """
        raise NotImplementedError

    def _growth_settings(
        self, table: Table, target: Target, settings: dict[str, Any], whole: Whole | None
    ) -> dict[str, Any]:
        """Give the settings of growth by the core's names."""
        order, merge = settings["growth"], settings["categorical_split"][1]
        n_rows = table.n_rows if whole is None else whole.n_rows
        growth = self.PARAMETERS.for_core(settings, n_rows)
        growth["growth"] = "depth_first" if order == "depth_first" else "best_first"
        growth["weigh_gains"] = _order_of_splits(settings) == "best_first"
        if merge is not None:
            growth["merge"] = merge.options()
        if settings["monotone"]:
            growth |= monotone_signs(
                settings["monotone"], table.schema, target.classes, merges=merge is not None
            )
        return growth

    def constrained_problem(
        self, table: Table, target: Target, settings: dict[str, Any], whole: Whole | None = None
    ) -> _core.Problem:
        """Give the problem with all that is laid down for growth."""
        laid_down = constraints(settings, table.schema)
        problem = self.problem(table, target, settings, whole)
        if laid_down is not None:
            laid_down.put_on(problem)
        return problem

    def edit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        validation: Any = None,
        random_state: int = 0,
        author: str | None = None,
    ) -> Any:
        """Change the tree by hand; see :class:`ramify.edit.TreeEditor`.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as given to ``fit``.
        validation : None, float or tuple
            Rows that the tree has not seen, for the price of every edit: (X, y), or
            (X, y, weights), or a fraction of the rows to hold out.
        random_state : int, default=0
            Seed of the rows that are held out.
        author : str, optional
            Who edits, for the records.

        Returns
        -------
        TreeEditor
            This estimator does not change.
        """
        return door("TreeEditor")(
            self,
            X,
            y,
            sample_weight,
            validation=validation,
            random_state=random_state,
            author=author,
        )

    def read_rows(self, X: Any, y: Any, sample_weight: Any = None) -> tuple[Table, Target]:
        """Read rows with their target by the columns, levels and classes of the fitted tree."""
        table = self.read(X)
        target = self._read_target(y, sample_weight, table.n_rows)
        return table, target.with_classes(self.tree_.classes, self.tree_.costs)

    def training(
        self, table: Table, target: Target, settings: dict[str, Any], whole: Whole | None = None
    ) -> Training:
        """Give the data and settings that a fit, or a pruning, grows trees from."""
        problem = self.constrained_problem(table, target, settings, whole)
        return Training(
            problem=problem,
            target=target,
            loss=loss_of_criterion(settings["criterion"]),
            order=_order_of_splits(settings),
            unseen=settings["unseen"],
            seed=settings["random_state"],
            verbose=settings["verbose"],
        )

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        warn_if_nothing_can_be_significant(settings, target)
        training = self.training(table, target, settings)
        if settings["pruning"] is None:
            # No other tree needs the encoded table, so growing may use it up.
            core = _core.grow(training.problem, consume=True)
            pruned = Pruned(core, core)
        else:
            pruned = settings["pruning"].prune(training)
        warn_of_passed_over(training.problem.passed_over, settings, table.schema)
        fitted = fitted_tree(pruned, target, table.schema, settings)
        tree = fitted.tree
        importances = None
        if searches := settings["n_permutations"]:
            importances = beyond_chance(
                tree,
                training,
                searches,
                by_row=not counts_rows(settings["criterion"]),
                included=pruned.included,
            )
        self._take_over(fitted)
        if importances is not None:
            self._beyond_chance = importances

    def take_tree(
        self, pruned: Pruned, target: Target, schema: Schema, settings: dict[str, Any]
    ) -> None:
        """Be fitted with a tree that was grown elsewhere."""
        self._take_over(fitted_tree(pruned, target, schema, settings))

    def take_cut(self, cut: GreedyTree) -> None:
        """Be fitted with the tree of an estimator that was cut back from this one."""
        self._take_over(cut.fitted_)

    def _take_over(self, fitted: FittedTree) -> None:
        super()._take_over(fitted)
        self.__dict__.pop("_beyond_chance", None)  # it belongs to the former tree

    @property
    def _order_of_growth(self) -> str:
        return str(self.growth)

    @property
    def _gains_by_row(self) -> bool:
        return not counts_rows(self.criterion)

    @property
    def unbiased_importances_(self) -> NDArray[np.float64]:
        """What each column gains beyond chance, as ``fit`` or ``unbiased_importances`` found it."""
        check_is_fitted(self, "tree_")
        if self._beyond_chance is None:
            raise AttributeError(
                "unbiased_importances_ is not known: call unbiased_importances(X, y) with the "
                "training data, or fit with n_permutations; prune and model files do not keep it"
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
        """Give what each column gains beyond chance, and keep it.

        ``feature_importances_`` favours columns with many values, which gain much by chance. Here
        the split of every node is searched for again on targets that are shuffled among the rows of
        the node. The average gain on these is subtracted from the gain of the split. The rest, at
        least 0, is given as a share of the tree's total gain. So a column that says nothing about
        the target gets next to nothing, whatever its number of values and whatever the other
        columns say.

        A split may also have beaten the second best of its node by chance. It is then compared only
        with shuffles that beat the second best, too. This is not done below depth 8, where
        competitors are not kept, nor under conditional inference; in trees grown to the end, noise
        then keeps about a third of its gain.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as given to ``fit``.
        n_permutations : int, default=10
            Searches on shuffled targets at every node. Each costs about as much as growing on a few
            more columns. Fewer than 10 leave more of the noise. A split of 1,000 rows or more stops
            after two searches if it gains a hundred times as much as they do. The nodes below depth
            8 share 5,000 searches, with at least one each.
        random_state : int, default=0
            Seed of the shuffles.

        Returns
        -------
        ndarray
            One number per column. Also kept as ``unbiased_importances_``.

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> X = [[row % 2, f"id {row}"] for row in range(100)]
        >>> y = [row % 2 for row in range(100)]
        >>> clf = TreeClassifier(max_depth=1, identifiers="keep").fit(X, y)
        >>> clf.unbiased_importances(X, y).round(1)
        array([1., 0.])
        """
        searches = check.whole("n_permutations", n_permutations, least=1)
        return self._search_by_chance(self.read(X), y, sample_weight, searches, random_state)

    def _search_by_chance(
        self, table: Table, y: Any, sample_weight: Any, searches: int, random_state: Any
    ) -> NDArray[np.float64]:
        settings = self.check_parameters(random_state=random_state)
        target = self._read_target(y, sample_weight, table.n_rows)
        training = self.training(table, target, settings)
        require_same_data(self.tree_, training)
        self._beyond_chance = beyond_chance(
            self.tree_, training, searches, by_row=self._gains_by_row
        )
        return self._beyond_chance

    def _find_importances(self, table: Table, y: Any, sample_weight: Any, shuffles: int) -> None:
        # Reduced-error pruning grew the tree on a part of the rows that is not known any more.
        on_all_rows = not isinstance(read_pruning(self.pruning), ReducedError)
        if self._beyond_chance is None and on_all_rows:
            self._search_by_chance(table, y, sample_weight, shuffles, 0)


def fitted_tree(
    pruned: Pruned, target: Target, schema: Schema, settings: dict[str, Any]
) -> FittedTree:
    """Give what an estimator keeps of the result of a pruning."""
    tree = target.tree(pruned.tree, schema, unseen=settings["unseen"])
    grown = tree if pruned.grown is pruned.tree else tree.with_core(pruned.grown)
    return FittedTree(tree, grown, pruned.path, settings["growth"])


def constraints(settings: dict[str, Any], schema: Schema) -> Constraints | None:
    """Give what is laid down for growth on a table with these columns; None if nothing is."""
    if not (settings["interactions"] or settings["exclude"] or settings["skeleton"] is not None):
        return None
    groups = find_groups(settings["interactions"], schema)
    allowed = allowed_columns(settings["exclude"], schema)
    if settings["skeleton"] is None:
        return Constraints(groups, allowed, [], [])
    nodes, words = skeleton_for_core(settings["skeleton"], schema, groups)
    return Constraints(groups, allowed, nodes, words)


def warn_of_passed_over(passed_over: list[int], settings: dict[str, Any], schema: Schema) -> None:
    """Warn of conditions of the skeleton that do not divide the rows that reach them."""
    if settings["skeleton"] is None or not any(passed_over):
        return
    laid_down = constraints(settings, schema)
    words = [] if laid_down is None else laid_down.conditions
    left_out = [word for word, passed in zip(words, passed_over, strict=True) if passed]
    warn_of_conditions(left_out, "Growth", stacklevel=5)


def _order_of_splits(settings: dict[str, Any]) -> str:
    """Give the order in which splits are compared, even if the tree is grown depth first.

    A gain that counts rows is not multiplied by their weight.
    """
    unweighted = settings["growth"] == "best_first_unweighted" or counts_rows(settings["criterion"])
    return "best_first_unweighted" if unweighted else "best_first"
