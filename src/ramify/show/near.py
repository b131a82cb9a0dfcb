"""Draws how much each column matters over all trees near the best one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.show.curves import new_axes
from ramify.tree.colours import BLUE, ORANGE
from ramify.trees.optimal.rashomon import RashomonSet


def plot_near(near: RashomonSet, *, ax: Any = None) -> Any:
    """Plot the range of each column's importance over a set of near-best trees.

    A line goes from the least importance of a column in any of the trees to the largest, and a dot
    marks that in the first tree, one of the best. Beside the name stands the share of the trees
    that use the column. Columns that no tree uses are left out. Draws on `ax`, or on new axes, and
    gives them. Needs matplotlib.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import OptimalTreeClassifier
    >>> clf = OptimalTreeClassifier(max_depth=2, sparsity=0.01)
    >>> near = clf.near_optimal(*load_iris(return_X_y=True), epsilon=0.02)
    >>> ax = near.plot()  # doctest: +SKIP
    """
    ax = new_axes(ax)
    found, best = near.columns(), near[0].data
    order = [j for j in np.argsort(found.most, kind="stable") if found.used[j] > 0]
    gains = np.zeros(len(found))
    inner = best["attribute"] >= 0
    whole = best["weight"][0] * best["impurity"][0]
    np.add.at(gains, best["attribute"][inner], (best["weight"] * best["gain"])[inner] / whole)
    places = np.arange(len(order))
    ax.hlines(places, found.least[order], found.most[order], color=BLUE, linewidth=4, alpha=0.5)
    ax.plot(gains[order], places, "o", color=ORANGE, markersize=5, label="in the best tree")
    ax.set_yticks(places, [f"{found.column[j]} ({found.used[j]:.0%})" for j in order])
    ax.set_xlabel(f"importance in {near.count:,} trees: least to most")
    ax.set_xlim(left=-0.02)
    ax.legend(frameon=False, loc="lower right")
    return ax
