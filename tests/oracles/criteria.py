"""Every criterion from its definition: class weights of the children in, score out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Impurity = Callable[[Floats], float]
NO_BITS = 1e-14  # less is the rounding of zero


class Score(Protocol):
    """Takes a node, its children and the least weight of a child's largest class."""

    def __call__(self, node: Floats, children: Floats, support: float = 0.0) -> float: ...


def shares(weights: Floats) -> Floats:
    total = weights.sum()
    return weights / total if total > 0 else np.zeros_like(weights)


def gini(weights: Floats) -> float:
    return float(1 - (shares(weights) ** 2).sum())


def entropy(weights: Floats) -> float:
    p = shares(weights)
    p = p[p > 0]
    return float(-(p * np.log2(p)).sum())


def error(weights: Floats) -> float:
    return float(1 - shares(weights).max())


def gini_with_costs(costs: Floats) -> Impurity:
    def impurity(weights: Floats) -> float:
        return float(shares(weights) @ costs @ shares(weights))

    return impurity


def has_support(child: Floats, support: float) -> bool:
    return float(child.max()) >= support


def counted(gain: float, child: Floats, support: float) -> float:
    """What a child adds to a sum: at most zero if it lacks support."""
    return gain if has_support(child, support) else min(0.0, gain)


def counted_whole(score: float, children: Floats, support: float) -> float:
    """The same for a score that is not a sum over the children."""
    whole = all(has_support(child, support) for child in children)
    return score if whole else min(0.0, score)


def drop(impurity: Impurity) -> Score:
    def score(node: Floats, children: Floats, support: float = 0.0) -> float:
        total = node.sum()
        return sum(
            child.sum() / total * counted(impurity(node) - impurity(child), child, support)
            for child in children
            if child.sum() > 0
        )

    return score


def gain_ratio(node: Floats, children: Floats, support: float = 0.0) -> float:
    information = entropy(children.sum(axis=1))
    return drop(entropy)(node, children, support) / information if information > NO_BITS else 0.0


def distance(node: Floats, children: Floats, support: float = 0.0) -> float:
    joint = entropy(children.ravel())
    return drop(entropy)(node, children, support) / joint if joint > NO_BITS else 0.0


def twoing(node: Floats, children: Floats, support: float = 0.0) -> float:
    left, right = children
    if left.sum() <= 0 or right.sum() <= 0:
        return 0.0
    both = left.sum() * right.sum() / node.sum() ** 2
    score = float(both / 4 * np.abs(shares(left) - shares(right)).sum() ** 2)
    return counted_whole(score, children, support)


def maxdif(node: Floats, children: Floats, support: float = 0.0) -> float:
    """The share of the largest class less that of all others, over the children."""
    undivided = 1 - 2 * error(node)
    return undivided + 2 * drop(error)(node, children, support)


def mpi(node: Floats, children: Floats, support: float = 0.0) -> float:
    sizes = children.sum(axis=1)
    if (sizes <= 0).any():
        return 0.0
    there = node > 0
    inside = (children[:, there] / sizes[:, None]).prod(axis=0)
    together = (inside / shares(node)[there]).sum()
    score = float((sizes / node.sum()).prod() * (1 - together))
    return counted_whole(score, children, support)


def chi2(node: Floats, children: Floats, support: float = 0.0) -> float:
    there = node > 0
    total = 0.0
    for child in children:
        expected = child.sum() * shares(node)[there]
        if child.sum() > 0:
            of_child = ((child[there] - expected) ** 2 / expected).sum()
            total += counted(float(of_child), child, support)
    return total


def squared_gini(node: Floats, children: Floats, support: float = 0.0) -> float:
    left, right = children
    if left.sum() <= 0 or right.sum() <= 0:
        return 0.0  # nothing is cut
    p, q = left.sum() / node.sum(), right.sum() / node.sum()
    score = gini(node) - p**2 * gini(left) - q**2 * gini(right)
    return counted_whole(score, children, support)


SCORES: dict[str, Score] = {
    "gini": drop(gini),
    "entropy": drop(entropy),
    "gain_ratio": gain_ratio,
    "distance": distance,
    "twoing": twoing,
    "generalized_gini": drop(error),
    "misclassification": drop(error),
    "maxdif": maxdif,
    "mpi": mpi,
    "chi2": chi2,
    "squared_gini": squared_gini,
    "chi2_cut": chi2,
}
BINARY_ONLY = {"twoing", "squared_gini", "chi2_cut"}
ERROR = ("misclassification", "generalized_gini", "maxdif")


def index_of(criterion: str) -> Impurity:
    """Give the impurity that a criterion is based on."""
    if criterion in ("entropy", "gain_ratio", "distance"):
        return entropy
    return error if criterion in ERROR else gini
