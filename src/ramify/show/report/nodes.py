"""The nodes of a report as lists for JSON: short, and exact where predictions need it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.show.numbers import condition_words, threshold_words
from ramify.show.report.levels import run_lengths
from ramify.show.report.sizes import Sizes
from ramify.support.page.json_numbers import json_number, plain_numbers, rounded
from ramify.tree import Tree
from ramify.tree.conditions import THRESHOLD, CodedCondition, ConditionReader, level_of_threshold
from ramify.tree.words import level_text, threshold_digits

#: The most characters that all sets of levels may take in a file.
SETS_BUDGET = 450_000
_COMPETITORS = 5
_DENSE_CLASSES = 8
_COMPETING_NODES = 700  # only the heaviest say what nearly won


def nodes_json(sizes: Sizes, listed: list[NDArray[np.int64]]) -> dict[str, Any]:
    """The nodes of the largest tree of the report.

    Parameters
    ----------
    sizes : Sizes
        The trees.
    listed : list of arrays
        Per column the levels that the report names, in rising order.
    """
    tree, data = sizes.base, sizes.base.data
    kept = sizes.kept
    place = np.full(tree.n_nodes, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    inner = sizes.retired[kept] > 0
    conditions = ConditionReader(data, tree.schema)
    asked = [
        conditions.coded(node) if asks else None
        for node, asks in zip(kept.tolist(), inner.tolist(), strict=True)
    ]

    def of_inner(name: str, other: float) -> list[Any]:
        return plain_numbers(np.where(inner, data[name][kept], other))

    nodes: dict[str, Any] = {
        "parent": np.where(kept == 0, -1, place[data["parent"][kept]]).tolist(),
        "first": np.where(inner, place[data["first_child"][kept]], -1).tolist(),
        "n": of_inner("n_children", 0),
        "kind": of_inner("kind", 0),
        "attr": of_inner("attribute", -1),
        "thr": of_inner("threshold", np.nan),
        **_thresholds(tree, kept, asked),
        "miss": of_inner("missing_to", -1),
        "prop": plain_numbers(data["proportion"][kept]),
        "rows": data["rows"][kept].tolist(),
        "weight": plain_numbers(data["weight"][kept]),
        "gain": [rounded(x) for x in np.where(inner, data["gain"][kept], 0.0).tolist()],
        "logp": [rounded(x) for x in data["log_p"][kept].tolist()],
        "retired": sizes.retired[kept].tolist(),
        "value": _values(data["value"][kept]),
    }
    if tree.task == "regression":
        nodes["sd"] = plain_numbers(tree.spread[kept])
        nodes["pred"] = plain_numbers(np.array(tree.predictions, dtype=np.float64)[kept])
    if tree.by_hand:
        nodes["hand"] = [tree.hand_words(node, None) for node in kept.tolist()]
    if tree.labelled:
        nodes["label"] = [tree.labelled.get(node, -1) for node in kept.tolist()]
    nodes |= _sets(asked, listed)
    nodes["rivals"] = _competitors(tree, kept, inner)
    return nodes


def _values(value: NDArray[np.float64]) -> list[list[Any]]:
    """Per node its values. If there are many classes, those that occur, each after its place."""
    if value.shape[1] <= _DENSE_CLASSES:
        return [plain_numbers(own) for own in value]
    return [
        [part for j in np.flatnonzero(own).tolist() for part in (j, json_number(float(own[j])))]
        for own in value
    ]


def _thresholds(
    tree: Tree, kept: NDArray[np.int64], asked: list[CodedCondition | None]
) -> dict[str, list[Any]]:
    """How thresholds are written ("" where a node has none), and whether "<" is their sign."""
    data = tree.data
    digits = threshold_digits(data["attribute"], data["threshold"], 4)[kept].tolist()
    texts, strict = [], []
    for one, precision in zip(asked, digits, strict=True):
        text, is_strict = "", 0
        if one is not None and one.kind == THRESHOLD:
            column = tree.schema.columns[one.column]
            level = level_of_threshold(one.threshold, column)
            form = column.times
            if level is not None:
                text = level_text(level)
            elif form is not None:
                bound = form.threshold(one.threshold)
                text, is_strict = bound.text, int(bound.strict)
            else:
                text = threshold_words(one.threshold, precision, column=column.name)
        texts.append(text)
        strict.append(is_strict)
    return {"text": texts, "strict": strict}


def _sets(asked: list[CodedCondition | None], listed: list[NDArray[np.int64]]) -> dict[str, Any]:
    """Which levels take which branch, as runs, and how many levels each branch has."""
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


def _within_budget(runs: list[Any]) -> list[Any]:
    """Leave out long sets, from the last nodes on, until the rest is short enough."""
    total = sum(len(one) for one in runs if one)
    for i in range(len(runs) - 1, -1, -1):
        if total <= SETS_BUDGET:
            break
        if runs[i] and len(runs[i]) > 200:
            total -= len(runs[i])
            runs[i] = 1  # there is a set, but it is not in the file
    return runs


def _competitors(tree: Tree, kept: NDArray[np.int64], inner: NDArray[np.bool_]) -> list[Any]:
    """What nearly won at the heavy nodes: condition and gain."""
    weight = np.where(inner, tree.data["weight"][kept], -1.0)
    heavy = set(np.argsort(-weight, kind="stable")[:_COMPETING_NODES].tolist())
    found: list[Any] = []
    for i, node in enumerate(kept.tolist()):
        start, end = tree.data["competitor_start"][node : node + 2].tolist()
        if i not in heavy or not inner[i] or start == end:
            found.append(0)
            continue
        best = tree.nodes[node].competitors[:_COMPETITORS]
        found.append([[condition_words(one.condition, 0, 3), rounded(one.gain)] for one in best])
    return found
