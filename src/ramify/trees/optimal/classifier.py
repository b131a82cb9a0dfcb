"""The optimal classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from ramify.learning.declared import Parameters
from ramify.learning.model import Classifier, saved_since
from ramify.learning.target import Target
from ramify.pruning.path import Rule
from ramify.tables import Table
from ramify.tree import Tree
from ramify.tree.by_hand import CHOSEN, ByHand
from ramify.trees.optimal.base import OptimalTree
from ramify.trees.optimal.loop import FeaturePlan, HeldOut, Outcome
from ramify.trees.optimal.objective import (
    answer_error,
    balanced,
    check_together,
    positive_code,
    recall_codes,
    recall_words,
)
from ramify.trees.optimal.parameters import OF_CLASSES
from ramify.trees.optimal.ratio import f1_error, maximise_f1
from ramify.trees.optimal.recall import minimise_within
from ramify.trees.optimal.search import Progress, Searcher
from ramify.trees.single.base import ClassTree


@saved_since(3)
class OptimalTreeClassifier(Classifier, ClassTree, OptimalTree):
    """The decision tree of least training error, among trees of limited depth.

    :class:`TreeClassifier` takes the split that looks best at each node. This estimator searches
    all trees that ask certain questions (`features`), by branch and bound, and proves that none is
    better. If time runs out before the proof, the best tree found is kept, with a bound on how much
    better any other tree can be.

    Parameters
    ----------
    max_depth : int or None, default=3
        Largest depth. Each level makes the search many times as long. With None, only `sparsity` or
        `max_leaves` limits the trees; one of them is needed.
    features : {"auto", "binary", "mid", "all"}, default="auto"
        The questions that a tree may ask. "binary": every column has two values. "all": every
        threshold of every numeric or ordinal column. "mid": the `n_thresholds` most informative
        thresholds (MID, Dal Maso 2024), ranked by how much they lower the impurity. "auto" is
        "binary" if that is possible. Otherwise it is "all" if there are at most `n_thresholds`
        thresholds, or if thresholds^(max_depth - 2) x columns^2 x rows is at most 2e9, where each
        question about levels counts as a column. Otherwise it is "mid".
        In all cases, there is one question for each level of a nominal column, or for every set of
        levels if the column has at most five. If a column has missing values, each of its questions
        comes twice, with the missing values on either side, and one more question asks whether the
        value is missing. A proof covers these questions alone: unless "all" was used, trees with
        other thresholds may be better.
    n_thresholds : int, "grow" or "mdl", default=45
        "mid": the number of thresholds, in all columns together. (For all thresholds, choose
        features="all".)
        "mdl" takes as many as the rows support: a column stops at the first threshold that the MDL
        criterion of Fayyad and Irani rejects, as in :class:`ramify.discretize.MIDDiscretizer`.
        "grow" searches over 8, then 16, 32, ... thresholds. Each search starts from the last tree.
        It ends when the time is up, when there are no more thresholds, or when two searches in a
        row have not lowered the error on held-out rows. The last search is on all rows, with the
        number of thresholds that did best; time is reserved for it.
        With "mdl" and "grow", features="auto" means "mid".
    threshold_impurity : {"entropy", "gini"}, default="entropy"
        "mid": the impurity that ranks thresholds.
    start : {"greedy"}, fitted estimator, Tree or None, default="greedy"
        "greedy" starts from the tree of :class:`TreeClassifier` under the same limits. Its
        questions are added to the features, so the result is never worse than the greedy tree. If a
        quarter of the time left is too short to grow it on all rows, it is grown on a sample. On a
        small table (rows x columns^2 at most 1e5, all numbers, none missing), a search over all
        thresholds with a depth of 4 or more starts without it; if such a search is stopped with a
        worse tree, the greedy tree is taken.
        A fitted estimator that has a ``tree_``, or that tree itself, is always used as the start:
        its questions are added to the features, and the result is never worse than it. If it
        exceeds the limits, it is cut back first; see :doc:`optimal-trees`.
        None starts from nothing and uses only the questions of `features`.
    upper_bound : float or None, default=None
        Search only for trees whose objective (see ``objective_``) is below this. The search finds
        the best of them, or proves that there is none. In the latter case the best tree seen is
        kept (the start or a single leaf), with a ``ConvergenceWarning``; see
        ``below_upper_bound_``.
    min_samples_leaf : int or float, default=1
        Rows that every leaf needs; a float is a fraction of all rows. Each row counts as one,
        whatever its weight.
    sparsity : float, default=0.0
        Price of a leaf, as a share of the training weight. With 0.01, an extra leaf must lower the
        error rate by more than one percentage point. (This is the lambda of GOSDT and the cost
        complexity of STreeD.) With `costs`, the price is added to the mean cost.
    max_leaves : int or None, default=None
        Largest number of leaves.
    exclude : list of str or int, or None, default=None
        Columns that no split may use; they stay columns of the table. A proof is then about trees
        without them. The conditions of `skeleton` may use them.
    skeleton : dict, Tree, fitted estimator or None, default=None
        The beginning of the tree: conditions that are made whatever they gain. It has the form that
        :class:`TreeClassifier` takes. What follows below is optimal, and no pruning undoes them.
        Where a condition does not say where missing values go, the better way is found. See the
        guide on constraints.
    monotone : dict, list or None, default=None
        Columns that the prediction never falls (1) or never rises (-1) with. It has the form that
        :class:`TreeClassifier` takes. No tree that keeps to it has a smaller error; see the guide
        on constraints.
    time_limit : float or None, default=None
        Seconds for the whole fit; None and infinity are no limit. After the limit, or on Ctrl-C,
        the best tree found is kept, with a ``ConvergenceWarning``. If 40 % of the time is too short
        to rank the thresholds of a large table, a sample of the rows ranks them
        (``search_["rows_ranked"]`` gives their number). If the time is too short even to make the
        features, the start is kept, with a bound of 0. ``n_thresholds="grow"`` is meant to use all
        of the time: it does not warn about the limit if any of its searches ended with a proof.
    memory_limit : int, str or None, default=None
        Memory of the search: bytes, or a size such as "500MB" or "2GB". None is 1 GB.
    validation_fraction : float or None, default=0.2
        ``n_thresholds="grow"``: the share of the rows to hold out, the same share of every class.
        The held-out rows choose among the trees of the other rows: the tree of least error, the
        first if several tie. The last search, on all rows, starts from the chosen tree. If there is
        no time for it, the nodes of that tree are counted on all rows, and nothing is proven. With
        None, no row is held out, and the last tree is kept.
    unseen : {"missing", "majority", "error"}, default="missing"
        What becomes of a level that was not seen in training: it counts as missing, takes the
        heaviest branch, or is an error. At a node that saw no missing values in training, a missing
        value goes down all branches in proportion.
    costs : array-like of shape (classes, classes) or None, default=None
        Cost of predicting the column's class where the row's is true, both in sorted order. Any
        numbers are allowed; gains are negative costs. The error is then the mean cost minus that of
        the cheapest answers. That is the mean cost itself if correct answers cost nothing and no
        answer costs less.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, as in scikit-learn.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, besides those whose type says so: text, bool, a category
        without order, a polars Enum.
    date_parts : "auto", None or list of {"month", "weekday", "day", "hour"}, default="auto"
        Parts of dates that the tree may ask about, besides the date itself. "auto" takes those that
        repeat: the month if the dates span a year, the weekday if they span two weeks, the hour if
        they span two days.
    min_level_count : int, default=1
        Levels of a nominal column with fewer rows than this are pooled in one level, "(other)".
        Levels that were not seen in training then belong to it, too.
    identifiers : {"warn", "drop", "keep"}, default="warn"
        What to do with columns that name the rows: identifiers, names, free text, row numbers. A
        tree can only learn them by heart. "warn" keeps them with a :class:`ramify.RamifyWarning`,
        "drop" leaves them out, "keep" keeps them without a warning.
    objective : {"error", "balanced_accuracy", "f1"}, default="error"
        What is minimised. "error": the share of wrong predictions, or their mean cost.
        "balanced_accuracy": the mean over the classes of the share that is predicted wrongly (or of
        their mean cost); all classes weigh the same, as with class_weight="balanced". "f1": one
        minus the F1 of the class `positive`, the harmonic mean of its precision and recall, for two
        classes. The search for it is a sequence of searches with costs, and as exact; leaves answer
        with the positive class from half the F1 on.
    positive : label or None, default=None
        "f1": the class that is to be found; None is the last of the two in sorted order.
    min_recall : dict or None, default=None
        Classes and the least share of their rows that the tree must predict correctly in training:
        ``{"default": 0.8}``. The error is minimised among the trees that do; leaves may answer with
        another class than that of their majority. Weights count. It is searched for in two steps,
        see :doc:`optimal-trees`; the second takes long on deep trees over many thresholds.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all.
    random_state : int, RandomState, Generator or None, default=None
        Seed for choosing the held-out rows; None is 0.
    on_progress : callable or None, default=None
        Called as ``on_progress(seconds, error, bound)``, about ten times a second. It may raise
        KeyboardInterrupt: then the search ends, and the best tree found is kept, as on Ctrl-C.
    verbose : bool, default=False
        Whether to show error, bound and gap while the search runs.

    Attributes
    ----------
    tree_ : Tree
        The tree: ``print(clf.tree_.to_text())``. The impurity and gain of its nodes use the Gini
        index.
    error_ : float
        Weighted training error on all rows, as `objective` says: the share of wrong predictions,
        or their mean cost.
    objective_ : float
        What was minimised: the error plus `sparsity` for every leaf.
    lower_bound_ : float
        No tree over these features has a smaller objective. Trees over other features may have one:
        see `features`.
    gap_ : float
        ``objective_ - lower_bound_``; 0 if the tree is proven optimal.
    proven_optimal_ : bool
        Whether it is proven that no tree over these features is better.
        ``search_["all_thresholds"]`` and ``search_["all_level_sets"]`` tell whether these features
        are all that there are.
    below_upper_bound_ : bool or None
        With `upper_bound`: True if the tree is below it; False if it is proven that no tree over
        these features is below it; None if the search was stopped before that was known.
    history_ : SearchHistory
        Columns seconds, error, bound and n_features; ``history_.to_frame()``.
    search_ : dict
        Facts about the search: the kind and number of features, the number of ranked thresholds,
        whether these are all thresholds and all sets of levels, why the search ended, seconds, and
        counts of subproblems, cache hits and bounds.
    classes_ : ndarray
        The class labels, sorted.
    feature_importances_ : ndarray
        Each column's share of the total gain.

    Examples
    --------
    A greedy tree does not see that two columns together determine the class:

    >>> from ramify import OptimalTreeClassifier, TreeClassifier
    >>> X = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 1], [1, 0, 1]]
    >>> y = ["no", "yes", "yes", "no", "no", "no", "yes", "yes"]
    >>> clf = OptimalTreeClassifier(max_depth=2).fit(X, y)
    >>> clf.error_, clf.proven_optimal_
    (0.0, True)
    >>> print(TreeClassifier(max_depth=2).fit(X, y).score(X, y))
    0.875
    """

    PARAMETERS = Parameters(OF_CLASSES)

    def __init__(
        self,
        *,
        max_depth: int | None = 3,
        features: Literal["auto", "binary", "mid", "all"] = "auto",
        n_thresholds: int | Literal["grow", "mdl"] = 45,
        threshold_impurity: Literal["entropy", "gini"] = "entropy",
        start: Any = "greedy",
        upper_bound: float | None = None,
        min_samples_leaf: float = 1,
        sparsity: float = 0.0,
        max_leaves: int | None = None,
        exclude: Sequence[str | int] | None = None,
        skeleton: Any = None,
        monotone: Any = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        validation_fraction: float | None = 0.2,
        unseen: Literal["missing", "majority", "error"] = "missing",
        costs: ArrayLike | None = None,
        class_weight: dict[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
        date_parts: Any = "auto",
        min_level_count: int = 1,
        identifiers: str = "warn",
        objective: Literal["error", "balanced_accuracy", "f1"] = "error",
        positive: Any = None,
        min_recall: dict[Any, float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        on_progress: Progress | None = None,
        verbose: bool = False,
    ) -> None:
        self.max_depth = max_depth
        self.features = features
        self.n_thresholds = n_thresholds
        self.threshold_impurity = threshold_impurity
        self.start = start
        self.upper_bound = upper_bound
        self.min_samples_leaf = min_samples_leaf
        self.sparsity = sparsity
        self.max_leaves = max_leaves
        self.exclude = exclude
        self.skeleton = skeleton
        self.monotone = monotone
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.validation_fraction = validation_fraction
        self.unseen = unseen
        self.costs = costs
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.date_parts = date_parts
        self.min_level_count = min_level_count
        self.identifiers = identifiers
        self.objective = objective
        self.positive = positive
        self.min_recall = min_recall
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.on_progress = on_progress
        self.verbose = verbose

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check what can be checked without data; give the values that were read, by name."""
        settings = super().check_parameters(**instead)
        check_together(settings, self)
        return settings

    def _for_objective(self, target: Target, settings: dict[str, Any]) -> Target:
        return balanced(target) if settings["objective"] == "balanced_accuracy" else target

    def _search(
        self,
        plan: FeaturePlan,
        table: Table,
        target: Target,
        searcher: Searcher,
        held_out: HeldOut | None,
        *,
        settings: dict[str, Any],
    ) -> Outcome:
        if settings["objective"] == "f1":
            positive = positive_code(target, settings["positive"])
            return maximise_f1(plan, table, target, searcher, positive)
        if limits := recall_codes(target, settings["min_recall"]):
            return minimise_within(plan, table, target, searcher, limits)
        return super()._search(plan, table, target, searcher, held_out, settings=settings)

    def _labelled(self, tree: Tree, outcome: Outcome) -> Tree:
        usual, labels = tree.label_codes, self._labels_of(tree)
        marks = {
            leaf: ByHand(CHOSEN, self._asked_recall, labelled=True, label=labels[code])
            for leaf, code in (outcome.labels or {}).items()
            if usual[leaf] != code
        }
        return tree.edited(tree.core, marks, tree.history) if marks else tree

    def _error_of(self, target: Target) -> float:
        if self.objective == "f1":
            return self._f1_error()
        if self.tree_.labelled:
            return answer_error(self.tree_, target)
        return super()._error_of(target)

    def _error_after_cut(self) -> float:
        return self._f1_error() if self.objective == "f1" else super()._error_after_cut()

    def _f1_error(self) -> float:
        assert self.tree_.costs is not None
        return f1_error(self.tree_.data, self.tree_.costs, self._positive_code)

    @property
    def _positive_code(self) -> int:
        return 1 if self.positive is None else self.classes_.tolist().index(self.positive)

    @staticmethod
    def _labels_of(tree: Tree) -> list[Any]:
        assert tree.classes is not None
        labels: list[Any] = tree.classes.tolist()
        return labels

    @property
    def _asked_recall(self) -> str:
        """The limits of `min_recall`, in words; "" without any."""
        return recall_words(self.min_recall)

    def prune(
        self,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        rule: Rule | None = None,
    ) -> Self:
        """Cut the tree back, without searching again; see :meth:`TreeClassifier.prune`.

        With `min_recall` it is refused, because the smaller tree may find too few rows.

        Parameters
        ----------
        alpha, n_leaves, rule
            As there.
        """
        if self.objective == "f1":
            raise ValueError(
                "objective='f1': a tree that is cut back would answer by the costs of the whole "
                "tree; fit with max_leaves or a larger sparsity"
            )
        if self.min_recall:
            raise ValueError(
                f"min_recall={self.min_recall!r:.80} may not hold in a tree that is cut back; fit "
                "with max_leaves or a larger sparsity"
            )
        return super().prune(alpha=alpha, n_leaves=n_leaves, rule=rule)

    def _check_additive(self, method: str, settings: dict[str, Any]) -> None:
        if settings["objective"] == "f1":
            raise ValueError(
                f"{method} adds up the errors of leaves, and F1 is no sum; choose "
                "objective='error' or 'balanced_accuracy'"
            )
        if settings["min_recall"]:
            raise ValueError(f"{method} knows no min_recall; choose min_recall=None")

    @property
    def measured(self) -> str:
        """What is minimised, in words."""
        if self.objective == "f1":
            return f"1 - F1 of {self.classes_[self._positive_code]} in training"
        what = "error" if self.costs is None else "cost"
        return f"balanced training {what}" if self._balances else f"training {what}"

    @property
    def _balances(self) -> bool:
        return bool(self.objective == "balanced_accuracy")
