"""What a split gains by chance, slow and exact: the mean over all orders of the node's targets."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np

from oracles.greedy import Node, choose, splits
from oracles.problem import Problem, Rows, baseline

REACH = 4.0  # standard deviations above the mean that chance may reach


def gains(problem: Problem, node: Rows, attribute: int) -> np.ndarray:
    """The gains of one column at a node, one for every order of the targets of its rows."""
    alone = replace(
        problem,
        columns=(problem.columns[attribute],),
        selection="criterion",
        significance=None,
        min_second_value=0,
        min_gain=0.0,
        max_depth=1,
    )
    found: dict[tuple[float, ...], float] = {}
    out = []
    for order in permutations(problem.target[node.index].tolist()):
        if order not in found:
            target = problem.target.copy()
            target[node.index] = order
            split = choose(replace(alone, target=target), node, 0)
            found[order] = 0.0 if split is None else split.gain
        out.append(found[order])
    return np.array(out)


def expected(problem: Problem, node: Node) -> float:
    """The expected gain of a chosen split if its column says nothing."""
    assert node.split is not None
    found = splits(problem, node.rows) if problem.selection == "criterion" else []
    above_nothing = baseline(problem, node.rows)
    others = [s.gain - above_nothing for s in found if s.attribute != node.split.attribute]
    beaten = [gain for gain in others if gain <= node.split.gain * (1 + 1e-9)]
    least = max(beaten, default=-math.inf)
    by_chance = gains(problem, node.rows, node.split.attribute)
    above = by_chance[by_chance >= least - 1e-9 * node.split.gain]
    if len(above):
        return float(above.mean())
    within_reach = least <= by_chance.mean() + REACH * by_chance.std()
    return least if within_reach else float(by_chance.mean())
