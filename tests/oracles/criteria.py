"""Every criterion from its definition: class weights of the children in, score out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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


def drop(impurity: Callable[[Floats], float]) -> Callable[[Floats, Floats], float]:
    def score(node: Floats, children: Floats) -> float:
        total = node.sum()
        return sum(
            child.sum() / total * (impurity(node) - impurity(child))
            for child in children
            if child.sum() > 0
        )

    return score


def gain_ratio(node: Floats, children: Floats) -> float:
    information = entropy(children.sum(axis=1))
    return drop(entropy)(node, children) / information if information > 0 else 0.0


def distance(node: Floats, children: Floats) -> float:
    joint = entropy(children.ravel())
    return drop(entropy)(node, children) / joint if joint > 0 else 0.0


def twoing(node: Floats, children: Floats) -> float:
    left, right = children
    if left.sum() <= 0 or right.sum() <= 0:
        return 0.0
    both = left.sum() * right.sum() / node.sum() ** 2
    return float(both / 4 * np.abs(shares(left) - shares(right)).sum() ** 2)


def maxdif(node: Floats, children: Floats) -> float:
    total = node.sum()
    return float(
        sum(
            child.sum() / total * max(p - (1 - p) for p in shares(child))
            for child in children
            if child.sum() > 0
        )
    )


def mpi(node: Floats, children: Floats) -> float:
    if (children.sum(axis=1) <= 0).any():
        return 0.0
    sizes = float(np.prod(children.sum(axis=1) / node.sum()))
    p = shares(node)
    together = sum(
        np.prod([shares(child)[j] for child in children]) / p[j] for j in range(len(p)) if p[j] > 0
    )
    return float(sizes * (1 - together))


def chi2(node: Floats, children: Floats) -> float:
    total = 0.0
    for child in children:
        for observed, whole in zip(child, node, strict=True):
            expected = child.sum() * whole / node.sum()
            if expected > 0:
                total += (observed - expected) ** 2 / expected
    return float(total)


def squared_gini(node: Floats, children: Floats) -> float:
    left, right = children
    if left.sum() <= 0 or right.sum() <= 0:
        return 0.0  # nothing is cut
    p, q = left.sum() / node.sum(), right.sum() / node.sum()
    return gini(node) - p**2 * gini(left) - q**2 * gini(right)


SCORES: dict[str, Callable[[Floats, Floats], float]] = {
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


def supported(children: Floats, min_support: float) -> Floats:
    """Empty the children whose largest class is below the support."""
    kept = children.copy()
    kept[children.max(axis=1) < min_support] = 0.0
    return kept
