"""Greedy growth within constraints, slow and obvious.

The rules, as documented: the columns of a path lie in one group, and columns in no group form one
more. A node of the skeleton is split by its condition. A branch without rows is left out, and a
condition that leaves fewer than two branches is passed over. Only free nodes ask the limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from oracles.attribute_splits import Split, first_best, scored_rows
from oracles.greedy import Node, choose, divide, numbered
from oracles.problem import Problem, Rows, baseline, gain, join, scale


@dataclass(frozen=True)
class Asked:
    """A node of a skeleton; `split` has no gain, and names the branch of every level."""

    split: Split | None = None
    children: tuple[Asked, ...] = ()
    closed: bool = False
    columns: frozenset[int] | None = None


FREE = Asked()


def all_groups(groups: list[set[int]], columns: int) -> list[set[int]]:
    rest = set(range(columns)) - set().union(*groups)
    return [*groups, rest] if rest and groups else groups


def forced_split(problem: Problem, rows: Rows, asked: Asked) -> tuple[Split | None, list[int]]:
    """The split with its gain, and the branches of the condition that have rows."""
    split = asked.split
    assert split is not None
    branch = split.branch(problem.cells(split.attribute, rows))
    parts = [rows.where(branch == b) for b in range(split.branches)]
    known, unknown = rows.where(branch >= 0), rows.where(branch < 0)
    if split.missing_to >= 0:
        parts[split.missing_to] = join(parts[split.missing_to], unknown)
        unknown = unknown.where(np.zeros(len(unknown), dtype=bool))
    kept = [b for b, part in enumerate(parts) if len(part)]
    if len(kept) < 2:
        return None, kept
    number = {b: i for i, b in enumerate(kept)}
    present = np.unique(problem.cells(split.attribute, known)).tolist()
    split = replace(
        split,
        branch_of={int(v): number[split.branch_of[int(v)]] for v in present}
        if split.kind != "threshold"
        else {},
        missing_to=number.get(split.missing_to, -1),
        branches=len(kept),
    )
    parts = [parts[b] for b in kept]
    if not len(unknown):
        found = replace(split, gain=gain(problem, rows, parts))
    elif problem.missing == "fractional":
        scored, parts, factor = scored_rows(problem, rows, parts, known, unknown)
        found = replace(split, gain=gain(problem, scored, parts) * factor)
    else:
        tried = []
        for to in range(len(parts)):
            placed = [join(p, unknown) if b == to else p for b, p in enumerate(parts)]
            tried.append(replace(split, gain=gain(problem, rows, placed), missing_to=to))
        best = first_best(tried, scale(problem, rows))
        assert best is not None
        found = best
    above = found.gain - baseline(problem, rows)
    return replace(found, gain=above if math.isfinite(above) and above > 0 else 0.0), kept


def grow_within(
    problem: Problem,
    groups: list[set[int]],
    allowed: set[int] | None = None,
    skeleton: Asked = FREE,
) -> list[Node]:
    columns = len(problem.columns)
    allowed = set(range(columns)) if allowed is None else allowed
    sets = all_groups(groups, columns)

    def below(rows: Rows, depth: int, share: float, used: set[int], allowed, asked: Asked) -> Node:
        while True:
            allowed = allowed if asked.columns is None else allowed & asked.columns
            if asked.split is None:
                break
            split, kept = forced_split(problem, rows, asked)
            if split is not None:
                return forked(rows, depth, share, used, allowed, split, asked, kept)
            asked = asked.children[kept[0]] if kept else FREE
        if asked.closed:
            return Node(rows, depth, share, None)
        may = {c for c in allowed if not sets or any(used | {c} <= group for group in sets)}
        split = choose(replace(problem, allowed=frozenset(may)), rows, depth)
        if split is None:
            return Node(rows, depth, share, None)
        return forked(rows, depth, share, used, allowed, split, FREE, [])

    def forked(rows, depth, share, used, allowed, split, asked: Asked, kept) -> Node:
        node = Node(rows, depth, share, split, forced=bool(kept))
        parts, shares = divide(problem, rows, split)
        for b, (part, of_known) in enumerate(zip(parts, shares, strict=True)):
            branch = asked.children[kept[b]] if kept else FREE
            now = used | {split.attribute}
            node.children.append(below(part, depth + 1, of_known, now, allowed, branch))
        return node

    return numbered(problem, below(problem.root(), 0, 1.0, set(), allowed, skeleton))
