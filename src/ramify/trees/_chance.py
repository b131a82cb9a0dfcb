"""What the splits of a tree gain by chance: the same searches, node by node, on shuffled targets.

A column with many values gains much where nothing can be gained. How much, depends on the rows and
classes of the node alone, that is, on the margins of its contingency table; so every split is
judged at its own node, by searches of its own column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tables import Columns, Schema
from ramify.tree import Tree
from ramify.trees._core_table import as_core

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
# The problem of splitting once by a column, given with its schema: the rows of the cells, those
# whose targets they get, and the share that a row has in the node.
Stump = Callable[[Schema, Columns, Rows, Rows, Floats], _core.Problem]

_REACH = 4.0  # standard deviations of a gain by chance that are thinkable
_MOST_SEARCHES = 5_000  # in all; a sum over thousands of nodes needs few of each


def chance_gains(
    tree: Tree, columns: Columns, stump: Stump, n_permutations: int, rng: np.random.Generator
) -> Floats:
    """Give the gain of every split that is to be expected if its column says nothing.

    Given that it was chosen, that is: where chance alone may have let it beat the second best of
    the node, only gains that do so count.
    """
    arrays = tree.data
    inner = np.flatnonzero(arrays["kind"] > 0)
    expected = np.zeros(len(arrays["kind"]))
    searches = max(1, min(n_permutations, _MOST_SEARCHES // max(1, len(inner))))
    for node, rows, share in _nodes(tree, columns):
        attribute = int(arrays["attribute"][node])
        schema = Schema((tree.schema.columns[attribute],), named=tree.schema.named)
        cells = np.ascontiguousarray(columns.column(attribute)[rows])
        column = Columns(n_rows=len(rows), arrays=[cells])
        found = np.zeros(searches)
        for i in range(searches):
            problem = stump(schema, column, rows, rows[rng.permutation(len(rows))], share)
            found[i] = _core.grow(problem, consume=True).arrays()["gain"][0]
        expected[node] = _mean_above(found, _second_best(arrays, node))
    return expected


def _mean_above(found: Floats, least: float) -> float:
    """Give the mean of the gains above a least one, as far as they may come there by chance."""
    winning = found[found >= least]
    if len(winning):
        return float(winning.mean())
    within_reach = least <= found.mean() + _REACH * found.std()
    return least if within_reach else float(found.mean())


def _second_best(arrays: Mapping[str, NDArray[Any]], node: int) -> float:
    first, end = arrays["competitor_start"][node : node + 2]
    return float(arrays["competitor_gain"][first]) if end > first else -np.inf


def _nodes(tree: Tree, columns: Columns) -> Iterator[tuple[int, Rows, Floats]]:
    """Give every inner node, the rows that pass through it and how much of each does."""
    indptr, indices = tree.core.paths(as_core(columns), tree.unseen)
    order = np.argsort(indices, kind="stable")
    row_of = np.repeat(np.arange(columns.n_rows), np.diff(indptr))[order]
    ends = np.searchsorted(indices[order], np.arange(tree.n_nodes + 1))
    arrays = tree.data
    shares: dict[int, Floats] = {0: np.ones(ends[1] - ends[0])}
    for node in np.flatnonzero(arrays["kind"] > 0).tolist():
        rows, share = row_of[ends[node] : ends[node + 1]], shares.pop(node)
        yield node, rows, share
        first = int(arrays["first_child"][node])
        children = range(first, first + int(arrays["n_children"][node]))
        passing = row_of[ends[first] : ends[children[-1] + 1]]
        whole = len(passing) == len(rows)  # no row is spread over several branches
        times = None if whole else np.bincount(passing, minlength=columns.n_rows)
        for child in children:
            if arrays["kind"][child] == 0:
                continue
            below = row_of[ends[child] : ends[child + 1]]
            part = share[np.searchsorted(rows, below)]
            if times is not None:
                part = np.where(times[below] > 1, part * arrays["proportion"][child], part)
            shares[child] = part
