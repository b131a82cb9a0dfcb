"""The nominal split searches from their definitions, slowly: every partition is scored anew.

A table is levels x classes, without empty rows. A partition is the frozenset of the rows on the
left; the first row is always among them. Searches give all partitions that a tie could make the
answer, since which of two equal ones comes first is a matter of the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from oracles.criteria import SCORES, Score, drop, entropy, gini

Table = NDArray[np.float64]
Left = frozenset[int]
TIE = 1e-9


def sides(table: Table, left: Iterable[int]) -> tuple[Table, Table]:
    inside = np.isin(np.arange(len(table)), sorted(left))
    return table[inside].sum(axis=0), table[~inside].sum(axis=0)


def score(table: Table, left: Iterable[int], criterion: str) -> float:
    if criterion == "chi2_cut":
        return cut_weight(table, set(left))
    return score_of(SCORES[criterion], sides(table, left))


def score_of(formula: Score, children: tuple[Table, Table]) -> float:
    """Score the class weights of two children."""
    return formula(children[0] + children[1], np.array(children))


def cut_weight(table: Table, left: set[int]) -> float:
    """The chi-squares of all pairs on different sides, divided by the levels less one."""
    total = 0.0
    for i, j in combinations(range(len(table)), 2):
        if (i in left) != (j in left):
            total += score_of(SCORES["chi2"], (table[i], table[j]))
    return total / (len(table) - 1)


# --- brute force ---------------------------------------------------------------------------------


def normal(left: Iterable[int], n: int) -> Left:
    """The side that holds row 0."""
    left = frozenset(left)
    return left if 0 in left else frozenset(range(n)) - left


def every_subset(n: int) -> Iterator[Left]:
    for size in range(n - 1):
        for others in combinations(range(1, n), size):
            yield frozenset((0, *others))


def brute_force(table: Table, criterion: str, min_leaf: float = 0.0) -> float:
    """The best score of all partitions, or minus infinity if none is allowed."""
    best = -np.inf
    for left in every_subset(len(table)):
        a, b = sides(table, left)
        if min(a.sum(), b.sum()) >= min_leaf - 1e-9:
            best = max(best, score(table, left, criterion))
    return float(best)


# --- supervalues, orders, superclasses -----------------------------------------------------------


def supervalues(table: Table) -> list[list[int]]:
    """Rows with one class distribution, together; all apart if there is only one."""
    share = table / table.sum(axis=1, keepdims=True)
    groups: list[list[int]] = []
    for i in range(len(table)):
        for group in groups:
            if np.allclose(share[i], share[group[0]], rtol=0, atol=1e-12):
                group.append(i)
                break
        else:
            groups.append([i])
    return groups if len(groups) > 1 else [[i] for i in range(len(table))]


def merged(table: Table) -> tuple[Table, list[list[int]]]:
    groups = supervalues(table)
    return np.array([table[g].sum(axis=0) for g in groups]), groups


def expand(left: Iterable[int], groups: list[list[int]]) -> Left:
    return normal((i for g in left for i in groups[g]), sum(map(len, groups)))


def ascending(key: Iterable[float]) -> list[int]:
    """Positions by key; keys that differ by rounding alone are equal."""
    rounded = np.round(np.asarray(list(key)) * 1e9)
    return sorted(range(len(rounded)), key=lambda i: rounded[i])


def prefixes(order: list[int]) -> Iterator[Left]:
    for cut in range(1, len(order)):
        yield frozenset(order[:cut])


def superclass_share(table: Table, inside: Iterable[int]) -> Table:
    return table[:, sorted(inside)].sum(axis=1) / table.sum(axis=1)


def superclasses(table: Table) -> Iterator[Left]:
    """One of each pair of superclasses of the classes with weight."""
    classes = [int(j) for j in np.flatnonzero(table.sum(axis=0) > 0)]
    if len(classes) < 2:
        yield frozenset()
    for size in range(1, len(classes)):
        for inside in combinations(classes[1:], size):
            yield frozenset(inside)


def principal_scores(table: Table) -> Table:
    weight = table.sum(axis=1)
    centred = table / weight[:, None] - table.sum(axis=0) / table.sum()
    _, vectors = np.linalg.eigh((centred * weight[:, None]).T @ centred)
    return centred @ vectors[:, -1]


# --- the searches: the partitions that each of them tries, or ends with -----------------------


def pc(table: Table, criterion: str) -> list[Left]:
    return list(prefixes(ascending(principal_scores(table))))


def pc_ext(table: Table, criterion: str) -> list[Left]:
    order = ascending(principal_scores(table))
    tried = list(prefixes(order))
    for cut in range(1, len(order)):
        tried.append(frozenset([*order[: cut - 1], order[cut]]))
    return tried


def largest_class_alone(table: Table, criterion: str) -> list[Left]:
    inside = [int(np.argmax(table.sum(axis=0)))]
    return list(prefixes(ascending(superclass_share(table, inside))))


def list_scheduling(table: Table, criterion: str) -> list[Left]:
    weights = table.sum(axis=0)
    bins: tuple[list[int], list[int]] = ([], [])
    for j in sorted(range(len(weights)), key=lambda j: -weights[j]):
        lighter = 0 if weights[bins[0]].sum() <= weights[bins[1]].sum() else 1
        bins[lighter].append(j)
    return list(prefixes(ascending(superclass_share(table, bins[0]))))


def hypercube_cover(table: Table, criterion: str) -> list[Left]:
    tried = []
    for inside in superclasses(table):
        tried += prefixes(ascending(superclass_share(table, inside)))
    return tried


def best_of(candidates: Iterable[Left], value: Callable[[Left], float]) -> list[Left]:
    """All that tie for the largest value."""
    valued = [(value(c), c) for c in candidates]
    most = max(v for v, _ in valued)
    return [c for v, c in valued if v >= most - TIE]


def twoing_search(table: Table, criterion: str) -> list[Left]:
    """The partitions that tie for the largest twoing value of all superclass scans."""

    def two_class(inside: Left) -> Callable[[Left], float]:
        columns = np.isin(np.arange(table.shape[1]), sorted(inside))
        two = np.column_stack([table[:, columns].sum(axis=1), table[:, ~columns].sum(axis=1)])
        return lambda left: score_of(drop(gini), sides(two, left))

    found: list[Left] = []
    for inside in superclasses(table):
        order = ascending(superclass_share(table, inside))
        found += best_of(prefixes(order), two_class(inside))
    return best_of(found, lambda left: score(table, left, "twoing"))


def moves(table: Table, criterion: str) -> Iterator[tuple[Left, float]]:
    """SLIQ: everything on the left, then the best single move, one after the other."""
    left = frozenset(range(len(table)))
    while len(left) > 1:
        after = [left - {i} for i in sorted(left)]
        scores = [score(table, a, criterion) for a in after]
        best = max(scores)
        first = next(i for i, s in enumerate(scores) if s >= best - 1e-11)
        left = after[first]
        yield left, scores[first]


def sliq(table: Table, criterion: str) -> list[Left]:
    """The last partition before a move does not improve."""
    reached = -np.inf
    last: Left = frozenset()
    for left, value in moves(table, criterion):
        if value <= reached + 1e-11:
            break
        last, reached = left, value
    return [last]


def sliq_ext(table: Table, criterion: str) -> list[Left]:
    return [left for left, _ in moves(table, criterion)]


def flip_flop(table: Table, criterion: str) -> list[Left]:
    """Every partition met on the way, starting from each class alone."""
    impurity = entropy if criterion == "entropy" else gini
    classes = [int(j) for j in np.flatnonzero(table.sum(axis=0) > 0)]
    met: list[Left] = []

    def joint(left: Left, inside: Left) -> float:
        columns = np.isin(np.arange(table.shape[1]), sorted(inside))
        two = np.column_stack([table[:, columns].sum(axis=1), table[:, ~columns].sum(axis=1)])
        return score_of(drop(impurity), sides(two, left))

    def first_best(candidates: Iterable[Left], value: Callable[[Left], float]) -> Left:
        best, most = frozenset[int](), -np.inf
        for candidate in candidates:
            if value(candidate) > most + 1e-11:
                best, most = candidate, value(candidate)
        return best

    for j in classes:
        inside, reached = frozenset([j]), -np.inf
        while True:
            order = ascending(superclass_share(table, inside))
            left = first_best(prefixes(order), lambda c, i=inside: joint(c, i))
            met.append(left)
            if joint(left, inside) <= reached + 1e-11:
                break
            reached = joint(left, inside)
            here = sides(table, left)[0]
            by_share = ascending(here[classes] / table.sum(axis=0)[classes])
            wheres = (frozenset(classes[c] for c in p) for p in prefixes(by_share))
            inside = first_best(wheres, lambda c, p=left: joint(p, c))
    return met


# What each search tries; its answer is the best of them by the criterion.
HEURISTICS: dict[str, Callable[[Table, str], list[Left]]] = {
    "pc": pc,
    "pc_ext": pc_ext,
    "shi": pc,  # of more than four levels
    "sliq": sliq,
    "sliq_ext": sliq_ext,
    "flip_flop": flip_flop,
    "hypercube_cover": hypercube_cover,
    "largest_class_alone": largest_class_alone,
    "list_scheduling": list_scheduling,
}


def answers(method: str, table: Table, criterion: str) -> tuple[float, set[Left]]:
    """The score that a search must reach, and the partitions that reach it."""
    small, groups = merged(table)
    scale = 1e-9 * max(1.0, small.sum() if criterion == "chi2" else 1.0)
    if method == "twoing":
        tied = twoing_search(small, criterion)
        most = max(score(small, left, criterion) for left in tied)
        return most, {expand(left, groups) for left in tied}
    if method == "shi" and len(table) <= 4:
        tried = list(every_subset(len(small)))
    else:
        tried = HEURISTICS[method](small, criterion)
    scores = [score(small, left, criterion) for left in tried]
    most = max(scores)
    tied = [left for left, s in zip(tried, scores, strict=True) if s >= most - scale]
    return most, {expand(left, groups) for left in tied}
