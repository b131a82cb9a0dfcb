"""A tree cut back by rows that were held out: the size that predicts them best."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Sizes that are tried, spaced evenly by the logarithm of the number of leaves.
_SIZES = 40


def cut_by_held_out_rows(estimator: Any, X: Any, y: Any) -> Any:
    """Give the smallest tree of the cost-complexity path that is about as good as the best.

    That is the smallest whose loss on these rows is within one standard error of the least, as in
    Breiman et al. (1984), section 3.4.3: the rows are a test sample, in place of cross-validation.
    The loss is the share of wrong answers, or the squared error.
    """
    path = estimator.pruning_path_
    leaves = np.asarray(path.leaves)  # from the largest to the root alone
    wanted = np.unique(np.geomspace(leaves.min(), leaves.max(), _SIZES).round().astype(np.int64))
    # The largest tree of the path with at most so many leaves.
    places = sorted({int(np.flatnonzero(leaves <= size)[0]) for size in wanted})
    trees = [estimator.prune(n_leaves=int(leaves[place])) for place in places]
    losses = [_loss(tree, X, y) for tree in trees]
    means = np.array([one.mean() for one in losses])
    best = int(np.argmin(means))
    error = float(losses[best].std() / np.sqrt(len(y)))
    # The trees are in the order of the path, so the last one that is good enough is the smallest.
    return trees[int(np.flatnonzero(means <= means[best] + error)[-1])]


def _loss(tree: Any, X: Any, y: Any) -> Any:
    answers = tree.predict(X)
    if hasattr(tree, "classes_"):
        return (answers != y).astype(np.float64)
    return np.square(np.asarray(answers, dtype=np.float64) - y)
