"""The classical tree learners by name: each function gives an estimator with its parameters set.

A preset grows trees like the original, with the parameters of this library; its docstring says what
differs. Keywords are parameters of the estimator, and replace those that the preset sets.
``task="regression"`` of :func:`cart`, :func:`ctree` and :func:`chaid` is for a target of numbers.

Examples
--------
>>> from ramify import presets
>>> presets.id3(max_depth=3)
TreeClassifier(categorical_split='multiway', criterion='entropy', max_depth=3)
"""

from __future__ import annotations

from typing import Any, TypeVar

from ramify.learning import parameters as check
from ramify.pruning import BestFirst, CostComplexity, ErrorBased
from ramify.trees import TreeClassifier, TreeRegressor

__all__ = ["bftree", "c45", "cart", "chaid", "ctree", "id3", "simple_cart", "twoing_cart"]

_Tree = TypeVar("_Tree", bound=TreeClassifier | TreeRegressor)


def id3(**overrides: Any) -> TreeClassifier:
    """ID3 (Quinlan 1986): information gain, one branch per value.

    The original takes nominal attributes only, uses each once on a path, and cannot deal with
    missing values. Here numeric columns are split at a threshold, and rows with a missing value go
    down all branches in proportion. A multiway split leaves one value to each child, so that an
    attribute is used once here too. Information gain prefers attributes of many values; gain ratio
    (:func:`c45`) was made to avoid that. Keywords: those of :class:`~ramify.TreeClassifier`.

    Examples
    --------
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> id3().fit(weather.X, weather.y).tree_.condition(0).attribute
    'outlook'
    """
    return _preset(TreeClassifier, overrides, criterion="entropy", categorical_split="multiway")


def c45(**overrides: Any) -> TreeClassifier:
    """C4.5 release 8 (Quinlan 1993, 1996): gain ratio among the tests of at least average gain.

    Nominal attributes get one branch per value. Numeric attributes get a threshold, which is chosen
    by its gain; log2(cuts) / N is subtracted for the choice (`numeric_penalty`). At least two
    branches need two rows (`small_branches`). Missing values are fractional, and a gain counts in
    proportion to the rows without a missing value (``missing_gain="known"``), as in the original.
    The tree is pruned by estimated errors with subtree raising, as in the original
    (``pruning=ErrorBased()``); ``pruning=None`` gives the grown tree.

    What differs:

    - Levels that are absent from a node have no branch; the original gives them an empty leaf.
    - Thresholds are midpoints; the original takes the largest value of the data that is not above
      the midpoint.
    - Either side of a threshold needs two rows; the original asks for a tenth of the rows per
      class, at least two and at most 25.
    - Values are not grouped (its option -s).

    Keywords are parameters of :class:`~ramify.TreeClassifier`.
    """
    return _preset(
        TreeClassifier,
        overrides,
        criterion="gain_ratio",
        categorical_split="multiway",
        numeric_penalty=True,
        small_branches=True,
        min_samples_leaf=2,
        pruning=ErrorBased(),
    )


def cart(*, task: str = "classification", **overrides: Any) -> TreeClassifier | TreeRegressor:
    """CART (Breiman, Friedman, Olshen and Stone 1984): binary splits by Gini index or variance.

    The original tries all subsets of a nominal attribute's values, or orders the values by class
    share (two classes) or by mean (regression). ``categorical_split="auto"`` does the same where it
    is cheap, and uses a heuristic where there are too many subsets; "exact" always tries all. Rows
    with a missing value go down both branches in proportion, where the original looks for surrogate
    splits. This preset only grows; the original goes on with ``pruning="cost_complexity"``.

    `task` is "classification" or "regression"; the other keywords are parameters of
    :class:`~ramify.TreeClassifier` or :class:`~ramify.TreeRegressor`.

    Examples
    --------
    >>> cart(task="regression", min_samples_leaf=5)
    TreeRegressor(min_samples_leaf=5)
    """
    tree = _estimator(task)
    criterion = "gini" if tree is TreeClassifier else "squared_error"
    return _preset(tree, overrides, criterion=criterion, categorical_split="auto")


