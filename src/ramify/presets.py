"""The classical tree learners by name, each an estimator of ramify with its parameters set.

A preset is the growing of the original in the terms of this library; its docstring says what
differs. Every parameter can be overridden by keyword.

Examples
--------
>>> from ramify import presets
>>> presets.id3(max_depth=3)
TreeClassifier(categorical_split='multiway', criterion='entropy', max_depth=3)
"""

from __future__ import annotations

from typing import Any

from ramify.learning import parameters as check
from ramify.pruning import BestFirst, CostComplexity, ErrorBased
from ramify.trees import TreeClassifier, TreeRegressor

__all__ = ["bftree", "c45", "cart", "chaid", "ctree", "id3", "simple_cart", "twoing_cart"]

_TASKS = ("classification", "regression")
# What the best-first and the depth-first trees of Shi (2007) have in common.
_SHI = {
    "criterion": "gini",
    "categorical_split": "shi",
    "min_samples_leaf": 2,
    "abandon_small": True,
    "min_gain": 5e-8,
    "unseen": "majority",
}
# Their rules for rows that are divided.
_SHI_DIVIDED = {"missing_gain": "divided", "missing_count": "pieces"}


def id3(**overrides: Any) -> TreeClassifier:
    """ID3 (Quinlan 1986): information gain, one branch per value.

    The original takes nominal attributes only, uses each once on a path, and knows no missing
    values. Here numeric columns are split at a threshold as well, and rows with a missing value go
    down all branches in proportion. A multiway split leaves one value to each child, so that an
    attribute is used once here too. Information gain prefers attributes of many values; that is
    what gain ratio (:func:`c45`) was made for.

    Parameters
    ----------
    **overrides
        Parameters of :class:`~ramify.TreeClassifier`.

    Returns
    -------
    TreeClassifier

    Examples
    --------
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> id3().fit(weather.X, weather.y).tree_.condition(0).attribute
    'outlook'
    """
    return _classifier({"criterion": "entropy", "categorical_split": "multiway"}, overrides)


def c45(**overrides: Any) -> TreeClassifier:
    """C4.5 release 8 (Quinlan 1993, 1996): gain ratio among the tests of at least average gain.

    Nominal attributes get one branch per value, numeric ones a threshold that is chosen by its
    gain and pays log2(cuts) / N for the choice (`numeric_penalty`). At least two branches need two
    rows (`small_branches`). Missing values are fractional, and a gain counts in proportion to the
    known rows (``missing_gain="known"``), as in the original. Pruned by estimated errors with
    subtree raising, as there (``pruning=ErrorBased()``); give ``pruning=None`` for the grown tree.

    What differs: levels that are absent from a node have no branch, where the original gives them
    an empty leaf; thresholds are midpoints, where the original takes the largest value of the data
    that is not above the midpoint; either side of a threshold needs two rows, where the original
    asks a tenth of the rows per class, at least two and at most 25; values are not grouped (its
    option -s).

    Parameters
    ----------
    **overrides
        Parameters of :class:`~ramify.TreeClassifier`.

    Returns
    -------
    TreeClassifier
    """
    settings = {
        "criterion": "gain_ratio",
        "categorical_split": "multiway",
        "numeric_penalty": True,
        "small_branches": True,
        "min_samples_leaf": 2,
        "pruning": ErrorBased(),
    }
    return _classifier(settings, overrides)


def cart(*, task: str = "classification", **overrides: Any) -> TreeClassifier | TreeRegressor:
    """CART (Breiman, Friedman, Olshen and Stone 1984): binary splits by Gini index or variance.

    The original tries all subsets of a nominal attribute's values, or orders them by class share
    for two classes and by mean in regression. Here ``categorical_split="auto"`` does the same
    where that is cheap, and uses a heuristic where the number of subsets makes it impossible; give
    "exact" to insist. Rows with a missing value go down both branches in proportion, where the
    original looks for surrogate splits. This preset grows only; the original goes on with
    ``pruning="cost_complexity"``.

    Parameters
    ----------
    task : {"classification", "regression"}, default="classification"
        Classes or numbers.
    **overrides
        Parameters of :class:`~ramify.TreeClassifier` or :class:`~ramify.TreeRegressor`.

    Returns
    -------
    TreeClassifier or TreeRegressor

    Examples
    --------
    >>> cart(task="regression", min_samples_leaf=5)
    TreeRegressor(min_samples_leaf=5)
    """
    criterion = {"classification": "gini", "regression": "squared_error"}
    settings = {"criterion": criterion.get(task), "categorical_split": "auto"}
    return _estimator(task, settings, overrides)


