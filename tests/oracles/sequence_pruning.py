"""The sequence prunings by their definitions, on the nodes of a tree; nothing here is fast.

A tree is the set of its inner nodes. Every function gives the sequence as a list of (key, inner
nodes), from the largest tree to the root alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from ramify.tree import Tree

Steps = list[tuple[float, frozenset[int]]]


def inner_nodes(tree: Tree) -> frozenset[int]:
    return frozenset(node.id for node in tree.nodes if node.children)


def below(tree: Tree, node: int) -> set[int]:
    """The node and all nodes under it."""
    found = {node}
    for child in tree.nodes[node].children:
        found |= below(tree, child)
    return found


def leaves_of(tree: Tree, inner: frozenset[int], node: int) -> list[int]:
    if node not in inner:
        return [node]
    return [leaf for child in tree.nodes[node].children for leaf in leaves_of(tree, inner, child)]


def risk(tree: Tree, node: int, kind: str) -> float:
    """What a node costs as a leaf, per unit of the training weight."""
    at, total = tree.nodes[node], tree.nodes[0].weight
    if kind == "impurity" or tree.task == "regression":
        return at.impurity * at.weight / total
    if kind == "brier":
        return (
            float(1 - ((at.value / at.value.sum()) ** 2).sum()) / len(at.value) * at.weight / total
        )
    costs = 1 - np.eye(len(at.value)) if tree.costs is None else tree.costs
    return float((at.value @ costs).min()) / total


def cost_complexity(tree: Tree, kind: str = "error") -> Steps:
    """Weakest-link cutting: all weakest links at once, again and again."""
    inner = inner_nodes(tree)
    risks = {node.id: risk(tree, node.id, kind) for node in tree.nodes}
    alpha, steps = 0.0, []

    def price(node: int) -> float:
        ends = leaves_of(tree, inner, node)
        return (risks[node] - sum(risks[leaf] for leaf in ends)) / (len(ends) - 1)

    while True:
        prices = {node: price(node) for node in inner}
        weakest = [node for node, p in prices.items() if p <= alpha + 1e-11 * max(alpha, 1e-6)]
        if weakest:
            inner -= frozenset().union(*(below(tree, node) for node in weakest))
            continue
        steps.append((alpha, inner))
        if not inner:
            return steps
        alpha = min(prices.values())


def best_first(tree: Tree, weigh: bool, up_to: int = 0) -> Steps:
    """Expand the most worthwhile open node, again and again; among equals the one made first.

    There are steps for all numbers of expansions up to `up_to`, whether the tree has them or not.
    """

    def worth(node: int) -> float:
        at = tree.nodes[node]
        return at.gain * (at.weight if weigh else 1.0)

    open_nodes = [0] if tree.nodes[0].children else []
    inner: frozenset[int] = frozenset()
    steps = [(0.0, inner)]
    while open_nodes:
        most = max(worth(node) for node in open_nodes)
        at = next(node for node in open_nodes if worth(node) >= most * (1 - 1e-12))
        open_nodes.remove(at)
        open_nodes += [child for child in tree.nodes[at].children if tree.nodes[child].children]
        inner |= {at}
        steps.append((float(len(inner)), inner))
    steps += [(float(count), inner) for count in range(len(steps), up_to + 1)]
    return steps[::-1]


def post_pruning(
    make: Any, X: Any, y: np.ndarray, weight: Any, folds: np.ndarray, *, drop: bool, measure: str
) -> np.ndarray:
    """Figure 3.10 of Shi (2007), word by word: the errors of 0, 1, ... expansions.

    `make(n)` gives an estimator that expands n times at most. With `drop` a fold counts only as
    long as its tree can be expanded.
    """
    found: list[float] = []
    weights = np.ones(len(y)) if weight is None else weight
    while True:
        lost = total = 0.0
        expanded = False
        for fold in range(folds.max() + 1):
            train, test = (folds >= 0) & (folds != fold), folds == fold
            tree = make(len(found)).fit(
                X[train], y[train], None if weight is None else weight[train]
            )
            reached = len(inner_nodes(tree.tree_)) == len(found)
            expanded |= reached
            if reached or not drop:
                lost += float(weights[test] @ losses(tree, X[test], y[test], measure))
                total += weights[test].sum()
        if not expanded:
            return np.array(found)
        found.append(lost / total)


def most_expansions(clf: Any, X: Any, y: np.ndarray, weight: Any, folds: np.ndarray) -> int:
    """The most expansions of any fold's tree, grown to the end."""
    most = 0
    for fold in range(folds.max() + 1):
        train = (folds >= 0) & (folds != fold)
        tree = clone(clf).set_params(pruning=None)
        tree.fit(X[train], y[train], None if weight is None else weight[train])
        most = max(most, len(inner_nodes(tree.tree_)))
    return most


def critical_value(tree: Tree) -> Steps:
    """A node goes if its gain and all gains below are not above the threshold."""
    everything = inner_nodes(tree)
    largest = {
        node: max(tree.nodes[one].gain for one in below(tree, node) if one in everything)
        for node in everything
    }
    steps: Steps = [(-np.inf, everything)]
    thresholds: list[float] = []
    for gain in sorted(largest.values()):
        if not thresholds or gain > thresholds[-1] + 1e-11 * abs(thresholds[-1]) + 1e-15:
            thresholds.append(gain)  # gains that differ by rounding alone are one
    for number, threshold in enumerate(thresholds):
        end = thresholds[number + 1] if number + 1 < len(thresholds) else np.inf
        steps.append((threshold, frozenset(n for n in everything if largest[n] >= end)))
    return steps


def one_standard_error(error: np.ndarray, standard_error: np.ndarray) -> int:
    """The smallest tree (the last) within a standard error of the best."""
    best = max(i for i in range(len(error)) if error[i] <= error.min() + 1e-12)
    limit = error[best] + standard_error[best]
    return max(i for i in range(len(error)) if error[i] <= limit + 1e-12)


def losses(clf: Any, X: Any, y: np.ndarray, measure: str) -> np.ndarray:
    """The loss of every row by the estimator's own predictions."""
    if measure == "rmse":
        truth = (np.asarray(y)[:, None] == clf.classes_[None, :]).astype(float)
        return ((clf.predict_proba(X) - truth) ** 2).mean(axis=1)
    predicted = clf.predict(X)
    if measure == "squared":
        return (predicted - y) ** 2
    if measure == "absolute":
        return np.abs(predicted - y)
    if measure == "quantile":
        return np.where(y > predicted, clf.quantile, clf.quantile - 1) * (y - predicted)
    if measure == "poisson":
        return y * np.log(y / predicted) + predicted - y  # for targets above zero
    if measure == "gamma":
        return np.log(predicted / y) + y / predicted - 1
    if clf.tree_.costs is not None:
        at = [np.searchsorted(clf.classes_, values) for values in (y, predicted)]
        return clf.tree_.costs[at[0], at[1]]
    return (predicted != y).astype(float)
