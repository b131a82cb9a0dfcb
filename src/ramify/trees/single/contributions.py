"""What each column adds to a prediction: exact contributions along the path of a row.

On the way down, the expected answer changes at every condition, from that of the node to that of
the child. The change is credited to the column of the condition. The changes add up to the answer
of the leaf minus that of the root. A divided row takes the changes on the way to each of its
leaves, times its share there, so its contributions add up, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ramify.tables import Table
from ramify.tables.frame import make_frame
from ramify.tree import Tree
from ramify.tree.doors import door

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each column adds to the predictions of some rows.

    Parameters
    ----------
    values : ndarray of shape (rows, columns) or (rows, columns, classes)
        What a column adds to the predicted number, or to the share of each class.
    bias : float or ndarray of shape (classes,)
        The answer of the root: what would be predicted without any column.
    features : list of str
        The columns.
    classes : list or None
        The classes; None in regression.
    """

    values: Floats
    bias: Any
    features: list[str]
    classes: list[Any] | None

    @property
    def prediction(self) -> Floats:
        """The sum of bias and contributions: ``predict_proba``, or ``predict`` of a regressor."""
        return np.asarray(self.values.sum(axis=1) + self.bias, dtype=np.float64)

    def to_frame(self, *, label: Any = None, backend: str | None = None) -> Any:
        """Give a data frame: a column "bias", then one per column of the table.

        Parameters
        ----------
        label : object, optional
            The class whose share is explained; for classifiers. None gives all classes, with names
            such as "outlook: yes".
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the data frame. None takes the first that is installed. If none is, the
            result is a dict of arrays.
        """
        n = len(self.values)
        columns: dict[str, Any] = {}
        for k, suffix in self._chosen(label):
            bias = self.bias if k is None else self.bias[k]
            columns["bias" + suffix] = np.full(n, bias)
            for j, name in enumerate(self.features):
                part = self.values[:, j] if k is None else self.values[:, j, k]
                columns[name + suffix] = np.ascontiguousarray(part)
        return make_frame(columns, backend=backend)

    def _repr_html_(self) -> str:
        html: str = door("contributions_html")(self)
        return html

    def _chosen(self, label: Any) -> list[tuple[int | None, str]]:
        if self.classes is None:
            if label is not None:
                raise ValueError(f"label={label!r} needs a classifier; leave it out")
            return [(None, "")]
        if label is None:
            return [(k, f": {one}") for k, one in enumerate(self.classes)]
        if label not in self.classes:
            raise ValueError(
                f"label={label!r} is not a class; choose from "
                f"{', '.join(map(repr, self.classes[:20]))}"
            )
        return [(self.classes.index(label), "")]


def contributions(tree: Tree, table: Table) -> Contributions:
    """Give what each column adds to the prediction of every row."""
    answers = _node_answers(tree)
    shares = leaf_shares(tree, table)
    values: Floats = (shares @ _path_sums(tree, answers)).toarray()
    names = list(tree.schema.names)
    if tree.classes is None:
        return Contributions(values, float(answers[0, 0]), names, None)
    shaped = values.reshape(-1, len(names), answers.shape[1])
    return Contributions(shaped, answers[0].copy(), names, tree.classes.tolist())


def leaf_shares(tree: Tree, table: Table) -> Any:
    """Give the part of each row that reaches each leaf: a sparse matrix, rows by nodes."""
    starts, nodes = tree.core.paths(table.cells, tree.unseen)
    starts, nodes = np.asarray(starts), np.asarray(nodes)
    data, n = tree.data, tree.n_nodes
    leaf = data["n_children"][nodes] == 0
    rows = np.repeat(np.arange(table.n_rows), np.diff(starts))
    share = np.ones(len(nodes))
    several = np.bincount(rows[leaf], minlength=table.n_rows) > 1
    places = np.flatnonzero(several[rows])
    if len(places):
        share[places] = _shares(tree, rows[places], nodes[places])
    return csr_array(
        (share[leaf], (rows[leaf], nodes[leaf])), shape=(table.n_rows, n), dtype=np.float64
    )


def _shares(tree: Tree, rows: NDArray[Any], nodes: NDArray[Any]) -> Floats:
    """Give the part of its row that each visit is; visits are sorted by row, then by node."""
    parent, depth = tree.data["parent"][nodes], tree.data["depth"][nodes]
    key = rows.astype(np.int64) * tree.n_nodes + nodes
    above = np.searchsorted(key, rows.astype(np.int64) * tree.n_nodes + parent)
    above[parent < 0] = 0
    siblings = np.bincount(above[parent >= 0], minlength=len(nodes))[above]
    factor = np.where((siblings > 1) & (parent >= 0), tree.data["proportion"][nodes], 1.0)
    share = np.ones(len(nodes))
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        share[here] = share[above[here]] * factor[here]
    return share


def _node_answers(tree: Tree) -> Floats:
    """Give the class shares, or the number, that each node would predict as a leaf."""
    if tree.classes is None:
        return np.array(tree.predictions, dtype=np.float64)[:, np.newaxis]
    value, weight = tree.data["value"], tree.data["weight"][:, np.newaxis]
    even = np.full_like(value, 1.0 / value.shape[1])
    return np.divide(value, weight, out=even, where=weight > 0)


def _path_sums(tree: Tree, answers: Floats) -> Any:
    """Give the changes on the path to each leaf, summed by column: a sparse matrix, by node."""
    data, width = tree.data, answers.shape[1]
    parent = data["parent"]
    change = answers - answers[np.maximum(parent, 0)]
    rows, columns, values = [], [], []
    node = np.flatnonzero(data["n_children"] == 0)
    leaf = node
    while len(node):
        inside = parent[node] >= 0
        node, leaf = node[inside], leaf[inside]
        start = data["attribute"][parent[node]].astype(np.int64) * width
        rows.append(np.repeat(leaf, width))
        columns.append((start[:, np.newaxis] + np.arange(width)).ravel())
        values.append(change[node].ravel())
        node = parent[node]
    where = (np.concatenate(rows), np.concatenate(columns))
    shape = (tree.n_nodes, len(tree.schema) * width)
    return csr_array((np.concatenate(values), where), shape=shape)  # it sums entries of one place
