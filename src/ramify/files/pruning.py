"""What a model file keeps of a pruning: the tree that was grown, and the path it was cut along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ramify import _core
from ramify.pruning.path import GROWTHS, RULES_OF_KEYS, Floats, PruningPath, sequence
from ramify.tables.values import decode, encode
from ramify.tree import Tree

_PATH = ("keys", "growth", "selected", "error", "standard_error")
#: What tells one question of a tree from another.
_QUESTIONS = (
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


def write_pruning(estimator: Any) -> dict[str, Any] | None:
    """What pruning started from, so that the loaded tree can be pruned otherwise."""
    grown, path = estimator._grown, estimator._path
    if grown is estimator.tree_:
        return None
    tree = grown.to_dict()
    document = {"grown": {key: tree[key] for key in tree if key not in ("schema", "classes")}}
    if path is not None:
        document["path"] = {
            "keys": path.rule_of_keys,
            "growth": path.growth,
            "selected": path.selected,
            "error": encode(path.error.tolist()),
            "standard_error": encode(path.standard_error.tolist()),
        }
    return document


def read_pruning_of(
    document: Any, tree: Tree, read: Callable[[Any, str], Tree]
) -> tuple[Tree, PruningPath | None]:
    """The grown tree and the path that a tree was cut along; ValueError names what is wrong.

    Parameters
    ----------
    document : object
        The entry ``pruning`` of a model file.
    tree : Tree
        The one that was cut.
    read : callable
        Reads another tree of the same columns and classes, and is told its place in the file.
    """
    if not isinstance(document, dict) or not isinstance(document.get("grown"), dict):
        raise ValueError("pruning must be an object with grown")
    if unknown := sorted(document.keys() - {"grown", "path"}):
        raise ValueError(f"pruning has an unknown entry {unknown[0]!r}")
    grown = read(document["grown"], "pruning.grown")
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
    if not isinstance(given, dict) or set(given) != set(_PATH):
        raise ValueError(f"pruning.path must have {', '.join(_PATH)}")
    for name, choices in (("keys", RULES_OF_KEYS), ("growth", GROWTHS)):
        if given[name] not in choices:
            raise ValueError(
                f"pruning.path.{name}={given[name]!r:.80} is unknown; valid choices: "
                f"{', '.join(choices)}"
            )
    try:
        path = sequence(grown.core, given["keys"], given["growth"], grown.costs)
    except ValueError as why:
        raise ValueError(f"pruning.path.keys={given['keys']!r}: {why}") from None
    error = _numbers(given["error"], "pruning.path.error")
    # Trees of folds may have had more expansions than the whole tree.
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
    """Whether the tree asks what the tree of the path asks that it is said to be."""
    wanted = cut.arrays()
    for name in _QUESTIONS:
        if not np.array_equal(tree.data[name], wanted[name], equal_nan=name == "threshold"):
            raise ValueError(
                f"pruning.path.selected={row}: that tree of pruning.grown differs from tree "
                f"in {name}"
            )
