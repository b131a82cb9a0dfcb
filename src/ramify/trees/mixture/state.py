"""A mixture of experts in a model file: coefficients, encoding, and the course of EM."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables import Schema
from ramify.tree import Tree
from ramify.trees.mixture.encoding import Encoding
from ramify.trees.mixture.model import MOST_EXPERTS, Mixture

Floats = NDArray[np.float64]
_ENTRIES = (
    "depth",
    "branching",
    "gates",
    "experts",
    "variances",
    "encoding",
    "loglik_path",
    "held_out_path",
    "objectives",
    "n_iter",
    "converged",
    "stopped_by",
    "hard_tree_agreement",
)
_PATHS = ("loglik_path", "held_out_path", "objectives")
_ENDS = ("tol", "held_out", "max_iter", "time_limit", "interrupt")


def write_mixture(estimator: Any) -> dict[str, Any]:
    """Give the mixture of a fitted estimator as JSON values."""
    mixture, encoding = estimator.mixture_, estimator.encoding_
    found: dict[str, Any] = {
        "depth": mixture.depth,
        "branching": mixture.branching,
        "gates": mixture.gates.ravel().tolist(),
        "experts": mixture.experts.ravel().tolist(),
        "variances": None if mixture.variances is None else mixture.variances.tolist(),
        "encoding": {
            "means": encoding.means.tolist(),
            "scales": encoding.scales.tolist(),
            "shares": [shares.tolist() for shares in encoding.shares],
        },
        "n_iter": estimator.n_iter_,
        "converged": bool(estimator.converged_),
        "stopped_by": estimator.stopped_by_,
        "hard_tree_agreement": estimator.hard_tree_agreement_,
    }
    return found | {name: getattr(estimator, f"{name}_").tolist() for name in _PATHS}


def read_mixture(document: Any, estimator: Any, tree: Tree) -> None:
    """Set the mixture of an estimator; a ValueError names the entry that is wrong."""
    if not isinstance(document, dict) or set(document) != set(_ENTRIES):
        raise ValueError(f"mixture must be an object with {', '.join(_ENTRIES)}")
    encoding = _encoding(document["encoding"], tree.schema)
    mixture = _mixture(document, 0 if tree.classes is None else len(tree.classes), len(encoding))
    paths = {name: _numbers(document[name], f"mixture.{name}") for name in _PATHS}
    if type(document["n_iter"]) is not int or document["n_iter"] < 0:
        raise ValueError("mixture.n_iter must be an integer of at least 0")
    if type(document["converged"]) is not bool:
        raise ValueError("mixture.converged must be true or false")
    if document["stopped_by"] not in _ENDS:
        raise ValueError(f"mixture.stopped_by must be one of {', '.join(_ENDS)}")
    agreement = document["hard_tree_agreement"]
    if type(agreement) not in (int, float) or not 0 <= agreement <= 1:
        raise ValueError("mixture.hard_tree_agreement must be a number from 0 to 1")
    estimator.take_over(mixture, encoding, tree, float(agreement))
    for name, path in paths.items():
        setattr(estimator, f"{name}_", path)
    estimator.n_iter_ = document["n_iter"]
    estimator.converged_ = document["converged"]
    estimator.stopped_by_ = document["stopped_by"]


def _encoding(document: Any, schema: Schema) -> Encoding:
    names = ("means", "scales", "shares")
    if not isinstance(document, dict) or set(document) != set(names):
        raise ValueError(f"mixture.encoding must be an object with {', '.join(names)}")
    means = _numbers(document["means"], "mixture.encoding.means", len(schema))
    scales = _numbers(document["scales"], "mixture.encoding.scales", len(schema), least=0.0)
    if not (scales > 0).all():
        raise ValueError("mixture.encoding.scales must be above 0")
    given = document["shares"]
    if not isinstance(given, list) or len(given) != len(schema):
        raise ValueError(f"mixture.encoding.shares must be {len(schema)} lists")
    shares = tuple(
        _numbers(
            one,
            f"mixture.encoding.shares[{j}]",
            len(column.levels) if column.kind == "nominal" else 0,
            least=0.0,
        )
        for j, (one, column) in enumerate(zip(given, schema.columns, strict=True))
    )
    return Encoding(schema, means, scales, shares)


def _mixture(document: dict[str, Any], n_classes: int, width: int) -> Mixture:
    depth, branching = document["depth"], document["branching"]
    if type(depth) is not int or type(branching) is not int or depth < 0 or branching < 2:
        raise ValueError("mixture.depth and mixture.branching must be integers of at least 0 and 2")
    if depth > 64 or branching**depth > MOST_EXPERTS:
        raise ValueError(f"mixture.depth and mixture.branching make over {MOST_EXPERTS} experts")
    if n_classes == 0 and document["variances"] is None:
        raise ValueError("mixture.variances is missing")
    # Check this before arrays are allocated: a short file must not take much memory.
    n_gates = sum(branching**level for level in range(depth))
    gates = _numbers(document["gates"], "mixture.gates")
    experts = _numbers(document["experts"], "mixture.experts")
    if len(gates) < n_gates * width or (n_classes != 1 and len(experts) < branching**depth):
        raise ValueError("mixture.gates or mixture.experts has too few numbers")
    shape = Mixture.zeros(depth, branching, n_classes, width)
    for name, flat, wanted in (("gates", gates, shape.gates), ("experts", experts, shape.experts)):
        if len(flat) != wanted.size:
            raise ValueError(f"mixture.{name} has {len(flat)} numbers, expected {wanted.size}")
    variances = None
    if n_classes == 0:
        variances = _numbers(document["variances"], "mixture.variances", shape.n_experts, least=0.0)
        if not (variances > 0).all():
            raise ValueError("mixture.variances must be above 0")
    elif document["variances"] is not None:
        raise ValueError("mixture.variances must be null for classes")
    return shape.replace(
        gates.reshape(shape.gates.shape), experts.reshape(shape.experts.shape), variances
    )


def _numbers(
    values: Any, place: str, length: int | None = None, *, least: float = -math.inf
) -> Floats:
    """Turn a list of finite numbers into an array; a ValueError names the entry that is wrong."""
    if not isinstance(values, list) or not set(map(type, values)) <= {int, float}:
        raise ValueError(f"{place} must be a list of numbers")
    if length is not None and len(values) != length:
        raise ValueError(f"{place} has {len(values)} numbers, expected {length}")
    array = np.array(values, dtype=np.float64)
    if not np.isfinite(array).all() or (array < least).any():
        raise ValueError(f"{place} has a number that is out of range")
    return array