def twoing_cart(**overrides: Any) -> TreeClassifier:
    """CART with its other criterion, twoing: classes are put into two groups, and these separated.

    The best subset of a nominal attribute is found exactly, by trying all 2^(k-1) - 1 pairs of
    superclasses, as in the original: exponential in the classes, not in the values. For two
    classes it equals :func:`cart`. Missing values and pruning are as there.

    Parameters
    ----------
    **overrides
        Parameters of :class:`~ramify.TreeClassifier`.

    Returns
    -------
    TreeClassifier

    Examples
    --------
    >>> twoing_cart()
    TreeClassifier(categorical_split='twoing', criterion='twoing')
    """
    return _classifier({"criterion": "twoing", "categorical_split": "twoing"}, overrides)


def bftree(**overrides: Any) -> TreeClassifier:
    """Best-first tree (Shi 2007; BFTree in Weka): the leaf whose split gains most is split next.

    Binary splits by the Gini index; all partitions of up to four levels of a nominal attribute,
    above the order by principal component (``categorical_split="shi"``); a node whose best split
    leaves a branch with a single row stays a leaf (`min_samples_leaf`, `abandon_small`), as does
    one that no split makes purer (`min_gain`: Weka rounds gains to seven decimals). The node with
    the largest reduction of impurity comes first, whatever its weight.

    Rows with a missing value are divided among the branches first, and the gain is that of all
    rows (`missing_gain`, section 3.3.2 of the thesis, as in Weka); a divided row counts one in
    every branch (`missing_count`), so that trees of tables with many holes get large, and
    very large where most cells are missing. Weka 3.6.14 splits no node that weighs less than twice
    `min_samples_leaf`: ``min_weight_split=4``; the sizes in the thesis were made without that. With
    another `missing` no row is divided, and neither rule is set. A level that no row of a node has
    goes to the heavier branch (`unseen`).

    The number of expansions is chosen by cross-validation of the error rate, after growing
    (``pruning=BestFirst(finished_folds="drop")``), with ten folds as in Shi's thesis; Weka has five
    by default (its options -P POSTPRUNED, -N 5, -M 2). ``pruning=None`` gives the whole tree.

    What differs: Weka also rounds thresholds to five decimals, so that values closer than that are
    not kept apart, calls gains equal that agree in seven decimals, and orders the levels of a
    nominal attribute by the principal component of all rows, not of those of the node. In its
    cross-validation a fold whose tree is fully grown drops out of the mean for all further
    expansions, which favours large trees: the printed sizes of post-pruned trees come from that.
    It averages the error rates of the folds, here wrong rows are added up; it deals the classes to
    the folds in random order and leaves one row out. It divides any part of a row, here one
    lighter than a millionth stays whole.

    Parameters
    ----------
    **overrides
        Parameters of :class:`~ramify.TreeClassifier`.

    Returns
    -------
    TreeClassifier

    Examples
    --------
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> clf = bftree(max_expansions=1, pruning=None).fit(weather.X, weather.y)
    >>> clf.tree_.condition(0).attribute
    'outlook'
    """
    settings = {
        "growth": "best_first_unweighted",
        "pruning": BestFirst(finished_folds="drop"),
    }
    return _shi(settings, overrides)


def simple_cart(**overrides: Any) -> TreeClassifier:
    """CART as Shi wrote it for Weka (SimpleCart, 2007): grown as :func:`bftree`, depth first.

    Pruned by minimal cost-complexity (``pruning=CostComplexity(rule="min")``): ten folds as in
    Shi's thesis, five by default in Weka (its option -N 5); the smallest error decides, as there,
    unless the 1SE rule is asked for (-A). What else differs is said there.

    Parameters
    ----------
    **overrides
        Parameters of :class:`~ramify.TreeClassifier`.

    Returns
    -------
    TreeClassifier
    """
    return _shi({"pruning": CostComplexity(rule="min")}, overrides)


