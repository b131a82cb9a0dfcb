"""The tree for classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify.learning.declared import Parameters
from ramify.learning.model import Classifier, saved_since
from ramify.learning.target import Target
from ramify.splits.merge import MergeLevels
from ramify.tables import Table
from ramify.tree.arrays import flat
from ramify.trees.greedy.base import GreedyTree, Whole
from ramify.trees.greedy.parameters import OF_CLASSES
from ramify.trees.single.base import ClassTree


@saved_since(2)
class TreeClassifier(Classifier, ClassTree, GreedyTree):
    """A decision tree for classes, on tables as they are: numbers, categories, missing cells.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        How well a split separates the classes: "gini", "entropy", "gain_ratio", "distance",
        "twoing", "generalized_gini" (also called "misclassification"), "maxdif", "mpi", "chi2",
        "squared_gini" or "chi2_cut". "misclassification" is poor for growing: a split that does not
        change the majority class gains nothing. "squared_gini" (the Gini index with squared shares
        of the sides) and "chi2_cut" (chi-squares of pairs of levels) are made for the searches
        "greedy_cut" and "gw_cut" (Pereira 2018); "squared_gini" favours sides of the same size.
        A callable takes the class weights of the children, an array of shape (children, classes),
        and returns a score. Higher is better. A split is made only if its score is above zero.
    categorical_split : str or MergeLevels, default="auto"
        How the levels of a nominal column are divided. "auto" finds the best division where that is
        cheap (two classes, or few levels); otherwise it takes the best of several searches and
        refines it. "multiway" makes one branch per level. "merge" joins levels that do not differ
        and makes one branch per group, for ordinal columns as well; a
        :class:`ramify.splits.MergeLevels` sets its parameters. All others divide the levels in two:
        "exact", "two_class", "pc", "pc_ext", "shi", "sliq", "sliq_ext", "flip_flop", "twoing",
        "hypercube_cover", "largest_class_alone", "list_scheduling", "greedy_cut",
        "greedy_cut_once", "gw_cut". See :func:`ramify.splits.methods` for what each guarantees.
    selection : {"criterion", "conditional_inference", "chaid", "beyond_chance"}, \
            default="criterion"
        How the attribute of a split is chosen. "criterion" takes the attribute whose best split
        scores highest. "conditional_inference" takes the one whose test of independence from the
        target has the smallest p-value (Hothorn, Hornik and Zeileis 2006) and then splits it by
        `criterion` and `categorical_split`; it does not favour attributes with many possible
        splits. Its test leaves out rows in which the attribute is missing, counts weights as
        repeated rows, and takes ordinal levels as 1, 2, 3, ... "chaid" takes the attribute whose
        split has the smallest p-value (Kass 1980). It needs ``categorical_split="merge"`` and uses
        the chi-square that the `test` of ``MergeLevels`` names.
        "beyond_chance" takes the attribute whose gain is least likely by chance: it computes the
        probability that a column of the same shape (sizes of levels, places of cuts), which tells
        nothing, gains as much, by the Gini index. Columns of many values have no advantage, and one
        whose levels have a row each never wins. Growth does not stop by `alpha`. Weights that are
        whole numbers count as repeated rows; other weights change class shares but not the number
        of rows.
    ties : {"auto", "first", "balanced"}, default="auto"
        Which of several splits with the same score is made. "first": that of the lowest attribute,
        then the lowest threshold. "balanced": the one whose smallest branch has the largest share
        of the weight, then the first. "auto": "balanced" where the criterion counts errors
        ("misclassification", "maxdif"), otherwise "first".
    alpha : float, default=0.05
        A node stays a leaf if its smallest p-value is above this. For conditional inference and
        CHAID.
    bonferroni : bool, default=True
        Whether p-values allow for the number of tests. Conditional inference: p becomes
        1 - (1 - p)^m, where m is the number of attributes tested at the node. CHAID: p is
        multiplied by the number of ways to merge the attribute's values into this number of groups;
        for a threshold, that is the number of possible thresholds.
    significance : float or None, default=None
        Attributes whose p-value at a node is above this are skipped there. The test is Pearson's
        chi-square for nominal columns and classes, otherwise that of conditional inference.
    min_second_value : int, default=0
        Nominal attributes whose second most frequent level at a node has fewer rows than this are
        skipped there (Pereira 2018 takes 15).
    numeric_penalty : bool, default=False
        Whether "gain_ratio" lowers the information gain of a threshold by log2(cuts) / N, the price
        of choosing among the cuts, as in release 8 of C4.5. Only cuts that `min_samples_leaf`
        allows are counted.
    small_branches : bool, default=False
        Whether a multiway split needs `min_samples_leaf` rows in only two of its branches, as in
        C4.5. Otherwise every branch needs them.
    growth : {"depth_first", "best_first", "best_first_unweighted"}, default="depth_first"
        The order of expansion. "depth_first" grows one branch to its end before the next.
        "best_first" expands the node with the largest reduction of impurity times its weight,
        "best_first_unweighted" the one with the largest plain reduction (Shi 2007). Gains that
        count rows, such as those of "chi2" and "chi2_cut", are not multiplied by the weight.
    pruning : None, str or object of :mod:`ramify.pruning`, default=None
        How the grown tree is cut back: the name of a pruning, such as "cost_complexity" or "mdl",
        or an object with its parameters. "auto" is ``CostComplexity(rule="1point")``:
        the smallest tree that is not clearly worse than the best, at most one point worse, and
        clearly better than no tree at all.
    max_depth : int or None, default=None
        Largest depth; 0 is a single leaf.
    max_leaves : int or None, default=None
        Largest number of leaves. The best splits are made, whatever the order of growth.
    max_expansions : int or None, default=None
        Largest number of splits. The best splits are made, whatever the order of growth. A binary
        tree has one leaf more than it has splits.
    min_samples_split : int or float, default=2
        Rows that a node needs to be split. A float is a fraction of all rows. A row counts as one,
        whatever its weight; `missing_count` says what a divided row counts for.
    min_samples_leaf : int or float, default=1
        Rows that every child needs. A float is a fraction of all rows.
    min_weight_split : float, default=0.0
        Weight that a node needs to be split. A divided row adds only its part of the weight.
    min_weight_fraction_leaf : float, default=0.0
        Share of the weight of all rows that every leaf needs. At most 0.5. A divided row adds only
        its part of the weight.
    monotone : dict, array-like or None, default=None
        Columns that the prediction never falls (1) or never rises (-1) with. The prediction is
        the probability of the second class; with three classes or more, name the class:
        ``{"age": (1, "late")}``.
        This holds for any two rows that differ in that column alone, also after pruning. Columns
        are named or given by their position; a list has an entry for each column. They must be
        numeric or ordinal.
    abandon_small : bool, default=False
        Whether a node stays a leaf if its best split has a child of fewer than `min_samples_leaf`
        rows, as in Shi's best-first trees (2007). Otherwise such splits are ruled out, and the
        best of the others is made.
    min_gain : float, default=0.0
        Score that a split needs. At 0, a split that gains nothing is still made if the node is
        not pure and the criterion is strictly concave (Gini, entropy), because later splits may
        gain. Below 0, it is made whatever the criterion.
    min_support : int or float, default=0
        Least weight of a child's largest class (Berzal's S). A child below it cannot add to the
        score, only lower it. A float below 1 is a fraction of the total weight.
    interactions : list of list of str or int, or None, default=None
        Groups of columns that may meet on a path. The columns that a path from the root to a leaf
        splits on all lie in one group. A column may be in several groups. Columns that are in no
        group form one more group. None lets all columns meet.
    exclude : list of str or int, or None, default=None
        Columns that no split may use; they stay columns of the table. The conditions of `skeleton`
        may use them.
    skeleton : dict, Tree, fitted estimator or None, default=None
        The beginning of the tree: conditions that are made whatever they gain. Growth goes on from
        its branches, unless they are closed. A node is a dict, such as ``{"column": "age",
        "threshold": 40, "left": {"closed": True}, "right": {"exclude": ["income"]}}``. A tree
        (:meth:`Tree.skeleton`, ``to_dict()`` or the tree itself) begins with all its conditions.
        No pruning undoes them. See the guide on constraints.
    missing : {"fractional", "separate", "direction"}, default="fractional"
        Where rows with a missing value go. "fractional": down every branch, with a part of their
        weight in each, in proportion to the branches. "separate": missing is one more level; in a
        numeric column, the missing rows may join either side or stand alone. "direction": to the
        side that scores better, or apart from all known values if that scores better still. A value
        that is missing only at prediction goes down every branch in proportion.
    missing_gain : {"known", "divided"}, default="known"
        "fractional": how a split is scored if rows lack the attribute. "known": its gain on the
        rows with a value, times their share of the weight, as in C4.5; "maxdif" and the chi-squares
        are not multiplied by that share. "divided": rows with missing values are divided among the
        branches first, and all rows are scored (Shi 2007, Weka's BFTree). For the Gini index, that
        equals the gain on the known rows times the square of their share. Tests of independence
        always leave out rows with missing values.
    missing_count : {"parts", "pieces"}, default="parts"
        "fractional": what a divided row counts for in `min_samples_split` and `min_samples_leaf`.
        "parts": for its part, and for nothing in the split that divides it. "pieces": for one in
        every branch that it goes down, as in Shi's trees and Weka's; trees get larger,
        and a fit that makes more than 8,388,608 parts (or 64 a row, if that is more) is refused.
    unseen : {"missing", "majority", "error"}, default="missing"
        What becomes of a level that was not seen in training. "missing": it is treated as a missing
        value. "majority": it takes the heaviest branch. "error": it raises an error.
    costs : array-like of shape (classes, classes) or (classes, classes + 1) or None, default=None
        Cost of predicting the column's class where the row's is true. Classes are in sorted order.
        Any numbers are allowed; a gain is a negative cost. The tree predicts the answer of least
        expected cost, whatever the criterion, and pruning counts costs. One more column at the end
        holds the costs of giving no answer; :meth:`predict` then gives None where abstaining is
        cheapest. "gini" uses the generalised index when the tree grows. "squared_gini" takes the
        mean of the two entries of each pair of classes, as the cost of mixing them. Other criteria
        ignore the costs when the tree grows.
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
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all. The tree is the same for any number.
    random_state : int, RandomState, Generator or None, default=None
        Seed of what is drawn at random: the folds of pruning, the planes of "gw_cut", the
        orders of "greedy_cut", and the shuffles of `n_permutations`. None is 0: the same data
        give the same tree.
    n_permutations : int, default=0
        How often every split is searched for on shuffled targets, so that ``fit`` can work out
        ``unbiased_importances_``. 10 are enough for most trees. Each costs about as much as growing
        on a few more columns. With 0, call :meth:`unbiased_importances` after the fit.
    verbose : bool, default=False
        Whether to show how far cross-validation has come.

    Attributes
    ----------
    tree_ : Tree
        The tree: ``print(clf.tree_.to_text())``.
    classes_ : ndarray
        The class labels, sorted.
    feature_importances_ : ndarray
        Each column's share of the total gain; columns of many values gain much by chance.
    unbiased_importances_ : ndarray
        What each column gains beyond chance. Available if `n_permutations` asked for it, or after a
        call of :meth:`unbiased_importances`.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = [["red", 1.0], ["red", 2.0], ["blue", 1.0], ["green", None]]
    >>> clf = TreeClassifier().fit(X, ["no", "no", "yes", "yes"])
    >>> clf.predict([["blue", 5.0], ["red", 0.0]])
    array(['yes', 'no'], dtype='<U3')
    """

    PARAMETERS = Parameters(OF_CLASSES)
    _may_abstain = True

    def __init__(
        self,
        *,
        criterion: str | Callable[[NDArray[np.float64]], float] = "gini",
        categorical_split: str | MergeLevels = "auto",
        selection: Literal[
            "criterion", "conditional_inference", "chaid", "beyond_chance"
        ] = "criterion",
        ties: Literal["auto", "first", "balanced"] = "auto",
        alpha: float = 0.05,
        bonferroni: bool = True,
        significance: float | None = None,
        min_second_value: float = 0,
        numeric_penalty: bool = False,
        small_branches: bool = False,
        growth: Literal["depth_first", "best_first", "best_first_unweighted"] = "depth_first",
        pruning: Any = None,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        max_expansions: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_split: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        monotone: Any = None,
        abandon_small: bool = False,
        min_gain: float = 0.0,
        min_support: float = 0,
        interactions: Sequence[Sequence[str | int]] | None = None,
        exclude: Sequence[str | int] | None = None,
        skeleton: Any = None,
        missing: Literal["fractional", "separate", "direction"] = "fractional",
        missing_gain: Literal["known", "divided"] = "known",
        missing_count: Literal["parts", "pieces"] = "parts",
        unseen: Literal["missing", "majority", "error"] = "missing",
        costs: ArrayLike | None = None,
        class_weight: dict[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
        date_parts: Any = "auto",
        min_level_count: int = 1,
        identifiers: str = "warn",
        n_jobs: int | None = None,
        random_state: Any = None,
        n_permutations: int = 0,
        verbose: bool = False,
    ) -> None:
        self.criterion = criterion
        self.categorical_split = categorical_split
        self.selection = selection
        self.ties = ties
        self.alpha = alpha
        self.bonferroni = bonferroni
        self.significance = significance
        self.min_second_value = min_second_value
        self.numeric_penalty = numeric_penalty
        self.small_branches = small_branches
        self.growth = growth
        self.pruning = pruning
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.max_expansions = max_expansions
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_split = min_weight_split
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.monotone = monotone
        self.abandon_small = abandon_small
        self.min_gain = min_gain
        self.min_support = min_support
        self.interactions = interactions
        self.exclude = exclude
        self.skeleton = skeleton
        self.missing = missing
        self.missing_gain = missing_gain
        self.missing_count = missing_count
        self.unseen = unseen
        self.costs = costs
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.date_parts = date_parts
        self.min_level_count = min_level_count
        self.identifiers = identifiers
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.n_permutations = n_permutations
        self.verbose = verbose

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Give the accuracy: the share of correct predictions. An abstention is an error.

        Parameters
        ----------
        X : table
            Columns as in training.
        y : array-like
            The classes.
        sample_weight : array-like or None
            Weights of the rows.

        Returns
        -------
        float
            Between 0 and 1.
        """
        check_is_fitted(self, "tree_")
        if not self.tree_.abstains:
            return float(super().score(X, y, sample_weight))
        right = np.asarray(self.predict(X) == np.asarray(y), dtype=np.float64)
        return float(np.average(right, weights=sample_weight))

    def problem(
        self, table: Table, target: Target, settings: dict[str, Any], whole: Whole | None = None
    ) -> _core.Problem:
        """Put table, target and settings together as the core needs them to grow trees."""
        growth = self._growth_settings(table, target, settings, whole)
        min_support = float(settings["min_support"])
        if 0 < min_support < 1:
            weights = target.weights
            all_rows = float(table.n_rows if weights is None else weights.sum())
            min_support *= all_rows if whole is None else whole.weight
        return _core.classification_problem(
            table.core(growth["threads"]),
            target.y,
            target.n_classes,
            target.weights,
            settings["criterion"],
            settings["categorical_split"][0],
            min_support,
            flat(target.costs),
            growth,
        )
