"""What every estimator of one tree does, however it was grown: predict, explain, prune, show."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.model import ClassModel, NumberModel, TableModel
from ramify.learning.number_loss import NumberLoss
from ramify.learning.target import Target
from ramify.pruning.path import RULES, PruningPath, Rule, whole_error
from ramify.tables import Schema, Table, Unseen
from ramify.tables.levels import as_level
from ramify.tree import NumericArrays, Tree
from ramify.tree.doors import door
from ramify.trees.single.contributions import Contributions, contributions
from ramify.trees.single.explain import Explanation, as_table, explain_row
from ramify.trees.single.fitted import FittedTree
from ramify.trees.single.importance import gains_of_arrays, shares
from ramify.trees.single.reports import Reports
from ramify.trees.single.state import read_fitted, write_fitted


class SingleTree(Reports, TableModel):
    """Shared by the estimators that fit one tree; not for direct use."""

    _fitted = "fitted_"
    state_entries: ClassVar[tuple[str, ...]] = ("schema", "classes", "tree")
    optional_entries = ("pruning",)

    fitted_: FittedTree
    n_jobs: Any

    @property
    def tree_(self) -> Tree:
        """The tree."""
        try:
            return self.fitted_.tree
        except AttributeError:
            name = type(self).__name__
            raise AttributeError(f"tree_: this {name} is not fitted yet") from None

    @property
    def schema_(self) -> Schema:  # type: ignore[override]
        """The columns: their names, kinds and levels."""
        return self.tree_.schema

    @property
    def _unseen(self) -> Unseen:
        return self.tree_.unseen  # type: ignore[return-value]

    # --- prediction -----------------------------------------------------------------------

    def _values(self, table: Table) -> NDArray[np.float64]:
        values: NDArray[np.float64] = self.tree_.core.predict(
            table.cells, self.tree_.unseen, check.threads(self.n_jobs)
        )
        return values

    def _answer(self, table: Table) -> tuple[Any, float | None]:
        """Give the prediction for the one row, and the class share if it is a class."""
        raise NotImplementedError

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Give the number of the leaf of every row of a table.

        If missing values divide a row among several leaves, it is the leaf with the largest share.
        """
        table = self.read(X)
        leaves: NDArray[np.int64] = self.tree_.core.apply(
            table.cells, self.tree_.unseen, check.threads(self.n_jobs)
        )
        return leaves

    def decision_path(self, X: Any) -> csr_matrix:
        """Give the nodes that every row of a table visits.

        The result is a sparse matrix of shape (rows, nodes), with 1 where a row, or a part of it,
        passes through a node.
        """
        table = self.read(X)
        indptr, indices = self.tree_.core.paths(table.cells, self.tree_.unseen)
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(table.n_rows, self.tree_.n_nodes))

    # --- the tree -------------------------------------------------------------------------

    def get_depth(self) -> int:
        """Give the depth of the tree: 0 if it is a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Give the number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    def name_target(self, name: str) -> None:
        """Rename the target in texts, drawings and exports."""
        check_is_fitted(self, "tree_")
        self.tree_.target = self.fitted_.grown.target = name

    @property
    def arrays_(self) -> NumericArrays:
        """Read-only arrays like those of scikit-learn's ``tree_``; numeric binary trees only."""
        check_is_fitted(self, "tree_")
        return self.tree_.arrays

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's share of the total weighted gain; columns of many values gain more."""
        check_is_fitted(self, "tree_")
        return self.schema_.by_input(self.attribute_importances())

    def attribute_importances(self) -> NDArray[np.float64]:
        """Give the shares of the columns of `schema_`, where parts of dates are columns, too."""
        gained = gains_of_arrays(self.tree_.data, len(self.schema_), by_row=self._gains_by_row)
        return shares(gained, float(gained.sum()))

    @property
    def _gains_by_row(self) -> bool:
        """Whether a gain is per row, and so is multiplied by the weight of its node."""
        return True

    @property
    def number_loss(self) -> NumberLoss:
        """How errors of numbers are measured; a tree for classes does not use it."""
        return NumberLoss()

    # --- reasons --------------------------------------------------------------------------

    def explain(self, row: Any) -> Explanation:
        """Explain the prediction for one row.

        Parameters
        ----------
        row : sequence, dict, Series, or table of one row
            The cells, in the order of the columns or by name. A dict or a Series with names may
            have any order. A column that it leaves out is missing.

        Returns
        -------
        Explanation
            The conditions on the way of the row, and what nearly won at each; ``print`` it.

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
        given = as_table(row, self.schema_)
        table = self.read(given)
        if table.n_rows != 1:
            raise ValueError(f"explain takes one row, and {table.n_rows} were given")
        return explain_row(self.tree_, given, table, *self._answer(table))

    def contributions(self, X: Any) -> Contributions:
        """Give what each column adds to the prediction of every row.

        At each condition on the way of a row, the expected answer changes from that of the node to
        that of the branch. The change is credited to the column of the condition. Bias and
        contributions add up to ``predict_proba``, or to ``predict`` of a regressor, apart from
        rounding.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        Contributions
            ``values`` of shape (rows, columns, classes), or (rows, columns) in regression, and
            ``bias``. ``to_frame()`` gives a table.

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> X = {"colour": ["red", "red", "blue", "blue"], "size": [1, 2, 1, 2]}
        >>> clf = TreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> found = clf.contributions(X)
        >>> found.bias, found.values[0]
        (array([0.5, 0.5]), array([[ 0.5, -0.5],
               [ 0. ,  0. ]]))
        """
        table = self.read(X)
        return contributions(self.tree_, table)

    # --- pruning after the fit ------------------------------------------------------------

    @property
    def pruning_path_(self) -> PruningPath:
        """The trees that pruning chose from, or the cost-complexity sequence of the grown tree."""
        check_is_fitted(self, "tree_")
        if self.fitted_.path is None:
            self.fitted_ = replace(self.fitted_, path=self.fitted_.cost_complexity_path())
        assert self.fitted_.path is not None
        return self.fitted_.path

    def prune(
        self,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        rule: Rule | None = None,
    ) -> Self:
        """Cut the tree back, without growing again.

        The tree is cut from the one that was grown, before any pruning. So the new tree may also be
        larger than the present one. An optimal tree that is cut back need not be the best of its
        new size; to get that one, fit with `max_leaves` or a larger `sparsity`.

        Give exactly one of the three parameters.

        Parameters
        ----------
        alpha : float
            Take the tree of minimal cost-complexity if a leaf costs this much. The new estimator
            has the cost-complexity path. If another pruning was cross-validated, that path has no
            errors.
        n_leaves : int
            Take the largest tree of ``pruning_path_`` with at most this many leaves.
        rule : {"min", "1se", "1point"}
            Take the tree of ``pruning_path_`` with the least cross-validated error, or the smallest
            within one standard error of it ("1se"), and at most one point above it and, of classes,
            clearly better than the root alone ("1point"). The fit must have used a pruning that
            cross-validates.

        Returns
        -------
        estimator
            A new estimator. This one does not change.

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
                path = self.fitted_.cost_complexity_path()
            row = path.at_price(price)
        elif n_leaves is not None:
            row = path.at_most(check.whole("n_leaves", n_leaves, least=1))
        else:
            classes = self.fitted_.grown.task == "classification"
            whole = whole_error(classes=classes, costs=self.fitted_.grown.costs is not None)
            row = path.choose(check.choice("rule", rule, RULES), whole=whole, classes=classes)
        pruned = copy.copy(self)
        pruned._take_over(self.fitted_.cut(path, row))
        pruned._cut_from(self)
        return pruned

    def with_tree(self, tree: Tree) -> Self:
        """Give a copy that is fitted with another tree, as if it had been grown so."""
        other = copy.copy(self)
        other._take_over(FittedTree(tree, tree, None, self._order_of_growth))
        return other

    def _cut_from(self, before: Self) -> None:
        """Correct what was known of the tree before it was cut back; `before` is uncut."""

    def _take_over(self, fitted: FittedTree) -> None:
        """Replace the fitted tree in one step, so that a failed fit leaves the former one whole."""
        self.fitted_ = fitted

    @property
    def _order_of_growth(self) -> str:
        """The order in which the nodes of the tree were expanded."""
        return "depth_first"

    def plot_pruning_path(self, ax: Any = None) -> Any:
        """Plot the errors of ``pruning_path_``; see :func:`ramify.show.plot_pruning_path`."""
        return door("plot_pruning_path")(self.pruning_path_, ax=ax)

    def proof(self, *, all_thresholds: str = "features='all'") -> str | None:
        """Say what is proven of the tree; None if nobody searched for a proof.

        Parameters
        ----------
        all_thresholds : str
            What the reader sets for a search over every threshold.
        """
        return None

    def facts(self) -> list[tuple[str, str]]:
        """Give names and values that a report shows about the fit, in addition to the tree."""
        return []

    # --- state ----------------------------------------------------------------------------

    def to_state(self) -> dict[str, Any]:
        """Give what a fit has learned, as entries of a model file."""
        return write_fitted(self.fitted_)

    def from_state(self, state: dict[str, Any]) -> None:
        """Restore what a fit had learned; a ValueError names the entry that is wrong."""
        fitted = read_fitted(state, growth=self._order_of_growth)
        if fitted.tree.task != self.task:
            raise ValueError(f"a {type(self).__name__} cannot have a tree of {fitted.tree.task}")
        self._take_over(fitted)

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "_grown" in state:  # a pickle from before version 0.2
            state = dict(state)
            tree, grown, path = (state.pop(name) for name in ("tree_", "_grown", "_path"))
            growth = state.get("growth", "depth_first")
            state["fitted_"] = FittedTree(tree, grown, path, growth)
        super().__setstate__(state)

    # --- notebooks ------------------------------------------------------------------------

    @property
    def _repr_html_(self) -> Any:
        inherited = super()._repr_html_  # or AttributeError, by set_config

        def html() -> str:
            return self._with_tree(inherited())

        return html

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._with_tree(bundle["text/html"])
        return bundle

    def _with_tree(self, html: str) -> str:
        if not hasattr(self, "tree_"):
            return html
        shown: str = door("estimator_html")(self, html)
        return shown


