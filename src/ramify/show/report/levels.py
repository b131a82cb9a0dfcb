"""The columns and levels of a report: their names, and which levels take which branch.

A file has room for a limited number of characters, so rare levels of very long lists have no name.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tree import Tree
from ramify.tree.words import format_name, holds_years, level_text

#: The most characters that all names of levels may take in a file.
NAMES_BUDGET = 600_000
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def class_labels(tree: Tree) -> list[str]:
    """The classes in words."""
    return [] if tree.classes is None else [level_text(one) for one in tree.classes.tolist()]


def listed_levels(tree: Tree, counts: list[NDArray[np.int64] | None]) -> list[NDArray[np.int64]]:
    """Per column the levels whose names are in the report: all, or if too many, the frequent."""
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
        elif (form := column.times) is not None:
            one["form"] = form.to_dict()
        elif holds_years(column.name):
            one["years"] = True
        found.append(one)
    return found


def run_lengths(branches: NDArray[np.int64]) -> str:
    """Levels by their branch, as runs: "3A2B" is branch 0 three times, then branch 1 twice.

    A run is a length in base 36, left out if it is 1, and a branch in base 26 with the letters A
    to Z. "-" means no branch. If any branch has two letters, every run ends with ".".

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
    # Names of two letters would run together.
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
