"""The pruning path as a curve: error against size."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.pruning.path import PruningPath


def plot_pruning_path(path: PruningPath, *, ax: Any = None) -> Any:
    """Plot the training error and the cross-validated error of the trees of a pruning path.

    The band is one standard error wide on either side, the dashed line one standard error above
    the least error, and the dot the tree that was chosen. Numbers of expansions that only trees of
    the folds have are to the right of the whole tree, one leaf more each. Needs matplotlib.

    Parameters
    ----------
    path : PruningPath
        Of a fitted estimator, its ``pruning_path_``.
    ax : matplotlib axes, optional
        Where to draw; None takes new ones.

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
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots()
    blue, orange = "#0072B2", "#D55E00"  # told apart by everyone
    ax.step(path.sizes, path.training_error, where="pre", color=orange, label="training")
    known = not np.isnan(path.error).all()
    if known:
        low = path.error - path.standard_error
        high = path.error + path.standard_error
        ax.fill_between(path.sizes, low, high, color=blue, alpha=0.2, linewidth=0)
        ax.plot(path.sizes, path.error, color=blue, label="cross-validated, ± 1 SE")
        best = path.choose("min")
        ax.axhline(high[best], color=blue, linestyle="--", linewidth=1, label="least + 1 SE")
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
