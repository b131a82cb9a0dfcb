"""Small trees written by hand, as the arrays that the core takes, and the weather data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from ramify import _core
from ramify.tables import ColumnSchema, Schema
from ramify.tree import Tree

_WEATHER = """
sunny,85,85,false,no|sunny,80,90,true,no|overcast,83,86,false,yes|rainy,70,96,false,yes
rainy,68,80,false,yes|rainy,65,70,true,no|overcast,64,65,true,yes|sunny,72,95,false,no
sunny,69,70,false,yes|rainy,75,80,false,yes|sunny,75,70,true,yes|overcast,72,90,true,yes
overcast,81,75,false,yes|rainy,71,91,true,no
"""


def weather() -> tuple[pd.DataFrame, pd.Series]:
    """The weather data (Shi, table 3.1, with row 13 as the figures need it)."""
    rows = [row.split(",") for row in _WEATHER.strip().replace("\n", "|").split("|")]
    X = pd.DataFrame(
        {
            "outlook": [row[0] for row in rows],
            "temperature": [float(row[1]) for row in rows],
            "humidity": [float(row[2]) for row in rows],
            "windy": [row[3] == "true" for row in rows],
        }
    )
    return X, pd.Series([row[4] for row in rows], name="play")


@dataclass
class N:
    """A node: a leaf has a value; others have a column, children and a threshold or levels."""

    value: Any = None
    column: int = -1
    children: list[N] = field(default_factory=list)
    threshold: float = np.nan
    levels: dict[int, int] = field(default_factory=dict)
    missing_to: int = -1
    multiway: bool = False
    weight_per_row: float = 1.0


def arrays_of(root: N, *, regression: bool = False) -> dict[str, np.ndarray]:
    """Number the nodes level by level and sum the values from the leaves up."""
    order, parent, depth, first = [root], [-1], [0], []
    for i, node in enumerate(order):
        first.append(len(order) if node.children else -1)
        order += node.children
        parent += [i] * len(node.children)
        depth += [depth[i] + 1] * len(node.children)
    n = len(order)
    value = [None if node.children else np.array(node.value, dtype=float) for node in order]
    rows = [0.0] * n
    for i in range(n - 1, -1, -1):
        if order[i].children:
            below = range(first[i], first[i] + len(order[i].children))
            value[i] = sum(value[j] for j in below)
            rows[i] = sum(rows[j] for j in below)
        else:
            total = value[i][0] if regression else value[i].sum()
            rows[i] = total / order[i].weight_per_row
    table = np.array(value)
    weight = table[:, 0] if regression else table.sum(axis=1)
    kind = [
        0 if not node.children else 1 if not np.isnan(node.threshold) else 3 if node.multiway else 2
        for node in order
    ]
    levels = [sorted(node.levels.items()) for node in order]
    mean = table[:, 1] / table[:, 0] if regression else np.full(n, np.nan)
    nothing = np.zeros(0, dtype=np.int32)
    inner = np.array(first) >= 0
    return {
        "parent": np.array(parent, dtype=np.int32),
        "first_child": np.array(first, dtype=np.int32),
        "n_children": np.array([len(node.children) for node in order], dtype=np.int32),
        "depth": np.array(depth, dtype=np.int32),
        "kind": np.array(kind, dtype=np.uint8),
        "attribute": np.array([node.column for node in order], dtype=np.int32),
        "threshold": np.array([node.threshold for node in order], dtype=np.float64),
        "missing_to": np.array([node.missing_to for node in order], dtype=np.int32),
        "proportion": np.array([1.0, *(weight[1:] / weight[parent[1:]])]),
        "rows": np.array(rows).round().astype(np.int64),
        "weight": np.array(weight),
        "impurity": np.zeros(n),
        "gain": np.zeros(n),
        "expansion": np.where(inner, np.cumsum(inner) - 1, -1).astype(np.int32),
        "log_p": np.full(n, np.nan),
        "key": np.full(n, np.nan),
        "prediction": mean,
        "value": table,
        "level_start": np.cumsum([0, *map(len, levels)]).astype(np.int64),
        "level_code": np.array([c for own in levels for c, _ in own], dtype=np.int32),
        "level_branch": np.array([b for own in levels for _, b in own], dtype=np.int32),
        "competitor_start": np.zeros(n + 1, dtype=np.int64),
        "competitor_attribute": nothing,
        "competitor_kind": nothing.astype(np.uint8),
        "competitor_threshold": nothing.astype(np.float64),
        "competitor_gain": nothing.astype(np.float64),
        "competitor_log_p": nothing.astype(np.float64),
        "competitor_missing_to": nothing,
        "competitor_level_start": np.zeros(1, dtype=np.int64),
        "competitor_level_code": nothing,
        "competitor_level_branch": nothing,
    }


SCHEMA = Schema(
    (
        ColumnSchema("age", "numeric"),
        ColumnSchema("size", "ordinal", ("S", "M", "L", "XL")),
        ColumnSchema("city", "nominal", ("Bern", "Oslo", "Paris", "Rome")),
    ),
    named=True,
)


def tree_of(root: N, *, schema: Schema = SCHEMA, classes: Any = ("no", "yes"), **more: Any) -> Tree:
    """A tree of classes; without classes, of numbers."""
    arrays = arrays_of(root, regression=classes is None)
    task = "regression" if classes is None else "classification"
    n_outputs = 1 if classes is None else len(classes)
    core = _core.Tree(task, len(schema.columns), n_outputs, arrays)
    labels = None if classes is None else np.array(classes)
    return Tree(core, schema, task=task, classes=labels, **({"target": "buys"} | more))
