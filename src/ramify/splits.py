"""Binary partitions of the levels of a nominal attribute, from a plain contingency table.

What a tree does with a nominal attribute can be tried here by hand: :func:`best_nominal_split`
runs one search on one table, :func:`methods` lists the searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ramify import _core
from ramify.trees import _parameters as check

__all__ = ["Method", "NominalSplit", "best_nominal_split", "methods"]

WORK_LIMIT = 1 << 22  # partitions that "exact" scores before it settles for the best it has


@dataclass(frozen=True)
class NominalSplit:
    """A partition of the levels in two.

    Attributes
    ----------
    left, right : tuple of int
        Rows of the contingency table on either side; the first row with any weight is on the left,
        and rows without weight are on the heavier side.
    score : float
        The criterion's gain; higher is better.
    impurity : float
        Mean impurity of the two sides, by weight; NaN for a criterion that has none.
    proven : bool
        Whether no partition of these levels scores better.
    work : int
        Partitions scored.
    method, criterion : str
        What found it.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    score: float
    impurity: float
    proven: bool
    work: int
    method: str
    criterion: str


@dataclass(frozen=True)
class Method:
    """A search for a partition of levels.

    Attributes
    ----------
    name : str
        What `method` and `categorical_split` call it.
    guarantee : str
        How far from the best partition it can end.
    cost : str
        Time for n levels and k classes.
    reference : str
        Where it is described.
    criteria : str
        What it can be used with.
    """

    name: str
    guarantee: str
    cost: str
    reference: str
    criteria: str


_SUMS = "all but chi2_cut"
_METHODS = (
    Method(
        "auto",
        "exact where cheap; otherwise that of largest_class_alone",
        "O(nk^2 + k^3 + n log n)",
        "Pereira 2018, chapter 4",
        _SUMS,
    ),
    Method(
        "exact",
        "optimal; reports whether that was proven within work_limit",
        "O(n log n) for k = 2, O(n^2 log n) for k = 3, O(n^3 log n) for k = 4, O(2^n) otherwise",
        "Breiman et al. 1984; Coppersmith et al. 1999; Pereira 2018, theorems 5 and 8",
        "all; chi2_cut of at most 20 levels",
    ),
    Method(
        "two_class",
        "optimal for two classes and a concave impurity",
        "O(n log n)",
        "Breiman et al. 1984; Pereira 2018, theorem 5",
        f"{_SUMS}; two classes",
    ),
    Method(
        "pc",
        "none",
        "O(nk^2 + k^3 + n log n)",
        "Coppersmith et al. 1999; Pereira 2018, section 2.5.1",
        _SUMS,
    ),
    Method(
        "pc_ext",
        "never worse than pc",
        "O(nk^2 + k^3 + n log n)",
        "Coppersmith et al. 1999; Pereira 2018, section 2.5.1",
        _SUMS,
    ),
    Method("sliq", "none", "O(n^2 k)", "Mehta et al. 1996; Pereira 2018, section 2.5.2", _SUMS),
    Method(
        "sliq_ext",
        "never worse than sliq",
        "O(n^2 k)",
        "Coppersmith et al. 1999; Pereira 2018, section 2.5.2",
        _SUMS,
    ),
    Method(
        "flip_flop",
        "none",
        "O(nk + n log n) a round, k starts",
        "Nadas et al. 1991; Pereira 2018, section 2.5.3",
        _SUMS,
    ),
    Method(
        "twoing",
        "optimal for the twoing value",
        "O(2^k n log n)",
        "Breiman et al. 1984; Pereira 2018, section 2.4.2",
        f"{_SUMS}; at most 20 classes",
    ),
    Method(
        "hypercube_cover",
        "at most 2 x the least impurity (gini, entropy)",
        "O(2^k n (k + log n))",
        "Laber et al. 2018; Pereira 2018, section 2.5.4",
        f"{_SUMS}; at most 20 classes",
    ),
    Method(
        "largest_class_alone",
        "at most 2 x (gini) or 3 x (entropy) the least impurity",
        "O(nk + n log n)",
        "Laber et al. 2018; Pereira 2018, section 2.5.5",
        _SUMS,
    ),
    Method(
        "list_scheduling",
        "none",
        "O(nk + n log n)",
        "Laber et al. 2018; Pereira 2018, section 2.5.6",
        _SUMS,
    ),
    Method(
        "greedy_cut",
        "at least half of the largest cut (squared_gini, chi2_cut)",
        "O(n^2 k) a pass of the local search",
        "Pereira 2018, section 3.1, algorithms 2 and 3",
        "all; made for squared_gini and chi2_cut",
    ),
    Method(
        "gw_cut",
        "in expectation at least 0.878 of the largest cut (squared_gini, chi2_cut)",
        "O(n^2 k + n^2 sqrt(n)) a sweep of the semidefinite program",
        "Goemans and Williamson 1995; Pereira 2018, section 3.1",
        "all; made for squared_gini and chi2_cut",
    ),
)


