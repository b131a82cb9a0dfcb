"""Greedy growth, slow and obvious: every node takes the best of the best splits of its attributes.

The rules, as documented: a later attribute wins only if its gain is larger by more than 1e-11 times
the scale of the node, mostly its impurity, or if its gain ties and its split is better balanced,
where ties are decided so.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from oracles.attribute_splits import Split, best_split, branch_sizes, first_best
from oracles.inference import adjusted, passes, test_of
from oracles.problem import SLACK, TIE, Problem, Rows, baseline, class_weights, is_pure, join, scale


def splits(problem: Problem, node: Rows) -> list[Split]:
    """The best split of every attribute that can split the node and passes the filters."""
    attributes = [a for a in problem.attributes() if passes(problem, node, a)]
    found = (best_split(problem, node, a) for a in attributes)
    return [split for split in found if split is not None]


def choose(problem: Problem, node: Rows, depth: int) -> Split | None:
    if (problem.max_depth is not None and depth >= problem.max_depth) or is_pure(problem, node):
        return None
    least = problem.min_samples_split
    if not problem.counts_pieces:  # a row may be a piece in both branches
        least = max(least, 2 * problem.min_samples_leaf)
    if problem.size(node) < least - SLACK:
        return None
    if node.weight.sum() < problem.min_weight_split * (1 - SLACK):
        return None
    measure = scale(problem, node)
    tolerance = TIE * (measure if math.isfinite(measure) else 1.0)

    def acceptable(split: Split) -> bool:
        above = split.gain - baseline(problem, node)
        if not (problem.strictly_concave or problem.min_gain < 0 or above > tolerance):
            return False
        return above >= problem.min_gain - tolerance

    found = splits(problem, node)
    if problem.selection == "conditional_inference":
        best = by_inference(problem, node, [split for split in found if acceptable(split)])
    else:
        if problem.by_information and found:
            average = sum(split.information for split in found) / len(found)
            found = [split for split in found if split.information >= average - 1e-9]
        best = first_best(found, measure, balanced=problem.balances_ties)
        best = best if best is not None and acceptable(best) else None
    if best is None or abandoned(problem, node, best):
        return None
    return replace(best, gain=max(best.gain - baseline(problem, node), 0.0))


def abandoned(problem: Problem, node: Rows, split: Split) -> bool:
    """Whether the split is given up, since a branch has too few rows."""
    if not problem.abandon_small:
        return False
    branch = split.branch(problem.cells(split.attribute, node))
    unknown = node.where(branch == -1)
    children = [node.where(branch == b) for b in range(split.branches)]
    if split.missing_to >= 0:
        children[split.missing_to] = join(children[split.missing_to], unknown)
        unknown = unknown.where(np.zeros(len(unknown), dtype=bool))
    return min(branch_sizes(problem, children, unknown)) < problem.min_samples_leaf - SLACK


def by_inference(problem: Problem, node: Rows, found: list[Split]) -> Split | None:
    """The split of the attribute with the smallest p-value among those that have one."""
    attributes = [a for a in problem.attributes() if passes(problem, node, a)]
    log_p = {}
    for attribute in attributes:
        _, df, value = test_of(problem, node, attribute)
        if df:
            log_p[attribute] = value
    best: Split | None = None
    for split in found:
        if split.attribute in log_p and (
            best is None
            or log_p[split.attribute] < log_p[best.attribute] - 1e-9 * abs(log_p[best.attribute])
        ):
            best = split
    if best is None or adjusted(problem, log_p[best.attribute], len(log_p)) > problem.alpha:
        return None
    return best


def divide(problem: Problem, node: Rows, split: Split) -> tuple[list[Rows], list[float]]:
    """The rows of the branches, and the share of the known weight of each."""
    branch = split.branch(problem.cells(split.attribute, node))
    known = [node.where(branch == b) for b in range(split.branches)]
    weights = np.array([rows.weight.sum() for rows in known])
    shares = weights / weights.sum()
    unknown = node.where(branch == -1)
    if split.missing_to >= 0:
        known[split.missing_to] = join(known[split.missing_to], unknown)
        return known, shares.tolist()
    whole = unknown.where(unknown.fraction < problem.least_fraction)
    divided = unknown.where(unknown.fraction >= problem.least_fraction)
    heaviest = int(np.argmax(weights))
    children = [join(rows, divided.part(shares[b])) for b, rows in enumerate(known)]
    children[heaviest] = join(children[heaviest], whole)
    return children, shares.tolist()


@dataclass
class Node:
    rows: Rows
    depth: int
    proportion: float
    split: Split | None
    children: list[Node] = field(default_factory=list)
    expansion: int = -1
    id: int = -1
    forced: bool = False  # its split was laid down


def grow_all(problem: Problem, rows: Rows, depth: int = 0, proportion: float = 1.0) -> Node:
    node = Node(rows, depth, proportion, choose(problem, rows, depth))
    if node.split is not None:
        parts, shares = divide(problem, rows, node.split)
        node.children = [
            grow_all(problem, part, depth + 1, share)
            for part, share in zip(parts, shares, strict=True)
        ]
    return node


def replay(
    root: Node,
    problem: Problem,
    growth: str,
    max_leaves: int | None = None,
    max_expansions: int | None = None,
) -> list[Node]:
    """The nodes in order of expansion; those that the limits have no room for become leaves."""
    # A chi-square grows with the size of the table; an impurity does not.
    of_all_rows = problem.criterion in ("chi2", "chi2_cut")
    order = [root]
    frontier: list[tuple[float, int, Node]] = []
    leaves = 1
    expansions = 0

    def push(node: Node, number: int) -> None:
        if node.split is None:
            return
        worth = math.inf if node.forced else node.split.gain
        if growth == "best_first" and not of_all_rows:
            worth *= node.rows.weight.sum()
        worth = float(f"{worth:.12e}")  # what differs by rounding only is a tie
        heapq.heappush(frontier, (-node.depth if growth == "depth_first" else -worth, number, node))

    push(root, 0)
    while frontier:
        node = heapq.heappop(frontier)[2]
        full = max_leaves is not None and leaves + len(node.children) - 1 > max_leaves
        full = full or (max_expansions is not None and expansions >= max_expansions)
        if full and not node.forced:
            node.split, node.children = None, []
            continue
        leaves += len(node.children) - 1
        node.expansion, expansions = expansions, expansions + 1
        for child in node.children:
            order.append(child)
            push(child, len(order))
    for number, node in enumerate(order):
        node.id = number
    return order


def grow(problem: Problem) -> list[Node]:
    """The whole tree, its nodes numbered as the fast grower numbers them."""
    return numbered(problem, grow_all(problem, problem.root()))


def numbered(problem: Problem, root: Node) -> list[Node]:
    """The nodes within the limits, numbered as the fast grower numbers them."""
    if problem.max_leaves is not None or problem.max_expansions is not None:
        growth = "best_first" if problem.growth == "depth_first" else problem.growth
        replay(root, problem, growth, problem.max_leaves, problem.max_expansions)
    return replay(root, problem, problem.growth)


def node_value(problem: Problem, rows: Rows) -> NDArray[np.float64]:
    if problem.classes:
        return class_weights(problem, rows)
    y = problem.target[rows.index]
    return np.array([rows.weight.sum(), (rows.weight * y).sum(), (rows.weight * y**2).sum()])
