"""The arrays of a tree as lists that JSON can hold, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tree.array_checks import parents_and_depths
from ramify.tree.arrays import COMPETITOR_COLUMNS, LEVEL_COLUMNS, NODE_COLUMNS, Arrays

#: Columns that must be there: what is read is then no larger than the file.
_REQUIRED = {"nodes": "kind", "levels": "code", "competitors": "kind"}
_WORDS = {None: np.nan, "inf": np.inf, "-inf": -np.inf}


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
    """The array of a list that :func:`to_list` made; ValueError says what is wrong, and where."""
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
    """The arrays as named lists, without those that follow from others or hold only the default."""
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
    """The arrays of tables that :func:`to_tables` made; types and lengths are checked.

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
    arrays |= parents_and_depths(arrays["first_child"], arrays["n_children"])
    return arrays


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
