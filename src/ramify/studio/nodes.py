"""What the page shows of one node of the tree that is edited, counted when it is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ramify.edit import GainCurve, LevelCurve
from ramify.show.report.distributions import Distributions
from ramify.show.report.routing import Arrived, arrived_at, branch_taken
from ramify.show.report.rows import ReportRows
from ramify.studio.editing import change_json, number, plain
from ramify.studio.judging import training_rows
from ramify.studio.session import Session
from ramify.support.suggest import unknown_column
from ramify.tables.levels import MISSING
from ramify.tree import Tree
from ramify.tree.conditions import Condition, ConditionReader, Multiway, Threshold
from ramify.tree.skeleton import condition_as_dict
from ramify.tree.words import level_text

#: The most levels that can be moved one by one; the lighter ones stay where they are.
MOST_LEVELS = 200
_MOST_CANDIDATES = 40


def whole_number(query: Mapping[str, str], name: str) -> int:
    """Read a number of an address."""
    text = query.get(name, "")
    if not text.isdecimal():
        raise ValueError(f"{name}={text!r} must be a whole number")
    return int(text)


def node_json(session: Session, query: Mapping[str, str]) -> dict[str, Any]:
    """Give how the rows of a node lie on a column, and the gain of every threshold."""
    with session.lock:
        opened, version = session.present_tree(), session.version
        editor, tree = opened.editor, opened.editor.tree
    rows = training_rows(session, opened)
    node = whole_number(query, "node")
    if node >= tree.n_nodes:
        raise ValueError(f"node {node} is not in this tree")
    inner = bool(tree.data["n_children"][node])
    own = int(tree.data["attribute"][node]) if inner else -1
    j = _column(tree, query.get("column"), own)
    here = arrived_at(tree, node, rows.table)
    column = tree.schema.columns[j]
    found: dict[str, Any] = {
        "version": version,
        "node": node,
        "column": column.name,
        "kind": column.kind,
        "own": j == own,
        "rows": float(here.parts.sum()),
        "missing_to": None,
    }
    if j == own:
        asked = ConditionReader(tree.data, tree.schema).coded(node)
        found["missing_to"] = asked.missing_to
        found["condition"] = plain(condition_as_dict(tree.condition(node)))
    if column.kind == "numeric":
        found |= _numbers(tree, rows, here, j, node if j == own else None)
    else:
        found |= _levels(tree, rows, here, j, node if j == own else None)
    with session.lock:
        if session.version != version:
            return found
        curve = editor.curve(node, column.name)
    if isinstance(curve, GainCurve):
        found["curve"] = {"threshold": curve.threshold.tolist(), "gain": curve.gain.tolist()}
    if j != own:
        _propose(found, curve)
    return found


def _propose(found: dict[str, Any], curve: GainCurve | LevelCurve) -> None:
    """Put the line, or the levels, where the best split of the column has them."""
    if isinstance(curve, LevelCurve):
        branch = {level_text(one.level): one.best_branch for one in curve.levels}
        found["branches"] = 2 if curve.best is None else curve.best.n_branches
        for level in found["levels"]:
            best = branch.get(level["name"])
            level["branch"] = -1 if best is None else best
    elif isinstance(curve.best, Threshold):
        found["best"] = number(curve.best.value)
        for level in found.get("levels", ()):
            level["branch"] = int(level["code"] > curve.best.value)


def _candidates(session: Session, node: int) -> Any:
    """Give the candidates of a node; they are kept until the tree changes."""
    opened = session.present_tree()
    known = session.kept.setdefault("candidates", {})
    key = (opened.editor.version, node)
    if key not in known:
        if len(known) > 20:
            known.clear()
        known[key] = opened.editor.candidates(node, limit=_MOST_CANDIDATES)
    return known[key]


def _column(tree: Tree, name: str | None, own: int) -> int:
    if not name:
        return max(own, 0)
    names = list(tree.schema.names)
    if name not in names:
        raise unknown_column(name, names)
    return names.index(name)


def _numbers(
    tree: Tree, rows: ReportRows, here: Arrived, j: int, node: int | None
) -> dict[str, Any]:
    cells = rows.table.column(j)[here.rows]
    known = cells[np.isfinite(cells)]
    threshold = math.inf
    if node is not None:
        threshold = float(tree.data["threshold"][node])
    made = Distributions(tree, [np.empty(0, dtype=np.int64)] * len(tree.schema), rows)
    found = made.numbers(here, j, threshold)
    form = tree.schema.columns[j].times
    whole = bool(len(known) and (known == np.round(known)).all())
    return found | {
        "form": None if form is None else form.to_dict(),
        "threshold": number(threshold),
        "best": None,
        "low": number(float(known.min())) if len(known) else None,
        "high": number(float(known.max())) if len(known) else None,
        "whole": whole,
        "distinct": len(np.unique(known)) if len(known) <= 1_000_000 else None,
    }


def _levels(
    tree: Tree, rows: ReportRows, here: Arrived, j: int, node: int | None
) -> dict[str, Any]:
    """Give the levels that occur at the node, with the branch of each."""
    column = tree.schema.columns[j]
    cells = rows.table.column(j)[here.rows]
    made = Distributions(tree, [np.empty(0, dtype=np.int64)] * len(tree.schema), rows)
    n = len(column.levels)
    known = cells >= 0
    sums = made.sums(here, known, np.maximum(cells, 0), n)
    counts = np.bincount(cells[known], minlength=n)
    heavy = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    shown = [int(code) for code in heavy.tolist() if counts[code]]
    branch = np.full(n, -1, dtype=np.int64)
    branches = 2
    if node is not None:
        asked = ConditionReader(tree.data, tree.schema).coded(node)
        branches = asked.n_branches
        first = int(tree.data["first_child"][node])
        shares = np.asarray(tree.data["proportion"][first : first + branches], dtype=np.float64)
        taken = branch_taken(tree, asked, rows.table, here.rows, shares)
        branch[cells[known]] = taken[known]
    missing = made.sums(here, cells == MISSING, np.zeros(len(cells), np.int64), 1)[0]
    return {
        "ordered": column.kind == "ordinal",
        "branches": branches,
        "levels": [
            {
                "name": level_text(column.levels[code]),
                "code": code,
                "branch": int(branch[code]),
                "counts": sums[code],
            }
            for code in (sorted(shown) if column.kind == "ordinal" else shown)
        ],
        "more": max(0, int((counts > 0).sum()) - len(shown)),
        "missing": missing if (cells == MISSING).any() else None,
    }


def candidates_json(session: Session, query: Mapping[str, str]) -> dict[str, Any]:
    """Give what could be asked at a node."""
    node = whole_number(query, "node")
    with session.lock:
        found = _candidates(session, node)
        return {
            "version": session.version,
            "node": node,
            "candidates": [
                {
                    "column": one.column,
                    "words": one.condition.describe(0),
                    "condition": plain(condition_as_dict(one.condition)),
                    "kind": _kind(one.condition),
                    "gain": number(one.gain),
                    "p": number(one.p_value),
                    "rows": list(one.rows),
                    "validation": change_json(one.validation),
                    "current": one.is_current,
                }
                for one in found
            ],
        }


def _kind(condition: Condition) -> str:
    if isinstance(condition, Threshold):
        return "threshold"
    return "multiway" if isinstance(condition, Multiway) else "levels"
