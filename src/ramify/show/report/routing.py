"""Which rows come to which node, and how much of each: the walk of a table down a tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ramify.tables import Table
from ramify.tables.levels import MISSING
from ramify.tree import Tree
from ramify.tree.conditions import THRESHOLD, CodedCondition, ConditionReader


class Arrived(NamedTuple):
    """The rows at a node.

    Parameters
    ----------
    node : int
    rows : ndarray
        Their places in the table, in rising order.
    parts : ndarray
        The part of each row: less than 1 if a missing value has divided it above.
    """

    node: int
    rows: NDArray[np.int64]
    parts: NDArray[np.float64]


def arrivals(tree: Tree, inner: NDArray[np.bool_], table: Table) -> Iterator[Arrived]:
    """Walk all rows down a tree and give what arrives at every node, parents first.

    Parameters
    ----------
    tree : Tree
    inner : ndarray
        Per node whether it asks; the walk ends at others.
    table : Table
        Encoded rows.
    """
    conditions = ConditionReader(tree.data, tree.schema)
    first, proportion = tree.data["first_child"], tree.data["proportion"]
    stack = [Arrived(0, np.arange(table.n_rows), np.ones(table.n_rows))]
    while stack:
        here = stack.pop()
        yield here
        if not inner[here.node] or not len(here.rows):
            continue
        asked = conditions.coded(here.node)
        children = np.arange(asked.n_branches) + int(first[here.node])
        shares = np.asarray(proportion[children], dtype=np.float64)
        taken = branch_taken(tree, asked, table, here.rows, shares)
        for branch in range(asked.n_branches - 1, -1, -1):
            here_now = (taken == branch) | (taken < 0) if shares[branch] > 0 else taken == branch
            parts = here.parts[here_now]
            divided = taken[here_now] < 0
            parts = np.where(divided, parts * shares[branch], parts)
            stack.append(Arrived(int(children[branch]), here.rows[here_now], parts))


def branch_taken(
    tree: Tree,
    asked: CodedCondition,
    table: Table,
    rows: NDArray[np.int64],
    shares: NDArray[np.float64],
) -> NDArray[np.int64]:
    """The branch that each row takes at a node; -1 if it goes down all of them in part."""
    cells = table.column(asked.column)[rows]
    missing_to = -1 if asked.missing_to is None else asked.missing_to
    numeric = tree.schema.columns[asked.column].kind == "numeric"
    if asked.kind == THRESHOLD:
        taken = np.asarray(cells > asked.threshold, dtype=np.int64)
        strange = np.isnan(cells) if numeric else cells < 0
    else:
        of_code = np.full(len(tree.schema.columns[asked.column].levels), -1, dtype=np.int64)
        of_code[asked.codes] = asked.branch_of
        taken = np.where(cells >= 0, of_code[np.maximum(cells, 0)], -1)
        strange = taken < 0
    if not strange.any():
        return taken
    # A level that was not seen goes where `unseen` says; a missing value has its own way.
    other = missing_to if tree.unseen == "missing" else int(np.argmax(shares))
    missing = strange if numeric else cells == MISSING
    return np.where(strange, np.where(missing, missing_to, other), taken)


def arrived_at(tree: Tree, node: int, table: Table) -> Arrived:
    """Give what arrives at one node; the rows of other branches are not followed."""
    way, parent = [node], tree.data["parent"]
    while (above := int(parent[way[-1]])) >= 0:
        way.append(above)
    way.reverse()
    conditions = ConditionReader(tree.data, tree.schema)
    first, proportion = tree.data["first_child"], tree.data["proportion"]
    here = Arrived(0, np.arange(table.n_rows), np.ones(table.n_rows))
    for above, below in pairwise(way):
        asked = conditions.coded(above)
        start = int(first[above])
        shares = np.asarray(proportion[start : start + asked.n_branches], dtype=np.float64)
        taken = branch_taken(tree, asked, table, here.rows, shares)
        branch, share = below - start, float(shares[below - start])
        stays = (taken == branch) | (taken < 0) if share > 0 else taken == branch
        parts = np.where(taken[stays] < 0, here.parts[stays] * share, here.parts[stays])
        here = Arrived(below, here.rows[stays], parts)
    return here
