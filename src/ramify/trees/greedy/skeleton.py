"""The beginning of a tree, as users write it, and as the core reads it.

A node is a dict. ``{}`` is free, ``{"closed": True}`` is a leaf, and a node with a "column" has a
condition. The core gets the nodes in one list, from the root down.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from ramify import _core
from ramify.learning.parameters import is_number
from ramify.support.suggest import near_names
from ramify.support.warn import RamifyWarning
from ramify.tables import ColumnSchema, Schema
from ramify.tables.levels import as_level, short_list
from ramify.tree import Tree
from ramify.tree.conditions import LEAF, MULTIWAY, SUBSET, THRESHOLD, CodedCondition
from ramify.tree.skeleton import tree_to_skeleton
from ramify.trees.greedy.constraints import (
    Columns,
    columns_but,
    find_columns,
    is_column,
    read_columns,
)

_ANYWHERE = ("columns", "exclude")
_OF_THRESHOLD = ("column", "threshold", "missing", "left", "right")
_OF_LEVELS = ("column", "levels", "other", "missing", "left", "right", "branches")
_SIDES = {"left": 0, "right": 1}
_FREE: dict[str, Any] = {}


@dataclass(frozen=True)
class Skeleton:
    """A skeleton whose form is checked, as far as that needs no data.

    Parameters
    ----------
    root : dict
        Its root; other nodes are inside.
    what : str
        The parameter with its value, for messages.
    lenient : bool
        Whether levels that the table does not have are passed over, as for a tree that was fitted
        on another table.
    """

    root: dict[str, Any]
    what: str
    lenient: bool


def read_skeleton(name: str, value: Any) -> Skeleton | None:
    """Read a skeleton: None, nested dicts, a tree or what `Tree.to_dict` gives, or an estimator."""
    if value is None:
        return None
    what = f"{name}={value!r:.200}"
    tree = value if isinstance(value, Tree) else getattr(value, "tree_", None)
    if isinstance(tree, Tree):
        return Skeleton(tree_to_skeleton(tree), what, True)
    if isinstance(value, BaseEstimator):
        raise NotFittedError(
            f"{name}={type(value).__name__}(...) has no tree: fit it first. A grid search copies "
            f"estimators without what they learned: there, give {name}=fitted.tree_"
        )
    if not isinstance(value, Mapping):
        raise ValueError(
            f"{what} must be None, a dict with a condition, a tree, or a fitted estimator of one "
            "tree"
        )
    if "nodes" in value:
        return Skeleton(tree_to_skeleton(Tree.from_dict(value)), what, True)
    skeleton = Skeleton(dict(value), what, False)
    for node, place in _nodes(skeleton):
        _check_form(node, place)
    return skeleton


def _nodes(skeleton: Skeleton) -> Iterable[tuple[dict[str, Any], str]]:
    """Give all nodes from the root down, level by level, each with its place in words."""
    queue = [(skeleton.root, f"{skeleton.what}: the root")]
    for node, place in queue:
        yield node, place
        queue += [(child, f"{skeleton.what}: {way}") for child, way in _children(node, place)]


def _children(node: Mapping[str, Any], place: str) -> list[tuple[dict[str, Any], str]]:
    if "column" not in node:
        return []
    way = place.rsplit(": ", 1)[1].removeprefix("the root")
    dot = "." if way else ""
    if "branches" in node:
        return [
            (_node(child, place), f"{way}{dot}branches[{b}]")
            for b, child in enumerate(node["branches"])
        ]
    return [(_node(node.get(side, _FREE), place), f"{way}{dot}{side}") for side in _SIDES]


def _node(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{place}: a branch must be a dict, not {value!r:.80}")
    return dict(value)


def _check_form(node: Mapping[str, Any], place: str) -> None:
    """Refuse keys that a node does not have, and values of the wrong type."""
    kinds = [key for key in ("threshold", "levels") if key in node]
    if "column" not in node:
        valid: tuple[str, ...] = ("closed", *_ANYWHERE, "column")
    elif len(kinds) != 1:
        raise ValueError(
            f"{place}: a condition on column {node['column']!r} needs either 'threshold' or "
            "'levels'"
        )
    else:
        valid = (*(_OF_THRESHOLD if kinds == ["threshold"] else _OF_LEVELS), *_ANYWHERE)
    for key in node:
        if key not in valid:
            near = near_names(str(key), valid, "keys")
            raise ValueError(f"{place}: {key!r} is not a key of it; {near}")
    if not isinstance(node.get("closed", False), (bool, np.bool_)):
        raise ValueError(f"{place}: closed={node['closed']!r} must be True or False")
    for key in _ANYWHERE:
        if key in node:
            read_columns(f"{place}: {key}={node[key]!r:.80}", node[key])
    if "column" not in node:
        return
    if not is_column(node["column"]):
        raise ValueError(f"{place}: column={node['column']!r:.80} must be a name or a position")
    if "branches" not in node:
        return
    if "left" in node or "right" in node:
        raise ValueError(f"{place}: give either 'branches' or 'left' and 'right', not both")
    branches = node["branches"]
    if not isinstance(branches, (list, tuple)) or len(branches) < 2:
        raise ValueError(f"{place}: branches={branches!r:.80} must be a list of two dicts or more")


@dataclass
class _Reader:
    """Makes the nodes of the core from those of a skeleton."""

    schema: Schema
    groups: list[list[int]]
    lenient: bool

    def condition(self, node: Mapping[str, Any], place: str) -> CodedCondition:
        """Give the condition of a node, with positions in place of names."""
        position = self._column(node["column"], place)
        column = self.schema.columns[position]
        if "threshold" in node:
            if column.kind == "nominal":
                raise ValueError(
                    f"{place}: column {column.name!r} is nominal and has no threshold; give "
                    "'levels', the levels of the left branch"
                )
            threshold = self._threshold(node["threshold"], column, place)
            missing = _branch("missing", node.get("missing"), 2, place)
            none = np.empty(0, np.int32)
            return CodedCondition(THRESHOLD, position, threshold, missing, 2, none, none)
        if column.kind == "numeric":
            raise ValueError(
                f"{place}: column {column.name!r} is numeric and has no levels; give 'threshold'"
            )
        return self._levels(node, position, place)

    def _column(self, name: int | str, place: str) -> int:
        names = self.schema.names
        if not isinstance(name, str):
            inputs = self.schema.input_names
            if not 0 <= name < len(inputs):
                raise ValueError(
                    f"{place}: column={name} is no position; valid are 0 to {len(inputs) - 1}"
                )
            name = inputs[name]
        if name not in names:
            near = near_names(name, names, "columns")
            raise ValueError(f"{place}: {name!r} is not a column; {near}")
        return names.index(name)

    def _threshold(self, value: Any, column: ColumnSchema, place: str) -> float:
        if column.kind == "ordinal":
            level = as_level(value)
            if _has(column, level):
                return float(column.index[level])
            if isinstance(value, float) and math.isinf(value):
                return value
            raise ValueError(f"{place}: threshold={value!r:.80} {_not_a_level(level, column)}")
        if not is_number(value) or math.isnan(float(value)):
            raise ValueError(f"{place}: threshold={value!r:.80} must be a number")
        return float(value)

    def _levels(self, node: Mapping[str, Any], position: int, place: str) -> CodedCondition:
        column = self.schema.columns[position]
        count = len(node["branches"]) if "branches" in node else 2
        sets, others = self._sets(node, column, count, place)
        branch_of = np.full(len(column.levels), -1, np.int32)
        for branch, levels in enumerate(sets):
            for level in map(as_level, levels):
                if not _has(column, level):
                    if self.lenient:
                        continue
                    raise ValueError(f"{place}: {level!r:.80} {_not_a_level(level, column)}")
                if branch_of[column.index[level]] >= 0:
                    raise ValueError(
                        f"{place}: level {level!r:.80} of column {column.name!r} is named twice"
                    )
                branch_of[column.index[level]] = branch
        unnamed = [column.levels[code] for code in np.flatnonzero(branch_of < 0)]
        if unnamed and others is None:
            raise ValueError(
                f"{place}: levels {short_list(unnamed, 5)} of column {column.name!r} have no "
                "branch; name them, or give the branch of all others as 'other'"
            )
        if others is not None:
            branch_of[branch_of < 0] = others
        missing = _branch("missing", node.get("missing"), count, place)
        kind = MULTIWAY if "branches" in node else SUBSET
        codes = np.arange(len(branch_of), dtype=np.int32)
        return CodedCondition(kind, position, math.nan, missing, count, codes, branch_of)

    def _sets(
        self, node: Mapping[str, Any], column: ColumnSchema, count: int, place: str
    ) -> tuple[list[Any], int | None]:
        """Give the levels of every branch, and the branch of all others."""
        levels, others = node["levels"], _branch("other", node.get("other"), count, place)
        if not isinstance(levels, (list, tuple)):
            raise ValueError(
                f"{place}: levels={levels!r:.80} must be a list: the levels of the left branch, or "
                "a list for every branch"
            )
        nested = [isinstance(one, list) for one in levels]  # a tuple may be a level
        if all(nested) and nested:
            if len(levels) != count:
                raise ValueError(
                    f"{place}: levels={levels!r:.80} names {len(levels)} branches of column "
                    f"{column.name!r}, and there are {count}"
                )
            return list(levels), others
        if any(nested) or count != 2:
            raise ValueError(
                f"{place}: levels={levels!r:.80} must have a list for each of the {count} branches"
            )
        return [levels, []], 1 if others is None else others

    def allowed(self, node: Mapping[str, Any], place: str) -> list[int] | None:
        """Give the columns that growth may use from a node on; None means as above it."""
        if "columns" not in node and "exclude" not in node:
            return None
        found = list(range(len(self.schema)))
        for key in _ANYWHERE:
            if key in node:
                what = f"{place}: {key}={node[key]!r:.80}"
                named: Columns = read_columns(what, node[key])
                of_key = find_columns(named, self.schema, what)
                if key == "exclude":
                    of_key = columns_but(of_key, self.schema)
                found = [j for j in found if j in of_key]
        return found

    def left(self, groups: list[int], column: int, place: str) -> list[int]:
        """Give the groups that hold the column, of those that hold all columns above it."""
        found = [g for g in groups if column in self.groups[g]]
        if self.groups and not found:
            raise ValueError(
                f"{place}: column {self.schema.names[column]!r} meets columns on its path that "
                "`interactions` keeps apart from it; give a group that has them all"
            )
        return found


def _has(column: ColumnSchema, level: Any) -> bool:
    return isinstance(level, Hashable) and level in column.index


def _not_a_level(level: Any, column: ColumnSchema) -> str:
    if isinstance(level, str) and all(isinstance(other, str) for other in column.levels):
        near = near_names(level, column.levels, "levels")  # type: ignore[arg-type]
    else:
        near = f"the levels are {short_list(column.levels, 20)}"
    return f"is not a level of column {column.name!r}; {near}"


def _branch(key: str, value: Any, count: int, place: str) -> int | None:
    """Read the number of a branch; "left" and "right" are 0 and 1."""
    if value is None:
        return None
    found = _SIDES.get(value) if isinstance(value, str) else value
    whole = isinstance(found, (int, np.integer)) and not isinstance(found, bool)
    if found is None or not whole or not 0 <= found < count:
        raise ValueError(
            f"{place}: {key}={value!r:.80} is not a branch; choose 'left', 'right' or 0 to "
            f"{count - 1}"
        )
    return int(found)


def skeleton_for_core(
    skeleton: Skeleton, schema: Schema, groups: list[list[int]]
) -> tuple[list[_core.SkeletonNode], list[str]]:
    """Give the nodes as the core reads them, and their conditions in words."""
    reader = _Reader(schema, groups, skeleton.lenient)
    nodes: list[_core.SkeletonNode] = []
    words: list[str] = []
    possible: list[list[int]] = [list(range(len(groups)))]  # of the nodes that were met so far
    for node, place in _nodes(skeleton):
        allowed = reader.allowed(node, place)
        if "column" not in node:
            closed = bool(node.get("closed", False))
            nodes.append((LEAF, -1, 0.0, -1, [], [], closed, allowed))
            words.append("")
            continue
        asked = reader.condition(node, place)
        left = reader.left(possible[len(nodes)], asked.column, place)
        children = [len(possible) + b for b in range(asked.n_branches)]
        possible += [left] * asked.n_branches
        threshold = asked.threshold if asked.kind == THRESHOLD else 0.0
        missing = -1 if asked.missing_to is None else asked.missing_to
        nodes.append(
            (
                asked.kind,
                asked.column,
                threshold,
                missing,
                asked.branch_of.tolist(),
                children,
                False,
                allowed,
            )
        )
        words.append(asked.in_words(schema.columns[asked.column]).describe(0))
    return nodes, words


def warn_of_conditions(left_out: Sequence[str], what: str, *, stacklevel: int) -> None:
    """Warn of conditions that do not divide the rows that reach them; `what` goes on."""
    if not left_out:
        return
    more = f"; and {len(left_out) - 5} more" if len(left_out) > 5 else ""
    warnings.warn(
        f"skeleton: these conditions do not divide the rows that reach them, and are left out: "
        f"{'; '.join(left_out[:5])}{more}. {what} goes on from the branch that has the rows.",
        RamifyWarning,
        stacklevel=stacklevel,
    )