def twoing_cart(**overrides: Any) -> TreeClassifier:
    """CART with its other criterion, twoing, which puts the classes into two groups to separate.

    The best subset of a nominal attribute is found exactly, by trying all 2^(k-1) - 1 pairs of
    groups of classes, as in the original: exponential in the classes, not in the values. With two
    classes the tree equals that of :func:`cart`. Missing values and pruning are as there. Keywords
    are parameters of :class:`~ramify.TreeClassifier`.

    Examples
    --------
    >>> twoing_cart()
    TreeClassifier(categorical_split='twoing', criterion='twoing')
    """
    return _preset(TreeClassifier, overrides, criterion="twoing", categorical_split="twoing")


def bftree(**overrides: Any) -> TreeClassifier:
    """Best-first tree (Shi 2007; BFTree in Weka): the leaf whose split gains most is split next.

    Splits are binary, by the Gini index. Up to four levels of a nominal attribute are divided by
    trying all partitions, more by the order of the principal component
    (``categorical_split="shi"``). A node stays a leaf if its best split leaves a branch with a
    single row (`min_samples_leaf`, `abandon_small`), or if no split makes it purer (`min_gain`:
    Weka rounds gains to seven decimals). The node with the largest reduction of impurity comes
    first, whatever its weight.

    Rows with a missing value are divided among the branches first, and the gain is that of all
    rows (`missing_gain`, section 3.3.2 of the thesis, as in Weka). A divided row counts as one in
    every branch (`missing_count`). So trees of tables with many missing cells get large, and very
    large where most cells are missing. Weka 3.6.14 splits no node that weighs less than twice
    `min_samples_leaf`: ``min_weight_split=4``; the sizes in the thesis were made without that. With
    another `missing` no row is divided, and neither rule is set. A level that no row of a node has
    goes to the heavier branch (`unseen`).

    The number of expansions is chosen by cross-validation of the error rate, after growing
    (``pruning=BestFirst(finished_folds="drop")``), with ten folds as in Shi's thesis; Weka has five
    by default (its options -P POSTPRUNED, -N 5, -M 2). ``pruning=None`` gives the whole tree.

    What differs from Weka:

    - Weka rounds thresholds to five decimals, so that it cannot separate values that are closer,
      and treats gains that agree in seven decimals as equal.
    - It orders the levels of a nominal attribute by the principal component of all rows, not of
      those of the node.
    - In its cross-validation a fold whose tree is fully grown drops out of the mean for all further
      expansions, which favours large trees: the printed sizes of post-pruned trees come from that.
    - It averages the error rates of the folds; here wrong rows are added up. It deals the classes
      to the folds in random order and leaves one row out.
    - It divides any part of a row; here a part lighter than a millionth stays whole.

    Keywords are parameters of :class:`~ramify.TreeClassifier`.

    Examples
    --------
    >>> from ramify.datasets import load_titanic
    >>> titanic = load_titanic()
    >>> clf = bftree(max_expansions=1, pruning=None).fit(titanic.X, titanic.y)
    >>> clf.tree_.condition(0).attribute
    'sex'
    """
    pruning = BestFirst(finished_folds="drop")
    return _shi(overrides, growth="best_first_unweighted", pruning=pruning)


def simple_cart(**overrides: Any) -> TreeClassifier:
    """CART as Shi wrote it for Weka (SimpleCart, 2007): grown as :func:`bftree`, depth first.

    The tree is pruned by minimal cost-complexity (``pruning=CostComplexity(rule="min")``), with ten
    folds as in Shi's thesis; Weka has five by default (its option -N 5). The smallest error
    decides, as in Weka unless the 1SE rule is asked for (-A). What else differs is listed in
    :func:`bftree`. Keywords are parameters of :class:`~ramify.TreeClassifier`.
    """
    return _shi(overrides, pruning=CostComplexity(rule="min"))