def ctree(*, task: str = "classification", **overrides: Any) -> TreeClassifier | TreeRegressor:
    """Conditional inference tree (Hothorn, Hornik and Zeileis 2006).

    The attribute is chosen by the p-value of a permutation test of independence, Bonferroni
    adjusted, and growth stops where none is below `alpha`: attributes of many values are not
    preferred, and no pruning is needed. `alpha` and the least numbers of rows are those of R's
    partykit, whose quadratic statistic is the one computed here.

    What differs: once the attribute is chosen, its cut is found by `criterion` (Gini index,
    variance), where the original maximises a two-sample statistic; rows with a missing value go
    down both branches in proportion, where partykit uses surrogates or sends them at random.

    Parameters
    ----------
    task : {"classification", "regression"}, default="classification"
        Classes or numbers.
    **overrides
        Parameters of :class:`~ramify.TreeClassifier` or :class:`~ramify.TreeRegressor`.

    Returns
    -------
    TreeClassifier or TreeRegressor
    """
    settings = {
        "selection": "conditional_inference",
        "alpha": 0.05,
        "min_samples_split": 20,
        "min_samples_leaf": 7,
    }
    return _estimator(task, settings, overrides)


def chaid(*, task: str = "classification", **overrides: Any) -> TreeClassifier | TreeRegressor:
    """CHAID (Kass 1980): levels that do not differ are merged, each group is a branch.

    At a node, the two levels of an attribute that differ least in the target are merged as long as
    the p-value of their difference exceeds 0.05 (``categorical_split="merge"``, whose parameters
    :class:`ramify.splits.MergeLevels` has: the level of merging, dividing merged groups again,
    exhaustive CHAID, the likelihood ratio). Levels of an ordinal column are merged with their
    neighbours only; the missing value is one more level, which may join any group
    (``missing="separate"``). The attribute whose groups have the smallest p-value is split on
    (``selection="chaid"``), if that is at most `alpha`; it is multiplied by the number of ways in
    which so many groups can be made of the levels (Bonferroni; ``bonferroni=False`` leaves it).
    Classes are tested by Pearson's chi-square, numbers by the F test. Groups of fewer rows than
    `min_samples_leaf` are merged with the one that they differ least from.

    What differs: a numeric column is split at a threshold, in two, where the original wants it in
    intervals; its p-value counts one group for every value, times the number of thresholds. For
    intervals give it as an ordinal column, made by one of :mod:`ramify.discretize` for example.
    Merging may go on to a single group, and the attribute is then not split on, as in Kass; SPSS
    stops at two groups.

    Parameters
    ----------
    task : {"classification", "regression"}, default="classification"
        Classes or numbers.
    **overrides
        Parameters of :class:`~ramify.TreeClassifier` or :class:`~ramify.TreeRegressor`.

    Returns
    -------
    TreeClassifier or TreeRegressor

    Examples
    --------
    >>> colours = ["red", "pink", "blue", "cyan"] * 25
    >>> warm = [colour in ("red", "pink") for colour in colours]
    >>> print(chaid().fit({"colour": colours}, warm).tree_.to_text())
    y: 100 rows, False 50 %
    ├─ colour in {blue, cyan}: False (50 rows, 100 %)
    └─ colour in {pink, red}: True (50 rows, 100 %)
    """
    criterion = {"classification": "chi2", "regression": "squared_error"}
    settings = {
        "criterion": criterion.get(task),
        "categorical_split": "merge",
        "selection": "chaid",
        "alpha": 0.05,
        "missing": "separate",
    }
    return _estimator(task, settings, overrides)


def _shi(settings: dict[str, Any], overrides: dict[str, Any]) -> TreeClassifier:
    divides = overrides.get("missing", "fractional") == "fractional"
    return _classifier(_SHI | (_SHI_DIVIDED if divides else {}) | settings, overrides)


def _classifier(settings: dict[str, Any], overrides: dict[str, Any]) -> TreeClassifier:
    return TreeClassifier(**settings | overrides)


def _estimator(
    task: str, settings: dict[str, Any], overrides: dict[str, Any]
) -> TreeClassifier | TreeRegressor:
    if check.choice("task", task, _TASKS) == "regression":
        return TreeRegressor(**settings | overrides)
    return TreeClassifier(**settings | overrides)
