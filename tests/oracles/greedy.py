"""Greedy growth, slow and obvious: every candidate of every attribute is scored from its rows.

The rules, as documented: a later candidate wins only if its gain is larger by more than 1e-11 times
the impurity of the node; candidates come by attribute, then by threshold or order of partition; of
a threshold with missing cells first all thresholds with them on the left, then on the right, then
"known against missing".
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from oracles.partitions import documented_partitions, every_partition
from oracles.problem import (
    SLACK,
    TIE,
    Problem,
    Rows,
    class_weights,
    gain,
    impurity,
    is_pure,
    join,
)

LEAST_FRACTION = 1 / 1024  # a lighter part of a row is not divided again


@dataclass(frozen=True)
class Split:
    attribute: int
    kind: str  # threshold, subset, multiway
    gain: float
    threshold: float = math.nan
    missing_to: int = -1  # -1: spread over the branches
    branch_of: dict[int, int] = field(default_factory=dict)  # level -> branch
    branches: int = 2

    def branch(self, cells: NDArray[np.float64]) -> NDArray[np.int64]:
        """The branch of every cell; missing ones take -1."""
        if self.kind == "threshold":
            out = np.where(cells <= self.threshold, 0, 1)
        else:
            out = np.array([self.branch_of.get(c, -1) for c in cells.tolist()], dtype=int)
        return np.where(np.isnan(cells), -1, out)


def first_best(candidates: Iterable[Split], scale: float) -> Split | None:
    tolerance = TIE * (scale if math.isfinite(scale) else 1.0)
    best: Split | None = None
    for candidate in candidates:
        if best is None or candidate.gain > best.gain + tolerance:
            best = candidate
    return best


def big_enough(problem: Problem, children: list[Rows]) -> bool:
    return all(c.support >= problem.min_samples_leaf - SLACK and len(c) for c in children)


# --- the best split of one attribute


def best_split(problem: Problem, node: Rows, attribute: int) -> Split | None:
    """The best split of an attribute at a node, if it has any."""
    cells = problem.cells(attribute, node)
    known, unknown = node.where(~np.isnan(cells)), node.where(np.isnan(cells))
    if not len(known):
        return None
    if problem.columns[attribute].kind == "nominal":
        return nominal_split(problem, node, attribute, known, unknown)
    candidates = thresholds(problem, node, attribute, known, unknown)
    return first_best(candidates, impurity(problem, node))


def thresholds(
    problem: Problem, node: Rows, attribute: int, known: Rows, unknown: Rows
) -> Iterator[Split]:
    cells = problem.cells(attribute, known)
    values = np.unique(cells)
    ordinal = problem.columns[attribute].kind == "ordinal"
    spread = problem.missing == "fractional" or not len(unknown)
    for missing_to in [-1] if spread else [0, 1]:
        for lower, upper in pairwise(values.tolist()):
            children = [known.where(cells <= lower), known.where(cells > lower)]
            scored, factor = known, known.weight.sum() / node.weight.sum()
            if missing_to >= 0:
                children[missing_to] = join(children[missing_to], unknown)
                scored, factor = node, 1.0
            if big_enough(problem, children):
                cut = lower if ordinal else midpoint(lower, upper)
                score = gain(problem, scored, children) * factor
                yield Split(attribute, "threshold", score, cut, missing_to)
    if len(unknown) and problem.missing == "separate" and big_enough(problem, [known, unknown]):
        score = gain(problem, node, [known, unknown])
        yield Split(attribute, "threshold", score, math.inf, 1)


def midpoint(lower: float, upper: float) -> float:
    with np.errstate(invalid="ignore"):
        middle = lower / 2 + upper / 2
    return float(middle if lower <= middle < upper else lower)


def nominal_split(
    problem: Problem, node: Rows, attribute: int, known: Rows, unknown: Rows
) -> Split | None:
    candidates, scored = partition_candidates(problem, node, attribute, known, unknown)
    best = first_best(candidates, impurity(problem, scored))
    if best is None or best.missing_to >= 0 or not len(unknown):
        return best
    if problem.missing == "fractional":
        return replace(best, gain=best.gain * known.weight.sum() / node.weight.sum())
    return first_best(placements(problem, node, best, known, unknown), impurity(problem, node))


def partition_candidates(
    problem: Problem,
    node: Rows,
    attribute: int,
    known: Rows,
    unknown: Rows,
    *,
    every: bool = False,
) -> tuple[list[Split], Rows]:
    """The partitions of the levels with their gains, and the rows that they are scored on.

    `every`: all partitions in two, not only those that `categorical_split` documents.
    """
    cells = problem.cells(attribute, known)
    levels = np.unique(cells)
    groups = [known.where(cells == level) for level in levels]
    separate = bool(len(unknown)) and problem.missing == "separate"
    if separate:
        groups.append(unknown)
    scored = node if separate else known
    candidates = []
    for sides in divisions(problem, groups, every):
        children = [join(*(groups[i] for i in side)) for side in sides]
        if not big_enough(problem, children):
            continue
        side_of = {i: b for b, side in enumerate(sides) for i in side}
        candidates.append(
            Split(
                attribute,
                "multiway" if problem.categorical_split == "multiway" else "subset",
                gain(problem, scored, children),
                missing_to=side_of[len(groups) - 1] if separate else -1,
                branch_of={int(level): side_of[i] for i, level in enumerate(levels)},
                branches=len(sides),
            )
        )
    return candidates, scored


def divisions(problem: Problem, groups: list[Rows], every: bool) -> Iterator[list[list[int]]]:
    if len(groups) < 2:
        return
    if problem.categorical_split == "multiway":
        yield [[i] for i in range(len(groups))]
        return
    lefts = every_partition(len(groups)) if every else documented_partitions(problem, groups)
    for left in lefts:
        yield [[i for i in range(len(groups)) if (i in left) == side] for side in (True, False)]


def placements(
    problem: Problem, node: Rows, split: Split, known: Rows, unknown: Rows
) -> Iterator[Split]:
    """The split with all missing cells in one branch, for every branch."""
    branch = split.branch(problem.cells(split.attribute, known))
    for to in range(split.branches):
        children = [known.where(branch == b) for b in range(split.branches)]
        children[to] = join(children[to], unknown)
        yield replace(split, gain=gain(problem, node, children), missing_to=to)


# --- one node, then the tree


def splits(problem: Problem, node: Rows) -> list[Split]:
    """The best split of every attribute that can split the node."""
    found = (best_split(problem, node, a) for a in range(len(problem.columns)))
    return [split for split in found if split is not None]


def choose(problem: Problem, node: Rows, depth: int) -> Split | None:
    if (problem.max_depth is not None and depth >= problem.max_depth) or is_pure(problem, node):
        return None
    least = max(problem.min_samples_split, 2 * problem.min_samples_leaf)
    if node.support < least - SLACK:
        return None
    scale = impurity(problem, node)
    best = first_best(splits(problem, node), scale)
    if best is None:
        return None
    tolerance = TIE * (scale if math.isfinite(scale) else 1.0)
    if not problem.strictly_concave and not best.gain > tolerance:
        return None
    return best if best.gain >= problem.min_gain - tolerance else None


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
    whole = unknown.where(unknown.fraction < LEAST_FRACTION)
    divided = unknown.where(unknown.fraction >= LEAST_FRACTION)
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


def grow_all(problem: Problem, rows: Rows, depth: int = 0, proportion: float = 1.0) -> Node:
    node = Node(rows, depth, proportion, choose(problem, rows, depth))
    if node.split is not None:
        parts, shares = divide(problem, rows, node.split)
        node.children = [
            grow_all(problem, part, depth + 1, share)
            for part, share in zip(parts, shares, strict=True)
        ]
    return node


def replay(root: Node, growth: str, max_leaves: int | None = None) -> list[Node]:
    """The nodes in order of expansion; those that `max_leaves` has no room for become leaves."""
    order = [root]
    frontier: list[tuple[float, int, Node]] = []
    leaves = 1
    expansions = 0

    def push(node: Node, number: int) -> None:
        if node.split is None:
            return
        worth = node.split.gain * (node.rows.weight.sum() if growth == "best_first" else 1.0)
        worth = float(f"{worth:.12e}")  # what differs by rounding only is a tie
        heapq.heappush(frontier, (-node.depth if growth == "depth_first" else -worth, number, node))

    push(root, 0)
    while frontier:
        node = heapq.heappop(frontier)[2]
        if max_leaves is not None and leaves + len(node.children) - 1 > max_leaves:
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
    root = grow_all(problem, problem.root())
    if problem.max_leaves is not None:
        growth = "best_first" if problem.growth == "depth_first" else problem.growth
        replay(root, growth, problem.max_leaves)
    return replay(root, problem.growth)


def node_value(problem: Problem, rows: Rows) -> NDArray[np.float64]:
    if problem.classes:
        return class_weights(problem, rows)
    y = problem.target[rows.index]
    return np.array([rows.weight.sum(), (rows.weight * y).sum(), (rows.weight * y**2).sum()])
