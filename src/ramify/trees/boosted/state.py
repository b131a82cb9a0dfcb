"""Boosted trees in a model file: the trees in order, their weights, the losses."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ramify.tables import Schema, Unseen
from ramify.tables.values import encode_array
from ramify.tree import Tree
from ramify.tree.arrays import LARGEST
from ramify.tree.as_dict import read_body
from ramify.trees.boosted.algorithms import ALGORITHMS
from ramify.trees.boosted.rounds import STOPPED

_ENTRIES = (
    "algorithm",
    "z_max",
    "unseen",
    "stopped",
    "weights",
    "train_loss",
    "held_out_loss",
    "trees",
)
_OPTIONAL = ("leaves",)  # files of earlier releases have none
_SHARED_BY_TREES = ("schema", "classes")  # written once for the whole file


def write_boosting(estimator: Any) -> dict[str, Any]:
    """Give the state of a fitted estimator as JSON values."""
    trees = [tree.to_dict() for tree in estimator.estimators_]
    held_out = getattr(estimator, "validation_score_", None)
    return {
        "schema": estimator.schema_.to_dict(),
        "classes": encode_array(estimator.classes_),
        "boosting": {
            **estimator._fitted_with,
            "leaves": _write_leaves(estimator),
            "stopped": estimator.stopped_,
            "weights": estimator.estimator_weights_.tolist(),
            "train_loss": estimator.train_score_.tolist(),
            "held_out_loss": None if held_out is None else held_out.tolist(),
            "trees": [
                {key: tree[key] for key in tree if key not in _SHARED_BY_TREES} for tree in trees
            ],
        },
    }


def read_boosting(
    boosting: Any, estimator: Any, schema: Schema, classes: NDArray[Any] | None
) -> None:
    """Set the fitted state of an estimator; a ValueError names the entry that is wrong."""
    if classes is None:
        raise ValueError("boosted trees need classes")
    if not isinstance(boosting, dict) or set(boosting) - set(_OPTIONAL) != set(_ENTRIES):
        raise ValueError(f"boosting must be an object with {', '.join(_ENTRIES)}")
    for name, choices in (
        ("algorithm", tuple(ALGORITHMS)),
        ("unseen", get_args(Unseen)),
        ("stopped", STOPPED),
    ):
        if boosting[name] not in choices:
            raise ValueError(
                f"boosting.{name}={boosting[name]!r:.80} is unknown; valid choices: "
                f"{', '.join(choices)}"
            )
    z_max = _numbers([boosting["z_max"]], "z_max", LARGEST)[0]
    if z_max <= 0:
        raise ValueError(f"boosting.z_max={z_max!r} must be above 0")
    weights = np.array(_numbers(boosting["weights"], "weights", LARGEST))
    trees = _read_trees(boosting, schema, classes)
    if len(trees) != len(weights):
        raise ValueError(f"boosting: {len(trees)} trees have {len(weights)} weights")
    estimator.take_over(
        trees,
        weights,
        schema,
        classes,
        algorithm=boosting["algorithm"],
        z_max=float(z_max),
        unseen=boosting["unseen"],
    )
    estimator.take_over_size(*_read_leaves(boosting, estimator))
    estimator.stopped_ = boosting["stopped"]
    estimator.train_score_ = np.array(_numbers(boosting["train_loss"], "train_loss"))
    if boosting["held_out_loss"] is not None:
        losses = _numbers(boosting["held_out_loss"], "held_out_loss")
        estimator.validation_score_ = np.array(losses)


def _write_leaves(estimator: Any) -> dict[str, Any]:
    path = getattr(estimator, "max_leaves_path_", None)
    columns = ("error", "standard_error")
    return {
        "chosen": estimator.max_leaves_,
        "sizes": None if path is None else list(path["max_leaves"]),
        **{name: None if path is None else path[name].tolist() for name in columns},
    }


def _read_leaves(
    boosting: dict[str, Any], estimator: Any
) -> tuple[int | None, dict[str, Any] | None]:
    """Read the size of the trees, and the errors by which it was chosen, if it was."""
    if "leaves" not in boosting:
        return estimator.max_leaves, None
    leaves, names = boosting["leaves"], ("chosen", "sizes", "error", "standard_error")
    if not isinstance(leaves, dict) or set(leaves) != set(names):
        raise ValueError(f"boosting.leaves must be an object with {', '.join(names)}")
    (chosen,) = _sizes([leaves["chosen"]])
    if leaves["sizes"] is None:
        return chosen, None
    sizes = _sizes(leaves["sizes"])
    if chosen not in sizes:
        raise ValueError(f"boosting.leaves.chosen={chosen!r:.80} is not one of sizes")
    columns = {name: np.array(_numbers(leaves[name], f"leaves.{name}")) for name in names[2:]}
    if any(len(column) != len(sizes) for column in columns.values()):
        raise ValueError(f"boosting.leaves: there must be {len(sizes)} errors, one per size")
    return chosen, {"max_leaves": sizes, **columns}


def _sizes(values: Any) -> list[int | None]:
    if not isinstance(values, list) or not all(
        size is None or (type(size) is int and size >= 2) for size in values
    ):
        raise ValueError("boosting.leaves: sizes must be null or integers of at least 2")
    return values


def _read_trees(boosting: dict[str, Any], schema: Schema, classes: NDArray[Any]) -> list[Tree]:
    if not isinstance(boosting["trees"], list):
        raise ValueError("boosting.trees must be a list")
    kind = ALGORITHMS[boosting["algorithm"]]
    task = "classification" if kind.of_classes else "regression"
    per_round = kind(max(len(classes), 2), 1.0).n_trees
    if len(boosting["trees"]) % per_round or (len(classes) == 1 and boosting["trees"]):
        raise ValueError(
            f"boosting.trees: {len(boosting['trees'])} trees do not make rounds of {per_round} for "
            f"{len(classes)} classes"
        )
    trees = []
    for i, given in enumerate(boosting["trees"]):
        if not isinstance(given, dict) or given.keys() & set(_SHARED_BY_TREES):
            raise ValueError(f"boosting.trees[{i}] must be a tree without schema and classes")
        if given.get("task") != task or given.get("costs") is not None:
            raise ValueError(
                f"boosting.trees[{i}] must be a tree of {task} without costs, for "
                f"algorithm {boosting['algorithm']!r}"
            )
        try:
            parts = read_body(given, schema, classes if kind.of_classes else None)
        except ValueError as error:
            raise ValueError(f"boosting.trees[{i}]: {error}") from None
        trees.append(Tree(**parts))
    return trees


def _numbers(values: Any, name: str, most: float = np.finfo(np.float64).max) -> list[float]:
    if not isinstance(values, list) or not all(
        type(value) in (int, float) and abs(value) <= most for value in values
    ):
        raise ValueError(f"boosting.{name} must be finite numbers of at most {most:.3g}")
    return [float(value) for value in values]
