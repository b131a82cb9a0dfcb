"""The searches for a partition of levels, with what is known of each."""

from __future__ import annotations

from dataclasses import dataclass


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
METHODS = (
    Method(
        "auto",
        "exact where cheap; otherwise that of largest_class_alone",
        "O(nk^2 + k^3 + n log n)",
        "Pereira 2018, chapter 4",
        "all",
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
        "optimal for a concave impurity, unless min_samples_leaf rules partitions out",
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
    Method(
        "shi",
        "optimal for up to four levels, and for two classes and a concave impurity",
        "O(nk^2 + k^3 + n log n)",
        "Shi 2007, section 3.2.2",
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
        "O(min(2^k n log n, 2^n k))",
        "Breiman et al. 1984; Pereira 2018, section 2.4.2",
        f"{_SUMS}; at most 20 classes or 20 levels",
    ),
    Method(
        "hypercube_cover",
        "at most 2 x the least impurity (gini, entropy)",
        "O(min(2^k n (k + log n), 2^n k))",
        "Laber et al. 2018; Pereira 2018, section 2.5.4",
        f"{_SUMS}; at most 20 classes or 20 levels",
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
        "the largest cut of up to 14 levels, else at least half of it (squared_gini, chi2_cut)",
        "O(n^2 k) a pass of the local search, 4 orders",
        "Pereira 2018, section 3.1, algorithms 2 and 3",
        "all; made for squared_gini and chi2_cut",
    ),
    Method(
        "greedy_cut_once",
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