def methods() -> tuple[Method, ...]:
    """List the searches, with what is known of each.

    Examples
    --------
    >>> from ramify.splits import methods
    >>> next(method.guarantee for method in methods() if method.name == "hypercube_cover")
    'at most 2 x the least impurity (gini, entropy)'
    """
    return _METHODS


def best_nominal_split(
    counts: ArrayLike,
    *,
    method: str = "auto",
    criterion: str = "gini",
    min_samples_leaf: float = 0,
    min_support: float = 0,
    costs: ArrayLike | None = None,
    random_state: int = 0,
    work_limit: int = WORK_LIMIT,
) -> NominalSplit | None:
    """Search for the best partition of the levels of a contingency table.

    Parameters
    ----------
    counts : array-like of shape (levels, classes)
        Weight of every class on every level.
    method : str
        The search; see :func:`methods`.
    criterion : str
        What a partition is scored by.
    min_samples_leaf : float
        Least weight of a side.
    min_support : float
        A side whose largest class weighs less contributes nothing to the score.
    costs : array-like of shape (classes, classes) or None
        Costs of taking one class for another, for the criteria that know them.
    random_state : int
        Seed of the searches that draw at random.
    work_limit : int
        Partitions that "exact" may score; beyond it the best so far is given, not proven.

    Returns
    -------
    NominalSplit or None
        None if no partition has weight (and `min_samples_leaf`) on both sides.

    Examples
    --------
    >>> from ramify.splits import best_nominal_split
    >>> split = best_nominal_split([[40, 0, 20], [10, 40, 5], [30, 5, 25], [0, 10, 5]])
    >>> split.left, split.right, split.proven
    ((0, 2), (1, 3), True)
    """
    table = _counts(counts)
    check.choice("method", method, _core.nominal_search_names())
    check.choice("criterion", criterion, _core.criterion_names())
    check.number("min_samples_leaf", min_samples_leaf, least=0.0)
    check.number("min_support", min_support, least=0.0)
    matrix = check.cost_matrix(costs, np.arange(table.shape[1]))
    flat = None if matrix is None else matrix.ravel()
    weight = table.sum(axis=1)
    if not np.isfinite(weight).all():
        raise ValueError("counts must be finite and not negative")
    present = np.flatnonzero(weight > 0.0)
    if len(present) < 2:
        return None
    every = len(present) == len(table)
    rows = table if every else np.ascontiguousarray(table[present])
    support = weight if every else np.ascontiguousarray(weight[present])
    found = _core.best_nominal_split(
        rows,
        support,
        method,
        criterion,
        float(min_support),
        flat,
        float(min_samples_leaf),
        int(random_state),
        int(work_limit),
    )
    if found is None:
        return None
    right = np.zeros(len(table), dtype=bool)
    right[present] = found["right"] != 0
    heavier = weight[right].sum() > weight[~right].sum()
    right[weight <= 0.0] = heavier
    sides = found["sides"]
    impurities = _core.impurities(sides, criterion, flat)
    return NominalSplit(
        left=tuple(np.flatnonzero(~right).tolist()),
        right=tuple(np.flatnonzero(right).tolist()),
        score=float(found["score"]),
        impurity=float(np.average(impurities, weights=sides.sum(axis=1))),
        proven=bool(found["proven"]),
        work=int(found["work"]),
        method=method,
        criterion=criterion,
    )


def _counts(counts: Any) -> NDArray[np.float64]:
    try:
        table = np.ascontiguousarray(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"counts={counts!r:.80} must be a matrix of numbers") from None
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(
            f"counts has shape {table.shape}; give one row per level, one column per class"
        )
    if not table.min() >= 0.0:  # nor is NaN
        raise ValueError("counts must be finite and not negative")
    return table
