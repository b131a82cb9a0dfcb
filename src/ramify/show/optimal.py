"""A search as a curve: error and bound against time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify._optimal_search import SearchHistory


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
    sizes = list(dict.fromkeys(history.n_features.tolist()))
    for size in sizes:
        rows = np.flatnonzero(history.n_features == size)
        label = "bound" if size == sizes[0] else None
        ax.step(history.seconds[rows], history.bound[rows], where="post", color=blue, label=label)
        if len(sizes) > 1:
            ax.axvline(history.seconds[rows[0]], color="0.85", linewidth=1, zorder=0)
    ax.step(history.seconds, history.error, where="post", color=orange, label="error")
    if len(history):
        ax.plot(history.seconds[-1], history.error[-1], "o", color=orange, markersize=4)
    ax.set_xlabel("seconds")
    ax.set_ylabel("training error")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax
