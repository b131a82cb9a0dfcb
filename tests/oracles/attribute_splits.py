"""The best split of one attribute, slow and obvious: every candidate is scored from its rows.

The rules, as documented: gains tie if they differ by at most 1e-11 times the scale of the node,
mostly its impurity. Of candidates that tie the first wins, or the first of the best balanced ones.
Candidates come by threshold or by the order of
partitions. With missing cells, all thresholds with them on the left come first, then all with them
on the right, then "known against missing".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from oracles.criteria import entropy
from oracles.partitions import documented_partitions, every_partition
from oracles.problem import (
    SLACK,
    TIE,
    Problem,
    Rows,
    class_weights,
    counts_of,
    gain,
    information_gain,
    join,
    scale,
    score_of_counts,
)


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
    balance: float = 0.0  # the share of the weight in the smallest branch

    def branch(self, cells: NDArray[np.float64]) -> NDArray[np.int64]:
        """The branch of every cell; missing ones take -1."""
        if self.kind == "threshold":
            out = np.where(cells <= self.threshold, 0, 1)
        else:
            out = np.array([self.branch_of.get(c, -1) for c in cells.tolist()], dtype=int)
        return np.where(np.isnan(cells), -1, out)


def first_best(
    candidates: Iterable[Split], measure: float, *, balanced: bool = False
) -> Split | None:
    tolerance = TIE * (measure if math.isfinite(measure) else 1.0)
    best: Split | None = None
    if not balanced:
        for candidate in candidates:
            if best is None or candidate.gain > best.gain + tolerance:
                best = candidate
        return best
    candidates = list(candidates)
    highest = max((candidate.gain for candidate in candidates), default=0.0)
    for candidate in candidates:
        if candidate.gain >= highest - tolerance and (
            best is None or candidate.balance > best.balance + TIE
        ):
            best = candidate
    return best


def balance_of(children: list[Rows]) -> float:
    weights = [float(child.weight.sum()) for child in children]
    return min(weights) / sum(weights)


def branch_sizes(problem: Problem, children: list[Rows], divided: Rows | None) -> list[float]:
    """The rows in every branch, as the limits count them.

    Rows that the split divides count in every branch if pieces count, otherwise in none.
    """
    everywhere = pieces(problem, divided)
    return [problem.size(child) + everywhere for child in children]


def pieces(problem: Problem, divided: Rows | None) -> int:
    """How many rows a split has in every branch, as the limits count them."""
    if divided is None or not problem.counts_pieces:
        return 0
    return int((divided.fraction >= problem.least_fraction).sum())


def big_enough(problem: Problem, children: list[Rows], divided: Rows | None = None) -> bool:
    """Whether the branches have enough rows; `divided` are those that the split divides."""
    sizes = branch_sizes(problem, children, divided)
    enough = [
        size >= problem.candidate_leaf - SLACK and len(child)
        for size, child in zip(sizes, children, strict=True)
    ]
    if problem.small_branches and problem.categorical_split == "multiway":
        return sum(map(bool, enough)) >= 2
    return all(enough)


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
        best = first_best(candidates, scale(problem, node), balanced=problem.balances_ties)
    if best is None or not problem.by_information:
        return best
    return with_information(problem, node, best, known, unknown)


def scored_rows(
    problem: Problem, node: Rows, children: list[Rows], known: Rows, unknown: Rows
) -> tuple[Rows, list[Rows], float]:
    """The node and children that a split is scored on, and the factor of its score."""
    if problem.divides_first:
        whole = known.weight.sum()
        shares = [float(child.weight.sum() / whole) for child in children]
        return node, [join(c, unknown.part(s)) for c, s in zip(children, shares, strict=True)], 1.0
    return known, children, discount(problem, node, known)


def discount(problem: Problem, node: Rows, known: Rows) -> float:
    """The factor of a score on the known rows alone."""
    # maxdif divides by the known weight alone, and a chi-square is that of the known rows.
    if problem.criterion in ("maxdif", "chi2", "chi2_cut"):
        return 1.0
    return float(known.weight.sum() / node.weight.sum())


def with_information(
    problem: Problem, node: Rows, split: Split, known: Rows, unknown: Rows
) -> Split | None:
    """The gain ratio of a split and its information gain; None if nothing of it is left."""
    cells = problem.cells(split.attribute, known)
    branch = split.branch(cells)
    children = [known.where(branch == b) for b in range(split.branches)]
    if split.missing_to >= 0 and len(unknown):
        children[split.missing_to] = join(children[split.missing_to], unknown)
        scored, factor = node, 1.0
    else:
        scored, children, factor = scored_rows(problem, node, children, known, unknown)
    whole, counts = class_weights(problem, scored), counts_of(problem, children)
    information = information_gain(problem, whole, counts)
    ratio = score_of_counts(problem, whole, counts)
    multiway = problem.categorical_split == "multiway"
    if multiway and scored is known and len(unknown) and ratio > 0:
        # In the split information, missing rows are a branch.
        either = entropy(np.array([known.weight.sum(), unknown.weight.sum()]))
        ratio = information / (either + factor * entropy(counts.sum(axis=1)))
    cuts = allowed_cuts(problem, split, known, unknown) if split.kind == "threshold" else 0
    if problem.numeric_penalty and cuts:
        rows = node if problem.divides_first else known
        left = information - math.log2(cuts) / rows.weight.sum()
        if left <= 0:
            return None
        information, ratio = left, ratio * left / information
    return replace(split, gain=ratio * factor, information=information * factor)


def allowed_cuts(problem: Problem, split: Split, known: Rows, unknown: Rows) -> int:
    """The thresholds from which a split was chosen."""
    cells = problem.cells(split.attribute, known)
    count = 0
    for value in np.unique(cells)[:-1]:
        children = [known.where(cells <= value), known.where(cells > value)]
        if split.missing_to >= 0 and len(unknown):
            children[split.missing_to] = join(children[split.missing_to], unknown)
            count += big_enough(problem, children)
        else:
            count += big_enough(problem, children, unknown)
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
            if missing_to >= 0:
                children[missing_to] = join(children[missing_to], unknown)
                allowed, scored, factor = big_enough(problem, children), node, 1.0
            else:
                allowed = big_enough(problem, children, unknown)
                scored, children, factor = scored_rows(problem, node, children, known, unknown)
            if allowed:
                cut = lower if ordinal else midpoint(lower, upper)
                score = gain(by, scored, children) * factor
                yield Split(
                    attribute,
                    "threshold",
                    score,
                    threshold=cut,
                    missing_to=missing_to,
                    balance=balance_of(children),
                )
    if len(unknown) and problem.missing != "fractional" and big_enough(problem, [known, unknown]):
        score = gain(by, node, [known, unknown])
        yield Split(
            attribute,
            "threshold",
            score,
            threshold=math.inf,
            missing_to=1,
            balance=balance_of([known, unknown]),
        )


def midpoint(lower: float, upper: float) -> float:
    with np.errstate(invalid="ignore"):
        middle = lower / 2 + upper / 2
    return float(middle if lower <= middle < upper else lower)


def nominal_split(
    problem: Problem, node: Rows, attribute: int, known: Rows, unknown: Rows
) -> Split | None:
    candidates, scored = partition_candidates(problem, node, attribute, known, unknown)
    best = first_best(candidates, scale(problem, scored), balanced=problem.balances_ties)
    if not len(unknown) or problem.missing == "separate":
        return best
    if problem.missing == "fractional":
        if best is None or scored is node:
            return best
        return replace(best, gain=best.gain * discount(problem, node, known))
    placed = [] if best is None else list(placements(problem, node, best, known, unknown))
    if big_enough(problem, [known, unknown]):
        levels = np.unique(problem.cells(attribute, known)).tolist()
        placed.append(
            Split(
                attribute,
                "subset",
                gain(problem, node, [known, unknown]),
                missing_to=1,
                branch_of={int(level): 0 for level in levels},
                balance=balance_of([known, unknown]),
            )
        )
    return first_best(placed, scale(problem, node), balanced=problem.balances_ties)


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
    spread = bool(len(unknown)) and problem.missing == "fractional"
    divided = unknown if spread else None
    scored = node if separate or (spread and problem.divides_first) else known
    candidates = []
    for sides in divisions(problem, groups, every, pieces(problem, divided)):
        children = [join(*(groups[i] for i in side)) for side in sides]
        if not big_enough(problem, children, divided):
            continue
        if scored is node and spread:
            _, children, _ = scored_rows(problem, node, children, known, unknown)
        side_of = {i: b for b, side in enumerate(sides) for i in side}
        candidates.append(
            Split(
                attribute,
                "multiway" if problem.categorical_split == "multiway" else "subset",
                gain(problem, scored, children),
                missing_to=side_of[len(groups) - 1] if separate else -1,
                branch_of={int(level): side_of[i] for i, level in enumerate(levels)},
                branches=len(sides),
                balance=balance_of(children),
            )
        )
    return candidates, scored


def divisions(
    problem: Problem, groups: list[Rows], every: bool, everywhere: int
) -> Iterator[list[list[int]]]:
    """The sides of the partitions to try; `everywhere`: rows that count in every branch."""
    if len(groups) < 2:
        return
    if problem.categorical_split == "multiway":
        yield [[i] for i in range(len(groups))]
        return
    lefts = (
        every_partition(len(groups))
        if every
        else documented_partitions(problem, groups, everywhere)
    )
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
        yield replace(
            split,
            gain=gain(problem, node, children),
            missing_to=to,
            balance=balance_of(children),
        )
