"""A tree as a table: one row per node."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ramify.tables.frame import make_frame
from ramify.tree.data import TreeData
from ramify.tree.text import edge_texts

_KINDS = np.array(["leaf", "threshold", "subset", "multiway"], dtype=object)


def tree_to_frame(tree: TreeData, *, backend: str | None = None) -> Any:
    """The nodes of a tree as a data frame.

    Parameters
    ----------
    tree : Tree
        The tree.
    backend : {"pandas", "polars", "pyarrow"}, optional
        The library of the data frame; None takes the first that is installed, or a dict of lists
        if there is none.
    """
    data = tree.data
    names = np.array([*tree.schema.names, None], dtype=object)
    columns: dict[str, Any] = {
        "node": list(range(tree.n_nodes)),
        "parent": [None if i < 0 else i for i in data["parent"].tolist()],
        "depth": data["depth"].tolist(),
        "condition": edge_texts(tree, max_levels=5, precision=4),
        "kind": _KINDS[data["kind"]].tolist(),
        "attribute": names[data["attribute"]].tolist(),
        "threshold": [None if math.isnan(t) else t for t in data["threshold"].tolist()],
        "n_children": data["n_children"].tolist(),
        "rows": data["rows"].tolist(),
        "weight": data["weight"].tolist(),
        "prediction": _one_type(tree.predictions),
    }
    if tree.task == "classification":
        columns["confidence"] = tree.confidence.tolist()
    else:
        columns["spread"] = tree.spread.tolist()
    columns |= {name: data[name].tolist() for name in ("impurity", "gain", "proportion")}
    columns["expansion"] = [None if i < 0 else i for i in data["expansion"].tolist()]
    columns["value"] = data["value"].tolist()
    return make_frame(columns, backend=backend)


def _one_type(values: list[Any]) -> list[Any]:
    """Labels of several types as strings, since a column of a data frame has one type."""
    types = {type(value) for value in values if value is not None}  # None: the tree abstains
    if len(types) <= 1:
        return values
    return [None if value is None else str(value) for value in values]
