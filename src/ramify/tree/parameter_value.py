"""How a model file holds a tree that is the value of a parameter, such as the start of a search."""

from __future__ import annotations

from typing import Any

from ramify.tables.values import hold_form
from ramify.tree.tree import Tree

_BESIDE = ("schema", "classes")  # they stand beside the tree, as in a model file


def _write(value: Any) -> dict[str, Any] | None:
    """Write a tree, or the tree of a fitted estimator, with its columns and classes beside it."""
    tree = value if isinstance(value, Tree) else getattr(value, "tree_", None)
    if not isinstance(tree, Tree):
        return None
    document = tree.to_dict()
    parts = {name: document.pop(name) for name in _BESIDE}
    return {**parts, "tree": document}


def _read(value: dict[str, Any], place: str) -> Tree:
    """Read the tree that was written; ValueError names the place of anything else."""
    tree = value.get("tree")
    if not isinstance(tree, dict) or set(value) != {"type", "tree", *_BESIDE}:
        raise ValueError(f"{place} must be a tree with {' and '.join(_BESIDE)}")
    if tree.keys() & set(_BESIDE):
        raise ValueError(f"{place} must be a tree with {' and '.join(_BESIDE)}")
    try:
        return Tree.from_dict(tree | {name: value[name] for name in _BESIDE})
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


hold_form("tree", _write, _read)
