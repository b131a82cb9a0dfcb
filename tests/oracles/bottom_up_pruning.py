"""Error-based and reduced-error pruning, slow and obvious: recursion over trees of dicts.

Rows are sent through subtrees one by one; nothing is kept that can be counted again. The rules of
error-based pruning are those of Weka's J48 (C45PruneableClassifierTree, Stats.addErrs).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from oracles.problem import Problem

Node = dict[str, Any]
Part = tuple[int, float]  # a row, and how much of it is here
KINDS = ("leaf", "threshold", "subset", "multiway")
LEAST_FRACTION = 1 / 1024


def as_dict(arrays: dict[str, NDArray[Any]], node: int = 0) -> Node:
    """A tree of the core as nested dicts."""
    first, count = int(arrays["first_child"][node]), int(arrays["n_children"][node])
    levels = slice(*arrays["level_start"][node : node + 2])
    codes, branches = arrays["level_code"][levels], arrays["level_branch"][levels]
    return {
        "kind": KINDS[arrays["kind"][node]],
        "attribute": int(arrays["attribute"][node]),
        "threshold": float(arrays["threshold"][node]),
        "missing_to": int(arrays["missing_to"][node]),
        "branch_of": dict(zip(codes.tolist(), branches.tolist(), strict=True)),
        "rows": int(arrays["rows"][node]),
        "gain": float(arrays["gain"][node]),
        "proportion": float(arrays["proportion"][node]),
        "value": arrays["value"][node].copy(),
        "prediction": float(arrays["prediction"][node]),
        "weight": float(arrays["weight"][node]),
        "rate": float(arrays["prediction"][0]),
        "children": [as_dict(arrays, child) for child in range(first, first + count)],
    }


def make_leaf(node: Node) -> None:
    node.update(kind="leaf", children=[], branch_of={}, attribute=-1, missing_to=-1, gain=0.0)


# --- rows on their way


def weight_of(problem: Problem, row: int) -> float:
    return 1.0 if problem.weights is None else float(problem.weights[row])


def class_sums(problem: Problem, parts: list[Part]) -> NDArray[np.float64]:
    sums = np.zeros(problem.classes)
    for row, fraction in parts:
        sums[problem.target[row]] += fraction * weight_of(problem, row)
    return sums


def named_branch(problem: Problem, node: Node, row: int) -> int | str:
    """The branch that the condition names for the row, or what is wrong with its cell."""
    cell = problem.columns[node["attribute"]].values[row]
    if math.isnan(cell):
        return "missing"
    if node["kind"] == "threshold":
        return 0 if cell <= node["threshold"] else 1
    return node["branch_of"].get(int(cell), "unlisted")


def send(
    problem: Problem, node: Node, parts: list[Part], unseen: str
) -> tuple[list[list[Part]], list[float], list[int]]:
    """Parts and proportions of the branches, and the levels that need a new branch, at the end."""
    new: list[int] = []
    if node["kind"] == "multiway":
        column = problem.columns[node["attribute"]].values
        new = sorted(
            {int(column[r]) for r, _ in parts if named_branch(problem, node, r) == "unlisted"}
        )
    count = len(node["children"])
    branches: list[list[Part]] = [[] for _ in range(count + len(new))]
    lost: list[tuple[Part, Any]] = []
    for part in parts:
        to = named_branch(problem, node, part[0])
        if to == "unlisted" and new:
            to = count + new.index(int(problem.columns[node["attribute"]].values[part[0]]))
        if isinstance(to, int):
            branches[to].append(part)
        else:
            lost.append((part, to))
    weights = [sum(f * weight_of(problem, r) for r, f in branch) for branch in branches]
    total = sum(weights)
    shares = [w / total if total > 0 else 1 / len(branches) for w in weights]
    heaviest = shares.index(max(shares))
    for (row, fraction), why in lost:
        if why == "unlisted" and unseen == "majority":
            branches[heaviest].append((row, fraction))
        elif node["missing_to"] >= 0:
            branches[node["missing_to"]].append((row, fraction))
        elif fraction < LEAST_FRACTION:
            branches[heaviest].append((row, fraction))
        else:
            for branch, share in zip(branches, shares, strict=True):
                if share > 0:
                    branch.append((row, fraction * share))
    return branches, shares, new


# --- error-based pruning


def added_errors(cases: float, errors: float, confidence: float) -> float:
    if errors < 1:
        none = cases * (1 - confidence ** (1 / cases))
        if errors == 0:
            return none
        return none + errors * (added_errors(cases, 1.0, confidence) - none)
    if errors + 0.5 >= cases:
        return max(cases - errors, 0.0)
    z = stats.norm.isf(confidence)
    f = (errors + 0.5) / cases
    root = math.sqrt(f / cases - f**2 / cases + z**2 / (4 * cases**2))
    return float((f + z**2 / (2 * cases) + z * root) / (1 + z**2 / cases) * cases - errors)


def errors_of(problem: Problem, value: NDArray[np.float64]) -> float:
    if problem.costs is None:
        return float(value.sum() - value.max())
    largest = problem.costs.max()
    return float((value @ problem.costs).min() / largest) if largest > 0 else 0.0


class ErrorBased:
    def __init__(self, problem: Problem, confidence: float, raising: bool, unseen: str) -> None:
        self.problem = problem
        self.confidence = confidence
        self.raising = raising
        self.unseen = unseen
        self.raised = 0

    def run(self, tree: Node) -> Node:
        self.collapse(tree)
        n = len(self.problem.target)
        self.prune(tree, [(r, 1.0) for r in range(n) if weight_of(self.problem, r) > 0])
        return tree

    def training_errors(self, node: Node) -> float:
        if not node["children"]:
            return errors_of(self.problem, node["value"])
        return sum(self.training_errors(child) for child in node["children"])

    def collapse(self, node: Node) -> None:
        if not node["children"]:
            return
        if self.training_errors(node) >= errors_of(self.problem, node["value"]) - 1e-3:
            make_leaf(node)
        for child in node["children"]:
            self.collapse(child)

    def charge(self, value: NDArray[np.float64]) -> float:
        if value.sum() < 1e-6:
            return 0.0
        errors = errors_of(self.problem, value)
        return errors + added_errors(float(value.sum()), errors, self.confidence)

    def charge_of_subtree(self, node: Node) -> float:
        if not node["children"]:
            return self.charge(node["value"])
        return sum(self.charge_of_subtree(child) for child in node["children"])

    def charge_through(self, node: Node, parts: list[Part]) -> float:
        if not node["children"]:
            return self.charge(class_sums(self.problem, parts))
        branches, _, _ = send(self.problem, node, parts, self.unseen)
        known = len(node["children"])
        return sum(
            self.charge_through(child, branch)
            for child, branch in zip(node["children"], branches, strict=False)
        ) + sum(self.charge(class_sums(self.problem, branch)) for branch in branches[known:])

    def redistribute(self, node: Node, parts: list[Part]) -> None:
        node.update(value=class_sums(self.problem, parts), rows=len(parts))
        if not node["children"]:
            return
        branches, shares, new = send(self.problem, node, parts, self.unseen)
        for level in new:
            node["branch_of"][level] = len(node["children"])
            leaf: Node = {"threshold": math.nan, "prediction": math.nan}
            make_leaf(leaf)
            node["children"].append(leaf)
        for child, branch, share in zip(node["children"], branches, shares, strict=True):
            child["proportion"] = share
            self.redistribute(child, branch)

    def prune(self, node: Node, parts: list[Part]) -> None:
        if not node["children"]:
            return
        branches, _, _ = send(self.problem, node, parts, self.unseen)
        for child, branch in zip(node["children"], branches, strict=True):
            self.prune(child, branch)
        heaviest, most = node["children"][0], 0.0
        for child in node["children"]:
            if most - child["value"].sum() < 1e-6:
                heaviest, most = child, child["value"].sum()
        leaf = self.charge(node["value"])
        subtree = self.charge_of_subtree(node)
        branch_charge = self.charge_through(heaviest, parts) if self.raising else math.inf
        if leaf - (subtree + 0.1) < 1e-6 and leaf - (branch_charge + 0.1) < 1e-6:
            make_leaf(node)
        elif branch_charge - (subtree + 0.1) < 1e-6:
            kept = {"proportion": node["proportion"]}
            node.update({**heaviest, **kept})
            self.raised += 1
            self.redistribute(node, parts)
            self.prune(node, parts)


# --- reduced-error pruning


def loss_at(problem: Problem, node: Node, row: int) -> float:
    if problem.classes:
        costs = 1 - np.eye(problem.classes) if problem.costs is None else problem.costs
        label = int(np.argmin(node["value"] @ costs))
        return float(costs[problem.target[row], label])
    y, predicted = float(problem.target[row]), float(node["prediction"])
    difference = y - predicted
    if problem.criterion == "quantile":
        return difference * (problem.quantile if difference > 0 else problem.quantile - 1)
    if problem.criterion == "gamma":
        return math.log(predicted / y) + y / predicted - 1
    if problem.criterion == "poisson":
        # As if one event had been expected before: with the rate of all rows, where none was seen.
        predicted = predicted or node["rate"] / (1 + node["rate"] * node["weight"])
        return (y * math.log(y / predicted) if y > 0 else 0.0) + predicted - y
    return abs(difference) if problem.criterion == "absolute_error" else difference**2


def branches_at_prediction(problem: Problem, node: Node, parts: list[Part], unseen: str) -> Any:
    shares = [child["proportion"] for child in node["children"]]
    branches: list[list[Part]] = [[] for _ in shares]
    for row, fraction in parts:
        to = named_branch(problem, node, row)
        if to == "unlisted" and unseen == "majority":
            to = shares.index(max(shares))
        if isinstance(to, str):
            to = node["missing_to"]
        for b, share in enumerate(shares):
            kept = share if to == -1 else float(to == b)
            if kept > 0:
                branches[b].append((row, fraction * kept))
    return branches


def loss_of_subtree(problem: Problem, node: Node, parts: list[Part], unseen: str) -> float:
    if not node["children"]:
        return sum(f * weight_of(problem, r) * loss_at(problem, node, r) for r, f in parts)
    branches = branches_at_prediction(problem, node, parts, unseen)
    return sum(
        loss_of_subtree(problem, child, branch, unseen)
        for child, branch in zip(node["children"], branches, strict=True)
    )


def p_value(problem: Problem, branches: list[list[Part]]) -> float:
    """Test independence of branch and target: Pearson's chi-square or SSB / SST, times N - 1."""
    weights = [np.array([f * weight_of(problem, r) for r, f in b]) for b in branches if b]
    rows = [np.array([r for r, _ in b]) for b in branches if b]
    if len(rows) < 2:
        return 1.0
    total = sum(w.sum() for w in weights)
    if problem.classes:
        table = np.array(
            [
                np.bincount(problem.target[r], weights=w, minlength=problem.classes)
                for r, w in zip(rows, weights, strict=True)
            ]
        )
        table = table[:, table.sum(axis=0) > 0]
        if table.shape[1] < 2:
            return 1.0
        found = stats.chi2_contingency(table, correction=False)
        return float(stats.chi2.sf(found.statistic * (total - 1) / total, found.dof))
    every_y = np.concatenate([problem.target[r] for r in rows])
    every_w = np.concatenate(weights)
    mean = np.average(every_y, weights=every_w)
    spread = float((every_w * (every_y - mean) ** 2).sum())
    if len(np.unique(every_y)) < 2:
        return 1.0
    between = sum(
        w.sum() * (np.average(problem.target[r], weights=w) - mean) ** 2
        for r, w in zip(rows, weights, strict=True)
    )
    return float(stats.chi2.sf((total - 1) * between / spread, len(rows) - 1))


def reduced_error(
    problem: Problem, node: Node, parts: list[Part], significance: float | None, unseen: str
) -> Node:
    if not node["children"]:
        return node
    branches = branches_at_prediction(problem, node, parts, unseen)
    for child, branch in zip(node["children"], branches, strict=True):
        reduced_error(problem, child, branch, significance, unseen)
    as_leaf = sum(f * weight_of(problem, r) * loss_at(problem, node, r) for r, f in parts)
    subtree = loss_of_subtree(problem, node, parts, unseen)
    worse = as_leaf - subtree > 1e-9 * (as_leaf + subtree)
    chance = (
        significance is not None
        and all(not child["children"] for child in node["children"])
        and p_value(problem, branches) > significance
    )
    if not worse or chance:
        make_leaf(node)
    return node
