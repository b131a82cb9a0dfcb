"""The arrays of a tree: their names and types, what must hold between them, and their JSON form.

Everything here is vectorised: a tree may have hundreds of thousands of nodes and levels. What
passes ``check_arrays`` can be walked, described and predicted from without further tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ramify.tables import Schema
from ramify.tree.conditions import LEAF, MULTIWAY, SUBSET, THRESHOLD

Arrays: TypeAlias = dict[str, NDArray[Any]]


def flat(costs: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Give costs row after row, as the core takes them."""
    return None if costs is None else np.ascontiguousarray(costs).ravel()


#: Per node: type, and the value that a column has throughout when a model file leaves it out.
NODE_COLUMNS: dict[str, tuple[type, float]] = {
    "first_child": (np.int32, -1),
    "n_children": (np.int32, 0),
    "kind": (np.uint8, 0),
    "attribute": (np.int32, -1),
    "threshold": (np.float64, np.nan),
    "missing_to": (np.int32, -1),
    "proportion": (np.float64, 1.0),
    "rows": (np.int64, 0),
    "weight": (np.float64, 0.0),
    "impurity": (np.float64, 0.0),
    "gain": (np.float64, 0.0),
    "log_p": (np.float64, np.nan),
    "expansion": (np.int32, -1),
    "key": (np.float64, np.nan),
    "prediction": (np.float64, np.nan),
    "spread": (np.float64, np.nan),
}
LEVEL_COLUMNS: dict[str, tuple[type, float]] = {
    "code": (np.int32, 0),
    "branch": (np.int32, 0),
}
COMPETITOR_COLUMNS: dict[str, tuple[type, float]] = {
    "attribute": (np.int32, -1),
    "kind": (np.uint8, 0),
    "threshold": (np.float64, np.nan),
    "gain": (np.float64, 0.0),
    "missing_to": (np.int32, -1),
}
#: Squares of larger numbers cannot be summed: no target is larger, and so no prediction.
LARGEST = 1e140
#: These are needed, so that the size of what is read is bounded by the size of the file.
_REQUIRED = {"nodes": "kind", "levels": "code", "competitors": "kind"}
_WORDS = {None: np.nan, "inf": np.inf, "-inf": -np.inf}


# --- to and from lists ------------------------------------------------------------------------


def to_list(array: NDArray[Any]) -> list[Any]:
    """A list that JSON can hold exactly: NaN becomes None, infinities become words."""
    flat = array.ravel()
    values: list[Any] = flat.tolist()
    if flat.dtype.kind == "f":
        for i in np.flatnonzero(~np.isfinite(flat)).tolist():
            values[i] = None if values[i] != values[i] else ("inf" if values[i] > 0 else "-inf")
    return values


@cache  # asked for every column of every tree
def _limits(dtype: type) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return info.min, info.max


def from_list(values: Any, dtype: type, place: str) -> NDArray[Any]:
    """The array of a list made by :func:`to_list`; ValueError names the place of what is wrong."""
    if not isinstance(values, list):
        raise ValueError(f"{place} must be a list, got {type(values).__name__}")
    kinds = set(map(type, values))
    if np.dtype(dtype).kind != "f":
        if not kinds <= {int}:
            raise ValueError(f"{place} must hold integers only")
        least, most = _limits(dtype)
        if values and not (least <= min(values) and max(values) <= most):
            raise ValueError(f"{place} holds an integer beyond {np.dtype(dtype).name}")
        return np.array(values, dtype=dtype)
    special: list[int] = []
    if not kinds <= {int, float}:
        special = [i for i, v in enumerate(values) if v is None or isinstance(v, str)]
        values = list(values)
        for i in special:
            if values[i] not in _WORDS:
                raise ValueError(f"{place}[{i}] must be a number, null, 'inf' or '-inf'")
            values[i] = _WORDS[values[i]]
        if not set(map(type, values)) <= {int, float}:
            raise ValueError(f"{place} must hold numbers only")
    try:
        array = np.array(values, dtype=np.float64)
    except OverflowError:
        raise ValueError(f"{place} holds a number beyond float64") from None
    if np.count_nonzero(~np.isfinite(array)) != len(special):
        raise ValueError(f"{place} holds a number beyond float64")
    return array


