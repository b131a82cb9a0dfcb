"""MDL pruning, slow and obvious: every pruning of a tree is written down and its bits are added up.

Trees are dicts and rows are sent through them one by one, as in ``bottom_up_pruning``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from oracles.bottom_up_pruning import Node, Part, make_leaf, send, weight_of
from oracles.problem import Problem


def sequential_bits(labels: list[int], k: int) -> float:
    """Krichevsky and Trofimov's code, row by row, each predicted from those before it."""
    counts = [0] * k
    bits = 0.0
    for number, label in enumerate(labels):
        bits -= math.log2((counts[label] + 0.5) / (number + k / 2))
        counts[label] += 1
    return bits


def exact_bits(counts: NDArray[np.float64]) -> float:
    """The integral over all distributions, by Jeffreys' prior: a ratio of two Dirichlet norms."""

    def log_norm(a: NDArray[np.float64]) -> float:
        return float(gammaln(a).sum() - gammaln(a.sum()))

    half = np.full(len(counts), 0.5)
    return (log_norm(half) - log_norm(counts + half)) / math.log(2)


def mehta_bits(counts: NDArray[np.float64]) -> float:
    n, k = counts.sum(), len(counts)
    bits = sum(c * math.log2(n / c) for c in counts if c > 0)
    price = (k - 1) / 2 * math.log2(n / 2) + math.log2(math.pi ** (k / 2) / math.gamma(k / 2))
    return float(bits + max(price, 0.0))


def number_bits(
    y: NDArray[np.float64], w: NDArray[np.float64], *, absolute: bool, unit: float, span: float
) -> float:
    """The best density at every target times the unit, and the distributions to choose from."""
    n = w.sum()
    if absolute:
        order = np.argsort(y)
        middle = y[order][np.searchsorted(np.cumsum(w[order]), n / 2 * (1 - 1e-12))]
        least = unit / 4
        b = max(float(w @ np.abs(y - middle) / n), least)
        data = n * math.log2(2 * b * math.e / unit)
        volume = (span + unit) * (1 / least - 2 / (span + unit))
    else:
        least = unit / math.sqrt(12)
        mean = w @ y / n
        sigma = max(math.sqrt(w @ (y - mean) ** 2 / n), least)
        data = n * math.log2(math.sqrt(2 * math.pi * math.e) * sigma / unit)
        volume = math.sqrt(2) * (span + unit) * (1 / least - 2 / (span + unit))
    return float(data + math.log2(1 + n / (2 * math.pi)) + math.log2(max(volume, 1)))


class Described:
    """The bits of the nodes of a tree; each node gets `as_leaf` and `question`."""

    def __init__(
        self,
        problem: Problem,
        tree: Node,
        *,
        code: str = "exact",
        precision: float | None = None,
        unseen: str = "missing",
    ) -> None:
        self.problem, self.code, self.unseen = problem, code, unseen
        rows = [r for r in range(len(problem.target)) if weight_of(problem, r) > 0]
        target = problem.target[rows]
        if problem.classes:
            self.classes = sorted(set(target.tolist()))
        else:
            values = sorted(set(target.tolist()))
            self.span = values[-1] - values[0]
            gaps = [b - a for a, b in itertools.pairwise(values)]
            self.unit = precision or min(gaps, default=1.0)
        self.columns = sum(
            len({"hole" if math.isnan(v) else v for v in column.values[rows].tolist()}) > 1
            for column in problem.columns
        )
        self.visit(tree, [(r, 1.0) for r in rows])

    def visit(self, node: Node, parts: list[Part]) -> None:
        node["as_leaf"] = self.as_leaf(parts)
        if not node["children"]:
            return
        node["question"] = math.log2(max(self.columns, 1)) + self.question(node, parts)
        for child, branch in zip(
            node["children"], send(self.problem, node, parts, self.unseen)[0], strict=True
        ):
            self.visit(child, branch)

    def as_leaf(self, parts: list[Part]) -> float:
        if not parts:
            return 0.0
        w = np.array([f * weight_of(self.problem, r) for r, f in parts])
        y = self.problem.target[[r for r, _ in parts]]
        if not self.problem.classes:
            absolute = self.problem.criterion == "absolute_error"
            return number_bits(y, w, absolute=absolute, unit=self.unit, span=self.span)
        counts = np.array([w[y == label].sum() for label in self.classes])
        return exact_bits(counts) if self.code == "exact" else mehta_bits(counts)

    def question(self, node: Node, parts: list[Part]) -> float:
        """All questions of this kind about the attribute are written down and counted."""
        cells = [self.problem.columns[node["attribute"]].values[r] for r, _ in parts]
        known = sorted({float(c) for c in cells if not math.isnan(c)})
        holes = node["missing_to"] >= 0 and any(math.isnan(c) for c in cells)
        questions: set[Any] = set()
        if node["kind"] == "threshold":
            for cut in range(1, len(known) + (1 if holes else 0)):
                sides = ("left", "right") if holes and cut < len(known) else ("",)
                questions |= {(cut, side) for side in sides}
        elif node["kind"] == "subset":
            values: list[Any] = [*known, *(["hole"] if holes else [])]
            for size in range(1, len(values)):
                for left in itertools.combinations(values, size):
                    right = frozenset(values) - frozenset(left)
                    questions.add(frozenset([frozenset(left), right]))
        return math.log2(max(len(questions), 1))


def prunings(node: Node, structure: float) -> Iterator[tuple[float, int, Node]]:
    """Every tree that this one can be cut back to, with its bits and its number of nodes."""
    leaf = {**node, "children": []}
    make_leaf(leaf)
    yield structure + node["as_leaf"], 1, leaf
    if not node["children"]:
        return
    below = [list(prunings(child, structure)) for child in node["children"]]
    for chosen in itertools.product(*below):
        bits = structure * (1 + node["question"]) + sum(one[0] for one in chosen)
        yield bits, 1 + sum(one[1] for one in chosen), {**node, "children": [c[2] for c in chosen]}


def shortest(node: Node, structure: float) -> tuple[float, Node]:
    """The same by recursion, for trees of any size."""
    leaf = {**node, "children": []}
    make_leaf(leaf)
    as_leaf = structure + node["as_leaf"]
    if not node["children"]:
        return as_leaf, leaf
    below = [shortest(child, structure) for child in node["children"]]
    split = structure * (1 + node["question"]) + sum(bits for bits, _ in below)
    if as_leaf <= split + 1e-9 * max(split, 1.0):
        return as_leaf, leaf
    return split, {**node, "children": [tree for _, tree in below]}
