"""What the page of a questionnaire knows of its tree, as data for JSON.

Invariant: numbers that decide an answer are exact, so that the page answers as `predict` does.
Answers to a question of levels are codes of levels, -1 for "I do not know" and -2 for a level that
training did not have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ramify.export.questionnaire.wording import Question, is_yes_or_no
from ramify.export.routing import RoutedTree, Split
from ramify.support.page.json_numbers import json_number, rounded
from ramify.tables import ColumnSchema
from ramify.tables.levels import UNSEEN
from ramify.tree.colours import OTHER, class_colours
from ramify.tree.row_counts import RowCounts
from ramify.tree.words import format_name, holds_years, level_text


def page_data(
    routed: RoutedTree, asked: Sequence[Question], words: Sequence[str]
) -> dict[str, Any]:
    """All that the page knows."""
    tree = routed.tree
    place = {column: i for one in asked for i, column in enumerate(one.columns)}
    question = {column: k for k, one in enumerate(asked) for column in one.columns}
    counts = RowCounts(tree)
    found: dict[str, Any] = {
        "target": format_name(tree.target),
        "task": tree.task,
        "questions": [_question(routed, one, text) for one, text in zip(asked, words, strict=True)],
        "nodes": _nodes(routed, question, place, counts),
        "weighted": counts.weighted,
    }
    if routed.classify:
        colours = class_colours(tree)
        found["classes"] = [level_text(label) for label in routed.classes]
        found["colours"] = [None if colour == OTHER else colour for colour in colours]
        found["costs"] = routed.costs
    return found


# --- questions ------------------------------------------------------------------------------------


def _question(routed: RoutedTree, one: Question, words: str) -> dict[str, Any]:
    """A question: how it reads, what answers it can have, and the columns that these fill in."""
    schemas = [routed.schema(column) for column in one.columns]
    about = schemas[0]
    found: dict[str, Any] = {"name": format_name(one.name), "words": format_name(words)}
    if len(schemas) == 1 and about.kind != "numeric":
        return found | {"kind": "levels", "parts": [None]} | _levels(routed, about)
    splits = [s for s in routed.splits.values() if s.column in one.columns]
    cuts = sorted({s.threshold for s in splits if s.threshold is not None})
    finite = [cut for cut in cuts if math.isfinite(cut)]
    found |= {"kind": "number", "parts": [column.part for column in schemas]}
    found["cuts"] = [json_number(cut) for cut in cuts]
    form = about.form
    if form is not None and form.is_time:
        return found | {"kind": form.kind, "form": form.to_dict()}
    if min(cuts, default=math.inf) == math.inf:  # all it asks is whether the number is known
        return found | {"kind": "known"}
    found["whole"] = all(2 * cut == int(2 * cut) for cut in finite if abs(cut) < 1e15)
    found["years"] = holds_years(one.name)
    if form is not None:
        found["form"] = form.to_dict()
    return found


def _levels(routed: RoutedTree, about: ColumnSchema) -> dict[str, Any]:
    """The answers that can be chosen, and what stands for any other."""
    names = [level_text(level) for level in about.levels]
    codes, other = list(range(len(names))), None
    if about.pooled:
        other = codes.pop()  # the last level is the pool
    elif about.kind == "nominal" and routed.tree.unseen != "error":
        other = UNSEEN
    found: dict[str, Any] = {"levels": names, "ordered": about.kind == "ordinal"}
    if is_yes_or_no(about):
        index = {level: code for code, level in enumerate(about.levels)}
        other_side = [] if other is None else [other]
        yes = [index[True]] if True in index else other_side
        no = [index[False]] if False in index else other_side
        choices = [*([code, "Yes"] for code in yes), *([code, "No"] for code in no)]
        return found | {"choices": choices, "other": None}
    return found | {"choices": [[code, names[code]] for code in codes], "other": other}


# --- nodes ----------------------------------------------------------------------------------------


def _nodes(
    routed: RoutedTree, question: dict[int, int], place: dict[int, int], counts: RowCounts
) -> list[dict[str, Any]]:
    tree = routed.tree
    rows = tree.data["weight"] if counts.in_parts else tree.data["rows"]
    found: list[dict[str, Any]] = [
        {"n": rounded(float(n)) if counts.in_parts else int(n)} for n in rows
    ]
    for node, values in _all_values(routed).items():
        found[node]["v"] = values
    for node, split in routed.splits.items():
        found[node] |= {"q": question[split.column], "part": place[split.column]}
        found[node] |= _split(routed, split)
    for leaf in routed.leaves:
        if routed.classify:
            found[leaf]["label"] = routed.labels[leaf]
    if not routed.classify:
        for node, spread in enumerate(tree.spread.tolist()):
            found[node]["sd"] = rounded(spread)
    return found


def _all_values(routed: RoutedTree) -> dict[int, list[Any]]:
    """Per node the number, or the shares of the classes: exact at leaves, others rounded."""
    tree, data = routed.tree, routed.tree.data
    if routed.classify:
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = data["value"] / data["weight"][:, None]
    else:
        inner = np.asarray(tree.predictions, dtype=np.float64)[:, None]
    number = rounded if routed.classify else json_number
    found = {node: [number(one) for one in inner[node].tolist()] for node in routed.splits}
    for leaf, exact in routed.values.items():
        found[leaf] = [json_number(one) for one in exact]
    return found


def _split(routed: RoutedTree, split: Split) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kids": list(split.children),
        "p": [json_number(share) for share in split.shares],
        "miss": -1 if split.missing_to is None else split.missing_to,
    }
    about = routed.schema(split.column)
    if split.threshold is not None:
        found["t"] = json_number(split.threshold)
        if about.times is not None:
            bound = about.times.threshold(split.threshold)
            found |= {"bound": bound.text, "strict": bound.strict}
        return found
    # Deep nodes have few of many levels, so that their lists are short.
    found["to"] = split.levels
    found["unknown"] = -1 if split.unknown_to is None else split.unknown_to
    if about.part is not None:
        found["names"] = [level_text(level) for level in about.levels]
    return found