def to_tables(arrays: Arrays) -> dict[str, Any]:
    """The arrays as named lists, without those that follow from others or hold one default."""
    nodes = _table(arrays, "", NODE_COLUMNS, "kind")
    nodes["value"] = to_list(arrays["value"])
    tables = {"nodes": nodes}
    if len(arrays["level_code"]):
        levels = _table(arrays, "level_", LEVEL_COLUMNS, "code")
        tables["levels"] = {"start": arrays["level_start"].tolist(), **levels}
    if len(arrays["competitor_kind"]):
        competitors = _table(arrays, "competitor_", COMPETITOR_COLUMNS, "kind")
        competitors = {"start": arrays["competitor_start"].tolist(), **competitors}
        if len(arrays["competitor_level_code"]):
            for name in ("level_start", "level_code", "level_branch"):
                competitors[name] = arrays[f"competitor_{name}"].tolist()
        tables["competitors"] = competitors
    return tables


def _table(
    arrays: Arrays, prefix: str, columns: Mapping[str, tuple[type, float]], keep: str
) -> dict[str, list[Any]]:
    table = {}
    for name, (_, default) in columns.items():
        array = arrays[prefix + name]
        same = np.isnan(array) if math.isnan(default) else array == default
        if name == keep or not same.all():
            table[name] = to_list(array)
    return table


def from_tables(tables: Mapping[str, Any], width: int) -> Arrays:
    """The arrays of tables made by :func:`to_tables`, every list typed and of the right length.

    Parameters
    ----------
    tables : mapping
        "nodes" and, if they hold anything, "levels" and "competitors".
    width : int
        Number of entries of ``value`` per node.
    """
    nodes = _object(tables.get("nodes"), "nodes", {*NODE_COLUMNS, "value"})
    arrays = _read_table(nodes, "nodes", "", NODE_COLUMNS)
    n = len(arrays["kind"])
    value = from_list(nodes.get("value"), np.float64, "nodes.value")
    if len(value) != n * width:
        raise ValueError(f"nodes.value has {len(value)} entries, expected {n} x {width}")
    arrays["value"] = value.reshape(n, width)

    levels = tables.get("levels", {"start": [0] * (n + 1), "code": []})
    levels = _object(levels, "levels", {"start", *LEVEL_COLUMNS})
    arrays |= _read_table(levels, "levels", "level_", LEVEL_COLUMNS)
    arrays["level_start"] = _read_start(levels, "levels", "start", n, len(arrays["level_code"]))

    names = {"start", "level_start", "level_code", "level_branch", *COMPETITOR_COLUMNS}
    competitors = tables.get("competitors", {"start": [0] * (n + 1), "kind": []})
    competitors = _object(competitors, "competitors", names)
    arrays |= _read_table(competitors, "competitors", "competitor_", COMPETITOR_COLUMNS)
    m = len(arrays["competitor_kind"])
    arrays["competitor_start"] = _read_start(competitors, "competitors", "start", n, m)
    competitors = {"level_start": [0] * (m + 1), "level_code": [], "level_branch": []} | competitors
    for name in ("level_code", "level_branch"):
        arrays[f"competitor_{name}"] = from_list(competitors[name], np.int32, f"competitors.{name}")
    size = len(arrays["competitor_level_code"])
    _same_length(arrays["competitor_level_branch"], size, "competitors.level_branch")
    arrays["competitor_level_start"] = _read_start(
        competitors, "competitors", "level_start", m, size
    )
    arrays |= _parents_and_depths(arrays["first_child"], arrays["n_children"])
    return arrays


def without_competitors(
    nodes: Mapping[str, Any], value: NDArray[np.float64], levels: Mapping[str, Any]
) -> Arrays:
    """The arrays of a tree just made, which needs no proof that it is one.

    Parameters
    ----------
    nodes : mapping
        Columns of the nodes, and the parent of each; those left out have their default.
    value : ndarray of shape (nodes, width)
        Sums of every node.
    levels : mapping
        Columns of the levels, and "start".
    """
    n = len(value)
    arrays: Arrays = {
        name: np.array(nodes[name], dtype) if name in nodes else np.full(n, default, dtype)
        for name, (dtype, default) in NODE_COLUMNS.items()
    }
    arrays |= {f"level_{name}": np.array(levels[name], t) for name, (t, _) in LEVEL_COLUMNS.items()}
    for name, (dtype, _) in COMPETITOR_COLUMNS.items():
        arrays[f"competitor_{name}"] = np.empty(0, dtype)
    depth = [0]
    for above in nodes["parent"][1:]:
        depth.append(depth[above] + 1)
    return arrays | {
        "parent": np.array(nodes["parent"], np.int32),
        "depth": np.array(depth, np.int32),
        "value": value,
        "level_start": np.array(levels["start"], np.int64),
        "competitor_start": np.zeros(n + 1, np.int64),
        "competitor_level_start": np.zeros(1, np.int64),
        "competitor_level_code": np.empty(0, np.int32),
        "competitor_level_branch": np.empty(0, np.int32),
    }


