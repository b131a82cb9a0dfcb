"""What the rows of a node count: whole rows, or the sum of the parts of divided ones."""

from __future__ import annotations

import numpy as np

from ramify.tree import Tree


def counts_parts(tree: Tree) -> bool:
    """Whether the weight of a node is the sum of the parts of its rows.

    It is if every row weighs 1: then weights differ from numbers of rows only below nodes that
    divide rows. With sample or class weights a weight says nothing of parts.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X, y = [[1.0], [2.0], [None], [4.0]], ["a", "a", "b", "b"]
    >>> counts_parts(TreeClassifier().fit(X, y).tree_)
    True
    >>> counts_parts(TreeClassifier().fit(X, y, sample_weight=[1, 2, 1, 1]).tree_)
    False
    """
    data = tree.data
    rows, weight = np.asarray(data["rows"], dtype=np.float64), np.asarray(data["weight"])
    first, children = data["first_child"].tolist(), data["n_children"].tolist()
    value = data["value"][0] if tree.task == "classification" else weight[:1]
    if not np.allclose(value, np.round(value), rtol=1e-9):
        return False
    divided = np.zeros(tree.n_nodes, dtype=bool)  # whether a node above divides rows
    for node in range(tree.n_nodes):
        if children[node]:
            own = slice(first[node], first[node] + children[node])
            divided[own] = divided[node] or rows[own].sum() > rows[node]
    return bool(np.allclose(weight[~divided], rows[~divided], rtol=1e-9))
