"""Pruning paths of old model files, in the rows that a path has today.

Until format 4, critical values that differ by rounding alone were steps of their own. They are one
step now, which retires the nodes of all of them; so the last of the old rows stands for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.pruning.path import PruningPath
from ramify.tree import Tree


def in_rows_of_today(given: Any, path: PruningPath, grown: Tree) -> Any:
    """Give the entries of a path with one number per tree of `path`, if they are older."""
    errors = given["error"]
    if given["keys"] != "critical_value" or not isinstance(errors, list):
        return given
    steps = np.unique(_largest_gains(grown))
    if not len(path) < len(errors) == len(steps) + 1:
        return given
    row_of = np.append(0, np.searchsorted(path.thresholds, steps, side="right") - 1)
    last = [int(np.flatnonzero(row_of == row)[-1]) for row in range(len(path))]
    found = dict(given)
    for name in ("error", "standard_error"):
        if isinstance(given[name], list) and len(given[name]) == len(errors):
            found[name] = [given[name][i] for i in last]
    selected = given["selected"]
    if type(selected) is int and 0 <= selected < len(errors):
        # The tree of a row in between is no longer on the path.
        found["selected"] = int(row_of[selected]) if selected in last else None
    return found


def _largest_gains(grown: Tree) -> NDArray[np.float64]:
    """Give, per inner node, the largest gain in its branch."""
    inner = grown.data["n_children"] > 0
    gains = np.where(inner, grown.data["gain"], -np.inf)
    for node in range(grown.n_nodes - 1, -1, -1):
        first, count = grown.data["first_child"][node], grown.data["n_children"][node]
        if count:
            gains[node] = max(gains[node], gains[first : first + count].max())
    return np.asarray(gains[inner], dtype=np.float64)
