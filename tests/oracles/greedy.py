"""Greedy growth, slow and obvious: every candidate of every attribute is scored from its rows.

The rules, as documented: a later candidate wins only if its gain is larger by more than 1e-11 times
the scale of the node, mostly its impurity; candidates come by attribute, then by threshold or order
of partition; of a threshold with missing cells first all thresholds with them on the left, then on
the right, then "known against missing".
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from oracles.inference import adjusted, passes, test_of
from oracles.partitions import documented_partitions, every_partition
from oracles.problem import (
    SLACK,
    TIE,
    Problem,
    Rows,
    baseline,
    bits,
    class_weights,
    gain,
    information_gain,
    is_pure,
    join,
    scale,
    score_of_counts,
    supported_counts,
)

LEAST_FRACTION = 1 / 1024  # a lighter part of a row is not divided again


@dataclass(frozen=True)
class Split:
    attribute: int
    kind: str  # threshold, subset, multiway
    gain: float
    information: float = math.nan  # gain ratio: the information gain of the same partition
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


def first_best(candidates: Iterable[Split], measure: float) -> Split | None:
    tolerance = TIE * (measure if math.isfinite(measure) else 1.0)
    best: Split | None = None
    for candidate in candidates:
        if best is None or candidate.gain > best.gain + tolerance:
            best = candidate
    return best


def big_enough(problem: Problem, children: list[Rows]) -> bool:
    enough = [c.support >= problem.candidate_leaf - SLACK and len(c) for c in children]
    if problem.small_branches and problem.categorical_split == "multiway":
        return sum(map(bool, enough)) >= 2
    return all(enough)


# --- the best split of one attribute


def best_split(problem: Problem, node: Rows, attribute: int) -> Split | None:
    """The best split of an attribute at a node, if it has any."""
    cells = problem.cells(attribute, node)
    known, unknown = node.where(~np.isnan(cells)), node.where(np.isnan(cells))
    if not len(known):
        return None
    if problem.columns[attribute].kind == "nominal":
        best = nominal_split(problem, node, attribute, known, unknown)
    else:
        candidates = thresholds(problem, node, attribute, known, unknown)
        best = first_best(candidates, scale(problem, node))
    if best is None or not problem.by_information:
        return best
    return with_information(problem, node, best, known, unknown)


def discount(problem: Problem, node: Rows, known: Rows) -> float:
    """What a split counts for that is scored on the known rows."""
    if problem.criterion == "maxdif":  # it divides by the known weight alone
        return 1.0
    return float(known.weight.sum() / node.weight.sum())


def with_information(
    problem: Problem, node: Rows, split: Split, known: Rows, unknown: Rows
) -> Split | None:
    """The gain ratio of a split and its information gain; None if nothing of it is left."""
    cells = problem.cells(split.attribute, known)
    branch = split.branch(cells)
    children = [known.where(branch == b) for b in range(split.branches)]
    scored, factor = known, discount(problem, node, known)
    if split.missing_to >= 0 and len(unknown):
        children[split.missing_to] = join(children[split.missing_to], unknown)
        scored, factor = node, 1.0
    whole, counts = class_weights(problem, scored), supported_counts(problem, children)
    information, ratio = information_gain(whole, counts), score_of_counts(problem, whole, counts)
    multiway = problem.categorical_split == "multiway"
    if multiway and scored is known and len(unknown) and ratio > 0:
        # To the split information, missing rows are a branch.
        either = bits(np.array([known.weight.sum(), unknown.weight.sum()]))
        ratio = information / (either + factor * bits(counts.sum(axis=1)))
    cuts = allowed_cuts(problem, split, known, unknown) if split.kind == "threshold" else 0
    if problem.numeric_penalty and cuts:
        left = information - math.log2(cuts) / known.weight.sum()
        if left <= 0:
            return None
        information, ratio = left, ratio * left / information
    return replace(split, gain=ratio * factor, information=information * factor)


def allowed_cuts(problem: Problem, split: Split, known: Rows, unknown: Rows) -> int:
    """The thresholds that a split was chosen among."""
    cells = problem.cells(split.attribute, known)
    count = 0
    for value in np.unique(cells)[:-1]:
        children = [known.where(cells <= value), known.where(cells > value)]
        if split.missing_to >= 0 and len(unknown):
            children[split.missing_to] = join(children[split.missing_to], unknown)
        count += big_enough(problem, children)
    return count


def thresholds(
    problem: Problem, node: Rows, attribute: int, known: Rows, unknown: Rows
) -> Iterator[Split]:
    cells = problem.cells(attribute, known)
    values = np.unique(cells)
    ordinal = problem.columns[attribute].kind == "ordinal"
    spread = problem.missing == "fractional" or not len(unknown)
    # C4.5 finds a threshold by information gain.
    by = replace(problem, criterion="entropy") if problem.by_information else problem
    for missing_to in [-1] if spread else [0, 1]:
        for lower, upper in pairwise(values.tolist()):
            children = [known.where(cells <= lower), known.where(cells > lower)]
            scored, factor = known, discount(problem, node, known)
            if missing_to >= 0:
                children[missing_to] = join(children[missing_to], unknown)
                scored, factor = node, 1.0
            if big_enough(problem, children):
                cut = lower if ordinal else midpoint(lower, upper)
                score = gain(by, scored, children) * factor
                yield Split(attribute, "threshold", score, threshold=cut, missing_to=missing_to)
    if len(unknown) and problem.missing == "separate" and big_enough(problem, [known, unknown]):
        score = gain(by, node, [known, unknown])
        yield Split(attribute, "threshold", score, threshold=math.inf, missing_to=1)


def midpoint(lower: float, upper: float) -> float:
    with np.errstate(invalid="ignore"):
        middle = lower / 2 + upper / 2
    return float(middle if lower <= middle < upper else lower)


def nominal_split(
    problem: Problem, node: Rows, attribute: int, known: Rows, unknown: Rows
) -> Split | None:
    candidates, scored = partition_candidates(problem, node, attribute, known, unknown)
    best = first_best(candidates, scale(problem, scored))
    if best is None or best.missing_to >= 0 or not len(unknown):
        return best
    if problem.missing == "fractional":
        return replace(best, gain=best.gain * discount(problem, node, known))
    return first_best(placements(problem, node, best, known, unknown), scale(problem, node))


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
    """The best split of every attribute that can split the node and passes the filters."""
    attributes = [a for a in range(len(problem.columns)) if passes(problem, node, a)]
    found = (best_split(problem, node, a) for a in attributes)
    return [split for split in found if split is not None]


def choose(problem: Problem, node: Rows, depth: int) -> Split | None:
    if (problem.max_depth is not None and depth >= problem.max_depth) or is_pure(problem, node):
        return None
    least = max(problem.min_samples_split, 2 * problem.min_samples_leaf)
    if node.support < least - SLACK:
        return None
    measure = scale(problem, node)
    tolerance = TIE * (measure if math.isfinite(measure) else 1.0)

    def acceptable(split: Split) -> bool:
        above = split.gain - baseline(problem, node)
        if not problem.strictly_concave and not above > tolerance:
            return False
        return above >= problem.min_gain - tolerance

    found = splits(problem, node)
    if problem.selection == "conditional_inference":
        best = by_inference(problem, node, [split for split in found if acceptable(split)])
    else:
        if problem.by_information and found:
            average = sum(split.information for split in found) / len(found)
            found = [split for split in found if split.information >= average - 1e-9]
        best = first_best(found, measure)
        best = best if best is not None and acceptable(best) else None
    return None if best is not None and abandoned(problem, node, best) else best


def abandoned(problem: Problem, node: Rows, split: Split) -> bool:
    """Whether the split is given up, since a branch has too few rows; divided ones do not count."""
    if not problem.abandon_small:
        return False
    branch = split.branch(problem.cells(split.attribute, node))
    if split.missing_to >= 0:
        branch = np.where(branch == -1, split.missing_to, branch)
    supports = [node.where(branch == b).support for b in range(split.branches)]
    return min(supports) < problem.min_samples_leaf - SLACK


def by_inference(problem: Problem, node: Rows, found: list[Split]) -> Split | None:
    """The split of the attribute with the smallest p-value among those that have one."""
    attributes = [a for a in range(len(problem.columns)) if passes(problem, node, a)]
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


def replay(
    root: Node, growth: str, max_leaves: int | None = None, max_expansions: int | None = None
) -> list[Node]:
    """The nodes in order of expansion; those that the limits have no room for become leaves."""
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
        full = max_leaves is not None and leaves + len(node.children) - 1 > max_leaves
        if full or (max_expansions is not None and expansions >= max_expansions):
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
    if problem.max_leaves is not None or problem.max_expansions is not None:
        growth = "best_first" if problem.growth == "depth_first" else problem.growth
        replay(root, growth, problem.max_leaves, problem.max_expansions)
    return replay(root, problem.growth)


def node_value(problem: Problem, rows: Rows) -> NDArray[np.float64]:
    if problem.classes:
        return class_weights(problem, rows)
    y = problem.target[rows.index]
    return np.array([rows.weight.sum(), (rows.weight * y).sum(), (rows.weight * y**2).sum()])