def _object(value: Any, place: str, known: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{place} must be an object")
    if unknown := sorted(set(value) - known):
        raise ValueError(f"{place} has an unknown entry {unknown[0]!r}")
    return value


def _read_table(
    table: dict[str, Any], place: str, prefix: str, columns: Mapping[str, tuple[type, float]]
) -> Arrays:
    required = _REQUIRED[place]
    if required not in table:
        raise ValueError(f"{place}.{required} is missing")
    n = len(from_list(table[required], columns[required][0], f"{place}.{required}"))
    arrays: Arrays = {}
    for name, (dtype, default) in columns.items():
        if name in table:
            arrays[prefix + name] = from_list(table[name], dtype, f"{place}.{name}")
            _same_length(arrays[prefix + name], n, f"{place}.{name}")
        else:
            arrays[prefix + name] = np.full(n, default, dtype=dtype)
    return arrays


def _same_length(array: NDArray[Any], n: int, place: str) -> None:
    if len(array) != n:
        raise ValueError(f"{place} has {len(array)} entries, expected {n}")


def _read_start(
    table: dict[str, Any], place: str, name: str, n: int, total: int
) -> NDArray[np.int64]:
    start = from_list(table.get(name), np.int64, f"{place}.{name}")
    _same_length(start, n + 1, f"{place}.{name}")
    if start[0] != 0 or start[-1] != total or (np.diff(start) < 0).any():
        raise ValueError(f"{place}.{name} must rise from 0 to {total}")
    return start


def _parents_and_depths(first: NDArray[np.int32], count: NDArray[np.int32]) -> Arrays:
    """Follow from the children; also proves that these form one tree with parents before them."""
    n = len(first)
    if n == 0:
        raise ValueError("nodes must hold at least a root")
    _require((count >= 0) & ((count == 0) == (first == -1)), "nodes", "first_child, n_children")
    inner = np.flatnonzero(count)
    _require(first[inner] > inner, "inner nodes", "first_child", "must come after its node")
    order = inner[np.argsort(first[inner], kind="stable")]
    ends = np.cumsum(np.append(1, count[order].astype(np.int64)))
    if ends[-1] != n or (ends[:-1] != first[order]).any():
        raise ValueError("nodes.first_child, n_children: each node but the root needs one parent")
    parent = np.full(n, -1, dtype=np.int32)
    parent[1:] = np.repeat(order, count[order])
    depth = [0] * n
    for child, above in enumerate(parent[1:].tolist(), start=1):
        depth[child] = depth[above] + 1
    return {"parent": parent, "depth": np.array(depth, dtype=np.int32)}


# --- what must hold ---------------------------------------------------------------------------


def _require(good: NDArray[np.bool_], table: str, name: str, why: str = "is out of range") -> None:
    """Name the first place where something that must hold does not."""
    bad = np.flatnonzero(~good)
    if len(bad):
        raise ValueError(f"{table}: {name} {why} at position {bad[0]}")


def complete(arrays: Arrays, task: str) -> Arrays:
    """Give arrays with what a file may leave out and the nodes tell.

    A tree without the order of its expansions has that of its children's numbers, which is the
    order of growth: nodes are numbered as they come to be. An inner node of a regression without
    a prediction has the mean of its rows.
    """
    arrays = dict(arrays)
    inner = np.flatnonzero(arrays["n_children"])
    if (arrays["expansion"] == -1).all():
        order = inner[np.argsort(arrays["first_child"][inner], kind="stable")]
        arrays["expansion"] = np.full(len(arrays["expansion"]), -1, dtype=np.int32)
        arrays["expansion"][order] = np.arange(len(order), dtype=np.int32)
    value, prediction = arrays["value"], arrays["prediction"]
    open_nodes = inner[np.isnan(prediction[inner])]
    if len(open_nodes) and task == "regression":
        arrays["prediction"] = prediction.copy()
        with np.errstate(all="ignore"):
            arrays["prediction"][open_nodes] = value[open_nodes, 1] / value[open_nodes, 0]
    return arrays


def check_arrays(arrays: Arrays, schema: Schema, task: str) -> None:
    """Raise ValueError unless every code, question and number is one that the schema allows.

    What needs no schema the core has checked. That the weights of children add up is not compared
    here; that is for the core's own check.
    """
    kind, count, value = arrays["kind"], arrays["n_children"], arrays["value"]
    weight, leaf = arrays["weight"], kind == LEAF
    _require(leaf == (arrays["attribute"] == -1), "nodes", "attribute", "must be -1 at leaves only")
    _require(np.isfinite(value).ravel(), "nodes", "value", "must be finite")
    if task == "classification":
        _require((value >= 0).ravel(), "nodes", "value", "must not be negative")
    else:
        _require(np.isfinite(arrays["impurity"]), "nodes", "impurity", "must be finite")
        _require(np.abs(arrays["prediction"]) <= LARGEST, "nodes", "prediction", "is no target")
    with np.errstate(over="ignore", invalid="ignore"):
        total = value.sum(axis=1) if task == "classification" else value[:, 0]
        sums = (weight * arrays["gain"]) * len(weight)
        same = np.isclose(total, weight, 1e-6, 1e-9)
    _require(same, "nodes", "weight", "is not the sum of value")
    _require(weight[:1] > 0, "nodes", "weight", "must be above 0")
    _require(np.isfinite(sums), "nodes", "gain", "is beyond what can be summed")
    _check_conditions(arrays, "", "nodes", schema, count)

    kinds = arrays["competitor_kind"]
    _require((kinds > LEAF) & (kinds <= MULTIWAY), "competitors", "kind")
    # A multiway competitor has a branch per level and perhaps one for missing values.
    branches = np.where(kinds == MULTIWAY, np.diff(arrays["competitor_level_start"]) + 1, 2)
    _check_conditions(arrays, "competitor_", "competitors", schema, branches)


def _check_conditions(
    arrays: Arrays, prefix: str, table: str, schema: Schema, n_branches: NDArray[Any]
) -> None:
    kind, attribute = arrays[prefix + "kind"], arrays[prefix + "attribute"]
    threshold, missing_to = arrays[prefix + "threshold"], arrays[prefix + "missing_to"]
    # One more entry at the end stands for the attribute -1 of leaves.
    n_levels = np.array([len(column.levels) for column in schema.columns] + [0])
    nominal = np.array([column.kind == "nominal" for column in schema.columns] + [False])
    numeric = np.array([column.kind == "numeric" for column in schema.columns] + [False])
    _require((attribute >= -1) & (attribute < len(schema.columns)), table, "attribute")
    _require((kind == LEAF) == (attribute == -1), table, "attribute")
    asks_order = kind == THRESHOLD
    _require(np.isnan(threshold) != asks_order, table, "threshold", "does not fit the kind")
    # A nominal column has no order; only "is it known?" can be asked with a threshold.
    orderable = ~nominal[attribute] | (threshold == np.inf)
    _require(~asks_order | orderable, table, "kind", "asks for an order the column has not")
    sets = (kind == SUBSET) | (kind == MULTIWAY)
    _require(~(sets & numeric[attribute]), table, "kind", "asks a numeric column for levels")
    _require((missing_to >= -1) & (missing_to < np.maximum(n_branches, 0)), table, "missing_to")

    start, code = arrays[prefix + "level_start"], arrays[prefix + "level_code"]
    branch = arrays[prefix + "level_branch"]
    owner = np.repeat(np.arange(len(kind)), np.diff(start))
    _require(sets[owner], f"levels of {table}", "start", "gives levels to a node without a set")
    _require((code >= 0) & (code < n_levels[attribute[owner]]), f"levels of {table}", "code")
    rising = np.ones(len(code), dtype=bool)
    rising[1:] = (code[1:] > code[:-1]) | (owner[1:] != owner[:-1])
    _require(rising, f"levels of {table}", "code", "must rise within a node")
    _require((branch >= 0) & (branch < n_branches[owner]), f"levels of {table}", "branch")
