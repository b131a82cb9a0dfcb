"""Every criterion from its definition: class weights of the children in, score out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Score(Protocol):
    """Node, children and the least weight of a child's largest class."""

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


def has_support(child: Floats, support: float) -> bool:
    return float(child.max()) >= support


def counted(gain: float, child: Floats, support: float) -> float:
    """What a child adds to a sum: without support, no more than nothing."""
    return gain if has_support(child, support) else min(0.0, gain)


def counted_whole(score: float, children: Floats, support: float) -> float:
    """The same of a score that is no sum over the children."""
    whole = all(has_support(child, support) for child in children)
    return score if whole else min(0.0, score)


def drop(impurity: Callable[[Floats], float]) -> Score:
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
    return drop(entropy)(node, children, support) / information if information > 0 else 0.0


def distance(node: Floats, children: Floats, support: float = 0.0) -> float:
    joint = entropy(children.ravel())
    return drop(entropy)(node, children, support) / joint if joint > 0 else 0.0


def twoing(node: Floats, children: Floats, support: float = 0.0) -> float:
    left, right = children
    if left.sum() <= 0 or right.sum() <= 0:
        return 0.0
    both = left.sum() * right.sum() / node.sum() ** 2
    score = float(both / 4 * np.abs(shares(left) - shares(right)).sum() ** 2)
    return counted_whole(score, children, support)


def maxdif(node: Floats, children: Floats, support: float = 0.0) -> float:
    def difference(weights: Floats) -> float:
        return float(max(p - (1 - p) for p in shares(weights)))

    total, undivided = node.sum(), difference(node)
    return undivided + float(
        sum(
            child.sum() / total * counted(difference(child) - undivided, child, support)
            for child in children
            if child.sum() > 0
        )
    )


def mpi(node: Floats, children: Floats, support: float = 0.0) -> float:
    if (children.sum(axis=1) <= 0).any():
        return 0.0
    sizes = float(np.prod(children.sum(axis=1) / node.sum()))
    p = shares(node)
    together = sum(
        np.prod([shares(child)[j] for child in children]) / p[j] for j in range(len(p)) if p[j] > 0
    )
    return counted_whole(float(sizes * (1 - together)), children, support)


def chi2(node: Floats, children: Floats, support: float = 0.0) -> float:
    total = 0.0
    for child in children:
        of_child = 0.0
        for observed, whole in zip(child, node, strict=True):
            expected = child.sum() * whole / node.sum()
            if expected > 0:
                of_child += (observed - expected) ** 2 / expected
        total += counted(of_child, child, support)
    return float(total)


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
