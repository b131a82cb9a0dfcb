"""The errors of the trees of a report on rows that they were not fitted on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.weights import above_the_cheapest
from ramify.show.report.rows import ReportRows
from ramify.show.report.sizes import Sizes
from ramify.tree import Tree
from ramify.tree.arrays import flat

_STEPS = 60  # the most trees of the sequence that are tested
_MATRICES = 12_000  # the most cells of all confusion matrices in a file
_MOST_CLASSES = 24
_POINTS = 400  # the most points of a scatter plot


def held_out_scores(
    sizes: Sizes, rows: ReportRows, *, absolute: bool, n_jobs: Any
) -> dict[str, Any]:
    """Errors per step, and which classes the fitted tree takes for others.

    Parameters
    ----------
    sizes : Sizes
        The trees.
    rows : ReportRows
        The test rows.
    absolute : bool
        Whether the errors of a regression are absolute, not squared.
    n_jobs : int or None
        Threads.
    """
    table, target = rows.table.cells, rows.target
    threads = check.threads(n_jobs)
    steps = _spaced(sizes.leaves, sizes.fitted)
    w = np.ones(len(target)) if rows.weights is None else rows.weights
    found: dict[str, Any] = {"rows": rows.table.n_rows, "error": [None] * len(sizes.rows)}
    if sizes.base.task == "regression":
        found["figures"] = {}
        for step in steps:
            predicted = sizes.core(step).predict(table, sizes.base.unseen, threads)[:, 0]
            off = np.abs(predicted - target) if absolute else (predicted - target) ** 2
            found["error"][step] = _mean(off, w)
            found["figures"][str(step)] = _figures(predicted, target, w)
            if step == sizes.fitted:
                found["points"] = _points(predicted, target)
        return found
    place = class_places(sizes.base)
    n_places = int(place.max()) + 1
    all_fit = n_places**2 * len(steps) <= _MATRICES
    found["unknown"] = int((target < 0).sum())
    found["matrices"] = {}
    for step in steps:
        labels = _labels(sizes.base, sizes.core(step), table, threads)
        found["error"][step] = _mean(_losses(sizes.base, labels, target), w)
        if all_fit or step == sizes.fitted:
            known = target >= 0
            cells = place[target[known]] * n_places + place[labels[known]]
            matrix = np.bincount(cells, weights=w[known], minlength=n_places**2)
            found["matrices"][str(step)] = [_short(x) for x in matrix.tolist()]
    return found


def class_places(tree: Tree) -> NDArray[np.int64]:
    """Per class its row in a confusion matrix; if very many, the rare ones share the last."""
    weight = tree.data["value"][0]
    place = np.full(len(weight), _MOST_CLASSES, dtype=np.int64)
    frequent = np.sort(np.argsort(-weight, kind="stable")[:_MOST_CLASSES])
    place[frequent] = np.arange(len(frequent))
    return place


def _labels(tree: Tree, core: _core.Tree, table: Any, threads: int) -> NDArray[np.int64]:
    costs = flat(tree.costs)
    return np.asarray(core.predict_class(table, tree.unseen, threads, costs))


def _losses(tree: Tree, predicted: NDArray[np.int64], target: NDArray[Any]) -> NDArray[np.float64]:
    """Per row 1 if it is wrong, or its cost; a class that the tree does not know is wrong."""
    if tree.costs is None:
        return np.asarray(predicted != target, dtype=np.float64)
    known = np.maximum(target, 0)
    costs = above_the_cheapest(tree.costs)
    return np.where(target < 0, float(costs.max()), costs[known, predicted])


def _figures(
    predicted: NDArray[np.float64], target: NDArray[np.float64], w: NDArray[np.float64]
) -> list[float | None]:
    """Root mean squared error, mean absolute error and R²."""
    mean = _mean(target, w)
    spread = _mean((target - mean) ** 2, w)
    squared = _mean((predicted - target) ** 2, w)
    return [
        _short(float(np.sqrt(squared))),
        _short(_mean(np.abs(predicted - target), w)),
        _short(1 - squared / spread) if spread > 0 else None,
    ]


def _points(
    predicted: NDArray[np.float64], target: NDArray[np.float64]
) -> list[tuple[float, float]]:
    rows = np.linspace(0, len(target) - 1, min(_POINTS, len(target))).astype(int)
    return [(_short(predicted[i]), _short(target[i])) for i in rows.tolist()]


def _mean(values: NDArray[Any], w: NDArray[np.float64]) -> float:
    return float((values * w).sum() / w.sum())


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _spaced(leaves: list[int], fitted: int) -> list[int]:
    """The steps to test: all, or some at even ratios of their sizes, and the fitted one."""
    if len(leaves) <= _STEPS:
        return list(range(len(leaves)))
    sizes = np.geomspace(1, leaves[0], _STEPS)
    nearest = [int(np.argmin(np.abs(np.log(leaves) - np.log(size)))) for size in sizes]
    return sorted({0, *nearest, fitted, len(leaves) - 1})
