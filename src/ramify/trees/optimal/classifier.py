"""The optimal classifier."""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from ramify.learning.model import saved_since
from ramify.trees.optimal.base import OptimalTree
from ramify.trees.optimal.parameters import OF_CLASSES
from ramify.trees.optimal.search import Progress
from ramify.trees.single.base import ClassTree


@saved_since(3)
class OptimalTreeClassifier(ClassifierMixin, ClassTree, OptimalTree):  # type: ignore[misc]
    """The decision tree of least training error among those of a depth that ask given questions.

    Where :class:`TreeClassifier` takes the split that looks best at each node, this searches all
    trees that ask certain questions (`features`), by branch and bound, and proves that none is
    better. If the proof takes longer than there is time, the best tree found is kept, with a bound
    on how much better any other can be.

    Parameters
    ----------
    max_depth : int, default=3
        Largest depth; the search takes many times as long for every level, so there is no None.
    features : {"auto", "binary", "mid", "all"}, default="auto"
        The questions that a tree may ask. "binary": every column has two values. "all": every
        threshold of every numeric or ordinal column. "mid": the `n_thresholds` most telling
        thresholds (MID, Dal Maso 2024), ranked by the impurity they take away. "auto" is
        "binary" if that is possible; else "all" if `n_thresholds` are all there are, or if
        thresholds^(max_depth - 2) x columns^2 x rows is at most 2e9, each question about levels
        being a column; else "mid". All kinds ask nominal columns for each level, or for every set
        of levels if there are at most five; and where values are missing, each question is asked
        with these on either side, and whether the value is known. A proof is one over these
        questions alone: trees that ask other thresholds may be better, unless "all" was taken.
    n_thresholds : int, "grow" or "mdl", default=45
        "mid": how many thresholds there are, of all columns together (all of them: features="all").
        "mdl" takes as many as the rows support: a column ends at the first that the MDL criterion
        of Fayyad and Irani rejects, as in :class:`ramify.discretize.MIDDiscretizer`. With "mdl" and
        "grow", "auto" is "mid".
        "grow" searches over 8, then 16, 32, ... of them, each search starting from the last tree,
        until the time is out, there are no more, or two searches in a row have not lowered the
        error on held-out rows. The number that did best is then searched over once more, on all
        rows, for which time is kept.
    threshold_impurity : {"entropy", "gini"}, default="entropy"
        "mid": the impurity by which thresholds are ranked.
    start : {"greedy"}, fitted estimator, Tree or None, default="greedy"
        "greedy" begins with the tree of :class:`TreeClassifier` under the same limits; its
        questions join the features, so that the tree is never worse than the greedy one. Where a
        quarter of the time left is too short to grow it on all rows, it is grown on a sample. A
        search over all thresholds of a small table (rows x columns^2 at most 1e5, all numbers, none
        missing) from depth 4 on begins without it, and takes it if stopped with a worse tree. A
        fitted estimator that has a ``tree_``, or such a tree itself, is begun with instead, always:
        its questions join the features, and the result is never worse than it is. Where it goes
        beyond the limits it is cut back first; see :doc:`optimal-trees`. None begins with nothing,
        and features are only those that `features` says.
    upper_bound : float or None, default=None
        Search only for trees whose objective (see ``objective_``) is below this. Either the best of
        them is found, or it is proven that there is none; then the best tree come upon is kept, the
        start or a single leaf, with a ``ConvergenceWarning``: see ``below_upper_bound_``.
    min_samples_leaf : int or float, default=1
        Rows that every leaf needs; a float is a fraction of all rows. Rows count as one whatever
        their weight.
    sparsity : float, default=0.0
        Price of a leaf, as a share of the training weight: with 0.01, a leaf more must lower the
        error rate by more than one per cent (the lambda of GOSDT, the cost complexity of STreeD).
        With `costs`, it is added to the mean cost.
    max_leaves : int or None, default=None
        Largest number of leaves.
    time_limit : float or None, default=None
        Seconds for the whole fit; None and infinity are no limit. Then, or on Ctrl-C, the best
        tree found is kept, with a ``ConvergenceWarning``. On a large table, thresholds are ranked
        by a sample of the rows if 40 % of the time is too short for all (``search_["rows_ranked"]``
        says how many); if it is too short even to make the features, the start is kept, with a
        bound of 0. ``n_thresholds="grow"`` is meant to end so: it does not warn on a time limit if
        any of its searches came to an end.
    memory_limit : int, str or None, default=None
        What the search may remember: bytes, or a size such as "500MB" or "2GB". None is 1 GB.
    validation_fraction : float or None, default=0.2
        ``n_thresholds="grow"``: the share of the rows that is held out, of every class alike. They
        choose among the trees of the other rows: least error, of equals the first. The search on
        all rows begins with the chosen tree; without time for it, its nodes are counted on all
        rows, and nothing is proven. With None no row is held out, and the last tree is kept.
    unseen : {"missing", "majority", "error"}, default="missing"
        What a level does that was not seen in training: as a missing value, the heaviest branch,
        or an error. A missing value goes down all branches in proportion where the node saw none.
    costs : array-like of shape (classes, classes) or None, default=None
        Cost of predicting the column's class where the row's is true, both in sorted order; any
        numbers, gains are negative costs. The error is then the mean cost above that of the
        cheapest answers, which is the mean cost where right answers cost nothing and are cheapest.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, as in scikit-learn.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, beside those whose type says so: text, bool, a category
        without order, a polars Enum.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the rows held out; None is 0.
    on_progress : callable or None, default=None
        Called as ``on_progress(seconds, error, bound)`` about ten times a second.
    verbose : bool, default=False
        Whether to show error, bound and gap while the search runs.

    Attributes
    ----------
    tree_ : Tree
        The tree: ``print(clf.tree_.to_text())``. Impurity and gain of its nodes are by the Gini
        index.
    error_ : float
        Weighted training error: the share of wrong predictions, or their mean cost, on all rows.
    objective_ : float
        The error, and `sparsity` for every leaf: what was minimised.
    lower_bound_ : float
        No tree over these features has a smaller objective. Those left out may: see `features`.
    gap_ : float
        ``objective_ - lower_bound_``; 0 if the tree is proven optimal.
    proven_optimal_ : bool
        Whether no tree over these features is better. ``search_["all_thresholds"]`` and
        ``search_["all_level_sets"]`` tell whether these are all there are.
    below_upper_bound_ : bool or None
        With `upper_bound`: True if the tree is below it, False if it is proven that no tree over
        these features is, None if the search was stopped before either.
    history_ : SearchHistory
        Columns seconds, error, bound and n_features; ``history_.to_frame()``.
    search_ : dict
        What was searched: features taken, number of them and of ranked thresholds, whether these
        are all thresholds and all sets of levels, why the search ended, seconds, and counts of
        subproblems, cache hits and bounds.
    classes_ : ndarray
        The class labels, sorted.
    feature_importances_ : ndarray
        Each column's share of the total gain.

    Examples
    --------
    A greedy tree does not see that two columns together tell everything:

    >>> from ramify import OptimalTreeClassifier, TreeClassifier
    >>> X = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 1], [1, 0, 1]]
    >>> y = ["no", "yes", "yes", "no", "no", "no", "yes", "yes"]
    >>> clf = OptimalTreeClassifier(max_depth=2).fit(X, y)
    >>> clf.error_, clf.proven_optimal_
    (0.0, True)
    >>> print(TreeClassifier(max_depth=2).fit(X, y).score(X, y))
    0.875
    """

    PARAMETERS = OF_CLASSES

    def __init__(
        self,
        *,
        max_depth: int = 3,
        features: Literal["auto", "binary", "mid", "all"] = "auto",
        n_thresholds: int | Literal["grow", "mdl"] = 45,
        threshold_impurity: Literal["entropy", "gini"] = "entropy",
        start: Any = "greedy",
        upper_bound: float | None = None,
        min_samples_leaf: float = 1,
        sparsity: float = 0.0,
        max_leaves: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        validation_fraction: float | None = 0.2,
        unseen: Literal["missing", "majority", "error"] = "missing",
        costs: ArrayLike | None = None,
        class_weight: dict[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
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
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.validation_fraction = validation_fraction
        self.unseen = unseen
        self.costs = costs
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.on_progress = on_progress
        self.verbose = verbose