class ClassTree(ClassModel, SingleTree):
    """A single tree that predicts classes and their shares; not for direct use."""

    costs: Any
    #: Whether the costs may have a column for abstaining.
    _may_abstain = False

    @property
    def classes_(self) -> NDArray[Any]:  # type: ignore[override]
        """The class labels, sorted."""
        classes = self.tree_.classes
        assert classes is not None
        return classes

    def _costs_of_answers(self) -> dict[str, Any]:
        return {"costs": self.costs, "abstain": self._may_abstain}

    def _labels(self, table: Table) -> NDArray[Any]:
        tree = self.tree_
        return tree.answers[tree.predict_codes(table.cells, check.threads(self.n_jobs))]

    def _shares(self, table: Table) -> NDArray[np.float64]:
        return self._values(table)

    def _answer(self, table: Table) -> tuple[Any, float | None]:
        tree, share = self.tree_, self._values(table)[0]
        code = int(tree.predict_codes(table.cells, check.threads(self.n_jobs))[0])
        if code == len(share):  # it abstains
            return None, float(share.max())
        # Found by its code: numpy does not compare labels that end in a NUL character.
        return as_level(tree.answers[code]), float(share[code])


class NumberTree(NumberModel, SingleTree):
    """A single tree that predicts numbers; not for direct use."""

    def _read_target(self, y: Any, sample_weight: Any, n_rows: int) -> Target:
        target = super()._read_target(y, sample_weight, n_rows)
        target.require_squares()
        return target

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the target of every row of a table.

        That is the value of the leaf, or a mean over leaves if missing values divide the row.
        """
        return self._values(self.read(X))[:, 0]

    def _answer(self, table: Table) -> tuple[Any, float | None]:
        return float(self._values(table)[0, 0]), None
