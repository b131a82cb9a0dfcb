"""A search as a curve: error and bound against time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.trees.optimal.search import SearchHistory


def plot_progress(history: SearchHistory, *, ax: Any = None) -> Any:
    """Plot how the error of the best tree falls and the bound rises until they meet.

    Where the set of features grows, a bound holds for its own set: the line begins anew. Needs
    matplotlib.

    Parameters
    ----------
    history : SearchHistory
        Of a fitted estimator, its ``history_``.
    ax : matplotlib axes, optional
        Where to draw; None takes new ones.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import OptimalTreeClassifier
    >>> clf = OptimalTreeClassifier(max_depth=2).fit(*load_iris(return_X_y=True))
    >>> ax = clf.plot_progress()  # doctest: +SKIP
    """
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots()
    blue, orange = "#0072B2", "#D55E00"  # told apart by everyone
    searches = _searches(history)
    for rows in searches:
        label = "bound" if rows is searches[0] else None
        ax.step(history.seconds[rows], history.bound[rows], where="post", color=blue, label=label)
        if len(searches) > 1:
            ax.axvline(history.seconds[rows[0]], color="0.85", linewidth=1, zorder=0)
    ax.step(history.seconds, history.error, where="post", color=orange, label="error")
    if len(history):
        ax.plot(history.seconds[-1], history.error[-1], "o", color=orange, markersize=4)
    ax.set_xlabel("seconds")
    ax.set_ylabel("training error")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax


def _searches(history: SearchHistory) -> list[NDArray[np.intp]]:
    """Give the rows of each search: a new one has other features, or more rows to be wrong on."""
    worse = 1e-9 * history.error.max(initial=0.0)
    new = np.diff(history.n_features) != 0
    new |= (np.diff(history.error) > worse) | (np.diff(history.bound) < -worse)
    return np.split(np.arange(len(history)), np.flatnonzero(new) + 1)