def ctree(*, task: str = "classification", **overrides: Any) -> TreeClassifier | TreeRegressor:
    """Conditional inference tree (Hothorn, Hornik and Zeileis 2006).

    The attribute is chosen by the p-value of a permutation test of independence, Bonferroni
    adjusted. Growth stops where no p-value is below `alpha`. So attributes of many values are not
    preferred, and no pruning is needed. `alpha` and the least numbers of rows are those of R's
    partykit; the test uses the same quadratic statistic.

    What differs: once the attribute is chosen, its cut is found by `criterion` (Gini index,
    variance), where the original maximises a two-sample statistic. Rows with a missing value go
    down both branches in proportion, where partykit uses surrogates or sends them at random.

    `task` and the other keywords are as in :func:`cart`.
    """
    return _preset(
        _estimator(task),
        overrides,
        selection="conditional_inference",
        alpha=0.05,
        min_samples_split=20,
        min_samples_leaf=7,
    )


def chaid(*, task: str = "classification", **overrides: Any) -> TreeClassifier | TreeRegressor:
    """CHAID (Kass 1980): levels that do not differ are merged, each group is a branch.

    At a node, the two levels of an attribute that differ least in the target are merged as long as
    the p-value of their difference exceeds 0.05 (``categorical_split="merge"``;
    :class:`ramify.splits.MergeLevels` has its parameters: the level of merging, dividing merged
    groups again, exhaustive CHAID, the likelihood ratio). Levels of an ordinal column are merged
    with their neighbours only. The missing value is one more level, which may join any group
    (``missing="separate"``).

    The attribute whose groups have the smallest p-value is split on (``selection="chaid"``), if
    that is at most `alpha`. The p-value is multiplied by the number of ways in which so many groups
    can be made of the levels (Bonferroni; ``bonferroni=False`` leaves it as it is). Classes are
    tested by Pearson's chi-square, numbers by the F test. A group of fewer rows than
    `min_samples_leaf` is merged with the group from which it differs least.

    What differs: a numeric column is split at a threshold, in two, where the original wants
    intervals; its p-value counts one group for every value, times the number of thresholds. To get
    intervals, make it an ordinal column, for example with :mod:`ramify.discretize`. Merging may go
    on to a single group, and the attribute is then not split on, as in Kass; SPSS stops at two
    groups.

    `task` and the other keywords are as in :func:`cart`.

    Examples
    --------
    >>> colours = ["red", "pink", "blue", "cyan"] * 25
    >>> warm = [colour in ("red", "pink") for colour in colours]
    >>> print(chaid().fit({"colour": colours}, warm).tree_.to_text())
    y: 100 rows, False 50 %
    ├─ colour in {blue, cyan}: False (50 rows, 100 %)
    └─ colour in {pink, red}: True (50 rows, 100 %)
    """
    tree = _estimator(task)
    return _preset(
        tree,
        overrides,
        criterion="chi2" if tree is TreeClassifier else "squared_error",
        categorical_split="merge",
        selection="chaid",
        alpha=0.05,
        missing="separate",
    )


def _shi(overrides: dict[str, Any], **own: Any) -> TreeClassifier:
    """Give a tree of Shi (2007): best-first and depth-first trees have all but `own` in common."""
    divided = {}
    if overrides.get("missing", "fractional") == "fractional":
        divided = {"missing_gain": "divided", "missing_count": "pieces"}
    return _preset(
        TreeClassifier,
        overrides,
        criterion="gini",
        categorical_split="shi",
        min_samples_leaf=2,
        abandon_small=True,
        min_gain=5e-8,
        unseen="majority",
        **divided,
        **own,
    )


def _estimator(task: str) -> type[TreeClassifier] | type[TreeRegressor]:
    chosen = check.choice("task", task, ("classification", "regression"))
    return TreeClassifier if chosen == "classification" else TreeRegressor


def _preset(estimator: type[_Tree], overrides: dict[str, Any], **settings: Any) -> _Tree:
    return estimator(**settings | overrides)
