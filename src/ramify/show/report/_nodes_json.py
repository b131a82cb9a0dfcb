"""The nodes of a report as lists that JSON holds: short, and exact where predictions need it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.show.report._sizes import Sizes
from ramify.tables.levels import Level
from ramify.tree import Tree
from ramify.tree.conditions import THRESHOLD, CodedCondition, ConditionReader, level_of_threshold
from ramify.tree.words import format_name, format_number, threshold_digits

#: Characters that all names of levels, and all sets of levels, may take in a file.
NAMES_BUDGET = 600_000
SETS_BUDGET = 450_000
_COMPETITORS = 5
_DENSE_CLASSES = 8
_COMPETING_NODES = 700  # the heaviest ones say what nearly won
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def level_text(level: Level) -> str:
    """A level as it is typed."""
    if isinstance(level, float | np.floating):
        return format_number(float(level), 17)
    return format_name(str(level))


def class_labels(tree: Tree) -> list[str]:
    """The classes in words."""
    return [] if tree.classes is None else [level_text(one) for one in tree.classes.tolist()]


def nodes_json(sizes: Sizes, listed: list[NDArray[np.int64]]) -> dict[str, Any]:
    """The nodes that are inner or leaf in the largest tree of the report.

    Parameters
    ----------
    sizes : Sizes
        The trees.
    listed : list of arrays
        Per column the levels that the report names, in rising order.
    """
    tree, data = sizes.base, sizes.base.data
    kept = _kept(sizes)
    place = np.full(tree.n_nodes, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    inner = sizes.retired[kept] > 0
    conditions = ConditionReader(data, tree.schema)
    asked = [
        conditions.coded(node) if asks else None
        for node, asks in zip(kept.tolist(), inner.tolist(), strict=True)
    ]

    def of_inner(name: str, other: float) -> list[Any]:
        return _plain(np.where(inner, data[name][kept], other))

    nodes: dict[str, Any] = {
        "parent": np.where(kept == 0, -1, place[data["parent"][kept]]).tolist(),
        "first": np.where(inner, place[data["first_child"][kept]], -1).tolist(),
        "n": of_inner("n_children", 0),
        "kind": of_inner("kind", 0),
        "attr": of_inner("attribute", -1),
        "thr": of_inner("threshold", np.nan),
        "text": _threshold_texts(tree, kept, asked),
        "miss": of_inner("missing_to", -1),
        "prop": _plain(data["proportion"][kept]),
        "rows": data["rows"][kept].tolist(),
        "weight": _plain(data["weight"][kept]),
        "gain": [_round(x) for x in np.where(inner, data["gain"][kept], 0.0).tolist()],
        "logp": [_round(x) for x in data["log_p"][kept].tolist()],
        "retired": sizes.retired[kept].tolist(),
        "value": _values(data["value"][kept]),
    }
    if tree.task == "regression":
        predictions = tree.predictions
        nodes["sd"] = _plain(tree.spread[kept])
        nodes["pred"] = _plain(np.array([predictions[i] for i in kept.tolist()], dtype=np.float64))
    nodes |= _sets(asked, listed)
    nodes["rivals"] = _rivals(tree, kept, inner)
    return nodes


def listed_levels(tree: Tree, counts: list[NDArray[np.int64] | None]) -> list[NDArray[np.int64]]:
    """Per column the levels whose names the report holds: all, or the frequent ones of too many."""
    listed = [np.arange(len(column.levels)) for column in tree.schema.columns]
    cost = [
        np.array([len(json.dumps(level_text(level))) + 1 for level in column.levels], dtype=int)
        for column in tree.schema.columns
    ]
    while sum(int(cost[j][listed[j]].sum()) for j in range(len(cost))) > NAMES_BUDGET:
        j = int(np.argmax([own[kept].sum() for own, kept in zip(cost, listed, strict=True)]))
        if len(listed[j]) <= 50:
            break
        found = counts[j]
        order = np.arange(len(cost[j])) if found is None else np.argsort(-found, kind="stable")
        listed[j] = np.sort(order[: int(len(listed[j]) * 0.8)])
    return listed


def columns_json(tree: Tree, listed: list[NDArray[np.int64]]) -> list[dict[str, Any]]:
    """The columns with the levels that are named."""
    found = []
    for column, codes in zip(tree.schema.columns, listed, strict=True):
        one: dict[str, Any] = {"name": format_name(column.name), "kind": column.kind}
        if column.kind != "numeric":
            one["n"] = len(column.levels)
            one["levels"] = [level_text(column.levels[code]) for code in codes.tolist()]
            if len(codes) < len(column.levels):
                one["codes"] = codes.tolist()
        found.append(one)
    return found


def _kept(sizes: Sizes) -> NDArray[np.int64]:
    """The nodes of the largest tree shown, parents first."""
    data = sizes.base.data
    keep = np.zeros(sizes.base.n_nodes, dtype=bool)
    keep[0] = True
    for node in range(sizes.base.n_nodes):
        if keep[node] and sizes.retired[node] > 0:
            first = int(data["first_child"][node])
            keep[first : first + int(data["n_children"][node])] = True
    return np.flatnonzero(keep)


def _values(value: NDArray[np.float64]) -> list[list[Any]]:
    """Per node its values; of many classes those that occur, each after its place."""
    if value.shape[1] <= _DENSE_CLASSES:
        return [_plain(own) for own in value]
    return [
        [part for j in np.flatnonzero(own).tolist() for part in (j, json_number(float(own[j])))]
        for own in value
    ]


def _plain(array: NDArray[Any]) -> list[Any]:
    values: list[Any] = array.tolist()
    if array.dtype.kind != "f":
        return values
    return [json_number(value) for value in values]


def json_number(value: float) -> Any:
    """A number as JSON has it: whole ones short, NaN as null, infinities as words."""
    if not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def _round(value: float) -> Any:
    return json_number(float(f"{value:.5g}"))


def _threshold_texts(
    tree: Tree, kept: NDArray[np.int64], asked: list[CodedCondition | None]
) -> list[str]:
    """How thresholds are written; "" where a node has none."""
    data = tree.data
    digits = threshold_digits(data["attribute"], data["threshold"], 4)[kept].tolist()
    texts = []
    for one, precision in zip(asked, digits, strict=True):
        if one is None or one.kind != THRESHOLD:
            texts.append("")
            continue
        level = level_of_threshold(one.threshold, tree.schema.columns[one.column])
        texts.append(
            format_number(one.threshold, precision) if level is None else level_text(level)
        )
    return texts


def _sets(asked: list[CodedCondition | None], listed: list[NDArray[np.int64]]) -> dict[str, Any]:
    """Which levels take which branch: as runs, and how many levels a branch has."""
    runs: list[str | int] = []
    counts: list[Any] = []
    for one in asked:
        if one is None or not len(one.codes):
            runs.append(0)
            counts.append(0)
            continue
        counts.append(np.bincount(one.branch_of, minlength=one.n_branches).tolist())
        known = listed[one.column]
        where = np.searchsorted(known, one.codes)
        named = (where < len(known)) & (known[np.minimum(where, len(known) - 1)] == one.codes)
        of_level = np.full(len(known), -1, dtype=np.int64)
        of_level[where[named]] = one.branch_of[named]
        runs.append(run_lengths(of_level))
    return {"sets": _within_budget(runs), "counts": counts}


def run_lengths(branches: NDArray[np.int64]) -> str:
    """Levels by their branch, as runs: "3A2B" is branch 0 three times, then branch 1 twice.

    A run is a length in base 36, left out if it is 1, and a branch in base 26 of the letters A to
    Z; "-" is no branch. Runs end with "." where a branch has two letters.

    Examples
    --------
    >>> run_lengths(np.array([0, 0, 0, 1, 1, -1, 27]))
    '3A.2B.-.BB.'
    """
    last = np.append(branches[1:] != branches[:-1], True)[: len(branches)]
    parts, start = [], 0
    for end in np.flatnonzero(last).tolist():
        length = end - start + 1
        parts.append((_base(length) if length > 1 else "") + _branch(int(branches[end])))
        start = end + 1
    # Neighbouring names of two letters would run together: they are parted.
    return "".join(f"{part}." for part in parts) if branches.max(initial=0) > 25 else "".join(parts)


def _base(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits


def _branch(branch: int) -> str:
    if branch < 0:
        return "-"
    letters = ""
    while True:
        branch, letter = divmod(branch, 26)
        letters = chr(65 + letter) + letters
        if not branch:
            return letters


def _within_budget(runs: list[Any]) -> list[Any]:
    """Leave out the longest sets, at the lightest nodes first, if all together are too long."""
    total = sum(len(one) for one in runs if one)
    for i in range(len(runs) - 1, -1, -1):
        if total <= SETS_BUDGET:
            break
        if runs[i] and len(runs[i]) > 200:
            total -= len(runs[i])
            runs[i] = 1  # there is a set, and it is not in the file
    return runs


def _rivals(tree: Tree, kept: NDArray[np.int64], inner: NDArray[np.bool_]) -> list[Any]:
    """What nearly won at the heavy nodes: condition and gain."""
    weight = np.where(inner, tree.data["weight"][kept], -1.0)
    heavy = set(np.argsort(-weight, kind="stable")[:_COMPETING_NODES].tolist())
    found: list[Any] = []
    for i, node in enumerate(kept.tolist()):
        start, end = tree.data["competitor_start"][node : node + 2].tolist()
        if i not in heavy or not inner[i] or start == end:
            found.append(0)
            continue
        rivals = tree.nodes[node].competitors[:_COMPETITORS]
        found.append([[one.condition.describe(0, 3), _round(one.gain)] for one in rivals])
    return found
