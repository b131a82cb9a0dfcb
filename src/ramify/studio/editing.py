"""Editing a tree: what the page asks for as calls of the editor, and their prices as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ramify.edit import TreeEditor
from ramify.studio.data import Prepared
from ramify.studio.growing import Grown
from ramify.tables import ColumnSchema
from ramify.tables.levels import short_list
from ramify.tables.rows import take_rows
from ramify.tree import Tree
from ramify.tree.skeleton import condition_as_dict
from ramify.tree.words import format_number, level_text
from ramify.trees import TreeClassifier, TreeRegressor
from ramify.trees.greedy.base import GreedyTree

#: The methods of the editor that the page may call, with the arguments that each takes.
ACTIONS: dict[str, tuple[str, ...]] = {
    "split": ("condition", "below", "snap"),
    "move_levels": ("codes", "levels", "to_branch", "below"),
    "swap": ("rank", "below"),
    "collapse": (),
    "regrow": ("by", "exclude", "max_depth", "search"),
    "exclude": ("column",),
    "lock": (),
    "unlock": (),
    "label": ("value",),
    "clear_label": (),
    "send_missing": ("branch",),
    "graft": ("other",),
}
#: The arguments that come after the node; for `exclude` before it.
_POSITIONAL = {
    "split": ("condition",),
    "move_levels": ("levels", "to_branch"),
    "exclude": ("column",),
    "label": ("value",),
    "send_missing": ("branch",),
    "graft": ("other",),
}


def make_editor(grown: Grown, prepared: Prepared, author: str | None) -> TreeEditor:
    """Open a tree in the editor, with the rows that it learned from and those held out."""
    estimator = grown.estimator
    X, y, weights = prepared.table.data, prepared.y, prepared.weights

    def some(rows: Any) -> tuple[Any, ...]:
        part = take_rows(X, rows), y[rows]
        return part if weights is None else (*part, weights[rows])

    if not isinstance(estimator, GreedyTree):
        estimator = as_greedy(estimator)
    validation = some(grown.test) if len(grown.test) else None
    return TreeEditor(estimator, *some(grown.train), validation=validation, author=author)


def as_greedy(estimator: Any) -> Any:
    """Give the same tree as an estimator that can be edited."""
    make: Any = TreeClassifier if estimator.tree_.task == "classification" else TreeRegressor
    shared = ("costs", "class_weight", "min_level_count", "identifiers", "n_jobs")
    given = {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name in shared and value is not None
    }
    return make(missing="direction", **given).with_tree(estimator.tree_)


def apply(editor: TreeEditor, request: Mapping[str, Any], *, dry_run: bool = False) -> Any:
    """Call the method of the editor that a request names; gives its price."""
    action, node = request.get("action"), request.get("node")
    if action not in ACTIONS:
        raise ValueError(f"action={action!r} is not one of {', '.join(ACTIONS)}")
    if type(node) is not int:
        raise ValueError(f"node={node!r} must be the number of a node")
    given = request.get("arguments") or {}
    if not isinstance(given, Mapping):
        raise ValueError("arguments must be an object")
    for name in given:
        if name not in ACTIONS[action]:
            raise ValueError(f"{action} takes no {name!r}")
    arguments = dict(given)
    if action == "label":
        arguments["value"] = _label(editor, arguments.get("value"))
    reason = request.get("reason") or None
    if reason is not None and not isinstance(reason, str):
        raise ValueError("the reason must be text")
    if dry_run:
        arguments["dry_run"] = True
    if "codes" in arguments:
        column = editor.tree.schema.columns[int(editor.tree.data["attribute"][node])]
        arguments["levels"] = [_level(column, code) for code in arguments.pop("codes")]
    if "condition" in arguments:
        arguments["condition"] = _condition(editor.tree, node, arguments["condition"])
    first = [arguments.pop(name) for name in _POSITIONAL.get(action, ()) if name in arguments]
    first = [*first, node] if action == "exclude" else [node, *first]
    return getattr(editor, action)(*first, reason=reason, **arguments)


def _condition(tree: Tree, node: int, given: Any) -> Any:
    """Read a condition of a request: JSON has no infinity, and levels may be places of levels."""
    if not isinstance(given, Mapping):
        return given
    made = dict(given)
    if made.get("threshold") in ("inf", "-inf"):
        made["threshold"] = float(made["threshold"])
    if "codes" not in made and "at_most" not in made:
        return made
    column = tree.schema[str(made["column"])]
    if "at_most" in made:
        made["threshold"] = _level(column, made.pop("at_most"))
        return made
    branches = [[_level(column, code) for code in branch] for branch in made.pop("codes")]
    named = {level for branch in branches for level in branch}
    if 0 <= node < tree.n_nodes and tree.data["n_children"][node]:
        now = condition_as_dict(tree.condition(node))
        if now["column"] == column.name and len(now.get("levels", ())) == len(branches):
            # Levels that the page does not show stay where they are.
            for branch, levels in zip(branches, now["levels"], strict=True):
                branch += [level for level in levels if level not in named]
            made |= {name: now[name] for name in ("other", "missing") if name in now}
    return {"column": column.name, "levels": branches} | {
        name: made[name] for name in ("other", "missing") if name in made
    }


def _level(column: ColumnSchema, code: Any) -> Any:
    if type(code) is not int or not 0 <= code < len(column.levels):
        raise ValueError(f"{code!r} is no place of a level of {column.name!r}")
    return column.levels[code]


def _label(editor: TreeEditor, given: Any) -> Any:
    """Give a class by its name, or a number."""
    classes = editor.tree.classes
    if classes is None:
        return given
    for label in classes.tolist():
        if str(label) == str(given):
            return label
    raise ValueError(f"{given!r} is not a class; the classes are {', '.join(map(str, classes))}")


# --- what the page shows ----------------------------------------------------------------------


def number(value: Any) -> float | None:
    """Give a number as JSON can hold it."""
    if value is None or not math.isfinite(value):
        return None
    return float(value)


def change_json(change: Any) -> dict[str, Any] | None:
    """Give how the loss of some rows changes."""
    if change is None:
        return None
    return {
        "measure": change.measure,
        "rows": change.rows,
        "before": number(change.before),
        "after": number(change.after),
        "change": number(change.change),
        "se": number(change.standard_error),
        "p": number(change.p_value),
        "better": change.better,
        "worse": change.worse,
    }


def price_json(price: Any) -> dict[str, Any]:
    """Give what an edit costs."""
    found = {
        "action": price.action,
        "node": price.node,
        "training": change_json(price.training),
        "validation": change_json(price.validation),
        "training_cost": change_json(price.training_cost),
        "validation_cost": change_json(price.validation_cost),
        "leaves": [price.leaves_before, price.leaves_after],
        "depth": [price.depth_before, price.depth_after],
        "passed_over": list(price.passed_over),
        "bound": None,
    }
    if price.bound is not None:
        found["bound"] = vars(price.bound)
    return found


def edit_json(edit: Any) -> dict[str, Any]:
    """Give the record of an edit, as the project keeps it and the page shows it."""
    return {
        "action": edit.action,
        "node": edit.node,
        "arguments": plain(edit.arguments),
        "reason": edit.reason,
        "author": edit.author,
        "time": edit.time,
    }


def in_words(edit: Any) -> str:
    """Say what an edit did, in one line.

    Examples
    --------
    >>> from ramify.studio.project import Kept
    >>> in_words(Kept("split", 3, {"condition": {"column": "age", "threshold": 40.0}}))
    'Node 3 asks age <= 40'
    """
    given, node = edit.arguments, f"Node {edit.node}"
    if edit.action == "split":
        return f"{node} asks {_condition_words(given['condition'])}"
    if edit.action == "move_levels":
        levels = given["levels"] if isinstance(given["levels"], list) else [given["levels"]]
        shown = short_list([level_text(level) for level in levels], 4)
        return f"{shown} to branch {given['to_branch'] + 1} of node {edit.node}"
    if edit.action == "swap":
        return f"{node} asks what nearly won"
    if edit.action == "collapse":
        return f"{node} is a leaf"
    if edit.action == "regrow":
        ways = {"greedy": "", "pruned": " and cut back", "optimal": " as the best tree"}
        return f"{node} grown again{ways[given.get('by', 'greedy')]}"
    if edit.action == "exclude":
        return f"{given['column']} forbidden from node {edit.node} on"
    if edit.action == "label":
        return f"{node} predicts {given['value']}"
    if edit.action == "send_missing":
        branch = given.get("branch")
        where = "by the rule of the tree" if branch is None else f"to branch {branch + 1}"
        return f"Missing values at node {edit.node} go {where}"
    words = {"lock": "locked", "unlock": "unlocked", "clear_label": "predicts what its rows say"}
    return f"{node} {words.get(edit.action, edit.action)}"


def _condition_words(condition: Any) -> str:
    if not isinstance(condition, Mapping):
        return str(condition)
    if "threshold" in condition:
        threshold = condition["threshold"]
        if isinstance(threshold, str):
            return f"{condition['column']} <= {threshold}"
        if math.isinf(threshold):
            return f"{condition['column']} is known"
        return f"{condition['column']} <= {format_number(float(threshold), 6)}"
    first = short_list([level_text(level) for level in condition["levels"][0]], 4)
    return f"{condition['column']} in {{{first}}}"


def plain(value: Any) -> Any:
    """Give a value of an edit as JSON can hold it."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
