"""Partitions of the levels of a nominal attribute in two, from a plain contingency table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ramify import _core
from ramify.learning import parameters as check
from ramify.splits.matrices import check_rows, read_costs, read_counts
from ramify.splits.methods import METHODS, Method

WORK_LIMIT = 1 << 22  # partitions that "exact" scores; then it takes the best so far


@dataclass(frozen=True)
class NominalSplit:
    """A partition of the levels in two.

    Attributes
    ----------
    left, right : tuple of int
        Rows of the contingency table on either side. The first row with any weight is on the left;
        rows without weight are on the heavier side.
    score : float
        The criterion's gain; higher is better.
    impurity : float
        Mean impurity of the two sides, by weight: the entropy in bits for entropy, gain_ratio and
        distance, the error rate for misclassification, generalized_gini and maxdif, the Gini index
        where a criterion has no index of its own. For gini and squared_gini it includes `costs`;
        it ignores `min_support`.
    proven : bool
        Whether no partition of these levels scores better.
    work : int
        Partitions scored.
    method, criterion : str
        The search that found it, and what it was scored by.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    score: float
    impurity: float
    proven: bool
    work: int
    method: str
    criterion: str


def methods() -> tuple[Method, ...]:
    """List the searches, with what is known about each.

    Examples
    --------
    >>> from ramify.splits import methods
    >>> next(method.guarantee for method in methods() if method.name == "hypercube_cover")
    'at most 2 x the least impurity (gini, entropy)'
    """
    return METHODS


def best_nominal_split(
    counts: ArrayLike,
    *,
    method: str = "auto",
    criterion: str = "gini",
    min_samples_leaf: float = 0,
    min_support: float = 0,
    costs: ArrayLike | None = None,
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
    work_limit: int = WORK_LIMIT,
) -> NominalSplit | None:
    """Search for the best partition of the levels of a contingency table.

    Parameters
    ----------
    counts : array-like of shape (levels, classes)
        Weight of every class on every level. The sum must be zero, or from 1e-60 to 1e60.
    method : str
        The search; see :func:`methods`.
    criterion : str
        What a partition is scored by.
    min_samples_leaf : float
        Least weight of a side.
    min_support : float
        A side whose largest class weighs less than this can only lower the score.
    costs : array-like of shape (classes, classes) or None
        Costs of taking one class for another, for "gini" and "squared_gini"; other criteria refuse
        them. The sum must be zero, or from 1e-30 to 1e30.
    random_state : int, random generator of NumPy or None
        Seed of the searches that draw at random; None means 0.
    work_limit : int
        Number of partitions that "exact" may score, at least 1. Then it gives the best so far, not
        proven. With more than 64 classes the default is lower: 2**28 divided by the number of
        classes. With three or four classes it scores up to 16 times as many, if that is sure to end
        in a proof.

    Returns
    -------
    NominalSplit or None
        None if no partition that was tried has weight (and `min_samples_leaf`) on both sides. Only
        "exact" tries all.

    Examples
    --------
    >>> from ramify.splits import best_nominal_split
    >>> split = best_nominal_split([[40, 0, 20], [10, 40, 5], [30, 5, 25], [0, 10, 5]])
    >>> split.left, split.right, split.proven
    ((0, 2), (1, 3), True)
    """
    table = read_counts("counts", counts)
    check.choice("method", method, _core.nominal_search_names())
    check.choice("criterion", criterion, _core.criterion_names())
    check.number("min_samples_leaf", min_samples_leaf, least=0.0)
    check.number("min_support", min_support, least=0.0)
    options = (
        method,
        criterion,
        float(min_support),
        read_costs(costs, table.shape[1], criterion),
        float(min_samples_leaf),
        check.seed(random_state),
        min(check.whole("work_limit", work_limit, least=1), check.UNLIMITED),
    )
    try:
        found = _core.best_nominal_split(table, *options)
        if found is None:
            # With fewer than two levels the core does not check whether the search can use the
            # criterion and the classes. A table of two levels makes it check.
            two_levels = np.zeros((2, table.shape[1]))
            two_levels[:, 0] = 1.0
            _core.best_nominal_split(two_levels, *options)
    except ValueError as error:
        raise ValueError(_in_words_of_the_caller(str(error), method)) from None
    if found is None or not np.isfinite(found["score"] + found["impurity"]):
        check_rows("counts", table)
    return None if found is None else NominalSplit(**found, method=method, criterion=criterion)


def _in_words_of_the_caller(message: str, method: str) -> str:
    """Say `method`, as in this module, where the core says `categorical_split`, as in trees.

    Only trees have the choice "multiway".
    """
    message = message.replace("this categorical_split", f"method={method!r}")
    message = message.replace("categorical_split=", "method=")
    return message.replace(", 'pc' or 'multiway'", " or 'pc'")


def score(
    children: ArrayLike,
    *,
    criterion: str = "gini",
    min_support: float = 0,
    costs: ArrayLike | None = None,
) -> float:
    """Score a partition by the class weights of its children.

    Parameters
    ----------
    children : array-like of shape (children, classes)
        Weight of every class in every child. The sum must be from 1e-60 to 1e60.
    criterion : str
        One of the criteria of :class:`ramify.TreeClassifier`.
    min_support : float
        A child whose largest class weighs less than this can only lower the score.
    costs : array-like of shape (classes, classes) or None
        As in :func:`best_nominal_split`.

    Returns
    -------
    float
        Higher is better.

    Examples
    --------
    The example of Berzal et al. (2003), Table 1:

    >>> from ramify.splits import score
    >>> float(score([[90, 10, 0], [0, 85, 15]], criterion="maxdif"))
    0.75
    """
    table = read_counts("children", children)
    check.choice("criterion", criterion, _core.criterion_names())
    check.number("min_support", min_support, least=0.0)
    if not table.any():
        raise ValueError("children must have some weight")
    given = read_costs(costs, table.shape[1], criterion)
    result = float(_core.score(table, criterion, float(min_support), given))
    if not np.isfinite(result):
        check_rows("children", table)
    return result
