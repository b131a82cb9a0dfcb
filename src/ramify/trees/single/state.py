"""A fitted tree as entries of a model file: the tree, the grown tree, and the pruning path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.pruning.path import GROWTHS, RETIREMENTS, Floats, PruningPath, sequence
from ramify.tables import Schema
from ramify.tables.values import decode, encode
from ramify.tree import Tree
from ramify.tree.as_dict import read_body, read_classes
from ramify.trees.single.fitted import FittedTree
from ramify.trees.single.former_paths import in_rows_of_today

_PATH_ENTRIES = ("keys", "growth", "selected", "error", "standard_error")
#: The arrays that hold the conditions of a tree.
_CONDITION_ARRAYS = (
    "first_child",
    "n_children",
    "kind",
    "attribute",
    "threshold",
    "missing_to",
    "level_start",
    "level_code",
    "level_branch",
)


def write_fitted(fitted: FittedTree) -> dict[str, Any]:
    """Give the tree and, if it was pruned, the grown tree, so that it can be pruned again."""
    tree = fitted.tree.to_dict()
    state = {"schema": tree.pop("schema"), "classes": tree.pop("classes"), "tree": tree}
    if fitted.pruned:
        state["pruning"] = _write_pruning(fitted.grown, fitted.path)
    return state


def _write_pruning(grown: Tree, path: PruningPath | None) -> dict[str, Any]:
    tree = grown.to_dict()
    document = {"grown": {key: tree[key] for key in tree if key not in ("schema", "classes")}}
    if path is not None:
        document["path"] = {
            "keys": path.retirement,
            "growth": path.growth,
            "selected": path.selected,
            "error": encode(path.error.tolist()),
            "standard_error": encode(path.standard_error.tolist()),
        }
    return document


def read_fitted(state: dict[str, Any], *, growth: str) -> FittedTree:
    """Give the fitted tree of a model file; a ValueError names what is wrong.

    Parameters
    ----------
    state : dict
        The entries ``schema``, ``classes``, ``tree`` and, if there is one, ``pruning``.
    growth : str
        The order in which the tree was grown.
    """
    tree = read_tree_of(state)
    if "pruning" not in state:
        return FittedTree(tree, tree, None, growth)
    grown, path = _read_pruning(state["pruning"], tree)
    return FittedTree(tree, grown, path, growth)


def read_tree_of(state: dict[str, Any]) -> Tree:
    """Give the tree of a model file, with its columns and classes."""
    schema, classes = Schema.from_dict(state["schema"]), read_classes(state["classes"])
    return _read_tree(state["tree"], "tree", schema, classes)


def _read_tree(given: Any, place: str, schema: Schema, classes: NDArray[Any] | None) -> Tree:
    """Give a tree of the file; an error names its place in the file."""
    if not isinstance(given, dict):
        raise ValueError(f"{place} must be an object")
    try:
        return Tree(**read_body(given, schema, classes))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _read_pruning(document: Any, tree: Tree) -> tuple[Tree, PruningPath | None]:
    """Give the grown tree and the path that a tree was cut along."""
    if not isinstance(document, dict) or not isinstance(document.get("grown"), dict):
        raise ValueError("pruning must be an object with grown")
    if unknown := sorted(document.keys() - {"grown", "path"}):
        raise ValueError(f"pruning has an unknown entry {unknown[0]!r}")
    grown = _read_tree(document["grown"], "pruning.grown", tree.schema, tree.classes)
    for part in ("task", "target", "unseen"):
        if getattr(grown, part) != getattr(tree, part):
            raise ValueError(f"pruning.grown has another {part} than tree")
    if not _same_costs(grown.costs, tree.costs):
        raise ValueError("pruning.grown has other costs than tree")
    if "path" not in document:
        return grown, None
    path = _read_path(document["path"], grown)
    if path.selected is not None:
        _check_cut(tree, path.cut(grown.core, path.selected), path.selected)
    return grown, path


def _same_costs(one: Floats | None, other: Floats | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def _read_path(given: Any, grown: Tree) -> PruningPath:
    if not isinstance(given, dict) or set(given) != set(_PATH_ENTRIES):
        raise ValueError(f"pruning.path must have {', '.join(_PATH_ENTRIES)}")
    for name, choices in (("keys", RETIREMENTS), ("growth", GROWTHS)):
        if given[name] not in choices:
            raise ValueError(
                f"pruning.path.{name}={given[name]!r:.80} is unknown; valid choices: "
                f"{', '.join(choices)}"
            )
    try:
        path = sequence(grown.core, given["keys"], given["growth"], grown.costs)
    except ValueError as why:
        raise ValueError(f"pruning.path.keys={given['keys']!r}: {why}") from None
    given = in_rows_of_today(given, path, grown)
    error = _numbers(given["error"], "pruning.path.error")
    # Trees of folds may have more expansions than the whole tree.
    if not len(error) >= len(path) or (len(error) > len(path) and path.key_name != "expansions"):
        raise ValueError(f"pruning.path.error must be {len(path)} numbers")
    standard_error = _numbers(given["standard_error"], "pruning.path.standard_error")
    if len(standard_error) != len(error):
        raise ValueError(f"pruning.path.standard_error must be {len(error)} numbers")
    if np.isinf(error).any():
        raise ValueError("pruning.path.error must be finite, or NaN where it is not known")
    if not (np.isnan(error) | (standard_error >= 0)).all():
        raise ValueError("pruning.path.standard_error must be 0 or above where there is an error")
    path = path.with_errors(error, standard_error)
    row = given["selected"]
    if row is None:
        return path
    if type(row) is not int or not 0 <= row < len(path):
        raise ValueError(f"pruning.path.selected={row!r:.80} is not a tree of the path")
    return path.select(row)


def _numbers(given: Any, place: str) -> Floats:
    values = decode(given, place)
    if not isinstance(values, list) or not all(type(value) is float for value in values):
        raise ValueError(f"{place} must be numbers")
    return np.array(values, dtype=np.float64)


def _check_cut(tree: Tree, cut: _core.Tree, row: int) -> None:
    """Refuse a tree whose conditions differ from those of the selected tree of the path."""
    wanted = cut.arrays()
    for name in _CONDITION_ARRAYS:
        if not np.array_equal(tree.data[name], wanted[name], equal_nan=name == "threshold"):
            raise ValueError(
                f"pruning.path.selected={row}: this tree of the path differs from tree in {name}"
            )
