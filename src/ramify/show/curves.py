"""Curves drawn with matplotlib: a pruning path, and the search of an optimal tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.pruning.path import PruningPath
from ramify.tree.colours import BLUE, ORANGE
from ramify.trees.optimal.pareto import ParetoFront
from ramify.trees.optimal.search import SearchHistory


def plot_pruning_path(path: PruningPath, *, ax: Any = None) -> Any:
    """Plot the training error and the cross-validated error of the trees of a pruning path.

    The band is one standard error wide on either side. The dashed line is one standard error above
    the least error, and the dot is the tree that was chosen. A tree of a fold may have more
    expansions than the whole tree: such numbers of expansions are to the right of the whole tree,
    one leaf more each. Needs matplotlib.

    Parameters
    ----------
    path : PruningPath
        The ``pruning_path_`` of a fitted estimator.
    ax : matplotlib axes, optional
        Where to draw; None makes new axes.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from ramify import TreeClassifier
    >>> clf = TreeClassifier(pruning="auto").fit(*load_wine(return_X_y=True))
    >>> ax = clf.plot_pruning_path()  # doctest: +SKIP
    """
    ax = new_axes(ax)
    ax.step(path.sizes, path.training_error, where="pre", color=ORANGE, label="training")
    known = not np.isnan(path.error).all()
    if known:
        low = path.error - path.standard_error
        high = path.error + path.standard_error
        ax.fill_between(path.sizes, low, high, color=BLUE, alpha=0.2, linewidth=0)
        ax.plot(path.sizes, path.error, color=BLUE, label="cross-validated, ± 1 SE")
        best = path.choose("min")
        ax.axhline(high[best], color=BLUE, linestyle="--", linewidth=1, label="least + 1 SE")
    if path.selected is not None:
        errors = path.error if known else path.training_error
        ax.plot(
            path.sizes[path.selected],
            errors[path.selected],
            "o",
            color="black",
            label=f"chosen: {path.leaves[path.selected]:,} leaves",
        )
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel(
        f"leaves (beyond {path.leaves[0]:,} of the trees of folds)" if path.beyond else "leaves"
    )
    ax.set_ylabel(path.error_name)
    ax.legend(frameon=False)
    return ax


def plot_progress(history: SearchHistory, *, ax: Any = None) -> Any:
    """Plot how the error of the best tree falls and the bound rises until they meet.

    A bound holds for one set of features. Where the set grows, the line begins anew. `history` is
    the ``history_`` of a fitted estimator. Draws on `ax`, or on new axes, and gives them. Needs
    matplotlib.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import OptimalTreeClassifier
    >>> clf = OptimalTreeClassifier(max_depth=2).fit(*load_iris(return_X_y=True))
    >>> ax = clf.plot_progress()  # doctest: +SKIP
    """
    ax = new_axes(ax)
    searches = _searches(history)
    for rows in searches:
        label = "bound" if rows is searches[0] else None
        ax.step(history.seconds[rows], history.bound[rows], where="post", color=BLUE, label=label)
        if len(searches) > 1:
            ax.axvline(history.seconds[rows[0]], color="0.85", linewidth=1, zorder=0)
    ax.step(history.seconds, history.error, where="post", color=ORANGE, label="error")
    if len(history):
        ax.plot(history.seconds[-1], history.error[-1], "o", color=ORANGE, markersize=4)
    ax.set_xlabel("seconds")
    ax.set_ylabel("training error")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax


def plot_pareto(front: ParetoFront, *, ax: Any = None, path: PruningPath | None = None) -> Any:
    """Plot the least error for every number of leaves, and the bound where it is not proven.

    `path` is a pruning sequence, such as the ``pruned`` of the front or the ``pruning_path_`` of
    another estimator: its trees are drawn beside the front, as far as it goes. Draws on `ax`, or on
    new axes, and gives them. Needs matplotlib.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import OptimalTreeClassifier
    >>> front = OptimalTreeClassifier(max_depth=2).pareto_front(*load_iris(return_X_y=True))
    >>> ax = front.plot()  # doctest: +SKIP
    """
    ax = new_axes(ax)
    ax.plot(front.leaves, front.error, "o-", color=ORANGE, markersize=4, label="least error")
    if not front.proven.all():
        ax.plot(front.leaves, front.bound, "_", color=BLUE, label="bound")
        ax.vlines(front.leaves, front.bound, front.error, color=BLUE, linewidth=1)
    if path is not None:
        shown = path.leaves <= front.leaves[-1]
        error = path.training_error[shown]
        ax.plot(path.leaves[shown], error, "s--", color="0.5", markersize=3, label="pruned")
    ax.set_xlabel("leaves, at most")
    ax.set_ylabel("training error")
    ax.set_ylim(bottom=0)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(frameon=False)
    return ax


def new_axes(ax: Any) -> Any:
    """The given axes, or new ones."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


def _searches(history: SearchHistory) -> list[NDArray[np.intp]]:
    """The rows of each search. A new search has other features, or more rows to be wrong on."""
    worse = 1e-9 * history.error.max(initial=0.0)
    new = np.diff(history.n_features) != 0
    new |= (np.diff(history.error) > worse) | (np.diff(history.bound) < -worse)
    return np.split(np.arange(len(history)), np.flatnonzero(new) + 1)
